"""The recipe of README.md for a new release: the program of its first step, on a copy of the repository, with facts as if v2.4 had come of `next`."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("jobset_compiler", "tools", "upstream", "schemas", "docs/releases.md", "README.md")
OF_OLDER = ("jobset_compiler/kube/tables/v2_3.py", "schemas/v2.3/trainjob.json", "jobset_compiler/runtimes/v2.3/torch-distributed.yaml")


def copied(to: Path) -> Path:
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__", "answers"))
        elif source.is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to / name)
    return to


def write_facts(repository: Path) -> None:
    """Those of `next`, by the names of a release, with a JobSet of its own."""
    (repository / "upstream" / "v2.4").mkdir()
    for what in ("types", "crds"):
        facts = json.loads(gzip.decompress((repository / "upstream" / "next" / f"{what}.json.gz").read_bytes()))
        changes = {"types": {"tag": "v2.4.0"}, "crds": {"trainer": "v2.4.0", "jobset": "v0.13.0"}}[what]
        (repository / "upstream" / "v2.4" / f"{what}.json.gz").write_bytes(gzip.compress(json.dumps({**facts, **changes}).encode(), mtime=0))


def run(repository: Path, *argv: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    done = subprocess.run([sys.executable, *argv], cwd=repository, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_first_step_adds_a_release_and_says_what_is_left(tmp_path: Path) -> None:
    repository = copied(tmp_path)
    write_facts(repository)
    before = {name: (repository / name).read_bytes() for name in OF_OLDER}
    told = run(repository, "tools/new_release.py", "v2.4")
    assert "What is left to do for v2.4" in told and "kube/tables/v2_4.py: it lists what changed in the types since v2.3" in told
    assert {name: (repository / name).read_bytes() for name in OF_OLDER} == before, "a release only adds"
    listed = run(repository, "-m", "jobset_compiler", "releases")
    assert "v2.4 (default)\n" in listed and "JobSet                 0.13.0" in listed
    runtimes = run(repository, "-m", "jobset_compiler", "runtimes", "--trainer-version", "v2.4")
    assert "torch-distributed" in runtimes
    program = "from jobset_compiler.profiles import *; n = find('next'); print(find('v2.4').jobset.table, find_jobset('0.13').version, n.is_released)"
    assert run(repository, "-c", program) == "v2.4 0.13.0 False\n"
    job = repository / "job.yaml"
    spec = {"runtimeRef": {"name": "torch-distributed"}, "trainer": {"numNodes": 2}}
    job.write_text(json.dumps({"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "j"}, "spec": spec}))
    for release in ("v2.3", "v2.4", "next"):
        assert "parallelism: 2" in run(repository, "-m", "jobset_compiler", "render", "--no-config", "--trainer-version", release, str(job))
