"""What a rule is, what it says, and how a plugin's rules become diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Feature
    from jobset_compiler.resolve.plan import Plan

TRAINER_ENV = ("spec", "trainer", "env")
NUM_NODES = ("spec", "trainer", "numNodes")
NUM_PROC_PER_NODE = ("spec", "trainer", "numProcPerNode")
RESOURCES_PER_NODE = ("spec", "trainer", "resourcesPerNode")
RUNTIME_REF = ("spec", "runtimeRef")
RUNTIME_NAME = ("spec", "runtimeRef", "name")


class Refusal(Value):
    """One reason to refuse a TrainJob: path and message in the server's words, `at` and hint in ours; meant: what it is probably meant to be."""

    __slots__ = ("at", "code", "hint", "meant", "message", "notes", "path")

    def __init__(self, code: Code, message: str, path: str, at: Path, hint: str = "", notes: tuple[Note, ...] = (), meant: str = "") -> None:
        self.code: Final = code
        self.message: Final = message
        self.path: Final = path
        self.at: Final = at
        self.hint: Final = hint
        self.notes: Final = notes
        self.meant: Final = meant


class Rule(Value):
    """A predicate of a Plan. `feature`: only releases that have it check this; None: all do."""

    __slots__ = ("check", "cites", "feature")

    def __init__(self, check: Callable[[Plan], Iterable[Refusal]], cites: tuple[str, ...], feature: Feature | None = None) -> None:
        self.check: Final = check
        self.cites: Final = cites
        self.feature: Final = feature


def always(_plan: Plan) -> bool:
    return True


class Plugin(Value):
    """The rules of one upstream plugin. `applies`: for which of the TrainJobs that it is asked about (`trainjob.JUDGES`)."""

    __slots__ = ("applies", "name", "rules")

    def __init__(self, name: str, rules: tuple[Rule, ...], applies: Callable[[Plan], bool] = always) -> None:
        self.name: Final = name
        self.rules: Final = rules
        self.applies: Final = applies


def judge(plan: Plan, plugins: Iterable[Plugin]) -> Iterator[Diagnostic]:
    """What the plugins have against the TrainJob, in their order."""
    for plugin in plugins:
        if plugin.applies(plan):
            for rule in plugin.rules:
                if rule.feature is None or plan.profile.has(rule.feature):
                    for refusal in rule.check(plan):
                        yield diagnostic_of(plan, refusal)


def diagnostic_of(plan: Plan, refusal: Refusal) -> Diagnostic:
    from jobset_compiler.diagnostics.fix import meant

    job = plan.job
    return Diagnostic(
        refusal.code,
        refusal.message,
        document=job.document,
        at=refusal.at,
        path=refusal.path,
        hint=refusal.hint,
        stage="webhook",
        notes=refusal.notes,
        remedies=meant(refusal.at, refusal.meant),
        subject=("TrainJob", job.namespace, job.name),
    )


def sets_one_of(plan: Plan, reserved: tuple[str, ...]) -> bool:
    """Whether spec.trainer.env has one of these variables."""
    return plan.job.trainer is not None and any(entry["name"] in reserved for entry in plan.job.trainer.env)


def reserved_env(plan: Plan, code: Code, reserved: tuple[str, ...], hint: str) -> Iterator[Refusal]:
    """One refusal for all variables of spec.trainer.env that a policy sets itself: at the first, with notes at the others."""
    env = plan.job.trainer.env if plan.job.trainer else ()
    found = [(index, entry["name"]) for index, entry in enumerate(env) if entry["name"] in reserved]
    if found:
        names = " ".join(sorted({name for _, name in found}))
        others = tuple(Note(f"{name} too", plan.job.document, (*TRAINER_ENV, index, "name")) for index, name in found[1:])
        message = f"must not have reserved envs, invalid envs configured: [{names}]"
        yield Refusal(code, message, "spec.trainer.env", (*TRAINER_ENV, found[0][0], "name"), hint, others)


def runtime_place(plan: Plan, job: str) -> Path:
    """Where the runtime's document has a replicatedJob of that name; its list of jobs where it has none."""
    jobs = ("spec", "template", "spec", "replicatedJobs")
    names = [entry["name"] for entry in replicated_jobs(plan.runtime.template)]
    return (*jobs, names.index(job)) if job in names else jobs


def runtime_note(plan: Plan, message: str, at: Path) -> tuple[Note, ...]:
    return (Note(message, plan.runtime.document, at),)


def listed(names: Iterable[str]) -> str:
    """Names for a hint: "node, launcher", or "none"."""
    return ", ".join(names) or "none"
