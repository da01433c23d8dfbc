"""Who owns the objects: the TrainJob, where its UID is known."""

from __future__ import annotations

from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.objects.owner import metadata, owned, owner_unknown
from jobset_compiler.resolve.plan import Plan
from tests.admission.rules.cases import compiled, runtime, trainjob

OWNER = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "name": "job", "uid": "u", "controller": True, "blockOwnerDeletion": True}


def plan(uid: str = "", known: str = "") -> Plan:
    given = trainjob(metadata={"namespace": "team", **({"uid": uid} if uid else {})})
    (unit,) = compiled("v2.3", runtime(), given, facts=jc.Facts(uid=known)).units
    return unit.plan


def test_the_metadata_of_an_object() -> None:
    assert metadata(plan(), "a") == metadata(plan(), "a", {}, {}) == {"name": "a", "namespace": "team"}
    labels, annotations = {"l": "1"}, {"n": "2"}
    assert metadata(plan("u"), "a", labels, annotations) == {
        "name": "a",
        "namespace": "team",
        "labels": labels,
        "annotations": annotations,
        "ownerReferences": [OWNER],
    }
    assert metadata(plan(known="u"), "a") == {"name": "a", "namespace": "team", "ownerReferences": [OWNER]}
    assert metadata(plan("u", "other"), "a")["ownerReferences"] == [OWNER], "the document counts more"


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({}, {"namespace": "team", "ownerReferences": [OWNER]}),
        ({"labels": {"l": "1"}}, {"namespace": "team", "ownerReferences": [OWNER], "labels": {"l": "1"}}),
        ({"namespace": "team"}, {"namespace": "team", "ownerReferences": [OWNER]}),
        ({"namespace": "other"}, {"namespace": "other"}),
        ({"ownerReferences": []}, {"namespace": "team", "ownerReferences": []}),
        ({"namespace": "other", "ownerReferences": [{"name": "x"}]}, {"namespace": "other", "ownerReferences": [{"name": "x"}]}),
    ],
)
def test_an_object_that_a_pass_added_is_owned_in_its_namespace_only(given: dict[str, Any], written: dict[str, Any]) -> None:
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", **given}, "data": {}}
    assert owned(plan("u"), manifest) == {**manifest, "metadata": {"name": "a", **written}}


def test_an_unknown_owner_is_told() -> None:
    assert list(owner_unknown(plan("u"))) == list(owner_unknown(plan(known="u"))) == list(owner_unknown(plan("u", "v"))) == []
    without = plan()
    (found,) = owner_unknown(without)
    assert (found.slug, found.severity, found.stage) == ("owner-references-omitted", "info", "objects")
    assert found.message == "no UID is known, so the objects carry no owner references"
    assert (found.document, found.at, found.object_kind, found.namespace, found.name) == (without.job.document, ("metadata",), "TrainJob", "team", "job")
