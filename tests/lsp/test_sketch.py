"""What a text seems to say around the cursor (`^` here), however broken it is: the whole answer for each place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.lsp.sketch import SketchNode, sketch_at, unquoted

if TYPE_CHECKING:
    from jobset_compiler.lsp.sketch import Sketch

SPEC = "kind: TrainJob\nspec:\n"


def at_cursor(text: str) -> tuple[str, Sketch | None]:
    assert text.count("^") == 1
    plain = text.replace("^", "")
    return plain, sketch_at(plain, text.index("^"))


def sketched(text: str) -> tuple[Any, ...] | None:
    """Kind, path, key, whether it is a value, the word under the cursor, the other keys."""
    plain, found = at_cursor(text)
    return None if found is None else (found.kind, found.path, found.key, found.in_value, plain[found.start : found.end], sorted(found.siblings))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("^", ("", (), None, False, "", [])),
        ("kind: TrainJob\n^", ("TrainJob", (), None, False, "", ["kind"])),
        ("kind: TrainJob\nsp^ec:\n", ("TrainJob", (), "spec", False, "spec", ["kind"])),
        ("kind: TrainJob\nspec^\n", ("TrainJob", (), None, False, "spec", ["kind"])),
        (f"{SPEC}  a: 1\n  ^\n  b: 2\nmetadata:\n", ("TrainJob", ("spec",), None, False, "", ["a", "b"])),
        (f"{SPEC}  a: 1\n  ^x: 2\n", ("TrainJob", ("spec",), "x", False, "x", ["a"])),
        (f"{SPEC}  a:\n    b:\n      c: 1\n    ^\n  d: 1", ("TrainJob", ("spec", "a"), None, False, "", ["b"])),
        (f"{SPEC}  a:\n    b:\n      c: 1\n  ^d: 1", ("TrainJob", ("spec",), "d", False, "d", ["a"])),
        (f"{SPEC}  a:\n    b: 1\n   c: ^", ("TrainJob", ("spec", "a"), "c", True, "", ["b"])),
        (f"{SPEC}  \"a b\": 1\n  'c': ^", ("TrainJob", ("spec",), "c", True, "", ["a b"])),
        (f"{SPEC}  -x: ^", ("TrainJob", ("spec",), "-x", True, "", [])),
        (f"{SPEC}  http://x^", ("TrainJob", ("spec",), None, False, "http://x", [])),
        (f"{SPEC}\ta: 1\n\t^\n", ("TrainJob", ("spec",), None, False, "", ["a"])),
        (f"{SPEC}  a: 1\n\tb: ^\n", ("TrainJob", ("spec",), "b", True, "", ["a"])),
        ("kind: TrainJob\n# note: 1\nspec:\n  # note\n  a: ^", ("TrainJob", ("spec",), "a", True, "", [])),
        ("a: 1\r\nkind: TrainJob\r\nspec:\r\n  c: ^x\r\n  d: 1\r\n", ("TrainJob", ("spec",), "c", True, "x", ["d"])),
    ],
)
def test_maps(text: str, expected: tuple[Any, ...]) -> None:
    assert sketched(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{SPEC}  a: ^", ("TrainJob", ("spec",), "a", True, "", [])),
        (f"{SPEC}  a:^", ("TrainJob", ("spec",), "a", True, "", [])),
        (f"{SPEC}  a :^", ("TrainJob", ("spec",), "a", True, "", [])),
        (f"{SPEC}  - a:^", ("TrainJob", ("spec", 0), "a", True, "", [])),
        (f"{SPEC}  a:\t^", ("TrainJob", ("spec",), "a", True, "", [])),
        (f"{SPEC}  a: wo^rd rest", ("TrainJob", ("spec",), "a", True, "word", [])),
        (f"{SPEC}  a: one wo^rd", ("TrainJob", ("spec",), "a", True, "word", [])),
        (f"{SPEC}  a: 'wo^rd' # x", ("TrainJob", ("spec",), "a", True, "word", [])),
        (f"{SPEC}  a: x^#y", ("TrainJob", ("spec",), "a", True, "x", [])),
        (f"{SPEC}  a: b#^", ("TrainJob", ("spec",), "a", True, "b#", [])),
        (f"{SPEC}  a: *x^", ("TrainJob", ("spec",), "a", True, "*x", [])),
        ("kind: Pod\nspec:\n  a: ^", ("", ("spec",), "a", True, "", [])),
        ("kind: 'TrainJob'\nspec:\n  ^", ("TrainJob", ("spec",), None, False, "", [])),
        ('kind: "TrainingRuntime" # c\nspec:\n  ^', ("TrainingRuntime", ("spec",), None, False, "", [])),
        ("kind: ClusterTrainingRuntime # c\nspec:\n  ^", ("ClusterTrainingRuntime", ("spec",), None, False, "", [])),
    ],
)
def test_values(text: str, expected: tuple[Any, ...]) -> None:
    assert sketched(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{SPEC}  a:\n  - ^", ("TrainJob", ("spec", "a", 0), None, False, "", [])),
        (f"{SPEC}  a:\n  - b\n  - ^", ("TrainJob", ("spec", "a", 1), None, False, "", [])),
        (f"{SPEC}  a:\n  - x: 1\n    ^y: 2\n  - z: 3\n", ("TrainJob", ("spec", "a", 0), "y", False, "y", ["x"])),
        (f"{SPEC}  a:\n  - x: 1\n  - z: ^\n", ("TrainJob", ("spec", "a", 1), "z", True, "", [])),
        (f"{SPEC}  a:\n    - x: 1\n    - y: 2\n    - ^\n", ("TrainJob", ("spec", "a", 2), None, False, "", [])),
        (f"{SPEC}  a:\n  - - x: 1\n    - y: ^\n", ("TrainJob", ("spec", "a", 0, 1), "y", True, "", [])),
        (f"{SPEC}  a:\n  - - x: 1\n  - - y: ^\n", ("TrainJob", ("spec", "a", 1, 0), "y", True, "", [])),
        (f"{SPEC}  a:\n   - b: 1\n  c: ^", ("TrainJob", ("spec",), "c", True, "", ["a"])),
        (f"{SPEC}  a:\n  - b: 1\n  c:\n  - d: ^", ("TrainJob", ("spec", "c", 0), "d", True, "", [])),
    ],
)
def test_items_of_lists(text: str, expected: tuple[Any, ...]) -> None:
    assert sketched(text) == expected


@pytest.mark.parametrize(
    ("text", "path", "key", "word"),
    [
        ("{b: 1, ^", ("a",), None, ""),
        ("{b: ^", ("a",), "b", ""),
        ("{b: [^", ("a", "b", 0), None, ""),
        ("{b: [x], c^", ("a",), None, "c"),
        ("[{b: c}, {d: ^", ("a", 0), "d", ""),
        ("{b: {c: 1}, d: x^", ("a",), "d", "x"),
        ("{'b': {\"c\": x^y}}", ("a", "b"), "c", "xy"),
        ("[x, y^", ("a", 0), None, "y"),
        ("[b: ^", ("a", 0), "b", ""),
        ("[[x], [^", ("a", 0, 0), None, ""),
        ("{b: 'x, y: z', c: ^", ("a",), "c", ""),
        ("{b: x:y, c: ^", ("a",), "c", ""),
        ("{b: 1}^", (), None, ""),
    ],
)
def test_flow_collections(text: str, path: tuple[Any, ...], key: str | None, word: str) -> None:
    found = sketched(f"{SPEC}  a: {text}")
    assert found == ("TrainJob", ("spec", *(path or ("a",))), key, key is not None, word, [])


@pytest.mark.parametrize("value", ["'{b: ^", '"[b: ^', "  '{^"])
def test_a_bracket_in_quotes_opens_nothing(value: str) -> None:
    assert sketched(f"{SPEC}  a: {value}") == ("TrainJob", ("spec",), "a", True, "", [])


@pytest.mark.parametrize("header", ["|", "|-", ">", ">2 # why", "|+", "|2-"])
def test_a_text_over_several_lines_is_passed_over(header: str) -> None:
    above = f"{SPEC}  a: {header}\n    x: 1\n  \n      y: 2\n"
    assert sketched(f"{above}  b: ^") == ("TrainJob", ("spec",), "b", True, "", ["a"])
    assert sketched(f"{above}    z: ^") is None
    assert sketched(f"{above}   z: ^") is None
    assert sketched(f"{above}\t\tz: ^") is None


def test_behind_a_text_over_several_lines_everything_is_as_before() -> None:
    assert sketched(f"{SPEC}  a: |\n    x: 1\n  b:\n    c: ^") == ("TrainJob", ("spec", "b"), "c", True, "", [])
    assert sketched(f"{SPEC}  a: |\n    x: 1\n  b:\n    - d: 1\n      e: ^") == ("TrainJob", ("spec", "b", 0), "e", True, "", ["d"])


@pytest.mark.parametrize("value", ["|x", "| x", "a |", "'|'"])
def test_what_only_looks_like_the_beginning_of_such_a_text(value: str) -> None:
    assert sketched(f"{SPEC}  a: {value}\n    z: ^") == ("TrainJob", ("spec", "a"), "z", True, "", [])


@pytest.mark.parametrize("text", ["# ^", "a: 1 # ^", "a: 1\t#^", "  #a: ^", f"{SPEC}  a:b: ^", f"{SPEC}  a:^b"])
def test_there_is_nothing_in_a_comment_nor_in_what_is_no_key(text: str) -> None:
    assert sketched(text) is None


@pytest.mark.parametrize(
    ("text", "kind", "siblings"),
    [
        ("a: 1\n---\nkind: TrainJob\n^\n---\nb: 2\n", "TrainJob", ["kind"]),
        ("a: 1\n--- # x\nkind: TrainJob\n^", "TrainJob", ["kind"]),
        ("a: 1\n---\tx\nkind: TrainJob\n^", "TrainJob", ["kind"]),
        ("kind: TrainJob\n^\n---", "TrainJob", ["kind"]),
        ("kind: TrainJob\n---\n^", "", []),
        ("kind: TrainJob\n---x\n^", "TrainJob", ["kind"]),
        ("kind: TrainJob\n ---\n^", "TrainJob", ["kind"]),
        ("---\n---\nkind: TrainJob\n---\nc: 1\n^\n---\nd: 1", "", ["c"]),
    ],
)
def test_the_document_around_the_cursor(text: str, kind: str, siblings: list[str]) -> None:
    assert sketched(text) == (kind, (), None, False, "", siblings)


TREE = """\
a: {b: 'x, y', "c": {d: z}, e: 1} # note
f: "q # no"
g: plain # note
h: 'half
i:
- j: 1
- k
  m
