"""The ConfigMap in which the controller of 2.3 keeps the runtime of a TrainJob."""

from __future__ import annotations

import yaml

from jobset_compiler import compile_yaml
from jobset_compiler.result.forms import SUBMITTED, in_form

INPUT = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata:
  name: mine
  namespace: team
  uid: abc
  labels: {trainer.kubeflow.org/framework: torch}
spec:
  mlPolicy: {torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template: {spec: {template: {spec: {containers: [{name: node, image: a, resources: {limits: {cpu: "1.0"}}}]}}}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train, namespace: team, uid: "1"}
spec: {runtimeRef: {name: mine, kind: TrainingRuntime}}
"""


def test_it_has_the_runtime_as_stored_without_what_only_a_cluster_knows() -> None:
    (unit,) = compile_yaml(INPUT).units
    *_, kept = in_form(unit, SUBMITTED, snapshot=True)
    meta = kept["metadata"]
    assert (kept["kind"], meta["name"], meta["namespace"], meta["ownerReferences"][0]["name"]) == ("ConfigMap", "train-runtime-snapshot", "team", "train")
    assert list(kept["data"]) == ["runtime"]
    runtime = yaml.safe_load(kept["data"]["runtime"])
    assert runtime["metadata"] == {"name": "mine", "namespace": "team", "labels": {"trainer.kubeflow.org/framework": "torch"}}
    (job,) = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    assert (job["groupName"], job["replicas"]) == ("default", 1), "the server's defaults"
    (container,) = job["template"]["spec"]["template"]["spec"]["containers"]
    assert container["resources"] == {"limits": {"cpu": "1"}}, "after Go's types"
    assert list(container) == sorted(container), "as Go writes it: by name"


def test_only_releases_that_keep_one_have_it() -> None:
    for release, kinds in (("v2.2", ["JobSet"]), ("v2.3", ["JobSet", "ConfigMap"])):
        (unit,) = compile_yaml(INPUT, trainer_version=release).units
        assert [manifest["kind"] for manifest in in_form(unit, SUBMITTED, snapshot=True)] == kinds
        assert len(in_form(unit, SUBMITTED)) == 1, "on request only"
        named = [requirement.name for requirement in compile_yaml(INPUT, trainer_version=release).requirements]
        assert ("train-runtime-snapshot" in named) is (release == "v2.3")
