"""Pods that never start, restarts without a limit, and JobSets that are never complete."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import containers_of, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.findings.when import HUGE_PAGES, stands_in_runtime
from jobset_compiler.findings.words import JOBS_OF_SPEC, POD, Found, listed, on_template, pod_template_of, told_of_patches, told_of_runtime
from jobset_compiler.kube.quantity import Quantity, QuantityError
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan, PodSet

Tree = dict[str, Any]
UNCOUNTED = ("RestartJobSetAndIgnoreMaxRestarts", "RestartJobAndIgnoreMaxRestarts")
NO_LIMIT = 2**31 - 1
IN_PLACE = "InPlaceRestart"
# What the rules read of a job; of one that may run a server, also what it starts; of one with an unknown medium, also what mounts it.
FIELDS = ("podFailurePolicy", "backoffLimit", "activeDeadlineSeconds", "sshd", "medium", "schedulingGates", "schedulerName")
WORDS = ("command", "args")
MOUNTS = ("volumeMounts",)
# What the kubelet takes as a medium, beside huge pages of one size (SetUpAt in pkg/volume/emptydir/empty_dir.go of Kubernetes); the API server asks nothing.
# Volumes that no container mounts it leaves alone (pkg/kubelet/volumemanager/populator).
MEDIA = ("", "Memory", HUGE_PAGES)
OF_ONE_SIZE = f"{HUGE_PAGES}-"
HUGE_PAGES_RESOURCE = "hugepages-"
# Gates of Kueue, which it takes away itself (pkg/controller/constants and pkg/controller/tas of Kueue).
KUEUE = "kueue.x-k8s.io/"
# sshd in the foreground, as the last that a command does.
SERVER = re.compile(r"(?:^|[\s;&|/])sshd\s(?:[^;&|]*\s)?-[a-zA-Z]*D[^;&|]*$")


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    yield from told_of_runtime(runtime, of_template)


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    runtime = plan.runtime.document.text
    has_servers = not runtime or stands_in_runtime(runtime, ("sshd", "\\"))
    volumes = [volume for job in replicated_jobs(plan.runtime.template) for volume in pod_spec_of(job).get("volumes") or ()]
    has_odd_media = any(medium_of(volume) not in MEDIA for volume in volumes)
    yield from told_of_patches(plan, of_template, (*FIELDS, *(WORDS if has_servers else ()), *(MOUNTS if has_odd_media else ())))
    yield from _without_huge_pages(plan)


def of_template(template: Tree, policy: str) -> Iterator[Found]:
    """JSC733, and JSC743 as far as the template alone decides it."""
    failures = template.get("failurePolicy") or {}
    catching = catching_all(failures.get("rules") or ())
    if catching is not None and failures["rules"][catching].get("action") in UNCOUNTED:
        rule = failures["rules"][catching]
        message = f"rule {rule['name']} restarts after every failure without counting: a program that always fails is started for ever"
        hint = "name failures that are not the program's in onJobFailureReasons, or write action: RestartJobSet"
        yield Found(codes.silent.NEVER_ENDS, message, ("failurePolicy", "rules", catching, "action"), hint)
    for index, job in enumerate(replicated_jobs(template)):
        spec = job.get("template", {}).get("spec", {})
        at = (*JOBS_OF_SPEC, index, "template", "spec")
        ignoring = _ignoring_all((spec.get("podFailurePolicy") or {}).get("rules") or ())
        if ignoring is not None:
            message = f"every failure of a pod of {job['name']} is ignored: a program that always fails is started for ever"
            hint = "ignore onPodConditions: [{type: DisruptionTarget}], or the exit codes that are meant, with operator: In"
            yield Found(codes.silent.NEVER_ENDS, message, (*at, "podFailurePolicy", "rules", ignoring), hint)
        if spec.get("backoffLimit", 0) >= NO_LIMIT and "activeDeadlineSeconds" not in spec and failures.get("restartStrategy") != IN_PLACE:
            message = f"no number of failures is too many for {job['name']}, and it has no activeDeadlineSeconds"
            yield Found(codes.silent.NEVER_ENDS, message, (*at, "backoffLimit"), "write a number of failures after which to give up", INFO)
        yield from _never_starts(job["name"], pod_template_of(job).get("spec") or {}, (*JOBS_OF_SPEC, index, *POD))
    yield from _never_complete(template)


def _never_starts(job: str, pod: Tree, at: Path) -> Iterator[Found]:
    containers = [container for field in ("containers", "initContainers") for container in pod.get(field) or ()]
    mounted = {mount["name"] for container in containers for mount in container.get("volumeMounts") or ()}
    for index, volume in enumerate(pod.get("volumes") or ()):
        medium = medium_of(volume)
        if volume["name"] in mounted and medium not in MEDIA and _page_size(medium) is None:
            message = f"{medium} is no medium of an emptyDir: no node can mount volume {volume['name']}, and the pods of {job} wait for it"
            hint = "write medium: Memory, or leave it out for the node's disk"
            yield Found(codes.silent.NEVER_STARTS, message, (*at, "volumes", index, "emptyDir", "medium"), hint)
    if gates := [gate["name"] for gate in pod.get("schedulingGates") or () if not gate["name"].startswith(KUEUE)]:
        message = f"the pods of {job} wait until somebody takes away {listed(gates)}; neither Trainer nor JobSet does"
        yield Found(codes.silent.NEVER_STARTS, message, (*at, "schedulingGates"), "leave it out, unless a controller of yours takes it away", INFO)
    scheduler = pod.get("schedulerName") or ""
    if len(scheduler.split()) > 1 or scheduler != scheduler.strip():
        message = f'no scheduler is called "{scheduler}", with its blanks: nobody schedules the pods of {job}'
        yield Found(codes.silent.NEVER_STARTS, message, (*at, "schedulerName"), "write the name without blanks")


def medium_of(volume: Tree) -> str:
    """The medium of an emptyDir; "" for the node's disk, and for other volumes."""
    medium: str = (volume.get("emptyDir") or {}).get("medium", "")
    return medium


