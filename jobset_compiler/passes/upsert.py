"""Upstream's upserts: an item takes the place of the one that is the same, else it comes last. What is the same differs from list to list.

Source: pkg/apply/apply.go of every release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Tree = dict[str, Any]


def upsert(items: tuple[Tree, ...], item: Tree, same: Callable[[Tree, Tree], bool]) -> tuple[Tree, ...]:
    """`items` with `item` in place of the first that is the same, else at the end."""
    for index, have in enumerate(items):
        if same(have, item):
            return (*items[:index], item, *items[index + 1 :])
    return (*items, item)


def same_name(have: Tree, item: Tree) -> bool:
    return bool(have["name"] == item["name"])


def same_mount_path(have: Tree, item: Tree) -> bool:
    return bool(have.get("mountPath") == item.get("mountPath"))


def same_port(have: Tree, item: Tree) -> bool:
    """Equal by number, or by name: two ports without a name count as equal (quirk Q1, fixed after 2.3 by #3926)."""
    return bool(have.get("containerPort") == item.get("containerPort") or have.get("name") == item.get("name"))
