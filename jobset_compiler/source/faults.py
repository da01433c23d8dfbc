"""What is wrong with a text, before anything Kubernetes-like is looked at. Modules here return it to one another and do not raise it."""

from typing import Final

from jobset_compiler.value import Frozen, Value


class Mending(Value):
    """What would mend the text: pieces of it (start, end) and what to write there. safe: it can mean nothing else."""

    __slots__ = ("pieces", "safe", "title")

    def __init__(self, title: str, pieces: tuple[tuple[int, int, str], ...], safe: bool) -> None:
        self.title: Final = title
        self.pieces: Final = pieces
        self.safe: Final = safe


class TextFault(Frozen):
    """Something wrong at character offsets of one document's text.

    `slug` names a code of `diagnostics.codes.source`, which says how bad it is; `message` keeps the words of the Go parsers where they
    have some. `other` is the offset of a second place, such as the first of two equal keys; -1 where there is none.
    """

    slug: str
    message: str
    start: int
    end: int
    hint: str = ""
    other: int = -1
    mendings: tuple[Mending, ...] = ()


class RefusedError(Exception):
    """Ends a reading at its first fault. Whatever module raises it catches it as well, and returns the fault."""

    def __init__(self, fault: TextFault) -> None:
        super().__init__(fault.message)
        self.fault = fault
