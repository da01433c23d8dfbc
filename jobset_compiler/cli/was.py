"""`check --was` and `check --was-git`: the new documents against those that a cluster has already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.documents import TRAIN_JOB, kind_of, not_an_object
from jobset_compiler.admission.subject import subject_of
from jobset_compiler.cli.arguments import UsageError
from jobset_compiler.cli.common import paths_of
from jobset_compiler.diagnostics.report import UNREADABLE, Subject
from jobset_compiler.library import updates
from jobset_compiler.library.sources import read
from jobset_compiler.source.diagnose import diagnose
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.common import Settings, Tally
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.diagnostics.report import Report
    from jobset_compiler.library.sources import Source


def earlier_sources(arguments: Arguments, settings: Settings, streams: Streams) -> list[Source]:
    """The earlier documents. Raises UsageError where git does not have them, and for options that do not go together."""
    if arguments.has("--was") and arguments.has("--was-git"):
        raise UsageError("--was and --was-git exclude each other: the earlier documents are in files, or in a git revision")
    if not arguments.has("--was") and not arguments.has("--was-git"):
        raise UsageError("--active says what of an earlier version still runs: it needs --was or --was-git")
    return _earlier(arguments, settings, streams)


def check_update(arguments: Arguments, settings: Settings, was: list[Source], sources: list[Source], report: Report, tally: Tally) -> None:
    """Report what a cluster with the earlier documents says to the new ones. Raises UsageError where the earlier ones cannot be read."""
    earlier = list(_documents(was, None))
    current = []
    for document in _documents(sources, report, settings.options.validate):
        tally.documents += 1
        current.append(document)
        kind = kind_of(document.value)
        if kind:
            if kind == TRAIN_JOB:
                tally.trainjobs += 1
            else:
                tally.runtimes += 1
            report.subject(Subject(document.file, *subject_of(document)))
    report.add([*settings.options.problems, *updates.check_update(earlier, current, settings.options, arguments.all("--active"))])


def _earlier(arguments: Arguments, settings: Settings, streams: Streams) -> list[Source]:
    if arguments.has("--was-git"):
        from jobset_compiler.cli.git import revision_of, short, sources_at

        paths = paths_of(arguments, streams)
        if "-" in paths:
            raise UsageError("--was-git reads the same paths from git, which has no standard input: give files or folders, or use --was")
        revision = revision_of(arguments.get("--was-git"))
        found = sources_at(revision, paths, settings.runtimes, settings.exclude)
        return [source._replace(file=f"{short(revision)}:{source.file}") for source in found]
    from jobset_compiler.cli import inputs

    was = arguments.all("--was")
    if "-" in was and "-" in arguments.words:
        raise UsageError("standard input is either the old or the new version")
    return inputs.sources_of(was, settings.runtimes, streams.stdin, settings.exclude)


def _documents(sources: Sequence[Source], report: Report | None, validate: str = "warn") -> Iterator[Document]:
    """The documents to compare. What is wrong with a text goes to the report; without one, no server has had it and it is passed over."""
    for source in sources:
        for found in read(source):
            if not isinstance(found, Document):
                if report is not None:
                    report.add(diagnose((found,), validate))
                elif found.slug == UNREADABLE:
                    raise UsageError(f"cannot read {found.span.file}: {found.message}")
            elif not (source.runtimes_only and _is_trainjob(found)) and not (source.from_folder and not_an_object(found)):
                yield found


def _is_trainjob(document: Document) -> bool:
    return kind_of(document.value) == TRAIN_JOB

