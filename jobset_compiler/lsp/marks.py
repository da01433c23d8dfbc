"""Where names are given and where they are used: the way from a reference to what it refers to, and back.

Every name is told from others by what it is a name in: a job by its runtime, a volume by its runtime and job. So an override of a TrainJob and the
job of the runtime that it is for have the same name here, wherever either of them stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.dialects.tree import get
from jobset_compiler.lsp.analysis import named_by
from jobset_compiler.lsp.names import CONTAINER_LISTS, JOBS, POD, claims_of, is_runtime, is_trainjob, jobs_of, runtime_of
from jobset_compiler.resolve.catalog import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.request.options import Options
    from jobset_compiler.resolve.catalog import Key
    from jobset_compiler.source.document import Document

Name = tuple[Any, ...]
"""("runtime", key), ("job", key, job), ("container", key, job, container) or ("volume", key, job, volume)."""
# A claim that JobSet makes is a volume of the pods of every job.
EVERY_JOB = ""


class Mark(NamedTuple):
    """A name at a place of a document; gives: the thing itself stands there."""

    name: Name
    document: Document
    path: Path
    gives: bool


def marks_of(document: Document) -> Iterator[Mark]:
    """All names that a document of ours gives and uses."""
    if is_runtime(document):
        yield from _of_runtime(document)
    elif is_trainjob(document):
        yield from _of_trainjob(document)


def mark_at(document: Document, path: Path) -> Mark | None:
    """The name at a place; what encloses a reference and has nothing else is good enough."""
    marks = [mark for mark in marks_of(document) if mark.path == path or (mark.path[:-1] == path and mark.path[-2:] == ("runtimeRef", "name"))]
    if not marks and path[:-1] and path[-2] == "runtimeRef":
        marks = [mark for mark in marks_of(document) if mark.path == (*path[:-1], "name")]
    return next(iter(marks), None)


def definitions(mark: Mark, documents: Iterable[Document], options: Options) -> list[Mark]:
    """Where the name is given: in the same document, in a runtime, in the bundled one last. documents: the nearest first."""
    candidates = [mark.document, *documents]
    bundled = runtime_of(_runtime_key(mark.name), candidates, options)
    if bundled is not None and all(document is not bundled for document in candidates):
        candidates.append(bundled)
    for document in candidates:
        if document is mark.document or is_runtime(document):
            found = [each for each in marks_of(document) if each.gives and same(each.name, mark.name)]
            if found:
                return found
    return []


def references(mark: Mark, documents: Sequence[Document], *, declaration: bool) -> list[Mark]:
    """All places that use the name, and those that give it if `declaration`."""
    return [each for document in documents for each in marks_of(document) if same(each.name, mark.name) and (declaration or not each.gives)]


def same(one: Name, other: Name) -> bool:
    if one[0] == "volume" == other[0] and EVERY_JOB in (one[2], other[2]):
        return bool(one[1] == other[1] and one[3] == other[3])
    return one == other


def _runtime_key(name: Name) -> Key:
    key: Key = name[1]
    return key


def _of_runtime(document: Document) -> Iterator[Mark]:
    key = key_of(document.value)
    if key[2]:
        yield Mark(("runtime", key), document, ("metadata", "name"), True)
    for index, job, entry in jobs_of(document.value):
        at = (*JOBS, index)
        yield Mark(("job", key, job), document, (*at, "name"), True)
        for number, target in enumerate(_list(get(entry, "dependsOn"))):
            if name := _text(target, "name"):
                yield Mark(("job", key, name), document, (*at, "dependsOn", number, "name"), False)
        yield from _of_pod(document, key, job, (*at, *POD), gives_containers=True)
    for path, name in claims_of(document.value):
        yield Mark(("volume", key, EVERY_JOB, name), document, path, True)
    for field in ("successPolicy", "failurePolicy"):
        yield from _of_policy(document, key, ("spec", "template", "spec", field))


def _of_policy(document: Document, key: Key, path: Path) -> Iterator[Mark]:
    """Jobs that a policy of the JobSet names."""
    policy = get(document.value, *path)
    lists = [(*path, "targetReplicatedJobs")]
    lists += [(*path, "rules", index, "targetReplicatedJobs") for index, _ in enumerate(_list(get(policy, "rules")))]
    for at in lists:
        for index, name in enumerate(_list(get(document.value, *at))):
            yield Mark(("job", key, name), document, (*at, index), False)


def _of_pod(document: Document, key: Key, job: str, pod: Path, *, gives_containers: bool) -> Iterator[Mark]:
    """What a pod spec names; in an override its containers are references to those of the runtime."""
    value = get(document.value, *pod)
    for index, volume in enumerate(_list(get(value, "volumes"))):
        if name := _text(volume, "name"):
            yield Mark(("volume", key, job, name), document, (*pod, "volumes", index, "name"), True)
    for field in CONTAINER_LISTS:
        for index, container in enumerate(_list(get(value, field))):
            at = (*pod, field, index)
            if name := _text(container, "name"):
                yield Mark(("container", key, job, name), document, (*at, "name"), gives_containers)
            for number, mount in enumerate(_list(get(container, "volumeMounts"))):
                if name := _text(mount, "name"):
                    yield Mark(("volume", key, job, name), document, (*at, "volumeMounts", number, "name"), False)


def _of_trainjob(document: Document) -> Iterator[Mark]:
    key = named_by(document)
    spec = get(document.value, "spec")
    if key[2]:
        yield Mark(("runtime", key), document, ("spec", "runtimeRef", "name"), False)
    for index, patch in enumerate(_list(get(spec, "runtimePatches"))):
        jobs: Path = ("trainingRuntimeSpec", *JOBS[1:])
        for number, entry in enumerate(_list(get(patch, *jobs))):
            at = ("spec", "runtimePatches", index, *jobs, number)
            if job := _text(entry, "name"):
                yield Mark(("job", key, job), document, (*at, "name"), False)
                yield from _of_pod(document, key, job, (*at, *POD), gives_containers=False)
    for field, below in (("podTemplateOverrides", ("spec",)), ("podSpecOverrides", ())):
        for index, override in enumerate(_list(get(spec, field))):
            at = ("spec", field, index)
            for number, target in enumerate(_list(get(override, "targetJobs"))):
                if job := _text(target, "name"):
                    yield Mark(("job", key, job), document, (*at, "targetJobs", number, "name"), False)
                    yield from _of_pod(document, key, job, (*at, *below), gives_containers=False)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any, key: str) -> str:
    found = get(value, key)
    return found if isinstance(found, str) else ""
