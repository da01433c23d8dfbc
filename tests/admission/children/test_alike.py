"""A Job like one without fault is not looked at again: which Jobs are alike, and that the rules can really not tell them apart."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import answers
import jobset_compiler as jc
from jobset_compiler.admission import children
from jobset_compiler.admission.children import alike, refused_children
from jobset_compiler.profiles import NEWEST
from jobset_compiler.profiles.kubernetes import V1_32, V1_36
from tests.admission.children.said import Tree, jobset_of

LONG = "x" * 300_000
SAME = "kubernetes.io/"
ENV: list[Tree] = [{"name": "A", "value": "1"}, {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]
POD: Tree = {"nodeSelector": {"pool": "a"}, "tolerations": [{"key": "k", "operator": "Exists"}], "volumes": [{"name": "v", "emptyDir": {}}]}
CONTAINER: Tree = {"args": ["1"], "command": ["c"], "env": ENV, "volumeMounts": [{"name": "v", "mountPath": "/v"}]}


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "_sound", {})


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The Jobs that the rules are asked about."""
    names: list[str] = []
    found_against = children.found_against

    def counted(child: children.Child, *others: Any) -> Iterator[children.Refusal]:
        names.append(child.name)
        return found_against(child, *others)

    monkeypatch.setattr(children, "found_against", counted)
    return names


def jobset(**parts: Any) -> Tree:
    return jobset_of(**{"pod": POD, "container": CONTAINER, "meta": {"annotations": {"a/b": "1"}, "labels": {"l": "1"}}, **parts})


ALIKE: tuple[Tree, ...] = (
    {"container": {**CONTAINER, "image": "another"}},
    {"container": {**CONTAINER, "args": ["2", "3"], "command": []}},
    {"container": {**CONTAINER, "env": [{**ENV[0], "value": "2"}, ENV[1]]}},
    {"meta": {"annotations": {"a/b": "2"}, "labels": {"l": "1"}}},
)
OTHERS: tuple[Tree, ...] = (
    {"container": {**CONTAINER, "env": [{**ENV[0], "name": "C"}, ENV[1]]}},
    {"container": {**CONTAINER, "env": [ENV[0], {**ENV[1], "valueFrom": {"fieldRef": {"fieldPath": "metadata.uid"}}}]}},
    {"container": {**CONTAINER, "workingDir": "/"}},
    {"container": {**CONTAINER, "volumeMounts": [{"name": "v", "mountPath": "/w"}]}},
    {"pod": {**POD, "nodeSelector": {"pool": "b"}}},
    {"pod": {**POD, "initContainers": [{"name": "i", "image": "i"}]}},
    {"job": {"backoffLimit": 1}},
    {"job_meta": {"labels": {"l": "2"}}},
    {"meta": {"annotations": {"a/b": "1"}, "labels": {"l": "2"}}},
    {"meta": {"annotations": {"a/c": "1"}, "labels": {"l": "1"}}},
    {"meta": {"annotations": {"a/b": "1", f"{SAME}x": "1"}, "labels": {"l": "1"}}},
)


@pytest.mark.parametrize("parts", ALIKE)
def test_jobs_that_differ_in_texts_are_alike(parts: Tree, looked_at: list[str]) -> None:
    assert refused_children(jobset(), NEWEST, V1_36) == refused_children(jobset(**parts), NEWEST, V1_36) == []
    assert looked_at == ["js-a-0"]


@pytest.mark.parametrize("parts", OTHERS)
def test_jobs_that_differ_otherwise_are_not(parts: Tree, looked_at: list[str]) -> None:
    assert refused_children(jobset(), NEWEST, V1_36) == refused_children(jobset(**parts), NEWEST, V1_36) == []
    assert len(looked_at) == 2


def test_nor_are_they_to_two_servers(looked_at: list[str]) -> None:
    refused_children(jobset(), NEWEST, V1_36)
    refused_children(jobset(), NEWEST, V1_32)
    assert len(looked_at) == 2


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"container": {**CONTAINER, "image": ""}}, "containers[0].image: Required value"),
        ({"container": {**CONTAINER, "image": " i"}}, "must not have leading or trailing whitespace"),
        ({"meta": {"annotations": {"a/b": LONG}, "labels": {"l": "1"}}}, "Too long"),
        ({"meta": {"annotations": {"a/b": "1", "controller.kubernetes.io/pod-deletion-cost": "x"}, "labels": {"l": "1"}}}, "must be a 32bit integer"),
        ({"container": {**CONTAINER, "env": [{"name": "", "value": "1"}]}}, "env[0].name: Required value"),
    ],
)
def test_what_is_refused_is_refused_again_and_after_its_like(parts: Tree, text: str) -> None:
    assert refused_children(jobset(meta={"annotations": {"a/b": "1", "controller.kubernetes.io/pod-deletion-cost": "1"}}), NEWEST, V1_36) == []
    assert refused_children(jobset(), NEWEST, V1_36) == []
    for _ in range(2):
        (refusal,) = refused_children(jobset(**parts), NEWEST, V1_36)
        assert text in refusal.message


