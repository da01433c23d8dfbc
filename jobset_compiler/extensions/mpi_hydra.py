"""mpi-hydra: Intel MPI and MPICH, whose mpirun is Hydra. The runtime says mpiImplementation: Intel or MPICH.

Counts, slots, SSH keys, volumes and names are those of the mpi policy; host file and environment are Hydra's.

Sources: mpi-operator v0.8.2 pkg/controller/mpi_job_controller.go for the host file, the variables of Intel MPI and the search domain; MPICH reads
HYDRA_LAUNCHER_EXTRA_ARGS and not the HYDRA_LAUNCH_EXTRA_ARGS of mpi-operator (tried with 4.0.2; kubeflow/trainer #3717). The launcher tells the nodes
its own host name without a domain, so that these need the search domain. Our own choice: the variables that name ssh, K_MPI_JOB_ROLE for the
images of mpi-operator, and that an empty host file is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.api.runtime import LAUNCHER, NODE
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.extensions import mpirun
from jobset_compiler.passes.api import CHECK, COMPANIONS, POLICY, AddDNSSearch, Admits, OfRuntime, OfTemplate, Pass, SetEnv, Several
from jobset_compiler.passes.mpi import (
    HOSTFILE_FOLDER,
    HOSTFILE_KEY,
    MOST_HOSTS,
    NUM_NODES,
    NUM_PROC,
    host_count,
    hostfile_jobs,
    hostfile_object,
    hosts,
    policy_of,
    slots,
)
from jobset_compiler.passes.mpi import POLICY as POLICY_PATH
from jobset_compiler.resolve.places import where_it_can_be_seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.passes.api import Edit
    from jobset_compiler.resolve.plan import Plan

NAME = "mpi-hydra"
ROLE = "K_MPI_JOB_ROLE"
IMPLEMENTATION = OfRuntime((*POLICY_PATH, "mpiImplementation"))
CITES = ("mpi-operator v0.8.2:pkg/controller/mpi_job_controller.go", "#3717")


class Hydra(NamedTuple):
    """What one implementation calls its variables. per_host: "" where lines of the host file say enough; interface: who sets that one has nodes
    connect to an address instead of a name."""

    implementation: str
    host_file: str
    bootstrap: str
    extra_args: str
    per_host: str
    interface: str

    @property
    def reserved(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.host_file, self.extra_args, self.per_host)))


INTEL = Hydra(
    "Intel",
    "I_MPI_HYDRA_HOST_FILE",
    "I_MPI_HYDRA_BOOTSTRAP",
    "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS",
    "I_MPI_PERHOST",
    "I_MPI_HYDRA_IFACE",
)
MPICH = Hydra("MPICH", "HYDRA_HOST_FILE", "HYDRA_LAUNCHER", "HYDRA_LAUNCHER_EXTRA_ARGS", "", "HYDRA_IFACE")


def uses(*known: Hydra) -> Callable[[Plan], bool]:
    """Whether the runtime names one of them."""
    names = {hydra.implementation for hydra in known}

    def when(plan: Plan) -> bool:
        return plan.policy_name == "mpi" and policy_of(plan).implementation in names

    return when


def environment(hydra: Hydra) -> Callable[[Plan], Iterator[Edit | Diagnostic]]:
    """The variables of launcher and nodes, and how nodes find the launcher."""

    def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
        for pods in plan.pod_sets:
            container = pods.container(NODE)
            if container is None or pods.name not in (LAUNCHER, NODE):
                continue
            if pods.name == LAUNCHER:
                yield from launcher_variables(hydra, plan)
            if ROLE not in {entry["name"] for entry in container.env}:
                yield SetEnv(pods.name, NODE, {"name": ROLE, "value": "launcher" if pods.name == LAUNCHER else "worker"}, because=IMPLEMENTATION)
        if not names_interface(hydra, plan):
            yield from search_domains(plan)

    return run


def launcher_variables(hydra: Hydra, plan: Plan) -> Iterator[Edit]:
    yield SetEnv(LAUNCHER, NODE, {"name": hydra.host_file, "value": f"{HOSTFILE_FOLDER}/{HOSTFILE_KEY}"}, because=IMPLEMENTATION)
    yield SetEnv(LAUNCHER, NODE, {"name": hydra.bootstrap, "value": "ssh"}, because=IMPLEMENTATION)
    yield SetEnv(LAUNCHER, NODE, {"name": hydra.extra_args, "value": "-o ConnectionAttempts=10"}, because=IMPLEMENTATION)
    if hydra.per_host:
        count, because = slots(plan)
        yield SetEnv(LAUNCHER, NODE, {"name": hydra.per_host, "value": str(count)}, because=Several((because, IMPLEMENTATION)))


def names_interface(hydra: Hydra, plan: Plan) -> bool:
    """Whether runtime or TrainJob choose the launcher's network interface: then its address is told, and no name has to resolve."""
    launcher = plan.pod_set(LAUNCHER)
    container = launcher.container(NODE) if launcher else None
    given = (*(container.env if container else ()), *(plan.trainer.env if plan.trainer else ()))
    return any(entry["name"] == hydra.interface for entry in given)


