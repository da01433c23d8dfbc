"""Where one document ends and the next begins: kubectl's reader, which knows lines and not YAML.

Source of the rules: `YAMLReader` of k8s.io/apimachinery `pkg/util/yaml/decoder.go`. A line that starts with `---` ends a
document, even inside quotes; after the dashes only blanks and a comment may stand. Where nothing has been read yet the
line belongs to the document that follows.
"""

from collections.abc import Iterable, Iterator

from jobset_compiler.value import Frozen


class Piece(Frozen):
    """The text of one document. `fault` is what stands on its separator line and does not belong there.

    With a fault, `text` starts with that line.
    """

    text: str
    start: int
    start_line: int
    fault: str = ""


def split(blocks: Iterable[str], start: int = 0, start_line: int = 1) -> Iterator[Piece]:
    """The documents of a text that comes in blocks of any size, one by one, empty ones included.

    `start` and `start_line` say where in its file the text begins.
    """
    pending = ""
    fault = ""
    searched = 0  # no separator starts before this offset of `pending`
    at_start = True  # the first line of `pending` has not been looked at
    for block, last in _with_last(blocks):
        pending += block
        position = 0
        while True:
            found = position if at_start and pending.startswith("---", position) else -1
            if found < 0:
                if at_start and len(pending) - position < 3 and not last:
                    break
                at_start = False
                found = pending.find("\n---", max(searched, position)) + 1
                if not found:
                    searched = max(len(pending) - 3, position)
                    break
            line_end = pending.find("\n", found)
            if line_end < 0 and not last:
                searched = max(found - 1, 0)
                break
            line_end = len(pending) if line_end < 0 else line_end + 1
            trailing = pending[found + 3 : line_end].strip()
            bad = "" if trailing.startswith("#") else trailing
            if found > position:
                text = pending[position:found]
                yield Piece(text, start, start_line, fault)
                start += found - position
                start_line += text.count("\n")
                fault = bad
                if not bad:
                    start += line_end - found
                    start_line += 1
                    position = line_end
                    at_start = True
                else:
                    position = found
                    at_start = False
            else:
                fault = fault or bad
                at_start = False
            searched = max(line_end - 1, position)
        pending = pending[position:]
        searched = max(searched - position, 0)
    if pending:
        yield Piece(pending, start, start_line, fault)


def _with_last(blocks: Iterable[str]) -> Iterator[tuple[str, bool]]:
    previous = ""
    for block in blocks:
        if previous:
            yield previous, False
        previous = block
    yield previous, True
