"""`explain`: what will really run. Nodes, pods, processes and GPUs, and where each value comes from."""

from __future__ import annotations

from jobset_compiler.addresses import Keyed, text
from jobset_compiler.api.runtime import TRAINER
from jobset_compiler.cli.arguments import Option, Verb
from jobset_compiler.cli.common import COMPILING, FAIL_ON, MESSAGES, policy_of, settings_of
from jobset_compiler.cli.render import units
from jobset_compiler.cli.streams import Held
from jobset_compiler.diagnostics.report import Report
from jobset_compiler.diagnostics.text import TextWriter
from jobset_compiler.lean import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.addresses import Step
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.compilation import Compilation
    from jobset_compiler.origins import Origin
    from jobset_compiler.podsets import PodSetSummary
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.unit import Unit

Tree = dict[str, Any]
WIDTH = 56

VERB = Verb(
    "explain",
    "say what a TrainJob will really run, and where each value comes from",
    """
Per TrainJob: the runtime, and per replicatedJob how many pods, how many processes a pod and why, what they request, and for each container image, command \
and environment with the line of input, the pass of the compiler or the default that each comes from.

With --field only that field of the objects is explained, with its whole chain of origins.
""",
    (
        Option(("--field",), "explain one field of the JobSet, such as spec.replicatedJobs[name=node].replicas", "PATH", many=True),
        *COMPILING,
        FAIL_ON,
        *MESSAGES,
    ),
    (
        ("jobset-compiler explain job.yaml", "everything that runs"),
        ("jobset-compiler explain job.yaml -r runtime.yaml --trainer-version v2.2", "with your runtime, in another release"),
        ("jobset-compiler explain job.yaml --field 'spec.replicatedJobs[name=node].template.spec.parallelism'", ""),
    ),
    takes="[PATH... | -]",
    most=-1,
)


def run(arguments: Arguments, streams: Streams) -> int:
    settings = settings_of(arguments)
    quiet, colour = arguments.has("--quiet"), streams.colour(arguments.get("--color", "auto"))
    report = Report(policy_of(arguments, settings.config, errors_stand=True), (TextWriter(streams.say, colour=colour, quiet=quiet),))
    held = Held()
    separator = ""
    for unit in units(arguments, settings, streams, report):
        fields = arguments.all("--field")
        lines = list(_fields(unit, fields)) if fields else list(_story(unit))
        held.put(separator + "".join(f"{line}".rstrip() + "\n" for line in lines))
        separator = "\n"
    report.finish()
    if report.failed or report.unreadable:
        held.close()
    else:
        held.release(streams.stdout)
    return report.exit_code


def _alone(unit: Unit) -> Compilation:
    """A compilation of just that TrainJob, which knows the origins and totals."""
    from jobset_compiler.compilation import Compilation

    return Compilation(unit.plan.profile, (unit,), ())


def _fields(unit: Unit, fields: tuple[str, ...]) -> Iterator[str]:
    from jobset_compiler.cli.arguments import UsageError

    jobset = unit.objects[0]
    compilation = _alone(unit)
    for field in fields:
        try:
            chain = compilation.origin_of(jobset, field)
        except (KeyError, ValueError) as error:
            raise UsageError(f"--field {field}: JobSet {jobset['metadata']['name']} has no such field ({error.args[0]})") from None
        yield f"{field} of JobSet {jobset['metadata']['namespace']}/{jobset['metadata']['name']}"
        for origin in chain:
            yield f"  {origin}"


def _story(unit: Unit) -> Iterator[str]:
    plan = unit.plan
    profile, runtime = plan.profile, plan.runtime
    compilation = _alone(unit)
    given = "comes with the compiler" if runtime.bundled else str(runtime.document.locate(()))
    yield f"TrainJob {plan.job.namespace}/{plan.job.name}  ({plan.job.document.locate(())})"
    yield f"  release   Kubeflow Trainer {profile.trainer}, JobSet {profile.jobset}"
    yield f"  runtime   {runtime.kind} {runtime.name}  ({given})"
    yield f"  policy    {plan.policy_name or 'none'}"
    yield f"  creates   {', '.join(_kind_and_name(manifest) for manifest in unit.objects)}"
    podsets = compilation.podsets
    yield f"  in total  {_totals(podsets)}"
    if plan.job.suspend:
        yield "  suspended: nothing starts before somebody (or a queue) resumes it"
    jobs = unit.objects[0]["spec"].get("replicatedJobs", ())
    for job, podset in zip(jobs, podsets, strict=True):
        yield ""
        yield from _replicated_job(unit, compilation, job, podset)
    requirements = compilation.requirements
    if requirements:
        yield ""
        yield "  needs in the cluster:"
        for requirement in requirements:
            where = f"{requirement.namespace}/" if requirement.namespace else ""
            yield f"    {requirement.kind} {where}{requirement.name}: {requirement.why}"


def _kind_and_name(manifest: Tree) -> str:
    return f"{manifest['kind']} {manifest['metadata']['name']}"


def _totals(podsets: tuple[PodSetSummary, ...]) -> str:
    from jobset_compiler.kube.quantity import Quantity

    pods = sum(podset.count for podset in podsets)
    total: dict[str, Quantity] = {}
    for podset in podsets:
        for name, quantity in podset.total.items():
            parsed = Quantity.parse(quantity)
            total[name] = total[name] + parsed if name in total else parsed
    listed = ", ".join(f"{name} {total[name].text}" for name in sorted(total))
    return f"{pods} pod{'' if pods == 1 else 's'}" + (f" requesting {listed}" if listed else ", no requests")


