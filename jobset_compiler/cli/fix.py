"""`check --fix`: what a machine can mend is mended in the files themselves, round by round until nothing is left.

Edits of one round do not overlap: of two that would, the later one waits for the next round, which sees what the first has left. A file that
can be read worse than before, and for which no round finds more, is put back. Everything outside the edits stays as it is, to the byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.cli.common import Tally, compile_reported
from jobset_compiler.cli.streams import OutputError
from jobset_compiler.diagnostics.fix import chosen_of
from jobset_compiler.diagnostics.report import Report
from jobset_compiler.source.decode import decode_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jobset_compiler.cli.common import Settings
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.fix import Fix
    from jobset_compiler.diagnostics.place import Edit
    from jobset_compiler.diagnostics.report import Policy, Subject, Summary
    from jobset_compiler.library.sources import Source

ROUNDS = 100
CONTEXT = 3


class Mended(NamedTuple):
    """What was mended. sources: the input as it is then; applied: how many fixes; left: how many more there are, none of which is safe."""

    sources: list[Source]
    texts: dict[str, tuple[str, str]]
    applied: int
    left: int

    @property
    def message(self) -> str:
        """A line for people, "" where there is nothing to tell."""
        files = f" in {len(self.texts)} file{'' if len(self.texts) == 1 else 's'}" if self.texts else ""
        more = f"{self.left} more with --unsafe-fixes: see what --diff shows first" if self.left else ""
        return "; ".join(part for part in (f"{self.applied} mended{files}" if self.applied else "", more) if part)


def mend(sources: Sequence[Source], settings: Settings, policy: Policy, *, unsafe: bool) -> Mended:
    """The sources after all fixes: safe ones, or all. `texts` has of every file that changes what it was and what it becomes; nothing is written."""
    inputs = {source.file: source for source in sources if not source.runtimes_only}
    texts: dict[str, _Text] = {}
    left = 0
    for _ in range(ROUNDS):
        found = _Findings(unsafe=unsafe)
        report = Report(policy, (found,))
        for _ in compile_reported(_overlaid(sources, texts), settings.options, report, Tally()):
            pass
        left = found.left
        again = False
        for file, fixes in found.fixes.items():
            if file in inputs and file not in texts:
                text = _Text.of(inputs[file])
                if text is not None:
                    texts[file] = text
            if file in texts:
                again |= texts[file].step(fixes, found.unread.get(file, 0))
        for file, text in texts.items():
            if file not in found.fixes and text.is_worse(found.unread.get(file, 0)):
                text.put_back()
        if not again:
            break
    count = sum(text.count for text in texts.values())
    changed = {file: (text.was, text.now) for file, text in texts.items() if text.was != text.now}
    return Mended(_overlaid(sources, texts), changed, count, left)


def write(mended: Mended) -> None:
    """Put the mended texts into their files, each as a whole. Raises OutputError, also where a file is not what it was when it was read."""
    from jobset_compiler.cli.atomic import write_text

    for file, (was, now) in mended.texts.items():
        try:
            with open(file, "rb") as stream:
                same = stream.read() == was.encode("utf-8", "surrogateescape")
        except OSError as error:
            raise OutputError(f"cannot read {file}: {error.strerror or error}") from None
        if not same:
            raise OutputError(f"{file} was changed by somebody else meanwhile: nothing was written to it; run again")
        write_text(file, now)


def show(mended: Mended, streams: Streams) -> None:
    """The difference that mending makes, as a unified diff without what is secret."""
    from difflib import unified_diff

    from jobset_compiler.diagnostics.inert import lines

    for file, (was, now) in mended.texts.items():
        for line in unified_diff(_shown(was), _shown(now), file, file, n=CONTEXT):
            streams.put(lines(line if line.endswith("\n") else f"{line}\n"))


def _shown(text: str) -> list[str]:
    from jobset_compiler.diagnostics.redaction import shown_line

    written = text.splitlines(keepends=True)
    at = range(len(written))
    return [shown_line(text, written[index], [written[near] for near in (index - 2, index - 1, index + 1, index + 2) if near in at]) for index in at]


class _Text:
    """A file's text on its way: as it was, as it is now, and as it was when no more of it could be read."""

    def __init__(self, text: str) -> None:
        self.was = self.now = self._best = text
        self.count = self._best_count = 0
        self._unread = -1
        self._is_final = False

    @classmethod
    def of(cls, source: Source) -> _Text | None:
        """None for a text that would not be written as it was: in another encoding than UTF-8."""
        data = b"".join(source.blocks())
        text = "".join(decode_blocks((data,)))
        return cls(text) if text.encode("utf-8", "surrogateescape") == data else None

    def step(self, fixes: Iterable[Fix], unread: int) -> bool:
        """Apply as many of them as go together; whether that changed anything. unread: how many documents could not be read."""
        if self._is_final:
            return False
        if not self.is_worse(unread):
            self._best, self._best_count, self._unread = self.now, self.count, unread
        before, chosen = self.now, chosen_of(fixes)
        self.now = applied(before, [edit for fix in chosen for edit in fix.edits])
        self.count += len(chosen)
        return self.now != before

    def is_worse(self, unread: int) -> bool:
        return not self._is_final and 0 <= self._unread < unread

    def put_back(self) -> None:
        self.now, self.count, self._is_final = self._best, self._best_count, True


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits that do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text


class _Findings:
    """The fixes of what a check would tell, by file, and how many documents of each file cannot be read."""

    in_order = False

    def __init__(self, *, unsafe: bool) -> None:
        self._unsafe = unsafe
        self.fixes: dict[str, list[Fix]] = {}
        self.unread: dict[str, int] = {}
        self.left = 0

    def subject(self, subject: Subject) -> None:
        pass

    def add(self, diagnostic: Diagnostic) -> None:
        if diagnostic.is_error and diagnostic.stage == "source":
            self.unread[diagnostic.file] = self.unread.get(diagnostic.file, 0) + 1
        fixes = diagnostic.fixes
        fix = next((fix for fix in fixes if fix.safe or self._unsafe), None)
        if fix is not None:
            self.fixes.setdefault(fix.edits[0].span.file, []).append(fix)
        self.left += bool(fixes) and fix is None

    def finish(self, summary: Summary) -> None:
        pass


def _overlaid(sources: Sequence[Source], texts: dict[str, _Text]) -> list[Source]:
    return [source._replace(blocks=_Blocks(texts[source.file].now)) if source.file in texts else source for source in sources]


class _Blocks:
    """A text as the blocks of a source."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "surrogateescape")

    def __call__(self) -> Iterator[bytes]:
        yield self._data
