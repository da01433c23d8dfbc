"""One converted document as text.

What was carried over is copied from the old text, with its comments and its spelling, and moved to where it stands now; what was made is written by the
emitter. Notes become comments at the place that they are about. What comes out is read again: should it not say what it is to say, all of it is written
by the emitter.
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.tree import MISSING, get, translate
from jobset_compiler.dialects.writing.comments import left_behind
from jobset_compiler.dialects.writing.old_text import Indents, OldText
from jobset_compiler.emit.flow import in_flow
from jobset_compiler.emit.scalars import block_scalar
from jobset_compiler.emit.yaml import Emitter
from jobset_compiler.source.nodes import ScalarNode
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.results import Comment, Output
    from jobset_compiler.dialects.writing.comments import Left
    from jobset_compiler.dialects.writing.old_text import Spot

WIDTH = 120
_LEAST = 40
# What every document of a job has, in words of the job itself.
OF_THE_WHOLE = (("apiVersion",), ("kind",), ("metadata",), ("metadata", "name"), ("spec",))
_MANY = 10  # numbers are written in a row


def write(outputs: Sequence[Output], old: OldText, title: str = "") -> str:
    """The new documents of one old document, with --- between them; `title`: a comment at the top, "" for none."""
    texts = _written(outputs, old, ())
    left = left_behind(old, outputs, (*texts, title))
    if left:
        texts = _written(outputs, old, left)
    return (commented((title,), 0) if title else "") + "---\n".join(texts)


def _written(outputs: Sequence[Output], old: OldText, left: Sequence[Left]) -> list[str]:
    """The text of each document; left: comments that have to be put somewhere."""
    used: set[Path] = set()
    texts = []
    for number, output in enumerate(outputs):
        kept = [remark for remark in left if remark.output == number]
        is_last = number == len(outputs) - 1
        text = _Writer(output, old, used, kept, is_last=is_last).text()
        if not _says(text, output.document.value):
            text = _Writer(output, None, set(), kept, is_last=is_last).text()
        texts.append(text)
    return texts


def _says(text: str, value: Any) -> bool:
    documents, problems = read_text(text)
    return len(documents) == 1 and not problems and bool(documents[0].value == value)


def commented(texts: Sequence[str], column: int) -> str:
    """Texts as comment lines, several as a list."""
    mark = "- " if len(texts) > 1 else ""
    width = max(WIDTH - column - 2, _LEAST)
    lines = [
        line
        for text in texts
        for line in wrap(text, width, initial_indent=mark, subsequent_indent=" " * len(mark), break_long_words=False, break_on_hyphens=False)
    ]
    return "".join(f"{' ' * column}# {line}\n" for line in lines)


def _indented(lines: Sequence[str], column: int) -> list[str]:
    return [f"{' ' * column}{line}\n" for line in lines]


class _Writer:
    """The writing of one document. old: the text to copy from, None to copy nothing; used: places whose comments were taken along already;
    kept: old comments that copying would leave behind."""

    def __init__(self, output: Output, old: OldText | None, used: set[Path], kept: Sequence[Left], *, is_last: bool) -> None:
        self.document = output.document
        self.respelt = output.respelt
        self.old = old if old is not None and old.root is not None else None
        self.style = self.old.style() if self.old is not None else Indents()
        self.used = used
        self.is_last = is_last
        self.kept: dict[Path, list[str]] = {}
        self.below: dict[Path, list[str]] = {}
        for left in kept:
            (self.below if left.is_below else self.kept).setdefault(self.existing(left.path), []).append(left.text)
        self.renamed: set[Path] = set()  # old places whose comment behind them stands behind something of another name
        self.emitter = Emitter()
        self.parts: list[str] = []
        self.notes: dict[Path, list[str]] = {}
        self.remarks: dict[Path, str] = {}
        for comment in output.comments:
            self.file(comment)

    def file(self, comment: Comment) -> None:
        """A comment goes to the place that it is about, or to what encloses it where there is no such place."""
        path = self.existing(comment.path)
        if comment.inline:
            self.remarks[path] = comment.text
        elif comment.text not in self.notes.setdefault(path, []):
            self.notes[path].append(comment.text)

    def existing(self, path: Path) -> Path:
        """The path, or that of what encloses it where there is no such place."""
        while path and get(self.document.value, *path, default=MISSING) is MISSING:
            path = path[:-1]
        return path

    def text(self) -> str:
        self.parts.append(self.remarked((), 0))
        self.mapping(self.document.value, (), 0, "")
        return "".join(self.parts)

    def mapping(self, value: dict[str, Any], path: Path, column: int, lead: str) -> None:
        """The members of a mapping at a column; `lead` is what the line of the first one begins with, where that is not just blanks."""
        for key, child in value.items():
            at = (*path, key)
            if not lead:
                self.above(at, column)
            self.member(key, child, at, column, lead or " " * column)
            self.parts += _indented(self.below.get(at, ()), column)
            lead = ""

    def sequence(self, value: list[Any], path: Path, column: int) -> None:
        for index, item in enumerate(value):
            at = (*path, index)
            self.above(at, column)
            if isinstance(item, dict) and item:
                first = (*at, next(iter(item)))
                self.parts.append(self.remarked(first, column))
            lead = f"{' ' * column}- "
            copied = self.copied(item, at, column + 2)
            if copied:
                self.parts.append(lead + copied)
            elif isinstance(item, dict) and item:
                self.mapping(item, at, column + 2, lead)
            else:
                self.value(item, at, column, f"{' ' * column}-")
            self.parts += _indented(self.below.get(at, ()), column)

    def member(self, key: str, value: Any, path: Path, column: int, lead: str) -> None:
        name = self.emitter.document({key: 0}).removesuffix(" 0\n")
        copied = self.copied(value, path, column)
        if copied:
            self.parts.append(f"{lead}{name}{'' if copied[:1] == chr(10) else ' '}{copied}")
        else:
            self.value(value, path, column, f"{lead}{name}")

    def value(self, value: Any, path: Path, column: int, lead: str) -> None:
        """What follows a colon or a dash."""
        behind = self.behind(path)
        flow = self.flow(value, path)
        if flow:
            self.parts.append(f"{lead} {flow}{behind}\n")
        elif isinstance(value, dict) and value:
            self.parts.append(f"{lead}{behind}\n")
            self.mapping(value, path, column + self.style.step, "")
        elif isinstance(value, list) and len(value) > _MANY and all(type(item) is int for item in value):
            numbers = f"\n{' ' * (column + 2)}".join(wrap(", ".join(map(str, value)), max(WIDTH - column - 12, _LEAST)))
            self.parts.append(f"{lead} [{numbers}]{behind}\n")
        elif isinstance(value, list) and value:
            self.parts.append(f"{lead}{behind}\n")
            self.sequence(value, path, column + self.style.dash)
        elif isinstance(value, str) and "\n" in value and (block := block_scalar(value, " " * column)):
            self.parts.append(f"{lead} {block}")
        else:
            self.parts.append(f"{lead} {self.emitter.document(value).rstrip(chr(10))}{behind}\n")

    # --- what the old text has

    def spot(self, path: Path) -> tuple[Path, Spot] | None:
        """The old place that the part at a path was carried from or rebuilt in place of, and what stands there."""
        if self.old is None:
            return None
        place = translate(self.document.places, path)
        if not place.carried and self.document.places.get(path) != place:
            return None
        spot = self.old.spot(place.path)
        return None if spot is None else (place.path, spot)

    def copied(self, value: Any, path: Path, column: int) -> str:
        """The old text of a value that was carried as it is and about whose parts there is nothing to say; "" for any other."""
        place = translate(self.document.places, path)
        was = get(self.document.old.value, *place.path, default=MISSING)
        if self.old is None or was != value or path in self.remarks or self.is_noted(path):
            return ""
        # What was built anew and came out as it was counts as carried.
        if not place.carried and (self.document.places.get(path) != place or not isinstance(value, (dict, list)) or list(value) != list(was)):
            return ""
        spot = self.old.spot(place.path)
        if spot is None or spot.is_item != isinstance(path[-1], int):
            return ""
        return self.old.value_text(spot, column)

    def is_noted(self, path: Path) -> bool:
        """Whether there is something to say about a part of what stands there."""
        depth = len(path)
        return any(len(noted) > depth and noted[:depth] == path for noted in (*self.notes, *self.remarks, *self.kept, *self.below))

    def flow(self, value: Any, path: Path) -> str:
        """The value on one line, where the old one stood on one line in brackets and there is nothing to say about its parts; "" otherwise."""
        found = self.spot(path) if isinstance(value, (dict, list)) and value and not self.is_noted(path) else None
        if found is None or self.old is None or not self.old.is_flow(found[1].value):
            return ""
        text = in_flow(value)
        return text if len(text) < WIDTH else ""

    def above(self, path: Path, column: int) -> None:
        """The comments that stood above a part, once, and the notes about it."""
        found = self.spot(path)
        if found is not None and found[0] not in self.used and self.old is not None and (len(path) > 1 or self.is_not_first(path)):
            self.used.add(found[0])
            self.parts.append(self.old.above(found[1], column, with_blank_lines=self.respelt))
        self.parts.append(self.remarked(path, column))

    def remarked(self, path: Path, column: int) -> str:
        """Old comments that were left behind, and the notes, as lines above what stands at a path."""
        return "".join(_indented(self.kept.get(path, ()), column)) + commented(self.notes.get(path, ()), column)

    def took_over(self, path: Path, old: Path) -> bool:
        """Whether the part at `path` is what became of the old one under another name; where more came of it, the first part that says it all is."""
        if not self.respelt or old in self.renamed:
            return False
        depth = len(path)
        return all(place.path != old for below, place in self.document.places.items() if len(below) > depth and below[:depth] == path)

    def is_instead(self, path: Path, found: tuple[Path, Spot]) -> bool:
        """Whether one value stands for another one: `numNodes: 3` for `replicas: 3`; the first of several."""
        new = get(self.document.value, *path)
        return found[0] not in self.renamed and isinstance(found[1].value, ScalarNode) and not isinstance(new, (dict, list))

    def is_not_first(self, path: Path) -> bool:
        """What stands above the first key belongs to the whole document."""
        return bool(path[0] != next(iter(self.document.value)))

    def behind(self, path: Path) -> str:
        """The comment behind a part: the remark about it, else what stood behind it, under the same name or where words alone have changed."""
        remark = self.remarks.get(path)
        if remark:
            return f"  # {remark}"
        found = self.spot(path)
        if path in OF_THE_WHOLE and not self.is_last:
            return ""  # told where the last document, the TrainJob, has it
        if found is None or self.old is None or not (found[0][-1:] == path[-1:] or self.took_over(path, found[0]) or self.is_instead(path, found)):
            return ""
        self.renamed.add(found[0])
        text = self.old.behind(found[1])
        return f"  {text}" if text else ""
