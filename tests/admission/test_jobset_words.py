"""What is said of JobSets that differ in one point each. Read the texts below `__snapshots__`; `--snapshot-update` writes them."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.emit.yaml import to_yaml
from tests.admission.rules.cases import NODE, Tree, job, runtime, trainjob
from tests.admission.test_document_words import told


def of_jobset(*jobs: Tree, **spec: Any) -> Tree:
    """A runtime whose JobSet has these jobs (of which the first is the trainer's) and fields."""
    tree = runtime(*(jobs or (NODE,)))
    tree["spec"]["template"]["spec"].update(spec)
    return tree


def with_spec(entry: Tree, **spec: Any) -> Tree:
    """The replicatedJob with fields in the spec of its Job."""
    template = entry["template"]
    return {**entry, "template": {**template, "spec": {**template["spec"], **spec}}}


def rules(*given: Tree) -> Tree:
    return of_jobset(NODE, job("other"), failurePolicy={"rules": [{"action": "FailJobSet", "name": f"r{index}", **each} for index, each in enumerate(given)]})


def claims(*names: str, mounted: str = "", volume: str = "") -> Tree:
    containers = [{"name": "node", "image": "i", "volumeMounts": [{"name": name, "mountPath": f"/{name}"} for name in mounted.split()]}]
    pod: Tree = {"volumes": [{"name": volume, "emptyDir": {}}]} if volume else {}
    templates = [{"metadata": {"name": name}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}} for name in names]
    return of_jobset(job("node", "trainer", containers=containers, **pod), volumeClaimPolicies=[{"templates": [each]} for each in templates])


def claims_of(**pod: Any) -> Tree:
    given = claims("data")["spec"]["template"]["spec"]["volumeClaimPolicies"]
    return of_jobset(job("node", "trainer", containers=[{"name": "node", "image": "i"}], **pod), volumeClaimPolicies=given)


SIGNS: list[Tree] = [{"name": "first", "image": "i", "args": ["a < b && c > d", '"e"', "é"]}]


def host(**coordinator: Any) -> Tree:
    return of_jobset(NODE, job("other"), coordinator={"replicatedJob": "node", **coordinator})


