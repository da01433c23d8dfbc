"""Inputs of any size, one for each thing that there can be much of: `DIMENSIONS[name](size)` is a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: {name}
  namespace: ml
spec:
  runtimeRef:
    name: {runtime}
"""
RUNTIME = """\
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: mine
  labels: {trainer.kubeflow.org/framework: torch}
spec:
  mlPolicy: {numNodes: 2, torch: {}}
  template:
    spec:
      replicatedJobs:
"""
NODE = """\
      - name: {name}
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: {step}}}}}
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: example.com/image
"""


def head(name: str = "train", runtime: str = "torch-distributed") -> str:
    return HEAD.format(name=name, runtime=runtime)


def runtime(node: str = "", jobs: str = "") -> str:
    """A TrainJob and its runtime: further fields of the container (18 blanks deep), of the pod (16), and further jobs."""
    return head(runtime="mine") + RUNTIME + NODE.format(name="node", step="trainer") + node + jobs


def lines(size: int, line: str) -> str:
    """Lines with {} in them for a number; {{ and }} for braces."""
    return "".join([line.format(index) + "\n" for index in range(size)])


def documents(size: int) -> str:
    return "---\n".join(head(f"train-{index}") + "  trainer: {numNodes: 2}\n" for index in range(size))


def same_documents(size: int) -> str:
    return "---\n".join([head()] * size)


def runtimes(size: int) -> str:
    node = NODE.format(name="node", step="trainer")
    return head(runtime="mine-0") + "".join(RUNTIME.replace("name: mine", f"name: mine-{index}") + node for index in range(size))


def patches(size: int) -> str:
    return head() + "  runtimePatches:\n" + "".join(patch(f"m{index}", f"nodeName: n{index}") for index in range(size))


def patch(manager: str, pod_spec: str) -> str:
    job = f"{{name: node, template: {{spec: {{template: {{spec: {{{pod_spec}}}}}}}}}}}"
    return f"  - manager: example.com/{manager}\n    trainingRuntimeSpec: {{template: {{spec: {{replicatedJobs: [{job}]}}}}}}\n"


def patched(size: int, field: str, item: str) -> str:
    """One patch with a list of that many items in brackets, a line each."""
    return head(runtime="mine") + "  runtimePatches:\n" + patch("m", f"{field}: {listed(size, item)}") + RUNTIME + NODE.format(name="node", step="trainer")


def listed(size: int, item: str) -> str:
    """A list of that many items in brackets; @ is a number."""
    return "[" + ",\n      ".join(item.replace("@", str(index)) for index in range(size)) + "]"


def replicated_jobs(size: int) -> str:
    return runtime(jobs="".join(NODE.format(name=f"extra-{index}", step="extra") for index in range(size)))


def ports(size: int, more: str) -> str:
    """@ in what a port has beside its number is one of its own."""
    rows = (f"                  - {{containerPort: {index % 65000 + 1}{more.replace('@', str(index))}}}\n" for index in range(size))
    return runtime("                  ports:\n" + "".join(rows))


def initializers(size: int) -> str:
    return head() + "  initializer:\n    dataset:\n      storageUri: hf://x/y\n      env:\n" + lines(size, "      - {{name: V{0}, value: x}}")


def merges(size: int) -> str:
    keys = "".join(f"  a{index}: &a{index} {{k{index}: v}}\n" for index in range(size))
    return "x:\n" + keys + "y:\n  <<: [" + ", ".join(f"*a{index}" for index in range(size)) + "]\n"


def documents_in_json(size: int) -> str:
    """One after the other."""
    job = '{"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "a@"}, "spec": {"runtimeRef": {"name": "jax-distributed"}}}'
    return "".join(f"{job.replace('@', str(index))}\n" for index in range(size))


def items(size: int) -> str:
    jobs = (head(f"a{index}").replace("\n", "\n  ").rstrip() for index in range(size))
    return "apiVersion: v1\nkind: List\nitems:\n" + "".join(f"- {job}\n" for job in jobs)


