"""Every field of the TrainJob, and of the runtime's own part: each value changes what comes out, or is refused, or a finding stands on its line.

A walk over the type tables of all releases. What does neither has a reason here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jobset_compiler as jc
from jobset_compiler.expand.of_objects import children_of
from jobset_compiler.profiles import find
from tests.passes.plans import container, job, runtime, trainjob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import Field
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
RELEASES = ("v2.0", "v2.1", "v2.2", "v2.3")
# What is in them is Kubernetes' own, and passes through as it is.
WHOLE = {
    "core.Volume": {"name": "data", "emptyDir": {}},
    "core.Affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
    "core.Toleration": {"key": "spot", "operator": "Exists"},
    "core.PodSecurityContext": {"runAsUser": 7},
    "core.SecurityContext": {"runAsUser": 7},
    "core.PodTemplateSpec": {"spec": {"containers": [container()]}},
    "core.PersistentVolumeClaim": {"metadata": {"name": "claim"}, "spec": {"accessModes": ["ReadWriteOnce"]}},
    "meta.LabelSelector": {"matchLabels": {"a": "b"}},
    "volcano.NetworkTopologySpec": {"mode": "soft", "highestTierAllowed": 2},
    "trainer.TorchElasticPolicy": {"minNodes": 2},
}
# Values that a field takes, where it does not take any of its type: by struct and field.
SAMPLES: dict[tuple[str, str], Any] = {
    ("trainer.RuntimeRef", "name"): "rt",
    ("trainer.RuntimeRef", "kind"): "TrainingRuntime",
    ("trainer.DatasetInitializer", "storageUri"): "hf://a/b",
    ("trainer.ModelInitializer", "storageUri"): "hf://a/b",
    ("trainer.RuntimePatch", "manager"): "acme.io/x",
    ("trainer.TrainJobSpec", "managedBy"): "kueue.x-k8s.io/multikueue",
    ("trainer.PodSpecOverrideTargetJob", "name"): "node",
    ("trainer.PodTemplateOverrideTargetJob", "name"): "node",
    ("trainer.ReplicatedJobPatch", "name"): "node",
    ("trainer.ContainerPatch", "name"): "helper",
    ("trainer.ContainerOverride", "name"): "helper",
    ("trainer.EnvInjectionTarget", "jobName"): "node",
    ("trainer.EnvInjectionTarget", "containerNames"): ["helper"],
    ("core.EnvVar", "valueFrom"): {"fieldRef": {"fieldPath": "metadata.name"}},
    ("core.ObjectFieldSelector", "fieldPath"): "metadata.name",
    ("core.ObjectFieldSelector", "apiVersion"): "v1",
    ("core.ResourceFieldSelector", "resource"): "limits.memory",
    ("core.ResourceFieldSelector", "divisor"): "1Mi",
    ("core.ResourceFieldSelector", "containerName"): "helper",
    ("core.FileKeySelector", "volumeName"): "scratch",
    ("core.VolumeMount", "name"): "initializer",
    ("core.VolumeMount", "mountPath"): "/alpha",
    ("core.VolumeMount", "mountPropagation"): "None",
    ("core.VolumeMount", "recursiveReadOnly"): "Disabled",
    ("meta.EmbeddedObjectMeta", "finalizers"): ["acme.io/x"],
    ("jobset.ReplicatedJob", "name"): "node",
    ("jobset.ReplicatedJob", "replicas"): 1,
    ("jobset.DependsOn", "name"): "dataset-initializer",
    ("jobset.SuccessPolicy", "targetReplicatedJobs"): ["node"],
    ("jobset.FailurePolicy", "restartStrategy"): "BlockingRecreate",
    ("jobset.FailurePolicyRule", "action"): "FailJobSet",
    ("jobset.FailurePolicyRule", "onJobFailureReasons"): ["DeadlineExceeded"],
    ("jobset.FailurePolicyRule", "targetReplicatedJobs"): ["node"],
    ("jobset.Coordinator", "replicatedJob"): "node",
    ("jobset.Network", "enableDNSHostnames"): False,
    ("jobset.Network", "publishNotReadyAddresses"): False,
    ("jobset.JobSetSpec", "managedBy"): "acme.io/x",
    ("batch.JobSpec", "managedBy"): "acme.io/x",
    ("batch.JobSpec", "completionMode"): "NonIndexed",
    ("batch.JobSpec", "podReplacementPolicy"): "Failed",
    ("batch.JobSpec", "maxFailedIndexes"): 1,
    ("batch.JobSpec", "template"): {"spec": {"nodeName": "alpha", "containers": [{"name": "node"}]}},
    ("batch.PodFailurePolicyRule", "action"): "FailJob",
    ("batch.PodFailurePolicyOnExitCodesRequirement", "containerName"): "node",
    ("batch.PodFailurePolicyOnExitCodesRequirement", "operator"): "In",
    ("batch.PodFailurePolicyOnPodConditionsPattern", "type"): "DisruptionTarget",
    ("batch.PodFailurePolicyOnPodConditionsPattern", "status"): "False",
    ("batch.SuccessPolicyRule", "succeededIndexes"): "0",
    ("batch.SuccessPolicyRule", "succeededCount"): 1,
    ("trainer.TorchMLPolicySource", "numProcPerNode"): 7,
    ("trainer.MPIMLPolicySource", "sshAuthMountPath"): "/alpha",
    ("trainer.MPIMLPolicySource", "mpiImplementation"): "",
    ("core.ResourceRequirements", "limits"): {"cpu": "3"},
    ("core.ResourceRequirements", "requests"): {"cpu": "3"},
}
# What a struct, or a field of it, needs beside it.
TARGETS: Tree = {"targetJobs": [{"name": "node"}]}
NEEDED: dict[str, Tree] = {"trainer.PodSpecOverride": TARGETS, "trainer.PodTemplateOverride": TARGETS}
BESIDE: dict[tuple[str, str], Tree] = {
    ("core.VolumeMount", "recursiveReadOnly"): {"readOnly": True},
    ("batch.JobSpec", "maxFailedIndexes"): {"backoffLimitPerIndex": 1},
    ("batch.PodFailurePolicyRule", "action"): {"onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
    ("batch.PodFailurePolicyOnPodConditionsPattern", "status"): {"type": "DisruptionTarget"},
    ("jobset.VolumeClaimPolicy", "retentionPolicy"): {"templates": [WHOLE["core.PersistentVolumeClaim"]]},
    **{(f"core.{kind}KeySelector", field): {"name": "keys"} for kind in ("ConfigMap", "Secret") for field in ("key", "optional")},
}
TORCH: Tree = {"numNodes": 1, "torch": {}}


def given() -> Tree:
    """A runtime in which every field of a TrainJob has something to change."""
    mounts = [{"name": "initializer", "mountPath": "/workspace"}]
    volumes = [{"name": "initializer", "persistentVolumeClaim": {"claimName": "data"}}]
    names = ("dataset-initializer", "model-initializer")
    jobs = [job(name, name, containers=[container(name, volumeMounts=mounts)], volumes=volumes) for name in names]
    own = container(volumeMounts=mounts, command=["a"], args=["b"])
    more: Tree = {"initContainers": [container("before")], "volumes": [*volumes, {"name": "scratch", "emptyDir": {}}], "restartPolicy": "Never"}
    node = job(containers=[own, container("helper")], **more)
    return runtime(TORCH, *jobs, node)


# Where the job called node stands in it.
NODE_JOB = 2


Chain = tuple["Field", ...]


def leaves(profile: Profile, struct: str, parents: tuple[str, ...] = (), at: Chain = ()) -> Iterator[tuple[Chain, tuple[str, ...]]]:
    """The fields down to each one that has no parts, with the structs that they stand in."""
    for field in profile.types().struct(struct).fields.values():
        inner = item_of(field)
        chain, structs = (*at, field), (*parents, struct)
        if inner.kind == "struct" and inner.type_name not in WHOLE and inner.type_name not in structs:
            yield from leaves(profile, inner.type_name, structs, chain)
        else:
            yield chain, structs


def item_of(field: Field) -> Field:
    while field.elem is not None:
        field = field.elem
    return field


def sample(field: Field, struct: str) -> Any:
    """A value that the field takes."""
    if (struct, field.name) in SAMPLES:
        return SAMPLES[struct, field.name]
    return wrapped(field, value_of(item_of(field)))


def wrapped(field: Field, value: Any) -> Any:
    if field.kind == "list":
        assert field.elem is not None
        return [wrapped(field.elem, value)]
    if field.kind == "map":
        assert field.elem is not None
        return {"alpha": wrapped(field.elem, value)}
    return value


def value_of(field: Field) -> Any:
    if field.kind == "struct":
        return WHOLE.get(field.type_name, {})
    if "enum" in field.constraints:
        return field.constraints["enum"][-1]
    return {"string": "alpha", "bool": True, "Quantity": "3", "Time": "2026-01-01T00:00:00Z", "IntOrString": 3}.get(field.kind, 3)


ABSENT = object()


def tree_of(profile: Profile, chain: Chain, structs: tuple[str, ...], value: Any) -> Any:
    """The struct of the first field with that value in the last; ABSENT: without it, and with all that stands beside it."""
    field, struct = chain[0], structs[0]
    required = {name: sample(profile.types().struct(struct).fields[name], struct) for name in profile.types().struct(struct).required}
    out = {**required, **NEEDED.get(struct, {}), **BESIDE.get((struct, field.name), {})}
    if len(chain) == 1:
        out.pop(field.name, None)
        return out if value is ABSENT else {**out, field.name: value}
    inner = tree_of(profile, chain[1:], structs[1:], value)
    return {**out, field.name: wrapped(field, {**inner, "name": "before"} if field.name == "initContainers" and "name" in inner else inner)}


def place_of(chain: Chain) -> Path:
    steps: list[str | int] = []
    for field in chain[:-1]:
        index = NODE_JOB if field.type_name == "[]jobset.ReplicatedJob" else 0
        steps += [field.name, *([index] if field.kind == "list" else [])]
    return (*steps, chain[-1].name)


def laid_over(base: Any, tree: Any) -> Any:
    """Two trees as one; items of lists that have the same name as well."""
    if isinstance(base, list) and isinstance(tree, list) and all(isinstance(item, dict) and "name" in item for item in (*base, *tree)):
        more = {item["name"]: item for item in tree}
        names = [item["name"] for item in base]
        return [*(laid_over(item, more.get(item["name"], {})) for item in base), *(item for item in tree if item["name"] not in names)]
    if isinstance(base, dict) and isinstance(tree, dict):
        return {**base, **{key: laid_over(base[key], value) if key in base else value for key, value in tree.items()}}
    return tree



def outcome(profile: Profile, spec: Tree, of_runtime: Tree | None = None) -> tuple[Any, list[Any]]:
    """What comes out, None where it is refused, and what is said."""
    asked, found = trainjob({}), given()
    asked["spec"] = laid_over(asked["spec"], spec)
    if of_runtime is not None:
        # One policy alone can be there.
        policy = of_runtime.get("mlPolicy", {})
        is_elastic = "elasticPolicy" in policy.get("torch", {})  # which has numbers of nodes of its own
        base = {**found["spec"], "mlPolicy": {} if is_elastic else {"numNodes": 1}} if policy.keys() - {"numNodes"} else found["spec"]
        found["spec"] = laid_over(base, of_runtime)
    result = jc.compile_objects([found, asked], trainer_version=profile.name, bundled_runtimes=False)
    if not result.ok:
        return None, list(result.diagnostics)
    jobset, *others = result.objects
    # What the JobSet controller makes of a runtime counts, not what the JobSet says.
    made = jobset if of_runtime is None else (jobset["metadata"], children_of(jobset, profile))
    return (made, others), list(result.diagnostics)


def is_told(at: Path, before: list[Any], after: list[Any]) -> bool:
    """A finding on the line or below it; one that the value has brought may stand on what encloses it, one that was there on what is dropped whole."""
    known = {(d.code, d.message) for d in before}
    return any(
        d.at[: len(at)] == at or (at[: len(d.at)] == d.at and ((d.code, d.message) not in known or len(d.at) > SECTION)) for d in after if d.at != ("spec",)
    )


# A path of that length, such as spec.trainer, stands for a whole section.
SECTION = 2
OVERRIDES = ("podSpecOverrides", "podTemplateOverrides", "runtimePatches")
# Why a value may say nothing, by the path of its field without indexes: no output can show it.
SAYS_NOTHING = {
    "spec.runtimeRef.name": "the value of the test is that of the runtime that there is",
    "spec.activeDeadlineSeconds": "the controller's own clock; no object has it",
    **{
        f"spec.{holder}.env.valueFrom.fieldRef.apiVersion": "there is v1 alone, which the server fills in"
        for holder in ("trainer", "initializer.dataset", "initializer.model")
    },
}
# Another group or kind of runtime than there is. (fileKeyRef: the controller loses it in a TrainJob, and the Pod API knows it from 1.36 on.)
REFUSED = ("spec.runtimeRef.apiGroup", "spec.runtimeRef.kind")
# Fields whose empty value is what is meant without one.
EMPTY_IS_DEFAULT = frozenset(
    {
        *("value", "apiVersion", "containerName", "divisor", "optional", "suspend", "labels", "annotations", "limits", "requests"),
        *("manager", "time", "finalizers", "namespace", "name"),
    }
)


def zero(field: Field) -> Any:
    """The empty value of a field; none for times, which have none."""
    if field.kind in ("list", "map", "struct"):
        return [] if field.kind == "list" else {}
    return {"string": "", "bool": False, "Quantity": "0", "Time": "1970-01-01T00:00:00Z"}.get(field.kind, 0)


def without_indexes(at: Path) -> str:
    return ".".join(step for step in at if isinstance(step, str))


def fields_of_trainjobs(profile: Profile) -> list[tuple[Chain, tuple[str, ...], Path]]:
    return [(chain, structs, ("spec", *place_of(chain))) for chain, structs in leaves(profile, "trainer.TrainJobSpec")]


@pytest.mark.parametrize("release", RELEASES)
def test_every_value_of_a_trainjob_does_something(release: str) -> None:
    profile = find(release)
    assert profile is not None
    quiet: set[str] = set()
    refused: set[str] = set()
    fields = fields_of_trainjobs(profile)
    assert len(fields) > 90
    for chain, structs, at in fields:
        before, was = outcome(profile, tree_of(profile, chain, structs, ABSENT))
        after, told = outcome(profile, tree_of(profile, chain, structs, sample(chain[-1], structs[-1])))
        if after is None:
            refused.add(without_indexes(at))
        elif after == before and not is_told(at, was, told):
            quiet.add(without_indexes(at))
    assert not {path for path in refused if path not in REFUSED and ".fileKeyRef." not in path}, "values of the test that no release takes show nothing"
    assert quiet == {path for path in SAYS_NOTHING if path in {without_indexes(at) for _, _, at in fields}}


@pytest.mark.parametrize("release", RELEASES)
def test_every_empty_value_of_a_trainjob_does_something(release: str) -> None:
    """Beside the runtime's value, or of an override behind another that has one."""
    profile = find(release)
    assert profile is not None
    for chain, structs, at in fields_of_trainjobs(profile):
        section, empty = chain[0].name, zero(chain[-1])
        if section in OVERRIDES:
            first, second = (tree_of(profile, chain, structs, value)[section][0] for value in (sample(chain[-1], structs[-1]), empty))
            before, was = outcome(profile, {section: [first]})
            after, told = outcome(profile, {section: [first, {**second, "manager": "acme.io/second"} if "manager" in second else second]})
            at = (*at[:2], 1, *at[3:])
        else:
            before, was = outcome(profile, tree_of(profile, chain, structs, ABSENT))
            after, told = outcome(profile, tree_of(profile, chain, structs, empty))
        if after is not None and after == before and not is_told(at, was, told):
            assert chain[-1].name in EMPTY_IS_DEFAULT, at


