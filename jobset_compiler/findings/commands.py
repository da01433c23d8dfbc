"""Commands that start something else than they say: one word for several, args for nobody, flags against the policy, variables that stay text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.api.runtime import NODE, containers_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.findings.programs import SHELLS, base, read_words
from jobset_compiler.findings.words import TRAINER_SPEC, container_path, on_runtime, on_trainjob
from jobset_compiler.passes.nproc import gpus_per_node, processes_per_node
from jobset_compiler.passes.torchtune import runs_torchtune
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.codes.code import Code, Severity
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.findings.programs import Flag, Program
    from jobset_compiler.resolve.plan import Plan, PodSet

# `$NAME` and `${NAME}`, which a shell expands and Kubernetes does not; `$(NAME)`, which Kubernetes expands where it knows the name.
SHELL_VARIABLE = r"(?<!\$)\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)"
KUBERNETES_VARIABLE = r"(?<!\$)\$\(([A-Za-z_][\w.-]*)\)"
ONE_FLAG = r"--?[A-Za-z][\w-]*\s+[^\s-]\S*"
# Who sets one of these starts the processes by hand.
BY_HAND = frozenset({"RANK", "WORLD_SIZE", "NODE_RANK", "MASTER_ADDR"})
LEAVE_OUT = "leave the flag out: torchrun reads the PET_* variables, and flags win over them"


class Words(Value):
    """command and args of the trainer's container as they will run; `fields` says of both whether they are the TrainJob's, and how many words they have."""

    __slots__ = ("fields", "has_command", "texts")

    def __init__(self, texts: list[str], fields: tuple[tuple[str, bool, int], ...], has_command: bool) -> None:
        self.texts: Final = texts
        self.fields: Final = fields
        self.has_command: Final = has_command

    def place(self, index: int) -> tuple[str, bool, int]:
        """The field of a word, whether it is the TrainJob's, and the place of the word in it."""
        field, is_own, length = self.fields[0]
        if index < length:
            return field, is_own, index
        field, is_own, _ = self.fields[1]
        return field, is_own, index - length


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    pods = plan.trainer_pods()
    if pods is None or plan.trainer_node() is None or runs_torchtune(plan):
        return
    words = _words(plan, pods)
    if not words.texts:
        return
    yield from _one_word(plan, words)
    program = read_words(words.texts) if words.has_command else None
    if program is not None:
        yield from _dropped(plan, words, program)
    if plan.policy_name == "torch":
        yield from _torch(plan, pods, words, program)
    if program is not None and program.script is None and base(words.texts[0]) not in SHELLS:
        yield from _variables(plan, pods, words)


def _words(plan: Plan, pods: PodSet) -> Words:
    trainer = plan.job.trainer
    texts: list[str] = []
    fields: list[tuple[str, bool, int]] = []
    for field, own in (("command", trainer.command if trainer else None), ("args", trainer.args if trainer else None)):
        words = _node_container(plan, pods).get(field, ()) if own is None else own
        texts.extend(words)
        fields.append((field, own is not None, len(words)))
    return Words(texts, tuple(fields), fields[0][2] > 0)


def _node_container(plan: Plan, pods: PodSet) -> dict[str, Any]:
    """The trainer's container as the runtime and its patches have it."""
    template = next((job for job in replicated_jobs(plan.template) if job["name"] == pods.name), {})
    return next((item for item in containers_of(template) if item["name"] == NODE), {})


def _tell(plan: Plan, code: Code, message: str, words: Words, index: int, hint: str, severity: Severity | None = None) -> Diagnostic:
    field, is_own, place = words.place(index)
    if is_own:
        return on_trainjob(plan, code, message, (*TRAINER_SPEC, field, place), hint, severity)
    pods = plan.trainer_pods()
    assert pods is not None
    return on_runtime(plan, code, message, (*container_path(plan, pods.name, NODE), field, place), hint, severity)


def _as_json(value: str | list[str]) -> str:
    from jobset_compiler.emit.json import compact

    return compact(value)


def _one_word(plan: Plan, words: Words) -> Iterator[Diagnostic]:
    parts = words.texts[0].split()
    if words.has_command and len(parts) > 1:
        message = f"the program is called {_as_json(words.texts[0])}, blanks included: no shell takes it apart, and there is none of that name"
        yield _tell(plan, codes.silent.SEVERAL_WORDS_IN_ONE, message, words, 0, f"write {words.place(0)[0]}: {_as_json(parts)}")
    elif base(words.texts[0]) not in SHELLS:
        for index, text in enumerate(words.texts[1:], 1):
            if text.startswith("-") and len(text.split(maxsplit=1)) > 1 and re.fullmatch(ONE_FLAG, text):
                message = f"{_as_json(text)} is one argument, blank included: a program looks for a flag of that name"
                yield _tell(plan, codes.silent.SEVERAL_WORDS_IN_ONE, message, words, index, f"write {_as_json(text.split())[1:-1]}")


def _dropped(plan: Plan, words: Words, program: Program) -> Iterator[Diagnostic]:
    if program.dropped:
        first = program.dropped[0]
        message = f"the shell runs the one word behind -c: {_as_json(words.texts[first])} and what follows are only $0, $1, ... of it"
        yield _tell(plan, codes.silent.SHELL_IGNORES_WORDS, message, words, first, "put the whole command into the word behind -c")