def _page_size(medium: str) -> Quantity | None:
    """That of a medium HugePages-<size>; None for any other."""
    return _size(medium.removeprefix(OF_ONE_SIZE)) if medium.startswith(OF_ONE_SIZE) else None


def _size(text: str) -> Quantity | None:
    try:
        return Quantity.parse(text)
    except QuantityError:
        return None


def _without_huge_pages(plan: Plan) -> Iterator[Diagnostic]:
    """JSC743: the kubelet takes the size of the pages from what the pod requests (getPageSizeMountOption in empty_dir.go), which the TrainJob has a say in."""
    for index, (job, pods) in enumerate(zip(replicated_jobs(plan.template), plan.pod_sets, strict=True)):
        for position, volume in enumerate(pods.volumes):
            medium = medium_of(volume)
            if not medium.startswith(HUGE_PAGES) or not _is_mounted(pods, volume["name"]):
                continue
            sizes, wanted = _requested_pages(job, pods), _page_size(medium)
            requested = listed([f"{HUGE_PAGES_RESOURCE}{text}" for text in sizes.values()]) or "none"
            name, hint = volume["name"], f"request {HUGE_PAGES_RESOURCE}{wanted or '2Mi'} in a container, as much as its limit"
            if wanted is not None and wanted not in sizes:
                message = f"volume {name} is made of huge pages of {wanted}, and the pods of {pods.name} request {requested}"
            elif medium == HUGE_PAGES and len(sizes) != 1:
                message = f"volume {name} has huge pages of the one size that the pods of {pods.name} request, which is {requested}"
                hint = f"write medium: {OF_ONE_SIZE}{next(iter(sizes.values()))}" if sizes else hint
            else:
                continue
            at = (*JOBS_OF_SPEC, index, *POD, "volumes", position, "emptyDir", "medium")
            yield on_template(plan, codes.silent.NEVER_STARTS, f"{message}: no node can mount it, and they wait for it", at, hint)


def _is_mounted(pods: PodSet, name: str) -> bool:
    mounts = [mount for container in (*pods.containers, *pods.init_containers) for mount in container.mounts]
    added = [mount for container in pods.added_init_containers for mount in container.get("volumeMounts") or ()]
    return any(mount["name"] == name for mount in (*mounts, *added))


def _requested_pages(job: Tree, pods: PodSet) -> dict[Quantity, str]:
    """The sizes of the huge pages that a pod requests, each as it is written; a limit is a request, since the two must be equal."""
    pod = pod_template_of(job).get("spec") or {}
    asked = [pod.get("resources"), *(container.get("resources") for container in pods.added_init_containers)]
    for field, states in (("containers", pods.containers), ("initContainers", pods.init_containers)):
        for container, state in zip(pod.get(field) or (), states, strict=True):
            asked.append(container.get("resources") if state.resources is None else state.resources)
    names = [name for resources in asked for key in ("requests", "limits") for name in (resources or {}).get(key) or ()]
    texts = [name.removeprefix(HUGE_PAGES_RESOURCE) for name in names if name.startswith(HUGE_PAGES_RESOURCE)]
    return {size: text for text in texts if (size := _size(text)) is not None}


def catching_all(rules: list[Tree] | tuple[Tree, ...]) -> int | None:
    """The first rule of a failurePolicy that matches every failure of every Job."""
    narrowing = ("onJobFailureReasons", "onJobFailureMessagePatterns", "targetReplicatedJobs")
    return next((index for index, rule in enumerate(rules) if not any(rule.get(field) for field in narrowing)), None)


def _ignoring_all(rules: list[Tree] | tuple[Tree, ...]) -> int | None:
    """The rule of a podFailurePolicy that ignores every exit code, where none before it does anything else."""
    for index, rule in enumerate(rules):
        if rule.get("action") != "Ignore":
            return None
        codes_ = rule.get("onExitCodes") or {}
        if codes_.get("operator") == "NotIn" and codes_.get("values") == [0] and codes_.get("containerName") is None:
            return index
    return None


def _never_complete(template: Tree) -> Iterator[Found]:
    jobs = replicated_jobs(template)
    policy = template.get("successPolicy") or {}
    counted = policy.get("targetReplicatedJobs") or [job["name"] for job in jobs]
    servers = [job["name"] for job in jobs if job["name"] in counted and _is_server(job)]
    if servers and (policy.get("operator", "All") == "All" or len(servers) == len(counted)):
        index = next(index for index, job in enumerate(jobs) if job["name"] == servers[0])
        others = [job["name"] for job in jobs if job["name"] not in servers]
        message = f"the pods of {listed(servers)} run sshd and never end, so that the JobSet is never complete"
        hint = f"write successPolicy: {{operator: All, targetReplicatedJobs: [{listed(others) or 'launcher'}]}}"
        yield Found(codes.silent.NEVER_ENDS, message, ("successPolicy",) if policy else (*JOBS_OF_SPEC, index), hint)


def _is_server(job: Tree) -> bool:
    return any(SERVER.search(" ".join((*container.get("command", ()), *container.get("args", ())))) for container in containers_of(job))
