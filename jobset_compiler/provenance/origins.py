"""Where a field of an output object comes from: the pass that wrote it, the patch that merged it, the line of input.

Nothing is recorded during a compile but what each pass wrote; the rest is found again when somebody asks, by walking
the same way back: output -> passes -> patches -> runtime template -> schema default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.api.runtime import NODE, TRAINER
from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.addresses import Keyed, Path, Step
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.objects.jobset import SINGLE_REPLICA_ANCESTORS
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.passes.driver import Write
    from jobset_compiler.resolve.plan import Plan, PodSet
    from jobset_compiler.source.document import Document

Tree = dict[str, Any]
INPUT = "input"  # a line that somebody wrote
PATCH = "patch"  # an override of the TrainJob, merged over the template
PASS = "pass"  # a pass wrote it
CONTROLLER = "controller"  # the controller always writes it so
DEFAULT = "default"  # the API server or the Go types filled it in

WRITTEN_BY_CONTROLLER = "written by the controller into every object of this kind"
MARSHALLED = "no input has it: it comes from the schema's defaults or from how Go writes the type"


class Origin(NamedTuple):
    """kind: one of the constants above; by: name of the pass, builder or feature; path: in the document at file:line:column."""

    kind: str
    by: str
    note: str
    path: str = ""
    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        parts = [self.kind, self.by, place, self.path, self.note]
        return "  ".join(part for part in parts if part)


def origin_of(unit: Unit, manifest: Tree, address: str) -> tuple[Origin, ...]:
    """The chain of origins of the field at `address`, nearest first; KeyError where the object has no such field."""
    path = addresses.resolve(manifest, addresses.parse(address))
    if manifest["kind"] == "JobSet":
        return _of_jobset(unit, manifest, path)
    return _of_companion(unit, manifest, path)


def _at(document: Document, path: Path, kind: str, by: str, note: str) -> Origin:
    span = document.locate(path)
    return Origin(kind, by, note, format_path(path) if path else "", span.file, span.line, span.column)


def _has(document: Document, path: Path) -> bool:
    tree = document.value
    for step in path:
        if isinstance(tree, str):
            return False
        try:
            tree = tree[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _of_metadata(unit: Unit, path: Path, by: str) -> tuple[Origin, ...]:
    plan = unit.plan
    job = plan.job.document
    match path:
        case ("metadata", "name"):
            return (_at(job, ("metadata", "name"), INPUT, by, "named after the TrainJob"),)
        case ("metadata", "namespace"):
            if _has(job, ("metadata", "namespace")):
                return (_at(job, ("metadata", "namespace"), INPUT, by, "the TrainJob's namespace"),)
            return (Origin(DEFAULT, by, "the TrainJob names no namespace"),)
        case ("metadata", ("labels" | "annotations") as field, key):
            return _of_jobset_metadata(plan, field, str(key))
        case ("metadata", "ownerReferences", *rest):
            known: dict[Any, Path] = {"uid": ("metadata", "uid"), "name": ("metadata", "name")}
            source = known.get(rest[-1] if rest else "")
            if source and _has(job, source):
                return (_at(job, source, INPUT, by, "owner reference to the TrainJob"),)
    return (Origin(CONTROLLER, by, WRITTEN_BY_CONTROLLER),)


def _of_jobset_metadata(plan: Plan, field: str, key: str) -> tuple[Origin, ...]:
    chain = [
        _at(plan.job.document, (*patch.metadata_origin, field, key), PATCH, patch.manager, f"override of the JobSet's {field}")
        for patch in reversed(plan.job.patches)
        if key in getattr(patch, field)
    ]
    below = ("spec", "template", "metadata", field, key)
    if _has(plan.runtime.document, below):
        chain.append(_at(plan.runtime.document, below, INPUT, plan.runtime.name, "the runtime's template"))
    return tuple(chain)


def _of_companion(unit: Unit, manifest: Tree, path: Path) -> tuple[Origin, ...]:
    """Objects beside the JobSet: made as a whole by one builder."""
    builder = f"{manifest['kind']} {manifest['metadata']['name']}"
    if path[:1] == ("metadata",):
        return _of_metadata(unit, path, builder)
    plan = unit.plan
    policy = "podGroupPolicy" if manifest["kind"] == "PodGroup" else "mlPolicy"
    because = ("spec", policy)
    if _has(plan.runtime.document, because):
        return (
            Origin(CONTROLLER, builder, "computed from the Plan"),
            _at(plan.runtime.document, because, INPUT, plan.runtime.name, "the policy that asks for it"),
        )
    return (Origin(CONTROLLER, builder, "computed from the Plan"),)


def _of_jobset(unit: Unit, manifest: Tree, path: Path) -> tuple[Origin, ...]:
    plan = unit.plan
    match path:
        case ("metadata", *_):
            return _of_metadata(unit, path, "jobset")
        case ("spec", "suspend"):
            job = plan.job.document
            if _has(job, path):
                return (_at(job, path, INPUT, "jobset", "the TrainJob's suspend"),)
            return (Origin(DEFAULT, "jobset", "spec.suspend of the TrainJob is false by default"),)
        case ("spec", "replicatedJobs", int(index), *_):
            return _of_replicated_job(unit, manifest, path, plan.pod_sets[index])
        case ("spec", *_):
            return _of_template(plan, manifest, path, None)
    return (Origin(CONTROLLER, "jobset", WRITTEN_BY_CONTROLLER),)


def _of_replicated_job(unit: Unit, manifest: Tree, path: Path, pods: PodSet) -> tuple[Origin, ...]:
    plan = unit.plan
    below = path[3:]
    if below == ("replicas",) and pods.ancestor in SINGLE_REPLICA_ANCESTORS:
        always = Origin(CONTROLLER, "jobset", f"a job with the ancestor {pods.ancestor} always has one replica")
        return (always, *_of_template(plan, manifest, path, pods, only_if_present=True))
    if below in (("template", "spec", "parallelism"), ("template", "spec", "completions")):
        return _of_count(unit, pods)
    write = _written(unit, manifest, path, pods)
    if write is not None:
        return (*_of_write(unit, write, path), *_of_template(plan, manifest, path, pods, only_if_present=True))
    merged = _of_merged_resources(unit, manifest, path, pods)
    return (*merged, *_of_template(plan, manifest, path, pods, only_if_present=bool(merged)))


def _of_count(unit: Unit, pods: PodSet) -> tuple[Origin, ...]:
    write = next((w for w in unit.writes if w.slot == ("count", pods.name)), None)
    if write is not None:
        return _of_write(unit, write, ())
    runtime = unit.plan.runtime.document
    index = _index_of_job(unit.plan, pods.name)
    places: tuple[tuple[Path, str], ...] = ()
    if pods.ancestor == TRAINER and unit.plan.policy is not None:
        places = ((("spec", "mlPolicy", "numNodes"), "numNodes of the runtime"),)
    elif index is not None:
        places = ((("spec", "template", "spec", "replicatedJobs", index, "template", "spec", "parallelism"), "parallelism of the runtime"),)
    for place, note in places:
        if _has(runtime, place):
            return (_at(runtime, place, INPUT, unit.plan.runtime.name, note),)
    return (Origin(DEFAULT, "jobset", "one pod where nothing says otherwise"),)


def _of_write(unit: Unit, write: Write, path: Path) -> tuple[Origin, ...]:
    feature = _feature(unit.plan, write)
    chain = [Origin(PASS, write.pass_name, f"feature {feature}" if feature else "written by the pass")]
    if write.slot[0] in ("command", "args"):
        rewritten = [w for w in unit.writes if w.slot == ("trainer",)]
        chain += [Origin(PASS, w.pass_name, "rewrote what the TrainJob brings") for w in rewritten]
    job = unit.plan.job.document
    if write.because and _has(job, write.because):
        # As deep as the input goes along: command[1] comes from the second item of spec.trainer.command.
        exact = next((deep for deep in (write.because + path[start:] for start in range(9, len(path))) if _has(job, deep)), write.because)
        chain.append(_at(job, exact, INPUT, "", "on account of this"))
    return tuple(chain)


def _feature(plan: Plan, write: Write) -> str:
    """The feature that decided a value, where releases differ."""
    candidates = {
        "PET_NPROC_PER_NODE": (features.NPROC_FROM_EACH_LIST, features.NPROC_FROM_REQUESTS_THEN_LIMITS),
        "resources": (features.RESOURCES_REPLACED,),
    }
    for key in (write.slot[0], write.slot[-1]):
        for feature in candidates.get(key, ()):
            if plan.profile.has(feature):
                return feature.slug
    return ""


def _written(unit: Unit, manifest: Tree, path: Path, pods: PodSet) -> Write | None:
    """What a pass wrote at that place, if one did."""
    steps = addresses.keyed(manifest, path)[5:]
    slot = _slot(steps[1:], pods) if path[3:5] == ("template", "spec") and steps[:1] == ("template",) else None
    if slot is None:
        return None
    return next((write for write in unit.writes if write.slot[: len(slot)] == slot), None)


def _slot(steps: tuple[Step, ...], pods: PodSet) -> tuple[str, ...] | None:
    """The slot of an address below the pod template: see passes.apply.slot_of."""
    match steps:
        case ("metadata", "labels", str(key), *_):
            return ("podLabel", key)
        case ("metadata", "annotations", str(key), *_):
            return ("podAnnotation", key)
        case ("spec", "volumes", Keyed("name", name), *_):
            return ("volume", pods.name, name)
        case ("spec", ("containers" | "initContainers") as kind, Keyed("name", container), *rest):
            return _container_slot(rest, pods.name, container, init=kind == "initContainers")
    return None


def _container_slot(steps: list[Step], pods: str, container: str, *, init: bool) -> tuple[str, ...] | None:
    match steps:
        case ["env", Keyed("name", name), *_]:
            return ("env", pods, "init" if init else "", container, name)
        case _ if init:
            return ("initContainer", pods, container)
        case ["ports", Keyed("containerPort", port), *_]:
            return ("port", pods, container, port)
        case ["ports", Keyed("name", _) | int(), *_]:
            return ("port", pods, container)
        case ["volumeMounts", Keyed("mountPath", path), *_]:
            return ("mount", pods, container, path)
        case [("image" | "command" | "args" | "resources" | "envFrom") as field, *_]:
            return (field, pods, container)
    return None


def _of_merged_resources(unit: Unit, manifest: Tree, path: Path, pods: PodSet) -> tuple[Origin, ...]:
    """resourcesPerNode, where the release merges it into the template."""
    plan = unit.plan
    wanted = plan.job.trainer.resources_per_node if plan.job.trainer else None
    steps = addresses.keyed(manifest, path)[5:]
    match steps:
        case ("template", "spec", "containers", Keyed("name", container), "resources", str(kind), str(name)) if (
            wanted and container == NODE and name in wanted.get(kind, {}) and plan.profile.has(features.RESOURCES_MERGED) and plan.policy is not None
        ):
            launcher_is_node = plan.policy.mpi is not None and plan.policy.mpi.run_launcher_as_node
            if pods.ancestor == TRAINER or (launcher_is_node and pods.name == NODE):
                where = ("spec", "trainer", "resourcesPerNode", kind, name)
                return (_at(plan.job.document, where, INPUT, "resolve", f"feature {features.RESOURCES_MERGED.slug}"),)
    return ()


def _index_of_job(plan: Plan, name: str) -> int | None:
    jobs = plan.runtime.template.get("replicatedJobs", ())
    return next((index for index, job in enumerate(jobs) if job["name"] == name), None)


def _of_template(plan: Plan, manifest: Tree, path: Path, pods: PodSet | None, *, only_if_present: bool = False) -> tuple[Origin, ...]:
    """Patches that say something about the field, the last one first, then the runtime's own line, else the default."""
    chain: list[Origin] = []
    steps = addresses.keyed(manifest, path)
    if pods is not None and steps[3:4] == ("template",):
        for patch in reversed(plan.job.patches):
            for job in patch.jobs:
                if job.job == pods.name and job.template is not None:
                    found = _find(job.template, steps[4:])
                    if found is not None:
                        where = (*job.origin, *found[len(job.at) :])
                        chain.append(_at(plan.job.document, where, PATCH, patch.manager, "merged over the runtime's template"))
    runtime = plan.runtime.document
    source = runtime.value.get("spec", {}).get("template", {}) if isinstance(runtime.value, dict) else {}
    found = _find(source, steps)
    if found is not None:
        chain.append(_at(runtime, ("spec", "template", *found), INPUT, plan.runtime.name, "the runtime's template"))
    elif not chain and not only_if_present:
        chain.append(Origin(DEFAULT, "", MARSHALLED))
    return tuple(chain)


def _find(tree: Any, steps: tuple[Step, ...]) -> Path | None:
    try:
        return addresses.resolve(tree, steps)
    except KeyError:
        return None
