from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobset_compiler.diagnostics.place import Span
from jobset_compiler.source import nodes
from jobset_compiler.source.document import Document
from jobset_compiler.source.nodes import key_value
from jobset_compiler.source.reader import read_text
from tests.source.test_reader import TREE, written

TEXT = """\
# head
kind: A
spec:
  env:
  - name: X   # first
    value: &v "1"
  - {name: Y, value: *v}
  script: |
    a
    b
base: &base
  k: 1
own:
  <<: *base
  m: 2
"""


def document(text: str = TEXT) -> Document:
    documents, _ = read_text(text, "f.yaml")
    return documents[0]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("kind",), (2, 7, 2, 8)),
        (("spec", "env"), (5, 3, 7, 25)),
        (("spec", "env", 0), (5, 5, 6, 18)),
        (("spec", "env", 0, "name"), (5, 11, 5, 12)),
        (("spec", "env", 0, "value"), (6, 15, 6, 18)),
        (("spec", "env", 1), (7, 5, 7, 25)),
        (("spec", "env", 1, "value"), (6, 15, 6, 18)),
        (("spec", "script"), (8, 11, 10, 6)),
        (("base",), (12, 3, 12, 7)),
        (("own", "k"), (12, 6, 12, 7)),
        (("own", "m"), (15, 6, 15, 7)),
        (("spec", "env", 9, "name"), (5, 3, 7, 25)),
        (("spec", "nothing", "here"), (4, 3, 10, 6)),
        ((), (2, 1, 15, 7)),
    ],
)
def test_a_value_is_located(path: tuple[Any, ...], expected: tuple[int, ...]) -> None:
    assert document().locate(path) == Span("f.yaml", *expected)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("kind",), (2, 1, 2, 5)),
        (("spec", "env"), (4, 3, 4, 6)),
        (("spec", "env", 0), (5, 5, 6, 18)),
        (("spec", "env", 1, "value"), (7, 15, 7, 20)),
        (("own", "k"), (12, 3, 12, 4)),
        (("spec", "absent"), (3, 1, 3, 5)),
    ],
)
def test_a_key_is_located(path: tuple[Any, ...], expected: tuple[int, ...]) -> None:
    assert document().locate_key(path) == Span("f.yaml", *expected)


def test_the_alias_on_the_way_is_known() -> None:
    assert document().alias_site(("spec", "env", 1, "value")) == Span("f.yaml", 7, 22, 7, 24)
    assert document().alias_site(("own", "k")) == Span("f.yaml", 14, 7, 14, 12)
    assert document().alias_site(("own", "m")) is None
    assert document().alias_site(("spec", "env", 0, "value")) is None


def test_lines_are_those_of_the_file() -> None:
    documents, _ = read_text("a: 1\n---\n# c\nb:\n- c: 2\n---\r\nd: 3\r\n", "f")
    assert [(d.start_line, d.text, d.index) for d in documents] == [(1, "a: 1\n", 0), (3, "# c\nb:\n- c: 2\n", 1), (7, "d: 3\r\n", 2)]
    assert documents[1].locate(("b", 0, "c")) == Span("f", 5, 6, 5, 7)
    assert documents[1].source_line(5) == "- c: 2"
    assert documents[1].source_line(1) == ""
    assert documents[2].source_line(7) == "d: 3"
    assert [(d.start, d.end) for d in documents] == [(0, 5), (9, 23), (28, 34)]


def test_breaks_that_only_yaml_knows_do_not_move_lines() -> None:
    found = document('a: "x\u2028y\x85z"\nb: 1\n')
    assert found.locate(("b",)) == Span("f.yaml", 2, 4, 2, 5)


def test_a_byte_order_mark_takes_no_column() -> None:
    assert document("\ufeffa: b\n").locate(("a",)) == Span("f.yaml", 1, 4, 1, 5)


def test_items_of_a_list_are_located_in_their_file() -> None:
    documents, _ = read_text("kind: List\nitems:\n- kind: A\n  x: 1\n- kind: B\n", "f")
    assert documents[0].locate(("x",)) == Span("f", 4, 6, 4, 7)
    assert documents[1].locate(()) == Span("f", 5, 3, 5, 10)


def test_json_is_located() -> None:
    documents, _ = read_text('\n{"a": [1, {"b": "\\ud83d\\ude00"}]}\n{"c":\n  true}', "f")
    assert documents[0].locate(("a", 1, "b")) == Span("f", 2, 17, 2, 31)
    assert documents[0].locate_key(("a", 1, "b")) == Span("f", 2, 12, 2, 15)
    assert documents[1].locate(("c",)) == Span("f", 4, 3, 4, 7)


