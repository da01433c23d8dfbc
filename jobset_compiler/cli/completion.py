"""`completion`: scripts that let a shell complete commands, options, their values, and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli import VERBS, verb_of
from jobset_compiler.cli.arguments import HELP, UsageError, Verb, near

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.cli.arguments import Arguments, Option
    from jobset_compiler.cli.streams import Streams

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "jobset-compiler"
VERB = Verb(
    "completion",
    "print a completion script for bash, zsh or fish",
    "",
    (),
    (
        ("source <(jobset-compiler completion bash)", "in ~/.bashrc"),
        ("source <(jobset-compiler completion zsh)", "in ~/.zshrc, after compinit"),
        ("jobset-compiler completion fish > ~/.config/fish/completions/jobset-compiler.fish", ""),
    ),
    takes="bash | zsh | fish",
    least=1,
    most=1,
    words=SHELLS,
)


def run(arguments: Arguments, streams: Streams) -> int:
    shell = arguments.words[0]
    if shell not in SHELLS:
        raise UsageError(f"no completion for {shell!r}{near(shell, SHELLS)}")
    verbs = [verb_of(name) for name in VERBS]
    streams.put({"bash": bash, "zsh": zsh, "fish": fish}[shell](verbs))
    return 0


def _options(verb: Verb) -> tuple[Option, ...]:
    return (*verb.options, HELP)


def _takes_paths(verb: Verb) -> bool:
    return "PATH" in verb.takes


def bash(verbs: list[Verb]) -> str:
    """One function: what may stand where the cursor is depends on the verb and on the option before."""
    lines = [
        f"# bash completion of {PROGRAM}",
        "_jobset_compiler() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
        "  COMPREPLY=()",
        "  if (( COMP_CWORD == 1 )); then",
        f'    COMPREPLY=($(compgen -W "{" ".join(verb.name for verb in verbs)} --help --version" -f -- "$word"))',
        "    return",
        "  fi",
        '  case "${COMP_WORDS[1]}" in',
    ]
    for verb in verbs:
        lines.append(f"    {verb.name})")
        lines.append('      case "$before" in')
        for option in _options(verb):
            if option.value:
                reply = f'compgen -W "{" ".join(option.choices)}" -- "$word"' if option.choices else 'compgen -f -- "$word"' if option.paths else ""
                action = f"COMPREPLY=($({reply}))" if reply else ":"
                lines.append(f"        {'|'.join(option.names)}) {action}; return ;;")
        lines.append("      esac")
        words = " ".join([*verb.words, *(name for option in _options(verb) for name in option.names)])
        files = " -f" if _takes_paths(verb) else ""
        lines.append(f'      COMPREPLY=($(compgen -W "{words}"{files} -- "$word")) ;;')
    lines += ["  esac", "}", f"complete -o filenames -o bashdefault -F _jobset_compiler {PROGRAM}", ""]
    return "\n".join(lines)


def zsh(verbs: list[Verb]) -> str:
    """A function for compdef, with what each option is for."""
    lines = [f"#compdef {PROGRAM}", "", "_jobset_compiler() {", "  local -a commands", "  commands=("]
    lines += [f"    {_quoted(f'{verb.name}:{verb.summary}')}" for verb in verbs]
    lines += ["  )", "  if (( CURRENT == 2 )); then", "    _describe command commands", "    _files", "    return", "  fi", '  case "$words[2]" in']
    for verb in verbs:
        lines.append(f"    {verb.name}) shift words; (( CURRENT-- )); _arguments -s \\")
        lines += [f"      {spec} \\" for option in _options(verb) for spec in _zsh_option(option)]
        if verb.words:
            what = " ".join(verb.words)
            lines.append(f"      {_quoted(f'1:what:({what})')} ;;")
        else:
            lines.append("      '*:path:_files' ;;" if _takes_paths(verb) else "      ;;")
    lines += ["  esac", "}", "", f"compdef _jobset_compiler {PROGRAM}", ""]
    return "\n".join(lines)


def _zsh_option(option: Option) -> Iterable[str]:
    text = option.help.replace("[", "(").replace("]", ")").replace(":", ";")
    value = ""
    if option.value:
        action = f"({' '.join(option.choices)})" if option.choices else "_files" if option.paths else " "
        value = f":{option.value.lower().replace('=', ' ')}:{action}"
    repeat = "*" if option.many else ""
    return [_quoted(f"{repeat}{name}[{text}]{value}") for name in option.names]


def _quoted(text: str) -> str:
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"


def fish(verbs: list[Verb]) -> str:
    """One `complete` line for everything that may stand somewhere."""
    first = "__fish_use_subcommand"
    lines = [f"# fish completion of {PROGRAM}"]
    lines += [f"complete -c {PROGRAM} -n {first} -a {verb.name} -d {_quoted_fish(verb.summary)}" for verb in verbs]
    for verb in verbs:
        here = f"'__fish_seen_subcommand_from {verb.name}'"
        if not _takes_paths(verb):
            lines.append(f"complete -c {PROGRAM} -n {here} -f" + (f" -a '{' '.join(verb.words)}'" if verb.words else ""))
        for option in _options(verb):
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = ""
            if option.value:
                value = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r" if option.paths else " -x"
            lines.append(f"complete -c {PROGRAM} -n {here} {names}{value} -d {_quoted_fish(option.help)}")
    return "\n".join(lines) + "\n"


def _quoted_fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
