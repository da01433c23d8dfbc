"""Five workloads, YAML in and YAML out, beside PyYAML's C loader and dumper on the same texts.

    python benchmarks/yardstick.py [--rounds 7] [--jobs 100] [--workload NAME]

Ours compiles the stream of TrainJobs with their runtime and prints the objects: schema, both admissions, Jobs and Pods, provenance included.
The yardstick only loads the same input with yaml.CSafeLoader and dumps our output with yaml.CSafeDumper. Both take turns in one process, with
TrainJobs of their own in every round; the figures are the best CPU times of all rounds, and their quotient. Below 1, a whole compile costs less than
parsing alone does elsewhere.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

import yaml

import jobset_compiler as jc

if TYPE_CHECKING:
    from collections.abc import Callable

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: team-runtime
  labels:
    trainer.kubeflow.org/framework: {framework}
spec:
  mlPolicy:
{policy}
{gang}  template:
    metadata:
      labels:
        cost-centre: research
    spec:
      network:
        publishNotReadyAddresses: true
      replicatedJobs:
{jobs}"""
NODE = """\
      - name: {name}
        template:
          metadata:
            labels:
              trainer.kubeflow.org/trainjob-ancestor-step: {step}
          spec:
            backoffLimit: 3
            template:
              metadata:
                annotations:
                  example.com/owner: platform
              spec:
                serviceAccountName: training
                tolerations:
                - key: nvidia.com/gpu
                  operator: Exists
                  effect: NoSchedule
                volumes:
                - name: data
                  persistentVolumeClaim:
                    claimName: data
                - name: shm
                  emptyDir:
                    medium: Memory
                    sizeLimit: 16Gi
                containers:
                - name: {container}
                  image: registry.example.com/base/{name}:4
                  command: [python, -m, train]
                  securityContext:
                    runAsNonRoot: true
                    runAsUser: 1000
                  resources:
                    requests:
                      cpu: "8"
                      memory: 64Gi
                    limits:
                      nvidia.com/gpu: "4"
                      memory: 64Gi
                  volumeMounts:
                  - name: data
                    mountPath: /data
                  - name: shm
                    mountPath: /dev/shm
"""
JOB = """\
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
    name: team-runtime
  trainer:
    numNodes: {nodes}
    image: registry.example.com/team/model:{index}
"""
ARGS = """\
    command: [torchrun, /app/train.py]
    args: [--epochs=10, --seed={index}]
"""
ENV = "    env:\n" + "".join(f'    - name: SETTING_{number}\n      value: "{number}-{{index}}"\n' for number in range(60))
PATCHES = """\
  runtimePatches:
  - manager: kueue.x-k8s.io/manager
    trainingRuntimeSpec:
      template:
        metadata:
          labels:
            queue: default
        spec:
          replicatedJobs:
          - name: node
            template:
              spec:
                template:
                  metadata:
                    annotations:
                      pool: a-{index}
                  spec:
                    nodeSelector:
                      pool: gpu-a
                    tolerations:
                    - key: spot
                      operator: Exists
                    containers:
                    - name: node
                      volumeMounts:
                      - name: data
                        mountPath: /data
                        readOnly: true
"""
INITIALIZERS = """\
  initializer:
    dataset:
      storageUri: hf://datasets/team-{index}
    model:
      storageUri: hf://models/team-{index}
      secretRef:
        name: hf
"""
TORCH = "    numNodes: 2\n    torch: {}"
MPI = "    numNodes: 2\n    mpi:\n      numProcPerNode: 4\n      mpiImplementation: OpenMPI\n      sshAuthMountPath: /root/.ssh\n      runLauncherAsNode: true"
COSCHEDULING = "  podGroupPolicy:\n    coscheduling:\n      scheduleTimeoutSeconds: 120\n"
TRAINER = NODE.format(name="node", step="trainer", container="node")
LAUNCHER = NODE.format(name="launcher", step="trainer", container="node")
WORKERS = NODE.format(name="node", step="node", container="node").replace(
    "              trainer.kubeflow.org/trainjob-ancestor-step: node\n", "              role: worker\n"
)
STEPS = "".join(NODE.format(name=f"{what}-initializer", step=f"{what}-initializer", container=f"{what}-initializer") for what in ("dataset", "model")).replace(
    "name: data\n", "name: initializer\n"
)


def runtime(policy: str, jobs: str, *, framework: str = "torch", gang: str = "") -> str:
    return RUNTIME.format(framework=framework, policy=policy, gang=gang, jobs=jobs)


WORKLOADS = {
    "torch": (runtime(TORCH, TRAINER), JOB + ARGS),
    "sixty variables": (runtime(TORCH, TRAINER), JOB + ARGS + ENV),
    "patches": (runtime(TORCH, TRAINER), JOB + ARGS + PATCHES),
    "initialisers, gang": (runtime(TORCH, STEPS + TRAINER, gang=COSCHEDULING), JOB + ARGS + INITIALIZERS),
    "mpi": (runtime(MPI, LAUNCHER + WORKERS, framework="deepspeed"), JOB),
}


def stream(name: str, jobs: int, first: int = 0) -> str:
    """A runtime and so many TrainJobs, numbered from `first` on."""
    before, job = WORKLOADS[name]
    return before + "".join(job.format(index=index, nodes=2 + index % 14, team=index % 20) for index in range(first, first + jobs))


def ours(text: str) -> str:
    result = jc.compile_yaml(text, bundled_runtimes=False)
    assert result.ok, result.diagnostics[:1]
    return result.to_yaml()


def pyyaml(text: str, output: str) -> Callable[[], str]:
    documents = list(yaml.load_all(output, yaml.CSafeLoader))

    def run() -> str:
        list(yaml.load_all(text, yaml.CSafeLoader))
        return str(yaml.dump_all(documents, Dumper=yaml.CSafeDumper, sort_keys=False))

    return run


def seconds(run: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--workload", choices=sorted(WORKLOADS), help="only this one")
    options = parser.parse_args()
    print(f"{'workload':22}{'ours, us a job':>16}{'PyYAML, us a job':>18}{'quotient':>10}")
    for name in WORKLOADS if options.workload is None else [options.workload]:
        ours(stream(name, options.jobs))
        mine, theirs = [], []
        for number in range(1, options.rounds + 1):
            text = stream(name, options.jobs, number * options.jobs)
            mine.append(seconds(partial(ours, text)))
            theirs.append(seconds(pyyaml(text, ours(text))))
        each, other = min(mine) / options.jobs * 1e6, min(theirs) / options.jobs * 1e6
        print(f"{name:22}{each:16.0f}{other:18.0f}{each / other:10.2f}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
