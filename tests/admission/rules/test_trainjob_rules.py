"""Every rule of the TrainJob webhook: the releases that have it, path, message, place."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import jobset_compiler as jc
from jobset_compiler.admission.rules.trainjob import JUDGES
from jobset_compiler.passes.mpi import RESERVED_ENV as MPI_NAMES
from jobset_compiler.passes.torch import RESERVED_ENV as TORCH_NAMES
from jobset_compiler.passes.xgboost import RESERVED_ENV as XGBOOST_NAMES
from jobset_compiler.resolve.facts import Facts
from tests.admission.rules.cases import ALL, NODE, Tree, compiled, job, refusals, runtime, slugs, trainjob

if TYPE_CHECKING:
    from jobset_compiler.admission.rules.rule import Plugin

pytestmark = pytest.mark.usefixtures("whole_words")

TORCH: Tree = {"torch": {}}
SINCE_2_1, SINCE_2_2, SINCE_2_3 = ALL[1:], ALL[2:], ALL[3:]
UP_TO_2_1 = ALL[:2]
MOUNTS = [{"name": "data", "mountPath": "/w"}]
OMPI = "OMPI_MCA_plm_rsh_args"
PLUGINS: list[Plugin] = [getattr(import_module(f"jobset_compiler.admission.rules.{module}"), name) for module, names, _ in JUDGES for name in names]


class Case(NamedTuple):
    """profiles: the releases that refuse; others accept. at: our place, where it is finer than the server's path."""

    id: str
    slug: str
    profiles: tuple[str, ...]
    path: str
    message: str
    objects: tuple[Tree, ...]
    at: tuple[str | int, ...]
    tried: tuple[str, ...] = ALL


def env(*names: str) -> list[Tree]:
    return [{"name": name, "value": "1"} for name in names]


def tune(name: str, **trainer: Any) -> tuple[Tree, Tree]:
    return ({**runtime(policy=TORCH), "metadata": {"name": name}}, trainjob(ref=name, trainer={"command": ["tune", "run"], **trainer}))


