"""Objects that JSON cannot hold come back as diagnostics, like text that cannot be read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.source import objects
from jobset_compiler.source.objects import ObjectError, as_tree
from jobset_compiler.source.reader import read_text

GROUP = "trainer.kubeflow.org/v1alpha1"


def errors(spec: Any) -> list[tuple[str, str]]:
    result = jc.compile_objects([{"apiVersion": GROUP, "kind": "TrainJob", "metadata": {"name": "job"}, "spec": spec}], bundled_runtimes=False)
    return [(d.slug, d.message) for d in result.diagnostics if d.is_error]


@pytest.mark.parametrize(("number", "name"), [(float("inf"), "+Inf"), (float("-inf"), "-Inf"), (float("nan"), "NaN"), (10**400, "+Inf"), (-(10**400), "-Inf")])
def test_numbers_that_json_does_not_have(number: float, name: str) -> None:
    assert errors({"trainer": {"numNodes": number}}) == [("bad-number", f"json: unsupported value: {name}")]


def test_integers_beyond_64_bits_are_floats() -> None:
    assert errors({"runtimeRef": {"name": "rt"}, "trainer": {"numNodes": 2**70}})[0][0] != "bad-number"


def test_what_is_nested_too_deeply_or_holds_itself() -> None:
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    itself: dict[str, Any] = {}
    itself["again"] = itself
    for spec in (deep, itself):
        assert errors(spec) == [("too-deep", "object is nested more than 256 levels deep")]


def nested(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize(("levels", "too_deep"), [(255, False), (256, False), (257, True)])
def test_objects_may_be_as_deep_as_texts(levels: int, too_deep: bool) -> None:
    found = read_text(json.dumps(nested(levels)))[1]
    assert [problem.slug for problem in found] == ["too-deep"] * too_deep
    if too_deep:
        with pytest.raises(ObjectError):
            as_tree(nested(levels))
    else:
        assert as_tree(nested(levels)) == nested(levels)


def test_an_object_that_holds_its_parts_many_times_over() -> None:
    shared: Any = "x"
    for _ in range(40):
        shared = [shared, shared]
    assert errors(shared) == [("too-large", "object has more than 1,000,000 values")]


def test_other_objects_are_compiled_all_the_same() -> None:
    bad = {"apiVersion": GROUP, "kind": "TrainJob", "metadata": {"name": "a"}, "spec": {"x": float("nan")}}
    good = {"apiVersion": GROUP, "kind": "TrainJob", "metadata": {"name": "b"}, "spec": {"runtimeRef": {"name": "no"}}}
    found = jc.compile_objects([bad, good], bundled_runtimes=False)
    assert [d.slug for d in found.diagnostics if d.is_error] == ["bad-number", "runtime-not-found"]


@pytest.mark.parametrize("text", ["9" * 5000, "\u00b2", "+-5", "+"])
def test_advice_does_not_stumble_over_digits_that_are_no_integer(text: str) -> None:
    result = jc.compile_objects(
        [{"apiVersion": GROUP, "kind": "TrainJob", "metadata": {"name": "job"}, "spec": {"runtimeRef": {"name": "rt"}, "trainer": {"numNodes": text}}}]
    )
    (found,) = (d for d in result.diagnostics if d.path == "spec.trainer.numNodes")
    assert "without quotes" not in found.hint


class OfKubernetes:
    """As the models of its Python client are."""

    attribute_map: Mapping[str, str] = {"api_version": "apiVersion", "node_name": "nodeName", "host_ip": "hostIP", "unset": "unset"}

    def __init__(self, **values: Any) -> None:
        self.__dict__ |= values

    def to_dict(self) -> dict[str, Any]:
        return {"api_version": "never seen"}


class OfPydantic:
    def model_dump(self, **asked: Any) -> dict[str, Any]:
        return {"a": (1,), "asked": asked}


class Shown:
    def __str__(self) -> str:
        return "as text"


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (None, None),
        (True, True),
        ("", ""),
        (MappingProxyType({1: (2, 3.5), "b": None}), {"1": [2, 3.5], "b": None}),
        ([frozenset({"a"}), {"b"}], [["a"], ["b"]]),
        (OfKubernetes(api_version="v1", node_name=None, host_ip=OfKubernetes(host_ip=0)), {"apiVersion": "v1", "hostIP": {"hostIP": 0}}),
        (SimpleNamespace(to_dict=lambda: {"c": Shown()}), {"c": "as text"}),
        (SimpleNamespace(attribute_map=None, to_dict=lambda: ["d"]), ["d"]),
        (OfPydantic(), {"a": [1], "asked": {"by_alias": True, "exclude_none": True, "mode": "json"}}),
        (Shown(), "as text"),
        (int, "<class 'int'>"),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05Z"),
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=2))), "2026-01-02T03:04:05+02:00"),
    ],
)
def test_what_objects_become(item: Any, expected: Any) -> None:
    assert as_tree(item) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (2**63 - 1, 2**63 - 1),
        (2**63, 2.0**63),
        (-(2**63), -(2**63)),
        (-(2**63) - 1, -(2.0**63)),
        (0, 0),
        (2.0, 2.0),
        (1.7976931348623157e308, 1.7976931348623157e308),
    ],
)
def test_numbers(number: float, expected: float) -> None:
    found = as_tree(number)
    assert (type(found), found) == (type(expected), expected)


def test_as_many_values_as_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "MAX_VALUES", 6)
    assert as_tree([[1, 2], {"a": 3, "b": 4}]) == [[1, 2], {"a": 3, "b": 4}]
    assert as_tree([OfKubernetes(host_ip=1), 2]) == [{"hostIP": 1}, 2], "one with four fields"
    for item in ([[1, 2], {"a": 3, "b": 4, "c": 5}], [[1, 2, 3], {"a": 4, "b": 5}], [OfKubernetes(host_ip=1), 2, 3]):
        with pytest.raises(ObjectError) as told:
            as_tree(item)
        assert (told.value.slug, str(told.value)) == ("too-large", "object has more than 6 values")
