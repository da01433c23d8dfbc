"""The preview of the Kubeflow SDK without the SDK: what stands in the place of the API server. With the SDK itself: `test_objects.py`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler import runtimes
from jobset_compiler.integrations.sdk import Preview
from jobset_compiler.profiles import NEWEST

Tree = dict[str, Any]
TRAINER = ("trainer.kubeflow.org", "v1alpha1")
JOB: Tree = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "mnist", "namespace": "other", "labels": {"a": "b"}}}
JOB["spec"] = {"runtimeRef": {"name": "mine"}}


class ApiException(Exception):  # noqa: N818  # as the client of Kubernetes calls it
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(status, reason)


@pytest.fixture(autouse=True)
def sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much of the SDK as a preview asks for: classes whose own __init__ looks for a cluster."""

    class Backend:
        def __init__(self) -> None:
            raise AssertionError("looked for a cluster")

    modules: dict[str, Tree] = {
        "kubeflow.trainer": {"TrainerClient": type("TrainerClient", (Backend,), {})},
        "kubeflow.trainer.backends.kubernetes.backend": {"KubernetesBackend": Backend},
        "kubernetes.client": {"ApiException": ApiException},
    }
    for name, members in modules.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)


def runtime(name: str, kind: str = "ClusterTrainingRuntime", **metadata: str) -> Tree:
    containers = [{"name": "node", "image": name}]
    label = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
    node = {"name": "node", "template": {"metadata": {"labels": label}, "spec": {"template": {"spec": {"containers": containers}}}}}
    spec = {"template": {"spec": {"replicatedJobs": [node]}}}
    return {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


OURS = [
    runtime("mine"),
    runtime("torch-distributed"),
    runtime("near", "TrainingRuntime", namespace="ml-team"),
    runtime("nowhere", "TrainingRuntime"),
    runtime("far", "TrainingRuntime", namespace="other"),
]


def server(**options: Any) -> tuple[Preview, Any]:
    preview = Preview(runtimes=OURS, **options)
    assert preview.client.backend.custom_api is preview.client.backend.core_api
    return preview, preview.client.backend.custom_api


def names(listed: Tree) -> list[str]:
    return [each["metadata"]["name"] for each in listed["items"]]


def test_the_runtimes_that_the_server_has_are_those_given_and_the_bundled_ones_that_they_do_not_hide() -> None:
    preview, api = server(namespace="ml-team")
    assert preview.client.backend.namespace == "ml-team" and preview.trainer_version == NEWEST.name
    listed = api.list_cluster_custom_object(*TRAINER, "clustertrainingruntimes", async_req=True).get(timeout=5)
    bundled = [name for name in runtimes.names(NEWEST.name) if name != "torch-distributed"]
    assert names(listed) == ["mine", "torch-distributed", *bundled]
    assert {key: value for key, value in listed.items() if key != "items"} == {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntimeList",
        "metadata": {},
    }
    of_namespace = api.list_namespaced_custom_object(*TRAINER, "ml-team", "trainingruntimes").get()
    assert names(of_namespace) == ["near"] and of_namespace["kind"] == "TrainingRuntimeList"
    assert api.get_cluster_custom_object(*TRAINER, "clustertrainingruntimes", "torch-distributed").get() == OURS[1]
    assert api.get_cluster_custom_object(*TRAINER, "clustertrainingruntimes", bundled[0]).get()["metadata"]["name"] == bundled[0]
    assert api.get_namespaced_custom_object(*TRAINER, "ml-team", "trainingruntimes", "near").get() == OURS[2]


def test_what_has_no_namespace_is_in_the_default_one_and_bundled_runtimes_can_be_left_out() -> None:
    _, api = server(trainer_version="v2.0", bundled_runtimes=False)
    assert names(api.list_cluster_custom_object(*TRAINER, "clustertrainingruntimes").get()) == ["mine", "torch-distributed"]
    assert names(api.list_namespaced_custom_object(*TRAINER, "default", "trainingruntimes").get()) == ["nowhere"]
    _, api = server(trainer_version="v2.0")
    listed = names(api.list_cluster_custom_object(*TRAINER, "clustertrainingruntimes").get())
    assert set(listed) == {"mine", *runtimes.names("v2.0")}


def test_what_is_not_there_is_not_found() -> None:
    _, api = server(namespace="ml-team")
    for answer, name in (
        (api.get_cluster_custom_object(*TRAINER, "clustertrainingruntimes", "near"), "clustertrainingruntimes near"),
        (api.get_namespaced_custom_object(*TRAINER, "ml-team", "trainingruntimes", "far"), "trainingruntimes far"),
    ):
        with pytest.raises(ApiException) as caught:
            answer.get()
        assert caught.value.args == (404, f"no {name}")


def test_what_is_submitted_is_compiled_in_order_in_the_namespace_that_the_server_was_told() -> None:
    preview, api = server(namespace="ml-team")
    created = api.create_namespaced_custom_object(*TRAINER, "ml-team", "trainjobs", JOB)
    assert created["metadata"] == {"name": "mnist", "namespace": "ml-team", "labels": {"a": "b"}} and JOB["metadata"]["namespace"] == "other"
    nameless = {**JOB, "metadata": {"name": "second"}}
    api.create_namespaced_custom_object(*TRAINER, "ml-team", "trainjobs", nameless)
    assert preview.trainjobs == [created, {**nameless, "metadata": {"name": "second", "namespace": "ml-team"}}]
    result = preview.compile()
    assert result == jc.compile_objects([*OURS, *preview.trainjobs]) and result.ok
    assert [(each["metadata"]["name"], each["metadata"]["namespace"]) for each in result.objects] == [("mnist", "ml-team"), ("second", "ml-team")]
    old, _ = server(trainer_version="v2.0", bundled_runtimes=False)
    old.trainjobs.append({**JOB, "spec": {"runtimeRef": {"name": "jax-distributed"}}})
    assert old.compile() == jc.compile_objects([*OURS, *old.trainjobs], trainer_version="v2.0", bundled_runtimes=False) and not old.compile().ok


def test_nothing_else_is_answered() -> None:
    _, api = server()
    calls: tuple[tuple[Callable[[], Any], str], ...] = (
        (lambda: api.list_namespaced_custom_object(*TRAINER, "default", "trainjobs"), "listing trainjobs"),
        (lambda: api.list_cluster_custom_object(*TRAINER, "trainjobs"), "listing trainjobs"),
        (lambda: api.delete_namespaced_custom_object, "delete_namespaced_custom_object"),
    )
    for call, what in calls:
        with pytest.raises(NotImplementedError) as caught:
            call()
        assert str(caught.value) == f"a preview submits TrainJobs and knows runtimes; {what} needs a cluster"


def test_a_preview_takes_a_list_of_runtimes() -> None:
    with pytest.raises(TypeError, match=r"^runtimes takes a list of objects, not dict"):
        Preview(runtimes=OURS[0])
    with pytest.raises(ValueError, match="unknown release"):
        Preview(trainer_version="v9")
