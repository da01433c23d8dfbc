"""Streams: when there are colours, links and how many columns; what is held back; what a closed stream says."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from typing import Any

import pytest

from jobset_compiler.cli import streams as module
from jobset_compiler.cli.streams import ClosedStream, Held, OutputError, Streams
from jobset_compiler.cli.tables import table


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class BytesTerminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def streams(*, out: bool = False, err: bool = False, **environment: str) -> Streams:
    """With a terminal for each of the two that is named."""
    return Streams(io.BytesIO(), BytesTerminal() if out else io.BytesIO(), Terminal() if err else io.StringIO(), environment)


@pytest.mark.parametrize(
    ("made", "messages", "product"),
    [
        (streams(), False, False),
        (streams(out=True), False, True),
        (streams(err=True), True, False),
        (streams(out=True, err=True, NO_COLOR="1"), False, False),
        (streams(out=True, err=True, NO_COLOR=""), True, True),
        (streams(out=True, err=True, TERM="dumb"), False, False),
        (streams(out=True, err=True, TERM="xterm"), True, True),
        (streams(out=True, err=True, TERM="linux"), True, True),
    ],
)
def test_colours(made: Streams, messages: bool, product: bool) -> None:
    assert (made.colour("auto"), made.colour("auto", product=True)) == (messages, product)
    assert (made.colour("always"), made.colour("never"), made.colour("always", product=True), made.colour("never", product=True)) == (True, False, True, False)


@pytest.mark.parametrize(
    ("made", "choice", "messages", "product"),
    [
        (streams(), "always", False, False),
        (streams(out=True), "auto", False, True),
        (streams(err=True), "auto", True, False),
        (streams(err=True, out=True), "never", False, False),
        (streams(err=True, out=True, TERM="dumb"), "always", False, False),
        (streams(err=True, out=True, TERM="linux"), "always", False, False),
        (streams(err=True, out=True, TERM="xterm", NO_COLOR="1"), "auto", False, False),
        (streams(err=True, out=True, TERM="xterm", NO_COLOR="1"), "always", True, True),
    ],
)
def test_links(made: Streams, choice: str, messages: bool, product: bool) -> None:
    assert (made.links(choice), made.links(choice, product=True)) == (messages, product)


@pytest.mark.parametrize(("asked", "columns"), [("132", 132), ("1", 1), ("0", 80), ("", 80), ("wide", 80), ("-5", 80), ("8.5", 80)])
def test_columns(asked: str, columns: int) -> None:
    assert streams(COLUMNS=asked).columns() == columns


@pytest.mark.parametrize(("has", "columns"), [(132, 132), (0, 80)])
def test_columns_of_a_terminal(monkeypatch: pytest.MonkeyPatch, has: int, columns: int) -> None:
    class Screen(io.BytesIO):
        def fileno(self) -> int:
            return 99

    monkeypatch.setattr("os.get_terminal_size", lambda fileno: os.terminal_size((has if fileno == 99 else 7, 24)))
    assert Streams(io.BytesIO(), Screen(), io.StringIO(), {}).columns() == columns
    assert Streams(io.BytesIO(), Screen(), io.StringIO(), {"COLUMNS": "40"}).columns() == 40


def test_characters_that_a_terminal_does_not_have_are_written_as_escapes() -> None:
    data = io.BytesIO()
    terminal = io.TextIOWrapper(data, "ascii", write_through=True)
    Streams(io.BytesIO(), io.BytesIO(), terminal, {}).say("ü\u2028\x1b[31m 1\n2\n")
    assert data.getvalue() == b"\\xfc\\u2028\\x1b[31m 1\n2\n"


def test_the_product_is_utf_8_with_bytes_that_were_none() -> None:
    out = io.BytesIO()
    Streams(io.BytesIO(), out, io.StringIO(), {}).put("ü\udcff")
    assert out.getvalue() == b"\xc3\xbc\xff"


class Full(io.BytesIO):
    """Takes nothing."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self._error = error

    def write(self, _: Any) -> int:
        raise self._error

    def flush(self) -> None:
        raise self._error


