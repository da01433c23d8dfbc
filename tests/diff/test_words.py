"""What a difference looks like in each form. Read the texts below `__snapshots__`; `--snapshot-update` writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.diff import compare_sides, compare_yaml, compile_side
from jobset_compiler.diff.difference import Difference
from jobset_compiler.diff.markdown import to_markdown
from jobset_compiler.diff.report import to_json
from jobset_compiler.diff.side import text_source
from jobset_compiler.diff.text import to_text
from jobset_compiler.diff.unified import to_unified
from jobset_compiler.emit.yaml import to_yaml
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from tests.passes.plans import container, job, runtime, trainjob

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml"))
FORMS: dict[str, Callable[[Difference], str]] = {"text": to_text, "markdown": to_markdown, "json": to_json, "unified": to_unified}
Tree = dict[str, Any]


def texts(*trees: Tree) -> str:
    return to_yaml(trees)


def with_modes(mode: int, key: str = "a") -> Tree:
    volumes = [{"name": "v", "configMap": {"name": "c", "defaultMode": mode, "items": [{"key": key, "path": "p", "mode": mode}]}}]
    return runtime({"torch": {}}, job(volumes=volumes))


def with_words(*words: str) -> Tree:
    return trainjob({"command": ["bash", "-c", "\n".join(words)], "numNodes": 2})


LINES = [f"line {number}" for number in range(20)]
MINE = runtime({"torch": {}})
MANY = [{"name": f"A{number}", "value": "1"} for number in range(45)]
OTHER = {**trainjob({"numNodes": 2}), "metadata": {"name": "other", "namespace": "ns"}}
BROKEN = runtime({"torch": {}, "numNodes": "many"})
WARNED = {**runtime({"torch": {}}, gang={}), "metadata": {"name": "other"}}
STRANGER = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainingRuntime", "metadata": {"name": "x", "namespace": "ns"}, "spec": {"template": 3}}
PAIRS: dict[str, tuple[str, str]] = {
    "nothing": (texts(MINE, trainjob({})), texts(MINE, trainjob({}))),
    "a TrainJob comes, another goes": (texts(MINE, trainjob({})), texts(MINE, OTHER)),
    "modes of files": (texts(with_modes(0o400), trainjob({})), texts(with_modes(0o644, "b"), trainjob({}))),
    "two places of a long text": (texts(MINE, with_words(*LINES)), texts(MINE, with_words("first", *LINES[1:-1], "last"))),
    "a long value for a short one": (texts(MINE, trainjob({"args": ["a"]})), texts(MINE, trainjob({"args": ["a", "b" * 80, "c" * 80]}))),
    "45 variables": (texts(MINE, trainjob({"env": MANY})), texts(MINE, trainjob({"env": [{**each, "value": "2"} for each in MANY]}))),
    "another order": (texts(MINE, trainjob({"env": MANY[:3]})), texts(MINE, trainjob({"env": MANY[2::-1]}))),
    "an image, a container and a label": (
        texts(MINE, trainjob({"image": "a:1"}, metadata={"labels": {"a": "b"}})),
        texts(runtime({"torch": {}}, job(containers=[container(), container("side")]), metadata={"labels": {"x": "y"}}), trainjob({"image": "a:2"})),
    ),
    "refused after": (texts(MINE, trainjob({})), texts(MINE, trainjob({"env": [{"name": "PET_NNODES", "value": "1"}], "numProcPerNode": 2}))),
    "a runtime that breaks": (texts(MINE, trainjob({})), texts(BROKEN, trainjob({}))),
    "an error outside": (texts(MINE, trainjob({})), texts(MINE, trainjob({}), STRANGER)),
    "a warning outside": (texts(MINE, trainjob({})), texts(MINE, trainjob({}), WARNED)),
    "words with backticks": (texts(MINE, with_words("a", "b", "c")), texts(MINE, with_words("a", "echo ```", "`c`"))),
    "keys with dots": (
        texts(runtime({"torch": {}}, metadata={"annotations": {"a.b/c": "1", "a.b/d": "1", "e": "1", "f": "1"}}), trainjob({"args": ["a", "a"]})),
        texts(runtime({"torch": {}}, metadata={"annotations": {"a.b/c": "2", "a.b/d": "2", "e": "2", "f": "2"}}), trainjob({"args": ["b", "b"]})),
    ),
    "a gang": (texts(MINE, trainjob({})), texts(runtime({"torch": {}}, gang={"coscheduling": {"scheduleTimeoutSeconds": 9}}), trainjob({}))),
}


# What is long says the same again; these are enough to see it.
IN_FULL = {"json": ("modes of files", "refused after", "an error outside"), "unified": ("a TrainJob comes, another goes", "another order", "refused after")}


@pytest.mark.parametrize("name", PAIRS)
def test_two_inputs(name: str, snapshot: SnapshotAssertion) -> None:
    difference = compare_yaml(*PAIRS[name])
    written = {form: write(difference) for form, write in FORMS.items() if name in IN_FULL.get(form, PAIRS)}
    assert "\n".join(f"--- {form}\n{text}" for form, text in written.items()) == snapshot


@pytest.fixture(scope="module")
def upgrade() -> Difference:
    """Every shipped example between the oldest and the newest release."""
    sources = [text_source(file.read_text(), f"examples/{file.name}") for file in EXAMPLES]
    sides = []
    for name in ("v2.0", "v2.3"):
        profile = find(name)
        assert profile is not None
        sides.append(compile_side(sources, Options(profile=profile), name))
    return compare_sides(*sides)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_two_releases(form: str, upgrade: Difference, snapshot: SnapshotAssertion) -> None:
    assert FORMS[form](upgrade) == snapshot
