"""Findings: what no server says about documents that it takes, but somebody should know. Nothing here changes an object.

Told apart by their codes: parity notices (JSC8xx: quirks of the controller that are reproduced, stage `build`), advice (JSC37x: admitted
and compiled as it stands, but hardly what was meant) and silent failures (JSC7xx: accepted, and then without effect or with another), both of
stage `advice`. Warnings and notices only, never errors.

One module a topic, with one entry point for each thing that it looks at:

    of_plan(plan)                   a TrainJob and what its runtime made of it, after the passes; reads `plan` and nothing else
    of_runtime(runtime, profile)    a runtime of the input on its own, whether a TrainJob uses it or not
    together(plan, before)          a TrainJob beside those that came before it

To add a finding:

1. its code: the next free number in `parity.py`, `advice.py` or `silent.py` of `diagnostics/codes`, with severity, title and text;
2. a generator in the module of its topic, called from that module's `of_plan` or `of_runtime`, which yields `on_trainjob`, `on_runtime`
   or `in_runtime` of `words.py`: message, the path of the line that causes it, a hint. Where it does not apply it yields nothing, and asks
   the cheapest question first: it runs for every TrainJob;
3. a golden that raises it, a row and a near miss in `tests/findings/`.

A new topic is a new module and one line in the tables below, with a question of `when.py`. What upstream's own runtimes would all get is no finding.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jobset_compiler.findings import when

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.findings.beside import Subdomains
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan


# (module of this package, for which TrainJobs it can have something to say): it is imported for the first of them.
OF_PLANS: tuple[tuple[str, Callable[[Plan], bool]], ...] = (
    ("trainer", when.always),  # spec.trainer that reaches nothing, or is taken otherwise than it reads
    ("jobs", when.always),  # counts that are overwritten, replicas, names that addresses ignore, second trainers
    ("ports", when.has_ports),  # ports that overwrite each other
    ("resources", when.has_trainer),  # what is counted as processes, what replaces or drops what
    ("quantities", when.asks_for_resources),  # memory without its unit, devices that nobody offers
    ("gpus", when.asks_for_processes),  # GPUs of a node against the processes asked for
    ("shape", when.asks_for_processes),  # numbers of processes below 1
    ("commands", when.has_words),  # words that start something else than they say
    ("variables", when.names_variables),  # variables that name others
    ("metadata", when.has_metadata),  # labels and annotations that are meant for pods
    ("placeholders", when.may_hold_placeholders),  # what nobody fills in
    ("tensorflow", when.writes_by_hand),  # TF_CONFIG
    ("torch", when.policy_is("torch")),  # unchecked variables, recipes that are not what the arguments ask for
    ("mpi", when.policy_is("mpi")),  # launchers, hosts, workers, slots, reserved variables
    ("flux", when.policy_is("flux")),  # what its wrapper loses and adds, who can know its key
    ("initializers", when.has_initializers),  # settings that override each other or reach nothing, URIs that nothing reads
    ("gang", when.has_gang),  # what PodGroups wait for and count, settings that do not reach them
    ("queues", when.may_queue),  # labels that Kueue and KAI do not read
    ("mounts", when.mounts_volumes),  # volumes over volumes, and over what initializers write
    ("full_names", when.has_full_names),  # host names that Linux does not take
    ("overwritten", when.writes_beside_a_policy),  # variables and volumes that policies write over; what a patch makes of what `of_runtime` says
    ("endless", when.may_never_start),  # what a patch makes endless, or never start; volumes of huge pages that no container requests
    ("without_effect", when.may_say_nothing),  # values that say nothing, or that another replaces
    ("patches", when.has_patches),  # jobs and containers that overrides add, sources that they double
    ("random_order", when.is_random),  # what upstream decides by chance
)
# For who has several TrainJobs: all topics together are more code than the nearest caches of a processor hold.
A_FEW_AT_A_TIME = tuple(OF_PLANS[start : start + 5] for start in range(0, len(OF_PLANS), 5))
OF_RUNTIMES = (
    "runtime",  # ancestor and framework labels, two gang policies, times to live
    "overwritten",  # what controllers write over, names that do not resolve, ends that come too early
    "endless",  # pods that never start, restarts without a limit, jobs that are never complete
    "ignored",  # rules, patterns, names and settings that nobody reads
    "shape",  # no jobs at all, initializers that nobody waits for, pods without index
    "placeholders",  # what nobody fills in
    "quantities",  # memory without its unit, devices that nobody offers
    "mpi",  # a launcher that waits, keys where ssh looks, host names that resolve
)


def of_plan(plan: Plan) -> list[Diagnostic]:
    """Findings about a TrainJob, from its Plan after all passes."""
    return [diagnostic for few in steps_of_plan(plan) for diagnostic in few]


def steps_of_plan(plan: Plan) -> Iterator[list[Diagnostic]]:
    """The same, a few topics at a time."""
    for few in A_FEW_AT_A_TIME:
        yield [diagnostic for topic, concerns in few if concerns(plan) for diagnostic in _module(topic).of_plan(plan)]


def together(plan: Plan, before: Subdomains) -> list[Diagnostic]:
    """Findings about a TrainJob beside those that came before it in one run; `before` learns of it."""
    return list(_module("beside").of_plan(plan, before)) if plan.subdomain != plan.job.name else []


def of_runtime(found: Runtime, profile: Profile) -> list[Diagnostic]:
    """Findings about a runtime on its own, in that release."""
    return [diagnostic for topic in OF_RUNTIMES for diagnostic in _module(topic).of_runtime(found, profile)]


@cache
def _module(topic: str) -> Any:
    return __import__(f"{__name__}.{topic}", fromlist=["of_plan"])
