"""Findings: what no server says about documents that it takes, but somebody should know. Nothing here changes an object.

Two sorts, told apart by their codes: parity notices (JSC8xx: quirks of the controller that are reproduced, stage `build`) and advice
(JSC37x: admitted and compiled as it stands, but hardly what was meant, stage `advice`). Warnings and notices only, never errors.

One module a topic, with one entry point for each thing that it looks at:

    of_plan(plan)                   a TrainJob and what its runtime made of it, after the passes; reads `plan` and nothing else
    of_runtime(runtime, profile)    a runtime of the input on its own, whether a TrainJob uses it or not

To add a finding:

1. its code: the next free number in `diagnostics/codes/parity.py` or `diagnostics/codes/advice.py`, with severity, title and text;
2. a generator in the module of its topic, called from that module's `of_plan` or `of_runtime`, which yields `on_trainjob`, `on_runtime`
   or `in_runtime` of `words.py`: message, the path of the line that causes it, a hint. Where it does not apply it yields nothing, and asks
   the cheapest question first: it runs for every TrainJob;
3. a golden that raises it, a row and a near miss in `tests/findings/`.

A new topic is a new module and one line in the tables below. What upstream's own runtimes would all get is no finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.findings import flux, gang, gpus, initializers, jobs, mpi, patches, ports, queues, random_order, resources, runtime, torch, trainer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

OF_PLANS: tuple[Callable[[Plan], Iterable[Diagnostic]], ...] = (
    trainer.of_plan,  # spec.trainer that reaches nothing, or is taken otherwise than it reads
    jobs.of_plan,  # counts that are overwritten, replicas, names that addresses ignore, second trainers
    ports.of_plan,  # ports that overwrite each other
    resources.of_plan,  # what is counted as processes, what replaces or drops what
    gpus.of_plan,  # GPUs of a node against the processes asked for
    torch.of_plan,  # unchecked variables, recipes that are not what the arguments ask for
    mpi.of_plan,  # launchers, hosts, workers, slots, reserved variables
    flux.of_plan,  # what its wrapper loses and adds, who can know its key
    initializers.of_plan,  # settings that override each other or reach nothing, URIs that nothing reads
    gang.of_plan,  # what PodGroups wait for and count, settings that do not reach them
    queues.of_plan,  # labels that Kueue and KAI do not read
    patches.of_plan,  # jobs and containers that overrides add, sources that they double
    random_order.of_plan,  # what upstream decides by chance
)
OF_RUNTIMES: tuple[Callable[[Runtime, Profile], Iterable[Diagnostic]], ...] = (
    runtime.of_runtime,  # ancestor and framework labels, two gang policies, times to live
    mpi.of_runtime,  # a launcher that waits, keys where ssh looks, host names that resolve
)


def of_plan(plan: Plan) -> list[Diagnostic]:
    """Findings about a TrainJob, from its Plan after all passes."""
    return [diagnostic for check in OF_PLANS for diagnostic in check(plan)]


def of_runtime(found: Runtime, profile: Profile) -> list[Diagnostic]:
    """Findings about a runtime on its own, in that release."""
    return [diagnostic for check in OF_RUNTIMES for diagnostic in check(found, profile)]