def search_domains(plan: Plan) -> Iterator[Edit | Diagnostic]:
    """The domain of the pods, for those that look for the launcher."""
    looking = [pods.name for pods in plan.pod_sets if pods.name in hostfile_jobs(policy_of(plan))]
    if looking and not plan.job.typed["metadata"].get("namespace"):
        yield namespace_needed(plan)
        return
    domain = f"{plan.subdomain}.{plan.job.namespace}.svc.{plan.facts.cluster_domain}"
    because = Several((("metadata", "namespace"), OfTemplate(("network", "subdomain")), ("metadata", "name"), IMPLEMENTATION))
    for name in looking:
        yield AddDNSSearch(name, domain, because=because)


def namespace_needed(plan: Plan) -> Diagnostic:
    return Diagnostic(
        codes.extensions.NAMESPACE_NEEDED,
        f"the nodes find the launcher under {plan.subdomain}.<namespace>.svc.{plan.facts.cluster_domain}, and the TrainJob has no namespace",
        document=plan.job.document,
        at=("metadata",),
        path="metadata.namespace",
        stage="passes",
        hint="write metadata.namespace, or give -n",
        subject=("TrainJob", plan.job.namespace, plan.job.name),
    )


def run_objects(plan: Plan) -> Iterator[Edit | Diagnostic]:
    """The host file, in Hydra's form."""
    if host_count(plan) > MOST_HOSTS:
        return  # told by the mpi policy
    count, _ = slots(plan)
    lines = [f"{host}:{count}\n" for host in hosts(plan)]
    if count < 1:
        yield empty(plan, f"the host file gives each host {count} processes: mpirun starts nothing", NUM_PROC, (*POLICY_PATH, "numProcPerNode"))
    elif not lines:
        yield empty(plan, "an empty host file makes mpirun run on the launcher alone", NUM_NODES, POLICY_PATH)
    else:
        yield hostfile_object(plan, "".join(lines))


def empty(plan: Plan, message: str, of_trainjob: Path, of_runtime: Path) -> Diagnostic:
    """At the TrainJob's own number where it has one, else in the runtime."""
    trainer = plan.job.document.value["spec"].get("trainer") or {}
    place = (plan.job.document, of_trainjob) if of_trainjob[-1] in trainer else (plan.runtime.document, of_runtime)
    document, at, notes = where_it_can_be_seen(plan, *place)
    return Diagnostic(
        codes.extensions.HOSTFILE_EMPTY,
        message,
        document=document,
        at=at,
        stage="passes",
        hint="give it at least 1; a replicatedJob called node is needed too" if of_trainjob == NUM_NODES else "give it at least 1",
        notes=notes,
        subject=("TrainJob", plan.job.namespace, plan.job.name),
    )


PASSES = (
    *(
        Pass(
            f"{NAME}-{hydra.implementation.lower()}",
            POLICY,
            uses(hydra),
            environment(hydra),
            cites=CITES,
            admits=(Admits("trainer.MPIMLPolicySource", "mpiImplementation", (hydra.implementation,)),),
            reserves=hydra.reserved,
            extension=NAME,
        )
        for hydra in (INTEL, MPICH)
    ),
    Pass(f"{NAME}-objects", COMPANIONS, uses(INTEL, MPICH), run_objects, overrides=frozenset({"mpi-objects"}), cites=CITES, extension=NAME),
    Pass(f"{NAME}-check", CHECK, uses(INTEL, MPICH), mpirun.run_check, extension=NAME),
)
