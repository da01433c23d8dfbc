"""A runtime of OME as one of Trainer, in the words of v2.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.api.runtime import ANCESTOR_LABEL, LAUNCHER, NODE, TRAINER
from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.dialects.exported import members
from jobset_compiler.dialects.notes import in_runtime
from jobset_compiler.dialects.ome.elastic import BACKEND, Elastic, elastic_of, processes_text, with_rendezvous
from jobset_compiler.dialects.ome.gang import gang_of
from jobset_compiler.dialects.ome.policies import policy_of
from jobset_compiler.dialects.ome.roles import CONTAINERS, INITIALIZER, JOBS, POD, container_of, is_labelled, jobs_of, trainer_of
from jobset_compiler.dialects.ome.words import about_words
from jobset_compiler.dialects.preview.initializers import STEPS, split_initializer
from jobset_compiler.dialects.references import renamed_dependencies, renamed_policies
from jobset_compiler.dialects.spellings.processes import AUTO, FIELD
from jobset_compiler.dialects.tree import At, Carried, Made, get, parts

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

# Members of the spec that no controller ever rendered.
UNRENDERED = ("labels", "annotations", "compartmentID")


class OmeRuntime(NamedTuple):
    """A runtime that was understood. trainer, launcher: indexes of jobs, -1 for none; containers: of these two the index of the one that works."""

    document: Document
    trainer: int
    launcher: int
    containers: tuple[int, int]
    elastic: Elastic | None

    @property
    def value(self) -> Any:
        return self.document.value

    @property
    def name(self) -> str:
        return str(get(self.value, "metadata", "name"))

    @property
    def initializers(self) -> tuple[str, ...]:
        """The initialisers that it has, as jobs or as init containers."""
        found: set[str] = set()
        for job in jobs_of(self.value):
            inits = get(job, *POD, "initContainers")
            within = {get(each, "name") for each in inits} if get(job, "name") == INITIALIZER and isinstance(inits, list) else set()
            found |= {str(name) for name in (get(job, "name"), *within) if name in STEPS}
        return tuple(name for name in STEPS if name in found)

    def renames(self, initializers: list[str]) -> dict[str, list[str]]:
        """What its jobs are called now; initializers: the jobs that took the place of `initializer`."""
        return {str(get(self.value, *JOBS, self.trainer, "name")): [NODE], **({INITIALIZER: initializers} if initializers else {})}


def read_runtime(document: Document, notes: Notes) -> OmeRuntime | None:
    """The runtime of a document; None where it is refused, which is noted."""
    value = document.value
    if not isinstance(get(value, "spec", "template", "spec"), dict):
        notes.refused(("spec",), "spec.template: Required value")
        return None
    trainer = trainer_of(value, notes)
    if trainer < 0:
        return None
    names = [get(job, "name") for job in jobs_of(value)]
    launcher = names.index(LAUNCHER) if LAUNCHER in names else -1
    trains = container_of(value, trainer, CONTAINERS, notes)
    launches = container_of(value, launcher, ("mpi-launcher", *CONTAINERS), notes) if launcher >= 0 else -1
    if notes.failed:
        return None
    return OmeRuntime(document, trainer, launcher, (trains, launches), elastic_of(value, notes))


def convert_runtime(runtime: OmeRuntime, target: Target, notes: Notes) -> At:
    """The tree of the runtime."""
    value = runtime.value
    policy = policy_of(runtime.document, runtime.trainer, runtime.launcher, runtime.elastic, target, notes)
    gang = gang_of(runtime.document, runtime.trainer, notes)
    spec: dict[str, Any] = {"mlPolicy": policy} if policy is not None else {}
    if gang.policy is not None:
        spec["podGroupPolicy"] = gang.policy
    _unrendered(runtime, notes)
    jobset = _jobset(runtime, gang.pod, notes)
    template: dict[str, Any] = parts(value, ("spec", "template"))
    if gang.annotations:
        at = ("spec", "template", "metadata")
        annotations = {**parts(value, (*at, "annotations")), **gang.annotations}
        metadata = {**parts(value, at), "annotations": annotations}
        template = {"metadata": At(at, metadata) if get(value, *at) is not None else metadata, **parts(value, ("spec", "template"), "metadata")}
    spec["template"] = At(("spec", "template"), {**template, "spec": jobset})
    ordered = {key: spec[key] for key in ("mlPolicy", "podGroupPolicy", "template") if key in spec}
    return At((), {**members(value), "apiVersion": Made(API_VERSION, ("apiVersion",)), "spec": At(("spec",), ordered)})


def _unrendered(runtime: OmeRuntime, notes: Notes) -> None:
    for field in UNRENDERED:
        if get(runtime.value, "spec", field) is not None:
            notes.not_carried(("spec", field), f"spec.{field} of a runtime was never rendered", in_runtime("spec"))


def _jobset(runtime: OmeRuntime, pod: dict[str, Any], notes: Notes) -> At:
    value = runtime.value
    at = JOBS[:-1]
    jobset = parts(value, at)
    jobs: list[Any] = []
    initializers: list[str] = []
    order = sorted(range(len(jobs_of(value))), key=lambda index: get(value, *JOBS, index, "name") != INITIALIZER)
    for index in order:
        path = (*JOBS, index)
        if get(value, *path, "name") == INITIALIZER and runtime.initializers:
            split = split_initializer(runtime.document, path, len(jobs), notes)
            initializers += [name for name, _ in split]
            jobs += [tree for _, tree in split]
        elif index in (runtime.trainer, runtime.launcher):
            if index == runtime.trainer:
                _about_trainer(runtime, (*JOBS, len(jobs)), notes)
            jobs.append(_job(runtime, index, pod if index == runtime.trainer else {}, initializers))
        else:
            jobs.append(_labelled(runtime, path, initializers))
    jobset["replicatedJobs"] = At(JOBS, jobs)
    if initializers and get(value, *at, "startupPolicy") is not None:
        del jobset["startupPolicy"]
        notes.not_carried((*at, "startupPolicy"), "startupPolicy InOrder is said by dependsOn now", in_runtime(*JOBS))
    jobset |= renamed_policies(value, at, runtime.renames(initializers))
    if runtime.launcher >= 0 and get(value, "spec", "mlPolicy", "mpi") is not None and "successPolicy" not in jobset:
        jobset = {"successPolicy": Made({"operator": "All", "targetReplicatedJobs": [LAUNCHER]}, (*JOBS, runtime.launcher)), **jobset}
        notes.remark(in_runtime(*at, "successPolicy"), "sshd on the nodes never ends by itself", inline=False)
    elastic = runtime.elastic
    if elastic is not None and elastic.restarts is not None:
        failure = (*at, "failurePolicy")
        given = get(value, *failure, "maxRestarts")
        if given is None:
            policy = {**parts(value, failure), "maxRestarts": Made(elastic.restarts, elastic.path)}
            jobset = {"failurePolicy": At(failure, policy) if get(value, *failure) is not None else Made(policy, elastic.path), **jobset}
        elif given != elastic.restarts:
            message = f"failurePolicy.maxRestarts is {given}, elasticPolicy.maxRestarts {elastic.restarts}: the first one counts for the JobSet"
            notes.works_otherwise((*failure, "maxRestarts"), message, in_runtime(*failure, "maxRestarts"))
    return At(at, jobset)


def _about_trainer(runtime: OmeRuntime, new: Path, notes: Notes) -> None:
    """How it was found, and what its command says by itself; new: where the job stands in the written runtime."""
    value, old = runtime.value, (*JOBS, runtime.trainer)
    name = get(value, *old, "name")
    if name != NODE and not is_labelled(get(value, *old)):
        notes.remark(in_runtime(*new), f"{name} is taken for the job that trains", inline=False)
    torch = get(value, "spec", "mlPolicy", "torch")
    if isinstance(torch, dict):
        container = (*POD, "containers", runtime.containers[0])
        nodes, elastic = get(value, "spec", "mlPolicy", "numNodes"), runtime.elastic
        processes = processes_text(str(torch.get(FIELD) or AUTO), get(value, *old, *container, "resources"))
        variables = {"PET_NPROC_PER_NODE": processes}
        if elastic is not None:
            variables |= {"PET_NNODES": f"{elastic.least}:{elastic.most}", "PET_RDZV_BACKEND": BACKEND}
            variables |= {} if elastic.restarts is None else {"PET_MAX_RESTARTS": str(elastic.restarts)}
        elif isinstance(nodes, int):
            variables["PET_NNODES"] = str(nodes)
        about_words(value, (*old, *container), (*new, *container), variables, notes)


def _job(runtime: OmeRuntime, index: int, pod: dict[str, Any], initializers: list[str]) -> At:
    """The trainer or the launcher under today's names."""
    value = runtime.value
    path = (*JOBS, index)
    is_trainer = index == runtime.trainer
    works = runtime.containers[0 if is_trainer else 1]
    at = (*path, *POD)
    containers: list[Any] = []
    for position in range(len(get(value, *at, "containers"))):
        where = (*at, "containers", position)
        if position != works:
            containers.append(Carried(where))
            continue
        name = Carried((*where, "name")) if get(value, *where, "name") == NODE else Made(NODE, (*where, "name"))
        container = {**parts(value, where), "name": name}
        if is_trainer and runtime.elastic is not None:
            container = with_rendezvous(value, where, container, runtime.elastic)
        containers.append(At(where, container))
    spec = {**pod, **parts(value, at), "containers": At((*at, "containers"), containers)}
    template = At(at[:-1], {**parts(value, at[:-1]), "spec": At(at, spec)})
    job = At(at[:-2], {**parts(value, at[:-2]), "template": template})
    head: dict[str, Any] = {"name": Made(NODE, (*path, "name")) if is_trainer else Carried((*path, "name"))}
    if is_trainer and initializers:
        head["dependsOn"] = Made([{"name": initializers[-1], "status": "Complete"}], path)
    wrapped: dict[str, Any] = parts(value, (*path, "template"))
    if is_trainer:
        wrapped = {"metadata": _metadata(value, (*path, "template", "metadata"), TRAINER, path), **parts(value, (*path, "template"), "metadata")}
    rest = {**parts(value, path, "name", "template"), **renamed_dependencies(value, path, runtime.renames(initializers))}
    return At(path, {**head, **rest, "template": At((*path, "template"), {**wrapped, "spec": job})})


def _labelled(runtime: OmeRuntime, path: Path, initializers: list[str]) -> Any:
    """An initialiser that is a job of its own already gets the label that Trainer looks for; other jobs stay as they are."""
    value = runtime.value
    name = get(value, *path, "name")
    waits = renamed_dependencies(value, path, runtime.renames(initializers))
    if name not in STEPS or get(value, *path, "template", "metadata", "labels", ANCESTOR_LABEL) is not None:
        return At(path, {**parts(value, path), **waits}) if waits else Carried(path)
    at = (*path, "template")
    template = {"metadata": _metadata(value, (*at, "metadata"), str(name), path), **parts(value, at, "metadata")}
    return At(path, {**parts(value, path), **waits, "template": At(at, template)})


def _metadata(value: Any, at: Path, step: str, because: Path) -> Any:
    labels = {**parts(value, (*at, "labels")), ANCESTOR_LABEL: Made(step, because)}
    metadata = {**parts(value, at), "labels": labels}
    return At(at, metadata) if get(value, *at) is not None else Made(metadata, because)
