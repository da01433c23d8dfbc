"""Small things that others rest on: Go's names for types, numbers that JSON has not, thousandths, patches of webhooks, where values come from."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from jobset_compiler.kube.go_values import go_type
from jobset_compiler.kube.lineage import UNTOLD, Late, Lineage
from jobset_compiler.kube.mutation import patched
from jobset_compiler.kube.quantity import Quantity, QuantityError, json_number_text
from jobset_compiler.kube.retype import retype
from jobset_compiler.kube.structural.misfit import type_complaint
from jobset_compiler.kube.table import load


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("string", "string"),
        ("*int32", "*int32"),
        ("[]string", "[]string"),
        ("{}string", "map[string]string"),
        ("[]{}string", "[]map[string]string"),
        ("{}[]core.Container", "map[string][]v1.Container"),
        ("*core.Probe", "*v1.Probe"),
        ("trainer.TrainJob", "v1alpha1.TrainJob"),
        ("Quantity", "resource.Quantity"),
        ("{}Quantity", "v1.ResourceList"),
        ("bytes", "[]uint8"),
    ],
)
def test_types_in_go_words(text: str, name: str) -> None:
    assert go_type(text) == name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("livenessProbe", "periodSeconds"), "Probe.livenessProbe.periodSeconds"),
        (("livenessProbe", "exec"), "Probe.livenessProbe.ProbeHandler.exec"),
        (("livenessProbe", "exec", "command"), "ExecAction.livenessProbe.ProbeHandler.exec.command"),
    ],
)
def test_a_place_names_the_embedded_struct_where_the_field_is_one_of_its(path: tuple[str, ...], name: str) -> None:
    value: Any = "x"
    for step in reversed(path):
        value = {step: value}
    _, (problem,) = retype(value, load("v2.3"), "core.Container")
    assert f" Go struct field {name} of type " in problem.message


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan"), 10**400, -(10**400)])
def test_numbers_that_json_has_not(value: float) -> None:
    with pytest.raises(QuantityError, match="quantities must match the regular expression"):
        json_number_text(value)


@pytest.mark.parametrize(
    ("text", "milli", "rounded"),
    [
        ("1500m", 1500, "1500m"),
        ("1", 1000, "1"),
        ("1.0001", 1001, "1001m"),
        ("1.001", 1001, "1.001"),
        ("100u", 1, "1m"),
        ("1000u", 1, "1m"),
        ("1999n", 1, "1m"),
        ("0", 0, "0"),
        ("1Ki", 1024000, "1Ki"),
        ("0.5Ki", 512000, "512"),
    ],
)
def test_thousandths(text: str, milli: int, rounded: str) -> None:
    quantity = Quantity.parse(text)
    assert quantity.milli_value() == milli
    assert quantity.rounded_up_to_milli().text == rounded
    assert (quantity * -1).rounded_up_to_milli() == quantity.rounded_up_to_milli() * -1, "away from zero"


@pytest.mark.parametrize(
    ("types", "schema_format", "value", "complaint"),
    [
        ("integer", "", 1, ""),
        ("integer", "", 1.5, 'must be of type integer: "number"'),
        ("integer", "", "1", 'must be of type integer: "string"'),
        ("number", "", 1, ""),
        ("number", "", 1.5, ""),
        ("number", "", True, 'must be of type number: "boolean"'),
        ("string", "", 1, 'must be of type string: "integer"'),
        ("string", "", None, 'must be of type string: "null"'),
        ("integer,string", "", "x", ""),
        ("integer,string", "", 1, ""),
        ("integer,string", "", [], 'must be of type integer,string: "array"'),
        ("array", "", {}, 'must be of type array: "object"'),
    ],
)
def test_what_the_type_check_says(types: str, schema_format: str, value: Any, complaint: str) -> None:
    assert type_complaint(types, schema_format, value) == complaint


@pytest.mark.parametrize(
    ("sent", "written", "result"),
    [
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, {"a": 1, "b": 3, "c": 4}),
        ({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}),
        ({"a": [{"b": 1}, {"c": 2}]}, {"a": [{"d": 3}, {"c": 4}]}, {"a": [{"b": 1, "d": 3}, {"c": 4}]}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": {"b": 1}}, {"a": [1]}, {"a": [1]}),
        ({"a": [1]}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"a": 1}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"a": {"b": 1}}, {"a": None}, {"a": None}),
    ],
)
def test_what_a_webhook_wrote_lies_over_what_was_sent(sent: Any, written: Any, result: Any) -> None:
    assert patched(sent, written) == result


def test_where_values_come_from_is_compared() -> None:
    one = Lineage((("a",),), {"x": Lineage((("b",),))})
    assert one == Lineage((("a",),), {"x": Lineage((("b",),))}) and hash(one) == hash(Lineage((("a",),)))
    assert one != Lineage((("c",),), {"x": Lineage((("b",),))})
    assert one != Lineage((("a",),), {"x": Lineage((("c",),))})
    assert one != Lineage((("a",),)) and one != (("a",),)
    assert Lineage((("a",),), {}) == Lineage((("a",),))
    assert one.at(("x",)) == (("b",),) and one.at(("y", 0)) == (("a", "y", 0),)
    assert UNTOLD.at(("x",)) == () and UNTOLD.replaced(("a",), ["b"]) is UNTOLD


def test_a_late_lineage_is_made_once() -> None:
    made = []

    def make() -> Lineage:
        made.append(1)
        return Lineage((("a",),))

    late = Late(make)
    assert not made
    assert late == Late(lambda: Lineage((("a",),))) and late != Late(lambda: Lineage((("b",),))) and late != Lineage((("a",),))
    assert hash(late) == hash(Lineage((("a",),))) and made == [1]
    assert pickle.loads(pickle.dumps(late)) == late and late.lineage is late.lineage and made == [1]
