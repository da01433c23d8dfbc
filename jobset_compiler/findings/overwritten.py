"""Fields of a runtime that controllers write over, or that keep its pods from starting, finding each other or running to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, TRAINER, ancestor_of, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import JOBS, POD, TEMPLATE, in_runtime, listed
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.profiles import Profile

# Managers of JobSets: its own controller, and Kueue's, which runs them elsewhere.
KNOWN_MANAGERS = ("jobset.sigs.k8s.io/jobset-controller", "kueue.x-k8s.io/multikueue")
# Names of pods resolve in the network of a node only with this.
WITH_HOST_NETWORK = ("ClusterFirstWithHostNet", "None")


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    yield from _overwritten(runtime)
    yield from _unreachable(runtime)
    yield from _ends_early(runtime)
    manager = runtime.template.get("managedBy")
    if manager and "/" in manager and manager not in KNOWN_MANAGERS:  # without a domain JobSet refuses it
        message = f"JobSet's own controller leaves JobSets of {manager} alone: nothing runs unless a controller of that name is there"
        yield in_runtime(runtime, codes.silent.MANAGED_ELSEWHERE, message, (*TEMPLATE, "managedBy"), "leave managedBy out")


def _overwritten(runtime: Runtime) -> Iterator[Diagnostic]:
    code, hint = codes.silent.FIELD_OVERWRITTEN, "write suspend: true into the TrainJob"
    if runtime.template.get("suspend"):
        yield in_runtime(runtime, code, "suspend has no effect here: each JobSet is suspended as its TrainJob is", (*TEMPLATE, "suspend"), hint)
    has_names = (runtime.template.get("network") or {}).get("enableDNSHostnames", True)
    for index, job in enumerate(replicated_jobs(runtime.template)):
        spec, pod = job.get("template", {}).get("spec", {}), pod_spec_of(job)
        if spec.get("suspend"):
            message = "suspend has no effect here: JobSet suspends its Jobs as it is suspended itself"
            yield in_runtime(runtime, code, message, (*JOBS, index, "template", "spec", "suspend"), hint)
        names = {"subdomain": has_names, "hostname": spec.get("completionMode", "Indexed") == "Indexed"}
        for field in (field for field, is_written in names.items() if is_written and pod.get(field)):
            message = f"{field} {pod[field]} has no effect: JobSet and the Job controller give every pod its own"
            yield in_runtime(runtime, code, message, (*JOBS, index, *POD, field), f"leave {field} out; network.subdomain names the Service of all pods")


def _unreachable(runtime: Runtime) -> Iterator[Diagnostic]:
    policy = runtime.ml_policy.name if runtime.ml_policy else ""
    if not policy:
        return
    if not (runtime.template.get("network") or {}).get("enableDNSHostnames", True):
        message = f"the nodes of {policy} look for each other by names, and without enableDNSHostnames no pod has one"
        yield in_runtime(runtime, codes.silent.NAMES_UNRESOLVED, message, (*TEMPLATE, "network", "enableDNSHostnames"), "leave it out: true is the default")
    for index, job in enumerate(replicated_jobs(runtime.template)):
        pod = pod_spec_of(job)
        if pod.get("hostNetwork") and pod.get("dnsPolicy", "ClusterFirst") not in WITH_HOST_NETWORK:
            message = f"the pods of {job['name']} have the network of their node, and its DNS: names of other pods do not resolve"
            hint = "write dnsPolicy: ClusterFirstWithHostNet beside it"
            yield in_runtime(runtime, codes.silent.NAMES_UNRESOLVED, message, (*JOBS, index, *POD, "hostNetwork"), hint)


def _ends_early(runtime: Runtime) -> Iterator[Diagnostic]:
    """A JobSet that is complete, so that its other Jobs are deleted, once something before the training is."""
    policy = runtime.template.get("successPolicy") or {}
    jobs = replicated_jobs(runtime.template)
    trainers = [job["name"] for job in jobs if ancestor_of(job) == TRAINER]
    if not policy or not trainers:
        return
    awaited = {target["name"] for job in jobs for target in job.get("dependsOn") or () if target.get("status", "Complete") == "Complete"}
    before = awaited | {job["name"] for job in jobs if ancestor_of(job) in (DATASET_INITIALIZER, MODEL_INITIALIZER)}
    counted = policy.get("targetReplicatedJobs") or [job["name"] for job in jobs]
    early = [name for name in counted if name in before]
    if early and (policy.get("operator") == "Any" or early == counted):
        message = f"the JobSet is complete when {listed(early)} is, and {listed(trainers)} is deleted then or never made"
        yield in_runtime(runtime, codes.silent.ENDS_EARLY, message, (*TEMPLATE, "successPolicy"), f"write targetReplicatedJobs: [{listed(trainers)}]")
