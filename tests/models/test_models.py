"""What the models accept and write, and that compile_objects takes them."""

from __future__ import annotations

import copy
import inspect
import json
import keyword
import pickle
import runpy
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import jobset_compiler as jc
from jobset_compiler import models
from jobset_compiler.kube.quantity import Quantity
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
from jobset_compiler.models.base import Model
from jobset_compiler.models.build import attribute_of, releases
from jobset_compiler.models.spelling import attribute_name
from jobset_compiler.profiles import NEWEST, RELEASED
from jobset_compiler.schemas import KINDS
from jobset_compiler.source.reader import read_text

ROOT = Path(__file__).resolve().parents[2]
RELEASES = [profile.name for profile in RELEASED]


def mnist(**trainer: Any) -> TrainJob:
    return TrainJob(metadata=ObjectMeta(name="mnist"), spec=TrainJobSpec(runtime_ref=RuntimeRef(name="torch-distributed"), trainer=Trainer(**trainer)))


def complaints(error: pytest.ExceptionInfo[ValidationError]) -> list[tuple[str, str]]:
    return [(".".join(map(str, entry["loc"])), entry["msg"]) for entry in error.value.errors()]


def test_the_stub_is_what_the_generator_writes() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "model_stub.py"))
    assert tool["main"](["--check"]) == 0, "run python tools/model_stub.py"


@pytest.mark.parametrize("release", RELEASES)
def test_fields_and_required_fields_are_those_of_the_type_table(release: str) -> None:
    table = next(profile for profile in RELEASED if profile.name == release).types()
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


def models_of(release: str) -> list[type[Model]]:
    namespace = releases()[release.replace(".", "_")]
    return [namespace.model(name) for name in dir(namespace)]


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
    assert complaints(error) == [("spec.trainer.numNode", "unknown field 'numNode'; did you mean numNodes?")]
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
        ("resourcesPerNode", {"limits": {"cpu": 0.5}}),  # no server takes that
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
    patch = RuntimePatch(manager="example.com/me", time=datetime(2026, 1, 31, 12, tzinfo=UTC))
    assert patch.time == "2026-01-31T12:00:00Z"
    elsewhere = datetime(2026, 1, 31, 12, tzinfo=timezone(timedelta(hours=2)))
    assert RuntimePatch(manager="example.com/me", time=elsewhere).time == "2026-01-31T10:00:00Z"
    assert RuntimePatch(manager="example.com/me", time=datetime(2026, 1, 31, 12)).time == "2026-01-31T12:00:00Z"
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
    with pytest.raises(ValidationError, match=r"metadata\.name\n  name or generateName is required"):
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


@pytest.mark.parametrize(
    ("json_name", "attribute"),
    [
        ("numNodes", "num_nodes"),
        ("hostIPC", "host_ipc"),
        ("enableDNSHostnames", "enable_dns_hostnames"),
        ("setHostnameAsFQDN", "set_hostname_as_fqdn"),
        ("targetWWNs", "target_wwns"),
        ("datasetUUID", "dataset_uuid"),
        ("scaleIO", "scale_io"),
        ("secret2Ref", "secret2_ref"),
    ],
)
def test_names_of_attributes(json_name: str, attribute: str) -> None:
    assert attribute_name(json_name) == attribute


@pytest.mark.parametrize("release", RELEASES)
def test_attributes_are_names_of_python_and_none_hides_what_models_can_do(release: str) -> None:
    for model in models_of(release):
        attributes = list(model.model_fields)
        assert all(name.isidentifier() and not keyword.iskeyword(name) and not hasattr(Model, name) for name in attributes), model


def test_releases_have_their_own_shapes_and_share_what_is_equal() -> None:
    assert models.v2_3 is releases()["v2_3"]  # type: ignore[comparison-overlap]  # for type checkers it is the module
    v2_0, v2_1, v2_2, v2_3 = models.v2_0, models.v2_1, models.v2_2, models.v2_3
    assert set(v2_0.TrainJobSpec.model_fields) - set(v2_3.TrainJobSpec.model_fields) == {"labels", "annotations", "pod_spec_overrides"}
    assert "pod_template_overrides" in v2_1.TrainJobSpec.model_fields
    assert "runtime_patches" in v2_2.TrainJobSpec.model_fields
    assert v2_1.Trainer(num_proc_per_node="auto").to_dict() == {"numProcPerNode": "auto"}
    with pytest.raises(ValidationError):
        v2_2.Trainer(num_proc_per_node="auto")  # type: ignore[arg-type]  # the point of the test
    assert v2_0.Toleration is v2_3.Toleration
    assert (v2_0.PodSpec.__module__, v2_0.PodSpec.__qualname__) == ("jobset_compiler.models", "v2_0.PodSpec")
    newest = releases()[attribute_of(NEWEST)]
    assert models.TrainJob is newest.TrainJob is model_of("TrainJob") is model_of("TrainJob", NEWEST.trainer)


