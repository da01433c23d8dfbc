"""Strategic merge patches: JSON merged by the merge keys of the Go types.

Source: k8s.io/apimachinery strategicpatch.StrategicMergePatch, the same code from 0.32 to 0.36, and the proposal
https://git.k8s.io/design-proposals-archive/cli/preserve-order-in-strategic-merge-patch.md. Its order of a merged list
is kept to the letter, slips included: which items of a Go slice the library overwrites while it still reads them shows
in the result. Where Go's own order is random (a deletion list and a list for one field, without an element order), the
deletions come first here. Patches that make Go panic are refused with the text of the panic.

Two things differ: a merge key that is itself a list or map is always refused (Go panics only once it compares two of
them), and more than twenty items unknown to `$setElementOrder` come in the reverse order (from there on Go's depends on
its sorting algorithm).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.quantity import json_number_text

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import Field, Struct, TypeTable

    # An item of a list under way: its value and what of it came from the patch.
    _Item = tuple[Any, "_Origin | None"]

_DIRECTIVE: Final = "$patch"
_RETAIN_KEYS: Final = "$retainKeys"
_DELETIONS: Final = "$deleteFromPrimitiveList"
_ELEMENT_ORDER: Final = "$setElementOrder"

_BAD_RETAIN_KEYS: Final = "invalid patch format of retainKeys"
_BAD_DELETIONS: Final = "invalid patch format of primitive list"
_BAD_ELEMENT_ORDER: Final = "invalid patch format of setElementOrder list"


class MergeError(ValueError):
    """A patch that cannot be applied; the first argument is the text of Go's error."""


class _Origin:
    """What of a value came from the patch: all of it (`path`, less what `children` name), or some keys or indexes."""

    __slots__ = ("children", "path")

    def __init__(self, path: Path | None, children: dict[str | int, _Origin]) -> None:
        self.path = path
        self.children = children


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
    return _merge_maps(original, None, patch, _Schema(table.struct(type_name), type_name, "struct"), ())[0]


def merge_with_origins(
    original: dict[str, Any], patch: dict[str, Any], table: TypeTable, type_name: str
) -> tuple[dict[str, Any], tuple[tuple[Path, Path], ...]]:
    """As `merge`, and where the result came from the patch: (path in the result, path in the patch) in document order.

    A pair speaks for everything below it. What no pair covers came from the original. Raises MergeError.
    """
    result, origin = _merge_maps(original, None, patch, _Schema(table.struct(type_name), type_name, "struct"), ())
    pairs: list[tuple[Path, Path]] = []
    if origin is not None:
        _list_origins(origin, result, (), pairs)
    return result, tuple(pairs)


def _list_origins(origin: _Origin, value: Any, at: Path, pairs: list[tuple[Path, Path]]) -> None:
    if not origin.children or not isinstance(value, dict | list) or not value:
        if origin.path is not None:
            pairs.append((at, origin.path))
        return
    for key in value if isinstance(value, dict) else range(len(value)):
        child = _child(origin, key)
        if child is not None:
            _list_origins(child, value[key], (*at, key), pairs)


def _child(origin: _Origin | None, key: str | int) -> _Origin | None:
    if origin is None:
        return None
    found = origin.children.get(key)
    if found is None and origin.path is not None:
        return _Origin((*origin.path, key), {})
    return found


# -------------------------------------------------------------------------------------------------- maps


def _merge_maps(original: dict[str, Any], base: _Origin | None, patch: dict[str, Any], schema: _Schema, path: Path) -> tuple[dict[str, Any], _Origin | None]:
    """The merged map and what of it came from the patch; `base` tells that of the original, `path` places the patch."""
    if _DIRECTIVE in patch:
        return _obey_directive(patch, path), _Origin(path, {})
    result = dict(original)
    pending = dict(patch)
    origin = _Origin(base.path if base else None, dict(base.children) if base else {})
    if _RETAIN_KEYS in pending:
        _retain_keys(result, pending)
    for key in [key for key in pending if key.startswith(_ELEMENT_ORDER)]:
        _merge_ordered_list(result, pending, key, schema, origin, path)
    for key in sorted(pending):
        _merge_value(result, key, pending[key], schema, origin, path)
    return result, origin if origin.children or origin.path is not None else None


