"""The stand-in for typing: its NamedTuple is used as typing's is."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import typing
from collections.abc import Callable
from typing import Any

import pytest

from jobset_compiler import lean


class Lean(lean.NamedTuple):
    """A record."""

    x: int
    y: str
    z: tuple[int, ...] = ()

    @property
    def both(self) -> str:
        return f"{self.x}{self.y}"


class Typing(typing.NamedTuple):
    """A record."""

    x: int
    y: str
    z: tuple[int, ...] = ()

    @property
    def both(self) -> str:
        return f"{self.x}{self.y}"


class Empty(lean.NamedTuple):
    pass


USES: dict[str, Callable[[Any], Any]] = {
    "positions": lambda record: record(1, "a"),
    "names": lambda record: record(y="a", x=1, z=(2,)),
    "fields": lambda record: record._fields,
    "defaults": lambda record: record._field_defaults,
    "attributes": lambda record: (record(1, "a").x, record(1, "a").y, record(1, "a").z, record(1, "a").both),
    "replace": lambda record: record(1, "a")._replace(y="b"),
    "make": lambda record: record._make([1, "a", (3,)]),
    "dictionary": lambda record: record(1, "a")._asdict(),
    "text": lambda record: repr(record(1, "a")).replace("Lean", "").replace("Typing", ""),
    "equality": lambda record: record(1, "a") == (1, "a", ()),
    "hash": lambda record: hash(record(1, "a")),
    "unpacking": lambda record: [*record(1, "a")],
    "copy": lambda record: copy.deepcopy(record(1, "a")),
    "pickle": lambda record: pickle.loads(pickle.dumps(record(1, "a"))),
    "documentation": lambda record: record.__doc__,
    "match arguments": lambda record: record.__match_args__,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_record_is_used_as_one_of_typing(use: Callable[[Any], Any]) -> None:
    assert use(Lean) == use(Typing)


def test_a_record_matches_patterns() -> None:
    match Lean(1, "a"):
        case Lean(x, y):
            assert (x, y) == (1, "a")


@pytest.mark.parametrize("arguments", [(), (1,), (1, "a", (), 4)])
@pytest.mark.parametrize("record", [Lean, Typing])
def test_wrong_arguments_are_refused(record: Any, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        record(*arguments)
    with pytest.raises(TypeError):
        record(*arguments, w=1)


@pytest.mark.parametrize("record", [Lean, Typing])
def test_records_do_not_change_and_have_no_other_fields(record: Any) -> None:
    made = record(1, "a")
    with pytest.raises(AttributeError):
        made.x = 2
    with pytest.raises(AttributeError):
        made.w = 2
    with pytest.raises(ValueError, match="w"):
        made._replace(w=2)


def test_a_record_without_fields() -> None:
    assert Empty() == ()


def test_fields_with_defaults_come_last() -> None:
    program = "from __future__ import annotations\nclass Wrong(NamedTuple):\n    x: int = 1\n    y: int"
    with pytest.raises(TypeError, match="default"):
        exec(program, {"NamedTuple": lean.NamedTuple, "__name__": __name__})


def test_nothing_is_imported() -> None:
    program = "import sys; before = set(sys.modules); import jobset_compiler.lean; print(*sorted(set(sys.modules) - before))"
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, check=True, text=True, env=environment)
    assert set(done.stdout.split()) <= {"__future__", "_collections", "jobset_compiler", "jobset_compiler.lean"}
