"""Labels and annotations of a TrainJob that are meant for pods, which never get them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import on_trainjob, pod_template_of
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

# What injectors, scrapers, networks, autoscalers and JobSet read, by the beginning of the key; all of it on pods, or on the JobSet.
OF_PODS = (
    "sidecar.istio.io/",
    "traffic.sidecar.istio.io/",
    "istio.io/rev",
    "linkerd.io/",
    "config.linkerd.io/",
    "prometheus.io/",
    "k8s.v1.cni.cncf.io/networks",
    "cluster-autoscaler.kubernetes.io/",
    "karpenter.sh/do-not-disrupt",
    "vault.hashicorp.com/",
    "gke-gcsfuse/",
    "container.apparmor.security.beta.kubernetes.io/",
)
OF_JOBSETS = ("alpha.jobset.sigs.k8s.io/",)


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    """JSC740."""
    templates = [pod_template_of(job).get("metadata", {}) for job in replicated_jobs(plan.template)]
    for field, values, pods, jobset in (
        ("labels", plan.job.labels, dict(plan.pod_labels), plan.labels),
        ("annotations", plan.job.annotations, dict(plan.pod_annotations), plan.annotations),
    ):
        for key in values:
            who = "pods" if key.startswith(OF_PODS) else "the JobSet" if key.startswith(OF_JOBSETS) else ""
            if who and key not in pods and key not in jobset and not any(key in template.get(field, {}) for template in templates):
                message = f"{key} is read on {who}, and {field} of a TrainJob stay with the TrainJob"
                place = "the pod template" if who == "pods" else "spec.template.metadata"
                hint = f"write it into {place} of the runtime, or of a patch in the TrainJob"
                yield on_trainjob(plan, codes.silent.METADATA_STAYS, message, ("metadata", field, key), hint)
