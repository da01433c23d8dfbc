"""Strategic merge patches: JSON merged by the merge keys of the Go types.

Source: k8s.io/apimachinery strategicpatch.StrategicMergePatch, the same code from 0.32 to 0.36, and the proposal
https://git.k8s.io/design-proposals-archive/cli/preserve-order-in-strategic-merge-patch.md. Its order of a merged list
is kept to the letter, slips included: which items of a Go slice the library overwrites while it still reads them shows
in the result. Where Go's own order is random (a deletion list and a list for one field, without an element order), the
deletions come first here. Patches that make Go panic are refused with the text of the panic.

Two things differ, both in patches that no tool writes: two merge keys that are lists or maps themselves are refused
even where Go does not come to compare them (it panics once it does), and more than twenty items unknown to
`$setElementOrder` come in reverse order (from there on Go's own depends on how its sort works).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.lineage import UNTOLD
from jobset_compiler.kube.merge_list import (
    DIRECTIVE,
    ELEMENT_ORDER,
    MergeError,
    as_map,
    check_element_order,
    closed,
    drop_matching,
    element_type,
    go_type,
    hashed,
    holds_directive,
    identity_of,
    in_merge_order,
    merge_key_of,
    merge_scalars,
    partition,
    places_of,
    unknown_directive,
    wrong_type,
)

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.lineage import Lineage
    from jobset_compiler.kube.merge_list import Item
    from jobset_compiler.kube.table import Field, Struct, TypeTable

__all__ = ["MergeError", "merge", "merge_with_lineage"]

_RETAIN_KEYS: Final = "$retainKeys"
_DELETIONS: Final = "$deleteFromPrimitiveList"

_BAD_RETAIN_KEYS: Final = "invalid patch format of retainKeys"
_BAD_DELETIONS: Final = "invalid patch format of primitive list"
_BAD_ELEMENT_ORDER: Final = "invalid patch format of setElementOrder list"


class _Schema:
    """The Go type of a JSON value: a struct, or another kind that no nested object can be merged into."""

    __slots__ = ("go_kind", "struct", "type_name")

    def __init__(self, struct: Struct | None, type_name: str, go_kind: str) -> None:
        self.struct = struct
        self.type_name = type_name
        self.go_kind = go_kind

    def field(self, key: str) -> Field:
        """The field of that JSON name, or else of a name that differs by case alone."""
        if self.struct is None:
            if self.type_name in _STRUCTS_WITHOUT_FIELDS:
                raise _no_such_field(self.type_name, key)
            raise MergeError(f"merging an object in json but data type is not struct, instead is: {self.go_kind}")
        found = self.struct.fields.get(key)
        if found is None:
            folded = key.casefold()
            found = next((field for field in self.struct.fields.values() if field.name.casefold() == folded), None)
        if found is None:
            raise _no_such_field(self.struct.name.rpartition(".")[2], key)
        return found

    def element(self, field: Field) -> _Schema:
        """The element type of one of this struct's lists."""
        if field.elem is not None and field.kind == "list":
            return _schema(field.elem)
        if field.pointer:
            return _schema(field)
        raise MergeError(f"expected slice or array type, but got: {self.go_kind}")


_STRUCTS_WITHOUT_FIELDS: Final = frozenset({"Quantity", "IntOrString", "Time", "FieldsV1"})
_GO_KINDS: Final = {"list": "slice", "bytes": "slice"}


@cache
def _schema(field: Field) -> _Schema:
    kind = "ptr" if field.pointer else _GO_KINDS.get(field.kind, field.kind)
    return _Schema(field.struct if field.kind == "struct" else None, field.type_name, kind)


def _no_such_field(struct_name: str, key: str) -> MergeError:
    return MergeError(f"unable to find api field in struct {struct_name} for the json field {_quoted(key)}")


