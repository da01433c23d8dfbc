from __future__ import annotations

import pytest

from jobset_compiler.passes.api import AddMount, AddVolume
from jobset_compiler.resolve.facts import Facts
from tests.passes.plans import compiled, container, edits, env_of, job, messages, plan_of, runtime, step, the, trainjob

ON = Facts(feature_gates=frozenset({"TrainJobStatus"}))
NAMES = ["KUBEFLOW_TRAINER_SERVER_URL", "KUBEFLOW_TRAINER_SERVER_CA_CERT", "KUBEFLOW_TRAINER_SERVER_TOKEN"]
PATH = "trainer.kubeflow.org/v1alpha1/namespaces/ns/trainjobs/job/status"


@pytest.mark.parametrize("profile", ["v2.2", "v2.3"])
def test_every_container_of_the_first_trainer_job(profile: str) -> None:
    given = runtime({"torch": {}}, job(containers=[container(), container("side")], initContainers=[container("wait")]), job("other"))
    found = edits(step("trainjob-status"), plan_of(given, trainjob({}), profile, ON))
    assert [(edit.pod_set, edit.container, edit.mount["mountPath"], edit.mount["readOnly"]) for edit in found if isinstance(edit, AddMount)] == [
        ("node", "node", "/var/run/secrets/kubeflow/trainer", True),
        ("node", "side", "/var/run/secrets/kubeflow/trainer", True),
    ]
    volume = next(edit.volume for edit in found if isinstance(edit, AddVolume))
    assert volume["projected"]["sources"] == [
        {"serviceAccountToken": {"audience": PATH, "expirationSeconds": 3600, "path": "token"}},
        {"configMap": {"name": "job-tls-config", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
    ]


@pytest.mark.parametrize("profile", ["v2.2", "v2.3"])
def test_variables_follow_those_of_the_policy(profile: str) -> None:
    result = compiled(runtime({"torch": {}}), trainjob({"env": [{"name": "A", "value": "a"}]}), profile, feature_gates={"TrainJobStatus": True})
    env = env_of(result, "node")
    assert next(name for name, _ in env) == "A" and [name for name, _ in env][-3:] == NAMES
    assert dict(env)[NAMES[0]] == f"https://kubeflow-trainer-controller-manager.kubeflow-system.svc:10443/apis/{PATH}"


@pytest.mark.parametrize("gates", [None, {"TrainJobStatus": False}])
def test_off_by_default(gates: dict[str, bool] | None) -> None:
    result = compiled(runtime({"torch": {}}), trainjob({}), feature_gates=gates)
    assert not {name for name, _ in env_of(result, "node")}.intersection(NAMES)
    assert [item["kind"] for item in result.objects] == ["JobSet"]


def test_the_config_map_comes_without_a_trainer_job_too() -> None:
    result = compiled(runtime(None, job("node", None)), trainjob(), feature_gates={"TrainJobStatus": True})
    assert "PLACEHOLDER" in the(result, "ConfigMap")["data"]["ca.crt"]


def test_facts_fill_in_authority_and_namespace() -> None:
    facts = Facts(certificate_authority="-----CA-----\n", operator_namespace="ops")
    result = compiled(runtime(None), trainjob({}), facts=facts, feature_gates={"TrainJobStatus": True})
    assert the(result, "ConfigMap")["data"] == {"ca.crt": "-----CA-----\n"}
    assert dict(env_of(result, "node"))[NAMES[0]].startswith("https://kubeflow-trainer-controller-manager.ops.svc:10443/")
    assert not [d for d in result.diagnostics if d.code == "JSC322"]


@pytest.mark.parametrize(("profile", "codes"), [("v2.0", ["JSC323"]), ("v2.1", ["JSC323"]), ("v2.2", []), ("v2.3", [])])
def test_a_release_without_the_gate(profile: str, codes: list[str]) -> None:
    plan = plan_of(runtime({"torch": {}}), trainjob({}), profile, ON)
    assert bool(edits(step("trainjob-status"), plan)) is not bool(codes)
    assert [code for code, _, _ in messages(step("feature-gates"), plan)] == codes
