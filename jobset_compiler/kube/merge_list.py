"""Lists in a strategic merge: which items are the same, in what order the merged ones come, and Go's words for mistakes.

Source: k8s.io/apimachinery strategicpatch (normalizeElementOrder and what it calls) and mergepatch's errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.quantity import json_number_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.lineage import Lineage

    # An item of a list under way: its value and where it comes from.
    Item = tuple[Any, Lineage]

DIRECTIVE: Final = "$patch"
ELEMENT_ORDER: Final = "$setElementOrder"


class MergeError(ValueError):
    """A patch that cannot be applied; the first argument is the text of Go's error."""


class _Uncomparable:
    """The identity of a list or map, which Go panics over once it compares it with another."""

    __slots__ = ("type_name",)

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name

    def __hash__(self) -> int:
        return hash(self.type_name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Uncomparable) and other.type_name == self.type_name:
            raise MergeError(f"runtime error: comparing uncomparable type {self.type_name}")
        return False


def partition(items: list[Item], by: list[Any], merge_key: str) -> tuple[list[Item], list[Item]]:
    """The items that the other list has too, and the rest."""
    if not merge_key:
        known: AbstractSet[Any] = {hashed(value) for value in by}
        named = [hashed(value) in known for value, _ in items]
    elif all(isinstance(value, dict) for value in by):
        known = places_of(by, merge_key, skips_keyless=True).keys()
        named = [merge_key_of(as_map(value), merge_key) in known for value, _ in items]
    else:
        named = [_holds(by, merge_key, merge_key_of(as_map(value), merge_key)) for value, _ in items]
    there = [item for item, is_there in zip(items, named, strict=True) if is_there]
    rest = [item for item, is_there in zip(items, named, strict=True) if not is_there]
    return there, rest


def _holds(values: list[Any], merge_key: str, identity: Any) -> bool:
    return any(merge_key in value and identity_of(value[merge_key]) == identity for value in _maps(values))


def _maps(values: list[Any]) -> Iterator[dict[str, Any]]:
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            raise MergeError(f"value for key {index} is not a map")
        yield value


def in_merge_order(
    patched: list[Item],
    original_only: list[Item],
    patch_order: list[Any],
    original_order: list[Any],
    merge_key: str,
) -> list[Item]:
    """Both groups, each in its own order, zipped.

    An item that only the original has goes before the patch's next one where the original has both, in that order.
    """
    patch_places = places_of(patch_order, merge_key)
    places = places_of(original_order, merge_key)
    patched = _sorted_by(patched, patch_places, merge_key)
    original_only = _sorted_by(original_only, places, merge_key)
    out: list[Item] = []
    left = right = 0
    while left < len(original_only) and right < len(patched):
        mine = places.get(_identity_in(original_only[left][0], merge_key))
        theirs = places.get(_identity_in(patched[right][0], merge_key))
        if mine is not None and theirs is not None and mine < theirs:
            out.append(original_only[left])
            left += 1
        else:
            out.append(patched[right])
            right += 1
    return [*out, *original_only[left:], *patched[right:]]


def _sorted_by(items: list[Item], places: dict[Any, int], merge_key: str) -> list[Item]:
    """The items in the order of those places; deletions (left in objects that were new to the original) at the end."""
    deletions: list[Item] = []
    if merge_key:
        deletions = [item for item in items if item[0].get(DIRECTIVE) == "delete"]
        if deletions:
            items = [item for item in items if item[0].get(DIRECTIVE) != "delete"]
    if len(items) < 2:
        return [*items, *deletions]
    ranked = [(places.get(_identity_in(item[0], merge_key)), item) for item in items]
    if all(place is not None for place, _ in ranked):
        return [*(item for _, item in sorted(ranked, key=lambda one: one[0] or 0)), *deletions]
    # Go's comparison holds for every pair with an unknown item, so that its insertion sort moves such items forward.
    out: list[tuple[int | None, Item]] = []
    for place, item in ranked:
        at = len(out)
        while at:
            other = out[at - 1][0]
            if place is not None and other is not None and place >= other:
                break
            at -= 1
        out.insert(at, (place, item))
    return [*(item for _, item in out), *deletions]


def closed(items: list[Item], base: Lineage, first: tuple[Path, ...], held: Lineage | None = None) -> tuple[list[Any], Lineage]:
    """The items as a list of which those places speak, and then those of `held`; `base` is a lineage of the same merge."""
    return [value for value, _ in items], base.listed(first, (source for _, source in items), held)


def merge_scalars(items: list[Item], base: Lineage, patch: list[Any], path: Path) -> tuple[list[Item], list[Any], list[Any], list[Any]]:
    """Both lists without duplicates; then the orders of the original and the patch, and what remains of the original.

    Go moves the last item into the place of a duplicate, and does so in the original's own memory where that has room
    for the patch (JSON lists are read into memory for 1, 2, 4, 8... items): its order is then no longer what it was.
    """
    both: list[Item] = [*items, *((value, base.new((*path, index))) for index, value in enumerate(patch))]
    has_room = not patch or len(both) <= _capacity(len(items))
    end = len(both)
    for left in range(len(both)):
        right = left + 1
        while right < end:
            if identity_of(both[left][0]) == identity_of(both[right][0]):
                end -= 1
                both[right] = both[end]
            else:
                right += 1
    remains = [value for value, _ in (both if has_room else items)[: len(items)]]
    return both[:end], remains, patch, remains


