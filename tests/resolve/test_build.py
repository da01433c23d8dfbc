"""TrainJob and runtime -> Plan: counts, metadata, patches and resources by release."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import pytest

import jobset_compiler as jc
from jobset_compiler.kube import merge
from jobset_compiler.kube.lineage import UNTOLD, Lineage
from jobset_compiler.resolve.plan import Plan
from tests.passes.plans import compiled, job, plan_of, runtime, trainjob

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

RUNTIME = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: rt}
spec:
  POLICY
  template:
    metadata: {labels: {a: runtime, b: runtime}, annotations: {x: runtime}}
    spec:
      replicatedJobs:
      - name: data
        template: {spec: {parallelism: 3, template: {spec: {containers: [{name: c, image: x}]}}}}
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: x
                  resources: {limits: {nvidia.com/gpu: 8, memory: 64Gi}, requests: {cpu: 2}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: job}
spec:
  runtimeRef: {name: rt}
"""


def plan(job: str, policy: str = "mlPolicy: {numNodes: 4}", profile: str = "v2.3") -> Plan:
    result = jc.compile_yaml(RUNTIME.replace("POLICY", policy) + job, trainer_version=profile, bundled_runtimes=False)
    assert result.ok, [(d.path, d.message) for d in result.diagnostics]
    (unit,) = result.units
    return unit.plan


def pod_sets(p: Plan) -> list[tuple[str, str | None, int]]:
    return [(pods.name, pods.ancestor, pods.count) for pods in p.pod_sets]


def test_counts_come_from_policy_and_parallelism() -> None:
    assert pod_sets(plan("")) == [("data", None, 3), ("node", "trainer", 4)]


def test_without_a_policy_the_trainer_is_counted_like_any_job() -> None:
    assert pod_sets(plan("", policy="")) == [("data", None, 3), ("node", "trainer", 1)]


def test_counts_below_one_are_raised_when_they_come_from_the_runtime() -> None:
    assert pod_sets(plan("", policy="mlPolicy: {numNodes: 0}"))[1] == ("node", "trainer", 1)
    assert pod_sets(plan("  trainer: {numNodes: 0}"))[1] == ("node", "trainer", 0)


def node_resources(p: Plan, profile: str) -> Any:
    from jobset_compiler.objects.build import build_objects

    container = build_objects(p)[0]["spec"]["replicatedJobs"][1]["template"]["spec"]["template"]["spec"]["containers"][0]
    return container["resources"]


OF_THE_RUNTIME = {"limits": {"memory": "64Gi", "nvidia.com/gpu": "8"}, "requests": {"cpu": "2"}}


@pytest.mark.parametrize(
    ("wanted", "replaced", "merged"),
    [
        ("{requests: {cpu: 8}}", {"requests": {"cpu": "8"}}, {"limits": {"memory": "64Gi", "nvidia.com/gpu": "8"}, "requests": {"cpu": "8"}}),
        ("{limits: {nvidia.com/gpu: 1}}", {"limits": {"nvidia.com/gpu": "1"}}, {"limits": {"memory": "64Gi", "nvidia.com/gpu": "1"}, "requests": {"cpu": "2"}}),
        ("{}", OF_THE_RUNTIME, OF_THE_RUNTIME),
    ],
)
def test_resources_per_node_replace_or_merge(wanted: str, replaced: Any, merged: Any) -> None:
    job = f"  trainer: {{resourcesPerNode: {wanted}}}"
    for profile in ("v2.0", "v2.1", "v2.2"):
        assert node_resources(plan(job, profile=profile), profile) == replaced
    assert node_resources(plan(job), "v2.3") == merged


def test_without_a_policy_resources_are_ignored_where_they_are_merged() -> None:
    job = "  trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}"
    assert node_resources(plan(job, policy=""), "v2.3")["limits"]["nvidia.com/gpu"] == "8"
    assert node_resources(plan(job, policy="", profile="v2.2"), "v2.2")["limits"] == {"nvidia.com/gpu": "1"}


SPELLINGS = {
    "v2.0": "  labels: {b: mine}\n  podSpecOverrides: [{targetJobs: [{name: node}], nodeSelector: {pool: gpu}}]",
    "v2.1": "  labels: {b: mine}\n  podTemplateOverrides: [{targetJobs: [{name: node}], spec: {nodeSelector: {pool: gpu}}}]",
    "v2.2": (
        "  runtimePatches: [{manager: a.b/c, trainingRuntimeSpec: {template: {metadata: {labels: {b: mine}}, spec: {replicatedJobs: "
        "[{name: node, template: {spec: {template: {spec: {nodeSelector: {pool: gpu}}}}}}]}}}}]"
    ),
}
SPELLINGS["v2.3"] = SPELLINGS["v2.2"]


@pytest.mark.parametrize("profile", SPELLINGS)
def test_every_spelling_of_an_override_comes_to_the_same(profile: str) -> None:
    p = plan(SPELLINGS[profile], profile=profile)
    assert p.labels == {"a": "runtime", "b": "mine"} and p.annotations == {"x": "runtime"}
    jobs = p.template["replicatedJobs"]
    assert [job["name"] for job in jobs] == ["data", "node"]
    assert jobs[1]["template"]["spec"]["template"]["spec"]["nodeSelector"] == {"pool": "gpu"}
    assert "nodeSelector" not in jobs[0]["template"]["spec"]["template"]["spec"]


