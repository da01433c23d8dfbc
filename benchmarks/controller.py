"""What one call costs a controller that holds the runtimes and is given a TrainJob, in units of a TrainJob of a stream.

    python benchmarks/controller.py [--rounds 7]

Both in one process that has compiled before: a stream of TrainJobs with one runtime at its head (its own share left out), and a call
for each TrainJob with the runtime passed along, as text and as objects. "new" is a call with a runtime that was never passed
before, which is read and judged anew. CPU time, the best of some rounds, which take turns.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import yaml
from throughput import HEAD, KINDS

import jobset_compiler as jc
from jobset_compiler.library.sources import Source
from jobset_compiler.library.streaming import compile_stream
from jobset_compiler.request.options import Options
from jobset_compiler.runtimes import text_of

if TYPE_CHECKING:
    from collections.abc import Callable

JOBS = 200
SMALL = text_of("v2.3", "torch-distributed").replace("name: torch-distributed", "name: mine")


def large_runtime() -> str:
    """With what runtimes of platform teams carry: variables and mounts."""
    runtime = yaml.safe_load(SMALL)
    pod = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    pod["volumes"] = [{"name": "data", "emptyDir": {}}]
    pod["containers"][0]["env"] = [{"name": f"SETTING_{number}", "value": str(number)} for number in range(100)]
    pod["containers"][0]["volumeMounts"] = [{"name": "data", "mountPath": f"/data/{number}"} for number in range(30)]
    return yaml.safe_dump(runtime, sort_keys=False)


def trainjobs() -> list[str]:
    return [(HEAD + KINDS[1]).format(index=index, nodes=1 + index % 16, team=index % 20).replace("torch-distributed", "mine") for index in range(JOBS)]


def used(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return (time.process_time() - start) / JOBS * 1e6


def stream(runtime: str, jobs: list[str]) -> None:
    text = f"{runtime}\n{''.join(jobs)}".encode()
    for step in compile_stream([Source("stream", lambda: (text,))], Options()):
        assert not any(diagnostic.is_error for diagnostic in step.diagnostics)


def contenders(runtime: str, jobs: list[str]) -> dict[str, Callable[[], object]]:
    held = yaml.safe_load(runtime)
    objects = list(map(yaml.safe_load, jobs))

    def named(number: int) -> str:
        return runtime.replace("metadata:\n", f"metadata:\n  annotations: {{example.com/number: n-{number}}}\n", 1)

    counter = iter(range(10**9))
    return {
        "a stream": lambda: stream(runtime, jobs),
        "compile_yaml": lambda: [jc.compile_yaml(f"{runtime}\n{job}") for job in jobs],
        "compile_objects": lambda: [jc.compile_objects([held, job]) for job in objects],
        "compile_yaml, new": lambda: [jc.compile_yaml(f"{named(next(counter))}\n{job}") for job in jobs],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    jobs = trainjobs()
    print(f"{'us a TrainJob, and x a stream':30}" + "".join(f"{name:>20}" for name in contenders(SMALL, jobs)))
    for name, runtime in (("small", SMALL), ("large", large_runtime())):
        calls = contenders(runtime, jobs)
        best = dict.fromkeys(calls, float("inf"))
        for _ in range(rounds + 1):
            for contender, call in calls.items():
                best[contender] = min(best[contender], used(call))
        base = best["a stream"]
        shown = "".join(f"{taken:12.0f}{taken / base:6.2f} x" for taken in best.values())
        print(f"{name + f' runtime, {len(runtime.splitlines())} lines':30}{shown}")


if __name__ == "__main__":
    main()
