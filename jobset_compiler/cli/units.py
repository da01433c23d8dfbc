"""What the commands that print objects have in common: the TrainJobs that compile, their objects, and the forms of output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.cli.common import Tally, compile_reported, sources_of
from jobset_compiler.result.forms import ADMITTED, SUBMITTED, in_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.common import Settings
    from jobset_compiler.cli.streams import Held, Streams
    from jobset_compiler.diagnostics.report import Report
    from jobset_compiler.objects.unit import Unit


def units(arguments: Arguments, settings: Settings, streams: Streams, report: Report) -> Iterator[Unit]:
    """What compiles, until something is wrong; from then on nothing, but the rest of the input is still looked at."""
    sources = sources_of(arguments, settings, streams)
    for step in compile_reported(sources, settings.options, report, Tally(streams.progress)):
        if step.unit is not None and not report.failed:
            yield step.unit


def objects_of(unit: Unit, arguments: Arguments) -> tuple[dict[str, Any], ...]:
    """The objects of a TrainJob in the form that was asked for; what is on its way to a cluster can be applied twice unless that is declined."""
    usual = ADMITTED if arguments.has("--output-dir") or arguments.has("--passthrough") else SUBMITTED
    return in_form(unit, arguments.get("--form", usual), secrets=not arguments.has("--no-secrets"), snapshot=arguments.has("--with-snapshot"))


class YamlSheet:
    """Documents with --- between them; a comment, of one line, stands before its document."""

    def __init__(self, held: Held) -> None:
        from jobset_compiler.emit.yaml import Emitter

        self._emitter = Emitter()
        self._held = held
        self._separator = ""

    def add(self, manifest: dict[str, Any], comment: str = "") -> None:
        self._held.put(self._separator + (f"# {comment}\n" if comment else "") + self._emitter.document(manifest))
        self._separator = "---\n"

    def finish(self) -> None:
        pass


class JsonSheet:
    """One object by itself, several in a List."""

    def __init__(self, held: Held) -> None:
        from jobset_compiler.emit.json import ListWriter

        self._list = ListWriter(held.put)

    def add(self, manifest: dict[str, Any], comment: str = "") -> None:
        self._list.add(manifest)

    def finish(self) -> None:
        self._list.finish()


class NameSheet:
    """A line an object."""

    def __init__(self, held: Held) -> None:
        from jobset_compiler.emit.names import to_names

        self._to_names = to_names
        self._held = held

    def add(self, manifest: dict[str, Any], comment: str = "") -> None:
        self._held.put(self._to_names((manifest,)))

    def finish(self) -> None:
        pass


SHEETS: dict[str, type[YamlSheet] | type[JsonSheet] | type[NameSheet]] = {"yaml": YamlSheet, "json": JsonSheet, "name": NameSheet}
