"""Variables whose values name others: those that the kubelet does not know, or not yet, and a shell's spelling, which nobody reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, NODE, TRAINER, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import JOBS_OF_SPEC, POD, TRAINER_SPEC, on_template, on_trainjob
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan, PodContainer

Tree = dict[str, Any]
REFERENCE = re.compile(r"\$\$|\$\(([A-Za-z_][\w.-]*)\)")
# `$NAME` as people write it for a shell; `${NAME}` is a placeholder (JSC725).
OF_A_SHELL = re.compile(r"(?<![\w$\\])\$([A-Z][A-Z0-9_]+)(?!\w)")
# What makes a text of a value once more.
EXPANDERS = re.compile(r"\beval\b|envsubst")
# The Job controller writes it behind all others.
INDEX = "JOB_COMPLETION_INDEX"


class Holder(Value):
    """A container with variables of somebody: its final state, the template's own of it, and the list of variables with where that stands.

    of_job: the list is the TrainJob's, at a path of its document; else the template's, at a path of a JobSetSpec.
    """

    __slots__ = ("at", "env", "of_job", "state", "template")

    def __init__(self, state: PodContainer, template: Tree, env: tuple[Tree, ...] | list[Tree], at: Path, *, of_job: bool) -> None:
        self.state: Final = state
        self.template: Final = template
        self.env: Final = env
        self.at: Final = at
        self.of_job: Final = of_job

    @property
    def words(self) -> tuple[str, ...]:
        """command and args as they will run."""
        state, template = self.state, self.template
        command = template.get("command", ()) if state.command is None else state.command
        return (*command, *(template.get("args", ()) if state.args is None else state.args))


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    """JSC741, for values of all containers."""
    for holder in _holders(plan):
        order = [entry["name"] for entry in holder.state.env]
        for index, entry in enumerate(holder.env):
            text = entry.get("value")
            if text and "$" in text and "valueFrom" not in entry and entry["name"] in order and (holder.of_job or entry in holder.state.env):
                for message, hint in (*_references(holder, entry["name"], text, order), *_of_a_shell(holder, entry["name"], text, order)):
                    at = (*holder.at, index, "value")
                    yield (on_trainjob if holder.of_job else on_template)(plan, codes.silent.REFERENCE_STAYS_TEXT, message, at, hint)


def _holders(plan: Plan) -> Iterator[Holder]:
    """Each list of variables that somebody wrote and that reaches a container."""
    job = plan.job
    own = [
        *([(TRAINER, NODE, plan.trainer.env, TRAINER_SPEC)] if plan.trainer is not None else []),
        *([(DATASET_INITIALIZER, DATASET_INITIALIZER, job.dataset.env, ("spec", "initializer", "dataset"))] if job.dataset is not None else []),
        *([(MODEL_INITIALIZER, MODEL_INITIALIZER, job.model.env, ("spec", "initializer", "model"))] if job.model is not None else []),
    ]
    for index, (entry, pods) in enumerate(zip(replicated_jobs(plan.template), plan.pod_sets, strict=True)):
        pod = pod_spec_of(entry)
        for field, states in (("containers", pods.containers), ("initContainers", pods.init_containers)):
            for position, (template, state) in enumerate(zip(pod.get(field) or (), states, strict=True)):
                for ancestor, name, env, at in own if field == "containers" else ():
                    if env and pods.ancestor == ancestor and state.name == name and plan.by_ancestor(ancestor) is pods:
                        yield Holder(state, template, env, (*at, "env"), of_job=True)
                if template.get("env"):
                    below = (*JOBS_OF_SPEC, index, *POD, field, position, "env")
                    yield Holder(state, template, template["env"], below, of_job=False)


def _references(holder: Holder, variable: str, text: str, order: list[str]) -> Iterator[tuple[str, str]]:
    """What there is to say about `$(NAME)` in the value of a variable, and the hint."""
    for name in REFERENCE.findall(text):
        if not name or name in order[: order.index(variable)]:
            continue
        if name == variable:
            if not _is_open(holder):
                yield f"$({name}) stays as it is: no variable {name} comes before, and those of the image are not known", "write the whole value"
        elif name in order or name == INDEX:
            message = f"$({name}) stays as it is: {name} comes after {variable} in the container"
            yield message, f"use $({name}) in command or args, where all variables are known"
        elif not _is_open(holder) and not _is_of_the_cluster(name):
            yield f"$({name}) stays as it is: the container has no variable {name}", f"add {name} to env, before {variable}"


def _of_a_shell(holder: Holder, variable: str, text: str, order: list[str]) -> Iterator[tuple[str, str]]:
    """The same about `$NAME`."""
    found = OF_A_SHELL.search(text)
    # A program, or one that a shell of the command gets to read.
    if found is None or "\n" in text or any(f"$({variable})" in word or EXPANDERS.search(word) for word in holder.words):
        return
    name = found[1]
    if name in order[: order.index(variable)] or _is_open(holder) or _is_of_the_cluster(name):
        hint = f"write $({name})"
    else:
        hint = "write the value itself, or let a shell in command set the variable; $(NAME) stands for variables of the container that come before"
    yield f"${name} stays as it is: no shell reads the values of variables", hint


def _is_open(holder: Holder) -> bool:
    """Whether the container has variables whose names only a cluster knows."""
    return bool(holder.state.env_from or holder.template.get("envFrom"))


def _is_of_the_cluster(name: str) -> bool:
    return name.startswith("KUBERNETES_") or "_SERVICE_" in name
