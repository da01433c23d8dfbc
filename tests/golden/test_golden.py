"""Every golden case: its exact output and diagnostics, and around it what must hold for any input.

To change goldens on purpose: `python -m pytest tests/golden --snapshot-update`, then read the diff.
"""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from copy import deepcopy
from functools import lru_cache
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.admission.schema import admit_document
from jobset_compiler.diagnostics import addresses
from jobset_compiler.profiles import find
from jobset_compiler.source.reader import read_text
from tests.golden.cases import GOLDEN, SETTINGS, Case, all_cases, index, runs
from tests.golden.snapshots import GoldenFile

EVIDENCE = ("ran upstream", "live cluster", "read upstream", "documentation", "own rule")
CASES = pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)


@pytest.fixture
def golden(snapshot: SnapshotAssertion, request: pytest.FixtureRequest) -> SnapshotAssertion:
    if os.environ.get("CI") and (request.config.getoption("update_snapshots") or request.config.getoption("update_new_snapshots_only")):
        pytest.fail("goldens are not updated in CI")
    return snapshot.use_extension(GoldenFile)


@pytest.mark.filterwarnings(r"ignore:\s*Can not relate snapshot")  # syrupy expects them below tests/
@CASES
def test_output_and_diagnostics(case: Case, golden: SnapshotAssertion) -> None:
    assert case.settings.get("why"), "say why before anything is written"
    assert {release: case.told(case.compile(release)) for release in case.releases} == golden(name=f"{case.id}.yaml")


@pytest.mark.filterwarnings(r"ignore:\s*Can not relate snapshot")
def test_index(golden: SnapshotAssertion) -> None:
    assert index() == golden(name="INDEX.md")


@CASES
def test_case_is_a_claim(case: Case) -> None:
    settings = case.settings
    assert settings["why"].endswith("."), "why is one sentence"
    assert settings["evidence"] in EVIDENCE
    assert settings["cites"], "say where it can be checked"
    assert settings.keys() <= SETTINGS


def test_nothing_but_cases_is_here() -> None:
    here = {str(file.relative_to(GOLDEN)) for file in GOLDEN.rglob("*") if file.is_file()}
    known = {"README.md", "INDEX.md", ".gitattributes"} | {f"{case.id}.yaml" for case in all_cases()}
    assert here <= known, "golden/README.md says how a case is written"


def plain(result: jc.Compilation) -> list[dict[str, Any]]:
    return json.loads(json.dumps(result.objects))  # type: ignore[no-any-return]


ACCEPTED = [(case, release) for case, release in runs() if case.file.told[release].output is not None]


@pytest.mark.parametrize(("case", "release"), ACCEPTED, ids=[f"{case.id}@{release}" for case, release in ACCEPTED])
def test_what_holds_for_any_input(case: Case, release: str) -> None:
    result = case.compile(release)
    objects = plain(result)
    compiling_twice_is_identical(case, release, result)
    all_readers_agree(result, objects)
    order_of_documents_and_keys_does_not_matter(case, release, objects)
    objects_give_the_same_and_are_not_changed(case, release, objects)
    every_field_has_an_origin(result)
    the_jobset_passes_its_schema(result, release)


def compiling_twice_is_identical(case: Case, release: str, result: jc.Compilation) -> None:
    assert result.to_yaml() == case.compile(release).to_yaml()


@lru_cache(maxsize=32)
def read_by_others(text: str) -> tuple[list[Any], list[Any]]:
    """What PyYAML and ruamel.yaml make of it; releases often give the same text."""
    return list(yaml.safe_load_all(text)), list(YAML(typ="safe", pure=True).load_all(io.StringIO(text)))


def all_readers_agree(result: jc.Compilation, objects: list[dict[str, Any]]) -> None:
    text = result.to_yaml()
    assert [document.value for document in read_text(text)[0]] == objects
    assert read_by_others(text) == (objects, objects)
    loaded = json.loads(result.to_json())
    assert (loaded["items"] if loaded["kind"] == "List" else [loaded]) == objects


def shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: shuffled(value[key], rng) for key in keys}
    return [shuffled(item, rng) for item in value] if isinstance(value, list) else value


def order_of_documents_and_keys_does_not_matter(case: Case, release: str, objects: list[dict[str, Any]]) -> None:
    rng = random.Random(case.id)
    documents = [shuffled(document.value, rng) for document in read_text(case.text)[0]]
    jobs = [d for d in documents if d.get("kind") == "TrainJob"]
    others = [d for d in documents if d.get("kind") != "TrainJob"]
    kinds = [(d.get("kind"), (d.get("metadata") or {}).get("name"), (d.get("metadata") or {}).get("namespace")) for d in others]
    if len(set(kinds)) == len(kinds):  # of one runtime given twice the later one counts
        moved = "\n---\n".join(json.dumps(document) for document in (*jobs, *reversed(others)))
        assert plain(case.compile(release, moved)) == objects


def objects_give_the_same_and_are_not_changed(case: Case, release: str, objects: list[dict[str, Any]]) -> None:
    documents = [document.value for document in read_text(case.text)[0]]
    before = deepcopy(documents)
    result = jc.compile_objects(documents, trainer_version=release, **case.options)
    assert documents == before
    assert plain(result) == objects


def every_field_has_an_origin(result: jc.Compilation) -> None:
    for manifest in result.objects:
        for leaf in addresses.leaves(manifest):
            address = addresses.text(addresses.keyed(manifest, leaf))
            chain = result.origin_of(manifest, address)
            assert chain, address
            assert all(origin.line or origin.kind != "input" or not origin.path for origin in chain), address


def the_jobset_passes_its_schema(result: jc.Compilation, release: str) -> None:
    profile = find(release)
    assert profile is not None
    for manifest in result.objects:
        if manifest["kind"] == "JobSet":
            verdict = admit_document(manifest, "JobSet", profile)
            assert not verdict.findings and not verdict.pruned


def test_hash_seed_does_not_matter() -> None:
    code = (
        "import sys, hashlib; sys.path.insert(0, 'tests/golden'); from tests.golden.cases import runs; "
        "print(hashlib.sha256(''.join(case.compile(release).to_yaml() for case, release in runs()).encode()).hexdigest())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=GOLDEN.parent, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "7", "4242")
    }
    assert len(outputs) == 1