-
  - n
l:
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("a", "b"), "x, y"),
        (("a", "c", "d"), "z"),
        (("a", "c", "x"), ""),
        (("a", "x"), ""),
        (("a", "e"), "1"),
        (("f",), "q # no"),
        (("g",), "plain"),
        (("h",), "'half"),
        (("i", 0, "j"), "1"),
        (("i", 1), "k"),
        (("i", 2), ""),
        (("i", 2, 0), "n"),
        (("i", 3), ""),
        (("l",), ""),
        (("nothing",), ""),
    ],
)
def test_scalars_of_a_sketch(path: tuple[str | int, ...], text: str) -> None:
    found = sketch_at(TREE, len(TREE))
    assert found is not None and found.root.text(*path) == text


def test_nodes_of_a_sketch() -> None:
    found = sketch_at(TREE, len(TREE))
    assert found is not None
    root = found.root
    items = root.items("i")
    assert [(item.path, item.is_item, item.value, item.column, item.line) for item in items] == [
        (("i", 0), True, "", 0, 5),
        (("i", 1), True, "k", 0, 6),
        (("i", 2), True, "", 0, 8),
    ]
    assert root.items("a") == root.items("i", 0) == root.items("nothing") == []
    inner = root.at("i", 0, "j")
    assert inner is not None and (inner.path, inner.is_item, inner.value, inner.column, inner.line) == (("i", 0, "j"), False, "1", 2, 5)
    assert root.at() is root and root.path == () and root.at("i", 7) is None and root.at("i", 7, "j") is None
    assert SketchNode("a", 0, 0, None).children == []


@pytest.mark.parametrize(("text", "plain"), [("'a'", "a"), ('"a"', "a"), ("''", ""), ("'", "'"), ("", ""), ("'a\"", "'a\""), ("aba", "aba"), ("a", "a")])
def test_quotes_go_in_pairs(text: str, plain: str) -> None:
    assert unquoted(text) == plain
