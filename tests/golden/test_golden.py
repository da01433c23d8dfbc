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
from functools import cache
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.admission.schema import admit_document
from jobset_compiler.diagnostics import addresses
from jobset_compiler.library.migration import Migration
from jobset_compiler.profiles import find
from jobset_compiler.source.reader import read_text
from tests.golden.cases import GOLDEN, SETTINGS, Case, all_cases, index
from tests.golden.snapshots import GoldenFile

EVIDENCE = ("ran upstream", "live cluster", "read upstream", "documentation", "own rule")


@pytest.fixture
def golden(snapshot: SnapshotAssertion, request: pytest.FixtureRequest) -> SnapshotAssertion:
    if os.environ.get("CI") and (request.config.getoption("update_snapshots") or request.config.getoption("update_new_snapshots_only")):
        pytest.fail("goldens are not updated in CI")
    return snapshot.use_extension(GoldenFile)


@pytest.mark.filterwarnings(r"ignore:\s*Can not relate snapshot")  # syrupy expects them below tests/
@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_output_and_diagnostics(case: Case, golden: SnapshotAssertion) -> None:
    assert case.settings.get("why"), "say why before anything is written"
    assert {release: case.tell(release) for release in case.releases} == golden(name=f"{case.id}.yaml")


@pytest.mark.filterwarnings(r"ignore:\s*Can not relate snapshot")
def test_index(golden: SnapshotAssertion) -> None:
    assert index() == golden(name="INDEX.md")


def test_cases_are_claims() -> None:
    for case in all_cases():
        settings = case.settings
        assert settings["why"].endswith("."), f"{case.id}: why is one sentence"
        assert settings["evidence"] in EVIDENCE, case.id
        assert settings["cites"], f"{case.id}: say where it can be checked"
        assert settings.keys() <= SETTINGS, case.id


def test_nothing_but_cases_is_here() -> None:
    here = {str(file.relative_to(GOLDEN)) for file in GOLDEN.rglob("*") if file.is_file()}
    known = {"README.md", "INDEX.md", ".gitattributes"} | {f"{case.id}.yaml" for case in all_cases()}
    assert here <= known, "golden/README.md says how a case is written"


@pytest.mark.parametrize("case", [case for case in all_cases() if case.accepting and not case.is_migration], ids=lambda case: case.id)
def test_what_holds_for_any_input(case: Case) -> None:
    documents = [document.value for document in read_text(case.text)[0]]
    reordered = in_another_order(case, documents)
    for release in case.accepting:
        result = case.compile(release)
        text, objects = result.to_yaml(), plain(result)
        compiling_twice_is_identical(case, release, text)
        all_readers_agree(text, result.to_json(), objects)
        order_of_documents_and_keys_does_not_matter(case, release, reordered, objects)
        objects_give_the_same_and_are_not_changed(case, release, documents, objects)
        every_field_has_an_origin(release, result)
        the_jobset_passes_its_schema(release, result)


@pytest.mark.parametrize("case", [case for case in all_cases() if case.accepting and case.is_migration], ids=lambda case: case.id)
def test_what_holds_for_any_migration(case: Case) -> None:
    for release in case.accepting:
        migration = case.migrate(release)
        migrating_twice_changes_nothing(case, release, migration)
        values = [document.value for document in read_text(migration.text)[0]]
        assert read_by_all(migration.text) == (values, values, values)
        assert all(document in values for document in migration.documents)
        assert case.migrate(release).text == migration.text
        what_is_migrated_compiles(case, release, migration)


def migrating_twice_changes_nothing(case: Case, release: str, migration: Migration) -> None:
    again = case.migrate(release, migration.text)
    assert again.text == migration.text and not again.changed and again.documents == migration.documents


