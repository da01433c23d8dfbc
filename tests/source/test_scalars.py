from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.source.reader import read_text
from jobset_compiler.source.scalars import plain_number, resolve
from jobset_compiler.source.tags import key_text
from tests.source.kubectl import needs_kubectl, read_values, refuses

# A scalar's text and the JSON value that the API server gets; floats are floats here, integers integers.
TABLE: tuple[tuple[str, Any], ...] = (
    *((word, True) for word in ("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON")),
    *((word, False) for word in ("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF")),
    *((word, None) for word in ("~", "null", "Null", "NULL", "")),
    *((word, word) for word in ("tRue", "yEs", "nULL", "oN", "inf", "nan", "Infinity", "none", "t", "f", "=", "<<", "-a", "--")),
    ("0644", 420), ("010", 8), ("0o644", 420), ("0O17", 15), ("0777", 511), ("00", 0), ("0", 0), ("-0", 0), ("0_7", 7),
    ("08", 8), ("018", 18), ("-08", -8), ("09.5", 9.5), ("1_000", 1000), ("1__0", 10), ("1_", 1), ("_1", "_1"), ("0_", 0),
    ("1e3", 1000), ("1E3", 1000), ("1e+3", 1000), ("3e-4", 0.0003), ("1_e3", 1000), ("1e_3", 1000), ("1e", "1e"), ("1e+", "1e+"),
    (".5", 0.5), ("5.", 5), ("5.e3", 5000), ("-.5", -0.5), ("+.5", 0.5), (".5e3", 500), (".1_5", 0.15), ("._5", "._5"),
    (".5_", ".5_"), (".", "."), (".e5", ".e5"), ("..", ".."), ("+1", 1), ("+", "+"), ("+-1", "+-1"), ("1.5.5", "1.5.5"),
    ("0x1F", 31), ("0X1f", 31), ("-0x1F", -31), ("0x_1F", 31), ("0x", "0x"), ("0xZ", "0xZ"), ("0x1.8p1", "0x1.8p1"),
    ("0b101", 5), ("-0b11", -3), ("+0b11", 3), ("0b2", "0b2"), ("0b", "0b"), ("1.0", 1), ("-0.0", 0), ("1.10", 1.1),
    ("12:30", "12:30"), ("190:20:30", "190:20:30"), ("12:30:45.6", "12:30:45.6"),
    ("2001-12-14", "2001-12-14"), ("2001-13-01", "2001-13-01"), ("2001-12-14T21:59:43Z", "2001-12-14T21:59:43Z"),
    ("1e400", "1e400"), ("-1e400", "-1e400"), ("1e-400", 0), ("1.7976931348623157e309", "1.7976931348623157e309"),
    ("9223372036854775807", 9223372036854775807), ("9223372036854775808", 9223372036854775808.0),
    ("-9223372036854775808", -9223372036854775808), ("-9223372036854775809", -9223372036854775808.0),
    ("18446744073709551615", 18446744073709551615.0), ("99999999999999999999", 1e20), ("123456789012345678", 123456789012345678),
    ("1e18", 10**18), ("9.2233720368547748e18", 9223372036854775000), ("1.2345678901234567e+18", 1234567890123456800),
    ("9.3e18", 9.3e18), ("1e21", 1e21), ("1e-7", 1e-07), ("0.30000000000000004", 0.30000000000000004),
    ("\u0663", "\u0663"), ("1\u0663", "1\u0663"), ("'1'", "1"), ('"yes"', "yes"), ("'~'", "~"),
    ("! 12", "12"), ("! ~", "~"), ("!!str 8", "8"), ("!!str yes", "yes"), ("!!str ~", "~"), ("!!int '3'", 3), ("!!int 0x10", 16),
    ("!!float 2", 2), ("!!float 1_0", 10), ("!!bool 'yes'", True), ("!!null ''", None), ("!custom 3", "3"), ("!!foo 3", "3"),
    ("!!map 3", "3"), ("!!timestamp 2001-01-01", "2001-01-01"), ("!!timestamp 2001-1-2t3:4:5+01:00", "2001-1-2t3:4:5+01:00"),
    ("!!timestamp 2004-2-29", "2004-2-29"), ("!!timestamp 2000-02-29", "2000-02-29"), ("!!timestamp 2001-12-31 23:59:59.9", "2001-12-31 23:59:59.9"),
    *((f"!!timestamp 2001-{month}-31", f"2001-{month}-31") for month in (1, 3, 5, 7, 8, 10, 12)),
    *((f"!!timestamp 2001-{month}-30", f"2001-{month}-30") for month in (6, 9, 11)),
    ("!!timestamp 2001-4-30", "2001-4-30"), ("!!timestamp 0000-2-29", "0000-2-29"),
    ("!!binary aGVsbG8=", "hello"), ("!!binary aGl=", "hi"), ("!!binary /w==", "\ufffd"), ("!!binary 4oI=", "\ufffd\ufffd"),
    ("!!binary ''", ""),
)  # fmt: skip

