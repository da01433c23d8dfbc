from __future__ import annotations

import json
from typing import Any

import pytest

from jobset_compiler.emit.json import to_json


def test_one_object_is_itself() -> None:
    value: dict[str, Any] = {"kind": "JobSet", "a": [1, 2.0, True, None, {}, []], "b": {"c": '"<é>\n'}}
    assert to_json([value]) == (
        "{\n"
        '    "kind": "JobSet",\n'
        '    "a": [\n'
        "        1,\n"
        "        2,\n"
        "        true,\n"
        "        null,\n"
        "        {},\n"
        "        []\n"
        "    ],\n"
        '    "b": {\n'
        '        "c": "\\"<é>\\n"\n'
        "    }\n"
        "}\n"
    )


@pytest.mark.parametrize("count", [0, 2, 3])
def test_any_other_number_of_objects_is_a_list(count: int) -> None:
    items = [{"kind": "JobSet", "n": n} for n in range(count)]
    assert json.loads(to_json(iter(items))) == {"apiVersion": "v1", "kind": "List", "items": items}


def test_what_yaml_readers_refuse_raw_is_escaped() -> None:
    assert to_json([{"a": "\x00\x7f\x85\u2028\u202e\ufeff\ud800😀"}]) == (
        '{\n    "a": "\\u0000\\u007f\\u0085\\u2028\\u202e\\ufeff\ufffd😀"\n}\n'
    )


def test_types_json_does_not_have_are_refused() -> None:
    with pytest.raises(TypeError, match="set"):
        to_json([{"a": {1}}])
    with pytest.raises(TypeError, match="key"):
        to_json([{1: "a"}])  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({1: 2}, "a key of a JSON object is a string, not 1"),
        ({"a": {None: 1}}, "a key of a JSON object is a string, not None"),
        ({"a": {1}}, "JSON has no set: {1}"),
    ],
)
def test_what_json_cannot_hold(value: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        to_json([value])
    assert str(caught.value) == message