def what_is_migrated_compiles(case: Case, release: str, migration: Migration) -> None:
    """And, where nobody wished anything, to what the old text compiles to with `convert`."""
    result = jc.compile_yaml(migration.text, trainer_version=release, extensions=case.extensions)
    missing = all(diagnostic.code == "JSC201" for diagnostic in result.diagnostics if diagnostic.is_error)
    assert result.ok or missing, result.diagnostics
    if case.settings["migrate"] is True:
        converted = jc.compile_yaml(case.text, trainer_version=release, convert=True, extensions=case.extensions)
        assert converted.objects == result.objects
        every_field_has_an_origin(release, converted)


def plain(result: jc.Compilation) -> list[dict[str, Any]]:
    return json.loads(json.dumps(result.objects))  # type: ignore[no-any-return]


def compiling_twice_is_identical(case: Case, release: str, text: str) -> None:
    assert case.compile(release).to_yaml() == text


# Releases and cases often give the same text.
@cache
def read_by_all(text: str) -> tuple[list[Any], list[Any], list[Any]]:
    """What our reader, PyYAML (by libyaml where it is there) and ruamel.yaml (by its own scanner) make of it."""
    others = list(yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))), list(YAML(typ="safe", pure=True).load_all(io.StringIO(text)))
    return [document.value for document in read_text(text)[0]], *others


def all_readers_agree(text: str, as_json: str, objects: list[dict[str, Any]]) -> None:
    assert read_by_all(text) == (objects, objects, objects)
    loaded = json.loads(as_json)
    assert (loaded["items"] if loaded["kind"] == "List" else [loaded]) == objects


def shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: shuffled(value[key], rng) for key in keys}
    return [shuffled(item, rng) for item in value] if isinstance(value, list) else value


def in_another_order(case: Case, documents: list[Any]) -> str | None:
    """The input with its documents and keys moved; None where one runtime is given twice, of which the later one counts."""
    rng = random.Random(case.id)
    moved = [shuffled(document, rng) for document in documents]
    jobs = [d for d in moved if d.get("kind") == "TrainJob"]
    others = [d for d in moved if d.get("kind") != "TrainJob"]
    names = [(d.get("kind"), (d.get("metadata") or {}).get("name"), (d.get("metadata") or {}).get("namespace")) for d in others]
    return "\n---\n".join(json.dumps(d) for d in (*jobs, *reversed(others))) if len(set(names)) == len(names) else None


def order_of_documents_and_keys_does_not_matter(case: Case, release: str, reordered: str | None, objects: list[dict[str, Any]]) -> None:
    if reordered is not None:
        assert plain(case.compile(release, reordered)) == objects


def objects_give_the_same_and_are_not_changed(case: Case, release: str, documents: list[Any], objects: list[dict[str, Any]]) -> None:
    before = deepcopy(documents)
    result = jc.compile_objects(documents, trainer_version=release, **case.options)
    assert documents == before
    assert plain(result) == objects


def every_field_has_an_origin(release: str, result: jc.Compilation) -> None:
    for manifest in result.objects:
        for leaf in addresses.leaves(manifest):
            address = addresses.text(addresses.keyed(manifest, leaf))
            chain = result.origin_of(manifest, address)
            assert chain, address
            assert all(origin.line or origin.kind != "input" or not origin.path for origin in chain), address


def the_jobset_passes_its_schema(release: str, result: jc.Compilation) -> None:
    profile = find(release)
    assert profile is not None
    for manifest in result.objects:
        if manifest["kind"] == "JobSet":
            verdict = admit_document(manifest, "JobSet", profile)
            assert not verdict.errors and not verdict.pruned


def test_hash_seed_does_not_matter() -> None:
    # This process has a seed of its own.
    code = "from tests.golden.cases import runs; print([f'{c.id}@{release}' for c, release in runs() if c.tell(release) != c.file.told[release]])"
    env = {**os.environ, "PYTHONHASHSEED": "7" if os.environ.get("PYTHONHASHSEED") != "7" else "4242"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=GOLDEN.parent, env=env)
    assert done.stdout == "[]\n"
