"""Two JSON trees compared as Kubernetes sees them: maps by key, lists of objects by the field that names their items."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.addresses import Keyed, Path, Step


class _Missing:
    """The value of a field that is not there."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()

ADDED = "added"
REMOVED = "removed"
CHANGED = "changed"
REORDERED = "reordered"

# The field that identifies the items of a list, where it is not the first of addresses.LIST_KEYS.
_KEYS: dict[str, tuple[str, ...]] = {
    "volumeMounts": ("mountPath",),
    "volumeDevices": ("devicePath",),
    "ports": ("containerPort", "name", "port"),
    "items": ("path", "key"),
    "hostAliases": ("ip",),
    "topologySpreadConstraints": ("topologyKey",),
    "tolerations": ("key",),
    "runtimePatches": ("manager",),
}
_OTHER_KEYS = (*addresses.LIST_KEYS, "topologyKey", "manager")
# Lists of which the order decides something: init containers run one after another, Jobs start in order, the first rule wins.
_ORDERED = frozenset(("initContainers", "replicatedJobs", "rules", "runtimePatches", "podTemplateOverrides", "podSpecOverrides"))


class FieldChange(NamedTuple):
    """One difference: `steps` lead to it on both sides; the paths, in the trees as they are, are None where a side lacks it."""

    kind: str
    steps: tuple[Step, ...]
    before: Any
    after: Any
    before_path: Path | None
    after_path: Path | None

    @property
    def address(self) -> str:
        return addresses.text(self.steps)


def compare(before: Any, after: Any) -> tuple[FieldChange, ...]:
    """What differs between two trees, in the order of the second one, what is gone after what stands before it.

    Lists of objects are matched by the field that names their items, where every item of both has one and none twice; their
    order counts only for a few of them. Other lists of objects are compared item by item where they are equally long, else
    as wholes, as lists of scalars are.
    """
    found: list[FieldChange] = []
    _compare(before, after, (), (), (), found)
    return tuple(found)


def same(before: Any, after: Any) -> bool:
    """Equality as JSON has it: true is not 1, the order of maps does not matter and that of lists does."""
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() == after.keys() and all(same(value, after[key]) for key, value in before.items())
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(same, before, after))
    return type(before) is type(after) and bool(before == after)


def _compare(before: Any, after: Any, steps: tuple[Step, ...], a: Path | None, b: Path | None, found: list[FieldChange]) -> None:
    if isinstance(before, dict) and isinstance(after, dict):
        _compare_maps(before, after, steps, a, b, found)
    elif isinstance(before, list) and isinstance(after, list):
        _compare_lists(before, after, steps, a, b, found)
    elif not same(before, after):
        kind = ADDED if before is MISSING else REMOVED if after is MISSING else CHANGED
        found.append(FieldChange(kind, steps, before, after, None if before is MISSING else a, None if after is MISSING else b))


def _compare_maps(before: dict[str, Any], after: dict[str, Any], steps: tuple[Step, ...], a: Path | None, b: Path | None, found: list[FieldChange]) -> None:
    for key in _merged_order(list(before), list(after)):
        _compare(before.get(key, MISSING), after.get(key, MISSING), (*steps, key), _below(a, key), _below(b, key), found)


def _compare_lists(before: list[Any], after: list[Any], steps: tuple[Step, ...], a: Path | None, b: Path | None, found: list[FieldChange]) -> None:
    name = next((step for step in reversed(steps) if isinstance(step, str)), "")
    field = key_field(name, before, after)
    if field is None:
        if len(before) == len(after) and any(isinstance(item, (dict, list)) for item in (*before, *after)):
            for index, (old, new) in enumerate(zip(before, after, strict=True)):
                _compare(old, new, (*steps, index), _below(a, index), _below(b, index), found)
        elif not same(before, after):
            found.append(FieldChange(CHANGED, steps, before, after, a, b))
        return
    old_at = {str(item[field]): index for index, item in enumerate(before)}
    new_at = {str(item[field]): index for index, item in enumerate(after)}
    for value in _merged_order(list(old_at), list(new_at)):
        i, j = old_at.get(value), new_at.get(value)
        old = MISSING if i is None else before[i]
        new = MISSING if j is None else after[j]
        below = (*steps, Keyed(field, value))
        a_item = None if i is None else _below(a, i)
        b_item = None if j is None else _below(b, j)
        if old is MISSING or new is MISSING:
            found.append(FieldChange(ADDED if old is MISSING else REMOVED, below, old, new, a_item, b_item))
        else:
            _compare(old, new, below, a_item, b_item, found)
    if name in _ORDERED or (name == "env" and _refers_to_others((*before, *after))):
        old_order = [value for value in old_at if value in new_at]
        new_order = [value for value in new_at if value in old_at]
        if old_order != new_order:
            found.append(FieldChange(REORDERED, steps, list(old_at), list(new_at), a, b))


