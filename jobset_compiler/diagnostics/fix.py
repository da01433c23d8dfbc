"""What a machine can mend: edits of the text, made where a hint is mechanical, found in the text only when somebody asks.

A check says what is to change by its place in the document (`Remedy`), the reader by its offsets in the text (`Fix`). A fix is safe where what
stands there can mean nothing else (a number for a string, another case of a known word); the others are guesses, if good ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.diagnostics.place import Edit, Located, Path

QUOTES = ('"', "'")


class Fix(NamedTuple):
    """Edits of one file that belong together; title: what they do, in a few words."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


class Change(NamedTuple):
    """What to write for the value, or the key, at a place of a document. Quotes around it stay, unless it is `bare`.

    text: None for what stands there already, put in quotes. above: the text is a new line above the key.
    """

    at: Path
    text: str | None
    on_key: bool = False
    bare: bool = False
    above: bool = False


class Remedy(NamedTuple):
    """A fix of a document whose text need not have been looked at yet."""

    title: str
    changes: tuple[Change, ...]
    safe: bool
    result: Path = ()
    """Of a renamed key its new path."""

    def placed(self, document: Located | None) -> Fix | None:
        """The edits of its text; None where it has none, or the place stands elsewhere (behind an alias), or is not written as expected."""
        edits = [] if document is None else [_edit(document, change) for change in self.changes]
        found = tuple(edit for edit in edits if edit is not None)
        return Fix(self.title, found, self.safe) if found and len(found) == len(self.changes) else None


def rename(path: Path, name: str, *, safe: bool) -> Remedy:
    """Another name for the key at that path."""
    return Remedy(f"rename {path[-1]} to {name}", (Change(path, name, on_key=True),), safe, (*path[:-1], name))


def replace(path: Path, text: str, *, safe: bool, bare: bool = False) -> Remedy:
    """Another value at that path."""
    return Remedy(f"write {text}" + (" without quotes" if bare else ""), (Change(path, text, bare=bare),), safe)


def insert_above(path: Path, line: str, *, safe: bool) -> Remedy:
    """A line `key: value` of its own above the key at that path."""
    return Remedy(f"add {line}", (Change(path, line, on_key=True, above=True),), safe)


def meant(path: Path, name: str, written: object = None) -> tuple[Remedy, ...]:
    """Another name at that path, which is a guess, unless what is written there differs in case only; nothing for no name."""
    is_same = isinstance(written, str) and written.lower() == name.lower()
    return (replace(path, name, safe=is_same),) if name else ()


def quote(path: Path) -> Remedy:
    """Quotes around the value at that path."""
    return Remedy("put the value in quotes", (Change(path, None),), safe=True)


def chosen_of(fixes: Iterable[Fix]) -> list[Fix]:
    """As many as do not overlap, in the order of the text."""
    taken: list[Edit] = []
    chosen = []
    for fix in sorted(set(fixes), key=lambda fix: (fix.edits[0].start, fix.edits[0].end, fix.title)):
        if not any(_overlap(edit, other) for edit in fix.edits for other in taken):
            taken += fix.edits
            chosen.append(fix)
    return chosen


def _overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits have to do with each other; edits that meet are apart, two insertions at one place are not."""
    return one.start == other.start or (one.start < other.end and other.start < one.end)


def _edit(document: Located, change: Change) -> Edit | None:
    extent = document.extent(change.at, on_key=change.on_key)
    if extent is not None and change.above:
        return _line_above(document, extent[0], change.text or "")
    if extent is None or not _has(document.value, change.at) or (change.on_key and _has(document.value, (*change.at[:-1], change.text))):
        return None
    start, end = extent
    written = document.text[start:end]
    mark = written[:1] if written[:1] in QUOTES else ""
    if not written or "\n" in written or written[0] in "&!|>[{" or (change.on_key and written.strip(mark or None) != change.at[-1]):
        return None
    if change.text is None:
        text = f'"{written}"' if not mark and not any(character in written for character in '"\\') else ""
    else:
        text = change.text if change.bare else f"{mark}{change.text}{mark}"
    return document.edit(start, end, text) if text else None


def _line_above(document: Located, start: int, line: str) -> Edit | None:
    """A line before the key that begins there, unless something else stands before it on its line."""
    text = document.text
    before = text[text.rfind("\n", 0, start) + 1 : start]
    if before.replace("- ", "").strip(" "):
        return None
    end = "\r\n" if "\r\n" in text else "\n"
    return document.edit(start, start, f"{line}{end}{' ' * len(before)}")


def _has(value: Any, path: tuple[Any, ...]) -> bool:
    for step in path:
        if isinstance(value, dict):
            if step not in value:
                return False
        elif not isinstance(step, int) or not isinstance(value, list) or step >= len(value):
            return False
        value = value[step]
    return True
