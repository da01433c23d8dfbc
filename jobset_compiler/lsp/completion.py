"""What can be written at a place: fields, words that the API counts up, and names that something else has given.

The text need not be readable: what is around the place is told by `sketch`, what may stand there by the type table of the release.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.api.trainjob import API_VERSION, GROUP
from jobset_compiler.dialects.tree import get
from jobset_compiler.lsp.fields import KINDS_OF_TRAINER, meaning_of, members_of, type_name, values_of
from jobset_compiler.lsp.names import BUNDLED, claims_of, containers_of, is_trainjob, jobs_of, runtime_names, runtime_of, volumes_of
from jobset_compiler.lsp.sketch import sketch_at
from jobset_compiler.resolve.catalog import key_of
from jobset_compiler.runtimes import SUMMARY
from jobset_compiler.schemas.descriptions import description

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.lsp.fields import Meaning
    from jobset_compiler.lsp.sketch import Sketch, SketchNode
    from jobset_compiler.request.options import Options
    from jobset_compiler.source.document import Document

FIELD, VALUE, NAME = "field", "value", "name"
OVERRIDES = ("podSpecOverrides", "podTemplateOverrides", "runtimePatches")
RESOURCES = ("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "amd.com/gpu")
PLAIN = re.compile(r"[\w./-]+", re.ASCII)
COLLECTIONS = ("struct", "list", "map")


class Proposal(NamedTuple):
    """kind: one of the constants above; text: what to write; detail: type or origin, in a few words; documentation: plain text."""

    label: str
    kind: str
    text: str
    detail: str = ""
    documentation: str = ""


class Proposals(NamedTuple):
    """start and end: what they take the place of, in the text."""

    start: int
    end: int
    items: tuple[Proposal, ...]


def complete(text: str, offset: int, documents: Sequence[Document], options: Options) -> Proposals | None:
    """documents: those that can be read, of this text and of others; None where nothing is known to go."""
    sketch = sketch_at(text, offset)
    if sketch is None:
        return None
    if sketch.in_value:
        found = _once(_values(sketch, documents, options))
        blank = " " if text[:offset].endswith(":") else ""
        found = [proposal._replace(text=blank + proposal.text) for proposal in found]
    else:
        found = list(_fields(sketch, options)) if sketch.kind else list(_start(sketch))
    return Proposals(sketch.start, sketch.end, tuple(found)) if found else None


# Fields


def _start(sketch: Sketch) -> Iterator[Proposal]:
    """What a document needs so that it is known to be ours; only where it says already that it is Trainer's."""
    if not sketch.path and sketch.root.text("apiVersion").startswith(GROUP) and "kind" not in sketch.siblings:
        yield Proposal("kind", FIELD, "kind: ", "string", description("root", "kind"))


def _fields(sketch: Sketch, options: Options) -> Iterator[Proposal]:
    table = options.profile.types()
    struct, dash = members_of(table, sketch.kind, sketch.path), ""
    around = meaning_of(table, sketch.kind, sketch.path)
    if struct is None and around is not None and around.field.kind == "list" and around.field.elem is not None:
        # Right below the name of a list its first item is still to be begun.
        dash = "- "
        if around.field.elem.kind == "struct":
            struct = around.field.elem.struct
    if struct is None:
        yield from _keys_of_map(sketch, around)
        return
    fields = [field for field in struct.fields.values() if field.name not in sketch.siblings and (field.name != "status" or sketch.path)]
    for field in sorted(fields, key=lambda field: not field.required):
        root = "root" if not sketch.path and field.name in ("apiVersion", "kind", "metadata") else struct.name
        text = description(root, field.name) or description(field.type_name)
        end = ":" if field.kind in COLLECTIONS else ": "
        required = ", required" if field.required else ""
        yield Proposal(field.name, FIELD, f"{dash}{field.name}{end}", f"{type_name(field)}{required}", text)


def _keys_of_map(sketch: Sketch, around: Meaning | None) -> Iterator[Proposal]:
    if around is not None and around.field.kind == "map" and around.field.elem is not None and around.field.elem.kind == "Quantity":
        for name in RESOURCES:
            if name not in sketch.siblings:
                yield Proposal(name, FIELD, f"{name}: ", "quantity")


# Values


