"""What stands behind a field of an output object, the nearest first: the one walk that everything else here is a view of.

It reads what was recorded: the Plan's `record` of its template (merges, resourcesPerNode) and `writes` (what each pass wrote on account
of which input). Nothing is compared with the input to guess where it came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.api.runtime import TRAINER
from jobset_compiler.objects.jobset import SINGLE_REPLICA_ANCESTORS, counted_by
from jobset_compiler.passes.edits import AddObject, slots_around
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.resolve.record import OfCount, OfFeature, OfMetadata, OfRuntime, OfTemplate, Parts, Several

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.passes.container_edits import Slot
    from jobset_compiler.resolve.plan import Plan, PodSet
    from jobset_compiler.resolve.record import Because, Write
    from jobset_compiler.source.document import Document

Tree = dict[str, Any]
INPUT = "input"  # a line that somebody wrote
PATCH = "patch"  # an override of the TrainJob, merged over the template
PASS = "pass"  # a pass wrote it
CONTROLLER = "controller"  # the controller always writes it so
DEFAULT = "default"  # the API server or the Go types filled it in

WRITTEN_BY_CONTROLLER = "written by the controller into every object of this kind"
WRITTEN_BY_PASS = "written by the pass"
MARSHALLED = "no input has it: it comes from the schema's defaults or from how Go writes the type"
ON_ACCOUNT = "on account of this"

KINDS_OF_BECAUSE = (OfCount, OfFeature, OfMetadata, OfRuntime, OfTemplate, Parts, Several)

POD_TEMPLATE = ("template", "spec", "template")
# What a pass may rewrite of the TrainJob before it is folded into the containers, in the order of RewriteTrainer.
REWRITTEN = (("command",), ("args",))
COUNTS = (("template", "spec", "parallelism"), ("template", "spec", "completions"))


class Layer(NamedTuple):
    """kind: one of the constants above; by: name of the pass, builder or override; path: in `document`, where there is one."""

    kind: str
    by: str
    note: str
    document: Document | None = None
    path: Path = ()


def layers_of(plan: Plan, manifest: Tree, path: Path) -> tuple[Layer, ...]:
    """The layers of what `manifest`, an object made from the finished Plan, has at `path`."""
    if manifest["kind"] == "JobSet":
        return _of_jobset(plan, manifest, path)
    return _of_companion(plan, manifest, path)


def has(tree: Any, path: Path) -> bool:
    for step in path:
        if isinstance(tree, str):
            return False
        try:
            tree = tree[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _in(document: Document, path: Path, kind: str, by: str, note: str) -> tuple[Layer, ...]:
    """The layer of a place, if the document has it."""
    return (Layer(kind, by, note, document, path),) if has(document.value, path) else ()


def _of_jobset(plan: Plan, manifest: Tree, path: Path) -> tuple[Layer, ...]:
    match path:
        case ("metadata", *_):
            return _of_metadata(plan, path, "jobset")
        case ("spec", "suspend"):
            absent = (Layer(DEFAULT, "jobset", "spec.suspend of the TrainJob is false by default"),)
            return _in(plan.job.document, path, INPUT, "jobset", "the TrainJob's suspend") or absent
        case ("spec", "replicatedJobs", int(index), *below):
            return _of_replicated_job(plan, manifest["spec"]["replicatedJobs"][index], plan.pod_sets[index], path[1:], tuple(below))
        case ("spec", *below):
            return _of_template(plan, tuple(below)) or (Layer(DEFAULT, "", MARSHALLED),)
    return (Layer(CONTROLLER, "jobset", WRITTEN_BY_CONTROLLER),)


def _of_metadata(plan: Plan, path: Path, by: str) -> tuple[Layer, ...]:
    job = plan.job.document
    match path:
        case ("metadata", "name"):
            return (Layer(INPUT, by, "named after the TrainJob", job, ("metadata", "name")),)
        case ("metadata", "namespace"):
            absent = (Layer(DEFAULT, by, "the TrainJob names no namespace"),)
            return _in(job, ("metadata", "namespace"), INPUT, by, "the TrainJob's namespace") or absent
        case ("metadata", ("labels" | "annotations") as field, *below):
            return _of_metadata_map(plan, field, tuple(below))
        case ("metadata", "ownerReferences", int(), ("uid" | "name") as field):
            known = _in(job, ("metadata", field), INPUT, by, "owner reference to the TrainJob")
            return known or (Layer(CONTROLLER, by, WRITTEN_BY_CONTROLLER),)
    return (Layer(CONTROLLER, by, WRITTEN_BY_CONTROLLER),)


def _of_metadata_map(plan: Plan, field: str, below: Path) -> tuple[Layer, ...]:
    """Labels and annotations of the JobSet: those of the runtime's template, each override laid over them in turn."""
    layers: list[Layer] = []
    for patch in reversed(plan.job.patches):
        layers += _in(plan.job.document, (*patch.metadata_origin, field, *below), PATCH, patch.manager, f"override of the JobSet's {field}")
    layers += _in(plan.runtime.document, ("spec", "template", "metadata", field, *below), INPUT, plan.runtime.name, "the runtime's template")
    return tuple(layers)


