"""Which runtime a TrainJob means, and which ones are known to be missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from jobset_compiler.api import runtime as of_runtime
from jobset_compiler.api import trainjob as of_trainjob
from jobset_compiler.api.runtime import Runtime
from jobset_compiler.api.trainjob import TrainJob
from jobset_compiler.profiles import NEWEST
from jobset_compiler.resolve.catalog import NOT_FOUND, BroughtRuntime, Catalog, Key, is_supported, key_of, make_catalog, near, registry_key, repeated
from jobset_compiler.source.document import Document

CLUSTER, NAMESPACED = "ClusterTrainingRuntime", "TrainingRuntime"
GROUP = "trainer.kubeflow.org"
BUNDLED = "torch-distributed"


def runtime(name: str = "rt", kind: str = CLUSTER, namespace: str = "") -> Runtime:
    value = {"kind": kind, "metadata": {"name": name, **({"namespace": namespace} if namespace else {})}}
    return of_runtime.decode(Document.from_object(value), value, bundled=False)


def job(name: str = "rt", kind: str = CLUSTER, namespace: str = "team", group: str = GROUP) -> TrainJob:
    value = {"metadata": {"name": "a", "namespace": namespace}, "spec": {"runtimeRef": {"apiGroup": group, "kind": kind, "name": name}}}
    return of_trainjob.decode(Document.from_object(value), value, value, "runtimePatches")


def key(of: Runtime) -> Key:
    return of.kind, of.namespace, of.name


LOADED = runtime("loaded")


def catalog(*stored: Runtime, refused: Mapping[Key, Runtime | None] | None = None, bundled: bool = False, brought: Any = None) -> Catalog:
    given = [*((key(each), each, True) for each in stored), *((where, each, False) for where, each in (refused or {}).items())]
    return make_catalog(given, NEWEST, lambda name: LOADED, bundled=bundled, brought=brought or {})


def test_a_runtime_of_a_namespace_is_one_of_the_trainjobs_own() -> None:
    ours, theirs, cluster = runtime(kind=NAMESPACED, namespace="team"), runtime(kind=NAMESPACED, namespace="other"), runtime()
    known = catalog(ours, theirs, cluster)
    assert known.find(job(kind=NAMESPACED)) is ours
    assert known.find(job(kind=NAMESPACED, namespace="other")) is theirs
    assert known.find(job(kind=NAMESPACED, namespace="third")) is None
    assert known.find(job()) is known.find(job(namespace="third")) is cluster
    assert known.find(job("rt2")) is None


def test_the_input_wins_over_the_release() -> None:
    ours = runtime(BUNDLED)
    assert catalog(ours, bundled=True).find(job(BUNDLED)) is ours
    assert catalog(refused={key(ours): ours}, bundled=True).find(job(BUNDLED)) is ours
    assert catalog(refused={key(ours): None}, bundled=True).find(job(BUNDLED)) is None
    assert catalog(bundled=True).find(job(BUNDLED)) is LOADED
    assert catalog(bundled=True).find(job(BUNDLED, kind=NAMESPACED)) is None
    assert catalog(bundled=True).find(job("other")) is None
    assert catalog().find(job(BUNDLED)) is None


def test_what_passes_bring_comes_last_and_is_found_by_its_name() -> None:
    mine = runtime("mine")
    brought = {"mine": BroughtRuntime(mine, "a pass"), "refused": BroughtRuntime(None, "a pass"), BUNDLED: BroughtRuntime(runtime(BUNDLED), "a pass")}
    known = catalog(bundled=True, brought=brought)
    assert known.find(job("mine")) is mine and known.brought_for(job("mine")) is brought["mine"]
    assert known.find(job("refused")) is None and known.brought_for(job("refused")) is brought["refused"]
    assert known.find(job("mine", kind=NAMESPACED)) is None and known.brought_for(job("mine", kind=NAMESPACED)) is None
    assert known.find(job(BUNDLED)) is LOADED and known.brought_for(job(BUNDLED)) is None
    assert catalog(brought=brought).brought_for(job(BUNDLED)) is brought[BUNDLED]
    assert known.brought_for(job("other")) is None
    ours = runtime("mine")
    assert catalog(ours, brought=brought).find(job("mine")) is ours and catalog(ours, brought=brought).brought_for(job("mine")) is None
    assert catalog(refused={key(ours): None}, brought=brought).brought_for(job("mine")) is None


def test_which_trainjobs_wait_for_a_runtime_that_is_refused() -> None:
    ours = runtime()
    assert catalog(refused={key(ours): ours}).refuses(job())
    assert catalog(refused={key(ours): None}).refuses(job())
    assert not catalog(refused={key(ours): None}).refuses(job("rt2"))
    assert not catalog(refused={key(ours): None}).refuses(job(kind=NAMESPACED))
    assert not catalog(ours, refused={key(ours): None}).refuses(job()), "a good one of the same key is there"
    nameless = {(CLUSTER, "", ""): None}
    assert catalog(refused=nameless).refuses(job()), "it may be that one"
    assert not catalog(ours, refused=nameless).refuses(job())
    assert not catalog(refused=nameless).refuses(job(kind=NAMESPACED))
    assert catalog(refused={(NAMESPACED, "team", ""): None}).refuses(job(kind=NAMESPACED))
    assert not catalog(refused={(NAMESPACED, "other", ""): None}).refuses(job(kind=NAMESPACED))


@pytest.mark.parametrize(
    ("value", "refused"),
    [
        ({"spec": {"runtimeRef": {"name": "rt"}}}, True),
        ({"spec": {"runtimeRef": {"name": "rt", "kind": CLUSTER}}, "metadata": {"namespace": "team"}}, True),
        ({"spec": {"runtimeRef": {"name": "rt2"}}}, False),
        ({"spec": {"runtimeRef": {"name": "rt", "kind": NAMESPACED}}}, False),
        ({"spec": {"runtimeRef": {"name": "own", "kind": NAMESPACED}}, "metadata": {"namespace": "team"}}, True),
        ({"spec": {"runtimeRef": {"name": "own", "kind": NAMESPACED}}, "metadata": {"namespace": "other"}}, False),
        ({"spec": {"runtimeRef": {"name": "own", "kind": NAMESPACED}}}, False),
        ({"spec": {"runtimeRef": {"name": "usual", "kind": NAMESPACED}}}, True),
        ({"spec": {"runtimeRef": {"name": "usual", "kind": NAMESPACED}}, "metadata": "x"}, True),
        ({"spec": {"runtimeRef": {"name": 1}}}, False),
        ({"spec": {"runtimeRef": {"name": "rt", "kind": 1}}}, False),
        ({"spec": {"runtimeRef": {"name": ["rt"]}}}, False),
        ({"spec": {"runtimeRef": {"name": "rt", "kind": [CLUSTER]}}}, False),
        ({"spec": {"runtimeRef": {}}}, False),
        ({"spec": {"runtimeRef": "rt"}}, False),
        ({"spec": "rt"}, False),
        ({}, False),
    ],
)
def test_the_runtime_of_a_trainjob_that_cannot_be_decoded(value: dict[str, Any], refused: bool) -> None:
    keys: list[Key] = [(CLUSTER, "", "rt"), (NAMESPACED, "team", "own"), (NAMESPACED, "default", "usual")]
    assert catalog(refused=dict.fromkeys(keys)).refuses_ref_of({"kind": "TrainJob", **value}) is refused


def test_names_that_could_be_meant() -> None:
    brought = {"mine": BroughtRuntime(None, "a pass")}
    known = catalog(runtime("b"), runtime("a"), runtime("c", NAMESPACED, "team"), runtime("d", NAMESPACED, "other"), brought=brought)
    assert known.names(CLUSTER, "") == ("a", "b", "mine")
    assert known.names(NAMESPACED, "team") == ("c",)
    assert known.names(NAMESPACED, "third") == known.names(NAMESPACED, "") == ()
    assert BUNDLED in catalog(bundled=True).names(CLUSTER, "") and BUNDLED not in catalog(bundled=True).names(NAMESPACED, "team")


def test_of_two_of_one_key_the_later_one_counts() -> None:
    first, second = runtime(), runtime()
    known = make_catalog([(key(first), first, True), (key(second), second, True)], NEWEST, lambda name: LOADED, bundled=False)
    assert known.find(job()) is second and known.is_whole and not known.brought
    known = make_catalog([(key(first), first, True), (key(second), second, False), (NOT_FOUND, None, False)], NEWEST, lambda name: LOADED, bundled=False)
    assert known.find(job()) is first and known.refused == {NOT_FOUND: None}
    assert not make_catalog([], NEWEST, lambda name: LOADED, bundled=False, is_whole=False).is_whole


def test_a_runtime_that_is_defined_again_is_told_once_each() -> None:
    first, second, third, other = runtime(), runtime(), runtime(), runtime("other", NAMESPACED, "team")
    told = repeated([(NOT_FOUND, first), (key(first), first), (key(other), other), (key(first), None), (key(second), second), (key(third), third)])
    assert [(d.slug, d.severity, d.stage, d.message, d.at, (d.object_kind, d.namespace, d.name)) for d in told] == [
        ("runtime-given-twice", "warning", "resolve", f"{CLUSTER} rt is defined again; the last definition counts", ("metadata", "name"), (CLUSTER, "", "rt"))
    ] * 2
    assert [d.document for d in told] == [second.document, third.document]
    assert [(note.message, note.document, note.at) for d in told for note in d.notes] == [("defined before", first.document, ("metadata", "name"))] * 2
    assert repeated([(NOT_FOUND, first), (NOT_FOUND, second), (key(first), first), (key(first), first)]) == []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"kind": CLUSTER, "metadata": {"name": "rt", "namespace": "team"}}, (CLUSTER, "", "rt")),
        ({"kind": NAMESPACED, "metadata": {"name": "rt", "namespace": "team"}}, (NAMESPACED, "team", "rt")),
        ({"kind": NAMESPACED, "metadata": {"name": "rt", "namespace": ""}}, (NAMESPACED, "default", "rt")),
        ({"kind": NAMESPACED}, (NAMESPACED, "default", "")),
        ({"metadata": ["rt"]}, ("", "default", "")),
        ({"kind": 1, "metadata": {"name": 2, "namespace": 3}}, ("1", "3", "2")),
    ],
)
def test_what_a_runtime_would_be_found_by(value: dict[str, Any], found: Key) -> None:
    assert key_of(value) == found


def test_kinds_and_groups_that_a_runtime_can_be_of() -> None:
    assert is_supported(job()) and is_supported(job(kind=NAMESPACED))
    assert not is_supported(job(kind="Runtime")) and not is_supported(job(group="")) and not is_supported(job(group="acme.io"))
    assert registry_key(job()) == f"{CLUSTER}.{GROUP}" and registry_key(job(group="")) == CLUSTER


def test_the_nearest_name_is_one_that_resembles() -> None:
    assert near("torch-distribute", ("jax", BUNDLED)) == BUNDLED
    assert near("zzz", ("jax", BUNDLED)) is near("zzz", ()) is None
    assert near("abcde", ("abcxyz",)) is None and near("abcde", ("abcxy",)) == "abcxy"