def _replicated_job(unit: Unit, compilation: Compilation, job: Tree, podset: PodSetSummary) -> Iterator[str]:
    jobset = unit.objects[0]
    base: tuple[Step, ...] = ("spec", "replicatedJobs", Keyed("name", job["name"]))
    spec = (*base, "template", "spec")
    pod = job["template"]["spec"]["template"].get("spec", {})
    role = f" ({podset.ancestor})" if podset.ancestor else " (no role: neither trainer nor initializer)"
    replicas, per_job = job.get("replicas", 1), job["template"]["spec"].get("parallelism", 1)
    times = f" ({replicas} jobs of {per_job})" if replicas != 1 else ""
    yield f"  {job['name']}{role}: {podset.count} pod{'' if podset.count == 1 else 's'}{times}"
    yield from _value(compilation, jobset, "pods", str(per_job), (*spec, "parallelism"))
    if podset.requests:
        each = ", ".join(f"{name} {quantity}" for name, quantity in podset.requests.items())
        every = ", ".join(f"{name} {quantity}" for name, quantity in podset.total.items())
        yield f"    requests  {each} a pod" + (f"; {every} in all" if podset.count != 1 else "")
    if podset.ancestor == TRAINER and unit.plan.trainer_pods() is not None:
        yield from _processes(unit.plan)
    waits = [f"{entry.get('name')} is {str(entry.get('status', 'Complete')).lower()}" for entry in job.get("dependsOn", ())]
    if waits:
        yield f"    waits until {' and '.join(waits)}"
    for key, title in (("initContainers", "init container"), ("containers", "container")):
        for container in pod.get(key, ()):
            yield f"    {title} {container['name']}"
            place = (*spec, "template", "spec", key, Keyed("name", container["name"]))
            yield from _container(compilation, jobset, container, place)


def _processes(plan: Plan) -> Iterator[str]:
    """How many processes a pod of the trainer runs, and why."""
    if plan.policy_name == "torch":
        from jobset_compiler.passes.nproc import processes_per_node

        found = processes_per_node(plan)
        if found.value == "auto" and found.gpus:
            why = f"torchrun starts one for each of {found.gpus} GPU{'' if found.gpus == 1 else 's'}"
        elif isinstance(found.value, str):
            why = "torchrun counts them in the pod"
        elif found.value == found.start:
            why = "as asked for"
        else:
            why = "the CPU count, since no GPU is declared" if found.start == "auto" else "the CPU count"
        yield f"    processes {found.value} a pod: {why}"
    elif plan.policy_name == "mpi":
        from jobset_compiler.passes.mpi import slots

        count, _ = slots(plan)
        yield f"    processes {count} slot{'' if count == 1 else 's'} a node in the hostfile"


def _container(compilation: Compilation, jobset: Tree, container: Tree, place: tuple[Step, ...]) -> Iterator[str]:
    for field in ("image", "command", "args"):
        if field in container:
            value = container[field]
            shown = value if isinstance(value, str) else " ".join(map(_word, value))
            yield from _value(compilation, jobset, field, shown, (*place, field), "      ")
    names = [entry["name"] for entry in container.get("env", ())]
    for index, entry in enumerate(container.get("env", ())):
        step: Step = Keyed("name", entry["name"]) if names.count(entry["name"]) == 1 else index
        yield from _value(compilation, jobset, f"{entry['name']}", _env_value(entry), (*place, "env", step), "      env ")


def _word(word: str) -> str:
    return word if word and word.isprintable() and " " not in word else repr(word)


def _env_value(entry: Tree) -> str:
    source = entry.get("valueFrom")
    if source is None:
        return str(entry.get("value", ""))
    ((kind, reference),) = list(source.items())[:1] or [("nothing", {})]
    target = reference.get("fieldPath") or reference.get("resource") or "/".join(filter(None, (reference.get("name"), reference.get("key"))))
    return f"<{kind.removesuffix('Ref')} {target}>"


def _value(compilation: Compilation, jobset: Tree, name: str, value: str, place: tuple[Step, ...], pad: str = "    ") -> Iterator[str]:
    """`name value   <- where it comes from`."""
    left = f"{pad}{name:<9} {_shortened(value)}"
    try:
        chain = compilation.origin_of(jobset, text(place))
    except KeyError:
        chain = ()
    came = _origin(chain)
    yield f"{left:<{WIDTH}}  <- {came}" if came else left


def _shortened(value: str) -> str:
    line = value.replace("\n", "\\n")
    return line if len(line) <= 100 else f"{line[:97]}..."


def _origin(chain: tuple[Origin, ...]) -> str:
    """The chain in a few words: who wrote it, on account of which line."""
    parts = []
    for origin in chain[:2]:
        place = f"{origin.file}:{origin.line}" if origin.line else origin.file
        what = {"pass": f"pass {origin.by}", "input": f"{place} {origin.path}".strip(), "patch": f"patch {place} {origin.path}".strip()}
        parts.append(what.get(origin.kind, origin.kind if not origin.by else f"{origin.kind} {origin.by}"))
        if origin.kind == "pass" and origin.note.startswith("feature "):
            parts[-1] += f" ({origin.note})"
        if origin.kind != "pass":
            break
    return ", ".join(parts)
