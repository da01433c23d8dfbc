"""The fast lane: events straight to values, for documents without anchors, tags, merges, repeated or odd keys.

Whatever is rarer raises `RareError`; `nodes` then reads the document with every rule and with positions. Both give the same
value for a document that passes here.
"""

from __future__ import annotations

from typing import Any

from jobset_compiler.source.events import (
    DocumentStartEvent,
    GetEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from jobset_compiler.source.limits import LONGEST_KEY, MAX_DEPTH, MAX_REMEMBERED_SCALARS
from jobset_compiler.source.memory import RareError, ScalarMemory
from jobset_compiler.source.scalars import is_finite, resolve, through_json

_UNSEEN = object()


def read_first_document(get_event: GetEvent, memory: ScalarMemory) -> Any:
    """The value of the first document of a stream (None for an empty one); raises `RareError` and ruamel's `YAMLError`.

    go-yaml reads one document and drops the rest; `RareError` is raised where there is a rest.
    """
    get_event()
    event = get_event()
    if type(event) is StreamEndEvent:
        return None
    if type(event) is not DocumentStartEvent or event.version is not None:
        raise RareError
    values, keys = memory.values, memory.keys
    seen = values.get
    seen_key = keys.get
    parents: list[Any] = []
    # The container that is being filled: a dict, a list, or at first a list for the document's one value.
    top: list[Any] = []
    container: Any = top
    append: Any = top.append
    key: Any = None  # the pending key of a dict, None while one is awaited or in a list
    pending: list[Any] = []
    while True:
        event = get_event()
        kind = type(event)
        if kind is ScalarEvent:
            text = event.value
            if event.anchor is not None or event.ctag is not None:
                raise RareError
            if append is None and key is None:
                if event.implicit[0]:
                    key = seen_key(text)
                    if key is None:
                        key = resolve(text)
                        if type(key) is not str or text == "<<":
                            raise RareError
                        if len(keys) < MAX_REMEMBERED_SCALARS and len(text) <= LONGEST_KEY:
                            keys[text] = key
                else:
                    key = text
                if key in container:
                    raise RareError
                continue
            if event.implicit[0]:
                value = seen(text, _UNSEEN)
                if value is _UNSEEN:
                    value = resolve(text)
                    if type(value) is not str:
                        if not is_finite(value):
                            raise RareError
                        value = through_json(value)
                    if len(values) < MAX_REMEMBERED_SCALARS:
                        values[text] = value
            else:
                value = text
            if append is None:
                container[key] = value
                key = None
            else:
                append(value)
                if container is top:
                    break
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.anchor is not None or (append is None and key is None) or len(parents) >= MAX_DEPTH:
                raise RareError
            parents.append(container)
            pending.append(key)
            key = None
            if kind is MappingStartEvent:
                container = {}
                append = None
            else:
                container = []
                append = container.append
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            value = container
            container = parents.pop()
            key = pending.pop()
            if key is not None:
                container[key] = value
                key = None
                append = None
            elif container is top:
                top.append(value)
                break
            else:
                container.append(value)
                append = container.append
        else:  # an alias
            raise RareError
    get_event()  # the document's end
    if type(get_event()) is not StreamEndEvent:
        raise RareError
    return top[0]
