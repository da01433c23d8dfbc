"""The Plan: what a TrainJob and its runtime come to before any policy has acted. Passes read it; only the driver makes new ones."""

from typing import Any

from jobset_compiler.api.runtime import NODE, TRAINER, MLPolicy, PodGroupPolicy, Runtime
from jobset_compiler.api.trainjob import MULTIKUEUE, Trainer, TrainJob
from jobset_compiler.profiles import Profile, features
from jobset_compiler.resolve.facts import Facts
from jobset_compiler.resolve.patches import Unmergeable
from jobset_compiler.resolve.record import Record, Write
from jobset_compiler.value import Frozen

Tree = dict[str, Any]


class PodContainer(Frozen):
    """A container of a PodSet as passes see it. The fields that are None are left as the template has them."""

    name: str
    env: tuple[Tree, ...]
    ports: tuple[Tree, ...]
    mounts: tuple[Tree, ...]
    env_from: tuple[Tree, ...] = ()
    image: str | None = None
    command: tuple[str, ...] | None = None
    args: tuple[str, ...] | None = None
    resources: Tree | None = None


class PodSet(Frozen):
    """The pods of one replicatedJob, in the order of the runtime template.

    count: pods of one Job (parallelism and completions); replicas: Jobs. `added` containers and search domains come after the template's.
    """

    name: str
    ancestor: str | None
    count: int
    replicas: int
    containers: tuple[PodContainer, ...]
    init_containers: tuple[PodContainer, ...]
    volumes: tuple[Tree, ...]
    added_init_containers: tuple[Tree, ...] = ()
    added_dns_searches: tuple[str, ...] = ()

    def container(self, name: str) -> PodContainer | None:
        for container in self.containers:
            if container.name == name:
                return container
        return None

    def init_container(self, name: str) -> PodContainer | None:
        return next((container for container in self.init_containers if container.name == name), None)


class Plan(Frozen):
    """labels and annotations are those of the JobSet; template is its spec after patches and resources were merged in,
    record tells where each part of it comes from.

    policy_name is the ML policy selected by the runtime: "torch", "mpi", "jax", "xgboost", "flux", or "" for none (PlainML);
    node_resources are those of one node: the TrainJob's resourcesPerNode, else the template's.
    `trainer` starts as the TrainJob's and is what finally reaches the node containers: torchtune and flux rewrite its
    command. `objects` are the companions that passes added (ConfigMaps, Secrets). `reread` are the jobs that a patch made
    the controller read anew from JSON; `resources_merged` says that the TrainJob's resources are part of `template`;
    `lost_lists` that the template had empty lists, perhaps of fields that the JobSet needs; `unmergeable` is the override that
    could not be merged, and then there will be no objects. `writes`: what each pass wrote, in order, once all have acted; `extensions`: the names of those
    whose passes wrote something.
    """

    profile: Profile
    facts: Facts
    job: TrainJob
    runtime: Runtime
    labels: dict[str, str]
    annotations: dict[str, str]
    template: Tree
    record: Record
    pod_sets: tuple[PodSet, ...]
    trainer: Trainer | None
    policy_name: str
    node_resources: Tree
    reread: frozenset[str] = frozenset()
    resources_merged: bool = False
    lost_lists: bool = False
    unmergeable: Unmergeable | None = None
    pod_labels: tuple[tuple[str, str], ...] = ()
    pod_annotations: tuple[tuple[str, str], ...] = ()
    objects: tuple[Tree, ...] = ()
    writes: tuple[Write, ...] = ()
    extensions: tuple[str, ...] = ()

    @property
    def policy(self) -> MLPolicy | None:
        return self.runtime.ml_policy

    @property
    def pod_group_policy(self) -> PodGroupPolicy | None:
        return self.runtime.pod_group_policy

    def pod_set(self, name: str) -> PodSet | None:
        for pod_set in self.pod_sets:
            if pod_set.name == name:
                return pod_set
        return None

    def by_ancestor(self, ancestor: str) -> PodSet | None:
        """The first PodSet whose Job template carries that ancestor label."""
        for pod_set in self.pod_sets:
            if pod_set.ancestor == ancestor:
                return pod_set
        return None

    def trainer_pods(self) -> PodSet | None:
        return self.by_ancestor(TRAINER)

    def trainer_node(self) -> PodContainer | None:
        """The container called node in the first PodSet with the trainer ancestor: where ML policies inject."""
        pod_set = self.by_ancestor(TRAINER)
        return pod_set.container(NODE) if pod_set else None

    @property
    def subdomain(self) -> str:
        """The headless service that names the pods: network.subdomain, else the JobSet's name."""
        subdomain: str = self.template.get("network", {}).get("subdomain") or self.job.name
        return subdomain


def is_left_to_multikueue(plan: Plan) -> bool:
    """MultiKueue's TrainJobs are not reconciled where the release honours managedBy (#3681)."""
    return plan.job.managed_by == MULTIKUEUE and plan.profile.has(features.MULTIKUEUE_LEFT_ALONE)


def replicated_jobs(template: Tree) -> list[Tree]:
    jobs: list[Tree] = template.get("replicatedJobs", [])
    return jobs
