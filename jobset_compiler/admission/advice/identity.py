"""What the objects cannot carry because only a cluster knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.codes.resolve import EMPTY_UID
from jobset_compiler.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan


def owner_unknown(plan: Plan) -> Iterator[Diagnostic]:
    """Without a UID the owner references are left out."""
    if not plan.job.uid and not plan.facts.uid:
        yield Diagnostic(
            EMPTY_UID,
            "no UID is known, so the objects carry no owner references",
            document=plan.job.document,
            at=("metadata",),
            stage="objects",
            subject=("TrainJob", plan.job.namespace, plan.job.name),
        )
