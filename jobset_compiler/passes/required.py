"""Fields that the server's defaults always fill in and that the controller follows without a look: missing, it panics.

Only objects that no server has admitted can lack them, so this is a guard rather than something users meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.resolve.places import where_it_can_be_seen

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan


def missing(plan: Plan, path: Path, default: str) -> Diagnostic:
    """The runtime lacks the field at `path`, where the server would write `default`."""
    document, at, notes = where_it_can_be_seen(plan, plan.runtime.document, path)
    return Diagnostic(
        codes.policy.POLICY_FIELD_UNSET,
        f"{path[-1]} is missing: the controller of this release panics without it",
        document=document,
        at=at,
        hint=f"write {path[-1]}: {default}, the server's default (#4053)",
        stage="build",
        notes=notes,
        subject=("TrainJob", plan.job.namespace, plan.job.name),
    )
