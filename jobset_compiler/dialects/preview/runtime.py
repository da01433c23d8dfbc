"""A runtime of the preview in the words of v2.0: jobs and containers get today's names, initialisers jobs of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import ANCESTOR_LABEL, DATASET_INITIALIZER, MODEL_INITIALIZER, NODE
from jobset_compiler.api.runtime import TRAINER as TRAINER_STEP
from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.dialects.exported import members, metadata
from jobset_compiler.dialects.notes import in_runtime
from jobset_compiler.dialects.preview.initializers import split_initializer
from jobset_compiler.dialects.preview.words import FRAMEWORK_LABEL, INITIALIZER_JOB, JOBS, PHASE_LABEL, POD, TRAINER, TRAINER_JOB
from jobset_compiler.dialects.references import renamed_dependencies, renamed_policies
from jobset_compiler.dialects.tree import At, Carried, Made, get, parts

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.source.document import Document

POLICY: Path = ("spec", "mlPolicy")
WORDS = ("auto", "cpu", "gpu")


def convert_runtime(document: Document, notes: Notes) -> At:
    """The tree of the runtime."""
    value = document.value
    spec = parts(value, ("spec",))
    policy = _policy(document, notes)
    if policy is not None:
        spec["mlPolicy"] = policy
    jobset = parts(value, JOBS[:-1])
    names = [get(job, "name") for job in get(value, *JOBS) or ()]
    if names.count(TRAINER_JOB) > 1:
        second = len(names) - 1 - names[::-1].index(TRAINER_JOB)
        notes.no_equivalent((*JOBS, second), f"two replicatedJobs are called {TRAINER_JOB}: one of them trains", "keep one")
    jobs: list[Any] = []
    initializers: list[str] = []
    # A job can only wait for one that stands before it.
    for index in sorted(range(len(names)), key=lambda index: names[index] != INITIALIZER_JOB):
        name, path = names[index], (*JOBS, index)
        if name == INITIALIZER_JOB and _has_initializers(value, path):
            split = split_initializer(document, path, len(jobs), notes)
            initializers += [new for new, _ in split]
            jobs += [tree for _, tree in split]
        elif name == TRAINER_JOB:
            jobs.append(_trainer(document, path, initializers, notes, len(jobs)))
        else:
            jobs.append(At(path, {**parts(value, path), **waits}) if (waits := renamed_dependencies(value, path, {TRAINER_JOB: (NODE,)})) else Carried(path))
    if names:
        jobset["replicatedJobs"] = At(JOBS, jobs)
    if initializers and get(value, *JOBS[:-1], "startupPolicy", "startupPolicyOrder") == "InOrder":
        del jobset["startupPolicy"]
        message = "startupPolicy InOrder is said by dependsOn now"
        notes.not_carried((*JOBS[:-1], "startupPolicy"), message, in_runtime(*JOBS))
    jobset |= renamed_policies(value, JOBS[:-1], {TRAINER_JOB: (NODE,), INITIALIZER_JOB: initializers})
    if get(value, *JOBS[:-1]) is not None:
        spec["template"] = At(("spec", "template"), {**parts(value, ("spec", "template")), "spec": At(JOBS[:-1], jobset)})
    tree = {**members(value), "apiVersion": Made(API_VERSION, ("apiVersion",)), "spec": At(("spec",), spec)}
    labels = _labels(value)
    if labels is not None:
        tree["metadata"] = At(("metadata",), {**metadata(value), "labels": labels})
    return At((), tree)


def _labels(value: Any) -> Any:
    """The label of the phase gives way to that of the framework."""
    at = ("metadata", "labels")
    if get(value, *at, PHASE_LABEL) is None:
        return None
    labels = parts(value, at, PHASE_LABEL)
    framework = next((name for name in ("torch", "mpi") if get(value, *POLICY, name) is not None), "")
    if framework and FRAMEWORK_LABEL not in labels:
        labels[FRAMEWORK_LABEL] = Made(framework, (*at, PHASE_LABEL))
    return At(at, labels)


def _policy(document: Document, notes: Notes) -> At | None:
    policy = get(document.value, *POLICY)
    if not isinstance(policy, dict):
        return None
    torch, mpi = policy.get("torch"), policy.get("mpi")
    if torch is not None and mpi is not None:
        notes.no_equivalent(POLICY, "mlPolicy has both torch and mpi: only one of them can be configured", "keep the one that the image is made for")
    if mpi is not None:
        message = "mlPolicy.mpi did nothing in the preview; now it makes SSH keys and a host file, and counts nodes"
        notes.now_effective((*POLICY, "mpi"), message, in_runtime(*POLICY, "mpi"))
    tree = parts(document.value, POLICY)
    if isinstance(torch, dict):
        at = (*POLICY, "torch")
        processes = torch.get("numProcPerNode")
        if isinstance(processes, str) and processes not in WORDS and not processes.isdecimal():
            notes.refused((*at, "numProcPerNode"), f"numProcPerNode is auto, cpu, gpu or a number, not {processes!r}")
        if torch.get("elasticPolicy") is not None:
            message = "elasticPolicy did nothing in the preview and is gone: no release of Trainer v2 scales a job"
            notes.elastic((*at, "elasticPolicy"), message, in_runtime(*at))
            tree["torch"] = At(at, parts(document.value, at, "elasticPolicy"))
    return At(POLICY, tree)


def _has_initializers(value: Any, path: Path) -> bool:
    names = {get(container, "name") for container in get(value, *path, *POD, "initContainers") or ()}
    return bool(names & {DATASET_INITIALIZER, MODEL_INITIALIZER})


def _trainer(document: Document, path: Path, initializers: list[str], notes: Notes, index: int) -> At:
    """The job that trains, behind the initialisers: through 2.0 a job may wait for one other only, so that they form a chain."""
    value = document.value
    pod = (*path, *POD)
    containers: list[Any] = []
    for position, container in enumerate(get(value, *pod, "containers") or ()):
        at = (*pod, "containers", position)
        renamed = {**parts(value, at), "name": Made(NODE, (*at, "name"))}
        containers.append(At(at, renamed) if get(container, "name") == TRAINER else Carried(at))
    spec = {**parts(value, pod), "containers": At((*pod, "containers"), containers)}
    template = At(pod[:-1], {**parts(value, pod[:-1]), "spec": At(pod, spec)})
    if get(value, *pod[:-1], "metadata", "labels"):
        message = "the preview lost the labels of pods; they are there now"
        notes.now_effective((*pod[:-1], "metadata", "labels"), message, in_runtime(*JOBS, index, *POD[:-1], "metadata", "labels"))
    job = At(pod[:-2], {**parts(value, pod[:-2]), "template": template})
    labelled = {"metadata": labels_of(value, (*path, "template"), TRAINER_STEP), **parts(value, (*path, "template"), "metadata"), "spec": job}
    tree = {"name": Made(NODE, (*path, "name"))}
    if initializers:
        tree["dependsOn"] = Made([{"name": initializers[-1], "status": "Complete"}], path)
    return At(path, {**tree, **parts(value, path, "name", "template"), "template": At((*path, "template"), labelled)})


def labels_of(value: Any, template: Path, step: str) -> Any:
    """metadata of a Job template with the label that says which step of the training it is."""
    at = (*template, "metadata")
    labels = {**parts(value, (*at, "labels")), ANCESTOR_LABEL: Made(step, template[:-1])}
    metadata = {**parts(value, at), "labels": labels}
    return At(at, metadata) if get(value, *at) is not None else Made(metadata, template[:-1])
