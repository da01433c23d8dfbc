"""Which place of a document stands at each offset of its file."""

from __future__ import annotations

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.lsp.cursor import cursor_at
from jobset_compiler.lsp.positions import Lines
from jobset_compiler.source.reader import read_text

TEXT = """\
# above
kind: TrainJob
spec:
  a: {b: 1, c: [x, yy]}
  dd:
  - e: z

---
f: 2
"""


def found_at(text: str) -> list[str]:
    """Runs of offsets that lead to the same place: the text of the run, the path, and the text that it stands for, of several lines the first."""
    documents, lines = read_text(text)[0], Lines(text)
    runs: list[tuple[str, str]] = []
    for offset in range(len(text) + 1):
        cursor = cursor_at(documents, lines, offset)
        told = "nothing" if cursor is None else f"{cursor.document.index} {format_path(cursor.path)} = {text[cursor.start : cursor.end].partition(chr(10))[0]}"
        character = text[offset : offset + 1] or "$"
        if runs and runs[-1][1] == told:
            runs[-1] = (runs[-1][0] + character, told)
        else:
            runs.append((character, told))
    return [f"{run!r}: {told}" for run, told in runs]


def test_every_offset_leads_to_the_innermost_place_that_holds_it() -> None:
    """Both ends belong to a key or a value: there the cursor stands right before or behind it."""
    assert "\n".join(found_at("a: bc\nd: [e, {f: g}]\n")) == """\
'a:': 0 a = a
' ': 0 <nil> = a: bc
'bc\\n': 0 a = bc
'd:': 0 d = d
' ': 0 <nil> = a: bc
'[': 0 d = [e, {f: g}]
'e,': 0 d[0] = e
' ': 0 d = [e, {f: g}]
'{': 0 d[1] = {f: g}
'f:': 0 d[1].f = f
' ': 0 d[1] = {f: g}
'g}': 0 d[1].f = g
']': 0 d[1] = {f: g}
'\\n': 0 d = [e, {f: g}]
'$': nothing"""

    assert "\n".join(found_at(TEXT)) == """\
'# above\\n': nothing
'kind:': 0 kind = kind
' ': 0 <nil> = kind: TrainJob
'TrainJob\\n': 0 kind = TrainJob
'spec:': 0 spec = spec
'\\n  ': 0 <nil> = kind: TrainJob
'a:': 0 spec.a = a
' ': 0 spec = a: {b: 1, c: [x, yy]}
'{': 0 spec.a = {b: 1, c: [x, yy]}
'b:': 0 spec.a.b = b
' ': 0 spec.a = {b: 1, c: [x, yy]}
'1,': 0 spec.a.b = 1
' ': 0 spec.a = {b: 1, c: [x, yy]}
'c:': 0 spec.a.c = c
' ': 0 spec.a = {b: 1, c: [x, yy]}
'[': 0 spec.a.c = [x, yy]
'x,': 0 spec.a.c[0] = x
' ': 0 spec.a.c = [x, yy]
'yy]': 0 spec.a.c[1] = yy
'}': 0 spec.a.c = [x, yy]
'\\n': 0 spec.a = {b: 1, c: [x, yy]}
'  ': 0 spec = a: {b: 1, c: [x, yy]}
'dd:': 0 spec.dd = dd
'\\n  ': 0 spec = a: {b: 1, c: [x, yy]}
'- ': 0 spec.dd = - e: z
'e:': 0 spec.dd[0].e = e
' ': 0 spec.dd[0] = e: z
'z\\n': 0 spec.dd[0].e = z
'\\n---\\n': nothing
'f:': 1 f = f
' ': 1 <nil> = f: 2
'2\\n': 1 f = 2
'$': nothing"""
