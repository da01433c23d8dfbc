"""Causes: every change is told with the one thing that makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobset_compiler.diff import compare_yaml
from jobset_compiler.diff.because import with_reasons
from jobset_compiler.diff.difference import NOT_COMPARED, UNCHANGED, Difference, Reason
from jobset_compiler.diff.factors import factors_of
from jobset_compiler.diff.fields import ADDED, CHANGED, MISSING, REMOVED
from jobset_compiler.profiles import PROFILES

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml"))
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: mine
  labels: {trainer.kubeflow.org/framework: torch}
spec:
  mlPolicy:
    numNodes: 2
    torch: {}
  podGroupPolicy:
    coscheduling:
      scheduleTimeoutSeconds: 60
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata:
            labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: example.com/image:1
                  resources: {requests: {cpu: 4, memory: 8Gi}}
"""
JOB = """\
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train, namespace: ml}
spec:
  runtimeRef: {name: mine}
  trainer:
    env: [{name: A, value: "1"}, {name: B, value: "2"}]
"""
BOTH = RUNTIME + JOB


def reasons(difference: Difference) -> dict[str, tuple[Reason, ...]]:
    """Reasons by "Kind address"."""
    return {f"{item.key[1]} {field.change.address}": field.reasons for job in difference.jobs for item in job.objects for field in item.fields}


def test_nothing_changes() -> None:
    difference = compare_yaml(BOTH, BOTH)
    assert not difference.changed and not difference.has_errors
    assert [job.state for job in difference.jobs] == [UNCHANGED]


def test_one_field_of_the_runtime_explains_all_that_it_changes() -> None:
    found = reasons(compare_yaml(BOTH, BOTH.replace("numNodes: 2", "numNodes: 5")))
    assert {"PodGroup spec.minMember", "PodGroup spec.minResources.cpu", "JobSet spec.replicatedJobs[name=node].template.spec.parallelism"} <= found.keys()
    assert {reason.text for given in found.values() for reason in given} == {"spec.mlPolicy.numNodes of the runtime mine changed from 2 to 5"}
    assert {reason.place for given in found.values() for reason in given} == {"<input>:8"}


def test_each_change_has_its_own_cause() -> None:
    after = BOTH.replace("scheduleTimeoutSeconds: 60", "scheduleTimeoutSeconds: 90").replace("image:1", "image:2").replace('value: "2"', 'value: "3"')
    found = {address: [reason.text for reason in given] for address, given in reasons(compare_yaml(BOTH, after)).items()}
    container = "JobSet spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node]"
    assert found == {
        f"{container}.image": ["the runtime mine differs there"],
        f"{container}.env[name=B].value": ['spec.trainer.env[name=B].value of the TrainJob changed from "2" to "3"'],
        "PodGroup spec.scheduleTimeoutSeconds": ["spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds of the runtime mine changed from 60 to 90"],
    }


def test_causes_that_only_act_together_are_told_together() -> None:
    """One process a CPU, but only where the TrainJob brings the resources and asks for auto."""
    after = BOTH.replace("cpu: 4", "cpu: 6").replace("numNodes: 2", "numNodes: 3")
    found = reasons(compare_yaml(BOTH, after))
    texts = sorted(reason.text for reason in found["PodGroup spec.minResources.cpu"])
    assert texts == [
        "spec.mlPolicy.numNodes of the runtime mine changed from 2 to 3",
        "spec.template.spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].resources.requests.cpu of the runtime mine "
        "changed from 4 to 6",
    ]
    assert [reason.text for reason in found["PodGroup spec.minMember"]] == ["spec.mlPolicy.numNodes of the runtime mine changed from 2 to 3"]


def test_a_reordered_env_is_no_change() -> None:
    after = BOTH.replace('{name: A, value: "1"}, {name: B, value: "2"}', '{name: B, value: "2"}, {name: A, value: "1"}')
    difference = compare_yaml(BOTH, after)
    assert not difference.changed and not difference.has_errors


def test_a_policy_that_comes_brings_an_object() -> None:
    without = BOTH.replace("  podGroupPolicy:\n    coscheduling:\n      scheduleTimeoutSeconds: 60\n", "")
    (job,) = compare_yaml(without, BOTH).jobs
    states = {item.key[1]: item.state for item in job.objects}
    assert states == {"JobSet": CHANGED, "PodGroup": ADDED}
    for item in job.objects:
        for field in item.fields:
            assert [reason.text.split(":")[0] for reason in field.reasons] == ["spec.podGroupPolicy was added to the runtime mine"]
    (job,) = compare_yaml(BOTH, without).jobs
    assert {item.key[1]: item.state for item in job.objects} == {"JobSet": CHANGED, "PodGroup": REMOVED}


