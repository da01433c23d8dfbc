"""A JobSet with its defaults as the rules of its webhook see it, and the names that are made of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.value import Value

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path

Tree = dict[str, Any]
# What the Job controller puts behind the name of a pod.
SUFFIX = "abcde"
# Of a host name in Linux; the kubelet compares with it where setHostnameAsFQDN is set (GetNodenameForKernel in pkg/kubelet/util/util.go).
FULL_NAME_LENGTH = 64
# Only a cluster knows its domain; this is what nearly all have.
CLUSTER_DOMAIN = "cluster.local"


class ReplicatedJob(Value):
    """A replicatedJob as the rules see it."""

    __slots__ = ("completions", "is_indexed", "name", "parallelism", "position", "replicas", "value")

    def __init__(self, position: int, name: str, replicas: int, parallelism: int, completions: int | None, is_indexed: bool, value: Tree) -> None:
        self.position: Final = position
        self.name: Final = name
        self.replicas: Final = replicas
        self.parallelism: Final = parallelism
        self.completions: Final = completions
        self.is_indexed: Final = is_indexed
        self.value: Final = value

    @property
    def path(self) -> Path:
        return ("spec", "replicatedJobs", self.position)

    @property
    def pod_spec(self) -> Tree:
        spec: Tree = self.value["template"]["spec"]["template"].get("spec", {})
        return spec


class View(Value):
    """A JobSet with its defaults as the rules see it."""

    __slots__ = ("jobs", "name", "names", "namespace", "spec")

    def __init__(self, name: str, namespace: str, spec: Tree, jobs: tuple[ReplicatedJob, ...], names: dict[str, int]) -> None:
        self.name: Final = name
        self.namespace: Final = namespace
        self.spec: Final = spec
        self.jobs: Final = jobs
        self.names: Final = names

    def job(self, name: str) -> ReplicatedJob | None:
        return self.jobs[self.names[name]] if name in self.names else None


def view_of(jobset: Tree) -> View:
    spec = jobset["spec"]
    jobs = tuple([_job(position, value) for position, value in enumerate(spec.get("replicatedJobs", ()))])
    metadata = jobset["metadata"]
    return View(metadata.get("name", ""), metadata.get("namespace", ""), spec, jobs, {job.name: job.position for job in jobs})


def _job(position: int, value: Tree) -> ReplicatedJob:
    spec = value["template"]["spec"]
    return ReplicatedJob(
        position=position,
        name=value["name"],
        replicas=value.get("replicas", 1),
        parallelism=spec.get("parallelism", 1),
        completions=spec.get("completions"),
        is_indexed=spec.get("completionMode") == "Indexed",
        value=value,
    )


def last_job_name(view: View, job: ReplicatedJob) -> str:
    """Of a replicatedJob with its highest number, which is the longest."""
    return f"{view.name}-{job.name}-{job.replicas - 1}"


def last_pod_name(view: View, job: ReplicatedJob, completions: int) -> str:
    """Of an Indexed Job with that many completions."""
    return f"{last_job_name(view, job)}-{completions - 1}-{SUFFIX}"


def coordinator_endpoint(name: str, spec: Tree) -> str:
    """The host name of the coordinator, which every Job has in a label."""
    coordinator = spec["coordinator"]
    subdomain = spec.get("network", {}).get("subdomain") or name
    return f"{name}-{coordinator['replicatedJob']}-{coordinator.get('jobIndex', 0)}-{coordinator.get('podIndex', 0)}.{subdomain}"


def full_name(job_name: str, count: int, subdomain: str, namespace: str, *, is_indexed: bool) -> str:
    """The full host name of the last of `count` pods of that Job: a pod without index has the host name that it is called by."""
    host = f"{job_name}-{count - 1}" if is_indexed else f"{job_name}-{SUFFIX}"
    return f"{host}.{subdomain}.{namespace}.svc.{CLUSTER_DOMAIN}"