def _obey_directive(patch: dict[str, Any], path: Path) -> dict[str, Any]:
    directive = patch[_DIRECTIVE]
    if directive == "replace":
        return {key: value for key, value in patch.items() if key != _DIRECTIVE}
    if directive == "delete":
        return {}
    raise _unknown_directive(directive, patch)


def _retain_keys(result: dict[str, Any], pending: dict[str, Any]) -> None:
    retained = pending.pop(_RETAIN_KEYS)
    if not isinstance(retained, list):
        raise MergeError(_BAD_RETAIN_KEYS)
    known = {_identity(key) for key in retained}
    for key, value in pending.items():
        is_spared = value is None or key.startswith((_DELETIONS, _ELEMENT_ORDER))
        if not is_spared and key not in known:
            raise MergeError(_BAD_RETAIN_KEYS)
    for key in [key for key in result if key not in known]:
        del result[key]


def _merge_value(result: dict[str, Any], key: str, value: Any, schema: _Schema, origin: _Origin, path: Path) -> None:
    here = (*path, key)
    deletes = key.startswith(_DELETIONS)
    if deletes:
        key = _field_behind(key, _DELETIONS, _BAD_DELETIONS) or key
    if value is None:
        result.pop(key, None)
        return
    if key not in result or _go_type(result[key]) != _go_type(value):
        if deletes:
            return
        _take(result, key, _without_directives(value, here, True), origin)
        return
    held = _child(origin, key)
    if isinstance(value, dict):
        merged: Any
        merged, source = _merge_maps(result[key], held, value, _schema(schema.field(key)), here)
    elif isinstance(value, list):
        field = schema.field(key)
        element = schema.element(field)
        if deletes or field.merge_key is not None:
            items, _ = _merge_lists(result[key], held, value, element, field.merge_key or "", here, deletes)
            merged, source = _closed(items)
        else:
            merged, source = value, _Origin(here, {})
    else:
        merged, source = value, _Origin(here, {})
    _take(result, key, (merged, source), origin)


def _take(result: dict[str, Any], key: str, taken: tuple[Any, _Origin | None] | None, origin: _Origin) -> None:
    if taken is None:
        result.pop(key, None)
        return
    result[key], source = taken
    if source is not None or origin.path is not None:
        origin.children[key] = source or _Origin(None, {})
    else:
        origin.children.pop(key, None)


def _without_directives(value: Any, path: Path, drops_nulls: bool) -> _Item | None:
    """A value new to the original, without the objects that hold directives and without nulls; None if nothing is left."""
    if isinstance(value, dict):
        if _DIRECTIVE in value and not (drops_nulls and value[_DIRECTIVE] is None):
            return None
        kept: dict[str, Any] = {}
        children: dict[str | int, _Origin] = {}
        changes = False
        for key, item in value.items():
            cleaned: _Item | None = (item, None)
            if isinstance(item, dict | list):
                cleaned = _without_directives(item, (*path, key), drops_nulls)
            elif item is None and drops_nulls:
                cleaned = None
            changes = changes or cleaned is None or cleaned[0] is not item
            if cleaned is not None:
                kept[key] = cleaned[0]
                if cleaned[1] is not None and cleaned[1].children:
                    children[key] = cleaned[1]
        return kept if changes else value, _Origin(path, children)
    if isinstance(value, list):
        items: list[_Item] = []
        moves = changes = False
        for index, item in enumerate(value):
            here = (*path, index)
            cleaned = _without_directives(item, here, drops_nulls) if isinstance(item, dict | list) else (item, _Origin(here, {}))
            changes = changes or cleaned is None or cleaned[0] is not item
            if cleaned is None:
                moves = True
            else:
                moves = moves or bool(cleaned[1] and cleaned[1].children)
                items.append(cleaned)
        kept_items, sources = _closed(items)
        return kept_items if changes else value, _Origin(path, sources.children if moves and sources else {})
    return value, _Origin(path, {})


# ------------------------------------------------------------------------------------------------- lists


