"""Quantities: what Kubernetes' own parser answered, and the laws that hold whatever the texts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jobset_compiler.kube.quantity import Quantity, QuantityError, from_json, json_number_text
from jobset_compiler.kube.quantity_text import matches_schema

DIGITS = "0123456789"
SUFFIXES = ("", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")

numbers = st.one_of(
    st.text(DIGITS, min_size=1, max_size=30),
    st.builds("{}.{}".format, st.text(DIGITS, min_size=1, max_size=20), st.text(DIGITS, max_size=20)),
    st.builds(".{}".format, st.text(DIGITS, min_size=1, max_size=20)),
)
exponents = st.builds("{}{}".format, st.sampled_from("eE"), st.integers(-40, 40))
texts = st.builds("{}{}{}".format, st.sampled_from(("", "", "-", "+")), numbers, st.one_of(st.sampled_from(SUFFIXES), exponents))
quantities = texts.map(Quantity.parse)


def recorded_answers() -> list[list[Any]]:
    lines = (Path(__file__).parent / "data" / "quantity_answers.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[1:]]


def answer(quantity: Quantity) -> list[object]:
    return [quantity.text, quantity.ceil(), quantity.format]


@pytest.mark.parametrize("row", recorded_answers(), ids=lambda row: f"{row[0]!r}, {row[1]!r}, {row[2]}")
def test_recorded_answers(row: list[Any]) -> None:
    a_text, b_text, n, of_a, *rest = row
    if isinstance(of_a, str):
        with pytest.raises(QuantityError) as refusal:
            Quantity.parse(a_text)
        assert refusal.value.args[0] == of_a
        return
    a = Quantity.parse(a_text)
    assert answer(a) == of_a
    if not rest:
        with pytest.raises(QuantityError):
            Quantity.parse(b_text)
        return
    b = Quantity.parse(b_text)
    total, product = a + b, a * n
    assert [answer(total), answer(product), answer(product + total), answer(total * n), (a > b) - (a < b)] == rest


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1024Mi", "1Gi"),
        ("2048Ki", "2Mi"),
        ("1536Ki", "1536Ki"),
        ("1000Ki", "1000Ki"),
        ("1.5Gi", "1536Mi"),
        ("0.5Gi", "512Mi"),
        ("0.9Gi", "966367641600m"),
        ("8Ei", "9223372036854775807"),
        ("16Gi", "16Gi"),
        ("1000m", "1"),
        ("0.5", "500m"),
        (".5", "500m"),
        ("1.0", "1"),
        ("0.001", "1m"),
        ("0.1m", "100u"),
        ("0.1n", "1n"),
        ("1000", "1k"),
        ("2000", "2k"),
        ("1000000", "1M"),
        ("1000k", "1M"),
        ("-0", "0"),
        ("0", "0"),
        ("1e19", "10e18"),
        ("1e20", "100e18"),
        ("0.0000000001", "1n"),
        ("1234567890123456789", "1234567890123456789"),
        ("5000000000000000000000", "5"),
        ("Gi", "0"),
    ],
)
def test_canonical_form(text: str, printed: str) -> None:
    assert Quantity.parse(text).text == printed


@pytest.mark.parametrize(
    "text",
    ["1e3", "1E3", "129e6", "3e0", "1e-3", "5.", "+3", "+1", "100u", "1500m", "1.500", "01", "4", "500m", "1Ki", "9Gi"],
)
def test_text_that_is_kept(text: str) -> None:
    assert Quantity.parse(text).text == text


@pytest.mark.parametrize(("text", "without_cache"), [("1e3", "1e3"), ("1E3", "1e3"), ("5.", "5"), ("+3", "3"), ("1500m", "1500m"), ("01", "1")])
def test_sums_drop_the_text(text: str, without_cache: str) -> None:
    assert (Quantity.parse(text) + Quantity.of(0)).text == without_cache


@pytest.mark.parametrize(
    ("first", "second", "total"),
    [("1Gi", "1k", "1073742824"), ("1k", "1Gi", "1073742824"), ("1Gi", "1Mi", "1025Mi"), ("0", "1Gi", "1Gi"), ("0Gi", "1000", "1k")],
)
def test_format_of_the_first_addend_that_is_not_zero(first: str, second: str, total: str) -> None:
    assert (Quantity.parse(first) + Quantity.parse(second)).text == total


@pytest.mark.parametrize(
    ("text", "added", "total"),
    [("1023", "1Ki", "2047"), ("-1Ki", "0", "-1Ki"), ("1Ki", "0", "1Ki"), ("1Ki", "-1", "1023"), ("-1Ki", "1", "-1023"), ("-2Ki", "0", "-2Ki")],
)
def test_binary_suffixes_begin_at_1024(text: str, added: str, total: str) -> None:
    assert (Quantity.parse(text) + Quantity.parse(added)).text == total


def test_format_of_a_product() -> None:
    assert (Quantity.parse("512Mi") * 4).text == "2Gi"
    assert (Quantity.parse("500m") * 4).text == "2"
    assert (Quantity.parse("1e3") * 1000).text == "1e6"


@given(texts)
def test_printing_is_stable(text: str) -> None:
    printed = Quantity.parse(text).text
    # Go loses exponents that have no suffix (5000000000000000000000 prints as 5), but what it prints it prints again.
    assert Quantity.parse(printed).text == printed


@given(st.builds("{}{}".format, st.integers(1, 999), st.sampled_from(SUFFIXES)))
def test_short_texts_print_the_same_value(text: str) -> None:
    quantity = Quantity.parse(text)
    assert Quantity.parse(quantity.text) == quantity
    assert len(quantity.text) <= max(len(text), 19 if "i" in text else 0)


@given(st.builds("{}{}".format, st.integers(10**3, 10**24), st.sampled_from(("m", "", "k", "M"))))
def test_canonical_form_has_no_removable_zeros(text: str) -> None:
    quantity = Quantity.parse(text) + Quantity.of(0)
    digits = quantity.text.rstrip("numkMGTPE")
    assume(quantity < Quantity.parse("1000E"))
    assert not digits.endswith("000")
    assert Quantity.parse(quantity.text) == quantity


@given(quantities, quantities, quantities)
def test_addition(a: Quantity, b: Quantity, c: Quantity) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + Quantity.of(0) == a
    assert a + a * -1 == Quantity.of(0)


@given(quantities, quantities, st.integers(-(2**40), 2**40))
def test_multiplication(a: Quantity, b: Quantity, n: int) -> None:
    assert (a + b) * n == a * n + b * n
    assert a * (n + 1) == a * n + a
    assert (a * 0).is_zero


@given(quantities, quantities, quantities)
def test_order(a: Quantity, b: Quantity, c: Quantity) -> None:
    assert [a < b, a == b, a > b].count(True) == 1
    assert (a <= b) == (not a > b)
    assert (a >= b) == (not a < b)
    assert (a < b) == (a + c < b + c)
    assert (a < b) == ((b + a * -1).sign == 1)
    if a <= b <= c:
        assert a <= c


@given(quantities)
def test_equal_quantities_are_one_key(a: Quantity) -> None:
    other_form = a + Quantity.parse("0.0000000000000000000")
    assert other_form == a
    assert hash(other_form) == hash(a)


@given(st.integers(-(2**63), 2**63 - 1))
def test_whole_numbers(number: int) -> None:
    assert Quantity.of(number).ceil() == number
    assert Quantity.of(number) == Quantity.parse(str(number))
    assert Quantity.of(number).sign == (number > 0) - (number < 0)
    assert bool(Quantity.of(number)) == (not Quantity.of(number).is_zero)


@given(st.integers(0, 10**15), st.integers(0, 999))
def test_rounds_up(whole: int, thousandths: int) -> None:
    assert Quantity.parse(f"{whole}.{thousandths:03}").ceil() == whole + (thousandths > 0)


def test_other_types() -> None:
    assert Quantity.of(1) != 1
    with pytest.raises(TypeError):
        Quantity.of(1) + 1  # type: ignore[operator]
    with pytest.raises(TypeError):
        Quantity.of(1) * 1.5  # type: ignore[operator]
    with pytest.raises(TypeError):
        Quantity.of(1) < 2  # type: ignore[operator]  # noqa: B015


def test_numbers_longer_than_python_converts_at_once() -> None:
    quantity = Quantity.parse("123" * 4000)
    assert quantity.text == "123" * 4000
    assert (quantity * 1000 + quantity).text == "123" + "246" * 3999 + "123"


@pytest.mark.parametrize("text", ["1000000000000000000000e2000000000", "9" * 100_001])
def test_more_digits_than_anybody_means(text: str) -> None:
    with pytest.raises(QuantityError, match="too many digits"):
        Quantity.parse(text)


def test_huge_exponents_stay_cheap() -> None:
    huge = Quantity.parse("1e2000000001")
    assert huge.text == "1e2000000001"
    assert huge > Quantity.parse("8Ei")
    assert Quantity.parse("1e-2000000000").text == "1e-9"
    with pytest.raises(QuantityError, match="too many digits"):
        huge + Quantity.of(1)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (5, "5"),
        (0, "0"),
        (0.5, "500m"),
        (1e3, "1k"),
        (129e6, "129M"),
        (1e20, "100E"),
        (1e21, "1e+21"),
        (-0.0, "0"),
        (None, "0"),
        (10**20, "100E"),
        (" 1Gi\u3000", "1Gi"),
    ],
)
def test_from_json(value: object, printed: str) -> None:
    assert from_json(value).text == printed


@pytest.mark.parametrize("value", ["1K", "", "\t1", "1\n", True, [], {}, float("inf"), float("nan"), 10**400, "\u0661"])
def test_from_json_refuses(value: object) -> None:
    with pytest.raises(QuantityError):
        from_json(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-10, "1.5e-10"),
        (1e21, "1e+21"),
        (-1.25e21, "-1.25e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (0.30000000000000004, "0.30000000000000004"),
        (-0.0, "-0"),
        (100.0, "100"),
        (2**63 - 1, "9223372036854775807"),
        (2**63, "9223372036854776000"),  # a float by then, with the fewest digits that tell it
    ],
)
def test_json_number_text(value: float, text: str) -> None:
    assert json_number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_json_number_text_is_the_number(value: float) -> None:
    text = json_number_text(value)
    assert float(text) == value
    assert ("e" in text) == (value != 0 and not 1e-6 <= abs(value) < 1e21)


SCHEMA = re.compile(r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?\Z")


@given(st.one_of(texts, st.text("0123456789.+-eEinumkKMGTP", max_size=10), st.text(max_size=5)))
def test_schema_pattern(text: str) -> None:
    assert matches_schema(text) == (SCHEMA.match(text) is not None)


@pytest.mark.parametrize(("text", "matches"), [("1e1.5", True), ("Gi", False), ("1K", False), ("1 ", False), ("1\n", False)])
def test_schema_is_not_the_parser(text: str, matches: bool) -> None:
    assert matches_schema(text) is matches
