"""A JobSet like one without fault is not looked at again: which are alike, and that the rules can really not tell them apart."""

from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import answers
import jobset_compiler as jc
from jobset_compiler.admission import alike
from jobset_compiler.admission import jobset as admission
from jobset_compiler.admission.children import ChildRefusal, refused_children
from jobset_compiler.profiles import NEWEST
from jobset_compiler.profiles.kubernetes import V1_32, V1_36, Kubernetes

Tree = dict[str, Any]
Edit = Callable[[Tree, Tree, Tree, Tree], object]
LONG = "x" * 300_000
COST = "controller.kubernetes.io/pod-deletion-cost"
INPUT = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: rt, labels: {trainer.kubeflow.org/framework: plain}}
spec:
  mlPolicy: {numNodes: 1}
  template:
    spec:
      replicatedJobs:
      - name: a
        template:
          metadata: {labels: {l: "1", trainer.kubeflow.org/trainjob-ancestor-step: trainer}, annotations: {a/b: "1"}}
          spec:
            template:
              metadata: {labels: {l: "1"}, annotations: {a/b: "1", controller.kubernetes.io/pod-deletion-cost: "1"}}
              spec:
                nodeSelector: {pool: a}
                tolerations: [{key: k, operator: Exists}]
                volumes: [{name: v, emptyDir: {}}]
                containers:
                - name: node
                  image: i
                  command: [c]
                  args: ["1"]
                  env: [{name: A, value: "1"}, {name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
                  volumeMounts: [{name: v, mountPath: /v}]
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: js}
spec: {runtimeRef: {name: rt}}
"""
(UNIT,) = jc.compile_yaml(INPUT, bundled_runtimes=False).units


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[Tree]:
    """The JobSets whose children the rules are asked about."""
    seen: list[Tree] = []

    def counted(jobset: Tree, *others: Any) -> list[ChildRefusal]:
        seen.append(jobset)
        return refused_children(jobset, *others)

    monkeypatch.setattr(admission, "refused_children", counted)
    return seen


def changed(edit: Edit | None = None) -> Tree:
    """The JobSet after an edit of its Job template, pod template, pod spec or container."""
    jobset = copy.deepcopy(UNIT.objects[0])
    if edit is not None:
        template = jobset["spec"]["replicatedJobs"][0]["template"]
        of_pod = template["spec"]["template"]
        edit(template, of_pod, of_pod["spec"], of_pod["spec"]["containers"][0])
    return jobset


def said(edit: Edit | None = None, kubernetes: Kubernetes = V1_36) -> list[str]:
    return [diagnostic.message for diagnostic in admission.check(UNIT.plan, changed(edit), kubernetes)]


ALIKE: tuple[Edit, ...] = (
    lambda job, pods, pod, container: container.update(image="another"),
    lambda job, pods, pod, container: container.update(args=["2", "3"], command=[]),
    lambda job, pods, pod, container: container["env"][0].update(value="2"),
    lambda job, pods, pod, container: pods["metadata"]["annotations"].update({"a/b": "2"}),
    lambda job, pods, pod, container: job["metadata"]["annotations"].update({"a/b": "2"}),
)
OTHERS: tuple[Edit, ...] = (
    lambda job, pods, pod, container: container["env"][0].update(name="C"),
    lambda job, pods, pod, container: container["env"][1].update(valueFrom={"fieldRef": {"fieldPath": "metadata.uid"}}),
    lambda job, pods, pod, container: container.update(workingDir="/"),
    lambda job, pods, pod, container: container["volumeMounts"][0].update(mountPath="/w"),
    lambda job, pods, pod, container: pod["nodeSelector"].update(pool="b"),
    lambda job, pods, pod, container: pod.update(initContainers=[{"name": "i", "image": "i"}]),
    lambda job, pods, pod, container: job["spec"].update(backoffLimit=1),
    lambda job, pods, pod, container: job["metadata"]["labels"].update(l="2"),
    lambda job, pods, pod, container: pods["metadata"]["labels"].update(l="2"),
    lambda job, pods, pod, container: pods["metadata"]["annotations"].update({"a/c": "1"}),
    lambda job, pods, pod, container: pods["metadata"]["annotations"].update({"a/b": "11"}),
    lambda job, pods, pod, container: pods["metadata"]["annotations"].update({COST: "2"}),
)


@pytest.mark.parametrize("edit", ALIKE)
def test_jobsets_that_differ_in_texts_are_alike(edit: Edit, looked_at: list[Tree]) -> None:
    assert said() == said(edit) == []
    assert len(looked_at) == 1


@pytest.mark.parametrize("edit", OTHERS)
def test_jobsets_that_differ_otherwise_are_not(edit: Edit, looked_at: list[Tree]) -> None:
    assert said() == said(edit) == []
    assert len(looked_at) == 2


def test_nor_are_they_to_two_servers(looked_at: list[Tree]) -> None:
    assert said() == said(kubernetes=V1_32) == []
    assert len(looked_at) == 2


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (lambda job, pods, pod, container: container.update(image=""), "containers[0].image: Required value"),
        (lambda job, pods, pod, container: container.update(image=" i"), "must not have leading or trailing whitespace"),
        (lambda job, pods, pod, container: pods["metadata"]["annotations"].update({"a/b": LONG}), "Too long"),
        (lambda job, pods, pod, container: pods["metadata"]["annotations"].update({COST: "x"}), "must be a 32bit integer"),
        (lambda job, pods, pod, container: container["env"][0].update(name=""), "env[0].name: Required value"),
        (lambda job, pods, pod, container: job["spec"].update(template={"spec": {}}), "containers"),
    ],
)
def test_what_is_refused_is_refused_again_and_after_its_like(edit: Edit, text: str) -> None:
    assert said() == []
    for _ in range(2):
        assert any(text in message for message in said(edit))


def test_metadata_and_names_are_always_looked_at() -> None:
    assert said() == []
    labelled = changed()
    labelled["metadata"]["labels"] = {"l": "not a value!"}
    named = changed()
    named["metadata"]["name"] = "j" * 63
    for jobset, text in ((labelled, "a valid label must be"), (named, "will exceed 63 characters")):
        assert any(text in diagnostic.message for diagnostic in admission.check(UNIT.plan, jobset, V1_36))


@pytest.mark.parametrize(
    "edit",
    [
        lambda job, pods, pod, container: pod.update(affinity={"podAntiAffinity": {}}),  # whose keys are matched with labels that have names in them
        lambda job, pods, pod, container: pod.update(hostNetwork=False),
        lambda job, pods, pod, container: job["spec"].update(selector={"matchLabels": {"l": "1"}}, manualSelector=True),
        lambda job, pods, pod, container: job["metadata"]["annotations"].update({"alpha.jobset.sigs.k8s.io/exclusive-topology": "rack"}),
        lambda job, pods, pod, container: pods["metadata"]["labels"].update({"jobset.sigs.k8s.io/job-index": "1"}),
        lambda job, pods, pod, container: pod.update(priority=Decimal(1)),  # what a pass of somebody else may write
        lambda job, pods, pod, container: pod["nodeSelector"].update({f"k-{number}": "v" for number in range(2000)}),  # too much to be kept
    ],
)
def test_jobsets_of_which_rules_read_more_than_that_are_like_no_other(edit: Edit) -> None:
    assert alike.likeness_of(changed(), NEWEST, V1_36) is not None
    assert alike.likeness_of(changed(edit), NEWEST, V1_36) is None


@pytest.mark.parametrize(
    "jobset",
    [
        {**UNIT.objects[0], "spec": {**UNIT.objects[0]["spec"], "coordinator": {"replicatedJob": "a"}}},
        {**UNIT.objects[0], "metadata": {"name": "js", "annotations": {"alpha.jobset.sigs.k8s.io/exclusive-topology": "rack"}}},
    ],
)
def test_nor_are_jobsets_that_put_their_name_into_their_children(jobset: Tree) -> None:
    assert alike.likeness_of(jobset, NEWEST, V1_36) is None


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch, looked_at: list[Tree]) -> None:
    monkeypatch.setattr(alike, "MOST", 2)

    def with_limit(limit: int) -> Edit:
        return lambda job, pods, pod, container: job["spec"].update(backoffLimit=limit)

    for number in (0, 1, 2, 2, 0):
        said(with_limit(number))
        assert len(alike._sound) <= 2
    assert len(looked_at) == 4


JOB = """---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {{name: job-{0}}}
spec:
  runtimeRef: {{name: {1}}}
  trainer: {{numNodes: 2, image: 'i:{0}', args: ['{0}'], env: [{{name: A, value: '{0}'}}]}}
"""


@pytest.mark.parametrize("runtime", ["torch-distributed", "deepspeed-distributed", "rt"])
def test_a_stream_of_trainjobs_has_its_pods_looked_at_once(runtime: str, looked_at: list[Tree]) -> None:
    """Also where policies put the name of each into its pods: into volumes, and into the labels of a gang."""
    gang = INPUT.partition("---")[0].replace("spec:\n  mlPolicy", "spec:\n  podGroupPolicy: {coscheduling: {}}\n  mlPolicy", 1)
    result = jc.compile_yaml(gang + "".join(JOB.format(number, runtime) for number in (1, 20, 300)))
    assert [item["metadata"]["name"] for item in result.objects if item["kind"] == "JobSet"] == ["job-1", "job-20", "job-300"]
    assert {"deepspeed-distributed": "Secret", "rt": "PodGroup"}.get(runtime, "JobSet") in {item["kind"] for item in result.objects}
    assert [jobset["metadata"]["name"] for jobset in looked_at] == ["job-1"]


def test_names_of_others_are_looked_at() -> None:
    def likeness(jobset: str, label: str, secret: str) -> object:
        def edit(job: Tree, pods: Tree, pod: Tree, container: Tree) -> None:
            pods["metadata"]["labels"]["l"] = label
            pod["volumes"][0] = {"name": "v", "secret": {"secretName": secret}}

        changed_one = changed(edit)
        changed_one["metadata"]["name"] = jobset
        return alike.likeness_of(changed_one, NEWEST, V1_36)

    own = likeness("a", "a", "a-ssh")
    assert own is not None
    assert likeness("b", "b", "b-ssh") == own
    assert own not in (likeness("b", "a", "b-ssh"), likeness("b", "b", "a-ssh"), likeness("a", "a", "a-key"), likeness("a", "a", "assh"))
    assert likeness("a.b", "a.b", "a.b-ssh") is None


# Texts that mean something somewhere.
TEXTS = st.sampled_from(("", "x", " x ", "$(A)", "a b", "ü", "0", "-", "x:latest", "localhost/", "1" * 70))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_the_rules_read_nothing_that_is_left_out(data: st.DataObject) -> None:
    """JobSets that the API servers were asked about, with other texts: the likeness is the same, and so is what is said, also of what is refused."""
    number = data.draw(st.integers(0, len(ASKED) - 1))
    original, kubernetes = ASKED[number]
    jobset = copy.deepcopy(original)
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
    assert alike.likeness_of(jobset, NEWEST, kubernetes) == alike.likeness_of(original, NEWEST, kubernetes)
    before, after = (refused_children(each, NEWEST, kubernetes) for each in (original, jobset))
    assert [found.message for found in before] == [found.message for found in after]


def _asked() -> list[tuple[Tree, Kubernetes]]:
    out: list[tuple[Tree, Kubernetes]] = []

    def kept(jobset: Tree, profile: object, kubernetes: Kubernetes) -> list[ChildRefusal]:
        out.append((jobset, kubernetes))
        return []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(admission, "refused_children", kept)
        for number, case in enumerate(answers.cases("children")):
            if number % 3 == 0:
                jc.compile_yaml(case["input"], bundled_runtimes=False, trainer_version="v2.3")
    alike._sound.clear()
    return out


ASKED = _asked()
