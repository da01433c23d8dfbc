"""Advice that no server gives: what is admitted and compiled as it stands, but hardly what was meant.

Entry points: `advise` for a Plan that the passes have finished, `advise_runtime` for a runtime of the input, `advise_foreign`
for documents that are skipped, `mutated_fields` for what a cluster writes into a TrainJob that git does not have.
Warnings and notices only; upstream's own runtimes and examples get none. Quirks of the controller are told by passes/notices_*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.advice.foreign import advise_foreign
from jobset_compiler.admission.advice.gitops import mutated_fields
from jobset_compiler.admission.advice.gpus import gpus_and_processes
from jobset_compiler.admission.advice.mpi import launcher_waits, names_are_published, reserved_variables, ssh_folder
from jobset_compiler.admission.advice.queues import kai_queue, kueue_labels
from jobset_compiler.admission.advice.runtime import ancestor_labels, both_gang_policies, framework_label, time_to_live
from jobset_compiler.admission.advice.storage import storage_schemes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

OF_TRAINJOBS: tuple[Callable[[Plan], Iterable[Diagnostic]], ...] = (
    gpus_and_processes,
    reserved_variables,
    kueue_labels,
    kai_queue,
    storage_schemes,
)
OF_RUNTIMES: tuple[Callable[[Runtime, Profile], Iterable[Diagnostic]], ...] = (
    ancestor_labels,
    framework_label,
    both_gang_policies,
    time_to_live,
    launcher_waits,
    ssh_folder,
    names_are_published,
)


def advise(plan: Plan) -> list[Diagnostic]:
    """Advice about a TrainJob and what its runtime makes of it."""
    return [diagnostic for check in OF_TRAINJOBS for diagnostic in check(plan)]


def advise_runtime(runtime: Runtime, profile: Profile) -> list[Diagnostic]:
    """Advice about a runtime on its own."""
    return [diagnostic for check in OF_RUNTIMES for diagnostic in check(runtime, profile)]


__all__ = ["OF_RUNTIMES", "OF_TRAINJOBS", "advise", "advise_foreign", "advise_runtime", "mutated_fields"]