def _merge_lists(
    original: list[Any],
    base: _Origin | None,
    patch: list[Any],
    schema: _Schema,
    merge_key: str,
    path: Path,
    deletes: bool,
) -> tuple[list[_Item], list[Any]]:
    """The merged items, and the original as Go leaves it behind (see `_merge_scalars` and `_drop_matching`)."""
    if not original and not patch:
        return [], original
    of_maps = _element_type(original, patch) == "map[string]interface {}"
    items = [(value, _child(base, index)) for index, value in enumerate(original)]
    if not of_maps:
        if deletes:
            unwanted = {_identity(value) for value in patch}
            return [item for item in items if _identity(item[0]) not in unwanted], original
        merged, order, patched, remains = _merge_scalars(items, patch, path)
    else:
        if not merge_key:
            raise MergeError(f"cannot merge lists without merge key for {schema.go_kind}")
        merged, order, patched, remains = _merge_map_items(items, patch, merge_key, schema, path)
    in_patch, in_original_only = _partition(merged, patched, merge_key)
    return _ordered(in_patch, in_original_only, patched, order, merge_key if of_maps else ""), remains


def _merge_scalars(items: list[_Item], patch: list[Any], path: Path) -> tuple[list[_Item], list[Any], list[Any], list[Any]]:
    """Both lists without duplicates; then the orders of the original and the patch, and what remains of the original.

    Go moves the last item into the place of a duplicate, and does so in the original's own memory where that has room
    for the patch (JSON lists are read into memory for 1, 2, 4, 8... items): its order is then no longer what it was.
    """
    both: list[_Item] = [*items, *((value, _Origin((*path, index), {})) for index, value in enumerate(patch))]
    has_room = not patch or len(both) <= _capacity(len(items))
    end = len(both)
    for left in range(len(both)):
        right = left + 1
        while right < end:
            if _identity(both[left][0]) == _identity(both[right][0]):
                end -= 1
                both[right] = both[end]
            else:
                right += 1
    remains = [value for value, _ in (both if has_room else items)[: len(items)]]
    return both[:end], remains, patch, remains


def _capacity(length: int) -> int:
    return 1 << (length - 1).bit_length() if length else 0


def _merge_map_items(items: list[_Item], patch: list[Any], merge_key: str, schema: _Schema, path: Path) -> tuple[list[_Item], list[Any], list[Any], list[Any]]:
    """The patch merged into the items by key; then the orders of the original and the patch, and what remains."""
    remains = [value for value, _ in items]
    patched: list[tuple[int, dict[str, Any]]] = []
    replaces = False
    for index, value in enumerate(patch):
        if _DIRECTIVE not in value:
            patched.append((index, value))
            continue
        directive = value[_DIRECTIVE]
        if directive == "delete":
            items = _drop_matching(items, merge_key, _merge_key_of(value, merge_key), remains)
        elif directive == "replace":
            replaces = True
        elif directive == "merge":
            raise MergeError("merging lists cannot yet be specified in the patch")
        else:
            raise _unknown_directive(directive, value)
    if replaces:
        items = [(value, _Origin((*path, index), {})) for index, value in patched]
        return items, [value for value, _ in items], [], remains

    order = [value for value, _ in items]
    places = _places(order, merge_key, skips_keyless=True)
    merged = list(items)
    for index, value in patched:
        identity = _merge_key_of(value, merge_key)
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
            merged.append((value, _Origin(here, {})))
    return merged, order, [value for _, value in patched], remains


def _drop_matching(items: list[_Item], merge_key: str, identity: Any, remains: list[Any]) -> list[_Item]:
    """The items without those of a key. Go shifts the rest down within the original's memory; `remains` follows that."""
    kept = list(items)
    place = 0
    while place < len(kept):
        value = kept[place][0]
        if merge_key in value and _identity(value[merge_key]) == identity:
            remains[place : len(kept) - 1] = remains[place + 1 : len(kept)]
            del kept[place]
        else:
            place += 1
    return kept