def test_another_runtime_is_the_cause() -> None:
    other = BOTH.replace("name: mine\n", "name: other\n", 1).replace("image:1", "image:2").split("---")[0]
    before = RUNTIME + "---\n" + other + JOB
    after = before.replace("runtimeRef: {name: mine}", "runtimeRef: {name: other}")
    found = reasons(compare_yaml(before, after))
    assert [[reason.text for reason in given] for given in found.values()] == [["spec.runtimeRef.name of the TrainJob changed from mine to other"]]


def test_whole_trainjobs_come_and_go() -> None:
    second = JOB.replace("name: train,", "name: second,")
    assert [(job.name, job.state) for job in compare_yaml(BOTH, BOTH + second).jobs] == [("ml/train", UNCHANGED), ("ml/second", ADDED)]
    assert [(job.name, job.state) for job in compare_yaml(BOTH + second, BOTH).jobs] == [("ml/train", UNCHANGED), ("ml/second", REMOVED)]


def test_a_side_that_is_refused_is_not_compared_and_not_hidden() -> None:
    second = JOB.replace("name: train,", "name: second,")
    difference = compare_yaml(BOTH + second, (BOTH + second.replace("env: [", "env: [{name: PET_NNODES}, ")).replace("image:1", "image:2"))
    assert {job.name: job.state for job in difference.jobs} == {"ml/train": CHANGED, "ml/second": NOT_COMPARED}
    assert difference.has_errors
    assert difference.changed or difference.has_errors


def test_a_feature_of_the_release_is_named_with_its_release_and_citation() -> None:
    job = JOB.replace("env:", "resourcesPerNode: {limits: {nvidia.com/gpu: 1}}\n    env:")
    found = reasons(compare_yaml(RUNTIME + job, RUNTIME + job, before_version="v2.2", after_version="v2.3"))
    container = "JobSet spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node]"
    (reason,) = found[f"{container}.resources.requests"]
    assert (reason.kind, reason.feature, reason.cites) == ("feature", "resources-merged", ("kubeflow/trainer#3602", "kubeflow/trainer#3551"))
    assert reason.text.startswith("since v2.3: resourcesPerNode is merged")
    assert "; until v2.2: resourcesPerNode replaces" in reason.text


def test_a_field_that_the_other_release_drops_is_the_cause() -> None:
    text = (EXAMPLES[6]).read_text()
    found = reasons(compare_yaml(text, text, before_version="v2.1", after_version="v2.2"))
    (reason,) = found["JobSet metadata.labels"]
    assert reason.kind == "dropped"
    assert reason.text == "v2.1 does not have spec.runtimePatches and drops it"


def test_what_one_release_drops_is_the_cause_of_nothing_else() -> None:
    """Not of what has another cause; what JobSet makes of it has the reason of the JobSet."""
    text = EXAMPLES[6].read_text()
    difference = compare_yaml(text, text.replace("numNodes: 2", "numNodes: 3"), before_version="v2.1", after_version="v2.2", after_jobset_version="0.11")
    found = {address: [(reason.kind, reason.text) for reason in given] for address, given in reasons(difference).items()}
    nodes = [("input", "spec.trainer.numNodes of the TrainJob changed from 2 to 3")]
    assert found["JobSet spec.replicatedJobs[name=node].template.spec.parallelism"] == nodes
    assert found["Job spec.parallelism"] == found["Job spec.completions"] == nodes
    assert found["JobSet metadata.labels"] == [("dropped", "v2.1 does not have spec.runtimePatches and drops it")]
    template = "spec.replicatedJobs[name=node].template."
    for field in ("volumes", "containers[name=node].volumeMounts", "containers[name=node].env[name=PET_NNODES].value", "nodeSelector", "tolerations"):
        assert found[f"Job spec.template.spec.{field}"] == found[f"JobSet {template}spec.template.spec.{field}"]
    assert found['Job spec.template.metadata.annotations["prometheus.io/scrape"]'] == found["JobSet metadata.labels"]
    assert {kind for address, given in found.items() if address.startswith("Job ") for kind, _ in given} == {"input", "dropped"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.name)
