"""The help of the program and of each verb: what it does, examples first, then the options."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import EVERYWHERE
from jobset_compiler.cli.streams import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.cli.arguments import Option, Verb

WIDTH = 100

OVERVIEW = f"""\
{PROGRAM} compiles Kubeflow Trainer TrainJobs and runtimes into the JobSets that the controller would create.
No cluster, no network.

Examples:
  {PROGRAM} render job.yaml                      the objects, as YAML
  {PROGRAM} render job.yaml -r runtime.yaml      with a runtime of your own
  {PROGRAM} check manifests/                     what API server, webhooks and JobSet would refuse
  {PROGRAM} explain job.yaml                     what will run, and why
  kustomize build . | {PROGRAM} --form admitted | kubectl apply -f -
                                                 as a filter: the same as `render -`

Commands:
"""
CLOSING = f"""
`{PROGRAM} COMMAND --help` shows the options of a command, with examples.
Exit codes: 0 fine, 1 errors in the input, 2 usage or unreadable input, 3 differences found, 70 a bug of {PROGRAM}.
"""


def called(text: str, program: str) -> str:
    """The text with commands as they are written by who calls us `program`."""
    if program == PROGRAM:
        return text
    import re

    return re.sub(rf"(?<![\w./-]){PROGRAM}(?= [\w<.-])", program, text)


def overview(verbs: Sequence[Verb], program: str = PROGRAM) -> str:
    width = max(len(verb.name) for verb in verbs)
    return called(OVERVIEW + "".join(f"  {verb.name:<{width}}  {verb.summary}\n" for verb in verbs) + CLOSING, program)


def usage(verb: Verb, program: str = PROGRAM) -> str:
    return " ".join(part for part in (program, verb.name, verb.takes, "[OPTIONS]" if verb.options else "") if part)


def verb_help(verb: Verb, program: str = PROGRAM) -> str:
    verb = verb._replace(text=called(verb.text, program), examples=tuple((called(command, program), comment) for command, comment in verb.examples))
    parts = [f"Usage: {usage(verb, program)}\n\n{verb.summary[0].upper()}{verb.summary[1:]}.\n"]
    if verb.text:
        parts.append("\n" + paragraphs(verb.text))
    if verb.examples:
        width = max(len(command) for command, _ in verb.examples)
        parts.append("\nExamples:\n")
        # Comments line up unless one command is so long that they would run off the screen.
        width = width if width <= 62 else 0
        parts += [_example(command, comment, width) for command, comment in verb.examples]
    parts.append("\nOptions:\n")
    parts += [_option(option) for option in (*verb.options, *EVERYWHERE)]
    return "".join(parts)


def _example(command: str, comment: str, width: int) -> str:
    line = f"  {command:<{width}}  # {comment}" if comment else f"  {command}"
    return f"{line}\n" if len(line) <= WIDTH else f"  {command}\n      # {comment}\n"


def paragraphs(text: str) -> str:
    """Text of one paragraph a line, wrapped; lines that begin with a blank stay as they are."""
    lines: list[str] = []
    for paragraph in text.strip("\n").split("\n"):
        lines += [paragraph] if paragraph.startswith(" ") or not paragraph else wrap(paragraph, WIDTH, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def _option(option: Option) -> str:
    # Short names first, and long ones below each other where there is no short one.
    names = ", ".join(option.names) if option.names[0][1] != "-" else f"    {option.name}"
    head = f"  {names} {option.value}".rstrip()
    text = option.help + (f" ({', '.join(option.choices)})" if option.choices else "") + ("; may be repeated" if option.many else "")
    lines = wrap(text, WIDTH - 34, break_on_hyphens=False)
    first = f"{head:<32}  {lines[0]}\n" if len(head) <= 32 else f"{head}\n{'':34}{lines[0]}\n"
    return first + "".join(f"{'':34}{line}\n" for line in lines[1:])
