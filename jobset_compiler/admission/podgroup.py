"""What the API server has against a PodGroup: the rules of the scheduler's own CRD, which no part of Trainer knows.

The controller applies the PodGroup before the JobSet: where it is refused nothing at all is created (seen on live servers of every release, with
scheduler-plugins 0.30.6 and 0.35.4). Volcano's CRD has no such minimum, and no other rule that what the controller writes could break; its webhook wants the
queue to be there and open, which only a cluster knows (`result.requirements`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import CHILDREN, Diagnostic
from jobset_compiler.resolve.places import where_it_can_be_seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.resolve.plan import Plan

# By apiVersion of the PodGroup: (field of its spec, the least that its CRD allows).
MINIMA: dict[str, tuple[tuple[str, int], ...]] = {"scheduling.x-k8s.io/v1alpha1": (("minMember", 1),)}
NUM_NODES = ("spec", "trainer", "numNodes")


def check(plan: Plan, objects: Iterable[dict[str, Any]]) -> Iterator[Diagnostic]:
    """What stands against the PodGroups among the objects of a TrainJob."""
    for manifest in objects:
        if manifest["kind"] == "PodGroup":
            for field, least in MINIMA.get(manifest["apiVersion"], ()):
                value = manifest["spec"].get(field)
                if isinstance(value, int) and value < least:
                    yield _too_small(plan, manifest, field, value, least)


def _too_small(plan: Plan, manifest: dict[str, Any], field: str, value: int, least: int) -> Diagnostic:
    group, name = manifest["apiVersion"].partition("/")[0], manifest["metadata"]["name"]
    path = f"spec.{field}"
    rule = f"Invalid value: {value}: {path} in body should be greater than or equal to {least}"
    asked = plan.trainer is not None and plan.trainer.num_nodes is not None
    written = (plan.job.document, NUM_NODES) if asked else (plan.runtime.document, ("spec", "mlPolicy", "numNodes"))
    document, at, notes = where_it_can_be_seen(plan, *written)
    return Diagnostic(
        codes.jobset.POD_GROUP_REFUSED,
        f'PodGroup {name} would be refused, and nothing else is created then: PodGroup.{group} "{name}" is invalid: {path}: {rule}',
        document=document,
        at=at,
        stage=CHILDREN,
        hint="a gang has one pod at least: set numNodes to 1 or more, or leave podGroupPolicy out",
        notes=notes,
        subject=("PodGroup", plan.job.namespace, name),
    )
