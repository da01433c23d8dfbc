"""Times as Go's `time.Parse` reads them: the table holds what it answered."""

from __future__ import annotations

import pytest

from jobset_compiler.kube.scalars import ScalarError, normalized_time

READ = {
    "2024-12-01T00:00:00Z": "2024-12-01T00:00:00Z",
    "2024-01-31T00:00:00Z": "2024-01-31T00:00:00Z",
    "2024-02-29T00:00:00Z": "2024-02-29T00:00:00Z",
    "2000-02-29T00:00:00Z": "2000-02-29T00:00:00Z",
    "2024-01-01T1:00:00Z": "2024-01-01T01:00:00Z",
    "2024-01-01T23:00:00Z": "2024-01-01T23:00:00Z",
    "2024-01-01T00:59:00Z": "2024-01-01T00:59:00Z",
    "2024-01-01T00:00:59Z": "2024-01-01T00:00:59Z",
    "2024-01-01T00:00:00.5Z": "2024-01-01T00:00:00Z",
    "2024-01-01T00:00:00,5Z": "2024-01-01T00:00:00Z",
    "2024-01-01T00:00:00+24:00": "2023-12-31T00:00:00Z",
    "2024-01-01T00:00:00+01:60": "2023-12-31T22:00:00Z",
    "2024-01-01T00:30:00+01:00": "2023-12-31T23:30:00Z",
    "2024-12-31T23:30:00-01:00": "2025-01-01T00:30:00Z",
    "2024-03-01T00:30:00+01:00": "2024-02-29T23:30:00Z",
    "2023-03-01T00:30:00+01:00": "2023-02-28T23:30:00Z",
    "2024-02-28T23:30:00-01:00": "2024-02-29T00:30:00Z",
    "2023-02-28T23:30:00-01:00": "2023-03-01T00:30:00Z",
}
# What Go stops at, and the element of the layout that it looks for.
UNREADABLE = {
    "2024": ("", "-"),
    "2024-": ("", "01"),
    "2024-x1-01T00:00:00Z": ("x1-01T00:00:00Z", "01"),
    "2024-1-01T00:00:00Z": ("1-01T00:00:00Z", "01"),
    "2024-01/01T00:00:00Z": ("/01T00:00:00Z", "-"),
    "2024-01-xT00:00:00Z": ("xT00:00:00Z", "02"),
    "2024-01-1T00:00:00Z": ("1T00:00:00Z", "02"),
    "2024-01-01 00:00:00Z": (" 00:00:00Z", "T"),
    "2024-01-01Tx:00:00Z": ("x:00:00Z", "15"),
    "2024-01-01T00-00:00Z": ("-00:00Z", ":"),
    "2024-01-01T00:x:00Z": ("x:00Z", "04"),
    "2024-01-01T00:0:00Z": ("0:00Z", "04"),
    "2024-01-01T00:00-00Z": ("-00Z", ":"),
    "2024-01-01T00:00:xZ": ("xZ", "05"),
    "2024-01-01T00:00:0Z": ("0Z", "05"),
    "2024-01-01T00:00:00": ("", "Z07:00"),
    "2024-01-01T00:00:00.Z": (".Z", "Z07:00"),
    "2024-01-01T00:00:00.5XXZ": ("XXZ", "Z07:00"),
    "2024-01-01T00:00:00+0100": ("+0100", "Z07:00"),
    "2024-01-01T00:00:00+01-00": ("+01-00", "Z07:00"),
    "2024-01-01T00:00:00*01:00": ("*01:00", "Z07:00"),
    "2024-01-01T00:00:00+0x:00": ("+0x:00", "Z07:00"),
    "2024-01-01T00:00:00+01:0x": ("+01:0x", "Z07:00"),
}
REFUSED = {
    "2024-00-01T00:00:00Z": "month out of range",
    "2024-13-01T00:00:00Z": "month out of range",
    "2024-01-00T00:00:00Z": "day out of range",
    "2024-01-32T00:00:00Z": "day out of range",
    "2024-02-30T00:00:00Z": "day out of range",
    "2023-02-29T00:00:00Z": "day out of range",
    "1900-02-29T00:00:00Z": "day out of range",
    "2024-01-01T24:00:00Z": "hour out of range",
    "2024-01-01T00:60:00Z": "minute out of range",
    "2024-01-01T00:00:60Z": "second out of range",
    "2024-01-01T00:00:00Zx": 'extra text: "x"',
    "2024-01-01T00:00:00+25:00": "time zone offset hour out of range",
    "2024-01-01T00:00:00+01:61": "time zone offset minute out of range",
    "2024-01-01T00:00:00+01:00x": 'extra text: "x"',
}


@pytest.mark.parametrize("text", READ)
def test_a_time(text: str) -> None:
    assert normalized_time(text) == READ[text]


@pytest.mark.parametrize("text", [*UNREADABLE, *REFUSED])
def test_what_is_no_time(text: str) -> None:
    if text in REFUSED:
        expected = f'parsing time "{text}": {REFUSED[text]}'
    else:
        expected = 'parsing time "{}" as "2006-01-02T15:04:05Z07:00": cannot parse "{}" as "{}"'.format(text, *UNREADABLE[text])
    with pytest.raises(ScalarError) as caught:
        normalized_time(text)
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0001-01-01T00:00:00Z", None),
        ("0001-01-01T01:00:00.000+01:00", None),
        ("0001-01-01T00:00:00.0000000009Z", None),
        ("0001-01-01T00:00:00.000000001Z", "0001-01-01T00:00:00Z"),
        ("0001-01-01T00:00:01Z", "0001-01-01T00:00:01Z"),
        ("0000-01-01T00:30:00+01:00", "-0001-12-31T23:30:00Z"),
    ],
)
def test_the_zero_time_is_none(text: str, expected: str | None) -> None:
    """Whatever is finer than a nanosecond does not count."""
    assert normalized_time(text) == expected


def test_what_is_no_time_is_quoted_byte_by_byte() -> None:
    quoted = r'"a\"\\\x01\xc3\xa9"'
    with pytest.raises(ScalarError) as caught:
        normalized_time('a"\\\x01\u00e9')
    assert str(caught.value) == f'parsing time {quoted} as "2006-01-02T15:04:05Z07:00": cannot parse {quoted} as "2006"'
