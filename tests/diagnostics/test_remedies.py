"""What a machine can mend: the edits of a text, and where there are none because something is not written as expected."""

from __future__ import annotations

import pytest

from jobset_compiler.diagnostics.fix import Change, Fix, Remedy, chosen_of, insert_above, meant, quote, rename, replace
from jobset_compiler.diagnostics.place import Edit, Span
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import read_text

TEXT = """\
a: one
b: 'two' # note
c: "three"
d:
  e: 4
  f: 'it"s'
  - x
g: [h, {i: j}]
k: &l m
nn: *l
o: |
  p
q: !!str r
s: >-
  t
u:
- v: w
  x: z
"""


def document(text: str = TEXT) -> Document:
    return read_text(text.replace("  - x\n", ""), "a.yaml")[0][0]


def mended(remedy: Remedy, text: str = TEXT) -> str | None:
    """The lines that are others afterwards; None where nothing can be done."""
    written = document(text)
    fix = remedy.placed(written)
    if fix is None:
        return None
    assert (fix.title, fix.safe) == (remedy.title, remedy.safe)
    now = before = written.text
    for edit in sorted(fix.edits, key=lambda edit: edit.start, reverse=True):
        assert edit.span.file == "a.yaml"
        now = now[: edit.start] + edit.replacement + now[edit.end :]
    return "\n".join(line for line in now.split("\n") if line not in before.split("\n"))


@pytest.mark.parametrize(
    ("remedy", "line"),
    [
        (replace(("a",), "1", safe=True), "a: 1"),
        (replace(("b",), "1", safe=True), "b: '1' # note"),
        (replace(("c",), "1", safe=True), 'c: "1"'),
        (replace(("b",), "1", safe=True, bare=True), "b: 1 # note"),
        (replace(("d", "e"), "5", safe=False), "  e: 5"),
        (replace(("g", 0), "x", safe=True), "g: [x, {i: j}]"),
        (replace(("g", 1, "i"), "x", safe=True), "g: [h, {i: x}]"),
        (replace(("g", 2), "x", safe=True), None),
        (replace(("g", "x"), "x", safe=True), None),
        (replace(("a", "b"), "x", safe=True), None),
        (replace(("nothing",), "x", safe=True), None),
        (replace(("d",), "x", safe=True), None),
        (replace(("g",), "x", safe=True), None),
        (replace(("g", 1), "x", safe=True), None),
        (replace(("nn",), "x", safe=True), None),
        (replace(("o",), "x", safe=True), None),
        (replace(("s",), "x", safe=True), None),
        (replace(("a",), "", safe=True), None),
        (rename(("a",), "aa", safe=True), "aa: one"),
        (rename(("d", "e"), "ee", safe=False), "  ee: 4"),
        (rename(("a",), "b", safe=True), None),
        (rename(("nothing",), "b", safe=True), None),
        (rename(("u", 0, "v"), "vv", safe=True), "- vv: w"),
        (rename(("u", 0, "v"), "x", safe=True), None),
        (quote(("a",)), 'a: "one"'),
        (quote(("d", "e")), '  e: "4"'),
        (quote(("b",)), None),
        (quote(("c",)), None),
        (insert_above(("a",), "x: 1", safe=True), "x: 1"),
        (insert_above(("d", "e"), "x: 1", safe=True), "  x: 1"),
        (insert_above(("u", 0, "v"), "x: 1", safe=True), "- x: 1\n  v: w"),
        (insert_above(("g", 1, "i"), "x: 1", safe=True), None),
        (insert_above(("nn",), "y: 1", safe=True), None),
    ],
)
def test_what_is_written_instead(remedy: Remedy, line: str | None) -> None:
    assert mended(remedy) == line


def test_line_ends_stay_what_they_are() -> None:
    written = document("a: 1\r\nb: 2\r\n")
    fix = insert_above(("b",), "x: 1", safe=True).placed(written)
    assert fix is not None and [edit.replacement for edit in fix.edits] == ["x: 1\r\n"]


def test_a_quoted_key_keeps_its_quotes() -> None:
    assert mended(rename(("a b",), "c", safe=True), "'a b': 1\n") == "'c': 1"
    assert mended(rename(("a",), "c", safe=True), '"\\u0061": 1\n') is None, "it is written otherwise"


@pytest.mark.parametrize(
    ("remedy", "title"),
    [
        (rename(("spec", "a"), "b", safe=True), "rename a to b"),
        (replace(("a",), "b", safe=True), "write b"),
        (replace(("a",), "b", safe=True, bare=True), "write b without quotes"),
        (insert_above(("a",), "b: 1", safe=True), "add b: 1"),
        (quote(("a",)), "put the value in quotes"),
    ],
)
def test_what_a_remedy_is_called(remedy: Remedy, title: str) -> None:
    assert remedy.title == title


def test_the_new_path_of_a_renamed_key() -> None:
    assert rename(("spec", "a"), "b", safe=True).result == ("spec", "b") and replace(("a",), "b", safe=True).result == ()
    assert quote(("a",)).safe is True


@pytest.mark.parametrize(
    ("name", "written", "expected"),
    [("", "x", ()), ("Name", "name", (True,)), ("Name", "nam", (False,)), ("Name", None, (False,)), ("Name", 3, (False,))],
)
def test_another_name_is_a_guess_but_for_its_case(name: str, written: object, expected: tuple[bool, ...]) -> None:
    assert tuple(remedy.safe for remedy in meant(("a",), name, written)) == expected


def test_all_changes_of_a_remedy_or_none() -> None:
    both = Remedy("both", (Change(("a",), "1"), Change(("d", "e"), "2")), safe=True)
    assert mended(both) == "a: 1\n  e: 2"
    assert mended(both._replace(changes=(*both.changes, Change(("nothing",), "3")))) is None
    assert both.placed(None) is None and both._replace(changes=()).placed(document()) is None
    assert both.placed(Document.from_object({"a": 1, "d": {"e": 1}}, "x", 0)) is None, "there is no text"


def fix(title: str, *places: tuple[int, int]) -> Fix:
    return Fix(title, tuple(Edit(Span("a", 1, 1, 1, 1), start, end, "x") for start, end in places), True)


@pytest.mark.parametrize(
    ("fixes", "chosen"),
    [
        ([fix("b", (5, 7)), fix("a", (1, 3))], "ab"),
        ([fix("a", (1, 3)), fix("b", (3, 5))], "ab"),
        ([fix("a", (1, 3)), fix("b", (2, 5))], "a"),
        ([fix("a", (1, 9)), fix("b", (2, 3))], "a"),
        ([fix("b", (1, 3)), fix("a", (1, 3))], "a"),
        ([fix("b", (1, 2)), fix("a", (1, 3))], "b"),
        ([fix("a", (1, 1)), fix("b", (1, 1))], "a"),
        ([fix("a", (1, 1)), fix("b", (1, 3))], "a"),
        ([fix("a", (1, 2)), fix("b", (2, 2)), fix("c", (2, 3))], "ab"),
        ([fix("a", (1, 2), (8, 9)), fix("b", (4, 5)), fix("c", (8, 10))], "ab"),
        ([fix("a", (4, 5), (1, 2)), fix("b", (1, 2))], "b"),
        ([fix("a", (1, 2)), fix("a", (1, 2))], "a"),
        ([], ""),
    ],
)
def test_as_many_as_go_together(fixes: list[Fix], chosen: str) -> None:
    assert "".join(each.title for each in chosen_of(fixes)) == chosen