def _merge_ordered_list(result: dict[str, Any], pending: dict[str, Any], directive: str, schema: _Schema, origin: _Origin, path: Path) -> None:
    """A list with its `$setElementOrder`: the patch's list merged, all items named there brought into that order."""
    order = pending.pop(directive)
    if not isinstance(order, list):
        raise _wrong_type("[]interface {}", order)
    key = _field_behind(directive, _ELEMENT_ORDER, _BAD_ELEMENT_ORDER)
    for tree in (result, pending):
        if key in tree and not isinstance(tree[key], list):
            raise _wrong_type("[]interface {}", tree[key])
    field = schema.field(key)
    element = schema.element(field)
    merge_key = field.merge_key or ""
    patch: list[Any] = pending.get(key, [])
    _check_element_order(patch, order, merge_key)

    here = (*path, key)
    held = _child(origin, key)
    original: list[Any] = result.get(key, [])
    if key not in result and key not in pending:
        return
    if key not in pending:
        merged = [(value, _child(held, index)) for index, value in enumerate(original)]
    elif key not in result:
        merged = [_kept(value, (*here, index)) for index, value in enumerate(patch) if not _holds_directive(value)]
    elif field.merge_key is None:
        merged = [(value, _Origin((*here, index), {})) for index, value in enumerate(patch)]
    else:
        merged, original = _merge_lists(original, held, patch, element, merge_key, here, False)
    in_order, in_original_only = _partition(merged, order, merge_key)
    of_maps = _element_type(original, patch) == "map[string]interface {}"
    ordered = _ordered(in_order, in_original_only, order, original, merge_key if of_maps else "")
    _take(result, key, _closed(ordered), origin)
    pending.pop(key, None)


def _kept(value: Any, path: Path) -> _Item:
    cleaned = _without_directives(value, path, False)
    assert cleaned is not None
    return cleaned


def _check_element_order(patch: list[Any], order: list[Any], merge_key: str) -> None:
    """The patch's items must stand in the order too, in the same sequence; unless one of the two is empty."""
    if not order or not patch:
        return
    wanted = patch
    if merge_key:
        for value in patch:
            _as_map(value)
        wanted = [value for value in patch if value.get(_DIRECTIVE) != "delete"]
    at = place = 0
    while at < len(wanted) and place < len(order):
        if _holds_directive(wanted[at]):
            at += 1
            continue
        if merge_key:
            is_equal = _merge_key_of(_as_map(wanted[at]), merge_key) == _merge_key_of(_as_map(order[place]), merge_key)
        else:
            is_equal = _identity(wanted[at]) == _identity(order[place])
        at += is_equal
        place += 1
    if at < len(wanted):
        text = f"The order in patch list:\n{_shown(patch)}\n doesn't match {_ELEMENT_ORDER} list:\n{_shown(order)}\n"
        raise MergeError(text)


# ------------------------------------------------------------------------------------------------- order


def _partition(items: list[_Item], by: list[Any], merge_key: str) -> tuple[list[_Item], list[_Item]]:
    """The items that the other list has too, and the rest."""
    if not merge_key:
        known = {_identity(value) for value in by}
        named = [_identity(value) in known for value, _ in items]
    else:
        named = [_holds(by, merge_key, _merge_key_of(_as_map(value), merge_key)) for value, _ in items]
    there = [item for item, is_there in zip(items, named, strict=True) if is_there]
    rest = [item for item, is_there in zip(items, named, strict=True) if not is_there]
    return there, rest


def _holds(values: list[Any], merge_key: str, identity: Any) -> bool:
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            raise MergeError(f"value for key {index} is not a map")
        if merge_key in value and _identity(value[merge_key]) == identity:
            return True
    return False


def _ordered(
    patched: list[_Item],
    original_only: list[_Item],
    patch_order: list[Any],
    original_order: list[Any],
    merge_key: str,
) -> list[_Item]:
    """Both groups, each in its own order, zipped.

    An item that only the original has goes before the patch's next one where the original has both, in that order.
    """
    patch_places = _places(patch_order, merge_key)
    places = _places(original_order, merge_key)
    patched = _sorted_by(patched, patch_places, merge_key)
    original_only = _sorted_by(original_only, places, merge_key)
    out: list[_Item] = []
    left = right = 0
    while left < len(original_only) and right < len(patched):
        mine = places.get(_identity_of(original_only[left][0], merge_key))
        theirs = places.get(_identity_of(patched[right][0], merge_key))
        if mine is not None and theirs is not None and mine < theirs:
            out.append(original_only[left])
            left += 1
        else:
            out.append(patched[right])
            right += 1
    return [*out, *original_only[left:], *patched[right:]]


