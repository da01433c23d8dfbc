"""One document at the API server, before any webhook."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

import answers
from jobset_compiler.admission.schema import admit_document
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.profiles import find
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.kube.structural import SchemaVerdict
    from jobset_compiler.profiles import Profile

KINDS = ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime")


def profile_of(release: str) -> Profile:
    profile = find(release)
    assert profile is not None
    return profile


def document(kind: str = "TrainJob", metadata: Any = None, **fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": kind,
        "metadata": {"name": "job"} if metadata is None else metadata,
        "spec": {"runtimeRef": {"name": "rt"}} if kind == "TrainJob" else {"template": {"spec": {}}},
        **fields,
    }


def admitted(value: dict[str, Any], release: str = "v2.3") -> SchemaVerdict:
    return admit_document(value, value["kind"], profile_of(release))


def texts(value: dict[str, Any], release: str = "v2.3") -> list[str]:
    return [entry.text for entry in admitted(value, release).errors]


# --- metadata


def test_a_name_is_required() -> None:
    assert texts(document(metadata={})) == ["metadata.name: Required value: name or generateName is required"]
    assert texts(document(metadata={"generateName": "job-"})) == []


def test_a_bad_name_breaks_the_rule_of_object_names_and_the_one_of_train_jobs() -> None:
    found = texts(document(metadata={"name": "Job"}))
    assert found[0].startswith('metadata.name: Invalid value: "Job": a lowercase RFC 1123 subdomain')
    assert found[1:] == ["<nil>: Invalid value: metadata.name must match RFC 1035 DNS label format"]


def test_in_v2_0_the_name_is_left_to_the_webhook() -> None:
    assert texts(document(metadata={"name": "1job"}), "v2.0") == []
    assert texts(document(metadata={"name": "1job"}), "v2.1") == ['<nil>: Invalid value: "object": metadata.name must match RFC 1035 DNS label format']


def test_metadata_that_go_cannot_decode_is_the_only_finding() -> None:
    value = document(metadata={"name": 1}, spec={"trainer": 5})
    found = admitted(value)
    assert [(entry.path, entry.kind, entry.text) for entry in found.errors] == [
        ((), "Decode", "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string")
    ]
    assert found.value is value


def test_a_uid_is_called_by_its_go_type() -> None:
    assert texts(document(metadata={"name": "job", "uid": 1})) == ["json: cannot unmarshal number into Go struct field ObjectMeta.uid of type types.UID"]


def test_unknown_metadata_is_pruned_and_told_first() -> None:
    found = admitted(document(metadata={"name": "job", "zzz": 1}, extra=1))
    assert [entry.message for entry in found.pruned] == ['unknown field "metadata.zzz"', 'unknown field "extra"']
    assert found.pruned[0].path == ("metadata", "zzz")
    assert found.value["metadata"] == {"name": "job"}


def test_metadata_makes_the_round_trip_through_its_go_type() -> None:
    metadata = {"name": "job", "labels": {"a": None}, "annotations": {}, "creationTimestamp": None, "generateName": ""}
    assert admitted(document(metadata=metadata)).value["metadata"] == {"name": "job", "labels": {"a": ""}}


@pytest.mark.parametrize(
    ("release", "words"),
    [("v2.0", "must be no more than 63 characters"), ("v2.1", "must be no more than 63 characters"), ("v2.3", "must be no more than 63 bytes")],
)
def test_words_about_labels(release: str, words: str) -> None:
    found = texts(document(metadata={"name": "job", "labels": {"a": "x" * 64}}), release)
    assert len(found) == 1
    assert found[0].endswith(words)


# --- status


def test_the_status_of_a_new_train_job_is_dropped_after_pruning_and_before_checks() -> None:
    found = admitted(document(status={"conditions": 5, "foo": 1}))
    assert "status" not in found.value
    assert found.errors == ()
    assert [entry.message for entry in found.pruned] == ['unknown field "status.foo"']


def test_a_runtime_has_no_status() -> None:
    assert [entry.message for entry in admitted(document("TrainingRuntime", status={})).pruned] == ['unknown field "status"']


# --- CEL


def test_rules_are_skipped_after_a_blocking_error_only() -> None:
    rule = "spec.managedBy: Invalid value"
    blocked = document(spec={"runtimeRef": {}, "managedBy": "me"})
    assert not any(text.startswith(rule) for text in texts(blocked))
    merely_invalid = document(spec={"runtimeRef": {"name": ""}, "managedBy": "me"})
    assert any(text.startswith(rule) for text in texts(merely_invalid))


def test_rules_see_defaults() -> None:
    value = document("ClusterTrainingRuntime", spec={"mlPolicy": {"torch": {}}, "template": {"spec": {}}})
    assert texts(value, "v2.1") == []
    assert admitted(value, "v2.1").value["spec"]["mlPolicy"]["torch"] == {"numProcPerNode": "auto"}


# --- copies


def test_a_document_without_change_is_returned_as_it_is() -> None:
    value = document("ClusterTrainingRuntime")
    assert admitted(value).value is value


def test_unchanged_parts_are_shared() -> None:
    value = document(spec={"runtimeRef": {"name": "rt"}, "trainer": {"image": "x"}})
    before = copy.deepcopy(value)
    found = admitted(value)
    assert found.value is not value
    assert found.value["spec"]["trainer"] is value["spec"]["trainer"]
    assert value == before


# --- what upstream answered


def recorded() -> Iterator[Any]:
    for family in ("schema", "type", "prune", "unknown", "name", "status", "quantity", "mlpolicy", "jobset", "inject", "random-invalid"):
        yield from (pytest.param(case, id=case["id"]) for case in answers.cases("compile", family))


@pytest.mark.parametrize("case", list(recorded()))
def test_upstream_says_the_same(case: dict[str, Any]) -> None:
    documents, _ = read_text(case["input"])
    ours = [entry.value for entry in documents if isinstance(entry.value, dict) and entry.value.get("kind") in KINDS]
    ours.sort(key=lambda value: value["kind"] == "TrainJob")
    for release, answer in case["results"].items():
        # What does not fit the Go types is refused by a webhook from 2.2 on, before the schema is asked.
        if answer["stage"] in ("yaml", "decode", "decode:TrainJob"):
            continue
        results = [(value["kind"], admitted(value, release)) for value in ours]
        found = {
            (kind, format_path(entry.path) if entry.path else "", entry.kind, entry.message, entry.text)
            for kind, result in results
            for entry in result.errors
        }
        wanted = {(e["kind"], e["path"], e["type"], e["message"], e["text"]) for e in answer["errors"]} if answer["stage"].startswith("crd:") else set()
        assert found == wanted
        pruned = [(kind, entry.message) for kind, result in results for entry in result.pruned]
        assert pruned == [(entry["kind"], entry["text"]) for entry in answer.get("pruned", ()) if entry["kind"]]
