"""Comments anywhere in the documents of the goldens: none is lost where a document is only respelt, none changes what is written, none is written twice
by migrating again, and what stands behind a value stays behind it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler.source.reader import read_text
from tests.golden.cases import Case, all_cases

CASES = {case.id: case for case in all_cases() if case.is_migration and case.accepting and not case.text.lstrip().startswith(("{", "["))}
OURS = "apiVersion: trainer.kubeflow.org/v1alpha1"
RESPELT = [name for name, case in CASES.items() if case.text.count("apiVersion:") == case.text.count(OURS) and "trainer-node" not in case.text]
NOT_V1 = [name for name, case in CASES.items() if "apiVersion: kubeflow.org/v1\n" not in case.text and "v2beta1" not in case.text]


def values(text: str) -> list[Any]:
    documents, problems = read_text(text)
    assert not problems
    return [document.value for document in documents]


@st.composite
def commented(draw: st.DrawFn, names: list[str]) -> tuple[str, str, str, list[str]]:
    """A case, a release, its text with comments, and the comments."""
    name = draw(st.sampled_from(names))
    case = CASES[name]
    lines = case.text.removesuffix("\n").split("\n")
    chosen = draw(st.lists(st.tuples(st.integers(0, len(lines) - 1), st.sampled_from(("above", "deeper", "behind"))), min_size=1, max_size=12, unique=True))
    out: list[str] = []
    comments: list[str] = []
    for index, line in enumerate(lines):
        indent = " " * (len(line) - len(line.lstrip(" ")))
        for where in sorted(where for at, where in chosen if at == index):
            comments.append(f"# remark {len(comments)} ends")
            if where == "behind":
                line = f"{line}  {comments[-1]}"
            else:
                out.append(f"{indent}{'  ' if where == 'deeper' else ''}{comments[-1]}")
        out.append(line)
    text = "\n".join(out) + "\n"
    documents, problems = read_text(text)
    assume(not problems and [document.value for document in documents] == values(case.text))  # it may stand in a text of several lines
    return name, draw(st.sampled_from(case.accepting)), text, comments


def migrated(case: Case, release: str, text: str) -> jc.Migration:
    migration = case.migrate(release, text)
    assert migration.ok, migration.diagnostics
    assert values(migration.text) == values(case.migrate(release).text), "a comment means nothing"
    assert case.migrate(release, migration.text).text == migration.text
    return migration


@settings(max_examples=40, deadline=None)
@given(commented(RESPELT))
def test_every_comment_stays_once_where_a_document_is_respelt(given_case: tuple[str, str, str, list[str]]) -> None:
    name, release, text, comments = given_case
    found = migrated(CASES[name], release, text).text
    assert [comment for comment in comments if found.count(comment) != 1] == []


@settings(max_examples=40, deadline=None)
@given(commented(NOT_V1))
def test_no_comment_is_lost_by_a_preview_or_ome(given_case: tuple[str, str, str, list[str]]) -> None:
    name, release, text, comments = given_case
    found = migrated(CASES[name], release, text).text
    assert [comment for comment in comments if comment not in found] == []


@settings(max_examples=40, deadline=None)
@given(commented(list(CASES)))
def test_comments_do_not_change_what_a_job_becomes(given_case: tuple[str, str, str, list[str]]) -> None:
    name, release, text, _ = given_case
    migrated(CASES[name], release, text)


# A field that is called the same afterwards and is another one.
OTHER_FIELDS = {"maxRestarts: 5"}


def member(line: str) -> str:
    """"key: value" of a line; "" where it holds something else."""
    line = line.strip()
    while line.startswith("- "):
        line = line[2:].lstrip()
    return line if ": " in line and "#" not in line and not line.startswith(("kind:", "apiVersion:")) and line not in OTHER_FIELDS else ""


@pytest.mark.parametrize("name", CASES)
def test_a_comment_behind_a_value_stays_behind_it(name: str) -> None:
    case = CASES[name]
    before, after = Counter(map(member, case.text.split("\n"))), Counter(map(member, case.migrate(case.accepting[-1]).text.split("\n")))
    kept = [text for text in before if text and before[text] == after[text] == 1]
    text = "\n".join(f"{line}  # behind {member(line)}" if member(line) in kept else line for line in case.text.split("\n"))
    if values(text) == values(case.text):  # it may stand in a text of several lines
        found = migrated(case, case.accepting[-1], text).text
        assert [value for value in kept if f"{value}  # behind {value}\n" not in found + "\n"] == []
