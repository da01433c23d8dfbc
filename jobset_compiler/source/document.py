"""A document: a plain JSON value, and on demand where each part of it stands in the text."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.diagnostics.place import Edit, Path, Span
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.diagnostics.fix import Fix
    from jobset_compiler.source.faults import Mending, TextFault
    from jobset_compiler.source.lines import Plain
    from jobset_compiler.source.places import Extent, Place


class SourceProblem(Value):
    """One fault of a text, such as every reader returns. `slug` is that of a code in `diagnostics.codes.source`.

    `text` is the document it was found in, as far as there is one.
    """

    __slots__ = ("fixes", "hint", "message", "slug", "span", "text")

    def __init__(self, slug: str, message: str, span: Span, hint: str, text: DocumentText | None = None, fixes: tuple[Fix, ...] = ()) -> None:
        self.slug: Final = slug
        self.message: Final = message
        self.span: Final = span
        self.hint: Final = hint
        self.text: Final = text
        self.fixes: Final = fixes

    @property
    def is_error(self) -> bool:
        """Whether kubectl and the API server refuse to read the text."""
        from jobset_compiler.diagnostics.codes.source import BY_SLUG

        return BY_SLUG[self.slug].severity == "error"


class DocumentText:
    """The text of one YAML or JSON document of a file; the documents unfolded from a List share one.

    `start` is the offset of the text in its file, in characters; `start_line` counts from 1.
    """

    __slots__ = ("_find", "_is_searched", "_line_starts", "file", "is_json", "parser", "plain", "start", "start_line", "text")

    def __init__(self, file: str, text: str, start_line: int, start: int, parser: Any = None, *, is_json: bool = False) -> None:
        self.file = file
        self.text = text
        self.start_line = start_line
        self.start = start
        self.parser = parser
        self.is_json = is_json
        self.plain: Plain | None = None  # what the quick lane has made of it
        self._line_starts: list[int] | None = None
        self._is_searched = False
        self._find: Callable[[Path], Place] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Without what is found again when somebody asks."""
        found = {"_find": None, "_is_searched": False, "_line_starts": None, "plain": None}
        return {name: found[name] if name in found else getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    def line_starts(self) -> list[int]:
        if self._line_starts is None:
            starts = [0]
            position = self.text.find("\n")
            while position >= 0:
                starts.append(position + 1)
                position = self.text.find("\n", position + 1)
            self._line_starts = starts
        return self._line_starts

    def line_and_column(self, offset: int) -> tuple[int, int]:
        starts = self.line_starts()
        line = bisect_right(starts, offset) - 1
        return self.start_line + line, offset - starts[line] + 1

    def span(self, start: int, end: int) -> Span:
        # Parsers may stop behind the end, where each reads a line break that is not there.
        last = len(self.text)
        return Span(self.file, *self.line_and_column(min(start, last)), *self.line_and_column(min(max(start, end), last)))

    def edit(self, start: int, end: int, text: str) -> Edit:
        return Edit(self.span(start, end), self.start + start, self.start + end, text)

    def source_line(self, line: int) -> str:
        starts = self.line_starts()
        index = line - self.start_line
        if not 0 <= index < len(starts):
            return ""
        end = starts[index + 1] if index + 1 < len(starts) else len(self.text)
        return self.text[starts[index] : end].rstrip("\r\n")

    def problem(self, fault: TextFault) -> SourceProblem:
        hint = fault.hint
        if fault.other >= 0:
            hint = f"It is set in line {self.line_and_column(fault.other)[0]} first; the last one counts."
        fixes = tuple(self.fix(mending) for mending in fault.mendings)
        return SourceProblem(fault.slug, fault.message, self.span(fault.start, fault.end), hint, self, fixes)

    def fix(self, mending: Mending) -> Fix:
        from jobset_compiler.diagnostics.fix import Fix

        return Fix(mending.title, tuple(self.edit(*piece) for piece in mending.pieces), mending.safe)

    def place(self, path: Path) -> Place | None:
        """Where a path of the value leads, None where the text has no value."""
        if not self._is_searched:
            self._find = self._finder()
            self._is_searched = True
        return None if self._find is None else self._find(path)

    def _finder(self) -> Callable[[Path], Place] | None:
        """By what the quick lane has noted, else by reading the text once more."""
        if self.parser is None and not self.is_json:
            from jobset_compiler.source.lines import read_plain

            plain = self.plain or read_plain(self.text)
            if plain is not None:
                from jobset_compiler.source.line_places import LinePlaces

                return LinePlaces(self.text, self.line_starts(), plain).find
        from functools import partial

        from jobset_compiler.source.nodes import find

        if self.is_json:
            from jobset_compiler.source.json_text import compose as compose_json

            return partial(find, compose_json(self.text))
        from jobset_compiler.source.compose import compose

        root = compose(self.text, self.parser).root
        return None if root is None else partial(find, root)


class Document:
    """One object of the input. `value` is plain JSON and is never changed; sub-objects may be shared (aliases).

    `index` counts the documents of the file from 0; `prefix` is where the value stands in its YAML document: `()`, or
    `("items", 3)` for a member of a List. Paths given to the methods start at `value`. Lines and columns count from 1.
    """

    __slots__ = ("_source", "file", "index", "prefix", "value")

    file: str
    index: int
    value: Any
    prefix: Path
    _source: DocumentText | None

    def __init__(self, file: str, index: int, value: Any, prefix: Path, source: DocumentText | None) -> None:
        put = object.__setattr__
        put(self, "file", file)
        put(self, "index", index)
        put(self, "value", value)
        put(self, "prefix", prefix)
        put(self, "_source", source)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Document does not change: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Document, (self.file, self.index, self.value, self.prefix, self._source)

    def __repr__(self) -> str:
        return f"Document(file={self.file!r}, index={self.index}, prefix={self.prefix!r})"

    @classmethod
    def from_object(cls, value: Any, file: str = "<object 0>", index: int = 0) -> Document:
        """A document without text: every span is unknown (line 0)."""
        return cls(file, index, value, (), None)

    @property
    def text(self) -> str:
        """The source text of the whole YAML or JSON document, "" where there is none."""
        return "" if self._source is None else self._source.text

    @property
    def start_line(self) -> int:
        return 0 if self._source is None else self._source.start_line

    @property
    def start(self) -> int:
        """Offset of `text` in the file, in characters."""
        return 0 if self._source is None else self._source.start

    @property
    def end(self) -> int:
        return 0 if self._source is None else self._source.start + len(self._source.text)

    @property
    def is_json(self) -> bool:
        """Whether it stood in a stream of JSON documents."""
        return self._source is not None and self._source.is_json

    def source_line(self, line: int) -> str:
        """The text of a line of the file, without its line break; "" for a line outside this document."""
        return "" if self._source is None else self._source.source_line(line)

    @property
    def written(self) -> Document:
        """The document that stands in the text: this one, unless it was converted from one of another API."""
        return self

    def written_as(self, path: Path) -> Path:
        """What the text calls that path: itself, unless the document was converted from another API."""
        return path

    def extent(self, path: Path, *, on_key: bool = False) -> Extent | None:
        """Start and end of a value's text, or its key's, in `text`; None where that stands elsewhere: there is no text, or an alias leads to it."""
        place = self._place(path)
        if place is None or place.alias is not None:
            return None
        return place.key if on_key else place.value

    def edit(self, start: int, end: int, text: str) -> Edit | None:
        """Another text for what stands from `start` to `end` in `text`."""
        return None if self._source is None else self._source.edit(start, end, text)

    def offsets(self, path: Path) -> tuple[int, int]:
        """Start and end of the value's text in `text`; (0, 0) where there is none."""
        place = self._place(path)
        return (0, 0) if place is None else place.value

    def locate(self, path: Path) -> Span:
        """The place of the value at that path, of its nearest ancestor where the text has no such value.

        For a value that came through an alias this is the anchored text; `alias_site` is where the alias stands.
        """
        place = self._place(path)
        return self._span(None if place is None else place.value)

    def locate_key(self, path: Path) -> Span:
        """The place of the key of the path's last step; a list item has none and stands for itself."""
        place = self._place(path)
        return self._span(None if place is None else place.key)

    def alias_site(self, path: Path) -> Span | None:
        """Where the first alias on the way to that value stands, None where there is none."""
        place = self._place(path)
        return None if place is None or place.alias is None else self._span(place.alias)

    def _place(self, path: Path) -> Place | None:
        return None if self._source is None else self._source.place((*self.prefix, *path))

    def _span(self, extent: Extent | None) -> Span:
        if extent is None or self._source is None:
            return Span(self.file, 0, 0, 0, 0)
        return self._source.span(*extent)
