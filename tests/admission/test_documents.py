"""Which documents are ours."""

from __future__ import annotations

import pytest

import jobset_compiler as jc
from jobset_compiler.admission.documents import admit
from jobset_compiler.admission.subject import subject_of
from jobset_compiler.request.options import Options
from jobset_compiler.source.document import Document

API = "trainer.kubeflow.org/v1alpha1"


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        ("Trainjob", "did you mean TrainJob?"),
        ("TrainingJob", "did you mean TrainJob?"),
        ("TrainingRuntimes", "did you mean TrainingRuntime?"),
        ("OptimizationJob", f"the kinds of {API} are TrainJob, TrainingRuntime, ClusterTrainingRuntime"),
    ],
)
def test_a_kind_that_the_api_does_not_have(kind: str, hint: str) -> None:
    result = jc.compile_yaml(f"apiVersion: {API}\nkind: {kind}\nmetadata: {{name: a}}\n", file="a.yaml")
    (found,) = [d for d in result.diagnostics if d.is_error]
    assert not result.ok
    assert (found.code, found.message, found.hint) == ("JSC102", f'no matches for kind "{kind}" in version "{API}"', hint)
    assert (found.line, found.column, found.path) == (2, 7, "kind")


@pytest.mark.parametrize(
    ("kind", "metadata", "namespace"),
    [
        ("TrainJob", {"name": "a"}, "team"),
        ("TrainingRuntime", {"name": "a", "namespace": ""}, "team"),
        ("TrainingRuntime", {"name": "a", "namespace": "own"}, "own"),
        ("ClusterTrainingRuntime", {"name": "a"}, None),
    ],
)
def test_the_namespace_is_filled_in_where_the_kind_has_one(kind: str, metadata: dict[str, str], namespace: str | None) -> None:
    document = Document.from_object({"apiVersion": API, "kind": kind, "metadata": metadata, "spec": {}}, "a.yaml", 0)
    assert admit(document, Options(namespace="team")).value["metadata"].get("namespace") == namespace
    assert document.value["metadata"] == metadata, "the input stays as it is"


OTHERS = ("apiVersion: v1\nkind: Trainjob\n", f"apiVersion: {API}\nkind: TrainJobList\nitems: []\n", "apiVersion: example.com/v1\nkind: TrainingJob\n")


@pytest.mark.parametrize("text", OTHERS)
def test_kinds_of_others_are_skipped(text: str) -> None:
    assert jc.compile_yaml(text).ok


def test_a_misspelt_kind_is_found_in_a_folder_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    from tests.cli.conftest import run_here

    folder = tmp_path_factory.mktemp("manifests")
    (folder / "a.yaml").write_text(f"apiVersion: {API}\nkind: TrainingJob\nmetadata: {{name: a}}\n")
    assert run_here("check", str(folder)).code == 1


def refusals(text: str) -> set[tuple[str, int, str]]:
    return {(d.path, d.line, d.code) for d in jc.compile_yaml(text).diagnostics if d.is_error}


def test_metadata_that_is_null_is_metadata_without_a_name() -> None:
    for kind, spec in (("TrainJob", "{runtimeRef: {name: a}}"), ("ClusterTrainingRuntime", "{}")):
        assert ("metadata.name", 3, "JSC104") in refusals(f"apiVersion: {API}\nkind: {kind}\nmetadata: null\nspec: {spec}\n")


@pytest.mark.parametrize("ref", ["{name: {a: b}}", "{name: [a]}", "{name: a, kind: [b]}", "{name: a, kind: {c: d}}"])
@pytest.mark.parametrize("release", ["v2.0", "v2.1", "v2.2", "v2.3"])
def test_a_reference_of_another_type_beside_a_runtime_that_is_refused(ref: str, release: str) -> None:
    runtime = f"apiVersion: {API}\nkind: ClusterTrainingRuntime\nmetadata: {{name: a}}\nspec: {{}}\n"
    job = f"apiVersion: {API}\nkind: TrainJob\nmetadata: {{name: a}}\nspec: {{runtimeRef: {ref}}}\n"
    found = jc.compile_yaml(f"{runtime}---\n{job}", trainer_version=release).diagnostics
    assert {d.line for d in found if d.is_error} == {4, 9}


@pytest.mark.parametrize("release", ["v2.2", "v2.3"])
def test_an_override_that_is_null_is_one_without_anything(release: str) -> None:
    """The webhook reads a null as an empty override, stamps it, and the schema misses its manager."""
    text = f"apiVersion: {API}\nkind: TrainJob\nmetadata: {{name: a}}\nspec:\n  runtimeRef: {{name: torch-distributed}}\n  runtimePatches: %s\n"
    refused = jc.compile_yaml(text % "[null]", trainer_version=release).diagnostics
    assert [(d.code, d.path) for d in refused if d.severity == "error"] == [("JSC104", "spec.runtimePatches[0].manager")]
    assert jc.compile_yaml(text % "[{manager: a.io/b, time: null}]", trainer_version=release).ok
    assert not jc.check_update(text % "[]", text % "[null]", trainer_version=release).ok


@pytest.mark.parametrize(
    ("value", "subject"),
    [
        ({"kind": "TrainJob", "metadata": {"name": "a", "namespace": "team"}}, ("TrainJob", "team", "a")),
        ({"kind": "TrainJob", "metadata": {"name": "a"}}, ("TrainJob", "default", "a")),
        ({"kind": "TrainingRuntime", "metadata": {"name": "a", "namespace": ""}}, ("TrainingRuntime", "default", "a")),
        ({"kind": "ClusterTrainingRuntime", "metadata": {"name": "a", "namespace": "team"}}, ("ClusterTrainingRuntime", "", "a")),
        ({"kind": "TrainJob", "metadata": ["a"]}, ("TrainJob", "default", "")),
        ({"metadata": {"name": 1, "namespace": 2}}, ("", "2", "1")),
        ("text", ("", "default", "")),
    ],
)
def test_what_a_document_is_about(value: object, subject: tuple[str, str, str]) -> None:
    assert subject_of(Document.from_object(value)) == subject
