"""The ports that a container ends up with: what policies added, upserted once more onto the template (JSC801).

Source: Build in pkg/runtime/framework/plugins/jobset/jobset.go, UpsertPort in pkg/apply/apply.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.passes.upsert import port_identities, upsert_all
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan, PodContainer

Tree = dict[str, Any]


def final_ports(plan: Plan, template: Tree, state: PodContainer, *, init: bool) -> tuple[Tree, ...]:
    """The ports of one container in the JobSet; those of init containers are left alone before 2.3 (#3561)."""
    if init and not plan.profile.has(features.INIT_CONTAINER_PORTS_SYNCED):
        return state.ports
    return upsert_all(tuple(template.get("ports", ())), state.ports, port_identities(plan.profile))
