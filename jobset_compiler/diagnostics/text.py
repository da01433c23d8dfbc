"""Diagnostics for people: where, what, the line itself with a caret, and the way out.

    job.yaml:9:11: error JSC201 runtime-not-found: ClusterTrainingRuntime.trainer.kubeflow.org "torch-dist" not found: ...
      9 |     name: torch-dist
        |           ^^^^^^^^^^
      path: spec.runtimeRef
      hint: did you mean torch-distributed?

What is only information is said once for all places that it applies to, at the end; and of one code at most `REPEATED`
places are shown, the rest is counted. The other formats have everything.
"""

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING
from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.diagnostics.report import counted_as
from jobset_compiler.value import Frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.report import Subject, Summary
    from jobset_compiler.diagnostics.settled import RelatedPlace, SettledDiagnostic

REPEATED = 50
LONGEST_LINE = 160
RESET = "\x1b[0m"
BOLD = "\x1b[1m"
DIM = "\x1b[2m"
COLOURS = {ERROR: "\x1b[1;31m", WARNING: "\x1b[1;33m", INFO: "\x1b[1;36m"}


class TextWriter:
    """Writes each diagnostic as soon as it comes, so that a long run is not silent.

    colour: with colours; links: codes lead to their pages; quiet: only errors; summary: a last line that says what was looked at.
    """

    in_order = False

    def __init__(self, write: "Callable[[str], object]", *, colour: bool = False, links: bool = False, quiet: bool = False, summary: bool = False) -> None:
        self._write = write
        self._style = (COLOURED if colour else PLAIN)._replace(links=links)
        self._quiet = quiet
        self._summary = summary
        self._shown: dict[tuple[str, str], int] = {}
        self._mendable = 0
        self._infos: dict[tuple[str, str], tuple[Diagnostic, int]] = {}

    def subject(self, subject: "Subject") -> None:
        pass

    def add(self, diagnostic: "Diagnostic") -> None:
        if diagnostic.severity == INFO:
            self._remember(diagnostic)
        elif diagnostic.is_error or not self._quiet:
            key = diagnostic.severity, diagnostic.code
            self._shown[key] = self._shown.get(key, 0) + 1
            self._mendable += any(fix.safe for fix in diagnostic.fixes)
            if self._shown[key] <= REPEATED:
                self._write(render(_settled(diagnostic), self._style))

    def _remember(self, diagnostic: "Diagnostic") -> None:
        key = diagnostic.code, diagnostic.message
        if key not in self._infos and len(self._infos) >= REPEATED:
            key = diagnostic.code, ""
        first, count = self._infos.get(key, (diagnostic, 0))
        self._infos[key] = first, count + 1

    def finish(self, summary: "Summary") -> None:
        style = self._style
        for (severity, code), count in self._shown.items():
            if count > REPEATED:
                self._write(f"{style.severity(severity)} {style.code(code)}: {count - REPEATED} more like these, not shown\n")
        if not self._quiet:
            for diagnostic, count in self._infos.values():
                self._write(information(_settled(diagnostic), count, style))
        if self._summary:
            self._write(summary_line(summary, self._mendable) + "\n")


def summary_line(summary: "Summary", mendable: int = 0) -> str:
    """What was looked at, what was found (of which --fix mends `mendable`), and what decides the exit code."""
    looked_at = [counted_as(summary.trainjobs, "TrainJob"), counted_as(summary.runtimes, "runtime")]
    of = " and ".join(part for part in looked_at if part) or "no TrainJobs or runtimes"
    where = f" in {counted_as(summary.files, 'file')}" if summary.files else ""
    mended = f" ({mendable} mended by --fix)" if mendable else ""
    return f"{of}{where}: {summary.findings}{mended}{f'; {summary.why}' if summary.why else ''}"


class Style(Frozen):
    """How parts of the text are set off; all empty where there is no terminal. links: codes are links to their pages, as terminals know them (OSC 8)."""

    colours: dict[str, str]
    bold: str
    dim: str
    reset: str
    links: bool = False

    def code(self, code: str) -> str:
        if not self.links:
            return code
        from jobset_compiler.diagnostics.pages import page_of

        page = page_of(code)
        return f"\x1b]8;;{page}\x1b\\{code}\x1b]8;;\x1b\\" if page else code

    def severity(self, severity: str) -> str:
        return f"{self.colours.get(severity, '')}{severity}{self.reset}"


PLAIN = Style({}, "", "", "")
COLOURED = Style(COLOURS, BOLD, DIM, RESET)


def _settled(diagnostic: "Diagnostic") -> "SettledDiagnostic":
    from jobset_compiler.diagnostics.settled import settle  # most runs have nothing to tell

    return settle(diagnostic)


def render(finding: "SettledDiagnostic", style: Style = PLAIN) -> str:
    """One finding with its line, caret, path, hint and notes; ends in a line break."""
    where = _place(finding.file, finding.line, finding.column)
    head = f"{style.bold}{where}{style.reset}: " if where else ""
    lines = [f"{head}{style.severity(finding.severity)} {style.code(finding.code)} {finding.slug}: {one_line(finding.message)}\n"]
    lines += _excerpt(finding, style)
    if finding.path and finding.path != "<nil>":
        lines.append(f"  path: {one_line(finding.path)}\n")
    if finding.hint:
        lines.append(f"  hint: {one_line(finding.hint)}\n")
    lines += [f"  note: {_note(note)}\n" for note in finding.notes]
    return "".join(lines)


def information(finding: "SettledDiagnostic", count: int, style: Style = PLAIN) -> str:
    """One line about a notice that applies to `count` places."""
    where = _place(finding.file, finding.line, finding.column)
    more = f" and {counted_as(count - 1, 'other place')}" if count > 1 else ""
    at = f" ({where}{more})" if where else more and f" ({count} times)"
    return f"{style.severity(finding.severity)} {style.code(finding.code)} {finding.slug}: {one_line(finding.message)}{at}\n"


def _excerpt(finding: "SettledDiagnostic", style: Style) -> list[str]:
    source = finding.source.replace("\t", " ")
    if not source.strip():
        return []
    start = finding.column - 1
    end = finding.end_column - 1 if finding.end_line == finding.line else len(source.rstrip())
    if len(source) > LONGEST_LINE:
        cut = max(start - LONGEST_LINE // 3, 0)
        source = ("..." if cut else "") + source[cut : cut + LONGEST_LINE]
        moved = cut - (3 if cut else 0)
        start, end = start - moved, end - moved
    length = max(min(end, len(source)) - start, 1)
    number = str(finding.line)
    colour = style.colours.get(finding.severity, "")
    before, marked = (one_line(part) for part in (source[:start], source[start : start + length]))
    return [
        f"  {style.dim}{number} |{style.reset} {one_line(source)}\n",
        f"  {style.dim}{' ' * len(number)} |{style.reset} {_blank(before)}{colour}{_blank(marked, '^') or '^'}{style.reset}\n",
    ]


def _blank(text: str, fill: str = " ") -> str:
    return fill * columns(text)


def columns(text: str) -> int:
    """How many columns the text has on a terminal: wide characters have two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1 for character in text)


def _note(note: "RelatedPlace") -> str:
    where = _place(note.file, note.line, note.column)
    return f"{where}: {one_line(note.message)}" if where else one_line(note.message)


def _place(file: str, line: int, column: int) -> str:
    return f"{one_line(file)}:{line}:{column}" if line else one_line(file)
