from __future__ import annotations

import enum
from types import MappingProxyType

import pytest

from jobset_compiler.emit.yaml import Emitter, document, to_yaml


def test_an_object() -> None:
    value = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "train", "labels": {"y": "yes", "1": "2", "<<": "=", "a: b": ""}, "annotations": {}},
        "spec": {
            "suspend": False,
            "replicas": 2,
            "ratio": 0.5,
            "nothing": None,
            "command": ["/bin/bash", "-c", "set -e\n\nrun --lr 1e-3\n"],
            "args": [],
            "script": "a\nb",
            "containers": [
                {"name": "node", "env": [{"name": "A", "value": "12:30"}, {"name": "B"}]},
                {},
                {"ports": [{"containerPort": 29500}]},
            ],
            "nested": [[1, [2, "x\ny"]], [[]], [{"a": 1, "b": 2}]],
        },
    }
    assert (
        to_yaml([value])
        == """\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: train
  labels:
    "y": "yes"
    "1": "2"
    !!str "<<": "="
    'a: b': ""
  annotations: {}
spec:
  suspend: false
  replicas: 2
  ratio: 0.5
  nothing: null
  command:
  - /bin/bash
  - -c
  - |
    set -e

    run --lr 1e-3
  args: []
  script: |-
    a
    b
  containers:
  - name: node
    env:
    - name: A
      value: "12:30"
    - name: B
  - {}
  - ports:
    - containerPort: 29500
  nested:
  - - 1
    - - 2
      - |-
        x
        y
  - - []
  - - a: 1
      b: 2
"""
    )


def test_documents_are_separated() -> None:
    assert to_yaml([]) == ""
    assert to_yaml(iter([{"a": 1}])) == "a: 1\n"
    assert to_yaml([{"a": 1}, {}, {"b": "x\n\n"}, {"c": 2}]) == "a: 1\n---\n{}\n---\nb: |+\n  x\n\n---\nc: 2\n"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a", "a\n"),
        ("a\nb\n", "|\n  a\n  b\n"),
        ("a \nb", '"a \\nb"\n'),
        (None, "null\n"),
        (True, "true\n"),
        (3, "3\n"),
        (1e3, "1000\n"),
        ([], "[]\n"),
        ({}, "{}\n"),
        ([1, "b"], "- 1\n- b\n"),
        ({"a\nb": 1, "c": [["a \nb"]]}, '"a\\nb": 1\nc:\n- - "a \\nb"\n'),
    ],
)
def test_a_document_of_any_value(value: object, written: str) -> None:
    assert document(value) == written


def test_long_lines_are_not_folded() -> None:
    text = "word " * 200 + "end"
    assert document({"plain": text, "single": f"{text}: x", "double": f"{text}\t"}) == (
        f"plain: {text}\nsingle: '{text}: x'\ndouble: \"{text}\\t\"\n"
    )


def test_a_key_of_more_than_128_bytes_is_explicit() -> None:
    short, long = "k" * 128, "é" * 65
    assert document({short: 1}) == f"{short}: 1\n"
    assert document([{long: value} for value in (1, "a\n", {"b": [2]}, [3], {}, ())]) == (
        f"- ? {long}\n  : 1\n"
        f"- ? {long}\n  : |\n    a\n"
        f"- ? {long}\n  :\n    b:\n    - 2\n"
        f"- ? {long}\n  :\n    - 3\n"
        f"- ? {long}\n  : {{}}\n"
        f"- ? {long}\n  : []\n"
    )


def test_other_types_are_written_as_the_json_type_they_stand_for() -> None:
    class Text(str):
        __slots__ = ()

    class Level(enum.IntEnum):
        HIGH = 3

    value = {"tuple": (1, ("a",)), "mapping": MappingProxyType({"a": MappingProxyType({})}), "text": Text("yes")}
    assert document(value) == 'tuple:\n- 1\n- - a\nmapping:\n  a: {}\ntext: "yes"\n'
    assert document(MappingProxyType({Text("y"): Level.HIGH, "l": [Text("a\nb")]})) == '"y": 3\nl:\n- |-\n  a\n  b\n'


@pytest.mark.parametrize("value", [{1}, b"a", {"a": object()}, [object()], {1: "a"}, {None: "a"}, {"k" * 200: {1}}])
def test_what_json_does_not_have_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="JSON"):
        document(value)
    with pytest.raises(TypeError, match=r"^a key of a JSON object is a string, not 1$"):
        document({1: 2})


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert document({"a\ud800": ["\udc00", "b\ud800\nc", "\ud800 \nc"]}) == (
        'a\ufffd:\n- \ufffd\n- |-\n  b\ufffd\n  c\n- "\ufffd \\nc"\n'
    )


def test_an_emitter_forgets_rather_than_grows() -> None:
    emitter = Emitter()
    batch = [{f"k{n}": f"yes {n}", "long": "x" * 300} for n in range(10_000)]
    assert "---\n".join([emitter.document(each) for each in batch]) == to_yaml(batch)
    assert len(emitter._texts) <= 4096
    assert len(emitter._keys) <= 4096
