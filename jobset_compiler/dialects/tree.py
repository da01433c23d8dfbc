"""What a dialect builds: a tree of the new document, in which each part says where in the old document it comes from.

Plain mappings, lists and scalars are what they are; a part wrapped in `Carried`, `Made` or `At` knows its place. `settle` takes the wrappings off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

MISSING = object()


class Carried(NamedTuple):
    """The value that the old document has at `path`, as it is."""

    path: Path


class Made(NamedTuple):
    """A value that the old document does not have, on account of what it has at `because`."""

    value: Any
    because: Path


class At(NamedTuple):
    """A mapping or list built anew in place of the one that the old document has at `path`."""

    path: Path
    value: Any


class OldPlace(NamedTuple):
    """Where a part of the new document comes from; `carried`: what is below it comes from below."""

    path: Path
    carried: bool


# New path -> where it comes from.
Places = dict["Path", OldPlace]


def settle(tree: Any, old: Any) -> tuple[Any, Places]:
    """The plain value of a tree, and the places of its parts; `old` is the value of the old document."""
    places: Places = {}
    return _settle(tree, (), old, places), places


def _settle(tree: Any, path: Path, old: Any, places: Places) -> Any:
    if isinstance(tree, Carried):
        places[path] = OldPlace(tree.path, carried=True)
        return get(old, *tree.path)
    if isinstance(tree, Made):
        places[path] = OldPlace(tree.because, carried=False)
        return _settle(tree.value, path, old, places)
    if isinstance(tree, At):
        places[path] = OldPlace(tree.path, carried=False)
        return _settle(tree.value, path, old, places)
    if isinstance(tree, dict):
        return {key: _settle(value, (*path, key), old, places) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_settle(value, (*path, index), old, places) for index, value in enumerate(tree)]
    return tree


def translate(places: Places, path: Path) -> OldPlace:
    """Where what stands at `path` of the new document comes from: its own place, or that of what encloses it."""
    for depth in range(len(path), -1, -1):
        place = places.get(path[:depth])
        if place is not None:
            rest = path[depth:]
            return OldPlace((*place.path, *rest), carried=True) if place.carried else place
    return OldPlace((), carried=False)


def arrived(places: Places, path: Path) -> Path | None:
    """Where what the old document has at `path` has been carried to, the first place of several; None where it was not."""
    for depth in range(len(path), -1, -1):
        for new, place in places.items():
            if place.path == path[:depth] and (place.carried or depth == len(path)):
                return (*new, *path[depth:])
    return None


def get(tree: Any, *steps: str | int, default: Any = None) -> Any:
    """What a plain tree has at a path, `default` where it has nothing."""
    for step in steps:
        if isinstance(step, int):
            if not isinstance(tree, list) or not 0 <= step < len(tree):
                return default
            tree = tree[step]
        else:
            if not isinstance(tree, dict) or step not in tree:
                return default
            tree = tree[step]
    return tree


def parts(old: Any, path: Path, *without: str) -> dict[str, Any]:
    """The members of the mapping at `path`, each carried; {} where there is no mapping."""
    mapping = get(old, *path)
    return {key: Carried((*path, key)) for key in mapping if key not in without} if isinstance(mapping, dict) else {}


def items(old: Any, path: Path) -> list[Any]:
    """The items of the list at `path`, each carried; [] where there is no list."""
    found = get(old, *path)
    return [Carried((*path, index)) for index in range(len(found))] if isinstance(found, list) else []


def filled(**members: Any) -> dict[str, Any]:
    """A mapping of the members that are there: not None, and no empty mapping or list."""
    return {key: value for key, value in members.items() if value is not None and value not in ({}, [])}
