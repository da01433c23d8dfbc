"""The completion scripts, made from the tables of options. Long lists of values (codes) stand once in each script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.candidates import offered, options_of, takes_paths
from jobset_compiler.cli.streams import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jobset_compiler.cli.arguments import Option, Verb


def _lists(verbs: Sequence[Verb]) -> dict[str, str]:
    """What is offered by name, in one line each."""
    names = {offer for verb in verbs for offer in (verb.offers, *(option.offers for option in verb.options)) if offer}
    return {name: " ".join(offered(name)) for name in sorted(names)}


def bash(verbs: Sequence[Verb]) -> str:
    """One function: what may stand where the cursor is depends on the verb and on the option before."""
    lines = [f"# bash completion of {PROGRAM}"]
    lines += [f"_jobset_compiler_{name}={_quoted(values)}" for name, values in _lists(verbs).items()]
    names = " ".join(verb.name for verb in verbs)
    lines += [
        "_jobset_compiler() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}"',
        "  # bash takes --option=value apart at the sign.",
        '  if [[ "$word" == = ]]; then word=""; elif [[ "$before" == = ]]; then before="${COMP_WORDS[COMP_CWORD-2]}"; fi',
        "  COMPREPLY=()",
        "  if (( COMP_CWORD == 1 )); then",
        f'    COMPREPLY=($(compgen -W "{names} --help --version" -f -- "$word"))',
        "    return",
        "  fi",
        f'  [[ " {names} " == *" $verb "* ]] || verb=render',
        '  case "$verb" in',
    ]
    for verb in verbs:
        lines.append(f"    {verb.name})")
        lines.append('      case "$before" in')
        for option in options_of(verb):
            if option.value:
                values = _bash_values(option)
                reply = f'compgen -W "{values}" -- "$word"' if values else 'compgen -f -- "$word"' if option.paths else ""
                action = f"COMPREPLY=($({reply}))" if reply else ":"
                lines.append(f"        {'|'.join(option.names)}) {action}; return ;;")
        lines.append("      esac")
        words = " ".join([*verb.words, *_variable("_jobset_compiler_", verb.offers), *(name for option in options_of(verb) for name in option.names)])
        files = " -f" if takes_paths(verb) else ""
        lines.append(f'      COMPREPLY=($(compgen -W "{words}"{files} -- "$word")) ;;')
    lines += ["  esac", "}", f"complete -o filenames -o bashdefault -F _jobset_compiler {PROGRAM}", ""]
    return "\n".join(lines)


def _bash_values(option: Option) -> str:
    return " ".join((*option.choices, *_variable("_jobset_compiler_", option.offers)))


def _variable(prefix: str, offer: str) -> list[str]:
    return [f"${prefix}{offer}"] if offer else []


def zsh(verbs: Sequence[Verb]) -> str:
    """A function for compdef, with what each option is for."""
    lines = [f"#compdef {PROGRAM}", ""]
    lines += [f'_jobset_compiler_{name}() {{ compadd "$@" -- {values} }}' for name, values in _lists(verbs).items()]
    lines += ["", "_jobset_compiler() {", "  local -a commands", "  commands=("]
    lines += [f"    {_quoted(f'{verb.name}:{verb.summary}')}" for verb in verbs]
    lines += ["  )", "  if (( CURRENT == 2 )); then", "    _describe command commands", "    _files", "    return", "  fi", '  case "$words[2]" in']
    for verb in verbs:
        lines.append(f"    {verb.name}) shift words; (( CURRENT-- )); _arguments -s \\")
        lines += [f"      {spec} \\" for option in options_of(verb) for spec in _zsh_option(option)]
        lines.append(f"      {_zsh_words(verb)} ;;" if verb.words or verb.offers or takes_paths(verb) else "      ;;")
    lines += ["  esac", "}", "", f"compdef _jobset_compiler {PROGRAM}", ""]
    return "\n".join(lines)


def _zsh_words(verb: Verb) -> str:
    if takes_paths(verb):
        return "'*:path:_files'"
    first = f"1:what:({' '.join(verb.words)})" if verb.words else ""
    offers = f"_jobset_compiler_{verb.offers}"
    if not verb.offers:
        return _quoted(first)
    if not first:
        return _quoted(f"1:what:{offers}")
    both = f"1:what:{{compadd -- {' '.join(verb.words)}; {offers}}}"
    return f"{_quoted(both)} {_quoted(f'*:what:{offers}')}"


def _zsh_option(option: Option) -> Iterable[str]:
    text = option.help.replace("[", "(").replace("]", ")").replace(":", ";")
    value = ""
    if option.value:
        choices = f"({' '.join(option.choices)})" if option.choices else f"_jobset_compiler_{option.offers}" if option.offers else ""
        action = choices or ("_files" if option.paths else " ")
        value = f":{option.value.lower().replace('=', ' ')}:{action}"
    repeat = "*" if option.many else ""
    return [_quoted(f"{repeat}{name}[{text}]{value}") for name in option.names]


def _quoted(text: str) -> str:
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"


def fish(verbs: Sequence[Verb]) -> str:
    """One `complete` line for everything that may stand somewhere."""
    first = "__fish_use_subcommand"
    lines = [f"# fish completion of {PROGRAM}"]
    lines += [f"set -g __jobset_compiler_{name} {values}" for name, values in _lists(verbs).items()]
    lines += [f"complete -c {PROGRAM} -n {first} -a {verb.name} -d {_quoted_fish(verb.summary)}" for verb in verbs]
    for verb in verbs:
        here = f"'__fish_seen_subcommand_from {verb.name}'"
        words = " ".join((*verb.words, *_variable("__jobset_compiler_", verb.offers)))
        if not takes_paths(verb):
            lines.append(f"complete -c {PROGRAM} -n {here} -f" + (f' -a "{words}"' if words else ""))
        for option in options_of(verb):
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = ""
            if option.value:
                values = " ".join((*option.choices, *_variable("__jobset_compiler_", option.offers)))
                value = f' -x -a "{values}"' if values else " -r" if option.paths else " -x"
            lines.append(f"complete -c {PROGRAM} -n {here} {names}{value} -d {_quoted_fish(option.help)}")
    return "\n".join(lines) + "\n"


def _quoted_fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def powershell(verbs: Sequence[Verb]) -> str:
    """A block that asks the program itself; where it says nothing PowerShell completes paths."""
    del verbs
    return f"""\
# PowerShell completion of {PROGRAM}
Register-ArgumentCompleter -Native -CommandName {PROGRAM} -ScriptBlock {{
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object {{ $_.Extent.EndOffset -lt $cursorPosition }} | ForEach-Object {{ $_.Extent.Text }})
    $before = @($words | Select-Object -Skip 1)
    & {PROGRAM} completion "--candidates=$wordToComplete" '--' @before | ForEach-Object {{
        $word, $what = $_ -split "`t", 2
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $(if ($what) {{ $what }} else {{ $word }}))
    }}
}}
"""
