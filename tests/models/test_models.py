"""What the models accept and write, and that compile_objects takes them."""

from __future__ import annotations

import copy
import runpy
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import jobset_compiler as jc
from jobset_compiler import models
from jobset_compiler.models import (
    ClusterTrainingRuntime,
    Container,
    ContainerPort,
    EnvVar,
    JobSet,
    ObjectMeta,
    ResourceRequirements,
    RuntimePatch,
    RuntimeRef,
    Trainer,
    TrainingRuntime,
    TrainJob,
    TrainJobSpec,
    model_of,
)
from jobset_compiler.models.base import SPELLINGS, Model
from jobset_compiler.profiles import PROFILES
from jobset_compiler.schemas import KINDS
from jobset_compiler.source.reader import read_text

ROOT = Path(__file__).resolve().parents[2]
RELEASES = [profile.name for profile in PROFILES]


def mnist(**trainer: Any) -> TrainJob:
    return TrainJob(metadata=ObjectMeta(name="mnist"), spec=TrainJobSpec(runtime_ref=RuntimeRef(name="torch-distributed"), trainer=Trainer(**trainer)))


def complaints(error: pytest.ExceptionInfo[ValidationError]) -> list[tuple[str, str]]:
    return [(".".join(map(str, entry["loc"])), entry["msg"]) for entry in error.value.errors()]


def test_files_are_what_the_generator_writes() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "models.py"))
    assert tool["main"](["--check"]) == 0, "run python tools/models.py"


@pytest.mark.parametrize("release", RELEASES)
def test_fields_and_required_fields_are_those_of_the_type_table(release: str) -> None:
    table = next(profile for profile in PROFILES if profile.name == release).types()
    seen: set[type[Model]] = set()

    def compare(model: type[Model], struct: str, root: bool) -> None:
        if model in seen:
            return
        seen.add(model)
        fields = table.struct(struct).fields
        assert {field.alias: not field.is_required() for field in model.model_fields.values()} == {
            name: not (name == "metadata" if root else field.required and not field.has_default) for name, field in fields.items()
        }, struct
        for field in fields.values():
            leaf = field
            while leaf.elem is not None:
                leaf = leaf.elem
            if leaf.kind == "struct":
                below = next(iter(models_in(next(info.annotation for info in model.model_fields.values() if info.alias == field.name))))
                compare(below, leaf.type_name, root=False)

    for kind, (struct, _) in KINDS.items():
        compare(model_of(kind, release), struct, root=True)
    assert len(seen) > 150


def models_in(annotation: Any) -> list[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return [annotation]
    return [model for part in getattr(annotation, "__args__", ()) for model in models_in(part)]


def test_writes_what_was_set_and_nothing_else() -> None:
    job = mnist(command=[], env=[EnvVar(name="A", value="")], image=None)
    assert job.to_dict() == {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "mnist"},
        "spec": {"runtimeRef": {"name": "torch-distributed"}, "trainer": {"command": [], "env": [{"name": "A", "value": ""}]}},
    }
    assert job.model_dump_json(exclude_none=True, indent=None).startswith('{"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"TrainJob"')


def test_yaml_goes_through_unchanged() -> None:
    job = mnist(num_nodes=2, args=["--lr", "1e-4"], resources_per_node=ResourceRequirements(limits={"cpu": 4, "memory": "1Gi"}))
    assert TrainJob.from_yaml(job.to_yaml()) == job
    assert job.to_yaml().splitlines()[:4] == ["apiVersion: trainer.kubeflow.org/v1alpha1", "kind: TrainJob", "metadata:", "  name: mnist"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "line 1: "),
        ("", "one document is wanted, the text has 0"),
        ("kind: TrainJob\n---\nkind: TrainJob\n", "one document is wanted, the text has 2"),
        ("kind: Job\nmetadata: {name: a}\n", "Input should be 'TrainJob'"),
    ],
)
def test_broken_text_is_a_value_error(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainJob.from_yaml(text)


def test_unknown_fields_are_named() -> None:
    with pytest.raises(ValidationError) as error:
        TrainJob.from_yaml("metadata: {name: a}\nspec: {runtimeRef: {name: rt}, trainer: {numNode: 2}}\n")
    assert complaints(error) == [("spec.trainer.numNode", "Extra inputs are not permitted")]
    tree = {"metadata": {"name": "a"}, "spec": {"runtimeRef": {"name": "rt"}, "trainer": {"num_nodes": 2}}}
    with pytest.raises(ValidationError, match=r"spec\.trainer\.num_nodes"):
        TrainJob.from_dict(tree)
    assert TrainJob.from_dict(tree, unknown="ignore").to_dict()["spec"]["trainer"] == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("numNodes", "2"),
        ("numNodes", True),
        ("numNodes", 2.5),
        ("numNodes", 2**31),
        ("image", 1),
        ("command", "python train.py"),
        ("env", [{"name": "A", "value": 1}]),
        ("resourcesPerNode", {"limits": {"cpu": 0.5}}),
        ("resourcesPerNode", {"limits": {"cpu": "1 GB"}}),
        ("resourcesPerNode", {"limits": {"cpu": True}}),
    ],
)
def test_nothing_is_converted(field: str, value: object) -> None:
    with pytest.raises(ValidationError) as error:
        Trainer.from_dict({field: value})
    assert complaints(error)[0][0].startswith(field)


def test_whole_floats_are_integers_and_nulls_are_absent() -> None:
    trainer = Trainer.from_dict({"numNodes": 2.0, "image": None, "resourcesPerNode": {"limits": {"cpu": 1.0, "memory": None}}})
    assert trainer.to_dict() == {"numNodes": 2, "resourcesPerNode": {"limits": {"cpu": 1}}}
    assert type(trainer.num_nodes) is int


