"""`expand`: the Jobs, Services and claims that the JobSet controller would create from what the Trainer controller submits."""

from __future__ import annotations

from jobset_compiler.cli.arguments import Option, Verb
from jobset_compiler.cli.common import COMPILING, FAIL_ON, MESSAGES, policy_of, settings_of
from jobset_compiler.cli.render import SHEETS, units
from jobset_compiler.cli.streams import Held
from jobset_compiler.diagnostics.report import Report
from jobset_compiler.diagnostics.text import TextWriter
from jobset_compiler.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams

VERB = Verb(
    "expand",
    "show the Jobs, Service and claims that JobSet makes of a TrainJob",
    """
Goes one controller further than render: the JobSet gets the defaults of its own webhook, and the first reconciliation of the JobSet release behind the chosen \
Trainer release is worked out. Jobs that wait for others (dependsOn, startup order) are left out with --now.
""",
    (
        Option(("-o", "--output"), "form of the output; default yaml", "FORMAT", choices=("yaml", "json", "name")),
        Option(("--now",), "only what is created at once"),
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
    from jobset_compiler.admission.jobset_defaults import admitted_form
    from jobset_compiler.expand.children import expand

    settings = settings_of(arguments)
    quiet, colour = arguments.has("--quiet"), streams.colour(arguments.get("--color", "auto"))
    report = Report(policy_of(arguments, settings.config, errors_stand=True), (TextWriter(streams.say, colour=colour, quiet=quiet),))
    held = Held()
    sheet = SHEETS[arguments.get("--output", "yaml")](held)
    for unit in units(arguments, settings, streams, report):
        profile = unit.plan.profile
        for child in expand(admitted_form(unit.objects[0], profile), profile):
            if not (child.waits and arguments.has("--now")):
                sheet.add(child.manifest)
    report.finish()
    if report.failed or report.unreadable:
        held.close()
    else:
        sheet.finish()
        held.release(streams.stdout)
    return report.exit_code
