"""The children of an admitted JobSet, as the first reconciliation of a release creates them.

Source: reconcile, constructJob, createHeadlessSvcIfNecessary in pkg/controllers/jobset_controller.go,
pkg/controllers/volume_claim_policy.go, depends_on.go and startup_policy.go of kubernetes-sigs/jobset 0.8.2 to 0.12.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.admission.children.labels import job_metadata
from jobset_compiler.kube.retype import retype

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.kube.table import TypeTable
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
CONTROLLER = "jobset.sigs.k8s.io/jobset-controller"
JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name"
EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
NODE_SELECTOR_STRATEGY = "alpha.jobset.sigs.k8s.io/node-selector"
NAMESPACED_JOB = "alpha.jobset.sigs.k8s.io/namespaced-job"
# What a dependency waits for: every Job of the target.
STATUS_WORDS = {"Ready": "is ready", "Complete": "has completed"}
NO_SCHEDULE = {"key": "alpha.jobset.sigs.k8s.io/no-schedule", "operator": "Exists", "effect": "NoSchedule"}


class Child(NamedTuple):
    """An object that the controller creates.

    `waits`: not at once, but when the Jobs it depends on are there or done; such a Job has no owner yet. `waits_for` says for what, in words.
    """

    manifest: Tree
    waits: bool = False
    waits_for: tuple[str, ...] = ()


def expand(jobset_admitted: Tree, profile: Profile) -> tuple[Child, ...]:
    """Jobs in the order of the spec, then the Service, then claims; nothing where another controller manages the JobSet.

    jobset_admitted: with all defaults (`admission.jobset_defaults.admitted_form`). Its metadata.uid goes into owner references and labels; where
    the JobSet has none, as any that no cluster has seen, the UID is empty there.
    """
    types = profile.jobset_types()
    jobset, problems = retype(jobset_admitted, types, "jobset.JobSet")
    assert isinstance(jobset, dict) and not problems, "an admitted JobSet fits its Go type"
    if jobset["spec"].get("managedBy", CONTROLLER) != CONTROLLER:
        return ()
    children = [*_jobs(jobset, profile)]
    if jobset["spec"]["network"].get("enableDNSHostnames"):
        children.append(Child(_service(jobset, types)))
    children.extend(Child(_claim(jobset, template, policy, types)) for policy, template in claim_templates(jobset))
    return tuple(children)


def subdomain_of(jobset: Tree) -> str:
    """The name of the headless Service, and the subdomain of all pods."""
    return jobset["spec"].get("network", {}).get("subdomain") or str(jobset["metadata"]["name"])


def is_indexed(job: Tree) -> bool:
    """Whether the pods of a replicatedJob have numbers in their names; JobSet's default."""
    return bool(job["template"]["spec"].get("completionMode", "Indexed") == "Indexed")


