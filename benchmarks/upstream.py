"""The five workloads of the yardstick, beside Kubeflow Trainer's own Go code and PyYAML.

    python benchmarks/upstream.py [--rounds 7] [--jobs 100] [--workload NAME] [--snapshot]

Builds `benchmarks/go` (Go 1.26, modules from its proxy; some minutes the first time): Trainer v2.3.0 from text to text, on one core, with the runtime
in memory in place of a cluster. It decodes, runs the validating webhooks of runtime and TrainJob and the runtime framework with all its plugins, and
encodes. It checks no schema, no CEL rule, nothing of JobSet, Jobs and Pods, and keeps no provenance; ours does. Its objects are compared with
ours once: they have to be the same. With --snapshot it also makes the copy of the runtime that the controller keeps for each TrainJob.

Every round has TrainJobs that were never seen before, so that nothing is remembered of them. The three take turns, and the figures are each one's
least CPU time of all rounds: ours and PyYAML's of this process, Go's of its process after a warm-up, with its garbage collection. Below 1, we take
less.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from yardstick import WORKLOADS, ours, pyyaml, seconds, stream

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent / "build" / "upstream-benchmark"


def build() -> None:
    subprocess.run(["go", "build", "-o", PROGRAM, "."], cwd=HERE / "go", check=True)


def go(text: str, *arguments: str) -> str:
    return subprocess.run([PROGRAM, *arguments], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


def objects(text: str) -> dict[tuple[str, str, str], dict[str, Any]]:
    """By kind, namespace and name. Placeholders of keys stand in `data` of ours and in `stringData` of theirs, which a server makes one."""
    found = {}
    for item in yaml.load_all(text, yaml.CSafeLoader):
        if "stringData" in item:
            item["data"] = item.pop("stringData")
        found[item["kind"], item["metadata"]["namespace"], item["metadata"]["name"]] = item
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--workload", choices=sorted(WORKLOADS), help="only this one")
    parser.add_argument("--snapshot", action="store_true", help="upstream keeps a copy of the runtime, as its controller does")
    options = parser.parse_args()
    build()
    print(f"{'workload':22}{'ours':>8}{'Go':>8}{'PyYAML':>8}  us a job{'ours / Go':>12}{'ours / PyYAML':>16}")
    for name in WORKLOADS if options.workload is None else [options.workload]:
        text = stream(name, options.jobs)
        if objects(go(text, "-print")) != objects(ours(text)):
            sys.exit(f"{name}: upstream's objects are not ours")
        mine, other, theirs = [], [], []
        for number in range(1, options.rounds + 1):
            text = stream(name, options.jobs, number * options.jobs)
            mine.append(seconds(partial(ours, text)) / options.jobs * 1e6)
            other.append(seconds(pyyaml(text, ours(text))) / options.jobs * 1e6)
            theirs.append(float(go(text, "-rounds", "3", *(["-snapshot"] if options.snapshot else []))))
        we, they, parsing = min(mine), min(theirs), min(other)
        print(f"{name:22}{we:8.0f}{they:8.0f}{parsing:8.0f}{we / they:22.2f}{we / parsing:16.2f}", flush=True)


if __name__ == "__main__":
    main()
