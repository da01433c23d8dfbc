"""`codes`: every diagnostic code, and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb, near
from jobset_compiler.cli.help import paragraphs
from jobset_compiler.cli.tables import table
from jobset_compiler.diagnostics.codes import BLOCKS, TITLES, all_codes, of_block

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.diagnostics.codes.code import Code

ACTIONS = ("list", "explain")
VERB = Verb(
    "codes",
    "list the diagnostic codes, or explain one",
    """
The number and the name of a code stay the same for ever; its severity is what it has unless --ignore, --error-on, --warn-on or the settings file change it.
""",
    (Option(("-o", "--output"), "form of the list; default text", "FORMAT", choices=("text", "json", "markdown")),),
    (
        ("jobset-compiler codes list", ""),
        ("jobset-compiler codes JSC201", "what it means; or: codes explain JSC201"),
        ("jobset-compiler codes explain unknown-field", "by its name"),
        ("jobset-compiler codes list -o markdown", "all of them with their texts, as in docs/codes.md"),
    ),
    takes="[list | [explain] CODE...]",
    most=-1,
    words=ACTIONS,
    offers="codes",
)

HEAD = """\
# Codes

Made by `jobset-compiler codes list -o markdown`; a test compares. `jobset-compiler codes explain JSC201` shows one.

An *error* will not run: a server, the controller or JobSet refuses it, or the Jobs or Pods that would come of it are refused. A *warning* runs, but surely or
probably not as meant. An *info* is worth knowing once. `--ignore`, `--error-on` and `--warn-on` take numbers or names: see [check](check.md).
"""


def run(arguments: Arguments, streams: Streams) -> int:
    action, *rest = arguments.words or ("list",)
    if action == "list":
        if rest:
            raise UsageError(f"list takes no code; did you mean: codes explain {rest[0]}?")
        streams.put({"text": _text, "json": _json, "markdown": markdown}[arguments.get("--output", "text")]())
        return 0
    known = {name: code for code in all_codes() for name in (code.code, code.slug)}
    if _found(action, known):
        rest = list(arguments.words)
    elif action != "explain":
        raise UsageError(f"unknown action or code {action!r}{near(action, (*ACTIONS, *known))}")
    if not rest:
        raise UsageError("explain which code? See: jobset-compiler codes list")
    separator = ""
    for name in rest:
        code = _found(name, known)
        if code is None:
            raise UsageError(f"unknown code {name!r}{near(name, tuple(known))}")
        streams.put(f"{separator}{code.code} {code.slug} ({code.severity})\n\n{paragraphs(code.title)}\n{paragraphs(code.text)}")
        separator = "\n"
    return 0


def _found(name: str, known: dict[str, Code]) -> Code | None:
    return known.get(name) or known.get(name.upper()) or known.get(f"JSC{name}")


def _text() -> str:
    return table([(code.code, code.severity, code.slug, code.title) for code in all_codes()])


def _json() -> str:
    from json import dumps

    fields = ("code", "slug", "severity", "title", "text", "asked")
    return dumps([{field: getattr(code, field) for field in fields} for code in all_codes()], indent=2) + "\n"


def markdown() -> str:
    """The catalogue as a page."""
    return HEAD + "".join(f"\n## {TITLES[block]}\n" + "".join(map(_section, of_block(block))) for block in BLOCKS)


def _section(code: Code) -> str:
    return f"\n### {code.code} {code.slug}\n\n*{code.severity}*: {code.title}\n\n{paragraphs(escaped(code.text))}"


def escaped(text: str) -> str:
    """Text in which Markdown sees no tags and no emphasis."""
    return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
