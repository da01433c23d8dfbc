"""Fields of a template that controllers write over, or that keep its pods from starting, finding each other or running to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import ANCESTOR_LABEL, DATASET_INITIALIZER, MODEL_INITIALIZER, TRAINER, ancestor_of, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import JOBS_OF_SPEC, POD, Found, listed, on_template, told_of_patches, told_of_runtime
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.passes.container_edits import Slot
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
# Managers of JobSets: its own controller, and Kueue's, which runs them elsewhere; those of Jobs.
KNOWN_MANAGERS = ("jobset.sigs.k8s.io/jobset-controller", "kueue.x-k8s.io/multikueue")
MANAGERS_OF_JOBS = ("kubernetes.io/job-controller", "kueue.x-k8s.io/multikueue")
# Names of pods resolve in the network of a node only with this.
WITH_HOST_NETWORK = ("ClusterFirstWithHostNet", "None")
# What the rules read of a job.
FIELDS = ("managedBy", "suspend", "subdomain", "hostname", "completionMode", "hostNetwork", "dnsPolicy", "dependsOn", ANCESTOR_LABEL)
KINDS = {"env": "the variable", "volumes": "the volume", "volumeMounts": "the mount at"}


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    yield from told_of_runtime(runtime, of_template)


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    yield from told_of_patches(plan, of_template, FIELDS)
    yield from _by_policies(plan)


def of_template(template: Tree, policy: str) -> Iterator[Found]:
    """JSC736 to JSC739."""
    yield from _overwritten(template)
    yield from _unreachable(template, policy)
    yield from _ends_early(template)
    yield from _managed_elsewhere(template)


def _managed_elsewhere(template: Tree) -> Iterator[Found]:
    manager = template.get("managedBy")
    if manager and "/" in manager and manager not in KNOWN_MANAGERS:  # without a domain JobSet refuses it
        message = f"JobSet's own controller leaves JobSets of {manager} alone: nothing runs unless a controller of that name is there"
        yield Found(codes.silent.MANAGED_ELSEWHERE, message, ("managedBy",), "leave managedBy out")
    for index, job in enumerate(replicated_jobs(template)):
        manager = job.get("template", {}).get("spec", {}).get("managedBy")
        if manager and "/" in manager and manager not in MANAGERS_OF_JOBS:
            message = f"the Job controller leaves Jobs of {manager} alone: {job['name']} has no pods unless a controller of that name is there"
            yield Found(codes.silent.MANAGED_ELSEWHERE, message, (*JOBS_OF_SPEC, index, "template", "spec", "managedBy"), "leave managedBy out")


def _overwritten(template: Tree) -> Iterator[Found]:
    code, hint = codes.silent.FIELD_OVERWRITTEN, "write suspend: true into the TrainJob"
    if template.get("suspend"):
        yield Found(code, "suspend has no effect here: each JobSet is suspended as its TrainJob is", ("suspend",), hint)
    has_names = (template.get("network") or {}).get("enableDNSHostnames", True)
    for index, job in enumerate(replicated_jobs(template)):
        spec, pod = job.get("template", {}).get("spec", {}), pod_spec_of(job)
        if spec.get("suspend"):
            message = f"suspend of {job['name']} has no effect here: JobSet suspends its Jobs as it is suspended itself"
            yield Found(code, message, (*JOBS_OF_SPEC, index, "template", "spec", "suspend"), hint)
        names = {"subdomain": has_names, "hostname": spec.get("completionMode", "Indexed") == "Indexed"}
        for field in (field for field, is_written in names.items() if is_written and pod.get(field)):
            message = f"{field} {pod[field]} has no effect: JobSet and the Job controller give every pod of {job['name']} its own"
            yield Found(code, message, (*JOBS_OF_SPEC, index, *POD, field), f"leave {field} out; network.subdomain names the Service of all pods")


def _unreachable(template: Tree, policy: str) -> Iterator[Found]:
    has_names = (template.get("network") or {}).get("enableDNSHostnames", True)
    if not has_names and "coordinator" in template:
        message = "the label of the coordinator holds its host name, and without enableDNSHostnames no pod has one"
        yield Found(codes.silent.NAMES_UNRESOLVED, message, ("coordinator",), "leave enableDNSHostnames out: true is the default")
    if not policy:
        return
    if not has_names:
        message = f"the nodes of {policy} look for each other by names, and without enableDNSHostnames no pod has one"
        yield Found(codes.silent.NAMES_UNRESOLVED, message, ("network", "enableDNSHostnames"), "leave it out: true is the default")
    for index, job in enumerate(replicated_jobs(template)):
        pod = pod_spec_of(job)
        if pod.get("hostNetwork") and pod.get("dnsPolicy", "ClusterFirst") not in WITH_HOST_NETWORK:
            message = f"the pods of {job['name']} have the network of their node, and its DNS: names of other pods do not resolve"
            hint = "write dnsPolicy: ClusterFirstWithHostNet beside it"
            yield Found(codes.silent.NAMES_UNRESOLVED, message, (*JOBS_OF_SPEC, index, *POD, "hostNetwork"), hint)


def _ends_early(template: Tree) -> Iterator[Found]:
    """A JobSet that is complete, so that its other Jobs are deleted, once something before the training is."""
    policy = template.get("successPolicy") or {}
    jobs = replicated_jobs(template)
    trainers = [job["name"] for job in jobs if ancestor_of(job) == TRAINER]
    if not policy or not trainers:
        return
    awaited = {target["name"] for job in jobs for target in job.get("dependsOn") or () if target.get("status", "Complete") == "Complete"}
    before = awaited | {job["name"] for job in jobs if ancestor_of(job) in (DATASET_INITIALIZER, MODEL_INITIALIZER)}
    counted = policy.get("targetReplicatedJobs") or [job["name"] for job in jobs]
    early = [name for name in counted if name in before]
    if early and (policy.get("operator") == "Any" or early == counted):
        message = f"the JobSet is complete when {listed(early)} is, and {listed(trainers)} is deleted then or never made"
        yield Found(codes.silent.ENDS_EARLY, message, ("successPolicy",), f"write targetReplicatedJobs: [{listed(trainers)}]")


def _by_policies(plan: Plan) -> Iterator[Diagnostic]:
    """JSC736 of what the template says of a variable, mount or volume that the policy writes as well."""
    if _names_in(plan.template).isdisjoint([write.slot[-1] for write in plan.writes]):
        return
    jobs = {job["name"]: (index, job) for index, job in enumerate(replicated_jobs(plan.template))}
    told: set[Path] = set()
    for write in plan.writes:
        if write.pass_name != plan.policy_name or write.slot[0] not in jobs:
            continue
        index, job = jobs[write.slot[0]]
        for at, entry in _of_the_same(pod_spec_of(job), write.slot):
            if entry != write.value and at not in told:
                told.add(at)
                what = f"{KINDS[str(at[-2])]} {write.slot[-1]} of {job['name']}"
                message = f"{what} is written over by the policy {plan.policy_name}"
                yield on_template(plan, codes.silent.FIELD_OVERWRITTEN, message, (*JOBS_OF_SPEC, index, *POD, *at), "leave it to the policy")


def _names_in(template: Tree) -> set[str]:
    """The names of all volumes and variables of a template, and the paths of all mounts."""
    names: set[str] = set()
    for job in replicated_jobs(template):
        pod = pod_spec_of(job)
        names.update(volume["name"] for volume in pod.get("volumes") or ())
        for field in ("containers", "initContainers"):
            for container in pod.get(field) or ():
                names.update(entry["name"] for entry in container.get("env") or ())
                names.update(mount["mountPath"] for mount in container.get("volumeMounts") or ())
    return names


def _of_the_same(pod: Tree, slot: Slot) -> Iterator[tuple[Path, Tree]]:
    """Where the pod has what a pass wrote to that slot."""
    match slot:
        case (_, "volumes", name):
            yield from ((("volumes", place), volume) for place, volume in enumerate(pod.get("volumes") or ()) if volume["name"] == name)
        case (_, ("containers" | "initContainers") as field, container, ("env" | "volumeMounts") as part, name):
            for position, item in enumerate(pod.get(field) or ()):
                if item["name"] == container:
                    for place, entry in enumerate(item.get(part) or ()):
                        if entry.get("name" if part == "env" else "mountPath") == name:
                            yield (field, position, part, place), entry