def patch(*jobs: str) -> str:
    listed = ", ".join(f"{{name: {job}, template: {{spec: {{template: {{spec: {{serviceAccountName: s}}}}}}}}}}" for job in jobs)
    return f"  runtimePatches: [{{manager: a.b/c, trainingRuntimeSpec: {{template: {{spec: {{replicatedJobs: [{listed}]}}}}}}}}]"


def test_patches_merge_in_order_and_the_last_one_wins() -> None:
    job = "  runtimePatches:\n" + "".join(
        f"  - {{manager: {manager}, trainingRuntimeSpec: {{template: {{metadata: {{labels: {{a: {value}}}}}, spec: {{replicatedJobs: "
        f"[{{name: node, template: {{spec: {{template: {{spec: {{serviceAccountName: {value}}}}}}}}}}}]}}}}}}}}\n"
        for manager, value in (("a.b/c", "one"), ("d.e/f", "two"))
    )
    p = plan(job)
    assert p.labels["a"] == "two"
    assert p.template["replicatedJobs"][1]["template"]["spec"]["template"]["spec"]["serviceAccountName"] == "two"


def test_an_unknown_job_is_added_first_or_second_by_release() -> None:
    """Upstream 2.3 (#3709): [data, node] with a patch for ghost gives [ghost, data, node]; the result has no containers."""
    result = jc.compile_yaml(RUNTIME.replace("POLICY", "") + patch("ghost"), bundled_runtimes=False)
    assert not result.ok
    assert "spec.replicatedJobs[0].template.spec.template.spec.containers" in {d.path for d in result.diagnostics}


def test_nulls_and_empty_lists_are_no_part_of_the_template() -> None:
    """Upstream makes an apply configuration of it, which omits them; `sources` of projected volumes is one that Go always writes."""
    volumes = [{"name": "all", "projected": {}}, {"name": "none", "projected": {"sources": []}}]
    p = plan_of(runtime(None, job(volumes=volumes)), trainjob())
    assert p.lost_lists
    assert p.template["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["volumes"] == [
        {"name": "all", "projected": {}},
        {"name": "none", "projected": {}},
    ]
    assert not plan_of(runtime(None, job()), trainjob()).lost_lists


def override(profile: str, **pod: Any) -> dict[str, Any]:
    """An override of the pods of node, in the spelling of a release."""
    if profile == "v2.0":
        return {"podSpecOverrides": [{"targetJobs": [{"name": "node"}], **pod}]}
    if profile == "v2.1":
        return {"podTemplateOverrides": [{"targetJobs": [{"name": "node"}], "spec": pod}]}
    patched = {"replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"spec": pod}}}}]}
    return {"runtimePatches": [{"manager": "a.b/c", "trainingRuntimeSpec": {"template": {"spec": patched}}}]}


@pytest.mark.parametrize("profile", SPELLINGS)
def test_what_an_override_leaves_empty_goes_too(profile: str) -> None:
    p = plan_of(runtime(None, job()), trainjob(**override(profile, volumes=[{"name": "v", "projected": {"sources": []}}])), profile)
    assert p.lost_lists
    assert p.template["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["volumes"] == [{"name": "v", "projected": {}}]


@pytest.mark.parametrize("profile", SPELLINGS)
def test_an_override_that_cannot_be_merged_is_told_of(profile: str) -> None:
    """Upstream's webhook ignores the error, and then crashes for want of an Info."""
    given, asked = runtime(None, job(nodeSelector={"zone": "a"})), trainjob(**override(profile, nodeSelector={"$patch": "x", "zone": "b"}))
    assert plan_of(given, asked, profile).unmergeable is not None
    result = compiled(given, asked, profile)
    assert [(d.slug, d.message) for d in result.diagnostics if d.is_error] == [("patch-unmergeable", "unknown patch type: x in map: map[$patch:x zone:b]")]


def test_a_directive_in_a_map_is_obeyed() -> None:
    given, asked = runtime(None, job(nodeSelector={"zone": "a"})), trainjob(**override("v2.3", nodeSelector={"$patch": "replace", "pool": "gpu"}))
    template = plan_of(given, asked).template
    assert template["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["nodeSelector"] == {"pool": "gpu"}


@pytest.mark.parametrize("profile", SPELLINGS)
def test_where_values_come_from_is_worked_out_when_asked(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is the same in a copy; what no patch touches is the runtime's own."""
    asked: list[Lineage] = []
    recorded = merge.merge_with_lineage

    def seen(original: Any, origin: Lineage, *others: Any) -> Any:
        asked.append(origin)
        return recorded(original, origin, *others)

    monkeypatch.setattr(merge, "merge_with_lineage", seen)
    p = plan(SPELLINGS[profile], profile=profile)
    assert asked == [UNTOLD]
    assert p.template["replicatedJobs"][0] is p.runtime.template["replicatedJobs"][0]
    pod: Path = ("replicatedJobs", 1, "template", "spec", "template", "spec")
    for record in (p.record, copy.deepcopy(p.record), pickle.loads(pickle.dumps(p.record)), p.record):
        by_patch = record.spoken((*pod, "nodeSelector", "pool"))[0]
        assert by_patch.override is not None and by_patch.path[-2:] == ("nodeSelector", "pool")
        assert record.spoken((*pod, "containers", 0, "name"))[-1].override is None
        assert record == p.record and hash(record) == hash(p.record)
    assert len(asked) == 2
