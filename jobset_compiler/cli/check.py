"""`check`: what a cluster would say, without a cluster; diagnostics only, in one or several formats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import COMPILING, FAIL_ON, FILENAME, MESSAGES, Tally, compile_reported, messages, policy_of, settings_of, sources_of
from jobset_compiler.diagnostics.report import Report, WithoutNotices
from jobset_compiler.diagnostics.text import TextWriter

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.common import Settings
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.diagnostics.report import Policy, Writer

DIFFERENCES = 3
FORMATS = ("text", "json", "sarif", "junit", "github")

VERB = Verb(
    "check",
    "say what API server, webhooks, controller and JobSet would refuse, and warn about the rest",
    """
Looks at every TrainJob and runtime of files, folders and standard input as a cluster of the chosen release would, in the order of a cluster: schema, \
defaults, rules, webhooks, the build of the JobSet, and JobSet's own admission. The words are the server's; the hint says what to write instead.

A comment silences one code at one place, on its line or alone on the line above:

  # jobset-compiler: ignore JSC801

With --fix files are mended in place where it is plain what was meant: quotes around `true`, numNode for numNodes, 256GB for 256G, a missing ---, tabs. \
Comments and layout stay as they are; what only a person can decide is left.

With --was or --was-git the documents are judged as an update of earlier ones (by kind, namespace and name): what may not change, what only while \
suspended, and what JobSet would refuse afterwards. Documents that are not among the earlier ones are new.
""",
    (
        Option(("--fix",), "mend in the files what a machine can mend for sure, then check them"),
        Option(("--unsafe-fixes",), "with --fix or --diff: also what is a good guess"),
        Option(("--diff",), "show what --fix would change, write nothing, and exit with 3 if there is anything"),
        Option(("--was",), "the earlier version, which a cluster has: a file or folder", "PATH", many=True, paths=True),
        Option(("--was-git",), "the earlier version is that of this git revision, of the same paths", "REV"),
        Option(("--active",), "replicatedJob that still runs although its TrainJob is suspended; with --was or --was-git", "JOB", many=True),
        Option(
            ("-o", "--format"),
            "text, json, sarif, junit or github, to standard output, or as FORMAT=FILE to a file; default text",
            "FORMAT",
            many=True,
            offers="formats",
        ),
        Option(("--statistics",), "count the findings by code instead of showing each; with --format text or json"),
        Option(("--ignore",), "leave out findings of this code (JSC801 or its name)", "CODE", many=True, offers="codes"),
        Option(("--error-on",), "take findings of this code for errors", "CODE", many=True, offers="codes"),
        Option(("--warn-on",), "take findings of this code for warnings", "CODE", many=True, offers="codes"),
        Option(("--skip-unrelated",), "pass over named files without TrainJobs or runtimes, as in folders (for hooks that name every changed file)"),
        FILENAME,
        *COMPILING,
        FAIL_ON,
        *MESSAGES,
    ),
    (
        ("jobset-compiler check job.yaml", "one file"),
        ("jobset-compiler check manifests/ --fail-on warning", "a folder, strictly"),
        ("helm template chart/ | jobset-compiler check -", "what a chart comes to"),
        ("jobset-compiler check . --format github --format sarif=findings.sarif", "in GitHub Actions, both at once"),
        ("jobset-compiler check . --statistics", "what is wrong how often?"),
        ("jobset-compiler check . --ignore JSC205 --error-on unknown-field", "to your taste"),
        ("jobset-compiler check manifests/ --fix", "mend what can be mended"),
        ("jobset-compiler check manifests/ --diff --unsafe-fixes", "look at it first, guesses included"),
        ("jobset-compiler check --was old.yaml new.yaml", "would the server take this edit?"),
        ("jobset-compiler check --was-git origin/main jobs/", "would it take what this branch edits?"),
        ("jobset-compiler codes explain JSC201", "more about a code"),
    ),
    takes="[PATH... | -]",
    most=-1,
)


def run(arguments: Arguments, streams: Streams) -> int:
    settings = settings_of(arguments)
    policy = policy_of(arguments, settings.config, errors_stand=False)
    _refuse_other_habits(arguments)
    mending = arguments.has("--fix") or arguments.has("--diff")
    _refuse_what_does_not_go_together(arguments, mending=mending)
    files: list[tuple[str, list[str]]] = []
    writers = [
        _writer(name, _into(file, files) if file else streams.put, arguments, settings, streams, policy, to_file=bool(file))
        for name, file in _formats(arguments.all("--format") or ("text",))
    ]
    if arguments.has("--diff"):  # which has standard output for itself
        writers = [messages(arguments, streams, summary=True)]
    report = Report(policy, writers)
    comparing = any(map(arguments.has, ("--was", "--was-git", "--active")))
    earlier = []
    if comparing:
        from jobset_compiler.cli import was

        earlier = was.earlier_sources(arguments, settings, streams)
    sources = sources_of(arguments, settings, streams)
    if arguments.has("--skip-unrelated"):
        sources = [source._replace(from_folder=True) for source in sources]
    tally = Tally(streams.progress)
    changed = False
    if mending:
        from jobset_compiler.cli import fix

        mended = fix.mend(sources, settings, policy, unsafe=arguments.has("--unsafe-fixes"))
        changed = bool(mended.texts)
        if arguments.has("--diff"):
            fix.show(mended, streams)
        else:
            fix.write(mended)
        if mended.message and not arguments.has("--quiet"):
            streams.say(f"{mended.message}\n")
        sources = mended.sources
    if comparing:
        was.check_update(arguments, settings, earlier, sources, report, tally)
    else:
        for _ in compile_reported(sources, settings.options, report, tally):
            pass
    differs = changed and arguments.has("--diff") and not report.unreadable
    report.finish(
        files=len(sources),
        documents=tally.documents,
        trainjobs=tally.trainjobs,
        runtimes=tally.runtimes,
        exit_code=DIFFERENCES if differs else None,
        why=f"exit code {DIFFERENCES} for what --fix would change" if differs else "",
    )
    if files:
        from jobset_compiler.cli.atomic import write_text

        for file, parts in files:
            write_text(file, "".join(parts))
    return DIFFERENCES if differs else report.exit_code


def _refuse_other_habits(arguments: Arguments) -> None:
    """-f is the file, as kubectl has it, and the format for other linters."""
    for word in arguments.words:
        if word.partition("=")[0] in FORMATS and not os.path.exists(word):
            raise UsageError(f"there is no file {word!r}: -f names a file, as for kubectl; for the format write --format {word}")


def _refuse_what_does_not_go_together(arguments: Arguments, *, mending: bool) -> None:
    if arguments.has("--unsafe-fixes") and not mending:
        raise UsageError("--unsafe-fixes goes with --fix or --diff")
    if mending and any(map(arguments.has, ("--was", "--was-git", "--active"))):
        raise UsageError("--fix and --diff are about the new version alone: leave --was, --was-git and --active out")
    if arguments.has("--diff") and arguments.has("--format"):
        raise UsageError("--diff writes a diff: --format does not go with it")
    if arguments.has("--diff") and arguments.has("--statistics"):
        raise UsageError("--diff writes a diff: --statistics does not go with it")
    if arguments.has("--fix") and not arguments.has("--diff") and (not arguments.words or "-" in arguments.words):
        raise UsageError("--fix mends files: standard input can only be shown, with --diff")


def _formats(given: tuple[str, ...]) -> list[tuple[str, str]]:
    """(format, file) pairs, "" for standard output; only one may go there."""
    from jobset_compiler.cli.arguments import near

    pairs = []
    for text in given:
        name, equals, file = text.partition("=")
        if name not in FORMATS:
            raise UsageError(f"--format is one of {', '.join(FORMATS)}, not {name!r}{near(name, FORMATS)}")
        if equals and not file:
            raise UsageError(f"--format {text} names no file")
        pairs.append((name, "" if file == "-" else file))
    if sum(not file for _, file in pairs) > 1:
        raise UsageError("only one format can go to standard output: give the others a file, as in --format sarif=findings.sarif")
    return pairs


def _into(file: str, files: list[tuple[str, list[str]]]) -> Callable[[str], None]:
    parts: list[str] = []
    files.append((file, parts))
    return parts.append


def _writer(
    name: str, write: Callable[[str], object], arguments: Arguments, settings: Settings, streams: Streams, policy: Policy, *, to_file: bool
) -> Writer:
    from jobset_compiler import __version__

    colour = not to_file and streams.colour(arguments.get("--color", "auto"), product=True)
    if arguments.has("--statistics"):
        return _statistics(name, write, settings, colour=colour)
    if name == "text":
        links = streams.links("never" if to_file else arguments.get("--color", "auto"), product=True)
        return TextWriter(write, colour=colour, links=links, quiet=arguments.has("--quiet"), summary=True)
    if name == "json":
        from jobset_compiler.diagnostics.json import JsonWriter

        return JsonWriter(write, version=__version__, trainer=settings.options.profile.trainer)
    writer = _review_writer(name, write, policy)
    return writer if policy.verbose else WithoutNotices(writer)


def _statistics(name: str, write: Callable[[str], object], settings: Settings, *, colour: bool) -> Writer:
    from jobset_compiler import __version__
    from jobset_compiler.diagnostics.statistics import StatisticsJson, StatisticsText

    if name == "text":
        return StatisticsText(write, colour=colour)
    if name == "json":
        return StatisticsJson(write, version=__version__, trainer=settings.options.profile.trainer)
    raise UsageError(f"--statistics counts as text or json, not as {name}")


def _review_writer(name: str, write: Callable[[str], object], policy: Policy) -> Writer:
    """The formats that stand beside code or tests."""
    from jobset_compiler import __version__

    if name == "sarif":
        from jobset_compiler.diagnostics.sarif import SarifWriter

        return SarifWriter(write, version=__version__)
    if name == "junit":
        from jobset_compiler.diagnostics.junit import JunitWriter

        return JunitWriter(write, fail_on=policy.fail_on)
    from jobset_compiler.diagnostics.github import GithubWriter

    return GithubWriter(write)
