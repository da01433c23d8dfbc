"""Values of Kubernetes in the words of `explain`."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.explain.containers import env_value
from jobset_compiler.explain.mermaid import box
from jobset_compiler.explain.settings import mount_in_words, ports_in_words, resources_in_words, toleration_in_words, volume_in_words
from jobset_compiler.explain.words import came_from, duration, field_of, flow, mode, ordinal, override_of, place_of, short

Tree = dict[str, Any]


@pytest.mark.parametrize(
    ("volume", "words"),
    [
        ({"persistentVolumeClaim": {"claimName": "c"}}, "PersistentVolumeClaim c"),
        ({"secret": {"secretName": "s", "defaultMode": 384}}, "Secret s, all files 0600"),
        ({"secret": {"secretName": "s", "items": [{"key": "a", "path": "b", "mode": 0}]}}, "Secret s, a as b (0000)"),
        ({"configMap": {"name": "c", "items": [{"key": "a", "path": "b"}], "optional": True}}, "ConfigMap c, a as b if there is one"),
        ({"hostPath": {"path": "/data"}}, "/data of the node"),
        ({"secret": {}}, "Secret "),
        ({"configMap": {"defaultMode": 0}}, "ConfigMap , all files 0000"),
        ({"persistentVolumeClaim": {}}, "PersistentVolumeClaim "),
        ({"hostPath": None}, " of the node"),
        ({"emptyDir": {}}, "an empty folder"),
        ({"emptyDir": None}, "an empty folder"),
        ({}, "an empty folder"),
        ({"emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}, "an empty folder in memory of at most 1Gi"),
        ({"nfs": {"server": "s", "path": "/"}}, "nfs {server: s, path: /}"),
        ({"projected": {"defaultMode": 420, "sources": []}}, "projected {defaultMode: 0644, sources: []}"),
    ],
)
def test_volumes(volume: Tree, words: str) -> None:
    assert volume_in_words({"name": "v", **volume}) == words
    assert volume_in_words({**volume, "name": "v"}) == words


@pytest.mark.parametrize(
    ("mount", "words"),
    [
        ({}, "/d of volume v"),
        ({"readOnly": True}, "/d of volume v, read-only"),
        ({"subPath": "a"}, "/d of volume v, a in it"),
        ({"subPathExpr": "$(B)", "readOnly": True}, "/d of volume v, $(B) in it, read-only"),
    ],
)
def test_mounts(mount: Tree, words: str) -> None:
    assert mount_in_words({"name": "v", "mountPath": "/d", **mount}) == words


@pytest.mark.parametrize(
    ("toleration", "words"),
    [
        ({"operator": "Exists"}, "every taint"),
        ({"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}, "taint gpu, any value (NoSchedule)"),
        ({"key": "gpu", "value": "a"}, "taint gpu=a"),
        ({"key": "gpu"}, "taint gpu="),
        ({"key": "cost", "operator": "Lt", "value": "3"}, "taint cost<3"),
        ({"key": "cost", "operator": "Gt", "value": "3"}, "taint cost>3"),
        ({"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 0}, "taint a=b (NoExecute) for 0 s"),
    ],
)
def test_tolerations(toleration: Tree, words: str) -> None:
    assert toleration_in_words(toleration) == words


def test_ports_and_resources() -> None:
    assert ports_in_words([{"containerPort": 1}, {"containerPort": 2, "name": "a", "protocol": "UDP"}]) == "1, 2/UDP (a)"
    resources = {"claims": [{"name": "g"}], "limits": {"cpu": "2"}, "requests": {"cpu": "1", "memory": "1Gi"}}
    assert resources_in_words(resources) == "requests cpu 1, memory 1Gi; limits cpu 2; claims [{name: g}]"
    assert resources_in_words({"limits": {}, "requests": {}}) == ""


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"value": "x"}, "x"),
        ({}, ""),
        ({"valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}, "<field spec.nodeName>"),
        ({"valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}, "<resourceField limits.cpu>"),
        ({"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}, "<secretKey s/k>"),
        ({"valueFrom": {"configMapKeyRef": {"key": "k"}}}, "<configMapKey k>"),
        ({"valueFrom": {}}, "<nothing >"),
        ({"name": "HF_TOKEN", "value": "x"}, "(hidden)"),
        ({"name": "HF_TOKEN", "value": ""}, ""),
        ({"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}, "<secretKey s/k>"),
    ],
)
def test_variables(entry: Tree, words: str) -> None:
    assert env_value({"name": "A", **entry}) == words


@pytest.mark.parametrize(
    ("value", "key", "words"),
    [
        ("a b", "", "a b"),
        ("a, b", "", '"a, b"'),
        ("{a}", "", "'{a}'"),
        ("a\nb", "", '"a\\nb"'),
        ("true", "", '"true"'),
        (True, "", "true"),
        (3, "", "3"),
        (256, "mode", "0400"),
        (256, "replicas", "256"),
        ({"a": [1, {"defaultMode": 8}]}, "", "{a: [1, {defaultMode: 0010}]}"),
    ],
)
def test_values_on_one_line(value: Any, key: str, words: str) -> None:
    assert flow(value, key) == words


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("spec.trainer.numNodes", "numNodes"),
        ("spec.trainer.env[0]", "env"),
        ("spec.a[0][1]", "a"),
        ("metadata.name", "metadata.name"),
        ("spec.metadata.name", "name"),
        ("metadata.labels.a.b/c", "a.b/c"),
        ("spec.nodeSelector.a.b", "a.b"),
        ("numNodes", "numNodes"),
    ],
)
def test_fields(path: str, field: str) -> None:
    assert field_of(path) == field


def test_boxes_of_mermaid() -> None:
    assert box("a", ["x", "y"]) == '    a["x<br/>y"]'
    assert box("a", [], "added") == '    a[""]:::added'


def test_small_words() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 101, 111)] == [
        *("1st", "2nd", "3rd", "4th", "10th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th")
    ]
    assert [duration(seconds) for seconds in (0, 1, 60, 3661, 86400, 90060)] == ["0 s", "1 s", "1 min", "1 h 1 min 1 s", "1 d", "1 d 1 h 1 min"]
    assert [counted(number, "pod") for number in (0, 1, 2)] == ["0 pods", "1 pod", "2 pods"]
    assert [mode(number) for number in (0, 7, 8, 420, 511)] == ["0000", "0007", "0010", "0644", "0777"]
    assert override_of("spec.podSpecOverrides[0].nodeSelector.a") == "spec.podSpecOverrides[0]"
    assert override_of('spec.labels["a.b/c"]') == "spec.labels"
    assert short("a\nb") == "a\\nb" and short("x" * 1000).endswith("x...") and short(short("x" * 1000)) == short("x" * 1000)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ({"file": "a.yaml", "line": 3}, "a.yaml:3"),
        ({"file": "a.yaml", "line": 0}, "a.yaml"),
        ({"file": ".", "line": 3}, "line 3"),
        ({"file": "<bundled v2.3/torch-distributed.yaml>", "line": 12}, "runtime torch-distributed:12"),
    ],
)
def test_places(place: Tree, words: str) -> None:
    assert place_of(place) == words


def origin(kind: str, path: str = "", line: int = 0, by: str = "", note: str = "") -> Tree:
    return {"kind": kind, "file": "a.yaml", "line": line, "path": path, "by": by, "note": note}


@pytest.mark.parametrize(
    ("chain", "label", "words"),
    [
        ([origin("input", "spec.trainer.image", 3)], "", "image, a.yaml:3"),
        ([origin("input", "spec.trainer.image", 3)], "image=x", "a.yaml:3"),
        ([origin("pass", by="torch", note="numNodes")], "", "torch (numNodes)"),
        ([origin("pass", by="torch")], "", "torch"),
        ([origin("pass", by="torch", note="numNodes"), origin("input", "spec.trainer.numNodes", 3)], "", "torch (numNodes), numNodes, a.yaml:3"),
        ([origin("pass", by="user"), origin("input", "spec.trainer.image", 3)], "image", "a.yaml:3"),
        ([origin("pass", by="a", note="feature x"), origin("input", "spec.trainer.image", 3)], "image", "a, a.yaml:3"),
        ([origin("patch", "spec.runtimePatches[0].x", 3, "me")], "", "added by me, a.yaml:3"),
        ([origin("patch", "spec.podSpecOverrides[0].x", 3)], "", "added by spec.podSpecOverrides[0], a.yaml:3"),
        ([origin("patch", "spec.x", 3, "me"), origin("input", "spec.y", 9)], "", "set by me, a.yaml:3, over a.yaml:9"),
        ([origin("default", by="jobset", note="one replica")], "", "default: one replica"),
        ([origin("default", note="nobody")], "", ""),
        ([], "", ""),
    ],
)
def test_who_wrote_a_value(chain: list[Tree], label: str, words: str) -> None:
    assert came_from(chain, label) == words
