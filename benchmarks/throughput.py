"""How many TrainJobs a second one process renders, and whether time and memory stay in proportion.

    python benchmarks/throughput.py [--sizes 1000 10000 100000]

One YAML stream of TrainJobs that differ in name, size, resources and environment, all for one bundled runtime; YAML in, YAML out,
diagnostics included. Time a TrainJob is CPU time without the start of the process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from cold_start import COMMAND, environment

KINDS = (
    """\
  trainer:
    numNodes: {nodes}
    image: registry.example.com/team/vision:{index}
    command: [torchrun, /app/train.py]
    args:
    - --epochs={nodes}
""",
    """\
  trainer:
    numNodes: {nodes}
    image: registry.example.com/team/text:{index}
    command:
    - torchrun
    - /app/pretrain.py
    env:
    - name: NCCL_DEBUG
      value: WARN
    - name: SHARD
      value: "{index}"
    - name: WANDB_API_KEY
      valueFrom:
        secretKeyRef:
          name: wandb
          key: api-key
    resourcesPerNode:
      requests:
        cpu: "{nodes}"
        memory: 512Gi
        nvidia.com/gpu: 8
      limits:
        memory: 512Gi
        nvidia.com/gpu: 8
""",
)
HEAD = """\
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: job-{index}
  namespace: team-{team}
  labels:
    app: training
spec:
  runtimeRef:
    name: torch-distributed
"""


def write_stream(path: Path, size: int) -> None:
    with path.open("w") as file:
        for index in range(size):
            file.write((HEAD + KINDS[index % 2]).format(index=index, nodes=1 + index % 16, team=index % 20))


def measure(arguments: list[str]) -> tuple[float, float]:
    """(CPU seconds, peak memory in MiB) of one run."""
    command = [sys.executable, "-c", COMMAND, *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()) as running:
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0, arguments
    # Kilobytes, but bytes on macOS.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--verb", nargs="+", default=["render"], help="what is run, such as: check --format json")
    options = parser.parse_args()
    print(f"{'TrainJobs':>10}{'us each':>9}{'a second':>10}{'x first':>9}{'peak MiB':>10}   jobset-compiler {' '.join(options.verb)}")
    first = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.yaml"
        write_stream(path, 1)
        measure([*options.verb, "--no-config", str(path)])  # bytecode is written
        start = min(measure([*options.verb, "--no-config", str(path)])[0] for _ in range(3))
        for size in options.sizes:
            write_stream(path, size)
            seconds, memory = measure([*options.verb, "--no-config", str(path)])
            each = (seconds - start) / size
            first = first or each
            print(f"{size:10,}{each * 1e6:9.0f}{1 / each:10,.0f}{each / first:9.2f}{memory:10.0f}")


if __name__ == "__main__":
    main()
