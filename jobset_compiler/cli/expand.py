"""`expand`: the Jobs, Services and claims that the JobSet controller would create from what the Trainer controller submits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, Verb
from jobset_compiler.cli.common import COMPILING, FAIL_ON, FILENAME, MESSAGES, messages, policy_of, settings_of
from jobset_compiler.cli.streams import Held
from jobset_compiler.cli.units import SHEETS, units
from jobset_compiler.diagnostics.report import Report, counted_as
from jobset_compiler.expand.of_objects import UID, children_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.expand.children import Child
    from jobset_compiler.objects.unit import Unit

VERB = Verb(
    "expand",
    "show the Jobs, Service and claims that JobSet makes of a TrainJob",
    f"""
Goes one controller further than render: the JobSet gets the defaults of its own webhook, and the first reconciliation of the JobSet release behind the chosen \
Trainer release is worked out. The UID of the JobSet, which only a server knows, is written as {UID}.

Jobs that wait for others (dependsOn, startup order) are marked with a comment, and left out with --now. Standard error has a summary: which Jobs, how many \
pods, and what each waits for.
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
    for unit in units(arguments, settings, streams, report):
        children = children_of(unit.objects[0], unit.plan.profile)
        told += summary(unit, children)
        for child in children:
            if not (child.waits and arguments.has("--now")):
                sheet.add(child.manifest, f"waits until {until(child)}" if child.waits else "")
    report.finish()
    if report.failed or report.unreadable:
        held.close()
    else:
        sheet.finish()
        held.release(streams)
        if not arguments.has("--quiet"):
            streams.say("".join(f"{line}\n" for line in told))
    return report.exit_code


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
