"""Lists that are sets, or maps by the values of key fields.

Source: apiextensions-apiserver, pkg/apiserver/schema/listtype/validation.go. Of equal elements the server names the
second one only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.kube.structural.errors import go_json

if TYPE_CHECKING:
    from jobset_compiler.kube.structural.walk import Trail, Walk


def check_list_map(keys: tuple[str, ...], items: list[Any], trail: Trail, out: Walk) -> None:
    try:
        if len(keys) == 1:
            key = keys[0]
            # As good as always: every element is an object with a key of its own.
            if len({item.get(key) for item in items}) == len(items):
                return
        elif len({tuple([item.get(key) for key in keys]) for item in items}) == len(items):
            return
    except (AttributeError, TypeError):
        pass  # an element is no object, or a key no scalar
    for index, item in enumerate(items):
        if item is not None and not isinstance(item, dict):
            out.refuse((trail, index), "FieldValueInvalid", "must be an object for an array of list-type map", item)
            return
    refuse_repeated([{key: item[key] for key in keys if key in item} if item else {} for item in items], trail, out)


def check_set(items: list[Any], trail: Trail, out: Walk) -> None:
    try:
        if len(set(items)) == len(items):
            return
    except TypeError:
        pass
    refuse_repeated(items, trail, out)


def refuse_repeated(items: list[Any], trail: Trail, out: Walk) -> None:
    seen: dict[str, int] = {}
    for index, item in enumerate(items):
        text = go_json(item)
        seen[text] = seen.get(text, 0) + 1
        if seen[text] == 2:
            out.refuse((trail, index), "FieldValueDuplicate", "", item)