@pytest.mark.parametrize("releases", [(old.name, new.name) for old in PROFILES for new in PROFILES if old is not new], ids="-".join)
def test_every_change_between_any_two_releases_has_a_cause(example: Path, releases: tuple[str, str]) -> None:
    text = example.read_text()
    difference = compare_yaml(text, text, before_version=releases[0], after_version=releases[1])
    for address, given in reasons(difference).items():
        assert given, address
        assert "origin" not in {reason.kind for reason in given}, (address, given)


def test_what_provenance_knows_is_not_tried() -> None:
    difference = compare_yaml(BOTH, BOTH.replace("image:1", "image:2"))
    ((reason,),) = reasons(with_reasons(difference, budget=0)).values()
    assert (reason.kind, reason.text, reason.place) == ("input", "the runtime mine differs there", "<input>:25")
    other = BOTH.replace("name: mine\n", "name: other\n", 1).replace("image:1", "image:2").split("---")[0] + "---\n" + RUNTIME + JOB
    difference = compare_yaml(other, other.replace("runtimeRef: {name: mine}", "runtimeRef: {name: other}"))
    ((reason,),) = reasons(with_reasons(difference, budget=0)).values()
    assert reason.text == "spec.runtimeRef.name of the TrainJob changed from mine to other"


def test_what_stands_behind_a_value_need_not_be_why_it_is_gone() -> None:
    after = BOTH.replace("ancestor-step: trainer}", "ancestor-step: other}").replace('value: "2"', 'value: "3"')
    container = "JobSet spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node]"
    (reason,) = reasons(compare_yaml(BOTH, after))[f"{container}.env"]
    assert "ancestor-step" in reason.text and reason.text.endswith("of the runtime mine changed from trainer to other")


def test_a_release_and_an_input_that_both_may_be_the_cause_are_told_apart() -> None:
    job = JOB.replace("env:", "resourcesPerNode: {limits: {nvidia.com/gpu: 1}}\n    env:")
    after = (RUNTIME + job).replace("image:1", "image:2")
    found = reasons(compare_yaml(RUNTIME + job, after, before_version="v2.2", after_version="v2.3"))
    container = "JobSet spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node]"
    assert [reason.text for reason in found[f"{container}.image"]] == ["the runtime mine differs there"]
    assert [reason.feature for reason in found[f"{container}.resources.requests"]] == ["resources-merged"]


def test_without_compiles_to_spend_the_origin_is_the_reason() -> None:
    text = EXAMPLES[1].read_text()
    found = reasons(with_reasons(compare_yaml(text, text, before_version="v2.0", after_version="v2.3"), budget=0))
    assert {reason.kind for given in found.values() for reason in given} >= {"origin"}


@pytest.mark.parametrize(("count", "told"), [(40, "metadata.labels.a0 was added to the TrainJob: x"), (41, "metadata.labels of the TrainJob changed")])
def test_many_changes_of_one_document_are_taken_together(count: int, told: str) -> None:
    labels = (", ".join(f"a{number}: x" for number in range(of)) for of in (0, count))
    texts = [BOTH.replace("name: train, namespace: ml", f"name: train, namespace: ml, labels: {{z: x, {more}}}") for more in labels]
    before, after = (compare_yaml(text, text).jobs[0].before for text in texts)
    assert before is not None and after is not None and before.unit is not None and after.unit is not None
    factors = factors_of(before.unit, after.unit)
    assert factors[0].reason.text == told and len(factors) == (count if count <= 40 else 1)
    assert factors[0].reason.place.startswith("<input>:")


def test_changes_that_have_no_field_in_common() -> None:
    strange = "".join(f"field{number}: x\n" for number in range(41))
    (field,) = reasons(compare_yaml(BOTH, BOTH.replace('value: "2"', 'value: "3"') + strange)).values()
    assert [reason.text for reason in field] == ["everything of the TrainJob changed"]


def test_contents_of_secrets_are_hidden() -> None:
    text = EXAMPLES[4].read_text()
    difference = compare_yaml(text, text.replace("name: t5-summarize", "name: other"))
    secrets = [item for job in difference.jobs for item in job.objects if item.key[1] == "Secret"]
    assert secrets
    for item in secrets:
        manifest = item.before or item.after
        assert manifest is not None
        for field in item.fields:
            assert (field.change.before is MISSING, field.change.after is MISSING) == (item.before is None, item.after is None)
        assert set(manifest["data"].values()) == {"(hidden)"}
