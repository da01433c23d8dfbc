"""The reader without a YAML library agrees with libyaml about everything that it takes: values, order, types, positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobset_compiler.source.compose import compose_yaml, read_yaml
from jobset_compiler.source.events import default_parser
from jobset_compiler.source.lines import compose_nodes, read_value
from jobset_compiler.source.memory import RareError, ScalarMemory
from jobset_compiler.source.problems import SourceError

ROOT = Path(__file__).resolve().parents[2]


def shape(node: Any) -> Any:
    return node.kind, node.start, node.end, node.text, node.plain, node.quoted, node.tag, [shape(child) for child in node.children]


def exact(value: Any) -> Any:
    """A value with its types and the order of its keys."""
    if isinstance(value, dict):
        return [(key, exact(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [exact(item) for item in value]
    return type(value), value


def agrees(text: str) -> bool:
    """Whether the quick reader takes a text; where it does, it must agree with libyaml."""
    try:
        value = read_value(text, ScalarMemory())
    except RareError:
        return False
    decoded = read_yaml(text, default_parser, ScalarMemory())
    assert exact(value) == exact(decoded.value)
    assert not decoded.findings
    assert shape(compose_nodes(text)) == shape(compose_yaml(text, default_parser))
    return True


TAKEN = {
    "mapping": "a: b\nc: 1\n",
    "nested": "a:\n  b:\n    c: d\n  e: f\n",
    "null": "a:\nb: ~\nc:\n  d:\n",
    "list at the indentation of its key": "a:\n- b\n- c\nd: e\n",
    "list further in": "a:\n  - b\n  - c: d\n    e: f\n",
    "list in a list": "a:\n- - b\n  - c\n-\n  - d\n",
    "null in a list": "a:\n-\n- b\n",
    "quotes": "a: \"b: c # d\"\ne: 'it''s'\n",
    "comments": "# x\na: b # y\n  # z\nc: # u\n  d: e\n",
    "literal": "a: |\n  b\n   c\n\n  d\ne: |-\n  f\n",
    "literal in a list": "a:\n- |\n  b\n- c: |\n    d\n",
    "flow": "a: [b, 'c', 1, {d: e}]\nf: {}\ng: []\nh: {i: j, k: [l]} # m\n",
    "words": "a: yes\nb: 0x1F\nc: 1e3\nd: 2001-12-14\ne: 0644\nf: -1\ng: --x\n",
    "start of a document": "---\na: b\n",
    "other letters": "a: grüße ✓\n",
    "no line break at the end": "a: |\n  b",
    "blanks at the ends of lines": "a: b  \nc:   \n  d: e \n",
}
LEFT = {
    "tab": "a:\tb\n",
    "carriage return": "a: b\r\n",
    "anchor": "a: &x b\nc: *x\n",
    "tag": "a: !!str 1\n",
    "merge": "<<: {a: b}\n",
    "folded": "a: >\n  b\n",
    "kept line breaks": "a: |+\n  b\n\n",
    "text over lines": "a: b\n  c\n",
    "quotes over lines": 'a: "b\n  c"\n',
    "escape": 'a: "\\n"\n',
    "repeated key": "a: b\na: c\n",
    "key that is no string": "yes: a\n",
    "quoted key": '"a": b\n',
    "infinity": "a: .inf\n",
    "two values on a line": "a: b: c\n",
    "list at the root": "- a\n",
    "text at the root": "a\n",
    "bad indentation": "a:\n    b: c\n  d: e\n",
    "directive": "%YAML 1.1\n---\na: b\n",
    "end of the document": "a: b\n...\n",
    "flow over lines": "a: [b,\n  c]\n",
    "colon in flow": "a: [b:c]\n",
    "comma at the end": "a: [b, ]\n",
    "blanks in front of a literal": "a: |\n    \n  b\n",
    "byte order mark": "\ufeffa: b\n",
    "line separator": "a: b\u2028c\n",
    "not UTF-8": "a: \udcff\n",
    "deep": "a:\n" + "".join(" " * depth + "a:\n" for depth in range(1, 300)),
}


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_what_is_plain_is_taken(text: str) -> None:
    assert agrees(text)


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_is_rare_is_left_to_the_parser(text: str) -> None:
    with pytest.raises(RareError):
        read_value(text, ScalarMemory())


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*.yaml")) + sorted(ROOT.glob("jobset_compiler/runtimes/*/*.yaml")), ids=lambda path: path.stem)
def test_examples_and_bundled_runtimes_need_no_parser(path: Path) -> None:
    for text in path.read_text().split("\n---\n"):
        assert agrees(text)


def test_memory_of_scalars_changes_nothing() -> None:
    memory = ScalarMemory()
    texts = ["a: 1\nb: yes\n", "a: '1'\nb: \"yes\"\n", "a: yes\nb: 1\n"]
    assert [read_value(text, memory) for text in texts] == [read_value(text, ScalarMemory()) for text in texts]


PIECES = st.lists(
    st.sampled_from(
        ["a", "b: ", "- ", "\n", "\n  ", "\n- ", "\n    ", ": ", ":", " ", "#", " #", "|", "|-\n  ", "'", '"', "''", "[", "]", "{", "}", ", ", ",",
         "~", "1", "yes", "-", "?", "&a ", "*a", "!", "%", "@", "---", "...", "<<", "key", ".", "/", "=", "\\", "\t", "é"]
    ),
    max_size=40,
)  # fmt: skip


@settings(deadline=None)
@given(PIECES)
def test_whatever_is_taken_means_the_same_to_libyaml(pieces: list[str]) -> None:
    text = "".join(pieces)
    if not text.strip("\n\r ") or any(line.startswith("---") for line in text.split("\n")[1:]):
        return  # the splitter lets no such text through
    try:
        agrees(text)
    except SourceError as error:
        raise AssertionError(f"taken, although it is no YAML: {error}") from None


@settings(deadline=None)
@given(st.data())
def test_a_changed_manifest_means_the_same_to_libyaml_or_is_left(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(sorted(TAKEN.values())))
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        text = text[:position] + data.draw(st.sampled_from(["", " ", "\n", "- ", ": ", "#", "'", "|", "  ", "[", "}", "a"])) + text[position + length :]
    if not text.strip("\n\r ") or any(line.startswith("---") for line in text.split("\n")[1:]):
        return
    try:
        agrees(text)
    except SourceError as error:
        raise AssertionError(f"taken, although it is no YAML: {error}") from None
