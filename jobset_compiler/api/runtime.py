"""A TrainingRuntime or ClusterTrainingRuntime as the pipeline sees it: frozen, defaulted, its template a typed tree."""

from typing import Any, Final

from jobset_compiler.kube.retype import TypedParts, has_unset
from jobset_compiler.source.document import Document
from jobset_compiler.value import Frozen, Value

CLUSTER_KIND = "ClusterTrainingRuntime"
NAMESPACED_KIND = "TrainingRuntime"
ANCESTOR_LABEL = "trainer.kubeflow.org/trainjob-ancestor-step"
TRAINER = "trainer"
DATASET_INITIALIZER = "dataset-initializer"
MODEL_INITIALIZER = "model-initializer"
NODE = "node"
LAUNCHER = "launcher"
NUM_NODES = "numNodes"


class InjectionTarget(Value):
    """`mlPolicy.torch.envInjection.targets[]`: containers of one replicatedJob that get the PET_* variables too."""

    __slots__ = ("containers", "job")

    def __init__(self, job: str, containers: tuple[str, ...]) -> None:
        self.job: Final = job
        self.containers: Final = containers


class TorchPolicy(Value):
    __slots__ = ("env_injection", "num_proc_per_node")

    def __init__(self, num_proc_per_node: int | str | None, env_injection: tuple[InjectionTarget, ...]) -> None:
        self.num_proc_per_node: Final = num_proc_per_node
        self.env_injection: Final = env_injection


class MPIPolicy(Value):
    __slots__ = ("implementation", "num_proc_per_node", "run_launcher_as_node", "ssh_auth_mount_path")

    def __init__(self, num_proc_per_node: int | None, implementation: str | None, ssh_auth_mount_path: str, run_launcher_as_node: bool) -> None:
        self.num_proc_per_node: Final = num_proc_per_node
        self.implementation: Final = implementation
        self.ssh_auth_mount_path: Final = ssh_auth_mount_path
        self.run_launcher_as_node: Final = run_launcher_as_node


class FluxPolicy(Value):
    __slots__ = ("num_proc_per_node",)

    def __init__(self, num_proc_per_node: int | None) -> None:
        self.num_proc_per_node: Final = num_proc_per_node


class MLPolicy(Value):
    """`spec.mlPolicy`; `name` is the policy that it selects (a key beside numNodes: "torch", "mpi", "jax", "xgboost", "flux"), "" for none."""

    __slots__ = ("flux", "mpi", "name", "num_nodes", "torch")

    def __init__(self, name: str, num_nodes: int | None, torch: TorchPolicy | None, mpi: MPIPolicy | None, flux: FluxPolicy | None) -> None:
        self.name: Final = name
        self.num_nodes: Final = num_nodes
        self.torch: Final = torch
        self.mpi: Final = mpi
        self.flux: Final = flux


class Coscheduling(Value):
    __slots__ = ("schedule_timeout_seconds",)

    def __init__(self, schedule_timeout_seconds: int | None) -> None:
        self.schedule_timeout_seconds: Final = schedule_timeout_seconds


class Volcano(Value):
    __slots__ = ("network_topology",)

    def __init__(self, network_topology: dict[str, Any] | None) -> None:
        self.network_topology: Final = network_topology


class PodGroupPolicy(Value):
    """`spec.podGroupPolicy`: both may be set, and then both make a PodGroup."""

    __slots__ = ("coscheduling", "volcano")

    def __init__(self, coscheduling: Coscheduling | None, volcano: Volcano | None) -> None:
        self.coscheduling: Final = coscheduling
        self.volcano: Final = volcano


class Runtime(Frozen):
    """has_unset: the template holds nulls or empty lists, which the JobSet made of it lacks; parts: those of the template."""

    document: Document
    kind: str
    name: str
    namespace: str
    labels: dict[str, str]
    ml_policy: MLPolicy | None
    pod_group_policy: PodGroupPolicy | None
    template_labels: dict[str, str]
    template_annotations: dict[str, str]
    template: dict[str, Any]
    typed: dict[str, Any]
    bundled: bool
    has_unset: bool
    parts: TypedParts


