"""TrainJobs that do not go together, each of which is right by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import TEMPLATE, on_runtime

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

# By namespace and subdomain the TrainJob that had it first.
Subdomains = dict[tuple[str, str], str]


def of_plan(plan: Plan, before: Subdomains) -> Iterator[Diagnostic]:
    """JSC708, for a TrainJob whose subdomain is not its own name; `before` learns it."""
    network = plan.template.get("network", {})
    if not network.get("enableDNSHostnames", True):
        return
    first = before.setdefault((plan.job.namespace, plan.subdomain), plan.job.name)
    if first != plan.job.name:
        message = f"TrainJob {first} has the subdomain {plan.subdomain} as well: the host names of {plan.job.name} do not resolve while its Service is there"
        yield on_runtime(plan, codes.silent.SHARED_SUBDOMAIN, message, (*TEMPLATE, "network", "subdomain"), "leave network.subdomain out")
