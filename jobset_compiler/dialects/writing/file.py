"""A whole text with its converted documents put in the place of the old ones; everything else byte for byte."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.writing.old_text import OldText
from jobset_compiler.dialects.writing.text import write
from jobset_compiler.emit.json import to_json
from jobset_compiler.emit.yaml import Emitter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.dialects.results import Converted, Output

SEPARATOR = "---\n"


def rewrite(text: str, results: Sequence[Converted]) -> str:
    """results: what became of the documents of the text, in order. Those that cannot be converted stay as they are."""
    parts: list[str] = []
    end = 0
    for start, group in groupby(results, key=lambda result: result.old.start):
        members = list(group)
        if not any(member.outputs for member in members):
            continue
        document = members[0].old
        parts.append(text[end:start])
        end = document.end
        new = _document(members)
        old = text[start:end]
        if "\r\n" in old:
            new = new.replace("\r\n", "\n").replace("\n", "\r\n")
        parts.append(new if end >= len(text) or new.endswith("\n") else f"{new}\n")
    return "".join([*parts, text[end:]])


def _document(members: list[Converted]) -> str:
    """The text in the place of one YAML or JSON document, which may be a List with several members."""
    document = members[0].old
    if document.is_json:
        return "".join(to_json((value,)) for member in members for value in _values(member))
    old = OldText(document)
    texts = []
    for member in members:
        if member.outputs:
            texts.append(write(member.outputs, old, _title(member.outputs)))
        else:
            texts.append(Emitter().document(member.old.value))
    return old.head + SEPARATOR.join(texts) + old.tail


def _values(member: Converted) -> list[Any]:
    return [document.value for document in member.documents] if member.outputs else [member.old.value]


def _title(outputs: Sequence[Output]) -> str:
    """What the documents were, unless they still are that."""
    old = outputs[0].document.old.value
    if any(output.document.value["kind"] == old["kind"] for output in outputs):
        return ""
    name = old.get("metadata", {}).get("name", "")
    return f"Was {old['kind']} {name} of {old['apiVersion']}."
