"""The quick lane agrees with the complete one about everything that it takes: values, their types, the order of keys; and it takes nearly everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import answers
from jobset_compiler.diagnostics.place import Path
from jobset_compiler.source import lines
from jobset_compiler.source.complete import read_completely
from jobset_compiler.source.compose import compose
from jobset_compiler.source.document import DocumentText
from jobset_compiler.source.line_places import LinePlaces
from jobset_compiler.source.lines import read_plain
from jobset_compiler.source.nodes import find
from jobset_compiler.source.split import split
from tests.golden.cases import all_cases

ROOT = FilePath(__file__).resolve().parents[2]


def exact(value: Any) -> Any:
    """A value with its types and the order of its keys."""
    if isinstance(value, dict):
        return [(key, exact(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [exact(item) for item in value]
    return type(value), value


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """All paths of a value, and below each one that it does not have."""
    yield path
    yield (*path, "absent")
    yield (*path, 99)
    for step, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(item, (*path, step))


def agrees(text: str) -> bool:
    """Whether the quick lane takes a text; where it does, it must agree with the complete one, which then has nothing to say."""
    plain = read_plain(text)
    if plain is None:
        return False
    decoded = read_completely(text)
    assert decoded.fault is None
    assert not decoded.remarks
    assert exact(plain.value) == exact(decoded.value)
    root = compose(text).root
    assert root is not None
    places = LinePlaces(text, DocumentText("", text, 1, 0).line_starts(), plain)
    for path in paths(plain.value):
        assert places.find(path) == find(root, path), path
    return True


def read_value(text: str) -> Any:
    plain = read_plain(text)
    return None if plain is None else plain.value


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
    "flow of words": "a: [b c, d=e, f:g, http://h:80/i, j-k, l.m, +n]\n",
    "words with dashes in flow": "a: [--b=c, -1, -d, --e-f=--g]\nh: {i: -j}\n",
    "flow with quoted keys": "a: {\"b c\": d, 'e': f}\n",
    "flow in a list": "a:\n- [b, c]\n- {d: e}\n",
    "blanks in flow": "a: [ b , c d ]\ne: { f: g , h: 'i' }\n",
    "escapes": r'a: "b\"c\\d\ne\tf\rg"' + "\n",
    "quoted keys": "\"a b\": c\n'd': e\n'f#':\n  \"g:h\": i\nj:\n- 'k': l\n- \"m\"\n",
    "odd letters in keys": "$a: b\nc.d/e-f_g: h\n-i: j\n",
    "list in lists": "a:\n- - - - - b\n",
    "thirty levels": "".join("  " * level + "a:\n" for level in range(30)),
    "long key": "a" * 250 + ": b\n",
    "long line": "a: " + "b" * 5000 + "\nc: [" + "d, " * 200 + "e]\n",
    "carriage returns": "a: b\r\nc: |\r\n  d\r\n  e\r\n",
    "comment in the first line": "--- # a\nb: c\n",
    "comments everywhere": "a: 'b' # c\nd: [e] # f\ng: # h\n- # i\n  j: k\n- l # m\n",
    "words": "a: yes\nb: 0x1F\nc: 1e3\nd: 2001-12-14\ne: 0644\nf: -1\ng: --x\n",
    "start of a document": "---\na: b\n",
    "other letters": "a: grüße ✓\n",
    "no line break at the end": "a: |\n  b",
    "nothing in brackets but blanks": "a: [ ]\nb: {  }\nc: [ [ ] , { } ]\n",
    "quotes with nothing and with quotes": "a: ''\nb: \"\"\nc: ''''\nd: '''e'\nf: [\"\", '''g']\n",
    "backslashes at the ends of quotes": 'a: "b\\\\"\nc: "\\""\nd: ["\\\\", "e\\"f"]\n',
    "an item that is a comment": "a:\n-   # b\n  - c\n- d: # e\n    f: g\n",
    "signs of numbers in flow": "a: [1, -1, 0x1F, 1e3, 2001-12-14, yes]\n",
    "blanks at the ends of lines": "a: b  \nc:   \n  d: e \n",
}
LEFT = {
    "tab": "a:\tb\n",
    "carriage return alone": "a: b\rc: d\n",
    "anchor": "a: &x b\nc: *x\n",
    "tag": "a: !!str 1\n",
    "merge": "<<: {a: b}\n",
    "folded": "a: >\n  b\n",
    "kept line breaks": "a: |+\n  b\n\n",
    "text over lines": "a: b\n  c\n",
    "quotes over lines": 'a: "b\n  c"\n',
    "other escapes": 'a: "\\x41"\n',
    "escape at the end": 'a: "b\\\n',
    "repeated key": "a: b\na: c\n",
    "key that is no string": "yes: a\n",
    "no blank after a quoted key": '"a":b\n',
    "blank before the colon": '"a" : b\n',
    "repeated key in flow": "a: {b: c, b: d}\n",
    "nothing after the colon in flow": "a: {b: , c: d}\n",
    "infinity in flow": "a: [.inf]\n",
    "key that is too long": "a" * 300 + ": b\n",
    "many dashes": "a:\n" + "- " * 300 + "b\n",
    "infinity": "a: .inf\n",
    "two values on a line": "a: b: c\n",
    "a comment at once behind quotes": 'a: "b"#c\n',
    "words behind quotes": "a: 'b' c\n",
    "words behind brackets": "a: [b] c\n",
    "a comment at once behind brackets": "a: [b]#c\n",
    "a colon at the end": "a: b:\n",
    "no blank after a quoted key in flow": 'a: {"b":c}\n',
    "no end of quotes in flow": "a: ['b, c]\n",
    "no end of a quoted key in flow": "a: {'b: c}\n",
    "nothing after a comma in flow": "a: [b, ]\nc: {d: e, }\n",
    "the other bracket": "a: [b}\n",
    "a dash alone in flow": "a: [-, b]\n",
    "three dashes in flow": "a: [---]\n",
    "a sign of equality in flow": "a: [=b]\n",
    "other escapes in flow": 'a: ["\\x41"]\n',
    "an escaped quote that ends nothing": 'a: "b\\"\n',
    "a key of dashes": "---a: b\n",
    "a key of dots": "...a: b\n",
    "a dash as a key": "-: a\n",
    "list at the root": "- a\n",
    "text at the root": "a\n",
    "bad indentation": "a:\n    b: c\n  d: e\n",
    "directive": "%YAML 1.1\n---\na: b\n",
    "end of the document": "a: b\n...\n",
    "flow that is too long": "c: [" + "d, " * 5000 + "e]\n",
    "flow over lines": "a: [b,\n  c]\n",
    "colon in flow": "a: [b: c]\n",
    "colon at the end in flow": "a: [b:]\n",
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
def test_what_is_rare_is_left_to_the_complete_lane(text: str) -> None:
    assert read_value(text) is None


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*.yaml")) + sorted(ROOT.glob("jobset_compiler/runtimes/*/*.yaml")), ids=lambda path: path.stem)
def test_examples_and_bundled_runtimes_take_the_quick_lane(path: FilePath) -> None:
    for text in path.read_text().split("\n---\n"):
        assert agrees(text)


def test_nearly_all_manifests_take_the_quick_lane() -> None:
    """Of what there is nothing to say about: a change for which more is left to the complete lane makes every start slower."""
    taken = left = 0
    for text in [case.text for case in all_cases()]:
        for piece in split([text.removeprefix("\ufeff")]):
            if piece.fault or not piece.text.strip("\n\r "):
                continue
            if read_plain(piece.text) is not None:
                taken += 1
            elif read_completely(piece.text)[1:] == ((), None):
                left += 1
    assert taken > 1000
    assert taken / (taken + left) > 0.97


def test_no_more_of_upstreams_sample_is_left() -> None:
    """The YAML documents of the recorded inputs; of the 249 that are left most have an escape that is seldom seen, or something to be told."""
    taken = left = 0
    for case in answers.cases("compile"):
        for piece in split([] if case["input"].startswith("{") else [case["input"]]):
            if piece.text.strip("\n\r "):
                taken += 1
                left += read_plain(piece.text) is None
    assert taken > 5000
    assert left <= 249


def test_what_was_read_before_changes_nothing() -> None:
    texts = ["a: 1\nb: [yes]\n", "a: '1'\nb: [\"yes\"]\n", "a: yes\nb: [1]\n", "a: 1\nb: [yes]\n"]
    first, second, third, again = (read_value(text) for text in texts)
    assert first == {"a": 1, "b": [True]}
    assert second == {"a": "1", "b": ["yes"]}
    assert third == {"a": True, "b": [1]}
    assert again is not None
    again["b"].append("changed")
    assert read_value(texts[0]) == first


def test_more_lines_than_are_remembered() -> None:
    for start in range(0, 30_000, 1000):
        text = "".join(f"key{number}: {number}\n" for number in range(start, start + 1000))
        assert read_value(text) == {f"key{number}": number for number in range(start, start + 1000)}
    long = "x" * (lines._LONGEST_REMEMBERED + 1)
    assert read_value(f"a: {long}\n") == {"a": long}
    assert len(lines._LINES) <= lines._REMEMBERED_LINES
    assert max(map(len, lines._LINES)) <= lines._LONGEST_REMEMBERED


PIECES = st.lists(
    st.sampled_from(
        ["a", "b: ", "- ", "\n", "\n  ", "\n- ", "\n    ", ": ", ":", " ", "#", " #", "|", "|-\n  ", "'", '"', "''", "[", "]", "{", "}", ", ", ",",
         "~", "1", "yes", "-", "?", "&a ", "*a", "!", "%", "@", "---", "...", "<<", "key", ".", "/", "=", "\\", "\t", "é"]
    ),
    max_size=40,
)  # fmt: skip


@settings(deadline=None)
@given(PIECES)
def test_whatever_is_taken_means_the_same_to_the_complete_lane(pieces: list[str]) -> None:
    text = "".join(pieces)
    if not text.strip("\n\r ") or any(line.startswith("---") for line in text.split("\n")[1:]):
        return  # the splitter lets no such text through
    agrees(text)


@settings(deadline=None)
@given(st.data())
def test_a_changed_manifest_means_the_same_or_is_left(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(sorted(TAKEN.values())))
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        text = text[:position] + data.draw(st.sampled_from(["", " ", "\n", "- ", ": ", "#", "'", "|", "  ", "[", "}", "a"])) + text[position + length :]
    if not text.strip("\n\r ") or any(line.startswith("---") for line in text.split("\n")[1:]):
        return
    agrees(text)
