"""What a container's command and args start: a shell with a script, torchrun with its flags, plain Python, something else.

A reading of words, not of programs: what is not plainly one of these is "other", about which nothing is said.
"""

from __future__ import annotations

import re
from typing import Final

from jobset_compiler.value import Value

SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh"})
PYTHON = r"python[\d.]*$"
TORCHRUN_MODULES = ("torch.distributed.run", "torch.distributed.launch")
ASSIGNMENT = r"[A-Za-z_]\w*="
# A script that mentions one of these starts its processes by it, or reads the variables itself.
STARTERS = r"torchrun|torch\.distributed|accelerate|deepspeed|horovod|mpirun|srun|ray |colossalai|composer|tune run|PET_|launch|<<"
# torchrun's flags without a value.
SWITCHES = frozenset({"standalone", "no_python", "run_path", "m", "module", "h", "help"})
POSITIONAL = r"\$(?:[@*\d]|\{[@*\d])"
ENDS = r"&&|\|\||[;\n|&]"


class Flag(Value):
    """name: with underscores, without dashes; word: the index of the word that it stands in."""

    __slots__ = ("name", "value", "word")

    def __init__(self, name: str, value: str, word: int) -> None:
        self.name: Final = name
        self.value: Final = value
        self.word: Final = word


class Program(Value):
    """kind: "torchrun", "python" (a file or a module, as one process) or "other".

    flags: of torchrun; script: what a shell was given with -c; dropped: indexes of the words that the script does not read.
    """

    __slots__ = ("dropped", "flags", "kind", "script")

    def __init__(self, kind: str, flags: tuple[Flag, ...] = (), script: str | None = None, dropped: tuple[int, ...] = ()) -> None:
        self.kind: Final = kind
        self.flags: Final = flags
        self.script: Final = script
        self.dropped: Final = dropped


def read_words(words: list[str]) -> Program:
    """What command and args, one after the other, start."""
    if not words:
        return Program("other")
    if base(words[0]) in SHELLS:
        at = next((index for index, word in enumerate(words[1:], 1) if re.fullmatch(r"-[a-z]*c[a-z]*", word)), None)
        if at is None or at + 1 >= len(words):
            return Program("other")
        script, rest = words[at + 1], range(at + 2, len(words))
        dropped = () if re.search(POSITIONAL, script) or [words[index] for index in rest] in ([], ["--"], ["_"], [words[0]], [base(words[0])]) else tuple(rest)
        kind, flags = _of_script(script, at + 1)
        return Program(kind, flags, script, dropped)
    kind, start = _of_command(words)
    return Program(kind, _flags(words, start) if kind == "torchrun" else ())


def base(word: str) -> str:
    """The program of a path."""
    return word.rpartition("/")[2]


def _of_script(script: str, index: int) -> tuple[str, tuple[Flag, ...]]:
    """By the last command of the script, or by torchrun wherever it stands; flags have the place of the script."""
    import shlex

    if "<<" in script:
        return "other", ()
    last = "other"
    for part in re.split(ENDS, script.replace("\\\n", " ")):
        try:
            words = shlex.split(part, comments=True)
        except ValueError:
            return "other", ()  # quotes around an end of a command
        if words:
            last, start = _of_command(words)
            if last == "torchrun":
                return last, tuple(Flag(flag.name, flag.value, index) for flag in _flags(words, start))
    return ("other" if re.search(STARTERS, script) else last), ()


def _of_command(words: list[str]) -> tuple[str, int]:
    """The kind of one command, and where the words behind the program begin."""
    at = 0
    while at < len(words) - 1 and (words[at] in ("exec", "env", "time", "nohup") or ("=" in words[at] and re.match(ASSIGNMENT, words[at]))):
        at += 1
    if base(words[at]) == "torchrun":
        return "torchrun", at + 1
    if not re.match(PYTHON, base(words[at])):
        return "other", at
    at += 1
    while at < len(words) and re.fullmatch(r"-[uOBEsSIqv]+", words[at]):
        at += 1
    if at < len(words) and words[at] == "-m":
        module = words[at + 1] if at + 1 < len(words) else ""
        if module in TORCHRUN_MODULES:
            return "torchrun", at + 2
        return ("other" if not module or re.search(STARTERS, module) else "python"), at
    is_file = at < len(words) and words[at].endswith(".py") and not re.search(STARTERS, base(words[at]))
    return ("python" if is_file else "other"), at


def _flags(words: list[str], start: int) -> tuple[Flag, ...]:
    """The flags of torchrun before the program that it starts."""
    found = []
    at = start
    while at < len(words) and words[at].startswith("-"):
        name, equals, value = words[at].lstrip("-").partition("=")
        name, index = name.replace("-", "_"), at
        if not equals and name not in SWITCHES and at + 1 < len(words):
            at += 1
            value = words[at]
        found.append(Flag(name, value, index))
        if name in ("m", "module"):
            break
        at += 1
    return tuple(found)