CASES: dict[str, Tree] = {
    "success by a job that is not there": of_jobset(NODE, job("other"), successPolicy={"operator": "Any", "targetReplicatedJobs": ["node", "nod", "zzz"]}),
    "a rule without a name": rules({"name": ""}),
    "rules of one name": rules({}, {"name": "r0"}, {"name": "r0"}),
    **{f"a rule of {count} letters": rules({"name": "a" * count}) for count in (128, 129)},
    **{f"a rule that is called {name}": rules({"name": name}) for name in ("a", "1a", "a1", "a_", "a:", "a,", "a:b,c_", "a-b")},
    "failure of a job that is not there": rules({}, {"targetReplicatedJobs": ["other", "othr"]}),
    "reasons that there are": rules({"onJobFailureReasons": ["BackoffLimitExceeded", "DeadlineExceeded", "PodFailurePolicy"]}),
    "a reason that there is not": rules({"onJobFailureReasons": ["BackoffLimitExceeded", "backoffLimitExceeded"]}),
    "a restart of one Job": rules({}, {"action": "RestartJob"}),
    "two restarts of one Job": rules({}, {"action": "RestartJob"}, {"action": "RestartJobAndIgnoreMaxRestarts"}),
    "a restart in place": of_jobset(failurePolicy={"restartStrategy": "InPlaceRestart"}),
    "a coordinator": host(),
    "a coordinator that is not there": host(replicatedJob="nod"),
    **{f"the job {index} for a coordinator": host(jobIndex=index) for index in (-1, 0, 1)},
    **{f"the pod {index} for a coordinator": host(podIndex=index) for index in (-1, 0, 1, 2)},
    "a coordinator without an index": of_jobset(with_spec(NODE, completionMode="NonIndexed"), coordinator={"replicatedJob": "node"}),
    "a coordinator of a long name": of_jobset(NODE, job("b" * 50), coordinator={"replicatedJob": "b" * 50}),
    "a coordinator of a long subdomain": of_jobset(NODE, job("b" * 30), coordinator={"replicatedJob": "b" * 30}, network={"subdomain": "s" * 30}),
    "a coordinator of a long name, with a long subdomain": of_jobset(coordinator={"replicatedJob": "node"}, network={"subdomain": "s" * 60}),
    "a coordinator of a subdomain that cannot be": of_jobset(coordinator={"replicatedJob": "node"}, network={"subdomain": "a b"}),
    "a job in capitals": of_jobset(NODE, job("Side")),
    "a success of nothing": of_jobset(successPolicy={"operator": "All", "targetReplicatedJobs": ["zzz"]}),
    "a claim that nothing mounts": claims("data"),
    "a claim that is mounted": claims("data", mounted="data"),
    "a claim that is mounted twice over": claims("data", "data", mounted="data"),
    "a claim of a name that cannot be": claims("Data", mounted="Data"),
    "a claim of a long name": claims("d" * 60, mounted="d" * 60),
    "a claim of a name that leaves room": claims("d" * 59, mounted="d" * 59),
    "a claim that nothing mounts, beside signs that Go escapes": claims_of(initContainers=SIGNS),
    "a claim that an init container mounts": claims_of(initContainers=[{"name": "i", "image": "i", "volumeMounts": [{"name": "data", "mountPath": "/d"}]}]),
    "a claim that is a volume": claims("data", mounted="data", volume="data"),
    "a subdomain": of_jobset(network={"subdomain": "net"}),
    "a subdomain that cannot be": of_jobset(network={"subdomain": "Net.1"}),
    "a long subdomain": of_jobset(network={"subdomain": "n" * 64}),
    "the first job waits": of_jobset({**NODE, "dependsOn": [{"name": "other", "status": "Ready"}]}, job("other")),
    "a job waits for itself": of_jobset(NODE, {**job("other"), "dependsOn": [{"name": "other", "status": "Ready"}]}),
    "a job waits for two": of_jobset(NODE, job("a"), {**job("b"), "dependsOn": [{"name": "a", "status": "Ready"}, {"name": "node", "status": "Complete"}]}),
    "a job in a group": of_jobset(NODE, {**job("a"), "groupName": "group"}),
    "a job in a group that cannot be": of_jobset(NODE, {**job("a"), "groupName": "Group"}),
    **{f"a job in a group of {count} letters": of_jobset(NODE, {**job("a"), "groupName": "g" * count}) for count in (63, 64)},
    "as many pods as can be counted": of_jobset(NODE, {**with_spec(job("a"), parallelism=1, completions=1), "replicas": 2**31 - 1}),
    "more pods than can be counted": of_jobset(NODE, {**with_spec(job("a"), parallelism=2, completions=2), "replicas": 2**30}),
    "a job whose name begins with a digit": of_jobset(NODE, job("1a")),
    "a job of a long name": of_jobset(NODE, job("a" * 60)),
    "a label of the JobSet that cannot be": runtime(template={"metadata": {"labels": {"team": "a b"}}}),
    "an annotation of the JobSet that cannot be": runtime(template={"metadata": {"annotations": {"a b": "team"}}}),
    "a manager that cannot be": of_jobset(managedBy="x"),
    **{f"a manager of {count} letters": of_jobset(managedBy="a.io/" + "m" * (count - 5)) for count in (63, 64)},
}


@pytest.mark.parametrize("release", ["v2.1", "v2.3"])
@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_a_jobset(name: str, release: str, snapshot: SnapshotAssertion) -> None:
    text = to_yaml((CASES[name], trainjob(trainer={"numNodes": 2})))
    assert told(jc.compile_yaml(text, trainer_version=release, bundled_runtimes=False).diagnostics) == snapshot
