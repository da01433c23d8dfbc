"""What is said of texts that cannot be read, all of it: place from beginning to end, words, advice. `--snapshot-update` writes the texts."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.source.events import pure_parser
from jobset_compiler.source.reader import read_text
from tests.source.test_reader import REFUSED
from tests.source.test_syntax import SLIPS, STRANGE

TEXTS = {name: text for name, (text, *_) in (SLIPS | STRANGE).items()} | {f"{text!r}": text for text, _ in REFUSED}
TEXTS |= {
    "a character of half a pair": "a: 1\nb: x\ud83d\n",
    "an escape character": "a: 1\nb: x\x1by\n",
    "a key twice": "a: {k: 1, k: 2}\n",
    "a key twice in a list": "a:\n- k: 1\n  k: 2\n",
    "JSON with an error": '{"a": 1,\n "b": }\n',
    "JSON that goes on": '{"a": 1} x\n',
    "text after the end": "a: 1\n...\nb: 2\n",
    "an anchor that is too late": "a: *x\nb: &x 1\n",
    "an anchor that is nowhere": "a: *x\n",
    "no key": "a: 1\n: b\n",
    "a list as a key": "a: 1\n[b]: c\n",
    "text after braces": "{a: 1}}\n",
    "braces of a template as a key": "a: {{b}}\n",
    "JSON that has no end": '{"a": 1}\n{"b": [1,\n',
    "JSON that is not a number": '{"a": 1}\n{"b": 2}\n {"c": NaN}',
    "JSON with a number that is too large": '{"a": 1}\n{"b": 2}\n {"c": -1e999}',
    "JSON that is too deep": '\n{"a":' * 300 + "1" + "}" * 300,
    "JSON with keys twice": '{"a": [{"k": 1}, {"k": 1, "l": {"m": 1,\n "m": 2}, "k": 3, "k": 4}]}\n',
    "an object twice, without a line break": "{kind: A, apiVersion: v1, kind: B, apiVersion: v1}\n",
    "an object twice, in lines of Windows": "kind: A\r\napiVersion: v1\r\nkind: B\r\napiVersion: v1\r\n",
    "an object twice, in part": "kind: A\napiVersion: v1\nkind: B\n",
    "a word as a tag": "a: !!int x\n",
    "a date as an integer": "a: !!int 2001-12-14\n",
    "no base64": "a: !!binary ab$=\n",
    "a tag without a name": "a: !! b\n",
    "an unknown directive": "%FOO bar\n---\na: 1\n",
    "a directive and no document": "%YAML 1.1\na: 1\n",
    "a directive of another version": "%YAML 1.2\n---\na: 1\n",
    "an anchor without a name": "a: [&, b]\n",
    "an escape of half a pair": 'a: "\\ud83d"\n',
    "an anchor with a sign": "a: &x/y 1\n",
    "an escape that is no character": 'a: "\\U00110000"\n',
    "a tab before a block": "a: |\n\t b\n",
    "a tab within a value": "a:\n  b: c\n\td\n",
    "a mark of another file": "a: 1\n>>>>>>> topic\nb: 2\n",
    "a mark between both": "a: 1\n=======\nb: [\n",
    "a mark of the base": "a: 1\n||||||| base\nb: [\n",
    "a here-document without its end": "cat <<EOF\na: 1\nb\n",
    "a here-document with quotes": "cat <<-'END'\na: 1\n  END\n",
    "a prompt further on": "a: 1\n$ ls\nb: 2\n",
    "a command of a notebook further on": "a: 1\n%%bash -x\nb: 2\n",
    "a tag of HTML at the end": "a: 1\nb\n  </div>\n",
    "what only looks like HTML": "a: 1\n  <picture>\nb: 2\n",
    "a quotation further on": "a: 1\n> b: 2\n> c: 3\n",
    "a sign further in": "a:\n  > b: 2\n > c: 3\n",
    "a line of a diff alone": "+a: b: c\n",
    "signs that are no diff": "+a: b: c\nd: e\n",
    "tabs in several lines": "a:\n\tb: 1\n\tc:\n\t\td: 2\n",
    "tabs in a list": "a:\n\t- b: 1\n\t-\tc: 2\n",
    "tabs beside blanks": "a:\n  b: 1\n\tc: 2\n\t\td: 3\n  e: 4\n\tf: 5\n",
    "tabs beside blanks, below a key": "a:\n  b:\n\tc: 2\n",
    "tabs beside blanks, below an item": "a:\n  - b: 1\n\tc: 2\n",
    "tabs beside blanks, at several levels": "a:\n  b:\n    c: 1\n\td: 2\n",
    "tabs with blanks behind them": "a:\n  b: 1\n\t c: 2\n\t  d: 3\n",
    "tabs beside a block": "a:\n\tb: |\n\t\tc\n",
    "a tab behind a dash, beside blanks": "a:\n  - b: 1\n  -\tc: 2\n",
    "comments between tabs": "a:\n  b: 1 # x:\n  # y\n\tc: 2\n",
    "odd blanks in several lines": "a:\n\xa0\xa0b: 1\n\xa0 c:\xa0\xa02\n  d:\u200b3\n",
    "odd blanks beside a block": "a:\n\xa0\xa0b: |\n\xa0\xa0 c\n\xa0d: 1\n",
    "odd blanks in a row": "a: 1\nb:\xa0\u3000\u2009c\nd: e: f\n",
    "a curly quote that stays open": "a: \u201cb: c\n",
    "a curly quote around a straight one": "a: \u201cb: \"c\u201d\n",
    "a curly quote with a comment": "a: \u201cb: c\u201d  # d\n",
    "a curly quote in an item": "a:\n- \u2018b: c\u2019\n",
    "curly quotes of other countries": "a: \u201eb: c\u201c\nd: \xabe: f\xbb\n",
    "a long text in curly quotes": "a: \u201c" + "b" * 70 + ": c\u201d\n",
    "a template in the line before": "a: {{ b }}\n  c: d\n",
    "a statement of a template before": "  {%- if a %}\nb: 1\n  c: 2\nd: [\n",
    "an embedded template": "a: 1\n<%= b %>\nc: [\n",
    "underscores alone": "a:\n  b: 1\n  __IMAGE__\n  c: 2\n",
    "words that ask for a change": "a:\n  b: 1\n  - CHANGE_ME\n  c: 2\n",
    "a placeholder in an item": "a:\n  - b\n  - %(c)s: [\n",
    "an address that is no placeholder": "a: me@example.com@x: y: z\n",
    "stars between": "a: 1\n***\nb: 2\n",
    "one sign": "a: 1\n=\nb: 2\n",
    "underlined": "a: 1\n____\nb: 2\n",
    "signs of several kinds": "a: 1\n-=-\nb: 2\n",
    "a quoted dash": "a:\n  b: 1\n  -'c'\n",
    "a star for an item": "a:\n  b: 1\n  * c d\n  e: 2\n",
    "an entry behind two dashes": "a:\n  - - b=c\n    d: 1\n",
    "an address on its own": "a: 1\nhttp://b c\nd: 1\n",
    "a number on its own": "a: 1\n12 b\nc: 1\n",
    "three words": "a: 1\nb c d\ne: 1\n",
    "no colon at the end": "a: 1\nb\n",
    "text over lines and no colon": "a: 1\nb\n  c d e\nf: 1\n",
    "below a key that has its value": "- a: 1\n    b: 2\n",
    "two keys and a comma": "a: b, c: d\n",
    "a value with a colon at its end": "a: b c:\n",
    "an address with a colon": "- a: http://b: c\n",
    "an item of a list, and a comment with slashes": "a: [b // c\n  d: e]\n",
    "slashes in a line of JSON": '{"a": 1, // b\n "c": 2}\n',
    "no comma at the end of a line": "a: {b: 1\n  c: 2}\n",
    "a colon in brackets": "a: [b: c: d]\n",
    "another closing bracket": "a: [b}\n",
    "a quote that is closed below": 'a: "b\nc: "d"\n',
    "a quote in an item that is closed by the next": "a: ['b, 'c']\n",
    "text behind a quote in an item": "- 'a' b\n",
    "text behind a quoted key": "'a' b: c\n",
    "three quotes": "a: 'b''c'd'\n",
    "a backslash within a line": 'a: "b\\ c"\n',
    "a block with words": "a: > b\n",
    "a block of an item": "- |x\n  b\n",
    "a value that begins with a percent sign": "a: %b\n",
    "an item that begins with a star": "- *\n",
    "an at sign in brackets": "a: [@b]\n",
    "indented as nothing is": "a:\n    b:\n      - c: 1\n        d: 2\n     e: 3\n",
    "indented as nothing is, at the first level": "   a: 1\n b: 2\n",
    "more than one document": "a: 1\n---\n# b\nc: [\n---\nd: *e\n",
    "a document behind dashes": "--- a: 1\n",
    "a document behind dashes, later": "a: 1\n---\tb: 1\nc: 1\n",
    "a letter again in brackets": "z: [b, y: z: 1\n",
    "a tab below a key that has its value": "a: 1\n\tb: 2\n",
    "tabs below two keys": "a:\n\tb: 1\nc:\n\td: 2\n",
    "tabs in front of everything": "\t\ta: 1\n  b: 2\n",
    "tabs in a text that begins with a comment": "# x\na:\n  b: 1\n\tc: 2\n",
    "tabs below a comment at another depth": "a:\n  b: 1\n      # y\n\tc: 2\n",
    "tabs below levels that have ended": "a:\n  b:\n    c: 1\n  d: 2\n\te: 3\n",
    "an odd blank at the very end": "a: 1\nb: c: d\xa0",
    "odd blanks in front and behind": "a:\n \xa0b:\xa0c\n\xa0\xa0d:\xa0e\n",
    "three keys on a line": "a: b: c: d\n",
    "two keys, a comma, and a third": "a: b, c: d: e\n",
    "a sign of equality in front": "a: 1\n=b\nc: 1\n",
    "an apostrophe behind double quotes": "a: \"b\" 'c'd'\n",
    "the beginning of a date as an integer": "a: !!int 2001-\n",
    "a date of five signs as an integer": "a: !!int 2001-1\n",
    "padding within base64": "a: !!binary aG=k\n",
    "a tab in a flow": "a: [b,\n\tc: d: e]\n",
    "a short word before what fails": "x: [b, x y: 1\n",
    "nothing below a key, and a quote": "a:\n    b: 1\n  'c': 2\n",
    "brackets that open far above": "a: [\n  b,\n  c\nd: e\n",
    "comments and blank lines at the end": "a: 1\nb\n\n# c\n\n",
    "a blank line in front of what is wrong": "a: 1\n\n  # c\n  b: 2\n",
    "an anchor that stands elsewhere": "a: &b 1\n---\nc: *b\n",
}
# What we have taught ruamel.yaml's own parser to refuse.
PURE = (
    "a tab before a block",
    "a tab within a value",
    "a tag without a name",
    "an unknown directive",
    "a directive and no document",
    "a directive of another version",
    "an anchor with a sign",
    "an anchor without a name",
    "an escape that is no character",
    "an escape of half a pair",
)


def said(text: str, parser: Any = None) -> str:
    lines = []
    for found in read_text(text, parser=parser)[1]:
        span = found.span
        lines.append(f"{'error' if found.is_error else 'told'} {found.slug} {span.line}:{span.column}-{span.end_line}:{span.end_column}: {found.message}")
        lines += [f"    {found.hint}"] if found.hint else []
        for fix in found.fixes:
            edits = [(edit.start, edit.end, edit.replacement) for edit in fix.edits]
            lines.append(f"    [{fix.title}] {'safe' if fix.safe else 'unsafe'} {edits}")
    return "\n".join(lines)


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_said(name: str, snapshot: SnapshotAssertion) -> None:
    assert said(TEXTS[name]) == snapshot


@pytest.mark.parametrize("name", PURE)
def test_what_is_said_by_the_pure_parser(name: str, snapshot: SnapshotAssertion) -> None:
    assert said(TEXTS[name], pure_parser) == snapshot