def claim_templates(jobset: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Every claim template, with the policy that holds it."""
    for policy in jobset["spec"].get("volumeClaimPolicies", ()):
        for template in policy.get("templates", ()):
            yield policy, template


def claim_name(jobset: Tree, template: Tree) -> str:
    return f"{template['metadata'].get('name', '')}-{jobset['metadata']['name']}"


def _jobs(jobset: Tree, profile: Profile) -> Iterator[Child]:
    spec = jobset["spec"]
    in_order = spec["startupPolicy"]["startupPolicyOrder"] == "InOrder" and not spec.get("suspend")
    replicas = {job["name"]: job.get("replicas", 0) for job in spec.get("replicatedJobs", ())}
    first_is_starting = False
    before = ""
    for job in spec.get("replicatedJobs", ()):
        # Nothing has run yet: a dependency is met only where its target has no Jobs at all.
        open_targets = [target for target in job.get("dependsOn", ()) if replicas.get(target["name"], 0)]
        waits = first_is_starting or bool(open_targets)
        reasons = tuple(f"{target['name']} {STATUS_WORDS[target.get('status', 'Complete')]} (dependsOn)" for target in open_targets)
        if first_is_starting:
            reasons += (f"{before} has started (startupPolicy)",)
        for index in range(replicas[job["name"]]):
            yield Child(_job(jobset, job, index, waits, profile), waits, reasons)
        first_is_starting = first_is_starting or (in_order and bool(replicas[job["name"]]) and not waits)
        before = job["name"] if replicas[job["name"]] else before


def _job(jobset: Tree, job: Tree, index: int, waits: bool, profile: Profile) -> Tree:
    types = profile.jobset_types()
    template = job["template"]
    pod = template["spec"]["template"]
    name, metadata = job_metadata(jobset, job, index, template.get("metadata", {}), profile)
    _, pod_metadata = job_metadata(jobset, job, index, pod.get("metadata", {}), profile)
    pod_spec = {**pod["spec"]}
    if jobset["spec"]["network"].get("enableDNSHostnames"):
        pod_spec["subdomain"] = subdomain_of(jobset)
    if EXCLUSIVE in metadata["annotations"] and NODE_SELECTOR_STRATEGY in metadata["annotations"]:
        pod_spec["nodeSelector"] = {**pod_spec.get("nodeSelector", {}), NAMESPACED_JOB: f"{jobset['metadata'].get('namespace', '')}_{name}"}
        pod_spec["tolerations"] = [*pod_spec.get("tolerations", ()), NO_SCHEDULE]
    volumes = _claimed_volumes(jobset, pod_spec)
    if volumes:
        pod_spec["volumes"] = [*pod_spec.get("volumes", ()), *volumes]
    metadata = {"name": name, "namespace": jobset["metadata"].get("namespace", ""), **metadata}
    if not waits:
        metadata["ownerReferences"] = _owner(jobset)
    manifest = {"metadata": metadata, "spec": {**template["spec"], "suspend": jobset["spec"].get("suspend", False), "template": {"spec": pod_spec}}}
    written = _written("batch/v1", "Job", "batch.Job", manifest, types)
    pod_spec = written["spec"]["template"]["spec"]
    if "volumes" in pod_spec:
        pod_spec["volumes"] = [_volume(volume, types) for volume in pod_spec["volumes"]]
    pod_metadata = {**pod.get("metadata", {}), **pod_metadata}
    written["spec"]["template"] = {"metadata": _metadata(pod_metadata, types), "spec": pod_spec}
    return written


def _volume(volume: Tree, types: TypeTable) -> Tree:
    claim = volume.get("ephemeral", {}).get("volumeClaimTemplate")
    if claim is None:
        return volume
    return {**volume, "ephemeral": {**volume["ephemeral"], "volumeClaimTemplate": {**claim, "metadata": _metadata(claim.get("metadata", {}), types)}}}


def _metadata(metadata: Tree, types: TypeTable) -> Tree:
    """Metadata as built-in objects have it, also in their templates; the table's templates are those of custom resources, where it is shorter."""
    return retype(metadata, types, "meta.ObjectMeta")[0]


def _claimed_volumes(jobset: Tree, pod_spec: Tree) -> list[Tree]:
    mounted = {
        mount["name"] for field in ("containers", "initContainers") for container in pod_spec.get(field) or () for mount in container.get("volumeMounts", ())
    }
    return [
        {"name": template["metadata"]["name"], "persistentVolumeClaim": {"claimName": claim_name(jobset, template)}}
        for _, template in claim_templates(jobset)
        if template["metadata"].get("name") in mounted
    ]


def _service(jobset: Tree, types: TypeTable) -> Tree:
    spec = {
        "clusterIP": "None",
        "selector": {JOBSET_NAME: jobset["metadata"]["name"]},
        "publishNotReadyAddresses": jobset["spec"]["network"].get("publishNotReadyAddresses", True),
    }
    metadata = {"name": subdomain_of(jobset), "namespace": jobset["metadata"].get("namespace", ""), "ownerReferences": _owner(jobset)}
    return _written("v1", "Service", "core.Service", {"metadata": metadata, "spec": spec}, types)


def _claim(jobset: Tree, template: Tree, policy: Tree, types: TypeTable) -> Tree:
    meta = template["metadata"]
    metadata = {
        "name": claim_name(jobset, template),
        "namespace": jobset["metadata"].get("namespace", ""),
        "labels": {**meta.get("labels", {}), JOBSET_NAME: jobset["metadata"]["name"]},
        "annotations": meta.get("annotations", {}),
    }
    if policy.get("retentionPolicy", {}).get("whenDeleted") == "Delete":
        metadata["ownerReferences"] = _owner(jobset)
    return _written("v1", "PersistentVolumeClaim", "core.PersistentVolumeClaim", {"metadata": metadata, "spec": template["spec"]}, types)


def _owner(jobset: Tree) -> list[Tree]:
    meta = jobset["metadata"]
    return [
        {
            "apiVersion": "jobset.x-k8s.io/v1alpha2",
            "kind": "JobSet",
            "name": meta["name"],
            "uid": meta.get("uid", ""),
            "controller": True,
            "blockOwnerDeletion": True,
        }
    ]


def _written(api_version: str, kind: str, type_name: str, manifest: Tree, types: TypeTable) -> Tree:
    """An object as Go writes it: metadata and spec, without the empty status."""
    written, problems = retype({"apiVersion": api_version, "kind": kind, **manifest}, types, type_name)
    assert not problems, "children are made of typed parts"
    written.pop("status", None)
    return {"apiVersion": api_version, "kind": kind, "metadata": _metadata(manifest["metadata"], types), "spec": written["spec"]}
