"""What the launcher starts, against what mpi-hydra has prepared for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.api.runtime import LAUNCHER, NODE, TRAINER, containers_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.programs import base
from jobset_compiler.findings.words import TRAINER_SPEC, container_path, on_runtime, on_trainjob
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan, PodSet

OPERATOR_IMAGES = "mpioperator/"
STARTERS = frozenset({"mpirun", "mpiexec", "mpiexec.hydra"})
# What they are called in the one or the other implementation, with one dash or two.
OVERRIDING = {
    **dict.fromkeys(("f", "hostfile", "machinefile", "machine", "hosts", "host"), "the generated host file"),
    **dict.fromkeys(("ppn", "perhost", "grr"), "the generated number of processes a host"),
}


class LauncherCommand(NamedTuple):
    """What the launcher's container runs; own: which of command and args are the TrainJob's."""

    image: str
    command: tuple[str, ...]
    args: tuple[str, ...]
    own: frozenset[str]


def run_check(plan: Plan) -> Iterator[Diagnostic]:
    launcher = plan.pod_set(LAUNCHER)
    if launcher is None or launcher.container(NODE) is None:
        return
    line = _line(plan, launcher)
    if OPERATOR_IMAGES in line.image and line.command:
        message = f"command takes the place of the entrypoint of {line.image}, which sets up MPI and waits for the hosts"
        yield _tell(plan, codes.extensions.ENTRYPOINT_BYPASSED, message, line, "command", "give mpirun in args, and no command")
    for field, words in (("command", line.command), ("args", line.args)):
        for flag in _flags(line, words):
            message = f"{flag} takes the place of {OVERRIDING[flag.lstrip('-')]}"
            yield _tell(plan, codes.extensions.HOSTS_OVERRIDDEN, message, line, field, "leave it out, unless it is meant")


def _line(plan: Plan, launcher: PodSet) -> LauncherCommand:
    entry = next(job for job in replicated_jobs(plan.template) if job["name"] == LAUNCHER)
    written = next(container for container in containers_of(entry) if container["name"] == NODE)
    trainer = plan.job.trainer if launcher.ancestor == TRAINER else None
    own = frozenset(field for field in ("command", "args") if trainer is not None and getattr(trainer, field) is not None)
    state = launcher.container(NODE)
    assert state is not None
    command = written.get("command", ()) if state.command is None else state.command
    args = written.get("args", ()) if state.args is None else state.args
    return LauncherCommand(state.image or written.get("image", ""), tuple(command), tuple(args), own)


def _flags(line: LauncherCommand, words: tuple[str, ...]) -> Iterator[str]:
    """The options of mpirun among these words that say what was prepared: up to the program that it starts."""
    split = [part for word in words for part in word.split()]
    starts = [index for index, word in enumerate(split) if base(word) in STARTERS]
    if starts:
        split = split[starts[0] + 1 :]
    elif words is not line.args or not line.command or base(line.command[-1]) not in STARTERS:
        return
    is_value = False
    for word in split:
        if not word.startswith("-"):
            if not is_value:
                return
            is_value = False
            continue
        if word.lstrip("-") in OVERRIDING:
            yield word
        is_value = True


def _tell(plan: Plan, code: Code, message: str, line: LauncherCommand, field: str, hint: str) -> Diagnostic:
    if field in line.own:
        return on_trainjob(plan, code, message, (*TRAINER_SPEC, field), hint)
    return on_runtime(plan, code, message, (*container_path(plan, LAUNCHER, NODE), field), hint)
