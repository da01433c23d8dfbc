"""The base of values: declared, complete, equal by content, never changed."""

from __future__ import annotations

import copy
import pickle

import pytest

from jobset_compiler.value import Frozen, Value


class Size(Frozen):
    nodes: int
    processes: int | str
    note: str = ""

    @property
    def text(self) -> str:
        return f"{self.nodes} x {self.processes}"


class Named(Size):
    name: str = "node"


class Same(Frozen):
    nodes: int
    processes: int | str
    note: str = ""


class Small(Value):
    __slots__ = ("left", "right")

    def __init__(self, left: int, right: int) -> None:
        self.left = left
        self.right = right


def test_fields_are_given_in_their_order_or_by_name() -> None:
    assert Size(2, 8) == Size(processes=8, nodes=2) == Size(2, processes=8, note="")
    assert (Size(2, "auto", "x").note, Size(2, 8).note, Size(2, 8).text) == ("x", "", "2 x 8")
    assert Named(1, 2)._asdict() == {"nodes": 1, "processes": 2, "note": "", "name": "node"}


@pytest.mark.parametrize(
    ("values", "named", "given"),
    [
        ((), {}, "0 values and no names"),
        ((1,), {}, "1 values and nodes"),
        ((1,), {"note": "x"}, "1 values and nodes, note"),
        ((1, 2, "x", 4), {}, "4 values and no names"),
        ((1, 2), {"nodes": 1}, "2 values and nodes"),
        ((1, 2), {"count": 1}, "2 values and nodes, processes, count"),
        ((), {"nodes": 1, "note": "x"}, "0 values and nodes, note"),
    ],
    ids=["nothing", "too few", "one without default missing", "too many", "twice", "unknown", "by name, one missing"],
)
def test_what_does_not_fit_is_refused(values: tuple[object, ...], named: dict[str, object], given: str) -> None:
    with pytest.raises(TypeError) as raised:
        Size(*values, **named)  # type: ignore[arg-type]
    assert str(raised.value) == f"Size takes nodes, processes, note; not {given}"


def test_a_value_is_not_changed_but_replaced() -> None:
    size = Size(2, 8)
    with pytest.raises(AttributeError, match=r"^Size\.nodes cannot be changed"):
        size.nodes = 3  # type: ignore[misc]
    larger = size._replace(nodes=3)
    assert (larger.nodes, larger.processes, size.nodes) == (3, 8, 2)
    with pytest.raises(TypeError, match=r"^Size has no count$"):
        size._replace(count=3)
    assert type(Named(1, 2)._replace(note="x")) is Named and size._replace() == size


def test_equal_is_what_has_the_same_type_and_contents() -> None:
    assert Size(2, 8) != Size(2, 4)
    assert Size(2, 8) != Same(2, 8)
    assert Size(2, 8) != (2, 8, "") and Small(1, 2) != (1, 2) and Small(1, 2) != Small(1, 3)
    assert hash(Size(2, 8)) == hash(Size(2, 8)) != hash(Same(2, 8))
    assert len({Size(2, 8), Size(2, 8), Same(2, 8), Small(1, 2), Small(1, 2), Small(2, 1)}) == 4
    assert repr(Size(2, "auto")) == "Size(nodes=2, processes='auto', note='')"
    assert repr(Small(1, 2)) == "Small(left=1, right=2)"


def test_values_can_be_copied_and_sent_elsewhere() -> None:
    for value in (Size(2, 8, "x"), Named(1, 2), Small(1, 2)):
        assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == copy.copy(value) == value
