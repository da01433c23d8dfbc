"""Every snippet of the five documents that this project was made from, written anew with names of our own, has an answer.

A file says what the snippet was, what the answer is, and in one word what the command line does about it:

    compiles       it is compiled as it is
    converts       it is an error or says less as it is; `migrate` rewrites it and --convert compiles it
    passes over    it is another kind, which is no matter of ours
    error CODE: WORDS     the error, and words of the hint that says how to go on
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

import jobset_compiler as jc

SEEDS = Path(__file__).resolve().parent
PAGE = SEEDS.parents[1] / "docs" / "dialects.md"
DOCUMENTS = {
    "runtime-guide": "The guide of runtimes",
    "runtime-guide-draft": "A draft of it of 2025",
    "runtime-guide-text": "Another draft, as text",
    "sdk-page": "A page about the SDK",
    "ome-page": "OME's page about training runtimes",
}
BEGIN, END = "<!-- seeds -->\n", "<!-- end of seeds -->\n"


class Seed(NamedTuple):
    file: Path
    text: str
    snippet: str
    answer: str
    does: str

    @property
    def id(self) -> str:
        return f"{self.file.parent.name}/{self.file.stem}"


def read(file: Path) -> Seed:
    text = file.read_text()
    lines = text.split("\n", 3)
    values = [line.removeprefix(f"# {name}: ") for name, line in zip(("snippet", "answer", "does"), lines, strict=False)]
    assert all(value != line for value, line in zip(values, lines, strict=False)), file
    return Seed(file, text, *values)


ALL = [read(file) for name in DOCUMENTS for file in sorted((SEEDS / name).glob("*.yaml"), key=lambda file: int(file.name.split("-")[0]))]


@pytest.mark.parametrize("seed", ALL, ids=lambda seed: seed.id)
def test_the_snippet_is_answered(seed: Seed) -> None:
    plain = jc.compile_yaml(seed.text, validate="strict")
    converted = jc.compile_yaml(seed.text, validate="strict", convert=True)
    migration = jc.migrate(seed.text)
    if seed.does == "compiles":
        assert plain.ok and converted.objects == plain.objects and not migration.changed
    elif seed.does == "passes over":
        assert plain.ok and not plain.objects and not migration.changed
    elif seed.does == "converts":
        assert not plain.ok and converted.ok and migration.ok and migration.changed
        again = jc.compile_yaml(migration.text, validate="strict")
        assert again.ok and again.objects == converted.objects
        assert not jc.migrate(migration.text).changed
    else:
        code, words = seed.does.removeprefix("error ").split(": ", 1)
        assert any(diagnostic.code == code and diagnostic.is_error and words in diagnostic.hint for diagnostic in converted.diagnostics)
        assert not plain.ok and not converted.ok


def test_the_page_has_every_answer() -> None:
    page = PAGE.read_text()
    head, _, rest = page.partition(BEGIN)
    shown, _, tail = rest.partition(END)
    rows = [f"\n| {DOCUMENTS[name]} | Answer |\n|---|---|\n" + "".join(row(seed) for seed in ALL if seed.file.parent.name == name) for name in DOCUMENTS]
    table = "".join(rows) + "\n"
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(head + BEGIN + table + END + tail)
    else:
        assert shown == table, "UPDATE_DOCS=1 repairs it"


def row(seed: Seed) -> str:
    code = f"{seed.does.split()[1]} " if seed.does.startswith("error ") else ""
    return f"| [{seed.snippet.replace('|', ' ')}](../tests/seeds/{seed.id}.yaml) | {code}{seed.answer.replace('|', ' ')} |\n"