def test_model_of_knows_what_it_knows() -> None:
    with pytest.raises(ValueError, match=r"^unknown release 'v9'; known: v2\.0, v2\.1"):
        model_of("TrainJob", "v9")
    with pytest.raises(ValueError, match=r"^no model for kind 'Pod'"):
        model_of("Pod")
    assert "TrainJob" in dir(models)
    for place in (models, models.v2_1):
        with pytest.raises(AttributeError, match="NoSuchModel"):
            getattr(place, "NoSuchModel")  # noqa: B009  # checkers know that it is not there


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


@pytest.mark.parametrize(
    ("value", "written"),
    [(2, 2), (2.0, 2), (0.5, "0.5"), (1e-7, "1e-07"), (Decimal("0.1"), "0.1"), ("500m", "500m"), (Quantity.parse("1500m"), "1500m")],
)
def test_amounts_may_be_numbers(value: Any, written: int | str) -> None:
    limits = ResourceRequirements(limits={"cpu": value}).to_dict()["limits"]
    assert limits == {"cpu": written}
    assert ResourceRequirements.from_dict({"limits": limits}).to_dict() == {"limits": limits}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, b"1", 2**63, [1], "one"])
def test_what_is_no_amount(value: Any) -> None:
    with pytest.raises(ValidationError) as error:
        ResourceRequirements(limits={"cpu": value})
    assert [place for place, _ in complaints(error)] == ["limits.cpu"]


class Index:
    """A whole number of another library."""

    def __index__(self) -> int:
        return 3


def test_whole_numbers_of_other_libraries() -> None:
    assert mnist(num_nodes=Index()).to_dict()["spec"]["trainer"] == {"numNodes": 3}


def test_int_or_string_has_one_complaint() -> None:
    with pytest.raises(ValidationError) as error:
        models.HTTPGetAction(port=[])  # type: ignore[arg-type]  # the point of the test
    assert complaints(error) == [("port", "Input should be a whole number or a text")]


@pytest.mark.parametrize(
    ("model", "name", "said"),
    [
        (Trainer, "num_node", "did you mean num_nodes?"),
        (Trainer, "numNode", "did you mean numNodes?"),
        (Trainer, "numnodes", "did you mean num_nodes?"),
        (Trainer, "resources", "did you mean resources_per_node?"),
        (TrainJobSpec, "pod_template_overrides", "v2.1 has it: jobset_compiler.models.v2_1"),
        (TrainJobSpec, "podSpecOverrides", "v2.0 has it: jobset_compiler.models.v2_0"),
        (TrainJobSpec, "labels", "v2.0 and v2.1 have it: jobset_compiler.models.v2_1"),
        (Container, "imagePullPolice", "did you mean imagePullPolicy?"),
        (EnvVar, "xyz", ""),
    ],
)
def test_what_was_probably_meant(model: type[Model], name: str, said: str) -> None:
    with pytest.raises(ValidationError) as error:
        model.model_validate({name: 1, "name": "a", "runtimeRef": {"name": "a"}} if model is not Trainer else {name: 1})
    assert (name, f"unknown field {name!r}" + (f"; {said}" if said else "")) in complaints(error)


def test_every_mistake_is_told_at_its_place() -> None:
    tree = {"metadata": {"name": "A", "labels": {"a b": "c"}}, "spec": {"runtimeRef": {}, "trainer": {"numNode": 1, "image": 1, "env": [{"nam": "a"}]}}}
    with pytest.raises(ValidationError) as error:
        TrainJob.from_dict(tree)
    assert complaints(error) == [
        ("spec.runtimeRef.name", "Field required"),
        ("spec.trainer.image", "Input should be a valid string"),
        ("spec.trainer.env.0.name", "Field required"),
        ("spec.trainer.env.0.nam", "unknown field 'nam'; did you mean name?"),
        ("spec.trainer.numNode", "unknown field 'numNode'; did you mean numNodes?"),
    ]
    with pytest.raises(ValidationError) as error:
        TrainJob.from_dict({"metadata": tree["metadata"]})
    assert [place for place, _ in complaints(error)] == ["metadata.name", "metadata.labels"]


def test_assigning_an_unknown_attribute_says_what_was_meant() -> None:
    trainer = Trainer()
    with pytest.raises(ValidationError, match=r"numNodes\n  unknown field 'numNodes'; did you mean num_nodes\?"):
        trainer.numNodes = 2  # type: ignore[attr-defined]  # the point of the test


def test_dumps_hold_what_was_set() -> None:
    tree = {"metadata": {"name": "a"}, "spec": {"runtimeRef": {"name": "rt"}}, "kind": "TrainJob", "apiVersion": "trainer.kubeflow.org/v1alpha1"}
    job = TrainJob.from_dict(tree)
    assert job.model_dump() == json.loads(job.model_dump_json()) == job.to_dict() == tree
    assert job.model_dump(exclude_none=False)["spec"]["trainer"] is None


@pytest.mark.parametrize("release", RELEASES)
def test_models_are_pickled_and_copied(release: str) -> None:
    job = model_of("TrainJob", release).from_dict({"metadata": {"name": "a"}, "spec": {"runtimeRef": {"name": "rt"}, "trainer": {"numNodes": 2}}})
    for other in (pickle.loads(pickle.dumps(job)), copy.deepcopy(job), job.model_copy(deep=True)):
        assert type(other) is type(job)
        assert other == job
        assert other is not job


