"""Text to documents: what kubectl would read from it, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.source.document import Document, DocumentText, SourceProblem
from jobset_compiler.source.faults import TextFault
from jobset_compiler.source.limits import JSON_GUESS_LENGTH, MAX_DOCUMENT_LENGTH
from jobset_compiler.source.lines import read_plain
from jobset_compiler.source.split import Piece, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    class Earlier(Protocol):
        """What a reading may take over from earlier ones: the values of YAML documents by their text."""

        def recall(self, content: str, /) -> Any: ...

# What Go's unicode.IsSpace takes for a blank when kubectl looks for the `{` of a JSON stream.
_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

Found = Document | SourceProblem


def read_text(
    text: str, file: str = "<input>", *, parser: Any = None, earlier: Earlier | None = None
) -> tuple[tuple[Document, ...], tuple[SourceProblem, ...]]:
    """The documents of a text of YAML or JSON documents, and its problems; never raises for bad text.

    Null and empty documents are left out. A List is unfolded into its items. A document with an error is left out, the
    others are still read.
    """
    return collect(iter_documents((text,), file, parser=parser, earlier=earlier))


def read_bytes(
    data: bytes, file: str = "<input>", *, parser: Any = None
) -> tuple[tuple[Document, ...], tuple[SourceProblem, ...]]:
    """The same for UTF-8 bytes, with or without byte order mark; UTF-16 only with one."""
    from jobset_compiler.source.decode import decode_blocks

    return collect(iter_documents(decode_blocks((data,)), file, parser=parser))


def collect(found: Iterable[Found]) -> tuple[tuple[Document, ...], tuple[SourceProblem, ...]]:
    documents: list[Document] = []
    problems: list[SourceProblem] = []
    for item in found:
        if isinstance(item, Document):
            documents.append(item)
        else:
            problems.append(item)
    return tuple(documents), tuple(problems)


def iter_documents(
    blocks: Iterable[str],
    file: str = "<input>",
    *,
    parser: Any = None,
    wanted: Callable[[str], bool] | None = None,
    earlier: Earlier | None = None,
) -> Iterator[Found]:
    """Documents and problems one by one, in the order of the text, from text that comes in blocks.

    Holds no more than one document at a time. `parser` is one of `source.events` (default: libyaml where it is installed).
    Where `wanted` says no to the text of a document it is passed over.
    """
    return _Reading(file, parser, wanted, earlier).read(blocks)


class _Reading:
    """The reading of one file."""

    def __init__(self, file: str, parser: Any, wanted: Callable[[str], bool] | None, earlier: Earlier | None) -> None:
        self.file = file
        self.parser = parser
        self.wanted = wanted
        self.earlier = earlier
        self.index = 0

    def read(self, blocks: Iterable[str]) -> Iterator[Found]:
        rest = iter(blocks)
        head = ""
        for block in rest:
            head += block
            if len(head) >= JSON_GUESS_LENGTH or head.lstrip(_GO_SPACE):
                break
        if head[:JSON_GUESS_LENGTH].lstrip(_GO_SPACE).startswith("{"):
            yield from self.read_json(head, rest)
        else:
            yield from self.read_pieces(split(_chain(head, rest)))

    def read_pieces(self, pieces: Iterable[Piece]) -> Iterator[Found]:
        for piece in pieces:
            if self.wanted is None or self.wanted(piece.text):
                yield from self.read_piece(piece)

    def read_piece(self, piece: Piece) -> Iterator[Found]:
        if piece.fault:
            source = DocumentText(self.file, piece.text, piece.start_line, piece.start)
            from jobset_compiler.source.mending import separated

            column = piece.text.index(piece.fault)
            hint = "Put the document on the line after `---`." if piece.text[3:4] in " \t" else "A separator is just `---`."
            message = f"invalid Yaml document separator: {piece.fault}"
            mendings = separated(piece.text, column, piece.fault)
            yield source.problem(TextFault("document-separator", message, column, column + len(piece.fault), hint, mendings=mendings))
            return
        text, start = piece.text, piece.start
        if text.startswith("\ufeff"):
            text, start = text[1:], start + 1
        if not text.strip("\n\r "):
            return
        source = DocumentText(self.file, text, piece.start_line, start, self.parser)
        if len(text) > MAX_DOCUMENT_LENGTH:
            yield self.too_large(source)
            return
        value = None if self.earlier is None else self.earlier.recall(text)
        if value is not None:
            yield from self.documents(value, source)
            return
        # No YAML library is even imported for what is plain enough.
        plain = read_plain(text) if self.parser is None else None
        if plain is not None:
            source.plain = plain
            yield from self.documents(plain.value, source)
            return
        from jobset_compiler.source.complete import read_completely

        value, remarks, fault = read_completely(text, self.parser)
        if fault is not None:
            yield source.problem(fault)
            return
        for fault in remarks:
            yield source.problem(fault)
        yield from self.documents(value, source)

    def read_json(self, text: str, rest: Iterator[str]) -> Iterator[Found]:
        """JSON documents after one another; what follows no more than one of them may be YAML again.

        `text` is as much of the stream as is needed; `begin` is where in the stream it begins.
        """
        from jobset_compiler.source import json_text

        decoder = json_text.JsonDecoder()
        begin = end = count = 0
        line = 1
        while True:
            start = json_text.skip_space(text, end)
            line += text.count("\n", end, start)
            end = start
            if start == len(text):
                begin, text, end = begin + start, next(rest, ""), 0
                if not text:
                    return
                continue
            value, end, has_repeated_keys, fault = decoder.read(text, start)
            if fault is not None:
                begin, text, end = begin + start, text[start:], 0
                # Perhaps only the end is missing. Twice as much is tried each time, so that long documents take no longer.
                more = "" if fault.slug == "too-deep" else _at_least(len(text), rest)
                if more:
                    text += more
                    continue
                if count > 1 or fault.slug == "too-deep":
                    source = DocumentText(self.file, "".join((text, *rest)), line, begin)
                    yield source.problem(fault._replace(start=fault.start - start, end=fault.end - start))
                    return
                yield from self.read_pieces(split(_chain(text, rest), begin, line))
                return
            if end == len(text) and text[-1] not in "}]\"":
                more = next(rest, "")
                if more:  # a number may go on
                    begin, text, end = begin + start, text[start:] + more, 0
                    continue
            count += 1
            if self.wanted is None or self.wanted(text[start:end]):
                source = DocumentText(self.file, text[start:end], line, begin + start, is_json=True)
                yield from self.json_document(value, has_repeated_keys, source)
            line += text.count("\n", start, end)

    def json_document(self, value: Any, has_repeated_keys: bool, source: DocumentText) -> Iterator[Found]:
        from jobset_compiler.source import json_text

        if len(source.text) > MAX_DOCUMENT_LENGTH:
            yield self.too_large(source)
            return
        if has_repeated_keys:
            for path, key, first in json_text.repetitions(json_text.compose(source.text)):
                message = f'duplicate field "{format_path(path)}"'
                yield source.problem(TextFault("duplicate-key", message, key.start, key.end, other=first.start))
        yield from self.documents(value, source)

    def documents(self, value: Any, source: DocumentText) -> Iterator[Document]:
        if value is None:
            return
        index = self.index
        self.index += 1
        if type(value) is dict and "items" in value:
            yield from self.unfold(value, index, source)
        else:
            yield Document(self.file, index, value, (), source)

    def unfold(self, value: dict[str, Any], index: int, source: DocumentText) -> Iterator[Document]:
        """The items of a List; those of a typed list get its version and kind where they have neither.

        A List among the items stays as it is: kubectl flattens one level only.
        """
        kind, items = value.get("kind"), value.get("items")
        if not (isinstance(kind, str) and kind.endswith("List") and isinstance(items, list)):
            yield Document(self.file, index, value, (), source)
            return
        for position, item in enumerate(items):
            if type(item) is dict and kind != "List" and not item.get("kind") and not item.get("apiVersion"):
                item = {"apiVersion": value.get("apiVersion"), "kind": kind[: -len("List")], **item}
            if item is not None:
                yield Document(self.file, index, item, ("items", position), source)

    def too_large(self, source: DocumentText) -> SourceProblem:
        message = f"document has more than {MAX_DOCUMENT_LENGTH} characters"
        return SourceProblem("too-large", message, source.span(0, 0), "Split it, with `---` between the documents.", source)


def _chain(head: str, rest: Iterable[str]) -> Iterator[str]:
    yield head
    yield from rest


def _at_least(length: int, rest: Iterator[str]) -> str:
    """The next blocks, so many that they have that many characters, or all there are."""
    blocks = []
    have = 0
    for block in rest:
        blocks.append(block)
        have += len(block)
        if have >= length:
            break
    return "".join(blocks)
