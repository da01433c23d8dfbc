"""What is said of texts that cannot be read, all of it: place from beginning to end, words, advice. `--snapshot-update` writes the texts."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

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
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_said(name: str, snapshot: SnapshotAssertion) -> None:
    lines = []
    for found in read_text(TEXTS[name])[1]:
        span = found.span
        lines.append(f"{'error' if found.is_error else 'told'} {found.slug} {span.line}:{span.column}-{span.end_line}:{span.end_column}: {found.message}")
        lines += [f"    {found.hint}"] if found.hint else []
        for fix in found.fixes:
            edits = [(edit.start, edit.end, edit.replacement) for edit in fix.edits]
            lines.append(f"    [{fix.title}] {'safe' if fix.safe else 'unsafe'} {edits}")
    assert "\n".join(lines) == snapshot
