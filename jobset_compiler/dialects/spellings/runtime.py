"""A runtime in the words of a release: torch.numProcPerNode and torch.elasticPolicy, and the volume of the initialisers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER
from jobset_compiler.dialects.notes import Notes, in_runtime
from jobset_compiler.dialects.results import Converted
from jobset_compiler.dialects.settled import outputs_of
from jobset_compiler.dialects.spellings.processes import AUTO, CPU, FIELD, GPU, as_number, has_gpus
from jobset_compiler.dialects.tree import At, Carried, Made, get, items, parts
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

TORCH: Path = ("spec", "mlPolicy", "torch")
JOBS: Path = ("spec", "template", "spec", "replicatedJobs")
VOLUME = "initializer"
WORKSPACE = "/workspace"


def processes_of(runtime: Any) -> int | None:
    """The number of processes that a runtime says, where it is a number."""
    return as_number(get(runtime, *TORCH, FIELD))


def respell_runtime(document: Document, target: Target, users: list[str]) -> Converted:
    """What becomes of a runtime; users: the TrainJobs of the input that take their number of processes from it, by name."""
    notes = Notes(document)
    value = document.value
    spec = parts(value, ("spec",))
    changed = False
    torch = get(value, *TORCH)
    if isinstance(torch, dict) and not target.has_runtime_processes:
        gone = [field for field in (FIELD, "elasticPolicy") if field in torch]
        if gone:
            changed = True
            _about_torch(document, torch, users, notes)
            policy = {**parts(value, TORCH[:-1]), "torch": At(TORCH, parts(value, TORCH, *gone))}
            spec["mlPolicy"] = At(TORCH[:-1], policy)
    elif isinstance(torch, dict) and isinstance(torch.get(FIELD), str) and as_number(torch[FIELD]) is not None:
        changed = True
        number = Made(as_number(torch[FIELD]), (*TORCH, FIELD))
        spec["mlPolicy"] = At(TORCH[:-1], {**parts(value, TORCH[:-1]), "torch": At(TORCH, {**parts(value, TORCH), FIELD: number})})
    if target.profile.has(features.INITIALIZER_MOUNT_CHECKED):
        jobs = [_with_mount(document, (*JOBS, index), notes) for index in range(len(items(value, JOBS)))]
        if any(not isinstance(job, Carried) for job in jobs):
            changed = True
            template = At(JOBS[:-1], {**parts(value, JOBS[:-1]), "replicatedJobs": At(JOBS, jobs)})
            spec["template"] = At(JOBS[:-2], {**parts(value, JOBS[:-2]), "spec": template})
    if not changed:
        return Converted(document)
    whole = At((), {**parts(value, ()), "spec": At(("spec",), spec)})
    return Converted(document, outputs_of(document, [whole], notes, respelt=True), tuple(notes.diagnostics))


def _about_torch(document: Document, torch: dict[str, Any], users: list[str], notes: Notes) -> None:
    where = in_runtime(*TORCH)
    given = torch.get(FIELD)
    at = (*TORCH, FIELD)
    number = as_number(given)
    if number is not None:
        told = f"it is written into {', '.join(users)}" if users else "no TrainJob of the input takes it from here"
        hint = f"write spec.trainer.{FIELD}: {number} into every other TrainJob that uses it"
        notes.moved(at, f"{FIELD}: {number} is said by each TrainJob now: {told}", where, hint)
    elif given == GPU and not _declares_gpus(document):
        notes.processes(at, f"{FIELD} gpu: the controller counts the GPUs of the resources, and the runtime declares none", where, "declare nvidia.com/gpu")
    elif given == CPU and _declares_gpus(document):
        notes.works_otherwise(at, f"{FIELD} cpu: where GPUs are declared the controller counts them; nothing says otherwise", where)
    elif given not in (None, AUTO, GPU, CPU):
        notes.refused(at, f"{FIELD} is auto, cpu, gpu or a number, not {given!r}")
    elastic = torch.get("elasticPolicy")
    if elastic is not None:
        notes.elastic((*TORCH, "elasticPolicy"), "elasticPolicy did nothing in any release and is gone: no release of Trainer v2 scales a job", where)
        if get(elastic, "metrics"):
            notes.elastic((*TORCH, "elasticPolicy", "metrics"), "elasticPolicy.metrics: no HorizontalPodAutoscaler can target a JobSet", where)


def _declares_gpus(document: Document) -> bool:
    for job in get(document.value, *JOBS) or ():
        containers = get(job, "template", "spec", "template", "spec", "containers")
        if any(has_gpus(get(container, "resources")) for container in (containers if isinstance(containers, list) else ())):
            return True
    return False


def _with_mount(document: Document, path: Path, notes: Notes) -> Any:
    """An initialiser's job whose one volume below /workspace is called as the release wants it; any other job as it is.

    Names of volumes are the pod's own, so that renaming one changes nothing else; one of volumeClaimPolicies is left alone.
    """
    value = document.value
    name = get(value, *path, "name")
    pod = (*path, "template", "spec", "template", "spec")
    containers = get(value, *pod, "containers")
    if name not in (DATASET_INITIALIZER, MODEL_INITIALIZER) or not isinstance(containers, list):
        return Carried(path)
    mounts = [mount for container in containers if get(container, "name") == name for mount in get(container, "volumeMounts") or ()]
    volumes = [get(volume, "name") for volume in get(value, *pod, "volumes") or ()]
    old = {get(mount, "name") for mount in mounts if str(get(mount, "mountPath")).startswith(WORKSPACE)}
    if len(old) != 1 or VOLUME in volumes or VOLUME in {get(mount, "name") for mount in mounts} or not old <= set(volumes):
        return Carried(path)
    (former,) = old
    where = in_runtime(*pod, "volumes", volumes.index(former))
    notes.remark(where, f"called {former} before: the webhook wants an initialiser to mount a volume of this name", inline=False)
    spec = parts(value, pod)
    spec["volumes"] = At((*pod, "volumes"), [_renamed(value, (*pod, "volumes", index), former) for index in range(len(volumes))])
    for kind in ("containers", "initContainers"):
        if kind in spec:
            spec[kind] = At((*pod, kind), [_remounted(value, (*pod, kind, index), former) for index in range(len(items(value, (*pod, kind))))])
    return _nested(value, path, ("template", "spec", "template", "spec"), At(pod, spec))


def _renamed(value: Any, path: Path, former: str) -> Any:
    if get(value, *path, "name") != former:
        return Carried(path)
    return At(path, {**parts(value, path), "name": Made(VOLUME, (*path, "name"))})


def _remounted(value: Any, path: Path, former: str) -> Any:
    at = (*path, "volumeMounts")
    mounts = items(value, at)
    if not any(get(value, *at, index, "name") == former for index in range(len(mounts))):
        return Carried(path)
    return At(path, {**parts(value, path), "volumeMounts": At(at, [_renamed(value, (*at, index), former) for index in range(len(mounts))])})


def _nested(value: Any, path: Path, steps: tuple[str, ...], inner: At) -> At:
    """The mapping at `path` with `inner` in the place of what is at `steps` below it."""
    if not steps:
        return inner
    return At(path, {**parts(value, path), steps[0]: _nested(value, (*path, steps[0]), steps[1:], inner)})