def merge(original: dict[str, Any], patch: dict[str, Any], table: TypeTable, type_name: str) -> dict[str, Any]:
    """The original with a strategic merge patch applied, both JSON of the struct `type_name` (`core.PodSpec`).

    Neither argument changes; the result shares their unchanged parts. Raises MergeError.
    """
    return merge_with_lineage(original, UNTOLD, patch, (), table, type_name)[0]


def merge_with_lineage(
    original: dict[str, Any], lineage: Lineage, patch: dict[str, Any], place: Path, table: TypeTable, type_name: str
) -> tuple[dict[str, Any], Lineage]:
    """As `merge`, and where everything in the result comes from.

    `lineage` tells that of the original, `place` is where the patch stands: its first step is what tells the two apart. With UNTOLD nothing is
    recorded. Raises MergeError.
    """
    return _merge_maps(original, lineage, patch, _Schema(table.struct(type_name), type_name, "struct"), place)


# -------------------------------------------------------------------------------------------------- maps


def _merge_maps(original: dict[str, Any], base: Lineage, patch: dict[str, Any], schema: _Schema, path: Path) -> tuple[dict[str, Any], Lineage]:
    """The merged map and where it comes from; `base` tells that of the original, `path` places the patch."""
    if DIRECTIVE in patch:
        result = _obey_directive(patch)
        return result, base.replaced(path, result)
    result = dict(original)
    lineage = base.under(path, dict(base.children) if base.children else {})
    pending = patch
    if "$" in "".join(patch):
        pending = dict(patch)
        if _RETAIN_KEYS in pending:
            _retain_keys(result, pending)
        for key in [key for key in pending if key.startswith(ELEMENT_ORDER)]:
            _merge_ordered_list(result, pending, key, schema, base, lineage, path)
        for key in sorted(key for key in pending if key.startswith(_DELETIONS)):
            field = _field_behind(key, _DELETIONS, _BAD_DELETIONS) or key
            _merge_value(result, field, pending.pop(key), schema, base, lineage, (*path, key), deletes=True)
    for key in sorted(pending):
        _merge_value(result, key, pending[key], schema, base, lineage, (*path, key))
    return result, lineage


def _obey_directive(patch: dict[str, Any]) -> dict[str, Any]:
    directive = patch[DIRECTIVE]
    if directive == "replace":
        return {key: value for key, value in patch.items() if key != DIRECTIVE}
    if directive == "delete":
        return {}
    raise unknown_directive(directive, patch)


def _retain_keys(result: dict[str, Any], pending: dict[str, Any]) -> None:
    retained = pending.pop(_RETAIN_KEYS)
    if not isinstance(retained, list):
        raise MergeError(_BAD_RETAIN_KEYS)
    known = {hashed(key) for key in retained}
    for key, value in pending.items():
        is_spared = value is None or key.startswith((_DELETIONS, ELEMENT_ORDER))
        if not is_spared and key not in known:
            raise MergeError(_BAD_RETAIN_KEYS)
    for key in [key for key in result if key not in known]:
        del result[key]


def _merge_value(
    result: dict[str, Any], key: str, value: Any, schema: _Schema, base: Lineage, lineage: Lineage, here: Path, deletes: bool = False
) -> None:
    """Merge the value that stands `here` in the patch into that key of the result; `deletes`: it is a list of what goes."""
    if value is None:
        result.pop(key, None)
        return
    have = result.get(key)
    kind = type(value)
    taken: Item | None
    if have is None or (type(have) is not kind and go_type(have) != go_type(value)):
        if deletes:
            return
        taken = _without_directives(value, base, here, True) if kind is dict or kind is list else (value, base.new(here))
    elif kind is dict:
        taken = _merge_maps(have, _held(lineage, base, key), value, _schema(schema.field(key)), here)
    elif kind is list:
        field = schema.field(key)
        element = schema.element(field)
        held = _held(lineage, base, key)
        if deletes or field.merge_key is not None:
            items, _ = _merge_lists(have, held, value, element, field.merge_key or "", here, deletes)
            taken = closed(items, held, (here,), held)
        else:
            taken = value, held.replaced(here, range(len(value)))
    else:
        taken = value, _held(lineage, base, key).under(here)
    _take(result, key, taken, lineage)


