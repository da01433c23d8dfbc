"""Variables that passes reserve: refused in spec.trainer.env, in the words that the controller has for those of its own policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.rule import diagnostic_of, reserved_env
from jobset_compiler.diagnostics import codes
from jobset_compiler.passes.driver import acts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.passes.api import Pass
    from jobset_compiler.resolve.plan import Plan


def check_reserved(plan: Plan, passes: Iterable[Pass]) -> Iterator[Diagnostic]:
    """What passes that act on this TrainJob have against its variables."""
    failures: list[Diagnostic] = []  # which the driver tells, as it asks the same
    for step in passes:
        if step.reserves and acts(step, plan, failures):
            owner = f"extension {step.extension}" if step.extension else f"pass {step.name}"
            for refusal in reserved_env(plan, codes.extensions.RESERVED_BY_PASS, step.reserves, f"leave them out: {owner} sets them itself"):
                yield diagnostic_of(plan, refusal)
