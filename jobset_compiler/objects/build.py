"""Plan -> the objects that the controller would submit: the JobSet, then what passes added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.objects import jobset
from jobset_compiler.objects.owner import owned

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan


def build_objects(plan: Plan) -> tuple[dict[str, Any], ...]:
    return (jobset.build(plan), *(owned(plan, manifest) for manifest in plan.objects))