def test_a_stream_that_takes_nothing() -> None:
    full = Streams(io.BytesIO(), Full(OSError(28, "No space left on device")), io.StringIO(), {})
    with pytest.raises(OutputError) as caught:
        full.put("a")
    assert str(caught.value) == "cannot write standard output: No space left on device"
    with pytest.raises(OutputError) as caught:
        full.flush()
    assert str(caught.value) == "cannot write standard output: No space left on device"
    with pytest.raises(OutputError) as caught:
        Streams(io.BytesIO(), Full(OSError("odd")), io.StringIO(), {}).put("a")
    assert str(caught.value) == "cannot write standard output: odd"
    with pytest.raises(BrokenPipeError):
        Streams(io.BytesIO(), Full(BrokenPipeError()), io.StringIO(), {}).put("a")


def test_a_closed_stream_says_so() -> None:
    closed: Any = ClosedStream("standard error")
    with pytest.raises(OutputError) as caught:
        Streams(closed, io.BytesIO(), closed, {}).say("a")
    assert str(caught.value) == "cannot write standard error: it is closed"
    with pytest.raises(OSError, match=r"^\[Errno 9\] it is closed: 'standard error'$"):
        closed.read()
    assert closed.isatty() is False


@pytest.mark.parametrize(("parts", "spooled"), [(["a" * 9, "b"], False), (["a" * 10, "b"], True), (["a" * 11, "b" * 11, "c"], True), ([], False)])
def test_output_is_held_until_it_is_released(parts: list[str], spooled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    real = tempfile.TemporaryFile

    def noted() -> Any:
        made.append(real())
        return made[-1]

    monkeypatch.setattr(tempfile, "TemporaryFile", noted)
    monkeypatch.setattr(module, "HELD", 10)
    out = io.BytesIO()
    held = Held()
    for part in parts:
        held.put(part)
    assert out.getvalue() == b""
    held.release(Streams(io.BytesIO(), out, io.StringIO(), {}))
    assert out.getvalue() == "".join(parts).encode()
    assert len(made) == spooled and all(file.closed for file in made)
    held.release(Streams(io.BytesIO(), out, io.StringIO(), {}))
    assert out.getvalue() == "".join(parts).encode(), "once"


def test_what_is_held_can_be_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD", 3)
    for text in ("ab", "abcdef"):
        out = io.BytesIO()
        held = Held()
        held.put(text)
        held.close()
        held.release(Streams(io.BytesIO(), out, io.StringIO(), {}))
        assert out.getvalue() == b""


def test_the_line_of_progress_is_gone_before_anything_is_said() -> None:
    ticks = iter(range(100))
    terminal, out = Terminal(), BytesTerminal()
    made = Streams(io.BytesIO(), out, terminal, {}, clock=lambda: next(ticks)).with_progress()
    assert made.progress is not None
    uses: tuple[Callable[[], None], ...] = (lambda: made.say("said\n"), lambda: made.put("put"), made.hide_progress)
    for use in uses:
        for _ in range(3):
            made.progress.trainjob()
        assert terminal.getvalue().endswith(" ...\x1b[K")
        use()
        assert terminal.getvalue().endswith(("\r\x1b[K", "\r\x1b[Ksaid\n"))
    assert streams().with_progress().progress is None and streams(err=True, TERM="dumb").with_progress().progress is None


@pytest.mark.parametrize(
    ("rows", "pad", "text"),
    [
        ([], "", ""),
        ([("a",)], "", "a\n"),
        ([("a", "b"), ("ccc", "d")], "", "a    b\nccc  d\n"),
        ([("a", "bbb", "c"), ("aa", "b", "a long one")], "> ", "> a   bbb  c\n> aa  b    a long one\n"),
        ([("a", ""), ("bb", "c")], "", "a\nbb  c\n"),
    ],
)
def test_tables(rows: list[tuple[str, ...]], pad: str, text: str) -> None:
    assert table(iter(rows), pad) == text
