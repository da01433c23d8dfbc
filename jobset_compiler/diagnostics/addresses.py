"""Addresses of fields in an object: text with indices or list keys <-> steps, and finding them in a tree.

`spec.replicatedJobs[name=node].template`, `spec.replicatedJobs[0].template` and `metadata.labels["a.b/c"]` are
addresses; keys with dots are also understood bare in brackets: `annotations[scheduling.k8s.io/group-name]`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Path = tuple[str | int, ...]
# The fields that identify an item of a list, in the order in which they are tried.
LIST_KEYS = ("name", "mountPath", "containerPort", "devicePath", "ip", "key", "path", "uid")


class Keyed(NamedTuple):
    """A step into a list by the value of a field of its items."""

    field: str
    value: str


Step = str | int | Keyed


NOT_IN_KEYS = frozenset('[]"')


def parse(address: str) -> tuple[Step, ...]:
    """The steps of an address; ValueError where it is malformed."""
    steps: list[Step] = []
    rest = address
    while rest:
        if rest[0] == "[":
            end = _closing(rest, address)
            steps.append(_bracket(rest[1:end]))
            rest = rest[end + 1 :]
        else:
            end = next((i for i, c in enumerate(rest) if c in ".["), len(rest))
            if end == 0:
                raise ValueError(f"empty step in {address!r}")
            steps.append(rest[:end])
            rest = rest[end:]
        if rest.startswith("."):
            rest = rest[1:]
            if not rest:
                raise ValueError(f"{address!r} ends with a dot")
    return tuple(steps)


def _closing(rest: str, address: str) -> int:
    quoted = rest[1:2] == '"'
    end = rest.find('"]', 2) + 1 if quoted else rest.find("]")
    if end <= 0:
        raise ValueError(f"no closing bracket in {address!r}")
    return end


def _bracket(text: str) -> Step:
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        return text[1:-1]
    if text.isdecimal():
        return int(text)
    field, equals, value = text.partition("=")
    return Keyed(field, value) if equals and field.isidentifier() else text


def resolve(tree: Any, steps: tuple[Step, ...]) -> Path:
    """The concrete path of those steps in a tree; KeyError with the step that is not there."""
    path: list[str | int] = []
    for step in steps:
        if isinstance(step, Keyed) and isinstance(tree, list):
            found = [i for i, item in enumerate(tree) if isinstance(item, dict) and str(item.get(step.field)) == step.value]
            if not found:
                raise KeyError(f"no item with {step.field}={step.value}")
            step = found[0]
        if isinstance(step, str) and isinstance(tree, dict) and step in tree:  # noqa: SIM114  # joined, the type checker does not see that it fits
            below = tree[step]
        elif isinstance(step, int) and isinstance(tree, list) and step < len(tree):
            below = tree[step]
        else:
            raise KeyError(f"no {step}")
        tree = below
        path.append(step)
    return tuple(path)


def keyed(tree: Any, path: Path) -> tuple[Step, ...]:
    """A concrete path with list indices replaced by list keys wherever the item has one that is unique in its list."""
    steps: list[Step] = []
    for step in path:
        if isinstance(step, int):
            steps.append(_key_of(tree, step))
        else:
            steps.append(step)
        tree = tree[step]
    return tuple(steps)


def _key_of(items: list[Any], index: int) -> Step:
    item = items[index]
    if isinstance(item, dict):
        for field in LIST_KEYS:
            value = item.get(field)
            # A text with a bracket or quote would not be read back; the index says as much.
            if isinstance(value, (str, int)) and NOT_IN_KEYS.isdisjoint(str(value)) and sum(isinstance(i, dict) and i.get(field) == value for i in items) == 1:
                return Keyed(field, str(value))
    return index


def text(steps: tuple[Step, ...]) -> str:
    """The address of steps; `parse` reads it back."""
    out = ""
    for step in steps:
        if isinstance(step, Keyed):
            out += f"[{step.field}={step.value}]"
        elif isinstance(step, int):
            out += f"[{step}]"
        elif step and all(c.isalnum() or c in "_-$" for c in step):
            out += f".{step}" if out else step
        else:
            out += f'["{step}"]'
    return out


def leaves(tree: Any, path: Path = ()) -> list[Path]:
    """The paths of all scalars, empty lists and empty maps."""
    if isinstance(tree, dict) and tree:
        return [leaf for key, item in tree.items() for leaf in leaves(item, (*path, key))]
    if isinstance(tree, list) and tree:
        return [leaf for index, item in enumerate(tree) for leaf in leaves(item, (*path, index))]
    return [path]