REFUSED = (
    ".inf", "-.inf", "+.Inf", ".nan", ".NaN", "!!float .inf", "!!int x", "!!int 1.0", "!!int ''", "!!bool 1", "!!null x",
    "!!float 1e400", "!!float 18446744073709551615", "!!timestamp x", "!!timestamp 2001-2-30", "!!binary a", "!!binary 'aG k='",
    "!!int 2001-01-01", "!!timestamp 2001-2-29", "!!timestamp 1900-2-29", "!!timestamp 2003-2-29", "!!timestamp 2001-4-31", "!!timestamp 2001-0-1",
    *(f"!!timestamp 2001-{month}-32" for month in (3, 5, 7, 8, 10, 12)), *(f"!!timestamp 2001-{month}-31" for month in (6, 9, 11)),
    "!!timestamp 2001-13-1", "!!timestamp 2001-1-0", "!!timestamp 2001-1-32", "!!timestamp 2001-1-1 24:0:0", "!!timestamp 2001-1-1 0:60:0",
    "!!timestamp 2001-1-1 0:0:60",
)  # fmt: skip

KEYS = (
    ("1", "1"), ("on", "true"), ("n", "false"), ("0644", "420"), ("1.5", "1.5"), ("1e3", "1000"), ("1e5", "100000"), ("1e6", "1e+06"),
    ("1234567.0", "1.234567e+06"), ("1.23456789", "1.2345679"), ("16777217.0", "1.6777216e+07"), ("0.0001", "0.0001"),
    ("0.00001", "1e-05"), ("1e40", ".inf"), (".nan", ".nan"), ("-.inf", "-.inf"), ("-0.0", "-0"), ("123456.5", "123456.5"),
    ("2001-01-01", "2001-01-01"), ("9223372036854775807", "9223372036854775807"), ("'1'", "1"), ("!!str 010", "010"), ("! 010", "010"),
)  # fmt: skip


def value_of(text: str) -> Any:
    documents, problems = read_text(f"value: {text}\n")
    assert not problems
    return documents[0].value["value"]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_a_scalar_means_what_it_means_to_the_api_server(text: str, expected: Any) -> None:
    value = value_of(text)
    assert value == expected
    assert type(value) is type(expected)


@needs_kubectl
def test_the_table_is_what_kubectl_reads() -> None:
    expected = [value for _, value in TABLE]
    assert [_narrow(value) for value in read_values([text for text, _ in TABLE])] == expected


def _narrow(value: Any) -> Any:
    return float(value) if type(value) is int and not -(2**63) <= value < 2**63 else value


@pytest.mark.parametrize("text", REFUSED)
def test_a_scalar_that_the_server_refuses_is_an_error(text: str) -> None:
    documents, problems = read_text(f"a: 1\nvalue: {text}\n")
    assert documents == ()
    assert [problem.slug in ("bad-number", "bad-tag") for problem in problems] == [True]
    assert problems[0].span.line == 2


@needs_kubectl
@pytest.mark.parametrize("text", REFUSED)
def test_kubectl_refuses_it_too(text: str) -> None:
    assert refuses(f"apiVersion: v1\nkind: A\nmetadata: {{name: a}}\nvalue: {text}\n")


@pytest.mark.parametrize(("text", "expected"), KEYS)
def test_a_key_becomes_its_canonical_text(text: str, expected: str) -> None:
    documents, problems = read_text(f"{text}: 1\n")
    assert not problems
    assert documents[0].value == {expected: 1}


@needs_kubectl
def test_the_keys_are_what_kubectl_reads() -> None:
    texts = [f"{{{text}: 1}}" for text, _ in KEYS]
    assert read_values(texts) == [{key: 1} for _, key in KEYS]


@pytest.mark.parametrize("text", ["null: 1", "~: 1", "{? : 1}", "18446744073709551615: 1", "[a]: 1", "? {a: b}\n: 1"])
def test_a_key_that_json_has_not_is_an_error(text: str) -> None:
    documents, problems = read_text("- " + text.replace("\n", "\n  ") + "\n")
    assert documents == ()
    assert [problem.slug for problem in problems] == ["bad-key"]


def test_floats_beyond_exact_integers_are_printed_with_their_shortest_digits() -> None:
    assert plain_number(2.0**60) == 1152921504606847000
    assert plain_number(-(2.0**53)) == -(2**53)
    assert plain_number(2.0**63) == 2.0**63
    assert type(plain_number(2.0**63)) is float


def test_key_text_of_null_does_not_exist() -> None:
    assert key_text(resolve("")) is None
