"""One field, or one line of the input: its value, where that comes from, and what it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.place import format_path, value_at
from jobset_compiler.diagnostics.redaction import hidden
from jobset_compiler.explain.layout import BLANK, Line, heading
from jobset_compiler.explain.origin import as_json
from jobset_compiler.explain.text import brief
from jobset_compiler.explain.words import flow, place_of, short
from jobset_compiler.provenance.effects import effects_of
from jobset_compiler.provenance.layers import ON_ACCOUNT, WRITTEN_BY_PASS
from jobset_compiler.provenance.origins import origins_at
from jobset_compiler.result.podsets import summarise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.source.document import Document

Tree = dict[str, Any]
COUNTS = ("parallelism", "completions")


def fields_of(unit: Unit, address: str) -> list[Tree]:
    """What has a field at that address: of the objects {"field", "of", "value", "origin"}, of the TrainJob and its runtime {"field", "of",
    "value", "file", "line", "effects"}. Raises ValueError for an address that is none."""
    steps = addresses.parse(address)
    if not steps:
        raise ValueError("it is empty")
    found = []
    for manifest in unit.objects:
        path = _resolved(manifest, steps)
        if path is not None:
            chain = [as_json(origin) for origin in origins_at(unit, manifest, path)]
            found.append({"field": address, "of": _name(manifest), "value": value_at(hidden(manifest), path), "origin": chain})
    for document in documents_of(unit):
        path = _resolved(document.value, steps)
        if path is not None:
            found.append({"field": address, **_input(unit, document, path)})
    return found


def documents_of(unit: Unit) -> tuple[Document, ...]:
    """The documents that a TrainJob was made from, as they are written."""
    job, runtime = unit.plan.job.document.written, unit.plan.runtime.document.written
    return (job,) if job is runtime else (job, runtime)


def line_of(unit: Unit, file: str, line: int) -> list[Tree]:
    """What stands on a line of a file: {"of", "path", "value", "file", "line", "effects"} of each; [] where nothing does that the TrainJob is made from."""
    return [
        {"path": format_path(path), **_input(unit, document, path)}
        for document in documents_of(unit)
        if document.file == file
        for path in places_on(document, line)
    ]


def places_on(document: Document, line: int) -> list[Path]:
    """The outermost places that begin on a line; where none does, the text that goes on there."""
    begin: list[Path] = []
    inside: list[Path] = []
    pending: list[tuple[Path, Any]] = [((), document.value)]
    while pending:
        path, value = pending.pop()
        span = document.locate(path)
        if path and document.locate_key(path).line == line:
            begin.append(path)
            continue
        members = list(value.items() if isinstance(value, dict) else enumerate(value)) if isinstance(value, (dict, list)) else []
        if not members and span.line < line <= span.end_line:
            inside.append(path)
        pending += [((*path, step), item) for step, item in reversed(members)]
    return begin or inside


def _input(unit: Unit, document: Document, path: Path) -> Tree:
    span = document.locate_key(path)
    effects = [effect._asdict() for effect in effects_of(unit, document, path)]
    value = value_at(hidden(document.value), path)
    return {"of": _name(document.value), "value": value, "file": span.file, "line": span.line or None, "effects": effects}


def _resolved(tree: Any, steps: tuple[addresses.Step, ...]) -> Path | None:
    try:
        return addresses.resolve(tree, steps)
    except KeyError:
        return None


def _name(tree: Tree) -> Tree:
    meta = tree.get("metadata", {})
    return {"kind": tree.get("kind", ""), "namespace": meta.get("namespace", ""), "name": meta.get("name", "")}


def lines(unit: Unit, found: list[Tree]) -> Iterator[Line]:
    """What `fields_of` or `line_of` has found, for people."""
    for number, entry in enumerate(found):
        if number:
            yield BLANK
        of = entry["of"]
        name = "/".join(filter(None, (of["namespace"], of["name"])))
        where = place_of(entry) if entry.get("line") else ""
        yield heading(f"{entry.get('field') or entry['path']} of {of['kind']} {name}", where)
        yield from _value(entry)
        if "effects" in entry:
            yield from _effects(unit, entry)
        else:
            yield from _chain(entry["origin"])


def _value(entry: Tree) -> Iterator[Line]:
    address = entry.get("field") or entry["path"]
    value = flow(entry["value"], address.rpartition(".")[2])
    if len(value) <= LONGEST or not isinstance(entry["value"], (dict, list)):
        yield Line(2, "value", value)
        return
    from jobset_compiler.emit.yaml import document

    for number, line in enumerate(document(entry["value"]).splitlines()):
        # Blanks at the beginning of a line are its meaning, and stay with the first word.
        yield Line(2, "" if number else "value", line)


LONGEST = 64


def _chain(chain: list[Tree]) -> Iterator[Line]:
    for number, origin in enumerate(chain):
        place = place_of(origin) if origin["file"] else ""
        note = "" if origin["note"] in PLAIN_NOTES else origin["note"]
        said = ", ".join(filter(None, (origin["path"], KINDS.get(origin["kind"], "").format(by=origin["by"]), note)))
        yield Line(2, "" if number else "from", said, place)


# What the order of the chain says already.
PLAIN_NOTES = (WRITTEN_BY_PASS, ON_ACCOUNT)
KINDS = {"pass": "pass {by} of the compiler", "patch": "patch of {by}", "controller": "the Trainer controller", "default": "a default"}


def _effects(unit: Unit, entry: Tree) -> Iterator[Line]:
    groups: dict[str, list[str]] = {}
    pods = []
    counts = {podset.name: podset.count for podset in summarise(unit)}
    for effect in entry["effects"]:
        steps = addresses.parse(effect["address"])
        replaced = " (something else has the last word)" if effect["replaced"] else ""
        if effect["kind"] == "JobSet" and steps[-1] in COUNTS and len(steps) == 6 and isinstance(steps[2], addresses.Keyed):
            pods.append(f"{counts[steps[2].value]} of {steps[2].value}")
            continue
        where, _, field = brief(effect["address"]).rpartition(": ") if effect["kind"] == "JobSet" else ("", "", effect["address"])
        value = short(flow(effect["value"], field.rpartition(".")[2]))
        variable = _variable(steps)
        if variable and steps[-1] == "name":
            continue  # its value says the name
        group = f"{effect['kind']} {effect['name']}" + (f", {where}" if where else "")
        groups.setdefault(group, []).append((f"{variable}={effect['value']}" if variable else f"{field}: {value}") + replaced)
    if pods:
        yield Line(2, "pods", ", ".join(dict.fromkeys(pods)))
    for group, words in groups.items():
        yield Line(2, "comes to", group)
        yield from (Line(4, text=word, room=9) for word in dict.fromkeys(words))
    if not pods and not groups:
        yield Line(2, "comes to", nothing(entry.get("field") or entry["path"]))


def _variable(steps: tuple[addresses.Step, ...]) -> str:
    """The name of the variable that an address leads into, to its value."""
    match steps:
        case (*_, "env", addresses.Keyed(value=name), "name" | "value"):
            return name
    return ""


def nothing(path: str) -> str:
    """Why a place comes to nothing in the objects."""
    if path.startswith("spec.runtimeRef"):
        return "the choice of the runtime, from which all else is built"
    return "nothing in the objects: something else has the last word, or no controller reads it"
