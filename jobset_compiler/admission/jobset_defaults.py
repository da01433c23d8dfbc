"""What JobSet's own admission fills into a JobSet: defaults of the schema and of the mutating webhook.

Source: Default in pkg/webhooks/jobset_webhook.go of kubernetes-sigs/jobset 0.8.2 to 0.12.0. The releases fill in the same
values; what a release has not (volumeClaimPolicies before 0.11) never gets here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.schema import admit_document
from jobset_compiler.kube.mutation import patched
from jobset_compiler.kube.retype import retype

if TYPE_CHECKING:
    from jobset_compiler.profiles import Profile

Tree = dict[str, Any]
SUCCESS_POLICY = {"operator": "All"}
STARTUP_POLICY = {"startupPolicyOrder": "AnyOrder"}
RETENTION_POLICY = {"whenDeleted": "Delete"}
NETWORK = {"enableDNSHostnames": True, "publishNotReadyAddresses": True}


def admitted_form(jobset: Tree, profile: Profile) -> Tree:
    """A JobSet that was accepted as the server stores it, before any status: with all defaults, and with what Go's round trip in the webhook adds.

    """
    sent = admit_document(jobset, "JobSet", profile).value
    mutated = with_defaulter(sent, profile)
    stored = admit_document(mutated, "JobSet", profile).value
    # The server sets the creation time afterwards; up to Kubernetes 0.33 Go writes null before.
    return {**stored, "metadata": mutated["metadata"]}


def with_defaulter(sent: Tree, profile: Profile) -> Tree:
    """A JobSet as JobSet's mutating webhook leaves it: read into Go's types, with its defaults, written again."""
    written, _ = retype(sent, profile.jobset_types(), "jobset.JobSet")
    mutated: Tree = patched(sent, with_webhook_defaults(written))
    del mutated["status"]  # a new object has none, whatever the webhook writes
    return mutated


def with_webhook_defaults(jobset: Tree) -> Tree:
    """A JobSet with the defaults of the mutating webhook; parts that have theirs are shared with the input."""
    spec = {**jobset.get("spec", {})}
    if "successPolicy" not in spec:
        spec["successPolicy"] = SUCCESS_POLICY
    if "startupPolicy" not in spec:
        spec["startupPolicy"] = STARTUP_POLICY
    network = spec.get("network")
    spec["network"] = {**NETWORK, **network} if network else NETWORK
    if "replicatedJobs" in spec:
        spec["replicatedJobs"] = list(map(_replicated_job, spec["replicatedJobs"]))
    failure = spec.get("failurePolicy")
    if failure and failure.get("rules"):
        rules = [rule if rule.get("name") else {**rule, "name": f"failurePolicyRule{index}"} for index, rule in enumerate(failure["rules"])]
        spec["failurePolicy"] = {**failure, "rules": rules}
    if "volumeClaimPolicies" in spec:
        spec["volumeClaimPolicies"] = [{"retentionPolicy": RETENTION_POLICY, **policy} for policy in spec["volumeClaimPolicies"]]
    return {**jobset, "spec": spec}


def _replicated_job(job: Tree) -> Tree:
    template = job.get("template", {})
    spec = template.get("spec", {})
    pod = spec.get("template", {})
    pod_spec = pod.get("spec", {})
    if "completionMode" in spec and pod_spec.get("restartPolicy"):
        return job
    if not pod_spec.get("restartPolicy"):
        pod = {**pod, "spec": {**pod_spec, "restartPolicy": "OnFailure"}}
    return {**job, "template": {**template, "spec": {"completionMode": "Indexed", **spec, "template": pod}}}
