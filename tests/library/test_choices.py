"""What a compile can be told: values of another type are errors of the program, each with a way on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.extensions import with_extensions
from jobset_compiler.library import calls
from jobset_compiler.library.arguments import shape
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.profiles import PROFILES
from jobset_compiler.request.options import Options
from jobset_compiler.resolve.facts import NO_FACTS


@dataclass
class Step:
    name: str
    stage: str

    def run(self, plan: Any) -> tuple[()]:
        return ()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"trainer_version": 2.3}, "trainer_version is a text such as 'v2.3', not float"),
        ({"jobset_version": 0.12}, "jobset_version is a text such as '0.12', not float"),
        ({"facts": {"priority_classes": []}}, "facts takes jobset_compiler.Facts(...), not dict"),
        ({"feature_gates": ["TrainJobStatus"]}, "feature_gates takes a mapping such as {'TrainJobStatus': True}, not list"),
        ({"passes": Step("a", "check")}, "passes takes a list of jobset_compiler.passes.api.Pass"),
        ({"passes": [Step("a", "check"), "b"]}, "passes takes a list of jobset_compiler.passes.api.Pass"),
        ({"passes": [Step("a", "later")]}, "pass a has the stage 'later'; known are "),
        ({"passes": [Step("a", "check"), Step("b", "check"), Step("b", "size")]}, "passes have names of their own; several are called b"),
        ({"extensions": "mpi-hydra"}, "extensions takes a list of names: ['mpi-hydra']"),
    ],
)
def test_another_type(told: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError) as error:
        jc.compile_yaml("", **told)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"validate": "lax"}, "validate is strict, warn or ignore, not 'lax'"),
        ({"trainer_version": "v1.9"}, "unknown release 'v1.9'; known: " + ", ".join(profile.name for profile in PROFILES)),
        ({"jobset_version": "0.1"}, "unknown JobSet release '0.1'; known: "),
    ],
)
def test_another_value(told: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as error:
        jc.compile_yaml("", **told)
    assert str(error.value).startswith(said)


def test_what_may_be_told() -> None:
    for validate in ("strict", "warn", "ignore"):
        assert jc.compile_yaml("", validate=validate, facts=None, feature_gates={}, passes=()).objects == ()


def test_gates_that_are_on_are_added_to_those_of_the_facts() -> None:
    facts = NO_FACTS._replace(feature_gates=frozenset({"A"}))
    for gates, expected in ((None, {"A"}), ({}, {"A"}), ({"B": True, "C": False}, {"A", "B"})):
        assert calls._options(None, None, None, True, facts, gates, None, ()).facts.feature_gates == expected
    assert calls._options(None, None, None, True, None, {"B": True}, None, ()).facts.feature_gates == {"B"}


@pytest.mark.parametrize("name", ["keys", "model_dump", "to_dict", "attribute_map"])
def test_what_has_the_form_of_an_object(name: str) -> None:
    assert shape(type("Thing", (), {name: lambda self: None})()) == "object" and shape(type("Thing", (), {f"{name}s_": 1})()) == ""


@pytest.mark.parametrize("name", ["read_text", "readlines"])
def test_what_has_the_form_of_a_file(name: str) -> None:
    assert shape(type("Thing", (), {name: lambda self: None, "keys": lambda self: None})()) == "file"


@pytest.mark.parametrize(
    ("value", "expected"),
    [("a", "text"), (b"a", "bytes"), (bytearray(), "bytes"), ([], "list"), ((), "list"), ({}, "object"), (3, ""), (None, ""), (iter(()), "")],
)
def test_shapes(value: object, expected: str) -> None:
    assert shape(value) == expected


def test_extensions_that_are_on() -> None:
    assert Options().extensions == frozenset()
    assert Options(passes=with_extensions(BUILTIN, ["mpi-hydra"])).extensions == {"mpi-hydra"}
