"""Strategic merge: what Go and kubectl answered, the rules one by one, and laws."""

from __future__ import annotations

import copy
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobset_compiler.diagnostics import addresses
from jobset_compiler.kube.lineage import UNTOLD, Lineage
from jobset_compiler.kube.merge import MergeError, merge, merge_with_lineage
from jobset_compiler.kube.retype import retype
from jobset_compiler.kube.table import load
from tests.kube.typed_values import values
from tests.source.kubectl import find, needs_kubectl

TABLE = load("v2.3")
LAWS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
TYPES = ("jobset.JobSetSpec", "batch.JobTemplateSpec", "core.PodTemplateSpec", "core.PodSpec")


def recorded_answers() -> list[dict[str, Any]]:
    lines = (Path(__file__).parent / "data" / "merge.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[1:]]


def pod(original: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    return merge(original, patch, TABLE, "core.PodSpec")


def named(*names: str) -> list[dict[str, Any]]:
    return [{"name": name} for name in names]


@pytest.mark.parametrize("row", recorded_answers(), ids=lambda row: row.get("error", row["type"]))
def test_what_go_answered(row: dict[str, Any]) -> None:
    original, patch = copy.deepcopy(row["original"]), copy.deepcopy(row["patch"])
    if "error" in row:
        with pytest.raises(MergeError) as caught:
            merge(original, patch, TABLE, row["type"])
        assert str(caught.value) == row["error"]
    else:
        assert same(merge(original, patch, TABLE, row["type"]), row["result"])
        leaves_come_from_where_they_are_said_to(original, patch, row["type"])
    assert (original, patch) == (row["original"], row["patch"])


def same(left: Any, right: Any) -> bool:
    """Equal as JSON: 1.0 is 1, and true is not."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


# Upstream's controllers show these orders, in every release.
@pytest.mark.parametrize(
    ("original", "patch", "merged"),
    [
        ("ab", "cb", "cab"),
        ("abc", "ca", "bca"),
        ("ab", "ca", "cab"),
        ("abc", "x", "xabc"),
        ("abc", "", "abc"),
        ("", "ba", "ba"),
        ("abcd", "db", "acdb"),
    ],
)
def test_the_order_of_a_merged_list(original: str, patch: str, merged: str) -> None:
    assert pod({"volumes": named(*original)}, {"volumes": named(*patch)}) == {"volumes": named(*merged)}


def test_items_of_one_key_merge_field_by_field() -> None:
    original = {"volumes": [{"name": "v", "emptyDir": {"medium": "Memory"}}, {"name": "w"}]}
    patch = {"volumes": [{"name": "v", "emptyDir": {"sizeLimit": "1Gi"}, "configMap": {"name": "c"}}]}
    merged = {"name": "v", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}, "configMap": {"name": "c"}}
    assert pod(original, patch) == {"volumes": [merged, {"name": "w"}]}


def test_a_second_source_of_a_volume_is_kept() -> None:
    """The retainKeys strategy does nothing without a `$retainKeys` directive, and typed patches have none."""
    merged = pod({"volumes": [{"name": "v", "emptyDir": {}}]}, {"volumes": [{"name": "v", "hostPath": {"path": "/x"}}]})
    assert merged == {"volumes": [{"name": "v", "emptyDir": {}, "hostPath": {"path": "/x"}}]}
    retaining = {"volumes": [{"name": "v", "hostPath": {"path": "/x"}, "$retainKeys": ["name", "hostPath"]}]}
    assert pod({"volumes": [{"name": "v", "emptyDir": {}}]}, retaining) == {"volumes": [{"name": "v", "hostPath": {"path": "/x"}}]}


def test_lists_without_a_merge_key_are_replaced() -> None:
    original = {"tolerations": [{"key": "a"}], "containers": [{"name": "node", "args": ["1", "2"]}]}
    patch = {"tolerations": [{"key": "b"}], "containers": [{"name": "node", "args": ["3"]}]}
    assert pod(original, patch) == patch


def test_maps_merge_and_nulls_delete() -> None:
    assert pod({"nodeSelector": {"a": "1", "b": "2"}, "hostname": "h"}, {"nodeSelector": {"a": None, "c": "3"}, "hostname": None}) == {
        "nodeSelector": {"b": "2", "c": "3"}
    }


def test_fields_are_known_in_other_capitals_too() -> None:
    assert pod({"NODESELECTOR": {"a": "1"}}, {"NODESELECTOR": {"b": "2"}}) == {"NODESELECTOR": {"a": "1", "b": "2"}}


def test_replicated_jobs_merge_by_name_from_v2_3_on() -> None:
    original = {"replicatedJobs": [{"name": "a", "replicas": 1}, {"name": "b"}]}
    patch = {"replicatedJobs": [{"name": "b", "replicas": 2}]}
    assert merge(original, patch, load("v2.3"), "jobset.JobSetSpec") == {"replicatedJobs": [{"name": "a", "replicas": 1}, {"name": "b", "replicas": 2}]}
    assert merge(original, patch, load("v2.2"), "jobset.JobSetSpec") == patch


def test_lists_of_scalars_merge_where_the_type_says_so() -> None:
    def finalizers(original: list[str], patch: dict[str, Any]) -> Any:
        merged = merge({"metadata": {"finalizers": original}}, {"metadata": patch}, TABLE, "core.PodTemplateSpec")
        return merged["metadata"]["finalizers"]

    assert finalizers(["a", "b"], {"finalizers": ["c", "a"]}) == ["c", "a", "b"]
    assert finalizers(["a", "b", "a"], {"finalizers": ["b"]}) == ["a", "b"]
    assert finalizers(["a", "b", "c"], {"$deleteFromPrimitiveList/finalizers": ["b"]}) == ["a", "c"]
    assert finalizers(["a", "b"], {"finalizers": ["c"], "$setElementOrder/finalizers": ["c", "b"]}) == ["c", "a", "b"]


def test_directives() -> None:
    original = {"securityContext": {"runAsUser": 1}, "containers": [{"name": "a", "image": "x"}, {"name": "b"}]}
    assert pod(original, {"securityContext": {"$patch": "replace", "fsGroup": 2}})["securityContext"] == {"fsGroup": 2}
    assert pod(original, {"securityContext": {"$patch": "delete"}})["securityContext"] == {}
    assert pod(original, {"containers": [{"name": "a", "$patch": "delete"}]})["containers"] == named("b")
    assert pod(original, {"containers": [{"name": "c"}, {"$patch": "replace"}]})["containers"] == named("c")
    assert pod({}, {"containers": [{"name": "c"}, {"name": "d", "$patch": "delete"}]})["containers"] == named("c")
    order = {"$setElementOrder/containers": named("b", "a"), "containers": [{"name": "a", "image": "y"}]}
    assert pod(original, order)["containers"] == [{"name": "b"}, {"name": "a", "image": "y"}]


def test_an_order_alone_orders_what_is_there() -> None:
    """Of a list that patches replace as well; kubectl answers the same."""
    ordered = pod({"containers": [{"name": "x", "args": ["a", "b"]}]}, {"containers": [{"name": "x", "$setElementOrder/args": ["b", "a"]}]})
    assert ordered == {"containers": [{"name": "x", "args": ["b", "a"]}]}
    assert pod({"containers": named("a", "b")}, {"$setElementOrder/containers": named("b", "a")}) == {"containers": named("b", "a")}
    assert pod({}, {"$setElementOrder/containers": named("b", "a")}) == {}


def test_what_is_deleted_has_no_place_in_the_order() -> None:
    """As kubectl writes it: the item goes, at whichever end of the patch it stands, and the order names those that stay."""
    gone = {"name": "b", "$patch": "delete"}
    for items in ([{"name": "a", "image": "y"}, gone], [gone, {"name": "a", "image": "y"}]):
        merged = pod({"containers": named("a", "b", "c")}, {"$setElementOrder/containers": named("a", "c"), "containers": items})
        assert merged["containers"] == [{"name": "a", "image": "y"}, {"name": "c"}]
        alone = pod({"containers": named("a", "b")}, {"$setElementOrder/containers": named("a"), "containers": items})
        assert alone["containers"] == [{"name": "a", "image": "y"}]



@pytest.mark.parametrize(
    ("original", "patch", "message"),
    [
        ({"containers": named("a")}, {"containers": [{"image": "x"}]}, "map: map[image:x] does not contain declared merge key: name"),
        ({"containers": [{"args": ["x", "y"]}]}, {"containers": named("a")}, "map: map[args:[x y]] does not contain declared merge key: name"),
        ({"containers": named("a")}, {"containers": ["a"]}, "list element types are not identical: [[map[name:a]] [a]]"),
        ({"containers": named("a")}, {"containers": [{"name": "a", "$patch": "x"}]}, "unknown patch type: x in map: map[$patch:x name:a]"),
        ({"containers": named("a")}, {"containers": [{"name": "a", "$patch": "merge"}]}, "merging lists cannot yet be specified in the patch"),
        ({"extra": {}}, {"extra": {}}, 'unable to find api field in struct PodSpec for the json field "extra"'),
        ({'a"\\': {}}, {'a"\\': {}}, r'unable to find api field in struct PodSpec for the json field "a\"\\"'),
        ({"overhead": {"cpu": {}}}, {"overhead": {"cpu": {}}}, "merging an object in json but data type is not struct, instead is: map"),
        ({}, {"$retainKeys": "x"}, "invalid patch format of retainKeys"),
        ({}, {"$setElementOrder": []}, "invalid patch format of setElementOrder list"),
        ({}, {"$deleteFromPrimitiveList": []}, "invalid patch format of primitive list"),
        ({"hostname": []}, {"hostname": []}, "expected slice or array type, but got: struct"),
        (
            {},
            {"containers": named("a"), "$setElementOrder/containers": named("b")},
            "The order in patch list:\n[map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
        ),
    ],
)
def test_errors_in_go_words(original: dict[str, Any], patch: dict[str, Any], message: str) -> None:
    with pytest.raises(MergeError) as caught:
        pod(original, patch)
    assert str(caught.value) == message


BASE, PATCH = "original", "patch"
PLACES: tuple[tuple[str | int, ...], ...] = (("nodeSelector", "a"), ("nodeSelector", "b"), ("containers", 0), ("containers", 1))


def with_origins(original: dict[str, Any], patch: dict[str, Any], type_name: str = "core.PodSpec") -> tuple[dict[str, Any], Lineage]:
    return merge_with_lineage(original, Lineage(((BASE,),)), patch, (PATCH,), TABLE, type_name)


def sources(origin: Lineage, path: tuple[str | int, ...], original: Any, patch: Any) -> list[tuple[str | int, ...]]:
    """The places of a value that are really there."""
    trees = {BASE: original, PATCH: patch}
    return [place for place in origin.at(path) if has(trees[str(place[0])], place[1:])]


def has(tree: Any, path: tuple[str | int, ...]) -> bool:
    for step in path:
        if not (step in tree if isinstance(tree, dict) else isinstance(tree, list) and isinstance(step, int) and step < len(tree)):
            return False
        tree = tree[step]
    return True


def leaves_come_from_where_they_are_said_to(original: dict[str, Any], patch: dict[str, Any], type_name: str) -> None:
    merged, origin = with_origins(original, patch, type_name)
    trees = {BASE: original, PATCH: patch}
    for leaf in addresses.leaves(merged):
        value = at(merged, leaf)
        if value in ({}, []):
            continue  # what remains of a map or list that lost its last item
        found = sources(origin, leaf, original, patch)
        assert found, leaf
        assert same(at(trees[str(found[0][0])], found[0][1:]), value), (leaf, found)


def test_origins() -> None:
    original = {"nodeSelector": {"a": "1"}, "containers": [{"name": "x"}, {"name": "node", "env": [{"name": "A", "value": "1"}, {"name": "B"}]}]}
    patch = {"nodeSelector": {"b": "2"}, "containers": [{"name": "new", "image": "i"}, {"name": "node", "env": [{"name": "B", "value": "2"}, {"name": "C"}]}]}
    merged, origin = with_origins(original, patch)
    assert merged["containers"] == [
        {"name": "new", "image": "i"},
        {"name": "x"},
        {"name": "node", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}, {"name": "C"}]},
    ]
    env = ("containers", 2, "env")
    assert {path: sources(origin, path, original, patch) for path in PLACES} == {
        ("nodeSelector", "a"): [(BASE, "nodeSelector", "a")],
        ("nodeSelector", "b"): [(PATCH, "nodeSelector", "b")],
        ("containers", 0): [(PATCH, "containers", 0)],
        ("containers", 1): [(BASE, "containers", 0)],
    }
    assert sources(origin, (*env, 0, "value"), original, patch) == [(BASE, "containers", 1, "env", 0, "value")]
    assert sources(origin, (*env, 1, "value"), original, patch) == [(PATCH, "containers", 1, "env", 0, "value")]
    assert sources(origin, (*env, 1, "name"), original, patch) == [(PATCH, "containers", 1, "env", 0, "name"), (BASE, "containers", 1, "env", 1, "name")]
    assert sources(origin, env, original, patch) == [(PATCH, "containers", 1, "env"), (BASE, "containers", 1, "env")]


def test_origins_of_an_item_that_the_patch_has_twice() -> None:
    patch = {"containers": [{"name": "new", "image": "i", "tty": True}, {"name": "new", "image": "j"}]}
    merged, origin = with_origins({"containers": named("x")}, patch)
    assert merged["containers"][0] == {"name": "new", "image": "j", "tty": True}
    item = ("containers", 0)
    assert origin.at((*item, "image")) == ((PATCH, "containers", 1, "image"), (PATCH, "containers", 0, "image"))
    assert sources(origin, (*item, "tty"), {}, patch) == [(PATCH, "containers", 0, "tty")]


def test_origins_look_past_removed_items() -> None:
    patch = {"containers": [{"name": "gone", "$patch": "delete"}, {"name": "a"}]}
    merged, origin = with_origins({}, patch)
    assert merged == {"containers": named("a")}
    assert origin.at(("containers", 0, "name")) == ((PATCH, "containers", 1, "name"),)


def test_a_list_that_is_replaced_is_told_of_and_its_items_are_not() -> None:
    original, patch = {"tolerations": [{"key": "a"}, {"key": "b"}]}, {"tolerations": [{"key": "c"}]}
    _, origin = with_origins(original, patch)
    assert origin.at(("tolerations",)) == ((PATCH, "tolerations"), (BASE, "tolerations"))
    assert origin.at(("tolerations", 0, "key")) == ((PATCH, "tolerations", 0, "key"),)


# -------------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("type_name", TYPES)
@LAWS
@given(data=st.data())
def test_an_empty_patch_changes_nothing(type_name: str, data: st.DataObject) -> None:
    value = data.draw(values(TABLE, type_name, unique_keys=False))
    merged, origin = with_origins(value, {}, type_name)
    assert merged == value
    assert all(origin.at(leaf)[-1] == (BASE, *leaf) for leaf in addresses.leaves(value))


@pytest.mark.parametrize("type_name", TYPES)
@LAWS
@given(data=st.data())
def test_a_value_merged_into_itself_is_itself(type_name: str, data: st.DataObject) -> None:
    value = data.draw(values(TABLE, type_name))
    assert merge(value, value, TABLE, type_name) == value


@pytest.mark.parametrize("type_name", TYPES)
@LAWS
@given(data=st.data())
def test_a_patch_is_applied_without_changing_anything_given(type_name: str, data: st.DataObject) -> None:
    original = data.draw(values(TABLE, type_name, unique_keys=False))
    patch = data.draw(values(TABLE, type_name, unique_keys=False))
    before = copy.deepcopy((original, patch))
    merged = merge(original, patch, TABLE, type_name)
    assert (original, patch) == before
    assert set(merged) == set(original) | set(patch)
    leaves_come_from_where_they_are_said_to(original, patch, type_name)


@pytest.mark.parametrize("type_name", TYPES)
@LAWS
@given(data=st.data())
def test_what_nobody_asks_about_merges_alike(type_name: str, data: st.DataObject) -> None:
    original = data.draw(values(TABLE, type_name, unique_keys=False))
    patch = data.draw(values(TABLE, type_name, unique_keys=False))
    told, origin = merge_with_lineage(original, Lineage(((BASE,),)), patch, (PATCH,), TABLE, type_name)
    untold, nothing = merge_with_lineage(original, UNTOLD, patch, (PATCH,), TABLE, type_name)
    assert json.dumps(untold) == json.dumps(told)
    assert nothing is UNTOLD and nothing.paths == () and origin.paths


@pytest.mark.parametrize("type_name", TYPES)
@LAWS
@given(data=st.data())
def test_a_patch_applied_twice_is_applied_once(type_name: str, data: st.DataObject) -> None:
    original = data.draw(values(TABLE, type_name))
    patch = data.draw(values(TABLE, type_name))
    once = merge(original, patch, TABLE, type_name)
    assert by_key(merge(once, patch, TABLE, type_name)) == by_key(once)


@LAWS
@given(data=st.data())
def test_what_the_patch_says_holds_afterwards(data: st.DataObject) -> None:
    original, patch = data.draw(values(TABLE, "core.PodSpec")), data.draw(values(TABLE, "core.PodSpec"))
    merged = pod(original, patch)
    assert includes(merged, patch)
    assert [item["name"] for item in merged.get("containers", []) if item in patch.get("containers", [])] == [
        item["name"] for item in patch.get("containers", []) if item in merged.get("containers", [])
    ]


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def by_key(value: Any) -> Any:
    """A value without the order of its lists of objects."""
    if isinstance(value, dict):
        return {key: by_key(item) for key, item in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return sorted((by_key(item) for item in value), key=json.dumps)
    return value


def includes(whole: Any, part: Any) -> bool:
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and includes(whole[key], item) for key, item in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and all(any(includes(other, item) for other in whole) for item in part)
    return bool(whole == part)


# ----------------------------------------------------------------------------------------------- kubectl


@needs_kubectl
@pytest.mark.parametrize("seed", range(12))
def test_kubectl_patches_alike(seed: int) -> None:
    """`kubectl patch --local` on Jobs: one random patch a call, on 25 Jobs each."""
    chance = random.Random(seed)
    originals = [job(chance) for _ in range(25)]
    patch = {"spec": job(chance)["spec"]}
    if seed % 3 == 0:
        patch["spec"]["template"]["spec"]["containers"] = [{"name": "b", "$patch": "delete"}, {"name": "a", "args": None}]
    stream = "\n---\n".join(json.dumps(original) for original in originals)
    command = [find() or "kubectl", "patch", "--local", "-f", "-", "--type", "strategic", "-p", json.dumps(patch), "-o", "json"]
    done = subprocess.run(command, input=stream, capture_output=True, text=True, check=True)
    patched = [json.loads(text) for text in done.stdout.replace("}\n{", "}\0{").split("\0")]
    assert len(patched) == len(originals)
    for original, answer in zip(originals, patched, strict=True):
        assert same(merge(original, patch, TABLE, "batch.Job"), answer)


def job(chance: random.Random) -> dict[str, Any]:
    def some(names: str) -> list[str]:
        return chance.sample(names, chance.randint(0, len(names)))

    def env(name: str) -> dict[str, Any]:
        sources: list[dict[str, Any]] = [{"value": chance.choice(("1", "2"))}, {"valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]
        return {"name": name, **chance.choice(sources)}

    def container(name: str) -> dict[str, Any]:
        return {
            "name": name,
            "image": chance.choice(("x", "y")),
            "args": some("pqr"),
            "env": [env(one) for one in some("ABC")],
            "ports": [{"containerPort": port} for port in chance.sample((80, 443, 8080), 2)],
            "volumeMounts": [{"name": "v", "mountPath": f"/{path}"} for path in some("mno")],
            "resources": {"limits": dict.fromkeys(some("cd"), "1")},
        }

    def volume(name: str) -> dict[str, Any]:
        return {"name": name, **chance.choice(({"emptyDir": {}}, {"configMap": {"name": "c"}}))}

    spec = {
        "containers": [container(name) for name in some("abcd")],
        "initContainers": [container(name) for name in some("ab")],
        "volumes": [volume(name) for name in some("vwx")],
        "tolerations": [{"key": key} for key in some("st")],
        "nodeSelector": {key: chance.choice("12") for key in some("ef")},
        "imagePullSecrets": named(*some("gh")),
        "hostAliases": [{"ip": f"10.0.0.{index}"} for index in chance.sample(range(4), 2)],
    }
    metadata = {"labels": dict.fromkeys(some("ij"), "x"), "finalizers": [f"example.dev/{name}" for name in some("kl")]}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "j"},
        "spec": {"template": {"metadata": metadata, "spec": {key: value for key, value in spec.items() if chance.random() < 0.7}}},
    }


def test_a_patch_of_a_typed_value_deletes_an_unset_required_list() -> None:
    """Go writes null for `sources`, which no patch ought to leave out, and the merge takes it at its word."""
    patch, _ = retype({"volumes": [{"name": "v", "projected": {"defaultMode": 420}}]}, TABLE, "trainer.PodSpecPatch")
    assert isinstance(patch, dict)
    original = {"volumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "s"}}]}}]}
    assert pod(original, patch) == {"volumes": [{"name": "v", "projected": {"defaultMode": 420}}]}
