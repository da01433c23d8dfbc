"""Documents that are skipped although somebody may have hoped otherwise: the job kinds of the v1 training operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.diagnostics.codes.advice import V1_KIND
from jobset_compiler.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from jobset_compiler.source.document import Document

# Kind -> the field with its replicas, and the community runtime to begin with ("" where none is).
KINDS = {
    "PyTorchJob": ("pytorchReplicaSpecs", "torch-distributed"),
    "MPIJob": ("mpiReplicaSpecs", "deepspeed-distributed"),
    "JAXJob": ("jaxReplicaSpecs", "jax-distributed"),
    "XGBoostJob": ("xgbReplicaSpecs", "xgboost-distributed"),
    "TFJob": ("tfReplicaSpecs", ""),
    "PaddleJob": ("paddleReplicaSpecs", ""),
}
STAGE: Final = "advice"
GROUP = "kubeflow.org/"
# Replicas that are no nodes of the training.
NOT_NODES = ("Launcher", "PS", "Evaluator")


def advise_foreign(document: Document) -> Diagnostic | None:
    """What to write instead of a v1 job, as far as its replicas tell; None for any other document."""
    value = document.value
    if not isinstance(value, dict):
        return None
    kind, version = value.get("kind"), value.get("apiVersion")
    if not isinstance(kind, str) or kind not in KINDS or not isinstance(version, str) or not version.startswith(GROUP):
        return None
    field, runtime = KINDS[kind]
    spec = value.get("spec")
    spec = spec if isinstance(spec, dict) else {}
    trainer = _trainer(spec, spec.get(field))
    start = f"spec.runtimeRef.name: {runtime}" if runtime else "a runtime of your own, as there is no community runtime for it"
    hint = f"write a TrainJob with {start}" + (f" and spec.trainer: {{{trainer}}}" if trainer else "")
    meta = value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    subject = (kind, str(meta.get("namespace") or ""), str(meta.get("name") or ""))
    message = f"{kind} {version} belongs to the training operator v1: Kubeflow Trainer v2 does not read it"
    return Diagnostic(V1_KIND, message, document=document, at=("kind",), hint=hint, stage=STAGE, subject=subject)


def _trainer(spec: dict[str, Any], replicas: Any) -> str:
    """numNodes, numProcPerNode and image, taken over."""
    given: list[str] = []
    roles = {role: entry for role, entry in replicas.items() if isinstance(entry, dict) and role not in NOT_NODES} if isinstance(replicas, dict) else {}
    counts = [entry.get("replicas", 1) for entry in roles.values()]
    if counts and all(isinstance(count, int) for count in counts):
        given.append(f"numNodes: {sum(counts)}")
    processes = spec.get("nprocPerNode", spec.get("slotsPerWorker"))
    if isinstance(processes, str) and len(processes) < 10 and processes.isdecimal():
        processes = int(processes)
    if isinstance(processes, int) and not isinstance(processes, bool):
        given.append(f"numProcPerNode: {processes}")
    image = next((image for image in map(_image, roles.values()) if image), "")
    if image:
        given.append(f"image: {image}")
    return ", ".join(given)


def _image(entry: dict[str, Any]) -> str:
    tree: Any = entry
    for step in ("template", "spec", "containers"):
        tree = tree.get(step) if isinstance(tree, dict) else None
    first = tree[0] if isinstance(tree, list) and tree else None
    image = first.get("image") if isinstance(first, dict) else None
    return image if isinstance(image, str) else ""
