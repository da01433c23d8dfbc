"""Bytes to text in blocks: UTF-8, or UTF-16 where a byte order mark says so.

A byte that is no UTF-8 becomes a surrogate code point, so that only the document that holds it is refused.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def decode_blocks(blocks: Iterable[bytes]) -> Iterator[str]:
    """The text of bytes that come in blocks of any size; never raises."""
    decoder = None
    head = b""
    for block in blocks:
        if decoder is None:
            head += block
            if len(head) < 2:
                continue
            decoder = _decoder(head)
            block = head
        yield decoder.decode(block)
    if decoder is None:
        decoder = _decoder(head)
        yield decoder.decode(head)
    yield decoder.decode(b"", True)


def _decoder(head: bytes):  # type: ignore[no-untyped-def]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return getincrementaldecoder("utf-16")("replace")
    return getincrementaldecoder("utf-8")("surrogateescape")