def _of_companion(plan: Plan, manifest: Tree, path: Path) -> tuple[Layer, ...]:
    """Objects beside the JobSet: made as a whole by one pass, but for what `objects.owner` puts in."""
    slot = AddObject(manifest).slot
    writes = _to(plan, slot) or _to(plan, (*slot[:-1], ""))  # most leave the namespace to the TrainJob
    given, by = writes[-1].value, writes[-1].pass_name
    named = path == ("metadata", "name") and plan.job.name in given["metadata"]["name"]
    if named or not has(given, path):
        return _of_metadata(plan, path, by)
    return tuple(layer for write in reversed(writes) for layer in _of_write(plan, write, path))


def _of_replicated_job(plan: Plan, entry: Tree, pods: PodSet, path: Path, below: Path) -> tuple[Layer, ...]:
    """path: in the template; below: in the replicatedJob, of which `entry` is what came out."""
    if below == ("replicas",) and pods.ancestor in SINGLE_REPLICA_ANCESTORS:
        return (Layer(CONTROLLER, "jobset", f"a job with the ancestor {pods.ancestor} always has one replica"), *_of_template(plan, path))
    if below in COUNTS:
        return _of_count(plan, counted_by(plan, pods))
    depth = len(POD_TEMPLATE)
    written = _of_writes(plan, entry["template"]["spec"]["template"], pods, below[depth:]) if below[:depth] == POD_TEMPLATE else ()
    return (*written, *_of_template(plan, path)) or (Layer(DEFAULT, "", MARSHALLED),)


def _of_template(plan: Plan, path: Path) -> tuple[Layer, ...]:
    """What the template has there: resourcesPerNode laid over it, overrides merged over it, the runtime's own line."""
    if not has(plan.template, path):
        return ()
    layers: list[Layer] = []
    resources = plan.record.resources_per_node(path)
    if resources:
        layers += _in(plan.job.document, resources, INPUT, "resolve", f"feature {plan.record.resources_by}")
    for spoken in plan.record.spoken(path):
        override, place = spoken.override, spoken.path
        if override is None:
            layers += _in(plan.runtime.document, place, INPUT, plan.runtime.name, "the runtime's template")
        elif has(plan.job.typed, place):  # the rest was dropped by the server
            layers += _in(plan.job.document, place, PATCH, override.manager, "merged over the runtime's template")
    return tuple(layers)


def _of_count(plan: Plan, pods: PodSet) -> tuple[Layer, ...]:
    written = tuple(layer for write in reversed(plan.writes) if write.slot == (pods.name, "count") for layer in _of_write(plan, write, ()))
    if written:
        return written
    if pods.ancestor == TRAINER and plan.policy is not None:
        said = _in(plan.runtime.document, ("spec", "mlPolicy", "numNodes"), INPUT, plan.runtime.name, "numNodes of the runtime")
    else:
        index = next(index for index, entry in enumerate(replicated_jobs(plan.template)) if entry["name"] == pods.name)
        said = _of_template(plan, ("replicatedJobs", index, "template", "spec", "parallelism"))
    return said or (Layer(DEFAULT, "jobset", "one pod where nothing says otherwise"),)


def _of_writes(plan: Plan, pod: Tree, pods: PodSet, steps: Path) -> tuple[Layer, ...]:
    """What passes wrote at `steps` below a pod template, the last one first."""
    writes, rest = _writes_of(plan, pod, pods.name, steps)
    layers: list[Layer] = []
    later: Write | None = None
    for write in reversed(writes):
        # The user's variables are written before and after the policy's: once told is enough.
        if later is None or (write.value, write.because) != (later.value, later.because):
            layers += _of_write(plan, write, rest)
        later = write
    return tuple(layers)


