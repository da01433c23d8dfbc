"""What every PodGroup counts: how many pods must start together, and what they request in all.

Source: Build in pkg/runtime/framework/plugins/coscheduling/coscheduling.go, and in volcano/volcano.go. Initialisers are counted (JSC815), replicas are
not (JSC814), limits never (JSC816).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes import causes
from jobset_compiler.passes.nproc import wrap_int32
from jobset_compiler.resolve.record import Several
from jobset_compiler.resolve.requests import pod_requests

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.quantity import Quantity
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because


def counted(plan: Plan) -> tuple[tuple[Path, Because], ...]:
    """What the two numbers go back to, by their places in a PodGroup."""
    counts = causes.all_counts(plan)
    return (("spec", "minMember"), counts), (("spec", "minResources"), Several((counts, causes.all_resources(plan))))


def min_member(plan: Plan) -> int:
    """The pods of all PodSets, in the 32 bits that upstream counts them with."""
    return wrap_int32(sum(pods.count for pods in plan.pod_sets))


def min_resources(plan: Plan, *, multiplied_before: bool = False) -> dict[str, str]:
    """Resource name -> canonical text of the sum over all PodSets of one pod's requests times its count.

    multiplied_before: another PodGroup of the TrainJob was built first. Upstream multiplies in place, and quantities
    that Go holds as decimals (0.5Gi) are shared, so that the second PodGroup starts from the product.
    """
    total: dict[str, Quantity] = {}
    for pods in plan.pod_sets:
        for name, quantity in pod_requests(plan, pods).items():
            share = quantity * pods.count
            if multiplied_before and quantity.is_decimal:
                share = share * pods.count
            have = total.get(name)
            total[name] = share if have is None else have + share
    return {name: total[name].text for name in sorted(total)}