def _held(lineage: Lineage, base: Lineage, key: str) -> Lineage:
    """Where the value of a key comes from so far: what an element order has made of it, else the original."""
    made = lineage.children.get(key) if lineage.children else None
    return base.below(key) if made is None else made


def _take(result: dict[str, Any], key: str, taken: Item | None, lineage: Lineage) -> None:
    if taken is None:
        result.pop(key, None)
        if lineage.children:
            lineage.children.pop(key, None)
        return
    result[key] = taken[0]
    if lineage.children is not None:
        lineage.children[key] = taken[1]


def _without_directives(value: Any, base: Lineage, path: Path, drops_nulls: bool) -> Item | None:
    """A value new to the original, without the objects that hold directives and without nulls; None if nothing is left."""
    if isinstance(value, dict):
        if DIRECTIVE in value and not (drops_nulls and value[DIRECTIVE] is None):
            return None
        kept: dict[str, Any] = {}
        children: dict[str | int, Lineage] = {}
        changes = False
        for key, item in value.items():
            if isinstance(item, dict | list):
                cleaned = _without_directives(item, base, (*path, key), drops_nulls)
                if cleaned is not None:
                    kept[key] = cleaned[0]
                    if cleaned[1].children:
                        children[key] = cleaned[1]
                changes = changes or cleaned is None or cleaned[0] is not item
            elif item is None and drops_nulls:
                changes = True
            else:
                kept[key] = item
        return kept if changes else value, base.new(path, children)
    if isinstance(value, list):
        items: list[Item] = []
        for index, item in enumerate(value):
            here = (*path, index)
            cleaned = _without_directives(item, base, here, drops_nulls) if isinstance(item, dict | list) else (item, base.new(here))
            if cleaned is not None:
                items.append(cleaned)
        if len(items) == len(value) and all(kept is item for (kept, _), item in zip(items, value, strict=True)):
            return value, base.new(path)
        return closed(items, base, (path,))
    return value, base.new(path)


# ------------------------------------------------------------------------------------------------- lists


def _merge_lists(
    original: list[Any],
    base: Lineage,
    patch: list[Any],
    schema: _Schema,
    merge_key: str,
    path: Path,
    deletes: bool,
) -> tuple[list[Item], list[Any]]:
    """The merged items, and the original as Go leaves it behind (see `merge_scalars` and `drop_matching`)."""
    if not original and not patch:
        return [], original
    of_maps = element_type(original, patch) == "map[string]interface {}"
    items = [(value, base.below(index)) for index, value in enumerate(original)]
    if not of_maps:
        if deletes:
            unwanted = {hashed(value) for value in patch}
            return [item for item in items if hashed(item[0]) not in unwanted], original
        merged, order, patched, remains = merge_scalars(items, base, patch, path)
    else:
        if not merge_key:
            raise MergeError(f"cannot merge lists without merge key for {schema.go_kind}")
        merged, order, patched, remains = _merge_map_items(items, base, patch, merge_key, schema, path)
    if of_maps and len(patched) == 1 and len(merged) == len(order) and _are_told_apart(merged, merge_key):
        return merged, remains  # one item, which both have: all others stay where they were
    in_patch, in_original_only = partition(merged, patched, merge_key)
    return in_merge_order(in_patch, in_original_only, patched, order, merge_key if of_maps else ""), remains


def _are_told_apart(items: list[Item], merge_key: str) -> bool:
    """Whether each item has a key of its own, and none a directive."""
    return len({identity_of(value[merge_key]) for value, _ in items if merge_key in value and DIRECTIVE not in value}) == len(items)


