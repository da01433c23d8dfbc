"""Changes of what a text means, and the many ways to write a meaning down."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

import yaml

from jobset_compiler.emit.yaml import to_yaml
from tests.fuzz.corpus import donors
from tests.fuzz.odd import VALUES, WORDS


class Slot(NamedTuple):
    """A place in a tree: what stands in `holder` at `key`."""

    holder: Any
    key: Any

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        self.holder[self.key] = value

    def is_list(self) -> bool:
        return isinstance(self.holder, list)


def mutate(documents: list[Any], rng: Random) -> list[Any]:
    """Copies of the documents after one to five changes."""
    found = deepcopy(documents)
    for _ in range(min(rng.randint(1, 5), rng.randint(1, 5))):
        slots = list(_slots(found))
        if slots:
            rng.choice(MUTATIONS)(rng.choice(slots), slots, rng)
    return found


def _slots(value: Any) -> Iterator[Slot]:
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        slot = Slot(value, key)
        yield slot
        yield from _slots(slot.value)


def replace(slot: Slot, _: list[Slot], rng: Random) -> None:
    slot.put(odd(rng))


def from_donor(slot: Slot, _: list[Slot], rng: Random) -> None:
    """What other manifests have at this key."""
    values = donors().values.get(slot.key if isinstance(slot.key, str) else "name")
    if values:
        slot.put(deepcopy(rng.choice(values)))


def add_field(slot: Slot, _: list[Slot], rng: Random) -> None:
    holder = slot.value if isinstance(slot.value, dict) else slot.holder
    if isinstance(holder, dict):
        key = rng.choice(donors().keys)
        holder[key] = deepcopy(rng.choice(donors().values[key])) if rng.random() < 0.7 else odd(rng)


def remove(slot: Slot, _: list[Slot], rng: Random) -> None:
    del slot.holder[slot.key]


def rename(slot: Slot, _: list[Slot], rng: Random) -> None:
    if not slot.is_list():
        key = rng.choice((rng.choice(donors().keys), rng.choice(WORDS), slot.key.upper(), slot.key + "s"))
        slot.holder[key] = slot.holder.pop(slot.key)


def repeat(slot: Slot, _: list[Slot], rng: Random) -> None:
    """Another item like this one: the very same object (an anchor and an alias when written), or a copy with something changed."""
    if slot.is_list():
        item = slot.value
        for _again in range(rng.choice((1, 1, 2, 20))):
            slot.holder.append(item if rng.random() < 0.5 else deepcopy(item))


def swap(slot: Slot, slots: list[Slot], rng: Random) -> None:
    other = rng.choice(slots)
    mine, theirs = deepcopy(slot.value), deepcopy(other.value)
    slot.put(theirs)
    if slot.holder is not other.holder:
        # The one may lie inside the other, which is then no longer part of the tree.
        other.put(mine)


def share(slot: Slot, slots: list[Slot], rng: Random) -> None:
    """A part that stands elsewhere as well; never one that would hold itself."""
    other = rng.choice(slots).value
    if all(inner.holder is not slot.holder for inner in _slots([other])):
        slot.put(other)


def wrap(slot: Slot, _: list[Slot], rng: Random) -> None:
    value = slot.value
    slot.put(rng.choice(([value], {"a": value}, value[0] if isinstance(value, list) and value else [])))


def tweak(slot: Slot, _: list[Slot], rng: Random) -> None:
    """Nearly the same."""
    value = slot.value
    if type(value) is int:
        slot.put(value + rng.choice((-1, 1, 10**9)))
    elif type(value) is str:
        at = rng.randint(0, len(value))
        slot.put(value[:at] + rng.choice(WORDS) + value[at + rng.randint(0, 2) :])
    elif isinstance(value, list):
        rng.shuffle(value)
    elif isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        slot.put({key: value[key] for key in keys})


MUTATIONS: tuple[Callable[[Slot, list[Slot], Random], None], ...] = (
    replace,
    replace,
    from_donor,
    from_donor,
    from_donor,
    add_field,
    add_field,
    remove,
    rename,
    repeat,
    swap,
    share,
    wrap,
    tweak,
    tweak,
)


def odd(rng: Random) -> Any:
    return rng.choice(WORDS) if rng.random() < 0.5 else deepcopy(rng.choice(VALUES))


def write(documents: list[Any], rng: Random) -> str:
    """The documents as text, in one of the styles in which programs and people write them."""
    style = rng.randrange(6)
    if style == 0:
        return to_yaml(document if isinstance(document, dict) else {"a": document} for document in documents)
    if style == 1:
        return rng.choice(("\n", "", " ")).join(json.dumps(document, indent=rng.choice((None, 1, 4)), ensure_ascii=False) for document in documents)
    if style == 2:
        listed = {"apiVersion": "v1", "kind": "List", "items": documents}
        return json.dumps(listed, indent=1) if rng.random() < 0.5 else to_yaml([listed])
    if style == 3:
        return "---\n".join(json.dumps(document) + "\n" for document in documents)
    return str(
        yaml.dump_all(
            documents,
            Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper) if rng.random() < 0.5 else yaml.SafeDumper,
            default_style=rng.choice((None, None, None, "'", '"', "|", ">")),
            default_flow_style=rng.choice((False, False, None, True)),
            width=rng.choice((20, 80, 1000)),
            indent=rng.choice((None, 1, 2, 4, 9)),
            allow_unicode=rng.random() < 0.5,
            explicit_start=rng.random() < 0.5,
            explicit_end=rng.random() < 0.1,
            line_break=rng.choice(("\n", "\n", "\n", "\r\n", "\r")),
            sort_keys=rng.random() < 0.5,
        )
    )