def _writes_of(plan: Plan, pod: Tree, pods: str, steps: Path) -> tuple[tuple[Write, ...], Path]:
    """The writes to the slot that an address below a pod template lies in, in order, and the steps below the slot."""
    match steps:
        case ("metadata", ("labels" | "annotations") as field, str(key)):
            return _to(plan, ("", field, key)), ()
        case ("spec", *below):
            for slot, rest in slots_around(pods, pod["spec"], tuple(below)):
                writes = _to(plan, slot)
                if writes:
                    return writes, rest
    return (), ()


def _to(plan: Plan, slot: Slot) -> tuple[Write, ...]:
    return tuple(write for write in plan.writes if write.slot == slot)


def _of_write(plan: Plan, write: Write, rest: Path) -> tuple[Layer, ...]:
    """The pass, who rewrote what it was given, and the input it goes back to; `rest`: the steps below what was written."""
    feature = _feature(write.because)
    layers = [Layer(PASS, write.pass_name, f"feature {feature}" if feature else WRITTEN_BY_PASS)]
    causes: tuple[Layer, ...] = ()
    if write.slot[3:] in REWRITTEN:
        rewritten = _to(plan, ("", "trainer"))
        field = REWRITTEN.index(write.slot[3:])
        if rewritten and rewritten[-1].value[field] != getattr(plan.job.trainer, *REWRITTEN[field], None):
            rest = ()  # its words are no longer those of the input
            layers += [Layer(PASS, other.pass_name, "rewrote what the TrainJob brings") for other in rewritten]
            causes = tuple(layer for other in rewritten for layer in _of_because(plan, other.because, ()))
    if rest != ("name",) or _is_copied(plan, write.because, rest):
        layers += _once((*_of_because(plan, write.because, rest), *causes))
    return tuple(layers)


def _is_copied(plan: Plan, because: Because, rest: Path) -> bool:
    """Whether the name in a list that a pass wrote is the input's, and not its own."""
    return not isinstance(because, KINDS_OF_BECAUSE) and has(plan.job.document.value, (*because, *rest))


def _of_because(plan: Plan, because: Because, rest: Path) -> tuple[Layer, ...]:
    """The input that a value goes back to; `rest`: the steps below that value."""
    match because:
        case Several(places):
            return tuple(layer for place in places for layer in _of_because(plan, place, rest))
        case Parts(parts, whole):
            part = next(((place, rest[len(path) :]) for path, place in parts if rest[: len(path)] == path), ((), ()))
            return (*_of_because(plan, *part), *_of_because(plan, whole, ()))
        case OfFeature():
            return ()
        case OfRuntime(path):
            return _as_deep(plan.runtime.document, path, rest, plan.runtime.name)
        case OfTemplate(path):
            return _because_of(_of_template(plan, path))
        case OfMetadata(place):
            field, *below = place
            return _because_of(_of_metadata_map(plan, str(field), tuple(below)))
        case OfCount(name):
            return _because_of(_of_count(plan, next(pods for pods in plan.pod_sets if pods.name == name)))
    return _as_deep(plan.job.document, because, rest, "")


def _because_of(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    return tuple(layer._replace(note=ON_ACCOUNT) for layer in layers if layer.document is not None)


def _as_deep(document: Document, path: Path, rest: Path, by: str) -> tuple[Layer, ...]:
    """The place, as deep as the input goes along: command[1] comes from the second item of spec.trainer.command."""
    if not path or not has(document.value, path):
        return ()
    depth = len(rest)
    while not has(document.value, (*path, *rest[:depth])):
        depth -= 1
    return (Layer(INPUT, by, ON_ACCOUNT, document, (*path, *rest[:depth])),)


def _once(layers: Iterable[Layer]) -> list[Layer]:
    """Each place the first time."""
    seen: set[tuple[int, Path]] = set()
    out = []
    for layer in layers:
        key = (id(layer.document), layer.path)
        if key not in seen:
            seen.add(key)
            out.append(layer)
    return out


def _feature(because: Because) -> str:
    """The feature that decided a value, "" where releases do not differ."""
    match because:
        case OfFeature(slug):
            return slug
        case Several(places):
            return next(filter(None, map(_feature, places)), "")
    return ""
