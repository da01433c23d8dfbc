"""How long one render takes as a process, in units of the bare interpreter.

    python benchmarks/cold_start.py [--rounds 21]

Everything is measured in the same rounds, one after the other, with bytecode compiled as pip does on installation. CPU time is
user and system time of the process; it varies less than wall time on a busy machine. helm and kustomize join in where they are
installed, with the same objects to print.
"""

from __future__ import annotations

import argparse
import compileall
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "01-torch-multi-node.yaml"
# What the console script does.
COMMAND = "from jobset_compiler.cli import main; main()"
BARE = "bare interpreter"


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def contenders(folder: Path) -> dict[str, list[str]]:
    found = {
        BARE: python("-c", "pass"),
        "jobset-compiler --version": python("-c", COMMAND, "--version"),
        "jobset-compiler render, one TrainJob": python("-c", COMMAND, "render", "--no-config", str(EXAMPLE)),
        "jobset-compiler check, one TrainJob": python("-c", COMMAND, "check", "--no-config", str(EXAMPLE)),
        "import argparse": python("-c", "import argparse"),
    }
    if importlib.util.find_spec("pydantic"):
        found["import pydantic, ruamel.yaml"] = python("-c", "import pydantic, ruamel.yaml; pydantic.BaseModel")
    rendered = subprocess.run(found["jobset-compiler render, one TrainJob"], capture_output=True, check=True, env=environment()).stdout
    if shutil.which("kustomize"):
        (folder / "kustomization.yaml").write_text("resources: [jobset.yaml]\n")
        (folder / "jobset.yaml").write_bytes(rendered)
        found["kustomize build, the JobSet"] = ["kustomize", "build", str(folder)]
    if shutil.which("helm"):
        chart = folder / "chart"
        (chart / "templates").mkdir(parents=True)
        (chart / "Chart.yaml").write_text("apiVersion: v2\nname: jobset\nversion: 0.1.0\n")
        (chart / "templates" / "jobset.yaml").write_bytes(rendered)
        found["helm template, the JobSet"] = ["helm", "template", str(chart)]
    return found


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")}
    return {**kept, "PYTHONPATH": str(ROOT)}


def measure(command: list[str], env: dict[str, str]) -> tuple[float, float]:
    """(wall, CPU) milliseconds of one run."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as running:
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    assert running.returncode == 0, command
    return wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=21)
    rounds = parser.parse_args().rounds
    compileall.compile_dir(str(ROOT / "jobset_compiler"), quiet=1)
    env = environment()
    with tempfile.TemporaryDirectory() as folder:
        commands = contenders(Path(folder))
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(measure(command, env))
    medians = {name: [statistics.median(column) for column in zip(*runs, strict=True)] for name, runs in times.items()}
    wall, cpu = medians[BARE]
    print(f"{'':38}{'wall ms':>9}{'x bare':>8}{'CPU ms':>9}{'x bare':>8}   (median of {rounds})")
    for name, (ms, used) in medians.items():
        print(f"{name:38}{ms:9.1f}{ms / wall:8.1f}{used:9.1f}{used / cpu:8.1f}")


if __name__ == "__main__":
    main()
