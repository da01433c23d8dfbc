"""Names that documents give and that others, or other parts of them, refer to: runtimes, their jobs, containers and volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler import runtimes
from jobset_compiler.admission.documents import TRAIN_JOB, kind_of
from jobset_compiler.api.runtime import CLUSTER_KIND
from jobset_compiler.dialects.tree import get
from jobset_compiler.pipeline import bundled_runtime
from jobset_compiler.resolve.catalog import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.request.options import Options
    from jobset_compiler.resolve.catalog import Key
    from jobset_compiler.source.document import Document

JOBS: Path = ("spec", "template", "spec", "replicatedJobs")
POD: Path = ("template", "spec", "template", "spec")
BUNDLED = "bundled"
CONTAINER_LISTS = ("initContainers", "containers")


def is_runtime(document: Document) -> bool:
    return isinstance(document.value, dict) and kind_of(document.value) not in ("", TRAIN_JOB)


def is_trainjob(document: Document) -> bool:
    return isinstance(document.value, dict) and kind_of(document.value) == TRAIN_JOB


def runtime_of(key: Key, documents: Iterable[Document], options: Options) -> Document | None:
    """The runtime with that key, of the documents the first, else the bundled one."""
    for document in documents:
        if is_runtime(document) and key_of(document.value) == key:
            return document
    kind, _, name = key
    if kind == CLUSTER_KIND and options.bundled_runtimes and name in runtimes.names(options.profile.name):
        return bundled_runtime(options.profile, name).document
    return None


def runtime_names(kind: str, namespace: str, documents: Iterable[Document], options: Options) -> dict[str, str]:
    """What a runtimeRef of that kind can find in a namespace, with where it is from."""
    found = dict.fromkeys(runtimes.names(options.profile.name), BUNDLED) if kind == CLUSTER_KIND and options.bundled_runtimes else {}
    wanted = key_of({"kind": kind, "metadata": {"namespace": namespace}})[:2]
    for document in documents:
        if is_runtime(document):
            key = key_of(document.value)
            if key[:2] == wanted and key[2]:
                found[key[2]] = document.file
    return found


def jobs_of(value: Any) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Index, name and entry of each replicatedJob of a runtime, as far as it has the form of one."""
    for index, entry in _entries(get(value, *JOBS)):
        yield index, str(entry.get("name", "")), entry


def containers_of(entry: Any, lists: Iterable[str] = CONTAINER_LISTS) -> Iterator[tuple[str, int, str]]:
    """List, index and name of the containers of a replicatedJob."""
    for field in lists:
        for index, container in _entries(get(entry, *POD, field)):
            yield field, index, str(container.get("name", ""))


def volumes_of(entry: Any) -> Iterator[tuple[int, str]]:
    """Index and name of the volumes of a replicatedJob's pods."""
    for index, volume in _entries(get(entry, *POD, "volumes")):
        yield index, str(volume.get("name", ""))


def claims_of(value: Any) -> Iterator[tuple[Path, str]]:
    """Place and name of the claims that JobSet makes, which are volumes of its pods as well."""
    policies: Path = ("spec", "template", "spec", "volumeClaimPolicies")
    for number, policy in _entries(get(value, *policies)):
        for index, template in _entries(policy.get("templates")):
            yield (*policies, number, "templates", index, "metadata", "name"), str(get(template, "metadata", "name", default=""))


def _entries(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    for index, entry in enumerate(value) if isinstance(value, list) else ():
        if isinstance(entry, dict):
            yield index, entry