def decode(document: Document, typed: dict[str, Any], *, bundled: bool) -> Runtime:
    """A runtime from its typed value: pruned, defaulted, after the Go round trip."""
    meta = typed.get("metadata", {})
    spec = typed.get("spec", {})
    template = spec.get("template", {})
    metadata = template.get("metadata", {})
    kind = typed.get("kind", "")
    return Runtime(
        document=document,
        kind=kind,
        name=meta.get("name", ""),
        namespace="" if kind == CLUSTER_KIND else meta.get("namespace") or "default",
        labels=meta.get("labels", {}),
        ml_policy=_ml_policy(spec.get("mlPolicy")),
        pod_group_policy=_pod_group_policy(spec.get("podGroupPolicy")),
        template_labels=metadata.get("labels", {}),
        template_annotations=metadata.get("annotations", {}),
        template=template.get("spec", {}),
        typed=typed,
        bundled=bundled,
        has_unset=has_unset(template.get("spec")),
        parts=TypedParts(template.get("spec")),
    )


def _ml_policy(policy: dict[str, Any] | None) -> MLPolicy | None:
    if policy is None:
        return None
    torch, mpi, flux = policy.get("torch"), policy.get("mpi"), policy.get("flux")
    return MLPolicy(
        name=next((name for name in policy if name != NUM_NODES), ""),  # the schema lets one through (CEL rule one-policy)
        num_nodes=policy.get(NUM_NODES),
        torch=None
        if torch is None
        else TorchPolicy(
            torch.get("numProcPerNode"),
            tuple(
                InjectionTarget(target.get("jobName", ""), tuple(target.get("containerNames", ())))
                for target in torch.get("envInjection", {}).get("targets", ())
            ),
        ),
        mpi=None
        if mpi is None
        else MPIPolicy(mpi.get("numProcPerNode"), mpi.get("mpiImplementation"), mpi.get("sshAuthMountPath", ""), mpi.get("runLauncherAsNode", False)),
        flux=None if flux is None else FluxPolicy(flux.get("numProcPerNode")),
    )


def _pod_group_policy(policy: dict[str, Any] | None) -> PodGroupPolicy | None:
    if policy is None:
        return None
    coscheduling, volcano = policy.get("coscheduling"), policy.get("volcano")
    return PodGroupPolicy(
        None if coscheduling is None else Coscheduling(coscheduling.get("scheduleTimeoutSeconds")),
        None if volcano is None else Volcano(volcano.get("networkTopology")),
    )


def ancestor_of(replicated_job: dict[str, Any]) -> str | None:
    """The ancestor label of a replicatedJob's Job template (not of its pod template); None without the label."""
    labels: dict[str, str] = replicated_job.get("template", {}).get("metadata", {}).get("labels", {})
    return labels.get(ANCESTOR_LABEL)


def pod_spec_of(replicated_job: dict[str, Any]) -> dict[str, Any]:
    """The pod spec of a replicatedJob; empty when the runtime has none."""
    spec: dict[str, Any] = replicated_job.get("template", {}).get("spec", {}).get("template", {}).get("spec", {})
    return spec


def containers_of(replicated_job: dict[str, Any]) -> list[dict[str, Any]]:
    """The containers of a replicatedJob's pods; Go writes a list that is missing as null."""
    return pod_spec_of(replicated_job).get("containers") or []


def template_resources(template: dict[str, Any]) -> dict[str, Any]:
    """Resources of one node as a runtime has them: those of the first node container of a replicatedJob that is called node or carries the
    trainer ancestor; {} without one.

    Source: ExtractResourcePerNodeFromRuntime in pkg/runtime/runtime.go.
    """
    for job in template.get("replicatedJobs", ()):
        if job["name"] == NODE or ancestor_of(job) == TRAINER:
            for container in containers_of(job):
                if container["name"] == NODE and "resources" in container:
                    resources: dict[str, Any] = container["resources"]
                    return resources
    return {}
