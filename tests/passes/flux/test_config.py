from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.passes.flux.config import entrypoint, index_range, init
from tests.passes.plans import container, job, plan_of, runtime, trainjob

if TYPE_CHECKING:
    from pathlib import Path

PROFILES = ("v2.2", "v2.3")
Tree = dict[str, Any]


def scripts(trainer: Tree, profile: str = "v2.3", **node: Any) -> tuple[str, str]:
    plan = plan_of(runtime({"flux": {}}, job(containers=[container(**node)])), trainjob({"numNodes": 2, **trainer}), profile)
    return entrypoint(plan), init(plan)


# spec.trainer -> flags of flux run, resources of v2.3
FLAGS: tuple[tuple[Tree, str, str], ...] = (
    ({}, "-N 2 -n 2", "--cores=0"),
    ({"numProcPerNode": 4}, "-N 2 -n 8", "--cores=0-3"),
    ({"numNodes": 1, "numProcPerNode": 4}, "-N 1 -n 4", "--cores=0-3"),
    ({"resourcesPerNode": {"limits": {"nvidia.com/gpu": 1}}}, "-N 2 -n 2 -g 1", "--cores=0 --gpu=0"),
    ({"numProcPerNode": 2, "resourcesPerNode": {"requests": {"nvidia.com/gpu": 2}}}, "-N 2 -n 4 -g 2", "--cores=0-1 --gpu=0-1"),
    ({"numNodes": 0}, "-N 0 -n 0", "--cores=0"),
    ({"numNodes": 65536, "numProcPerNode": 65536}, "-N 65536 -n 0", "--cores=0-65535"),
)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("trainer", "flags", "resources"), FLAGS)
def test_flags_and_resources(profile: str, trainer: Tree, flags: str, resources: str) -> None:
    text, _ = scripts(trainer, profile)
    assert f'flags="{flags}"\n' in text
    wanted = resources if profile == "v2.3" else "--local"
    assert f' {wanted} > "${{system}}/R"\n' in text


@pytest.mark.parametrize(("size", "text"), [(1, "0"), (2, "0-1"), (0, "0--1"), (-1, "0--2"), (-(2**31), "0-2147483647")])
def test_index_range(size: int, text: str) -> None:
    assert index_range(size) == text


def test_values_of_both_scripts() -> None:
    env = [{"name": "FLUX_NETWORK_DEVICE", "value": "ib0"}, {"name": "FLUX_QUEUE_POLICY", "value": "easy"}]
    start, prepare = scripts({"env": env})
    assert 'mainHost="job-node-0-0"\n' in start
    for part in (
        "fluxroot=/opt/view\n",
        "mainHost=job-0\n",
        'hosts="job-node-0-[0-1]"\n',
        'host="job-node-0-[0-1]"',
        'default_bind = "tcp://ib0:%p"\n',
        'default_connect = "tcp://%h.job.ns.svc.cluster.local:%p"\n',
        'queue-policy = "easy"\n',
    ):
        assert part in prepare
    assert "@" not in prepare.replace("$@", "") and "@" not in start.replace("[@]", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("profile", PROFILES)
def test_bash_reads_both_scripts(profile: str) -> None:
    for script in scripts({"numProcPerNode": 2}, profile):
        assert subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False).stderr == ""


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_first_host_runs_the_command_and_others_only_a_broker(tmp_path: Path) -> None:
    """Both scripts in a sandbox: their absolute folders moved below one folder, flux replaced by a recorder."""
    start, prepare = scripts({"numProcPerNode": 2})
    moved = {"/mnt/flux": "mnt", "/opt/view": "opt/view", "/opt/software": "opt/software", "/tmp/fluxout": "out"}
    for folder in ("mnt", "opt/views/._view/abc/bin", "opt/views/._view/abc/lib/python3.12", "opt/software", "curve", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "opt/software/lib.so").write_text("")
    (tmp_path / "opt/views/._view/abc/bin/python3.12").write_text("")
    (tmp_path / "curve/curve.cert").write_text("certificate")
    flux = tmp_path / "bin/flux"
    flux.write_text(f'#!/bin/bash\necho "$@" >> {tmp_path}/calls\n[ "$1" = R ] && echo R-of-the-cluster\nexit 0\n')
    host = tmp_path / "bin/hostname"
    host.write_text(f"#!/bin/bash\ncat {tmp_path}/host\n")
    for program in (flux, host):
        program.chmod(0o755)

    def run(script: str, hostname: str, *arguments: str) -> list[str]:
        for folder, place in moved.items():
            script = script.replace(folder, f"{tmp_path}/{place}")
        script = script.replace("cp /curve/", f"cp {tmp_path}/curve/")
        (tmp_path / "host").write_text(hostname)
        (tmp_path / "calls").unlink(missing_ok=True)
        path = f"{tmp_path}/bin:/usr/bin:/bin"
        done = subprocess.run(["bash", "-s", "--", *arguments], input=script, text=True, capture_output=True, check=False, env={"PATH": path})
        assert (done.returncode, done.stderr) == (0, "")
        return (tmp_path / "calls").read_text().splitlines() if (tmp_path / "calls").exists() else []

    assert run(prepare, "job-node-0-0") == []
    config = tmp_path / "mnt/config"
    assert (config / "etc/flux/system/hostlist").read_text() == "job-node-0-[0-1]\n"
    assert 'queue-policy = "fcfs"' in (config / "etc/flux/config/broker.toml").read_text()
    assert (tmp_path / "mnt/view/bin/python3.12").exists() and (tmp_path / "mnt/software/lib.so").exists()

    calls = run(start, "job-node-0-0", "lmp -in", "in.x")
    assert calls[0] == "R encode --hosts=job-node-0-[0-1] --cores=0-1"
    assert calls[1].startswith(f"start -o --config {config}/etc/flux/config -Scron.directory=") and calls[1].endswith(" flux run -N 2 -n 4 lmp -in in.x")
    assert (config / "etc/flux/system/R").read_text() == "R-of-the-cluster\n"
    certificate = config / "etc/curve/curve.cert"
    assert certificate.read_text() == "certificate" and certificate.stat().st_mode & 0o044 == 0
    assert (tmp_path / "mnt/flux-operator-complete.txt").exists()

    assert run(start, "job-node-0-0")[1].startswith("broker --config-path")
    assert "flux run" not in run(start, "job-node-0-1", "lmp")[1]