DIMENSIONS: dict[str, Callable[[int], str]] = {
    "documents": documents,
    "documents of one name": same_documents,
    "documents of other kinds": lambda size: "---\n".join(f"apiVersion: v1\nkind: Kind{index}\n" for index in range(size)),
    "documents in JSON": documents_in_json,
    "items of a List": items,
    "runtimes": runtimes,
    "env": lambda size: head() + "  trainer:\n    env:\n" + lines(size, "    - {{name: V{0}, value: x}}"),
    "env of one name": lambda size: head() + "  trainer:\n    env:\n" + lines(size, "    - {{name: V, value: x{0}}}"),
    "env of the runtime": lambda size: runtime("                  env:\n" + lines(size, "                  - {{name: V{0}, value: x}}")),
    "env that is refused": lambda size: head() + "  trainer:\n    env:\n" + lines(size, "    - {{name: PET_NNODES, value: x{0}}}"),
    "env of the initializer": initializers,
    "args": lambda size: head() + "  trainer:\n    args:\n" + lines(size, "    - --option-{0}"),
    "resources": lambda size: head() + "  trainer:\n    resourcesPerNode:\n      limits:\n" + lines(size, "        example.com/r{0}: 1"),
    "ports": lambda size: ports(size, ", name: p@"),
    "ports without a protocol": lambda size: ports(size, ""),
    "ports of one number": lambda size: runtime("                  ports:\n" + lines(size, "                  - {{containerPort: 80, name: p{0}}}")),
    "volume mounts": lambda size: runtime("                  volumeMounts:\n" + lines(size, "                  - {{name: v{0}, mountPath: /m{0}}}")),
    "volumes": lambda size: runtime("                volumes:\n" + lines(size, "                - {{name: v{0}, emptyDir: {{}}}}")),
    "containers": lambda size: runtime(lines(size, "                - {{name: c{0}, image: x}}")),
    "init containers": lambda size: runtime("                initContainers:\n" + lines(size, "                - {{name: c{0}, image: x}}")),
    "tolerations": lambda size: runtime("                tolerations:\n" + lines(size, "                - {{key: k{0}, operator: Exists}}")),
    "jobs": replicated_jobs,
    "jobs that wait": lambda size: runtime(jobs="        dependsOn:\n" + lines(size, "        - {{name: j{0}, status: Ready}}")),
    "labels": lambda size: head().replace("spec:", "  labels:\n" + lines(size, "    l{0}: x") + "spec:"),
    "annotations": lambda size: head().replace("spec:", "  annotations:\n" + lines(size, "    example.com/a{0}: x") + "spec:"),
    "patches": patches,
    "volumes of a patch": lambda size: patched(size, "volumes", "{name: v@, emptyDir: {}}"),
    "init containers of a patch": lambda size: patched(size, "initContainers", "{name: c@, env: [{name: A, value: x}]}"),
    "tolerations of a patch": lambda size: patched(size, "tolerations", "{key: k@, operator: Exists}"),
    "env of a patch": lambda size: patched(1, "containers", f"{{name: side, env: {listed(size, '{name: V@, value: x}')}}}"),
    "mounts of a patch": lambda size: patched(1, "containers", f"{{name: node, volumeMounts: {listed(size, '{name: v@, mountPath: /m@}')}}}"),
    "unknown fields": lambda size: head() + lines(size, "  unknown{0}: x"),
    "unknown fields in a list": lambda size: head() + "  trainer:\n    env:\n" + lines(size, "    - {{name: V{0}, nothing: x}}"),
    "values of a wrong type": lambda size: head() + "  trainer:\n    env:\n" + lines(size, "    - {{name: {0}}}"),
    "keys given twice": lambda size: head() + "  trainer:\n    image: x\n" + lines(size, "    image: x{0}"),
    "depth": lambda size: head().replace("spec:", "spec:\n  unknown: " + "{a: " * size + "1" + "}" * size),
    "depth of a list": lambda size: "a: " + "[" * size + "]" * size + "\n",
    "depth of blocks": lambda size: "".join(" " * index + "a:\n" for index in range(min(size, 3000))),
    "length of a text": lambda size: head() + "  trainer:\n    image: " + "x" * size + "\n",
    "length of a block": lambda size: head() + "  trainer:\n    args:\n    - |\n" + lines(size, "      echo {0}"),
    "length of a quoted text": lambda size: head() + '  trainer:\n    args:\n    - "' + "\\n\\x41" * size + '"\n',
    "length of a comment": lambda size: "#" * size + "\n" + lines(size, "# {0}") + head(),
    "length of a flow": lambda size: head() + "  trainer: {args: [" + ", ".join(f"a{index}" for index in range(size)) + "]}\n",
    "digits of a quantity": lambda size: head() + f"  trainer:\n    resourcesPerNode:\n      requests:\n        cpu: '{'1' * size}'\n",
    "digits of a fraction": lambda size: head() + f"  trainer:\n    resourcesPerNode:\n      requests:\n        cpu: '0.{'1' * size}'\n",
    "digits of a number": lambda size: head() + f"  trainer:\n    numNodes: {'1' * size}\n",
    "aliases": lambda size: "a: &a {k: v}\nb:\n" + lines(size, "- *a"),
    "aliases in env": lambda size: "x-e: &e {name: V, value: x}\n" + head() + "  trainer:\n    env:\n" + lines(size, "    - *e"),
    "anchors": lambda size: "a:\n" + lines(size, "- &a{0} v") + "b:\n" + lines(size, "- *a{0}"),
    "merge keys": merges,
    "separators": lambda size: "---\n" * size + head(),
    "syntax errors": lambda size: "---\n".join(["a: [\n"] * size),
    "length of a path": lambda size: head() + "  trainer:\n    " + "k" * size + ": 1\n",
    "length of a name": lambda size: head("n" * size),
    "commas": lambda size: head() + "  trainer:\n    args: [" + "," * size + "]\n",
    "opening quotes": lambda size: head() + "  trainer:\n    image: '" + "''" * size + "\n",
}
