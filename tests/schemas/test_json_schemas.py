"""The files of schemas/ are up to date, valid, and say what the API server would say."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from jobset_compiler.profiles import PROFILES
from jobset_compiler.schemas import KINDS, UnknownKindError, json_schema, schema_text
from jobset_compiler.schemas.descriptions import TEXTS, description

ROOT = Path(__file__).resolve().parents[2]
RELEASES = [profile.name for profile in PROFILES]
EVERY = [(release, kind) for release in RELEASES for kind in KINDS]


def test_files_are_what_the_generator_writes() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "json_schemas.py"))
    assert tool["main"](["--check"]) == 0, "run python tools/json_schemas.py"


@pytest.mark.parametrize(("release", "kind"), EVERY)
def test_is_a_valid_schema_and_its_example_fits(release: str, kind: str) -> None:
    schema = json.loads(schema_text(kind, release))
    Draft202012Validator.check_schema(schema)
    for example in schema["examples"]:
        Draft202012Validator(schema).validate(example)


@pytest.mark.parametrize(("release", "kind"), EVERY)
def test_every_reference_leads_somewhere(release: str, kind: str) -> None:
    text = schema_text(kind, release)
    definitions = json.loads(text)["$defs"]
    references = {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}
    assert references == set(definitions)


@pytest.mark.parametrize("release", RELEASES)
def test_trainer_and_jobset_are_described_completely(release: str) -> None:
    missing = []
    for kind in KINDS:
        for name, definition in json_schema(kind, release)["$defs"].items():
            if name.startswith(("trainer.", "jobset.", "volcano.")):
                missing += [f"{name}.{field}" for field, schema in definition["properties"].items() if not schema.get("description")]
                missing += [] if description(name) else [name]
    assert not missing


def test_no_description_is_of_something_else() -> None:
    tables = [profile.types() for profile in PROFILES]
    for name, texts in TEXTS.items():
        if name in ("root", "kinds"):
            continue
        holders = [table for table in tables if table.has(name)]
        assert holders, f"{name} is no struct of any release"
        known = {field for table in holders for field in table.struct(name).fields}
        assert set(texts) - {""} <= known, name


def errors(document: object, kind: str = "TrainJob", release: str = "v2.3", *, strict: bool = True) -> list[str]:
    return [error.json_path for error in Draft202012Validator(json_schema(kind, release, strict=strict)).iter_errors(document)]


def job(**spec: object) -> dict[str, object]:
    return {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "job"}, "spec": {"runtimeRef": {"name": "rt"}, **spec}}


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"trainer": {"numNodes": "2"}}, "$.spec.trainer.numNodes"),
        ({"trainer": {"numNodes": 2**31}}, "$.spec.trainer.numNodes"),
        ({"trainer": {"env": [{"name": "A", "value": 1}]}}, "$.spec.trainer.env[0].value"),
        ({"trainer": {"env": [{"value": "1"}]}}, "$.spec.trainer.env[0]"),
        ({"trainer": {"env": [{"name": "A"}, {"name": "A"}]}}, "$.spec.trainer.env"),
        ({"trainer": {"command": [None]}}, "$.spec.trainer.command[0]"),
        ({"trainer": {"resourcesPerNode": {"limits": {"cpu": "1 GB"}}}}, "$.spec.trainer.resourcesPerNode.limits.cpu"),
        ({"trainer": {"resourcesPerNode": {"limits": {"cpu": 0.5}}}}, "$.spec.trainer.resourcesPerNode.limits.cpu"),
        ({"managedBy": "me"}, "$.spec.managedBy"),
        ({"runtimeRef": None}, "$.spec.runtimeRef"),
        ({"initializer": {"dataset": {"storageUri": "no-scheme"}}}, "$.spec.initializer.dataset.storageUri"),
        ({"activeDeadlineSeconds": 0}, "$.spec.activeDeadlineSeconds"),
    ],
)
def test_refuses_at_the_path(spec: dict[str, object], path: str) -> None:
    assert errors(job(**spec)) == [path]


def test_nulls_are_as_good_as_absent_where_a_field_is_not_required() -> None:
    assert errors(job(trainer=None, suspend=None, managedBy=None, initializer={"dataset": {"env": None}})) == []


def test_unknown_fields_are_errors_unless_lenient() -> None:
    document = job(trainer={"numNode": 2})
    assert errors(document) == ["$.spec.trainer"]
    assert errors(document, strict=False) == []


def test_fields_are_those_of_the_release() -> None:
    document = job(podSpecOverrides=[{"targetJobs": [{"name": "node"}]}])
    assert errors(document, release="v2.0") == []
    assert errors(document, release="v2.3") == ["$.spec"]
    assert errors(job(trainer={"numProcPerNode": "auto"}), release="v2.1") == []
    assert errors(job(trainer={"numProcPerNode": "auto"}), release="v2.2") == ["$.spec.trainer.numProcPerNode"]


def test_kind_names_in_any_case_and_unknown_ones() -> None:
    assert json_schema("trainjob")["properties"]["kind"] == {"const": "TrainJob", "description": "Kind of the object."}
    with pytest.raises(UnknownKindError, match="known: TrainJob, TrainingRuntime, ClusterTrainingRuntime, JobSet"):
        json_schema("Pod")
    with pytest.raises(ValueError, match=r"^unknown release"):
        json_schema("TrainJob", "v9")
