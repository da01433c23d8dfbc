"""`report`: a page to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import COMPILING, FAIL_ON, FILENAME, MESSAGES, messages, policy_of, settings_of, sources_of

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams

VERB = Verb(
    "report",
    "make a page of it: what runs, where each line comes from, what is wrong",
    """
One HTML file that needs nothing else and asks nobody for anything: an overview of all TrainJobs; of each a picture of its pods, the environment of \
its containers, input and output side by side with the lines that belong together, what it needs in the cluster, what is wrong with it, and what it \
would be under the other releases. TrainJobs that are refused are in it too. What is secret is hidden.

Needs Jinja2: pip install 'jobset-compiler[report]'
""",
    (
        Option(("-o", "--output"), "file to write; default standard output", "FILE", paths=True),
        FILENAME,
        *COMPILING,
        FAIL_ON,
        *MESSAGES,
    ),
    (
        ("jobset-compiler report job.yaml -o report.html", "one file"),
        ("jobset-compiler report jobs/ -r runtimes/ -o report.html", "a folder"),
        ("kustomize build . | jobset-compiler report - -o report.html", "what a build comes to"),
    ),
    takes="[PATH... | -]",
    most=-1,
)


def run(arguments: Arguments, streams: Streams) -> int:
    from jobset_compiler.diagnostics.report import Report

    try:
        from jobset_compiler.report import survey, to_html
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("jinja2", "markupsafe"):
            raise
        raise UsageError("a report needs the package Jinja2: pip install 'jobset-compiler[report]'") from None
    settings = settings_of(arguments)
    policy = policy_of(arguments, settings.config, errors_stand=True)
    found = survey(sources_of(arguments, settings, streams), settings.options, policy)
    told = Report(policy, (messages(arguments, streams),))
    told.add(found.side.other)
    for job in found.side.jobs:
        told.add(job.diagnostics)
    told.finish()
    page = to_html(found)
    if arguments.get("--output", "-") == "-":
        streams.put(page)
    else:
        from jobset_compiler.cli.atomic import write_text

        write_text(arguments.get("--output"), page)
    return told.exit_code
