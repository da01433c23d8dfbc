"""`expand`: the Jobs, Services and claims that the JobSet controller would create from what the Trainer controller submits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, Verb
from jobset_compiler.cli.common import (
    COMPILING,
    FAIL_ON,
    FILENAME,
    MESSAGES,
    Tally,
    compile_reported,
    messages,
    policy_of,
    settings_of,
    sources_of,
)
from jobset_compiler.cli.streams import Held
from jobset_compiler.cli.units import SHEETS
from jobset_compiler.diagnostics.report import Report, counted_as
from jobset_compiler.expand.of_objects import UID, children_of
from jobset_compiler.expand.refused import outcome_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.expand.children import Child
    from jobset_compiler.expand.refused import Fates
    from jobset_compiler.objects.unit import Unit

VERB = Verb(
    "expand",
    "show the Jobs, Service and claims that JobSet makes of a TrainJob",
    f"""
Goes one controller further than render: the JobSet gets the defaults of its own webhook, and the first reconciliation of the JobSet release behind the chosen \
Trainer release is worked out. The UID of the JobSet, which only a server knows, is written as {UID}.

Jobs that wait for others (dependsOn, startup order) are marked with a comment, and left out with --now. Standard error has a summary: which Jobs, how many \
pods, and what each waits for. Where a cluster takes a TrainJob and refuses something that is made of it, there is no output, and the summary says \
what stays behind and what is never made.
""",
    (
        Option(("-o", "--output"), "form of the output; default yaml", "FORMAT", choices=("yaml", "json", "name")),
        Option(("--now",), "only what is created at once"),
        FILENAME,
        *COMPILING,
        FAIL_ON,
        *MESSAGES,
    ),
    (
        ("jobset-compiler expand job.yaml", "the Jobs with their pod templates"),
        ("jobset-compiler expand job.yaml -o name", "only their names"),
        ("jobset-compiler expand job.yaml | kubeconform -strict -", "validate the Jobs with other tools"),
    ),
    takes="[PATH... | -]",
    most=-1,
)


def run(arguments: Arguments, streams: Streams) -> int:
    settings = settings_of(arguments)
    report = Report(policy_of(arguments, settings.config, errors_stand=True), (messages(arguments, streams),))
    held = Held()
    sheet = SHEETS[arguments.get("--output", "yaml")](held)
    told: list[str] = []
    left: list[str] = []
    for step in compile_reported(sources_of(arguments, settings, streams), settings.options, report, Tally(streams.progress)):
        unit = step.unit
        if unit is None:
            continue
        if any(found.is_error for found in step.diagnostics):
            left += refused(unit, outcome_of(unit, step.diagnostics, settings.options.judged_by))
            continue
        children = children_of(unit.objects[0], unit.plan.profile)
        told += summary(unit, children)
        for child in children:
            if not (child.waits and arguments.has("--now")):
                sheet.add(child.manifest, f"waits until {until(child)}" if child.waits else "")
    report.finish()
    if report.failed or report.unreadable:
        held.close()
        told = left
    else:
        sheet.finish()
        held.release(streams)
    if not arguments.has("--quiet"):
        streams.say("".join(f"{line}\n" for line in told))
    return report.exit_code


def refused(unit: Unit, outcome: Fates) -> Iterator[str]:
    """What is there of a TrainJob that a cluster takes and then cannot run, in lines for people."""
    yield f"TrainJob {unit.plan.job.namespace}/{unit.plan.job.name}: admitted, but does not run"
    for what, objects in (("refused", outcome.refused), ("never made", outcome.never), ("made before, and left", outcome.made)):
        if objects:
            yield f"  {what}: {', '.join(objects)}"


def until(child: Child) -> str:
    return " and ".join(child.waits_for)


def summary(unit: Unit, children: Sequence[Child]) -> Iterator[str]:
    """Jobs, their pods, and what they wait for, in lines for people."""
    job = unit.plan.job
    jobset = unit.objects[0]["spec"]
    kinds = [child.manifest["kind"] for child in children]
    counts = [counted_as(kinds.count("Job"), "Job"), counted_as(sum(map(pods_of, children)), "pod")]
    counts += [counted_as(kinds.count("Service"), "Service"), counted_as(kinds.count("PersistentVolumeClaim"), "PersistentVolumeClaim")]
    yield f"TrainJob {job.namespace}/{job.name}: {', '.join(filter(None, counts)) or 'nothing'}"
    if not children and jobset.get("managedBy"):
        yield f"  its JobSet is managed by {jobset['managedBy']}, so that JobSet's own controller leaves it alone"
    if jobset.get("suspend"):
        yield "  suspended: the Jobs are there, their pods only when it is resumed"
    for child in children:
        manifest = child.manifest
        if manifest["kind"] == "Job":
            waits = f", waits until {until(child)}" if child.waits else ""
            yield f"  Job {manifest['metadata']['name']}: {counted_as(pods_of(child), 'pod') or 'no pods'}{waits}"


def pods_of(child: Child) -> int:
    """How many pods a Job has at once when it runs."""
    spec: dict[str, Any] = child.manifest["spec"]
    return int(spec.get("parallelism", 1)) if child.manifest["kind"] == "Job" else 0
