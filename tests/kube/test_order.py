"""The order of fields in the output."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobset_compiler.kube.order import in_field_order
from jobset_compiler.kube.retype import retype
from jobset_compiler.kube.table import load
from tests.kube.typed_values import values

TABLE = load("v2.3")


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: shuffled(value[key], chance) for key in keys}
    return [shuffled(item, chance) for item in value] if isinstance(value, list) else value


def test_an_object_begins_as_people_write_it() -> None:
    spec = {"suspend": True, "replicatedJobs": [{"replicas": 1, "name": "node"}]}
    labels = {"b": "2", "a": "1"}
    ordered = in_field_order(
        {"spec": spec, "metadata": {"labels": labels, "name": "job"}, "kind": "JobSet", "apiVersion": "jobset.x-k8s.io/v1alpha2"}, TABLE, "jobset.JobSet"
    )
    assert json.dumps(ordered) == json.dumps(
        {
            "apiVersion": "jobset.x-k8s.io/v1alpha2",
            "kind": "JobSet",
            "metadata": {"name": "job", "labels": {"a": "1", "b": "2"}},
            "spec": {"replicatedJobs": [{"name": "node", "replicas": 1}], "suspend": True},
        }
    )


def test_unknown_fields_come_last_by_name() -> None:
    assert list(in_field_order({"zeta": 1, "alpha": [{"b": 1, "a": 2}], "image": "x", "name": "n"}, TABLE, "core.Container")) == [
        "name",
        "image",
        "alpha",
        "zeta",
    ]


def test_values_of_another_kind_are_left_alone() -> None:
    odd = {"metadata": "x", "spec": {"volumes": ["v", None], "containers": {"name": "a"}, "nodeSelector": ["b"]}}
    assert in_field_order(odd, TABLE, "core.PodTemplateSpec") is odd


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data(), seed=st.integers(0, 1000))
def test_any_order_comes_out_as_go_writes_it(data: st.DataObject, seed: int) -> None:
    typed, _ = retype(data.draw(values(TABLE, "jobset.JobSetSpec")), TABLE, "jobset.JobSetSpec")
    assert isinstance(typed, dict)
    # Go has `kind` before `apiVersion` in the claims within; all else is in order already.
    typed = in_field_order(typed, TABLE, "jobset.JobSetSpec")
    assert in_field_order(typed, TABLE, "jobset.JobSetSpec") is typed
    mixed = shuffled(typed, random.Random(seed))
    before = json.dumps(mixed)
    assert json.dumps(in_field_order(mixed, TABLE, "jobset.JobSetSpec")) == json.dumps(typed)
    assert json.dumps(mixed) == before
