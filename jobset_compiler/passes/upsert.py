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


def upsert(items: tuple[Tree, ...], item: Tree, same: Same) -> tuple[Tree, ...]:
    """`items` with `item` in place of the first that is the same, else at the end."""
    for index, have in enumerate(items):
        if same(have, item):
            return (*items[:index], item, *items[index + 1 :])
    return (*items, item)


def same_name(have: Tree, item: Tree) -> bool:
    return bool(have["name"] == item["name"])


def same_mount_path(have: Tree, item: Tree) -> bool:
    return bool(have.get("mountPath") == item.get("mountPath"))


def same_port(profile: Profile) -> Same:
    """When two ports are the same, in this release."""
    return by_number_and_protocol if profile.has(features.PORTS_BY_PROTOCOL) else by_number_or_name


def by_number_or_name(have: Tree, item: Tree) -> bool:
    """Two ports without a name count as equal (JSC801)."""
    return bool(have.get("containerPort") == item.get("containerPort") or have.get("name") == item.get("name"))


def by_number_and_protocol(have: Tree, item: Tree) -> bool:
    """Or by name, where both have one. No protocol is TCP."""
    if have.get("name") and have.get("name") == item.get("name"):
        return True
    return bool(have.get("containerPort") == item.get("containerPort") and (have.get("protocol") or "TCP") == (item.get("protocol") or "TCP"))
