"""Diagnostics for people: line, caret, hint, notes; colours; what is only counted."""

from __future__ import annotations

import pytest

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code, Severity
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.place import Span
from jobset_compiler.diagnostics.report import Summary
from jobset_compiler.diagnostics.settled import RelatedPlace, SettledDiagnostic
from jobset_compiler.diagnostics.text import COLOURED, TextWriter, information, render

FINDING = SettledDiagnostic(
    code="JSC201",
    slug="runtime-not-found",
    severity=ERROR,
    title="",
    message="not found",
    path="spec.runtimeRef",
    hint="did you mean it?",
    stage="webhook",
    file="job.yaml",
    line=9,
    column=11,
    end_line=9,
    end_column=16,
    source="    name: torch  # x",
    kind="TrainJob",
    namespace="default",
    name="a",
    notes=(RelatedPlace("defined here", "runtime.yaml", 3, 5), RelatedPlace("and nowhere", "", 0, 0)),
)


def excerpt(**changes: object) -> list[str]:
    """The two lines of the excerpt, if there are any."""
    return [line for line in render(FINDING._replace(hint="", path="", notes=(), **changes)).splitlines()[1:] if "|" in line]  # type: ignore[arg-type]


def test_everything() -> None:
    assert render(FINDING) == (
        "job.yaml:9:11: error JSC201 runtime-not-found: not found\n"
        "  9 |     name: torch  # x\n"
        "    |           ^^^^^\n"
        "  path: spec.runtimeRef\n"
        "  hint: did you mean it?\n"
        "  note: runtime.yaml:3:5: defined here\n"
        "  note: and nowhere\n"
    )


def test_without_a_place() -> None:
    assert render(FINDING._replace(file="", line=0, source="", path="", hint="", notes=())) == "error JSC201 runtime-not-found: not found\n"
    assert render(FINDING._replace(line=0, source="", path="<nil>", hint="", notes=())) == "job.yaml: error JSC201 runtime-not-found: not found\n"


def test_colours_change_nothing_but_colours() -> None:
    import re

    coloured = render(FINDING, COLOURED)
    assert "\x1b[1;31merror\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == render(FINDING)


@pytest.mark.parametrize(
    ("source", "column", "end_line", "end_column", "caret"),
    [
        ("a: b", 4, 9, 5, "   ^"),
        ("a: b", 4, 9, 4, "   ^"),
        ("a: bcd  ", 4, 11, 1, "   ^^^"),
        ("\ta: b", 5, 9, 6, "    ^"),
        ("ä: 日本 x", 7, 9, 8, "        ^"),
        ("ä: 日本 x", 4, 9, 6, "   ^^^^"),
        ("a: b", 99, 9, 100, " " * 4 + "^"),
    ],
)
def test_the_caret_stands_under_the_text(source: str, column: int, end_line: int, end_column: int, caret: str) -> None:
    lines = excerpt(source=source, column=column, end_line=end_line, end_column=end_column)
    assert lines[1].rstrip() == f"    | {caret}".rstrip()


def test_of_a_long_line_the_part_in_question_is_shown() -> None:
    source = "x" * 500 + "HERE" + "y" * 500
    line, caret = excerpt(source=source, column=501, end_column=505)
    assert len(line) < 180
    assert line[caret.index("^") : caret.rindex("^") + 1] == "HERE"


@pytest.mark.parametrize("start", [0, 1, 5])
def test_of_a_long_line_the_beginning_is_not_left_out_for_a_place_in_it(start: int) -> None:
    source = "x" * start + "HERE" + "y" * 500
    line, caret = excerpt(source=source, column=start + 1, end_column=start + 5)
    assert f"| {source[:20]}" in line and "..." not in line and line[caret.index("^") : caret.rindex("^") + 1] == "HERE"


def test_tabs_are_shown_as_blanks() -> None:
    assert excerpt(source="a:\tb", column=4, end_column=5) == ["  9 | a: b", "    |    ^"]


def test_an_empty_line_is_not_shown() -> None:
    assert excerpt(source="  ") == []


def test_nothing_that_a_terminal_would_act_on() -> None:
    evil = "a\x1b[2Jb\nc\u202ed"
    text = render(FINDING._replace(message=evil, hint=evil, path=evil, file=evil, source=evil.replace("\n", ""), notes=(RelatedPlace(evil, evil, 1, 1),)))
    assert all(character.isprintable() or character == "\n" for character in text)
    assert "a\\x1b[2Jb\\nc\\u202ed" in text


def test_information_for_many_places() -> None:
    notice = FINDING._replace(severity=INFO)
    assert information(notice, 1) == "info JSC201 runtime-not-found: not found (job.yaml:9:11)\n"
    assert information(notice, 3) == "info JSC201 runtime-not-found: not found (job.yaml:9:11 and 2 other places)\n"
    assert information(notice._replace(file="", line=0), 1) == "info JSC201 runtime-not-found: not found\n"
    assert information(notice._replace(file="", line=0), 2) == "info JSC201 runtime-not-found: not found (2 times)\n"


def diagnostic(severity: Severity, message: str = "m", number: int = 1) -> Diagnostic:
    return Diagnostic(Code(f"JSC{number}", "slug", severity, "", ""), message, span=Span("a.yaml", 1, 1, 1, 2))


def written(*diagnostics: Diagnostic, quiet: bool = False, summary: bool = False) -> str:
    parts: list[str] = []
    writer = TextWriter(parts.append, quiet=quiet, summary=summary)
    for item in diagnostics:
        writer.add(item)
    errors = sum(item.is_error for item in diagnostics)
    warnings = sum(item.severity == WARNING for item in diagnostics)
    writer.finish(Summary(errors, warnings, 0, trainjobs=1, files=2))
    return "".join(parts)


def test_errors_and_warnings_are_written_at_once_and_information_at_the_end() -> None:
    text = written(diagnostic(INFO), diagnostic(ERROR), diagnostic(INFO), diagnostic(WARNING), summary=True)
    lines = [line.split(" JSC")[0] for line in text.splitlines()]
    assert lines == ["a.yaml:1:1: error", "a.yaml:1:1: warning", "info", "1 TrainJob in 2 files: 1 error, 1 warning"]


def test_quiet() -> None:
    text = written(diagnostic(INFO), diagnostic(ERROR), diagnostic(WARNING), quiet=True)
    assert [line.split(" JSC")[0] for line in text.splitlines()] == ["a.yaml:1:1: error"]


def test_different_information_of_one_code_is_bounded() -> None:
    text = written(*(diagnostic(INFO, f"message {number}") for number in range(80)))
    assert len(text.splitlines()) == 51
    assert text.splitlines()[-1].endswith("and 29 other places)")
