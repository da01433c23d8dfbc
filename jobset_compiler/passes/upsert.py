"""Upstream's upserts: an item takes the place of the one that is the same, else it comes last. What is the same differs from list to list.

Source: pkg/apply/apply.go of every release.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
Same = Callable[[Tree, Tree], bool]
Identities = Callable[[Tree], tuple[object, ...]]
"""What an item is known by: two that have one of these in common are the same."""


def upsert(items: tuple[Tree, ...], item: Tree, same: Same) -> tuple[Tree, ...]:
    """`items` with `item` in place of the first that is the same, else at the end."""
    for index, have in enumerate(items):
        if same(have, item):
            return (*items[:index], item, *items[index + 1 :])
    return (*items, item)


def upsert_all(items: tuple[Tree, ...], wanted: tuple[Tree, ...], identities: Identities) -> tuple[Tree, ...]:
    """`wanted` upserted one after the other onto `items`, in a time that is linear in both."""
    out = list(items)
    # Where the items with an identity stand, the first of them last. What takes a place stands before all others that are the same.
    places: dict[object, list[int]] = {}
    for index in reversed(range(len(out))):
        for identity in identities(out[index]):
            places.setdefault(identity, []).append(index)
    for item in wanted:
        index = len(out)
        known_by = identities(item)
        for identity in known_by:
            having = places.setdefault(identity, [])
            while having and identity not in identities(out[having[-1]]):
                having.pop()
            if having and having[-1] < index:
                index = having[-1]
        out[index : index + 1] = [item]
        for identity in known_by:
            places[identity].append(index)
    return tuple(out)


def sharing(identities: Identities) -> Same:
    return lambda have, item: not set(identities(have)).isdisjoint(identities(item))


def same_name(have: Tree, item: Tree) -> bool:
    return bool(have["name"] == item["name"])


def same_mount_path(have: Tree, item: Tree) -> bool:
    return bool(have.get("mountPath") == item.get("mountPath"))


def same_port(profile: Profile) -> Same:
    """When two ports are the same, in this release."""
    return sharing(port_identities(profile))


def port_identities(profile: Profile) -> Identities:
    return by_number_and_protocol if profile.has(features.PORTS_BY_PROTOCOL) else by_number_or_name


def by_number_or_name(port: Tree) -> tuple[object, ...]:
    """Two ports without a name count as equal (JSC801)."""
    return ("containerPort", port.get("containerPort")), ("name", port.get("name"))


def by_number_and_protocol(port: Tree) -> tuple[object, ...]:
    """Or by name, where both have one. No protocol is TCP."""
    number = port.get("containerPort"), port.get("protocol") or "TCP"
    return (number, ("name", port["name"])) if port.get("name") else (number,)