def test_a_release_builds_what_is_asked_for() -> None:
    code = (
        "from jobset_compiler.models import build, ObjectMeta; import json\n"
        "print(json.dumps({name: sorted(release._models) for name, release in build.releases().items()}))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    built = json.loads(done.stdout)
    assert built.pop(attribute_of(NEWEST)) == ["ManagedFieldsEntry", "ObjectMeta", "OwnerReference"]
    assert not any(built.values())


def test_threads_that_ask_at_once_get_the_same_classes() -> None:
    code = """
from concurrent.futures import ThreadPoolExecutor
import sys
sys.setswitchinterval(1e-6)
from jobset_compiler import models

def job(number):
    spec = models.v2_1.TrainJobSpec(runtime_ref=models.v2_1.RuntimeRef(name="rt"), trainer=models.v2_1.Trainer(num_nodes=number))
    return models.v2_1.TrainJob(metadata=models.ObjectMeta(name=f"job-{number}"), spec=spec)

with ThreadPoolExecutor(8) as pool:
    jobs = list(pool.map(job, range(1, 25)))
assert len({type(job.spec.trainer) for job in jobs}) == 1
assert [job.spec.trainer.num_nodes for job in jobs] == list(range(1, 25))
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("release", RELEASES)
def test_signatures_and_docstrings_are_for_reading(release: str) -> None:
    for model in models_of(release):
        model.model_rebuild()
        signature = inspect.signature(model)
        assert set(signature.parameters) == set(model.model_fields), model
        assert not {word for word in ("Annotated", "FieldInfo", "typing.", "Optional") if word in str(signature)}, model
    trainer = releases()[attribute_of(NEWEST)].model("Trainer")
    assert str(inspect.signature(trainer)).startswith("(*, image: str | None = None, command: list[str] | None = None, ")
    assert "num_nodes: Number of training nodes (pods)" in str(trainer.__doc__)
    assert str(inspect.signature(TrainJob)).startswith("(*, metadata: ObjectMeta, spec: TrainJobSpec | None = None, ")


def test_json_schema_of_a_model_describes_the_object_and_each_field() -> None:
    schema = Trainer.model_json_schema()
    assert schema["description"] == Trainer.ABOUT
    assert schema["properties"]["numNodes"]["description"].startswith("Number of training nodes")
    assert not any("\n" in part.get("description", "") for part in schema["$defs"].values())


def test_the_front_door_has_the_newest_models() -> None:
    assert (jc.TrainJob, jc.TrainingRuntime, jc.ClusterTrainingRuntime) == (TrainJob, TrainingRuntime, ClusterTrainingRuntime)
    assert jc.models is models


def test_a_model_prints_as_what_makes_it() -> None:
    reference = RuntimeRef(name="rt", kind="TrainingRuntime")
    job = TrainJob(metadata=ObjectMeta(name="mnist"), spec=TrainJobSpec(runtime_ref=reference))
    shown = "TrainJob(metadata=ObjectMeta(name='mnist'), spec=TrainJobSpec(runtime_ref=RuntimeRef(name='rt', kind='TrainingRuntime')))"
    assert repr(job) == shown
    assert eval(shown, vars(models) | {name: getattr(models, name) for name in dir(models)}) == job


def test_items_are_the_same_where_the_server_would_fill_in_the_same_key() -> None:
    two = [ContainerPort(container_port=1, protocol="UDP"), ContainerPort(container_port=1)]
    assert Container(name="a", ports=two).ports == two
    with pytest.raises(ValidationError) as caught:
        Container(name="a", ports=[ContainerPort(container_port=1), ContainerPort(container_port=2), ContainerPort(container_port=1, protocol="TCP")])
    assert complaints(caught) == [("ports", "item 2: Duplicate value: 1, TCP")]


def test_a_docstring_has_a_line_for_each_field_of_which_something_is_said() -> None:
    known = [getattr(models, name) for name in dir(models)]
    said = [line for model in known if hasattr(model, "model_fields") for line in (model.__doc__ or "").splitlines()]
    assert "container_port: Port of the container." in said
    assert [line for line in said if line.rstrip().endswith(":")] == []


def test_a_rule_that_cannot_be_evaluated_says_why_before_its_message() -> None:
    with pytest.raises(ValidationError) as refused:
        models.v2_1.TorchMLPolicySource(num_proc_per_node="many")
    overload = "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: "
    assert complaints(refused) == [("num_proc_per_node", f"{overload}NumProcPerNode must be equal to auto, cpu, gpu, or int value")]


@pytest.mark.parametrize("name", ["Pod", "trainjob", "v1_9"])
def test_a_name_that_no_release_has_is_told_as_python_does(name: str) -> None:
    with pytest.raises(AttributeError, match=f"^module 'jobset_compiler.models' has no attribute '{name}'$"):
        getattr(models, name)