def test_objects_without_text_have_no_place() -> None:
    made = Document.from_object({"a": 1}, "<object 0>")
    assert made.locate(("a",)) == Span("<object 0>", 0, 0, 0, 0)
    assert made.alias_site(("a",)) is None
    assert (made.text, made.start_line, made.source_line(1)) == ("", 0, "")


def test_a_document_does_not_change() -> None:
    with pytest.raises(AttributeError):
        document().value = 1


@pytest.mark.parametrize("text", ["spec:\n", "spec: &spec\n", '{"spec": {'], ids=["plain", "with an anchor", "JSON"])
def test_places_in_a_wide_mapping_are_found_in_one_pass(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked at does not grow with the number of places that are asked for."""
    size = 300
    member, end = ('"field%d": 1,\n', '"last": 1}}') if text.startswith("{") else ("  field%d: 1\n", "  last: 1\n")
    found = document(text + "".join(member % number for number in range(size)) + end)
    looked_at = 0

    def counted(key: Any) -> Any:
        nonlocal looked_at
        looked_at += 1
        return key_value(key)

    monkeypatch.setattr(nodes, "key_value", counted)
    for number in range(size):
        assert found.locate_key(("spec", f"field{number}")).line == number + (1 if text.startswith("{") else 2)
    assert looked_at <= size + 2


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict) and value:
        return [leaf for key, member in value.items() for leaf in leaves(member, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
    return [(path, value)]


@settings(max_examples=120, deadline=None)
@given(TREE, st.sampled_from([True, False, None]))
def test_the_text_at_a_place_is_the_text_of_its_value(tree: Any, flow: bool | None) -> None:
    documents, _ = read_text("---\n" + written({"root": tree}, flow))
    (found,) = documents
    for path, value in leaves(found.value):
        start, end = found.offsets(path)
        piece = found.text[start:end]
        if isinstance(value, str) and "\n" in piece:
            continue  # a scalar over several lines means something only in its place
        reread, problems = read_text(f"- {piece}\n")
        assert not any(problem.is_error for problem in problems), piece
        assert reread[0].value == [value]


def test_keys_of_json_are_what_they_are() -> None:
    """No word of YAML among them, and no merge."""
    text = '{\n "yes": 1,\n "1e3": {"<<": {"~": [2]}},\n "\\u00e9\\ud800": "a"}'
    (found,) = read_text(text, "f.json")[0]
    assert found.value == {"yes": 1, "1e3": {"<<": {"~": [2]}}, "\u00e9\ufffd": "a"} and found.is_json
    assert found.locate(("yes",)) == Span("f.json", 2, 9, 2, 10)
    assert found.locate_key(("1e3",)) == Span("f.json", 3, 2, 3, 7)
    assert found.locate(("1e3", "<<", "~", 0)) == Span("f.json", 3, 23, 3, 24)
    assert found.locate(("1e3", "<<", "~")) == Span("f.json", 3, 22, 3, 25)
    assert found.locate(("\u00e9\ufffd",)) == Span("f.json", 4, 18, 4, 21)
    assert found.locate(("1e3", "~")) == Span("f.json", 3, 9, 3, 27)


def test_a_document_stays_as_it_is() -> None:
    with pytest.raises(AttributeError, match=r"^a Document does not change: value$"):
        document().value = None


def test_documents_of_json_have_their_lines_and_offsets() -> None:
    text = ' {"a": 1}\n\n{"b":\n 2} {"c": 3}\n---\nd: 4\n'
    documents, problems = read_text(text, "f")
    assert [(each.value, each.start, each.end, each.start_line, each.index) for each in documents] == [
        ({"a": 1}, 1, 9, 1, 0),
        ({"b": 2}, 11, 20, 3, 1),
        ({"c": 3}, 21, 29, 4, 2),
    ]
    assert [(problem.slug, problem.span.line, problem.span.column) for problem in problems] == [("json-syntax", 5, 1)]
    assert documents[1].locate(("b",)) == Span("f", 4, 2, 4, 3)


@pytest.mark.parametrize("sign", ["|", ">", "|2-"])
def test_a_block_ends_with_its_last_line(sign: str) -> None:
    found = document(f"a: {sign}\n  b\n  c\n\n\n# d\ne: &x 1\n")
    assert found.locate(("a",)) == Span("f.yaml", 1, 4, 3, 4)


def test_what_is_below_a_missing_member_stands_where_the_nearest_ancestor_does() -> None:
    assert document().locate(("spec", "missing", "script")) == document().locate(("spec",)) != document().locate(("spec", "script"))
