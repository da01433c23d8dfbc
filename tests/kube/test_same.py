"""Two values of a field that are the same to Kubernetes: quantities by value, nothing as an empty list or map."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.kube.same import same_values
from jobset_compiler.kube.table import load

TABLE = load("v2.3")


def limited(**amounts: Any) -> list[dict[str, Any]]:
    return [{"name": "a", "resources": {"limits": amounts}}]


# name of the case: (struct, field, one value, the other)
SAME: dict[str, tuple[str, str, Any, Any]] = {
    "equal": ("core.PodSpec", "hostname", "a", "a"),
    "a quantity in other units": ("core.PodSpec", "containers", limited(cpu="1"), limited(cpu="1000m")),
    "a quantity with a fraction": ("core.PodSpec", "containers", limited(memory="1.5Gi"), limited(memory="1610612736")),
    "a quantity as a number": ("core.PodSpec", "containers", limited(cpu=2, memory="1Gi"), limited(cpu="2", memory="1024Mi")),
    "nothing and an empty list": ("core.PodSpec", "tolerations", None, []),
    "an empty map and nothing": ("core.PodSpec", "nodeSelector", {}, None),
    "an empty map below": ("core.Container", "resources", {"limits": {}}, {}),
    "an empty list below, in both ways": ("core.PodSpec", "containers", [{"name": "a", "env": []}], [{"name": "a"}]),
    "a field that the type has not": ("core.PodSpec", "containers", [{"name": "a", "other": 1}], [{"name": "a"}]),
    "what nobody can read, twice": ("core.PodSpec", "containers", limited(cpu="x"), limited(cpu="x")),
}
OTHER: dict[str, tuple[str, str, Any, Any]] = {
    "another text": ("core.PodSpec", "hostname", "a", "b"),
    "a text that looks like a quantity": ("core.PodSpec", "containers", [{"name": "a", "image": "1"}], [{"name": "a", "image": "1000m"}]),
    "nothing and an empty text": ("core.PodSpec", "hostname", None, ""),
    "nothing and no": ("core.PodSpec", "hostNetwork", None, False),
    "nothing and an empty object": ("core.PodSpec", "securityContext", None, {}),
    "another quantity": ("core.PodSpec", "containers", limited(cpu="1"), limited(cpu="1001m")),
    "no quantity and nought": ("core.PodSpec", "containers", limited(cpu=None), limited(cpu="0")),
    "another quantity beside one that is the same": ("core.PodSpec", "containers", limited(cpu="1", memory="1"), limited(cpu="1000m", memory="2")),
    "what nobody can read": ("core.PodSpec", "containers", limited(cpu="x"), limited(cpu="1")),
    "one more item": ("core.PodSpec", "containers", limited(cpu="1"), [*limited(cpu="1000m"), {"name": "b"}]),
    "one item less": ("core.PodSpec", "containers", [*limited(cpu="1"), {"name": "b"}], limited(cpu="1000m")),
    "another order": ("core.PodSpec", "containers", [{"name": "a"}, {"name": "b"}], [{"name": "b"}, {"name": "a"}]),
    "one more key": ("core.PodSpec", "nodeSelector", {"a": "1"}, {"a": "1", "b": "2"}),
    "another key": ("core.PodSpec", "nodeSelector", {"a": "1"}, {"b": "1"}),
    "a map and a list": ("core.PodSpec", "nodeSelector", {"a": "1"}, ["a"]),
    "a list and nothing": ("core.PodSpec", "tolerations", [{"key": "a"}], None),
    "an object and a text": ("core.PodSpec", "securityContext", {"runAsUser": 1}, "a"),
    "a field that one of them has": ("core.PodSpec", "securityContext", {"runAsUser": 1}, {"runAsUser": 1, "fsGroup": 2}),
}


@pytest.mark.parametrize("name", SAME)
def test_they_are_the_same(name: str) -> None:
    struct, field, one, other = SAME[name]
    assert same_values(one, other, TABLE.struct(struct).fields[field])
    assert same_values(other, one, TABLE.struct(struct).fields[field])


@pytest.mark.parametrize("name", OTHER)
def test_they_are_not_the_same(name: str) -> None:
    struct, field, one, other = OTHER[name]
    assert not same_values(one, other, TABLE.struct(struct).fields[field])
    assert not same_values(other, one, TABLE.struct(struct).fields[field])
