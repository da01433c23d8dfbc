"""Host names that are longer than Linux takes, where pods ask for the full one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.jobset_view import FULL_NAME_LENGTH, full_name
from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import JOBS_OF_SPEC, POD, on_template
from jobset_compiler.objects.jobset import parallel_count
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    """JSC731."""
    has_names = (plan.template.get("network") or {}).get("enableDNSHostnames", True)
    for index, (job, pods) in enumerate(zip(replicated_jobs(plan.template), plan.pod_sets, strict=True)):
        pod = pod_spec_of(job)
        subdomain = plan.subdomain if has_names else pod.get("subdomain")
        if not pod.get("setHostnameAsFQDN") or not subdomain:
            continue
        is_indexed = job.get("template", {}).get("spec", {}).get("completionMode", "Indexed") == "Indexed"
        # Of the last pod of the last Job, which is the longest.
        name = full_name(f"{plan.job.name}-{pods.name}-{pods.replicas - 1}", parallel_count(plan, pods), subdomain, plan.job.namespace, is_indexed=is_indexed)
        if len(name) > FULL_NAME_LENGTH:
            message = f"{name} has {len(name)} characters, and a host name at most {FULL_NAME_LENGTH}: the pods of {pods.name} stay in ContainerCreating"
            times = 2 if subdomain == plan.job.name else 1
            excess = -((FULL_NAME_LENGTH - len(name)) // times)
            shorter = f"make metadata.name {excess} character{'s' if excess > 1 else ''} shorter"
            what = shorter if excess < len(plan.job.name) else "shorten the names of namespace and replicatedJob as well"
            hint = f"leave setHostnameAsFQDN out, or {what}"
            yield on_template(plan, codes.silent.FULL_NAME_TOO_LONG, message, (*JOBS_OF_SPEC, index, *POD, "setHostnameAsFQDN"), hint)
