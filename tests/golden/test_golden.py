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
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.types import PropertyFilter, PropertyMatcher, SerializableData, SerializedData, SnapshotIndex

import jobset_compiler as jc
from jobset_compiler.admission.schema import admit_document
from jobset_compiler.diagnostics import addresses
from jobset_compiler.profiles import find
from jobset_compiler.source.reader import read_text
from tests.golden.cases import GOLDEN, PROFILES, Case, all_cases, index, runs

RUNS = runs()
IDS = [f"{case.id}@{profile}" for case, profile in RUNS]


class GoldenFiles(SingleFileSnapshotExtension):
    """Snapshots are the files of the case's own folder, byte for byte."""

    _write_mode = WriteMode.TEXT

    @classmethod
    def get_location(cls, *, test_location: Any, index: SnapshotIndex) -> str:
        return str(GOLDEN / str(index))

    @classmethod
    def get_snapshot_name(cls, *, test_location: Any, index: SnapshotIndex = 0) -> str:
        return str(index)

    def serialize(
        self, data: SerializableData, *, exclude: PropertyFilter | None = None, include: PropertyFilter | None = None, matcher: PropertyMatcher | None = None
    ) -> SerializedData:
        return str(data)


@pytest.fixture
def golden(snapshot: SnapshotAssertion, request: pytest.FixtureRequest) -> SnapshotAssertion:
    if os.environ.get("CI") and request.config.getoption("update_snapshots"):
        pytest.fail("goldens are not updated in CI")
    return snapshot.use_extension(GoldenFiles)


@pytest.mark.filterwarnings(r"ignore:\s*Can not relate snapshot")  # syrupy expects them below tests/
@pytest.mark.parametrize(("case", "profile"), RUNS, ids=IDS)
def test_output_and_diagnostics(case: Case, profile: str, golden: SnapshotAssertion) -> None:
    result = case.compile(profile)
    expected = case.variant("expected", ".yaml", profile)
    if result.ok:
        assert result.to_yaml() == golden(name=expected)
    else:
        assert not (GOLDEN / expected).exists(), "a refused input has no expected output"
    diagnostics = case.variant("diagnostics", ".txt", profile)
    printed = case.printed(result)
    if printed:
        assert printed == golden(name=diagnostics)
    else:
        assert not (GOLDEN / diagnostics).exists(), "nothing was diagnosed"


@pytest.mark.filterwarnings(r"ignore:\s*Can not relate snapshot")
def test_index(golden: SnapshotAssertion) -> None:
    assert index() == golden(name="INDEX.md")


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_case_is_a_claim(case: Case) -> None:
    settings = case.settings
    assert settings["why"].rstrip().endswith("."), "why is one sentence"
    assert settings["evidence"] in ("ran upstream", "read upstream", "documentation", "own rule")
    assert settings["cites"], "say where it can be checked"
    assert case.profiles and set(case.profiles) <= set(PROFILES)
    known = {"input.yaml", "case.toml"} | {
        case.variant(stem, suffix, profile).rsplit("/", 1)[1] for profile in case.profiles for stem, suffix in (("expected", ".yaml"), ("diagnostics", ".txt"))
    }
    assert {file.name for file in case.folder.iterdir()} <= known, "no file is left over"


def plain(result: jc.Compilation) -> list[dict[str, Any]]:
    return json.loads(json.dumps(result.objects))  # type: ignore[no-any-return]


ACCEPTED = [(case, profile) for case, profile in RUNS if (GOLDEN / case.variant("expected", ".yaml", profile)).exists()]
ACCEPTED_IDS = [f"{case.id}@{profile}" for case, profile in ACCEPTED]


@pytest.mark.parametrize(("case", "profile"), ACCEPTED, ids=ACCEPTED_IDS)
def test_what_holds_for_any_input(case: Case, profile: str) -> None:
    result = case.compile(profile)
    objects = plain(result)
    compiling_twice_is_identical(case, profile, result)
    all_readers_agree(result, objects)
    order_of_documents_and_keys_does_not_matter(case, profile, objects)
    objects_give_the_same_and_are_not_changed(case, profile, objects)
    every_field_has_an_origin(result)
    the_jobset_passes_its_schema(result, profile)


def compiling_twice_is_identical(case: Case, profile: str, result: jc.Compilation) -> None:
    assert result.to_yaml() == case.compile(profile).to_yaml()


@lru_cache(maxsize=32)
def read_by_others(text: str) -> tuple[list[Any], list[Any]]:
    """What PyYAML and ruamel.yaml make of it; profiles often give the same text."""
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


def order_of_documents_and_keys_does_not_matter(case: Case, profile: str, objects: list[dict[str, Any]]) -> None:
    rng = random.Random(case.id)
    documents = [shuffled(document.value, rng) for document in read_text(case.text)[0]]
    jobs = [d for d in documents if d.get("kind") == "TrainJob"]
    others = [d for d in documents if d.get("kind") != "TrainJob"]
    kinds = [(d.get("kind"), (d.get("metadata") or {}).get("name"), (d.get("metadata") or {}).get("namespace")) for d in others]
    if len(set(kinds)) == len(kinds):  # of one runtime given twice the later one counts
        moved = "\n---\n".join(json.dumps(document) for document in (*jobs, *reversed(others)))
        assert plain(case.compile(profile, moved)) == objects


def objects_give_the_same_and_are_not_changed(case: Case, profile: str, objects: list[dict[str, Any]]) -> None:
    documents = [document.value for document in read_text(case.text)[0]]
    before = deepcopy(documents)
    result = jc.compile_objects(documents, trainer_version=profile, **case.options)
    assert documents == before
    assert plain(result) == objects


def every_field_has_an_origin(result: jc.Compilation) -> None:
    for manifest in result.objects:
        for leaf in addresses.leaves(manifest):
            address = addresses.text(addresses.keyed(manifest, leaf))
            chain = result.origin_of(manifest, address)
            assert chain, address
            assert all(origin.line or origin.kind != "input" or not origin.path for origin in chain), address


def the_jobset_passes_its_schema(result: jc.Compilation, profile: str) -> None:
    release = find(profile)
    assert release is not None
    for manifest in result.objects:
        if manifest["kind"] == "JobSet":
            verdict = admit_document(manifest, "JobSet", release)
            assert not verdict.findings and not verdict.pruned


def test_hash_seed_does_not_matter() -> None:
    code = (
        "import sys, hashlib; sys.path.insert(0, 'tests/golden'); from tests.golden.cases import runs; "
        "print(hashlib.sha256(''.join(case.compile(profile).to_yaml() for case, profile in runs()).encode()).hexdigest())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=GOLDEN.parent, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "7", "4242")
    }
    assert len(outputs) == 1