def override(profile_field: str, *jobs: str, **pod: Any) -> Tree:
    targets = [{"name": name} for name in jobs]
    if profile_field == "podSpecOverrides":
        return {profile_field: [{"targetJobs": targets, **pod}]}
    if profile_field == "podTemplateOverrides":
        return {profile_field: [{"targetJobs": targets, "spec": pod}]}
    patched = [{"name": name, "template": {"spec": {"template": {"spec": pod}}}} for name in jobs]
    return {profile_field: [{"manager": "example.com/me", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": patched}}}}]}


INITIALIZER = {"dataset": {"storageUri": "hf://a/b"}}
QLORA = ["model.lora_attn_modules=[q]", "model.quantize_base=True"]
LAUNCHER_AS_NODE: Tree = {"mpi": {"runLauncherAsNode": True}}

CASES = (
    Case(
        "name",
        "trainjob-name",
        ("v2.0",),
        "metadata.name",
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an "
        "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        (runtime(), trainjob(name="1.job")),
        ("metadata", "name"),
        ("v2.0",),
    ),
    Case(
        "dataset-without-job",
        "initializer-job-missing",
        ALL,
        "spec.runtimeRef",
        "must have dataset-initializer job when trainJob is configured with input datasetConfig",
        (runtime(), trainjob(initializer=INITIALIZER)),
        ("spec", "initializer", "dataset"),
    ),
    Case(
        "model-without-job",
        "initializer-job-missing",
        ALL,
        "spec.runtimeRef",
        "must have model-initializer job when trainJob is configured with input modelConfig",
        (runtime(), trainjob(initializer={"model": {}})),
        ("spec", "initializer", "model"),
    ),
    Case(
        "dataset-without-container",
        "initializer-container-missing",
        ALL,
        "spec.runtimeRef",
        "must have container with name - dataset-initializer in the dataset-initializer job",
        (runtime(NODE, job("dataset-initializer")), trainjob(initializer=INITIALIZER)),
        ("spec", "initializer", "dataset"),
    ),
    Case(
        "model-without-mount",
        "initializer-mount-missing",
        SINCE_2_3,
        "spec.runtimeRef",
        "must have volumeMount with name - initializer in container model-initializer of the model-initializer job",
        (
            runtime(
                NODE, job("model-initializer", containers=[{"name": "model-initializer", "image": "i", "volumeMounts": [{"name": "data", "mountPath": "/w"}]}])
            ),
            trainjob(initializer={"model": {}}),
        ),
        ("spec", "initializer", "model"),
    ),
    Case(
        "target-twice",
        "override-target-twice",
        ("v2.0",),
        "spec.podSpecOverrides",
        'Duplicate value: "node"',
        (runtime(), trainjob(**override("podSpecOverrides", "node", "node"))),
        ("spec", "podSpecOverrides", 0, "targetJobs", 1, "name"),
        ("v2.0",),
    ),
    Case(
        "target-unknown-2.0",
        "override-target-unknown",
        ("v2.0",),
        "spec.podSpecOverrides",
        "must not have targetJob that doesn't exist in the runtime job template",
        (runtime(), trainjob(**override("podSpecOverrides", "nod"))),
        ("spec", "podSpecOverrides", 0, "targetJobs", 0, "name"),
        ("v2.0",),
    ),
    Case(
        "target-unknown-2.1",
        "override-target-unknown",
        ("v2.1",),
        "spec.podTemplateOverrides",
        "must not have targetJob that doesn't exist in the runtime job template",
        (runtime(), trainjob(**override("podTemplateOverrides", "node", "ghost"))),
        ("spec", "podTemplateOverrides", 0, "targetJobs", 1, "name"),
        ("v2.1",),
    ),
    Case(
        "target-unknown-2.2",
        "override-target-unknown",
        ("v2.2",),
        "spec.runtimePatches",
        "must not have replicated job that doesn't exist in the runtime job template",
        (runtime(), trainjob(**override("runtimePatches", "ghost"))),
        ("spec", "runtimePatches", 0, "trainingRuntimeSpec", "template", "spec", "replicatedJobs", 0, "name"),
        ("v2.2",),
    ),
    Case(
        "manager",
        "patch-manager",
        SINCE_2_2,
        "spec.runtimePatches.manager",
        'must be a domain-prefixed path (such as "acme.io/foo")',
        (runtime(), trainjob(runtimePatches=[{"manager": "me"}])),
        ("spec", "runtimePatches", 0, "manager"),
        SINCE_2_2,
    ),
    Case(
        "reserved-env",
        "torch-reserved-env",
        SINCE_2_2,
        "spec.trainer.env",
        "must not have reserved envs, invalid envs configured: [PET_MASTER_ADDR PET_NNODES]",
        (runtime(policy=TORCH), trainjob(trainer={"env": env("A", "PET_NNODES", "PET_MASTER_ADDR")})),
        ("spec", "trainer", "env", 1, "name"),
    ),
    Case(
        "reserved-env-with-processes",
        "torch-reserved-env",
        ALL,
        "spec.trainer.env",
        "must not have reserved envs, invalid envs configured: [PET_NNODES]",
        (runtime(policy=TORCH), trainjob(trainer={"numProcPerNode": 1, "env": env("PET_NNODES")})),
        ("spec", "trainer", "env", 0, "name"),
    ),
    Case(
        "processes-as-text",
        "processes-not-a-number",
        UP_TO_2_1,
        "spec.trainer.numProcPerNode",
        "must have an int value or [auto cpu gpu]",
        (runtime(policy=TORCH), trainjob(trainer={"numProcPerNode": "4"})),
        ("spec", "trainer", "numProcPerNode"),
        UP_TO_2_1,
    ),
    Case(
        "injection",
        "injection-target-missing",
        SINCE_2_3,
        "spec.runtimeRef",
        'envInjection target podSet "node" container "side" not found in runtime template',
        (runtime(policy={"torch": {"envInjection": {"targets": [{"jobName": "node", "containerNames": ["side"]}]}}}), trainjob()),
        ("spec", "runtimeRef"),
        SINCE_2_3,
    ),
    Case(
        "tune-model",
        "torchtune-model",
        SINCE_2_2,
        "spec.runtimeRef.name",
        "must have a supported pretrained model, invalid model configured: gemma/2B",
        tune("torchtune-gemma-2b", numNodes=1),
        ("spec", "runtimeRef", "name"),
    ),
    Case(
        "tune-model-of-2.0",
        "torchtune-model",
        ("v2.0",),
        "spec.runtimeRef.name",
        "must have a supported pretrained model, invalid model configured: llama3_2/3B",
        tune("torchtune-llama3.2-3b", numNodes=1, numProcPerNode=1),
        ("spec", "runtimeRef", "name"),
    ),
    Case(
        "tune-nodes",
        "torchtune-nodes",
        ALL,
        "spec.trainer.numNodes",
        "must be 1 for llama3_2/1B model",
        tune("torchtune-llama3.2-1b", numNodes=2, numProcPerNode=1),
        ("spec", "trainer", "numNodes"),
    ),
    Case(
        "tune-nodes-unset",
        "torchtune-nodes-unset",
        UP_TO_2_1,
        "spec.trainer.numNodes",
        "the webhook of this release crashes here: runtime error: invalid memory address or nil pointer dereference",
        tune("torchtune-llama3.2-1b", numProcPerNode=1),
        ("spec", "trainer"),
    ),
    Case(
        "qlora-model",
        "torchtune-qlora-model",
        SINCE_2_1,
        "spec.runtimeRef.name",
        "QLoRA is not supported for qwen2_5/1.5B model",
        tune("torchtune-qwen2.5-1.5b", numNodes=1, numProcPerNode=2, args=QLORA),
        ("spec", "runtimeRef", "name"),
        SINCE_2_1,
    ),
    Case(
        "lora-nodes",
        "torchtune-lora-nodes",
        SINCE_2_3,
        "spec.trainer.numNodes",
        "LoRA fine-tuning is not supported for multi-node training in TorchTune",
        tune("torchtune-llama3.3-70b", numNodes=2, args=QLORA),
        ("spec", "trainer", "numNodes"),
    ),
    Case(
        "managed-argument",
        "torchtune-managed-argument",
        SINCE_2_3,
        "spec.trainer.args[1]",
        'must not set immutable config "output_dir" in trainer args; it is managed by the runtime',
        tune("torchtune-llama3.2-1b", args=["batch_size=1", "output_dir=/x"]),
        ("spec", "trainer", "args", 1),
    ),
    Case(
        "mpi-processes-as-text",
        "mpi-processes-not-a-number",
        UP_TO_2_1,
        "spec.trainer.numProcPerNode",
        "must have an int value for MPI TrainJob",
        (runtime(policy={"mpi": {}}), trainjob(trainer={"numProcPerNode": "auto"})),
        ("spec", "trainer", "numProcPerNode"),
        UP_TO_2_1,
    ),
    Case(
        "mpi-jobs",
        "mpi-jobs-missing",
        ALL,
        "spec.trainer.numNodes",
        "must have 1 when MPI trainingRuntime with enabled runLauncherAsNode does not have either launcher and node",
        (runtime(policy=LAUNCHER_AS_NODE), trainjob(trainer={"numNodes": 2})),
        ("spec", "trainer", "numNodes"),
    ),
    Case(
        "mpi-reserved-env",
        "mpi-reserved-env",
        SINCE_2_3,
        "spec.trainer.env",
        f"must not have reserved envs, invalid envs configured: [{OMPI}]",
        (runtime(policy={"mpi": {}}), trainjob(trainer={"env": env("A", OMPI)})),
        ("spec", "trainer", "env", 1, "name"),
    ),
    Case(
        "xgboost-reserved-env",
        "xgboost-reserved-env",
        SINCE_2_2,
        "spec.trainer.env[1]",
        "DMLC_TASK_ID is reserved for the XGBoost runtime",
        (runtime(policy={"xgboost": {}}), trainjob(trainer={"env": env("A", "DMLC_TASK_ID")})),
        ("spec", "trainer", "env", 1, "name"),
        SINCE_2_2,
    ),
    Case(
        "flux-processes",
        "flux-processes",
        SINCE_2_3,
        "spec.trainer.numProcPerNode",
        "must be greater than or equal to 1 for Flux TrainJob",
        (runtime(policy={"flux": {}}), trainjob(trainer={"numNodes": 1, "numProcPerNode": 0})),
        ("spec", "trainer", "numProcPerNode"),
        SINCE_2_2,
    ),
    Case(
        "flux-installer",
        "flux-installer",
        SINCE_2_2,
        "spec.trainer.initContainers",
        "InitContainer 'flux-installer' is reserved",
        (runtime(job("node", "trainer", initContainers=[{"name": "flux-installer", "image": "i"}]), policy={"flux": {}}), trainjob(trainer={"numNodes": 1})),
        ("spec", "runtimeRef"),
        SINCE_2_2,
    ),
    Case(
        "queue",
        "volcano-queue-empty",
        SINCE_2_1,
        "spec.annotations[scheduling.volcano.sh/queue-name]",
        "Volcano queue name must not be empty",
        (
            runtime(podGroupPolicy={"volcano": {}}, template={"metadata": {"annotations": {"scheduling.volcano.sh/queue-name": ""}}}),
            trainjob(),
        ),
        ("spec", "runtimeRef"),
        SINCE_2_1,
    ),
)
RUNS = [(case, profile) for case in CASES for profile in case.tried]


@pytest.mark.parametrize(("case", "profile"), RUNS, ids=[f"{case.id}@{profile}" for case, profile in RUNS])
def test_rule(case: Case, profile: str) -> None:
    found = refusals(profile, *case.objects)
    if profile in case.profiles:
        assert found == [(case.slug, case.path, case.message)]
        diagnostic = next(d for d in compiled(profile, *case.objects).diagnostics if d.slug == case.slug)
        assert diagnostic.at == case.at
        assert diagnostic.hint and (diagnostic.object_kind, diagnostic.namespace, diagnostic.name) == (
            "TrainJob",
            "default",
            case.objects[-1]["metadata"]["name"],
        )
    else:
        assert found == []


FIELDS = {"v2.0": "podSpecOverrides", "v2.1": "podTemplateOverrides", "v2.2": "runtimePatches", "v2.3": "runtimePatches"}


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize("container", ["node", "dataset-initializer", "model-initializer"])
def test_variables_of_reserved_containers_have_fields_of_their_own(profile: str, container: str) -> None:
    objects = (runtime(), trainjob(**override(FIELDS[profile], "node", containers=[{"name": "side"}, {"name": container, "env": env("A")}])))
    message = "must not have envs for the dataset-initializer, model-initializer, node containers"
    assert refusals(profile, *objects) == [("override-env-on-reserved-container", f"spec.{FIELDS[profile]}", message)]
    diagnostic = next(d for d in compiled(profile, *objects).diagnostics if d.is_error)
    value: Any = objects[1]
    for step in diagnostic.at:
        value = value[step]
    assert value == env("A"), "the place is the list of variables"


@pytest.mark.parametrize("profile", ALL)
def test_variables_of_other_containers_are_free(profile: str) -> None:
    assert slugs(profile, runtime(), trainjob(**override(FIELDS[profile], "node", containers=[{"name": "side", "env": env("A")}, {"name": "node"}]))) == []


@pytest.mark.parametrize(("profile", "more"), [("v2.0", True), ("v2.1", True), ("v2.2", False)])
def test_older_releases_look_for_containers_of_an_unknown_job(profile: str, more: bool) -> None:
    patched = override(FIELDS[profile], "ghost", initContainers=[{"name": "a"}], containers=[{"name": "b"}])
    expected = ["override-target-unknown"] + ["override-container-unknown"] * (2 if more else 0)
    assert slugs(profile, runtime(), trainjob(**patched)) == expected


def test_a_patch_for_an_unknown_job_passes_the_webhook_of_2_3() -> None:
    assert slugs("v2.3", runtime(), trainjob(**override("runtimePatches", "ghost", containers=[{"name": "b"}]))) == []


@pytest.mark.parametrize("profile", SINCE_2_1)
def test_qlora_on_several_devices_of_a_small_model_is_two_errors(profile: str) -> None:
    objects = tune("torchtune-llama3.2-1b", numNodes=1, numProcPerNode=2, args=QLORA)
    assert refusals(profile, *objects) == [
        ("torchtune-qlora-devices", "spec.trainer.numProcPerNode", "must be auto or 1 for llama3_2/1B model when using QLoRA"),
        ("torchtune-qlora-devices", "spec.trainer.resourcesPerNode", "must have gpu resource with value 1 for llama3_2/1B model when using QLoRA"),
    ]


@pytest.mark.parametrize("trainer", [{"numProcPerNode": 1}, {"resourcesPerNode": {"limits": {"nvidia.com/gpu": 1}}, "numProcPerNode": 4}])
def test_qlora_on_one_device_is_fine(trainer: Tree) -> None:
    assert slugs("v2.3", *tune("torchtune-llama3.2-1b", numNodes=1, args=QLORA, **trainer)) == []


@pytest.mark.parametrize(("classes", "expected"), [(None, []), (frozenset(), ["a", "c"]), (frozenset({"a", "c"}), [])])
def test_priority_classes_are_looked_up_where_the_facts_know_them(classes: frozenset[str] | None, expected: list[str]) -> None:
    jobs = [
        job("a", priorityClassName="a"),
        job("b"),
        job("c", priorityClassName="c"),
        job("d", priorityClassName="system-node-critical"),
        job("e", priorityClassName="e"),
    ]
    objects = (runtime(*jobs, podGroupPolicy={"volcano": {}}), trainjob())
    path = "spec.templateSpec.priorityClassName"
    assert refusals("v2.3", *objects, facts=Facts(priority_classes=classes)) == [
        ("priority-class-missing", path, f'PriorityClass "{name}" doesn\'t exist: PriorityClass.scheduling.k8s.io "{name}" not found') for name in expected
    ]


def test_findings_come_in_one_order_with_the_plugins() -> None:
    objects = (
        runtime(policy={"torch": {"envInjection": {"targets": [{"jobName": "x", "containerNames": ["y"]}]}}}),
        trainjob(initializer=INITIALIZER, trainer={"env": env("PET_NNODES")}, runtimePatches=[{"manager": "me"}]),
    )
    expected = ["initializer-job-missing", "patch-manager", "injection-target-missing", "torch-reserved-env"]
    assert slugs("v2.3", *objects) == slugs("v2.3", *reversed(objects)) == expected
    names = [plugin.name for plugin in PLUGINS]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda plugin: plugin.name)
def test_rules_cite_their_source(plugin: Plugin) -> None:
    assert plugin.rules and all(rule.cites for rule in plugin.rules)


@pytest.mark.parametrize("place", ["dataset", "model"])
def test_a_dangling_reference_shows_both_places(place: str) -> None:
    text = f"""
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {{name: rt}}
spec:
  template:
    spec:
      replicatedJobs:
      - name: node
        template: {{spec: {{template: {{spec: {{containers: [{{name: node, image: i}}]}}}}}}}}
      - name: model-initializer
        template: {{spec: {{template: {{spec: {{containers: [{{name: node, image: i}}]}}}}}}}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {{name: job}}
spec:
  runtimeRef: {{name: rt}}
  initializer:
    {place}: {{}}
"""
    (error,) = (d for d in jc.compile_yaml(text, trainer_version="v2.2").diagnostics if d.is_error)
    assert error.line == 20
    assert [note.span.line for note in error.notes] == [9 if place == "dataset" else 11]


@pytest.mark.parametrize(("policy", "reserved"), [("torch", TORCH_NAMES), ("mpi", MPI_NAMES), ("xgboost", XGBOOST_NAMES)])
def test_reserved_names_are_those_that_the_policy_sets(policy: str, reserved: tuple[str, ...]) -> None:
    jobs = (job("launcher", "trainer"), job("node")) if policy == "mpi" else (NODE,)
    jobset, *_ = compiled("v2.3", runtime(*jobs, policy={policy: {}}), trainjob(trainer={})).objects
    (env,) = [
        container["env"]
        for entry in jobset["spec"]["replicatedJobs"]
        for container in entry["template"]["spec"]["template"]["spec"]["containers"]
        if "env" in container
    ]
    assert tuple(entry["name"] for entry in env) == reserved


@pytest.mark.parametrize("mounted", ["model-initializer", "side", ""])
def test_the_initializer_itself_mounts_the_volume_that_it_fills(mounted: str) -> None:
    mount = [{"name": "initializer", "mountPath": "/workspace"}]
    containers = [{"name": name, "image": "i", **({"volumeMounts": mount} if name == mounted else {})} for name in ("model-initializer", "side")]
    pod = job("model-initializer", "model-initializer", containers, volumes=[{"name": "initializer", "emptyDir": {}}])
    found = slugs("v2.3", runtime(pod, NODE), trainjob(initializer={"model": {"storageUri": "hf://a/b"}}))
    assert found == ([] if mounted == "model-initializer" else ["initializer-mount-missing"])