def _merge_map_items(
    items: list[Item], base: Lineage, patch: list[Any], merge_key: str, schema: _Schema, path: Path
) -> tuple[list[Item], list[Any], list[Any], list[Any]]:
    """The patch merged into the items by key; then the orders of the original and the patch, and what remains."""
    remains = [value for value, _ in items]
    patched: list[tuple[int, dict[str, Any]]] = []
    replaces = False
    for index, value in enumerate(patch):
        if DIRECTIVE not in value:
            patched.append((index, value))
            continue
        directive = value[DIRECTIVE]
        if directive == "delete":
            items = drop_matching(items, merge_key, merge_key_of(value, merge_key), remains)
        elif directive == "replace":
            replaces = True
        elif directive == "merge":
            raise MergeError("merging lists cannot yet be specified in the patch")
        else:
            raise unknown_directive(directive, value)
    if replaces:
        items = [(value, base.new((*path, index))) for index, value in patched]
        return items, [value for value, _ in items], [], remains

    order = [value for value, _ in items]
    places = places_of(order, merge_key, skips_keyless=True)
    merged = list(items)
    for index, value in patched:
        identity = merge_key_of(value, merge_key)
        here = (*path, index)
        place = places.get(identity)
        if place is not None:
            held, source = merged[place]
            merged[place] = _merge_maps(held, source, value, schema, here)
        else:
            # Go appends into the memory that deletions left free, under the eyes of whoever still reads the original.
            places[identity] = len(merged)
            if len(merged) < len(remains):
                remains[len(merged)] = value
            merged.append((value, base.new(here)))
    return merged, order, [value for _, value in patched], remains


def _merge_ordered_list(result: dict[str, Any], pending: dict[str, Any], directive: str, schema: _Schema, base: Lineage, lineage: Lineage, path: Path) -> None:
    """A list with its `$setElementOrder`: the patch's list merged, all items named there brought into that order."""
    order = pending.pop(directive)
    if not isinstance(order, list):
        raise wrong_type("[]interface {}", order)
    key = _field_behind(directive, ELEMENT_ORDER, _BAD_ELEMENT_ORDER)
    for tree in (result, pending):
        if key in tree and not isinstance(tree[key], list):
            raise wrong_type("[]interface {}", tree[key])
    field = schema.field(key)
    element = schema.element(field)
    merge_key = field.merge_key or ""
    patch: list[Any] = pending.get(key, [])
    check_element_order(patch, order, merge_key)

    here = (*path, key)
    held = _held(lineage, base, key)
    original: list[Any] = result.get(key, [])
    if key not in result and key not in pending:
        return
    if key not in pending:
        merged = [(value, held.below(index)) for index, value in enumerate(original)]
    elif key not in result:
        merged = [_kept(value, base, (*here, index)) for index, value in enumerate(patch) if not holds_directive(value)]
    elif field.merge_key is None:
        merged = [(value, base.new((*here, index))) for index, value in enumerate(patch)]
    else:
        merged, original = _merge_lists(original, held, patch, element, merge_key, here, False)
    in_order, in_original_only = partition(merged, order, merge_key)
    of_maps = element_type(original, patch) == "map[string]interface {}"
    if of_maps and not merge_key:  # a list that patches replace has no order of its own: Go looks for a key without a name
        for value in (*order, *original):
            merge_key_of(as_map(value), merge_key)
    ordered = in_merge_order(in_order, in_original_only, order, original, merge_key if of_maps else "")
    given = key in pending
    has = key in result
    _take(result, key, closed(ordered, base, (here,) if given else (), held if has else None), lineage)
    pending.pop(key, None)


def _kept(value: Any, base: Lineage, path: Path) -> Item:
    cleaned = _without_directives(value, base, path, False)
    assert cleaned is not None
    return cleaned


def _field_behind(key: str, prefix: str, message: str) -> str:
    head, slash, name = key.partition("/")
    if head != prefix or not slash:
        raise MergeError(message)
    return name


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