def _sorted_by(items: list[_Item], places: dict[Any, int], merge_key: str) -> list[_Item]:
    """The items in the order of those places; deletions (left in objects that were new to the original) at the end."""
    deletions: list[_Item] = []
    if merge_key:
        deletions = [item for item in items if item[0].get(_DIRECTIVE) == "delete"]
        if deletions:
            items = [item for item in items if item[0].get(_DIRECTIVE) != "delete"]
    ranked = [(places.get(_identity_of(item[0], merge_key)), item) for item in items]
    if all(place is not None for place, _ in ranked):
        return [*(item for _, item in sorted(ranked, key=lambda one: one[0] or 0)), *deletions]
    # Go's comparison holds for every pair with an unknown item, so that its insertion sort moves such items forward.
    out: list[tuple[int | None, _Item]] = []
    for place, item in ranked:
        at = len(out)
        while at:
            other = out[at - 1][0]
            if place is not None and other is not None and place >= other:
                break
            at -= 1
        out.insert(at, (place, item))
    return [*(item for _, item in out), *deletions]


# ----------------------------------------------------------------------------------------------- details


def _closed(items: list[_Item]) -> tuple[list[Any], _Origin | None]:
    children: dict[str | int, _Origin] = {}
    for index, (_, source) in enumerate(items):
        if source is not None:
            children[index] = source
    return [value for value, _ in items], _Origin(None, children) if children else None


def _places(values: list[Any], merge_key: str, skips_keyless: bool = False) -> dict[Any, int]:
    """Where each identity stands first."""
    places: dict[Any, int] = {}
    for index, value in enumerate(values):
        if not merge_key:
            places.setdefault(_identity(value), index)
        elif not skips_keyless or merge_key in value:
            places.setdefault(_merge_key_of(_as_map(value), merge_key), index)
    return places


def _identity(value: Any) -> Any:
    """What two JSON values have in common if Go holds them equal: `1`, `1.0` and `true` are three."""
    if type(value) is str:
        return value
    if isinstance(value, dict | list):
        raise MergeError(f"runtime error: comparing uncomparable type {_go_type(value)}")
    return _go_type(value), value


def _identity_of(value: Any, merge_key: str) -> Any:
    return _identity(value[merge_key] if merge_key else value)


def _merge_key_of(value: dict[str, Any], merge_key: str) -> Any:
    if merge_key not in value:
        raise MergeError(f"map: {_shown(value)} does not contain declared merge key: {merge_key}")
    return _identity(value[merge_key])


def _as_map(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise _wrong_type("map[string]interface {}", value)


def _holds_directive(value: Any) -> bool:
    return isinstance(value, dict) and _DIRECTIVE in value


def _field_behind(key: str, prefix: str, message: str) -> str:
    head, slash, name = key.partition("/")
    if head != prefix or not slash:
        raise MergeError(message)
    return name


def _element_type(*lists: list[Any]) -> str:
    """The one Go type of all elements."""
    values = [value for values in lists for value in values]
    if not values:
        raise MergeError("no elements in any of the given slices")
    if values[0] is None:
        raise MergeError("runtime error: invalid memory address or nil pointer dereference")
    if isinstance(values[0], list):
        raise MergeError("lists of lists are not supported")
    first = _go_type(values[0])
    if any(_go_type(value) != first for value in values):
        raise MergeError(f"list element types are not identical: {_shown(list(lists))}")
    return first


_GO_TYPES: Final[dict[type, str]] = {
    str: "string",
    bool: "bool",
    float: "float64",
    dict: "map[string]interface {}",
    list: "[]interface {}",
    type(None): "%!s(<nil>)",
}


def _go_type(value: Any) -> str:
    known = _GO_TYPES.get(type(value))
    if known is not None:
        return known
    return "int64" if -(2**63) <= value < 2**63 else "float64"


def _wrong_type(expected: str, value: Any) -> MergeError:
    return MergeError(f"expected a {expected}, but received a {_go_type(value)}")


def _unknown_directive(directive: Any, patch: dict[str, Any]) -> MergeError:
    name = directive
    if directive is None:
        name = "%!s(<nil>)"
    elif not isinstance(directive, str):
        name = f"%!s({_go_type(directive)}={_shown(directive)})"
    return MergeError(f"unknown patch type: {name} in map: {_shown(patch)}")


def _shown(value: Any) -> str:
    """A JSON value as Go's `%v` prints it."""
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{_shown(value[key])}' for key in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(_shown(item) for item in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "<nil>"
    if isinstance(value, float):
        return repr(value) if value and not 1e-4 <= abs(value) < 1e21 else json_number_text(value)
    return str(value)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
