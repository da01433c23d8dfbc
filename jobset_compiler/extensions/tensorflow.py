"""tensorflow: TF_CONFIG for runtimes whose label says tensorflow, and two runtimes that pages promise and no release ships.

All of it is ours: upstream's only advice is to write TF_CONFIG by hand (kubeflow/trainer #2443, #2699). What TensorFlow reads was tried with 2.21: a
missing peer is waited for without end, an index beyond the list fails. Kubernetes expands $(NAME) from earlier variables only, so that the
two stand first, where the runtime's and the user's own may refer to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler import runtimes
from jobset_compiler.diagnostics import codes
from jobset_compiler.emit.json import compact
from jobset_compiler.extensions.tf_cluster import EVALUATOR, PORT, PS, TENSORFLOW, WORKER, cluster_of, refused, uses_host_network
from jobset_compiler.findings.runtime import FRAMEWORK_LABEL
from jobset_compiler.findings.words import POD, TRAINER_SPEC, container_path, job_path, on_runtime, on_trainjob, pod_path
from jobset_compiler.passes import causes
from jobset_compiler.passes.api import CHECK, POLICY, Brings, InsertEnv, OfRuntime, OfTemplate, Pass, SetPort, Several
from jobset_compiler.passes.endpoints import COMPLETION_INDEX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.extensions.tf_cluster import Cluster, TaskType
    from jobset_compiler.passes.api import Edit
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because

NAME = "tensorflow"
TF_CONFIG, TF_TASK_INDEX = "TF_CONFIG", "TF_TASK_INDEX"
# The kernel takes 128 KiB for one variable with its name.
LONGEST = 100 * 1024
LABEL = OfRuntime(("metadata", "labels", FRAMEWORK_LABEL))


def is_tensorflow(plan: Plan) -> bool:
    return plan.runtime.labels.get(FRAMEWORK_LABEL) == TENSORFLOW


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    """Ports of all roles; TF_CONFIG where there is more than one pod."""
    if plan.policy_name:
        message = f"the label says {TENSORFLOW}, the policy is {plan.policy_name}"
        yield refused(plan, codes.extensions.TF_POLICY, message, ("spec", "mlPolicy", plan.policy_name), "keep one of the two")
        return
    cluster = cluster_of(plan)
    if cluster.problems or not any(role.name == WORKER for role in cluster.roles):
        yield from cluster.problems
        return
    for role in cluster.roles:
        if role.lacks_port:
            yield SetPort(role.pods.name, role.container.name, {"name": "tf", "containerPort": PORT}, because=LABEL)
    if cluster.size > 1:
        hosts = causes.hosts(plan, tuple(role.pods.name for role in cluster.roles))
        because = Several((LABEL, hosts, *_of_ports(plan, cluster)))
        listed = {role.name: role.hosts(plan) for role in sorted(cluster.roles, key=lambda role: role.name) if role.name != EVALUATOR and role.pods.count > 0}
        for role in cluster.roles:
            if TF_CONFIG in {entry["name"] for entry in role.container.env}:
                yield kept(plan, role)
            else:
                yield from task(plan, role, listed, because)


def _of_ports(plan: Plan, cluster: Cluster) -> Iterator[OfTemplate]:
    """The ports that the roles of the cluster say themselves."""
    for role in cluster.roles:
        index = role.port_index
        if index is not None and role.name != EVALUATOR:
            job = plan.pod_sets.index(role.pods)
            at = ("replicatedJobs", job, *POD, "containers", role.pods.containers.index(role.container), "ports", index)
            yield OfTemplate((*at, "containerPort"))
            yield OfTemplate((*at, "name"))


def kept(plan: Plan, role: TaskType) -> Diagnostic:
    """Runtime or TrainJob have a TF_CONFIG for that role, and it wins."""
    trainer = plan.job.trainer
    own = next((index for index, entry in enumerate(trainer.env if trainer else ()) if entry["name"] == TF_CONFIG), None)
    message, hint = f"{TF_CONFIG} of {role.pods.name} is left as it was given", "leave it out, and it is written for the number of pods"
    if role.name == WORKER and own is not None:
        return on_trainjob(plan, codes.extensions.TF_CONFIG_KEPT, message, (*TRAINER_SPEC, "env", own), hint)
    return on_runtime(plan, codes.extensions.TF_CONFIG_KEPT, message, container_path(plan, role.pods.name, role.container.name), hint)


def task(plan: Plan, role: TaskType, cluster: dict[str, list[str]], because: Because) -> Iterator[Edit | Diagnostic]:
    """The variables of one role. With one pod its index is known, with more the pod knows it."""
    pods, container = role.pods.name, role.container.name
    alone = role.pods.count == 1
    index = "0" if alone else f"$({TF_TASK_INDEX})"
    text = f'{{"cluster":{compact(cluster)},"task":{{"type":"{role.name}","index":{index}}}}}'
    if len(text) > LONGEST:
        message = f"{TF_CONFIG} of {sum(map(len, cluster.values()))} pods has {len(text)} characters: no variable can be that long"
        yield refused(plan, codes.extensions.TF_CONFIG_LENGTH, message, job_path(plan, pods), "run fewer pods")
        return
    if not alone:
        given = next((entry for entry in role.container.env if entry["name"] == TF_TASK_INDEX), None)
        if given is None:
            yield InsertEnv(pods, container, {"name": TF_TASK_INDEX, "valueFrom": COMPLETION_INDEX}, because=LABEL)
        elif not is_index(given):
            message = f"{TF_TASK_INDEX} of {pods} is something else than the index of the pod, which {TF_CONFIG} needs under that name"
            yield refused(plan, codes.extensions.TF_TASK_INDEX, message, container_path(plan, pods, container), "give it another name")
            return
    yield InsertEnv(pods, container, {"name": TF_CONFIG, "value": text}, because=because, after="" if alone else TF_TASK_INDEX)


def is_index(entry: dict[str, object]) -> bool:
    """Whether a variable is the completion index of its pod."""
    source = entry.get("valueFrom")
    reference = source.get("fieldRef") if isinstance(source, dict) else None
    return isinstance(reference, dict) and reference.get("fieldPath") == COMPLETION_INDEX["fieldRef"]["fieldPath"]


def run_check(plan: Plan) -> Iterator[Diagnostic]:
    if plan.policy_name:
        return
    cluster = cluster_of(plan)
    if cluster.problems:
        return
    yield from never_ends(plan, cluster)
    for role in cluster.roles:
        if uses_host_network(plan, role) and role.pods.count > 1:
            message = f"the pods of {role.pods.name} share the network of their machines: two of them on one machine need different ports"
            at = (*pod_path(plan, role.pods.name), "hostNetwork")
            yield on_runtime(plan, codes.extensions.TF_HOST_NETWORK, message, at, "spread them with podAntiAffinity, or leave hostNetwork out")


def never_ends(plan: Plan, cluster: Cluster) -> Iterator[Diagnostic]:
    servers = next((role for role in cluster.roles if role.name == PS), None)
    if servers is None or "successPolicy" in plan.template:
        return
    decides = next((role.pods.name for role in cluster.roles if role.name in ("chief", "master")), None)
    target = decides or next((role.pods.name for role in cluster.roles if role.name == WORKER), "node")
    message = "parameter servers do not end by themselves, and nothing says when the job is done without them"
    hint = f"add successPolicy: {{operator: All, targetReplicatedJobs: [{target}]}}"
    yield on_runtime(plan, codes.extensions.TF_PS_NEVER_ENDS, message, job_path(plan, servers.pods.name), hint)


DISTRIBUTED = """\
# TensorFlow on any number of nodes: the extension tensorflow writes TF_CONFIG. No release of Kubeflow Trainer ships it.
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: tensorflow-distributed
  labels:
    trainer.kubeflow.org/framework: tensorflow
spec:
  mlPolicy:
    numNodes: 1
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata:
            labels:
              trainer.kubeflow.org/trainjob-ancestor-step: trainer
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: docker.io/tensorflow/tensorflow:2.19.0
"""
# v2.0's, under the name that pages call it by.
MPI_DISTRIBUTED = runtimes.text_of("v2.0", "mpi-distributed").replace("name: mpi-distributed\n", "name: mpi\n")
BRINGS = (
    Brings("tensorflow-distributed", "TensorFlow on any number of nodes, with TF_CONFIG.", DISTRIBUTED),
    Brings("mpi", "Open MPI: mpi-distributed of v2.0 by another name.", MPI_DISTRIBUTED),
)
PASSES = (
    Pass(NAME, POLICY, is_tensorflow, run, cites=("#2443", "#2699"), brings=BRINGS, extension=NAME),
    Pass(f"{NAME}-check", CHECK, is_tensorflow, run_check, extension=NAME),
)