def _values(sketch: Sketch, documents: Sequence[Document], options: Options) -> Iterator[Proposal]:
    assert sketch.key is not None
    if not sketch.path and sketch.key in ("apiVersion", "kind"):
        is_ours = bool(sketch.kind) or sketch.root.text("apiVersion").startswith(GROUP)
        words = (API_VERSION,) if sketch.key == "apiVersion" else KINDS_OF_TRAINER
        yield from (Proposal(word, VALUE, word) for word in words if is_ours)
        return
    if not sketch.kind:
        return
    yield from _names(sketch, documents, options)
    table = options.profile.types()
    meaning = meaning_of(table, sketch.kind, (*sketch.path, sketch.key))
    if meaning is None or meaning.field.kind in COLLECTIONS:
        return
    default = _written(meaning.field.default) if meaning.field.has_default else ""
    yield from (Proposal(word, VALUE, word, "default" if word == default else "") for word in (*values_of(table, meaning), default))
    if meaning.name == "manager":
        yield from (Proposal(str(example), VALUE, str(example), "for example") for example in meaning.examples)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _once(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Each word once; what would need quotes is no name that anything could have."""
    return list({proposal.label: proposal for proposal in proposals if PLAIN.fullmatch(proposal.label)}.values())


def _names(sketch: Sketch, documents: Sequence[Document], options: Options) -> Iterator[Proposal]:
    """Names that are given elsewhere."""
    root, path = sketch.root, (*sketch.path, sketch.key or "")
    match path:
        case ("spec", "runtimeRef", "name"):
            kind = root.text("spec", "runtimeRef", "kind") or CLUSTER_KIND
            for name, origin in runtime_names(kind, root.text("metadata", "namespace"), documents, options).items():
                yield Proposal(name, NAME, name, f"{kind}, {origin}", SUMMARY.get(name, "") if origin == BUNDLED else "")
        case ("spec", "runtimeRef", "kind"):
            yield from (Proposal(kind, VALUE, kind) for kind in (CLUSTER_KIND, NAMESPACED_KIND))
        case ("spec", "runtimePatches", int(), "manager"):
            managers = {str(get(patch, "manager", default="")) for document in documents if is_trainjob(document) for patch in _patches(document)}
            yield from (Proposal(name, NAME, name, "used in the workspace") for name in sorted(managers))
        case ("spec", _, int(), "targetJobs", int(), "name") | (*_, "replicatedJobs", int(), "name") if sketch.kind == "TrainJob":
            yield from (Proposal(name, NAME, name, "job of the runtime") for _, name, _ in _jobs(sketch, documents, options))
        case (*_, "containers" | "initContainers" as field, int(), "name") if sketch.kind == "TrainJob":
            for _, job, entry in _jobs(sketch, documents, options, of=_patched(sketch)):
                yield from (Proposal(name, NAME, name, f"container of job {job}") for _, _, name in containers_of(entry, (field,)))
        case (*pod, "containers" | "initContainers", int(), "volumeMounts", int(), "name"):
            yield from (Proposal(name, NAME, name, "volume") for name in _volumes(sketch, tuple(pod), documents, options))
        case (*jobs, int(index), "dependsOn", int(), "name"):
            entries = root.items(*jobs)
            yield from (Proposal(entry.text("name"), NAME, entry.text("name"), "job") for number, entry in enumerate(entries) if number < index)


def _patches(document: Document) -> list[object]:
    found = get(document.value, "spec", "runtimePatches")
    return found if isinstance(found, list) else []


def _runtime(sketch: Sketch, documents: Sequence[Document], options: Options) -> Document | None:
    root = sketch.root
    kind = root.text("spec", "runtimeRef", "kind") or CLUSTER_KIND
    key = key_of({"kind": kind, "metadata": {"name": root.text("spec", "runtimeRef", "name"), "namespace": root.text("metadata", "namespace")}})
    return runtime_of(key, documents, options)


def _jobs(sketch: Sketch, documents: Sequence[Document], options: Options, of: frozenset[str] = frozenset()) -> Iterator[tuple[int, str, object]]:
    """Those of the runtime that the TrainJob refers to; `of`: only these, all for none."""
    runtime = _runtime(sketch, documents, options)
    if runtime is not None:
        yield from ((index, name, entry) for index, name, entry in jobs_of(runtime.value) if not of or name in of)


def _patched(sketch: Sketch) -> frozenset[str]:
    """The jobs that the override which the place is in is for."""
    path = sketch.path
    if "replicatedJobs" in path:
        depth = path.index("replicatedJobs") + 2
        names = [sketch.root.text(*path[:depth], "name")]
    elif path[:1] == ("spec",) and path[1:2] and path[1] in OVERRIDES:
        names = [target.text("name") for target in sketch.root.items(*path[:3], "targetJobs")]
    else:
        names = []
    return frozenset(filter(None, names))


def _volumes(sketch: Sketch, pod: Path, documents: Sequence[Document], options: Options) -> Iterator[str]:
    yield from (_name(volume) for volume in sketch.root.items(*pod, "volumes"))
    if sketch.kind == "TrainJob":
        for _, _, entry in _jobs(sketch, documents, options, of=_patched(sketch)):
            yield from (name for _, name in volumes_of(entry))
        runtime = _runtime(sketch, documents, options)
        yield from (name for _, name in claims_of(runtime.value if runtime else None))
    else:
        for policy in sketch.root.items("spec", "template", "spec", "volumeClaimPolicies"):
            yield from (template.text("metadata", "name") for template in policy.items("templates"))


def _name(item: SketchNode) -> str:
    return item.text("name")

