"""`diff`: what changes in the rendered objects, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import COMPILING, FILENAME, MESSAGES, policy_of, profile_of, read_paths, settings_of, with_jobset

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.common import Settings
    from jobset_compiler.cli.git import Revision
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.diff import Difference, Side
    from jobset_compiler.library.sources import Source
    from jobset_compiler.profiles import Profile
    from jobset_compiler.request.options import Options

FORMATS = ("text", "unified", "json", "markdown")

VERB = Verb(
    "diff",
    "show what changes in the rendered objects between two inputs, two git revisions or two releases, and why",
    """
Compiles both sides and compares the objects: by kind and name, lists by the field that names their items, so that a reordered env is no change. \
Every change is told with its cause, which is found by trying: one field of the inputs, or one feature of the release, at a time. It reads as a release \
note: what you have to do (!), what behaves otherwise, new images, what stays.

Two paths are the two sides. With --git or --from/--to all paths are inputs of both sides; with --git the default is the current folder. \
With --from-jobset/--to-jobset what JobSet makes of the objects is compared as well: its defaults, its Jobs, Service and claims. \
TrainJobs that a side refuses are not compared but shown with \
the errors; contents of Secrets are hidden. Exit code: 0 no difference, 3 differences, 1 errors on a side, 2 usage or unreadable input.
""",
    (
        Option(("--git",), "two revisions A..B (or A...B: from where B left A), or one against the working tree", "RANGE"),
        Option(("--from",), "release of the first side; default as --trainer-version", "VERSION", offers="releases"),
        Option(("--to",), "release of the second side; default as --trainer-version", "VERSION", offers="releases"),
        Option(("--from-jobset",), "release of JobSet of the first side; default as --jobset-version", "VERSION", offers="jobsets"),
        Option(("--to-jobset",), "release of JobSet of the second side; default as --jobset-version", "VERSION", offers="jobsets"),
        Option(("-o", "--output"), "form of the output; default text", "FORMAT", choices=FORMATS),
        Option(("--max-length",), "with -o markdown: leave out details above this many characters; default 60000", "NUMBER"),
        Option(("--output-file",), "write the output to this file instead of standard output", "FILE", paths=True),
        FILENAME,
        *COMPILING,
        *MESSAGES,
    ),
    (
        ("jobset-compiler diff old.yaml new.yaml", "two files, or two folders"),
        ("jobset-compiler diff --from v2.2 --to v2.3 jobs/", "what will the upgrade change?"),
        ("jobset-compiler diff --from-jobset 0.11 --to-jobset 0.12 --trainer-version v2.2 jobs/", "what if JobSet alone is upgraded?"),
        ("jobset-compiler diff --git main..HEAD -- jobs/ -r runtimes/", "what does this branch change?"),
        ("jobset-compiler diff --git HEAD -- jobs/", "what have I changed since the last commit?"),
        ("jobset-compiler diff --git origin/main...HEAD -o markdown -- .", "for a comment on a pull request"),
    ),
    takes="A B | PATH...",
    most=-1,
)


def run(arguments: Arguments, streams: Streams) -> int:
    from jobset_compiler.cli import DIFFERENCES, ERRORS, OK
    from jobset_compiler.diff import compare_sides

    limit = _limit(arguments)
    settings = settings_of(arguments)
    if arguments.has("--git") and not arguments.words:
        arguments = arguments.with_words((".",))
    before, after = _sides(arguments, settings, streams)
    difference = compare_sides(before, after, after_each=streams.progress.trainjob) if streams.progress is not None else compare_sides(before, after)
    if arguments.has("--quiet"):
        difference = difference.quiet()
    _say_errors(difference, arguments, streams)
    text = _written(difference, arguments, streams, limit)
    if arguments.get("--output-file"):
        from jobset_compiler.cli.atomic import write_text

        write_text(arguments.get("--output-file"), text)
    else:
        streams.put(text)
    if any(diagnostic.slug == "unreadable" for side in (before, after) for diagnostic in side.diagnostics):
        return 2
    if difference.has_errors:
        return ERRORS
    return DIFFERENCES if difference.changed else OK


def _sides(arguments: Arguments, settings: Settings, streams: Streams) -> tuple[Side, Side]:
    from jobset_compiler.diff import compile_side

    options = settings.options
    policy = policy_of(arguments, settings.config, errors_stand=True)
    first, second = (options._replace(profile=_profile(arguments, settings, name)) for name in ("--from", "--to"))
    jobsets = arguments.has("--from-jobset") or arguments.has("--to-jobset")
    releases = jobsets or arguments.has("--from") or arguments.has("--to")
    if releases and not arguments.has("--validate"):
        # A field that only one of the releases knows is what the comparison is about: a server drops it.
        first, second = first._replace(validate="warn"), second._replace(validate="warn")
    if releases and first.profile == second.profile:
        raise UsageError(f"both sides are {_release(first, jobsets)}: give {'--from-jobset and --to-jobset' if jobsets else '--from and --to'}")
    if arguments.has("--git"):
        from jobset_compiler.cli.git import revisions_of, short

        revisions = revisions_of(arguments.get("--git"))
        labels = (short(revisions.before), short(revisions.after))
        old, new = (_at(revision, arguments, settings, streams) for revision in revisions)
        if not old and not new:
            raise UsageError(f"neither {labels[0]} nor {labels[1]} has a manifest in {' '.join(arguments.words)}")
    elif releases:
        if not arguments.words:
            raise UsageError(f"{'--from-jobset and --to-jobset' if jobsets else '--from and --to'} need a path")
        labels = ("", "")
        old = new = read_paths(arguments.words, settings, streams)
    else:
        if len(arguments.words) != 2:
            raise UsageError("give two inputs to compare, or --git, or --from and --to")
        if arguments.words[0] == arguments.words[1]:
            raise UsageError("both sides are the same input")
        labels = (_name(arguments.words[0]), _name(arguments.words[1]))
        old, new = (read_paths((path,), settings, streams) for path in arguments.words)
    names = [_release(side, jobsets) if releases else "" for side in (first, second)]
    before, after = (
        compile_side(sources, side, _label(label, name), policy)
        for sources, side, label, name in zip((old, new), (first, second), labels, names, strict=True)
    )
    return before._replace(children=jobsets), after._replace(children=jobsets)


def _profile(arguments: Arguments, settings: Settings, name: str) -> Profile:
    """The releases of the side that --from or --to is about, by default those of both."""
    profile = settings.options.profile
    jobset = arguments.get(f"{name}-jobset") or arguments.get("--jobset-version") or settings.config.jobset_version
    return with_jobset(profile_of(arguments.get(name)) if arguments.has(name) else profile, jobset)


def _release(options: Options, jobsets: bool) -> str:
    """How the releases of a side are called where they are what is compared."""
    profile = options.profile
    return f"{profile.name} with JobSet {profile.jobset.version}" if jobsets else profile.name


def _at(revision: Revision | None, arguments: Arguments, settings: Settings, streams: Streams) -> list[Source]:
    if revision is None:
        return read_paths(arguments.words, settings, streams)
    from jobset_compiler.cli.git import sources_at

    if "-" in arguments.words:
        raise UsageError("--git reads files, not standard input")
    return sources_at(revision, arguments.words, settings.runtimes, settings.exclude)


def _label(name: str, release: str) -> str:
    return f"{name} ({release})" if name and release else name or release


def _name(path: str) -> str:
    return "<stdin>" if path == "-" else path


def _limit(arguments: Arguments) -> int:
    text = arguments.get("--max-length", "60000")
    if not (text.isascii() and text.isdecimal() and 4 <= len(text.lstrip("0")) <= 12):
        raise UsageError(f"--max-length is a number of at least 1000, not {text[:20]!r}")
    return int(text)


def _written(difference: Difference, arguments: Arguments, streams: Streams, limit: int) -> str:
    form = arguments.get("--output", "text")
    if form == "unified":
        from jobset_compiler.diff.unified import to_unified

        return to_unified(difference)
    if form == "json":
        from jobset_compiler.diff.report import to_json

        return to_json(difference)
    if form == "markdown":
        from jobset_compiler.diff.markdown import to_markdown

        return to_markdown(difference, limit)
    from jobset_compiler.diff.text import COLOURED, PLAIN, to_text

    coloured = not arguments.get("--output-file") and streams.colour(arguments.get("--color", "auto"), product=True)
    # In a file or a pipe lines stay whole: they are searched.
    wraps = not arguments.get("--output-file") and (streams.stdout.isatty() or bool(streams.environment.get("COLUMNS")))
    return to_text(difference, COLOURED if coloured else PLAIN, streams.columns() if wraps else 0)


def _say_errors(difference: Difference, arguments: Arguments, streams: Streams) -> None:
    """Errors with their lines on standard error too, so that nobody who keeps only the output in a file misses them."""
    from jobset_compiler.diagnostics.settled import settle
    from jobset_compiler.diagnostics.text import COLOURED, PLAIN, render

    style = COLOURED if streams.colour(arguments.get("--color", "auto")) else PLAIN
    for side in (difference.before, difference.after):
        errors = [diagnostic for diagnostic in side.diagnostics if diagnostic.is_error]
        if errors:
            streams.say(f"{side.label} has errors:\n")
            for diagnostic in errors:
                streams.say_styled(render(settle(diagnostic), style))