def _torch(plan: Plan, pods: PodSet, words: Words, program: Program | None) -> Iterator[Diagnostic]:
    gpus = gpus_per_node(plan.node_resources)
    if program is not None and program.kind == "torchrun":
        yield from _flags(plan, pods, words, program, gpus)
    elif pods.count > 1 or gpus > 1:
        nodes, each = (f"{pods.count} nodes", " each") if pods.count > 1 else ("one node", "")
        size = f"{nodes} with {gpus} GPUs{each}" if gpus > 1 else nodes
        if program is None:
            message = f"args without a command go to the image's own entrypoint: nothing says that it is torchrun, which {size} need"
            yield _tell(plan, codes.silent.ARGS_FOR_THE_IMAGE, message, words, 0, "write command: [torchrun]")
        elif program.kind == "python" and BY_HAND.isdisjoint(_values(plan)):
            message = f"{size}, but the command starts one plain Python process in each: only torchrun reads the PET_* variables"
            hint = "write command: [torchrun, ...] instead of python, unless the program reads PET_* and starts its processes itself"
            yield _tell(plan, codes.silent.NOT_STARTED_BY_TORCHRUN, message, words, 0, hint)


def _values(plan: Plan) -> dict[str, str]:
    """The variables of the trainer's container."""
    node = plan.trainer_node()
    assert node is not None
    return {entry["name"]: entry.get("value", "") for entry in node.env}


def _flags(plan: Plan, pods: PodSet, words: Words, program: Program, gpus: int) -> Iterator[Diagnostic]:
    """torchrun's flags against the variables that say the same."""
    values = _values(plan) if program.flags else {}
    for flag in program.flags:
        judged = _judge(flag, pods, values, gpus, processes_per_node(plan).value)
        if judged is not None:
            same, text = judged
            verb = "repeats" if same else "contradicts"
            yield _tell(
                plan,
                codes.silent.TORCHRUN_FLAG,
                f"--{flag.name} {flag.value}".rstrip() + f" {verb} {text}",
                words,
                flag.word,
                LEAVE_OUT,
                INFO if same else None,
            )


def _judge(flag: Flag, pods: PodSet, values: dict[str, str], gpus: int, processes: int | str) -> tuple[bool, str] | None:
    """(whether it says the same, what it is compared with); None for other flags and for values that are variables."""
    if flag.name == "standalone":
        return (False, f"{pods.count} nodes: each trains alone") if pods.count > 1 else None
    if "$" in flag.value:
        return None
    address, port = values.get("PET_MASTER_ADDR", ""), values.get("PET_MASTER_PORT", "")
    if flag.name in ("rdzv_endpoint", "master_addr"):
        host = flag.value.partition(":")[0]
        return None if not host or address.startswith(host) else (False, f"PET_MASTER_ADDR {address}")
    if flag.name == "master_port":
        return flag.value == port, f"PET_MASTER_PORT {port}"
    if flag.name == "nnodes":
        least, _, most = flag.value.partition(":")
        if most.isdecimal() and least.isdecimal() and int(least) <= pods.count <= int(most):
            return None  # elastic, within the pods that there are
        return flag.value == str(pods.count), f"numNodes: there are {pods.count}"
    if flag.name == "nproc_per_node":
        same = flag.value == str(processes) or (processes in ("auto", "gpu") and flag.value in ("auto", "gpu", str(gpus)))
        return same, f"PET_NPROC_PER_NODE {processes}" + (f" on {gpus} GPUs" if gpus else "")
    if flag.name == "node_rank":
        return (False, f"the rank of {pods.count} nodes") if pods.count > 1 else None
    return None


def _variables(plan: Plan, pods: PodSet, words: Words) -> Iterator[Diagnostic]:
    """No shell is there to expand `$NAME`, and Kubernetes leaves `$(NAME)` as it is where the container has no such variable."""
    if "$" not in "".join(words.texts):
        return
    node = plan.trainer_node()
    assert node is not None
    known = {entry["name"] for entry in node.env} | {"JOB_COMPLETION_INDEX"}
    is_open = bool(node.env_from or _node_container(plan, pods).get("envFrom"))
    for index, text in enumerate(words.texts):
        if "$" not in text or "\n" in text or (index and words.texts[index - 1] in ("-c", "-e")):
            continue  # a program
        found = re.search(SHELL_VARIABLE, text)
        if found:
            name = found[0].strip("${}")
            more = "; torchrun needs no such flag" if text.startswith(("--rdzv", "--master")) else ""
            hint = f"write $({name})" if name in known or is_open else f"write $({name}), and add {name} to env{more}"
            yield _tell(plan, codes.silent.VARIABLE_STAYS_TEXT, f"{found[0]} stays as it is: there is no shell to expand it", words, index, hint)
            continue
        for name in re.findall(KUBERNETES_VARIABLE, text):
            if name not in known and not is_open and not name.startswith("KUBERNETES_") and "_SERVICE_" not in name:
                message = f"$({name}) stays as it is: the container has no variable {name}"
                yield _tell(plan, codes.silent.VARIABLE_STAYS_TEXT, message, words, index, f"add {name} to env")