@pytest.mark.parametrize(
    "parts",
    [
        {"pod": {**POD, "affinity": {"podAntiAffinity": {}}}},  # whose keys are matched with labels that have names in them
        {"pod": {**POD, "hostNetwork": False}},
        {"job": {"selector": {"matchLabels": {"a": "b"}}, "manualSelector": True}, "meta": {"labels": {"a": "b"}}},
        {"job_meta": {"annotations": {"alpha.jobset.sigs.k8s.io/exclusive-topology": "rack"}}},
        {"container": {"args": [{1, 2}]}, "pod": {**POD, "priority": {1, 2}}},  # what a pass of somebody else may write
    ],
)
def test_jobs_whose_rules_read_more_than_the_template_are_like_no_other(parts: Tree, looked_at: list[str]) -> None:
    for _ in range(2):
        refused_children(jobset(**parts), NEWEST, V1_36)
    assert len(looked_at) == 2


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch, looked_at: list[str]) -> None:
    monkeypatch.setattr(alike, "MOST", 2)
    for number in (0, 1, 2, 2, 0):
        refused_children(jobset(job={"backoffLimit": number}), NEWEST, V1_36)
        assert len(alike._sound) <= 2
    assert len(looked_at) == 4


def test_a_stream_of_trainjobs_has_its_pods_looked_at_once(looked_at: list[str]) -> None:
    job = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {{name: job-{0}}}\nspec:\n  runtimeRef: {{name: torch-distributed}}\n"
    job += "  trainer: {{numNodes: 2, image: 'i:{0}', args: ['{0}'], env: [{{name: A, value: '{0}'}}]}}\n"
    result = jc.compile_yaml("---\n".join(job.format(number) for number in range(5)))
    assert len(result.objects) == 5
    assert looked_at == ["job-0-node-0"]


# Texts that mean something somewhere.
TEXTS = st.sampled_from(("", "x", " x ", "$(A)", "a b", "ü", "0", "-", "x:latest", "localhost/", "1" * 70))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_the_rules_read_nothing_that_is_left_out(data: st.DataObject) -> None:
    """Answers of upstream for children, with other texts: a Job with the same likeness has the same verdict, also where it is refused."""
    jobset = copy.deepcopy(data.draw(st.sampled_from(CHILDREN)))
    for entry in jobset["spec"]["replicatedJobs"]:
        pod = entry["template"]["spec"]["template"]["spec"]
        for container in (*(pod.get("containers") or ()), *(pod.get("initContainers") or ())):
            if container.get("image") and container["image"] == container["image"].strip():
                container["image"] = "another"
            container["args"] = [data.draw(TEXTS)]
            container["command"] = [data.draw(TEXTS)]
            for variable in container.get("env") or ():
                if "valueFrom" not in variable:
                    variable["value"] = data.draw(TEXTS)
    assert [found.message for found in verdicts(jobset)] == [found.message for found in verdicts(ORIGINALS[jobset["metadata"]["name"]])]


def verdicts(jobset: Tree) -> list[children.Refusal]:
    alike._sound.clear()
    return refused_children(jobset, NEWEST, V1_36)


def _children() -> list[Tree]:
    """The JobSets of upstream's sample whose Jobs are looked at, each under a name of its own."""
    out: list[Tree] = []
    patch = pytest.MonkeyPatch()
    look = children.refused_children

    def kept(jobset: Tree, *others: Any) -> list[children.Refusal]:
        out.append(copy.deepcopy({**jobset, "metadata": {**jobset["metadata"], "name": f"js-{len(out)}"}}))
        return look(jobset, *others)

    patch.setattr("jobset_compiler.admission.jobset.refused_children", kept)
    for number, case in enumerate(answers.cases("children")):
        if number % 7 == 0:
            jc.compile_yaml(case["input"], bundled_runtimes=False, trainer_version="v2.3")
    patch.undo()
    return out


CHILDREN = _children()
ORIGINALS = {jobset["metadata"]["name"]: jobset for jobset in CHILDREN}
