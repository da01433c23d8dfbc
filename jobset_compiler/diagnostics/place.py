"""Where something is: a span of source text, and a path inside a document."""

from typing import TYPE_CHECKING, Any

from jobset_compiler.value import Frozen

if TYPE_CHECKING:
    from typing import Protocol

    class Located(Protocol):
        """What a diagnostic points into: a document that knows where each of its values stands (`source.document.Document`)."""

        value: Any

        @property
        def text(self) -> str: ...

        def source_line(self, line: int) -> str: ...

        def locate(self, path: "Path") -> "Span": ...

        def locate_key(self, path: "Path") -> "Span": ...

        def extent(self, path: "Path", *, on_key: bool = False) -> tuple[int, int] | None: ...

        def edit(self, start: int, end: int, text: str) -> "Edit | None": ...


Path = tuple[str | int, ...]


class Key(str):
    """A key of a map in a path; printed in brackets where the server does so: `limits[nvidia.com/gpu]`."""

    __slots__ = ()


class Span(Frozen):
    """A stretch of source text; lines and columns count from 1, 0 means unknown (an object that came without text)."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


class Edit(Frozen):
    """Characters of a file from `start` to `end` (offsets from its beginning; equal for an insertion) and what to write there."""

    span: Span
    start: int
    end: int
    replacement: str


def format_path(path: Path) -> str:
    """A path as the API server prints it: `("spec", "env", 0, "name")` is `spec.env[0].name`, the empty path `<nil>`."""
    if not path:
        return "<nil>"
    text = ""
    for step in path:
        if isinstance(step, int | Key):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def value_at(tree: Any, path: Path) -> Any:
    """The value at a path, None where there is none."""
    for step in path:
        try:
            tree = tree[step]
        except (KeyError, IndexError, TypeError):
            return None
    return tree