# What no first reconciliation shows, by the beginning of the path.
LATER = {
    "spec.template.spec.failurePolicy.": "when Jobs fail",
    "spec.template.spec.successPolicy.": "when Jobs succeed",
    "spec.template.spec.ttlSecondsAfterFinished": "when the JobSet has finished (JSC377 in the releases that make it anew)",
}
REFUSED_OF_RUNTIMES = (
    "spec.template.spec.replicatedJobs.template.spec.selector",  # which would not select the pods of the Job
    "spec.template.spec.replicatedJobs.template.spec.manualSelector",
    "spec.template.spec.coordinator.jobIndex",  # of a job with one replica and one pod
    "spec.template.spec.coordinator.podIndex",
    "spec.template.spec.volumeClaimPolicies.templates",  # which nobody mounts
    "spec.template.spec.volumeClaimPolicies.retentionPolicy.whenDeleted",
    "spec.mlPolicy.mpi.mpiImplementation",  # of which 2.0 knows one
    "spec.mlPolicy.flux.numProcPerNode",  # without spec.trainer.numNodes
)


@pytest.mark.parametrize("release", RELEASES)
def test_every_value_of_a_runtime_does_something(release: str) -> None:
    """Its own part: policies, and the JobSet down to the pods."""
    profile = find(release)
    assert profile is not None
    fields = [(chain, structs, ("spec", *place_of(chain))) for chain, structs in leaves(profile, "trainer.TrainingRuntimeSpec")]
    assert len(fields) > 60
    for chain, structs, at in fields:
        before, was = outcome(profile, {}, tree_of(profile, chain, structs, ABSENT))
        after, told = outcome(profile, {}, tree_of(profile, chain, structs, sample(chain[-1], structs[-1])))
        path = without_indexes(at)
        if after is None:
            assert path in REFUSED_OF_RUNTIMES, (path, [d.message for d in told if d.is_error])
        elif after == before and not is_told(at, was, told):
            assert path.startswith(tuple(LATER)), path
