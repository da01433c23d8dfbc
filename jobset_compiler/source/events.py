"""The parsers: YAML text to ruamel.yaml's events, from libyaml where its binding is installed, else from pure Python.

go-yaml v2 is a port of libyaml, so libyaml's grammar is the one that Kubernetes has, but for two points: go-yaml takes
`[a:b]` and refuses `\\/`. The pure parser is bent towards libyaml where the two differ (tabs between tokens, escaped
surrogates).
"""

from __future__ import annotations

from typing import Any, Protocol

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from ruamel.yaml.reader import ReaderError

__all__ = [
    "AliasEvent", "DocumentEndEvent", "DocumentStartEvent", "GetEvent", "MappingEndEvent", "MappingStartEvent",
    "MarkedYAMLError", "Parser", "ReaderError", "ScalarEvent", "SequenceEndEvent", "SequenceStartEvent",
    "StreamEndEvent", "StreamStartEvent", "YAMLError", "default_parser", "libyaml_parser", "pure_parser",
]  # fmt: skip


class GetEvent(Protocol):
    def __call__(self) -> Any: ...


class Parser(Protocol):
    """Starts to parse a text; each call of the result gives the next event or raises `YAMLError`."""

    def __call__(self, text: str) -> GetEvent: ...


try:
    from _ruamel_yaml import CParser as _CParser  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    _CParser = None


def libyaml_parser(text: str) -> GetEvent:
    """Events from libyaml; only where `has_libyaml` says so."""
    get_event: GetEvent = _CParser(text).get_event
    return get_event


def has_libyaml() -> bool:
    return _CParser is not None


def pure_parser(text: str) -> GetEvent:
    """The same events from ruamel.yaml's Python parser, fifty times slower."""
    from jobset_compiler.source.pure import start

    get_event: GetEvent = start(text)
    return get_event


default_parser: Parser = libyaml_parser if has_libyaml() else pure_parser