def _refers_to_others(env: tuple[Any, ...]) -> bool:
    """Whether $(NAME) occurs in a value: Kubernetes expands it only from the variables that stand before."""
    return any("$(" in str(item.get("value", "")) for item in env)


def key_field(name: str, before: list[Any], after: list[Any]) -> str | None:
    """The field by which the items of both lists, of the field called `name`, can be told apart; None where there is none."""
    if not before and not after:
        return None
    candidates = _KEYS.get(name, _OTHER_KEYS)
    return next((field for field in candidates if _names_all(before, field) and _names_all(after, field)), None)


def _names_all(items: list[Any], field: str) -> bool:
    values = [item.get(field) if isinstance(item, dict) else None for item in items]
    return all(isinstance(value, (str, int)) for value in values) and len({str(value) for value in values}) == len(values)


def _merged_order(before: list[str], after: list[str]) -> list[str]:
    """All of both: in the order of the second, each one that only the first has behind its former neighbour."""
    present = set(after)
    out = list(after)
    position = 0
    for value in before:
        if value in present:
            position = out.index(value) + 1
        else:
            out.insert(position, value)
            position += 1
    return out


def _below(path: Path | None, step: str | int) -> Path | None:
    return None if path is None else (*path, step)


def look_up(tree: Any, steps: tuple[Step, ...]) -> Any:
    """The value at an address, MISSING where the tree has none."""
    for step in steps:
        if isinstance(step, Keyed):
            items = tree if isinstance(tree, list) else []
            tree = next((item for item in items if isinstance(item, dict) and str(item.get(step.field)) == step.value), MISSING)
        elif isinstance(step, int):
            tree = tree[step] if isinstance(tree, list) and step < len(tree) else MISSING
        else:
            tree = tree.get(step, MISSING) if isinstance(tree, dict) else MISSING
        if tree is MISSING:
            return MISSING
    return tree


def apply(tree: Any, change: FieldChange) -> Any:
    """The tree with the second side's value at the place of the change; the tree given is not altered.

    Applying all changes of `compare(a, b)` to `a` leaves nothing that `compare` would tell from `b`, but for where new items of
    an ordered list are.
    """
    if change.kind == REORDERED:
        items = look_up(tree, change.steps)
        if not isinstance(items, list):
            return tree
        return _put(tree, change.steps, _in_order(items, change))
    return _put(tree, change.steps, change.after)


def _in_order(items: list[Any], change: FieldChange) -> list[Any]:
    name = next((step for step in reversed(change.steps) if isinstance(step, str)), "")
    field = key_field(name, items, [])
    if field is None:
        return items
    rank = {value: index for index, value in enumerate(change.after)}
    return sorted(items, key=lambda item: rank.get(str(item[field]), len(rank)))


def _put(tree: Any, steps: tuple[Step, ...], value: Any) -> Any:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(step, str):
        tree = dict(tree) if isinstance(tree, dict) else {}
        new = _put(tree.get(step, MISSING), rest, value)
        if new is MISSING:
            tree.pop(step, None)
        else:
            tree[step] = new
        return tree
    items = list(tree) if isinstance(tree, list) else []
    index = step if isinstance(step, int) else _index(items, step)
    new = _put(items[index] if index < len(items) else MISSING, rest, value)
    if new is MISSING:
        del items[index : index + 1]
    elif index < len(items):
        items[index] = new
    else:
        items.append(new)
    return items


def _index(items: list[Any], step: Keyed) -> int:
    return next((i for i, item in enumerate(items) if isinstance(item, dict) and str(item.get(step.field)) == step.value), len(items))