def _capacity(length: int) -> int:
    return 1 << (length - 1).bit_length() if length else 0


def drop_matching(items: list[Item], merge_key: str, identity: Any, remains: list[Any]) -> list[Item]:
    """The items without those of a key. Go shifts the rest down within the original's memory; `remains` follows that."""
    kept = list(items)
    place = 0
    while place < len(kept):
        value = kept[place][0]
        if merge_key in value and identity_of(value[merge_key]) == identity:
            remains[place : len(kept) - 1] = remains[place + 1 : len(kept)]
            del kept[place]
        else:
            place += 1
    return kept


def check_element_order(patch: list[Any], order: list[Any], merge_key: str) -> None:
    """The patch's items must stand in the order too, in the same sequence; unless one of the two is empty."""
    if not order or not patch:
        return
    wanted = patch
    if merge_key:
        for value in patch:
            as_map(value)
        wanted = [value for value in patch if value.get(DIRECTIVE) != "delete"]
    at = place = 0
    while at < len(wanted) and place < len(order):
        if holds_directive(wanted[at]):
            at += 1
            continue
        if merge_key:
            is_equal = merge_key_of(as_map(wanted[at]), merge_key) == merge_key_of(as_map(order[place]), merge_key)
        else:
            is_equal = identity_of(wanted[at]) == identity_of(order[place])
        at += is_equal
        place += 1
    if at < len(wanted):
        text = f"The order in patch list:\n{shown(patch)}\n doesn't match {ELEMENT_ORDER} list:\n{shown(order)}\n"
        raise MergeError(text)


def places_of(values: list[Any], merge_key: str, skips_keyless: bool = False) -> dict[Any, int]:
    """Where each identity stands first."""
    places: dict[Any, int] = {}
    for index, value in enumerate(values):
        if not merge_key:
            places.setdefault(identity_of(value), index)
        elif not skips_keyless or merge_key in value:
            name = value.get(merge_key) if type(value) is dict else None
            places.setdefault(name if type(name) is str else merge_key_of(as_map(value), merge_key), index)
    return places


def identity_of(value: Any) -> Any:
    """What two JSON values have in common if Go holds them equal: `1`, `1.0` and `true` are three."""
    if type(value) is str:
        return value
    return _Uncomparable(go_type(value)) if isinstance(value, dict | list) else (go_type(value), value)


def hashed(value: Any) -> Any:
    """The identity of a key of a Go map."""
    if isinstance(value, dict | list):
        raise MergeError(f"runtime error: hash of unhashable type {go_type(value)}")
    return identity_of(value)


def _identity_in(value: Any, merge_key: str) -> Any:
    return identity_of(value[merge_key] if merge_key else value)


def merge_key_of(value: dict[str, Any], merge_key: str) -> Any:
    if merge_key not in value:
        raise MergeError(f"map: {shown(value)} does not contain declared merge key: {merge_key}")
    return identity_of(value[merge_key])


def as_map(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise wrong_type("map[string]interface {}", value)


def holds_directive(value: Any) -> bool:
    return isinstance(value, dict) and DIRECTIVE in value


def element_type(*lists: list[Any]) -> str:
    """The one Go type of all elements."""
    values = [value for values in lists for value in values]
    if set(map(type, values)) == {dict}:
        return _GO_TYPES[dict]
    if not values:
        raise MergeError("no elements in any of the given slices")
    if values[0] is None:
        raise MergeError("runtime error: invalid memory address or nil pointer dereference")
    if isinstance(values[0], list):
        raise MergeError("lists of lists are not supported")
    first = go_type(values[0])
    if any(go_type(value) != first for value in values):
        raise MergeError(f"list element types are not identical: {shown(list(lists))}")
    return first


_GO_TYPES: Final[dict[type, str]] = {
    str: "string",
    bool: "bool",
    float: "float64",
    dict: "map[string]interface {}",
    list: "[]interface {}",
    type(None): "%!s(<nil>)",
}


def go_type(value: Any) -> str:
    known = _GO_TYPES.get(type(value))
    if known is not None:
        return known
    return "int64" if -(2**63) <= value < 2**63 else "float64"


def wrong_type(expected: str, value: Any) -> MergeError:
    return MergeError(f"expected a {expected}, but received a {go_type(value)}")


def unknown_directive(directive: Any, patch: dict[str, Any]) -> MergeError:
    name = directive
    if directive is None:
        name = "%!s(<nil>)"
    elif not isinstance(directive, str):
        name = f"%!s({go_type(directive)}={shown(directive)})"
    return MergeError(f"unknown patch type: {name} in map: {shown(patch)}")


def shown(value: Any) -> str:
    """A JSON value as Go's `%v` prints it."""
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{shown(value[key])}' for key in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(shown(item) for item in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "<nil>"
    if isinstance(value, float):
        return repr(value) if value and not 1e-4 <= abs(value) < 1e21 else json_number_text(value)
    return str(value)