def test_times_may_be_datetimes() -> None:
    patch = RuntimePatch(manager="example.com/me", time=datetime(2026, 1, 31, 12, tzinfo=UTC))  # type: ignore[arg-type]  # converted
    assert patch.time == "2026-01-31T12:00:00Z"
    with pytest.raises(ValidationError, match="RFC 3339"):
        RuntimePatch(manager="example.com/me", time="yesterday")


def test_keys_of_lists_are_unique() -> None:
    with pytest.raises(ValidationError, match="item 1: Duplicate value: A"):
        Trainer(env=[EnvVar(name="A", value="1"), EnvVar(name="A", value="2")])
    with pytest.raises(ValidationError, match="item 1: Duplicate value: 80, TCP"):
        Container(name="node", ports=[ContainerPort(container_port=80), ContainerPort(container_port=80, protocol="TCP")])
    Container(name="node", ports=[ContainerPort(container_port=80), ContainerPort(container_port=80, protocol="UDP")])


def test_rules_speak_as_the_server() -> None:
    with pytest.raises(ValidationError, match=r"metadata\.name must match RFC 1035 DNS label format"):
        TrainJob(metadata=ObjectMeta(name="1st"))
    with pytest.raises(ValidationError, match=r"metadata\.name: name or generateName is required"):
        TrainJob(metadata=ObjectMeta())
    with pytest.raises(ValidationError, match="Only one of the policy can be configured"):
        TrainingRuntime.from_dict({"metadata": {"name": "rt"}, "spec": {"mlPolicy": {"torch": {}, "jax": {}}}})
    with pytest.raises(ValidationError, match="ManagedBy must be"):
        TrainJobSpec(runtime_ref=RuntimeRef(name="rt"), managed_by="me")


def test_assignment_is_checked() -> None:
    job = mnist(num_nodes=1)
    assert job.spec is not None
    assert job.spec.trainer is not None
    with pytest.raises(ValidationError):
        job.spec.trainer.num_nodes = "2"  # type: ignore[assignment]  # the point of the test
    job.spec.trainer.num_nodes = 2
    assert job.to_dict()["spec"]["trainer"] == {"numNodes": 2}


def test_names_with_acronyms() -> None:
    text = "metadata: {name: js}\nspec: {network: {enableDNSHostnames: true}}\n"
    job_set = JobSet.from_yaml("apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\n" + text)
    assert job_set.spec is not None
    assert job_set.spec.network is not None
    assert job_set.spec.network.enable_dns_hostnames is True
    assert job_set.to_dict()["spec"] == {"network": {"enableDNSHostnames": True}}
    every = {attribute for model in vars(models.v2_0).values() if isinstance(model, type) and issubclass(model, Model) for attribute in model.model_fields}
    assert set(SPELLINGS) <= every


def test_releases_have_their_own_shapes_and_share_what_is_equal() -> None:
    from jobset_compiler.models import v2_0, v2_1, v2_2, v2_3

    assert set(v2_0.TrainJobSpec.model_fields) - set(v2_3.TrainJobSpec.model_fields) == {"labels", "annotations", "pod_spec_overrides"}
    assert "pod_template_overrides" in v2_1.TrainJobSpec.model_fields
    assert "runtime_patches" in v2_2.TrainJobSpec.model_fields
    assert v2_1.Trainer(num_proc_per_node="auto").to_dict() == {"numProcPerNode": "auto"}
    with pytest.raises(ValidationError):
        v2_2.Trainer(num_proc_per_node="auto")  # type: ignore[arg-type]  # the point of the test
    assert v2_0.Toleration is v2_3.Toleration
    assert v2_0.PodSpec.__module__ == v2_0.__name__
    assert models.TrainJob is v2_3.TrainJob is model_of("TrainJob") is model_of("TrainJob", "2.3.0")


def test_model_of_knows_what_it_knows() -> None:
    with pytest.raises(ValueError, match=r"unknown profile 'v9'; known: v2\.0, v2\.1"):
        model_of("TrainJob", "v9")
    with pytest.raises(ValueError, match="no model for kind 'Pod'"):
        model_of("Pod")
    assert "TrainJob" in dir(models)
    with pytest.raises(AttributeError):
        _ = models.NoSuchModel  # type: ignore[attr-defined]  # the point of the test


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda path: path.stem)
def test_compiling_models_is_compiling_the_documents(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    typed = [model_of(document.value["kind"]).from_dict(document.value) for document in read_text(text)[0]]
    before = copy.deepcopy(typed)
    result = jc.compile_objects(typed)
    assert result.ok, result.diagnostics
    assert result.to_yaml() == jc.compile_yaml(text).to_yaml()
    assert typed == before


def test_an_empty_command_reaches_the_compiler_and_an_unset_one_does_not() -> None:
    runtime = ClusterTrainingRuntime.from_yaml(
        """\
        metadata: {name: rt}
        spec:
          mlPolicy: {numNodes: 1}
          template:
            spec:
              replicatedJobs:
              - name: node
                template:
                  metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                  spec: {template: {spec: {containers: [{name: node, image: i, command: [run]}]}}}
        """
    )
    for trainer, command in ((Trainer(), ["run"]), (Trainer(command=[]), None), (Trainer(command=["mine"]), ["mine"])):
        job = TrainJob(metadata=ObjectMeta(name="job"), spec=TrainJobSpec(runtime_ref=RuntimeRef(name="rt"), trainer=trainer))
        (job_set,) = jc.compile_objects([runtime, job]).objects
        container = job_set["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]
        assert container.get("command") == command


def test_importing_the_package_alone_does_not_import_pydantic() -> None:
    code = "import sys, jobset_compiler; jobset_compiler.compile_yaml('kind: TrainJob'); assert 'pydantic' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
