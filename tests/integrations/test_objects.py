"""compile_objects with what other programs hold: kopf bodies, models of kubernetes and of kubeflow-trainer-api, the SDK's calls."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

import jobset_compiler as jc

pytestmark = pytest.mark.filterwarnings("ignore")  # those of other packages

RUNTIME, JOB = list(yaml.safe_load_all((Path(__file__).resolve().parents[2] / "examples" / "08-coscheduling.yaml").read_text()))
EXPECTED = jc.compile_objects([RUNTIME, JOB])


def needs(module: str) -> Any:
    return pytest.importorskip(module, reason=f"{module} is not installed; pip install jobset-compiler[integrations]")


def test_totals_are_exact() -> None:
    (pods,) = EXPECTED.podsets
    assert (pods.count, pods.requests, pods.total) == (8, {"cpu": "8", "memory": "32Gi"}, {"cpu": "64", "memory": "256Gi"})


def test_a_limit_without_a_request_is_the_request() -> None:
    """As the API server fills it in: a pod with only a GPU limit takes the GPU."""
    job = deepcopy(JOB)
    job["spec"]["trainer"]["resourcesPerNode"] = {"limits": {"nvidia.com/gpu": 8, "memory": "1Ti"}, "requests": {"memory": "500Gi"}}
    (pods,) = jc.compile_objects([RUNTIME, job]).podsets
    assert pods.total == {"memory": "4000Gi", "nvidia.com/gpu": "64"}


@pytest.mark.parametrize("release", ["v2.0", "v2.1", "v2.2", "v2.3"])
def test_totals_are_those_of_the_pods_whatever_the_gang_is_told(release: str) -> None:
    """2.0 counts only the runtime's requests in its PodGroup (#2980); the pods ask for resourcesPerNode all the same."""
    (pods,) = jc.compile_objects([RUNTIME, JOB], trainer_version=release).podsets
    assert pods.total == {"cpu": "64", "memory": "256Gi"}


def test_kopf_bodies() -> None:
    kopf = needs("kopf")
    body = kopf.Body({**JOB, "status": {"conditions": []}})
    before = deepcopy(dict(body))
    result = jc.compile_objects([body, RUNTIME])
    assert result.objects == EXPECTED.objects
    assert dict(body) == before


def test_a_kopf_handler_adopts_what_was_compiled() -> None:
    kopf = needs("kopf")
    meta = {**JOB["metadata"], "uid": "0b4f9a66-6f2d-4c5e-9d1c-2f6a4f0c1d2e"}
    body = kopf.Body({**JOB, "metadata": meta})
    objects = jc.compile_objects([body, RUNTIME]).objects
    assert all(manifest["metadata"]["ownerReferences"][0]["uid"] == meta["uid"] for manifest in objects)


