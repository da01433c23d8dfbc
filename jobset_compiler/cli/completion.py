"""`completion`: scripts that let a shell complete commands, options, their values, and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli import VERBS, verb_of
from jobset_compiler.cli.arguments import Option, UsageError, Verb, near

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams

SHELLS = ("bash", "zsh", "fish", "powershell")
VERB = Verb(
    "completion",
    "print a completion script for bash, zsh, fish or PowerShell",
    """
Commands, options, paths, and values: releases, codes, formats, runtimes, severities.

As a plugin of kubectl (`kubectl trainjob`) nothing is to be set up but the completion of kubectl itself.
""",
    (Option(("--candidates",), "for scripts: print what may stand at WORD, after the words given (of which the first is the command)", "WORD"),),
    (
        ("source <(jobset-compiler completion bash)", "in ~/.bashrc"),
        ("source <(jobset-compiler completion zsh)", "in ~/.zshrc, after compinit"),
        ("jobset-compiler completion fish > ~/.config/fish/completions/jobset-compiler.fish", ""),
        ("jobset-compiler completion powershell | Out-String | Invoke-Expression", "in $PROFILE"),
    ),
    takes="bash | zsh | fish | powershell",
    most=-1,
    words=SHELLS,
)


def run(arguments: Arguments, streams: Streams) -> int:
    if arguments.has("--candidates"):
        from jobset_compiler.cli.candidates import candidates, lines

        streams.put(lines(candidates(arguments.words, arguments.get("--candidates"))))
        return 0
    from jobset_compiler.cli import shells

    if len(arguments.words) != 1:
        raise UsageError(f"for which shell? One of {', '.join(SHELLS)}")
    shell = arguments.words[0]
    if shell not in SHELLS:
        raise UsageError(f"no completion for {shell!r}{near(shell, SHELLS)}")
    write = {"bash": shells.bash, "zsh": shells.zsh, "fish": shells.fish, "powershell": shells.powershell}[shell]
    streams.put(write([verb_of(name) for name in VERBS]))
    return 0
