"""Variables that passes reserve: refused in spec.trainer.env, in the words that the controller has for those of its own policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules.rule import diagnostic_of, reserved_env
from jobset_compiler.diagnostics import codes
from jobset_compiler.passes.driver import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.passes.api import Pass
    from jobset_compiler.resolve.plan import Plan


def check_reserved(plan: Plan, passes: Iterable[Pass]) -> Iterator[Diagnostic]:
    """What passes that act on this TrainJob have against its variables."""
    for step in passes:
        if step.reserves and _acts(step, plan):
            owner = f"extension {step.extension}" if step.extension else f"pass {step.name}"
            for refusal in reserved_env(plan, codes.extensions.RESERVED_BY_PASS, step.reserves, f"leave them out: {owner} sets them itself"):
                yield diagnostic_of(plan, refusal)


def _acts(step: Pass, plan: Plan) -> bool:
    try:
        return step.when(plan)
    except Exception:
        if step.distribution == BUILT_IN:
            raise
        return False  # the driver will ask the same, and report it