def test_models_of_the_kubernetes_client() -> None:
    client = needs("kubernetes.client")
    container = client.V1Container(
        name="node",
        image="pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime",
        env=[client.V1EnvVar(name="NODE", value_from=client.V1EnvVarSource(field_ref=client.V1ObjectFieldSelector(field_path="spec.nodeName")))],
    )
    template = client.V1PodTemplateSpec(spec=client.V1PodSpec(containers=[container], scheduler_name="gang", automount_service_account_token=False))
    runtime = deepcopy(RUNTIME)
    runtime["metadata"] = client.V1ObjectMeta(name="torch-gang", creation_timestamp=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    job_template = runtime["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]
    job_template["spec"]["template"] = template
    result = jc.compile_objects([runtime, JOB])
    assert result.ok, result.diagnostics
    pod = result.objects[0]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    assert pod["schedulerName"] == "gang"
    assert pod["automountServiceAccountToken"] is False
    assert pod["containers"][0]["env"][0] == {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}
    assert job_template["spec"]["template"] is template


def test_models_of_kubeflow_trainer_api() -> None:
    models = needs("kubeflow_trainer_api.models")
    runtime = models.TrainerV1alpha1ClusterTrainingRuntime.from_dict(deepcopy(RUNTIME))
    job = models.TrainerV1alpha1TrainJob.from_dict(deepcopy(JOB))
    before = job.to_dict(), runtime.to_dict()
    result = jc.compile_objects([runtime, job])
    assert result.ok, result.diagnostics
    assert result.objects == EXPECTED.objects
    assert (job.to_dict(), runtime.to_dict()) == before


@pytest.mark.parametrize("quantity", ["500m", "8", "1.5Gi", 8, 0.5], ids=repr)
def test_quantities_in_models_of_kubeflow_trainer_api(quantity: object) -> None:
    """The models make 8.0 of 8: the value stays."""
    models = needs("kubeflow_trainer_api.models")
    job = deepcopy(JOB)
    job["spec"]["trainer"]["resourcesPerNode"] = {"requests": {"memory": quantity}}
    model = models.TrainerV1alpha1TrainJob.from_dict(deepcopy(job))
    assert jc.compile_objects([RUNTIME, model]).podsets == jc.compile_objects([RUNTIME, job]).podsets


def test_models_of_our_own() -> None:
    from jobset_compiler import models

    result = jc.compile_objects([models.ClusterTrainingRuntime.model_validate(RUNTIME), models.TrainJob.model_validate(JOB)])
    assert result.objects == EXPECTED.objects


def script() -> None:
    """What a user trains with."""
    print("training")


def test_a_preview_of_the_sdk() -> None:
    trainer = needs("kubeflow.trainer")
    options = needs("kubeflow.trainer.options")
    from jobset_compiler.integrations.sdk import Preview

    preview = Preview(namespace="ml-team")
    train = trainer.CustomTrainer(func=script, num_nodes=4, resources_per_node={"gpu": 2, "cpu": 8})
    name = preview.client.train(trainer=train, options=[options.Name("mnist"), options.Labels({"team": "vision"})])
    result = preview.compile()
    assert name == "mnist"
    assert result.ok, result.diagnostics
    (jobset,) = result.objects
    assert (jobset["metadata"]["name"], jobset["metadata"]["namespace"]) == ("mnist", "ml-team")
    (pods,) = result.podsets
    assert pods.total == {"cpu": "32", "nvidia.com/gpu": "8"}
    container = jobset["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]
    assert "torchrun" in container["command"][-1]
    assert preview.trainjobs[0]["metadata"]["labels"] == {"team": "vision"}


def test_a_preview_with_runtimes_of_ones_own() -> None:
    trainer = needs("kubeflow.trainer")
    options = needs("kubeflow.trainer.options")
    from jobset_compiler.integrations.sdk import Preview

    preview = Preview(runtimes=[RUNTIME], bundled_runtimes=False)
    assert [runtime.name for runtime in preview.client.list_runtimes()] == ["torch-gang"]
    preview.client.train(runtime="torch-gang", trainer=trainer.CustomTrainer(func=script), options=[options.Name("one")])
    preview.client.train(runtime="torch-gang", trainer=trainer.CustomTrainer(func=script), options=[options.Name("two")])
    assert [(manifest["kind"], manifest["metadata"]["name"]) for manifest in preview.compile().objects] == [
        ("JobSet", "one"), ("PodGroup", "one"), ("JobSet", "two"), ("PodGroup", "two")
    ]  # fmt: skip


def test_a_preview_does_not_pretend_to_be_a_cluster() -> None:
    needs("kubeflow.trainer")
    from jobset_compiler.integrations.sdk import Preview

    preview = Preview()
    with pytest.raises(RuntimeError, match="nope"):
        preview.client.get_runtime("nope")
    for call in (preview.client.list_jobs, lambda: preview.client.get_job("x"), lambda: preview.client.delete_job("x")):
        with pytest.raises(Exception) as caught:
            call()
        told = f"{caught.value}{caught.value.__cause__}"
        assert "needs a cluster" in told or "Failed" in told
