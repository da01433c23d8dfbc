"""`codes`: every diagnostic code, and what it means."""

from __future__ import annotations

from jobset_compiler.cli.arguments import UsageError, Verb, near
from jobset_compiler.cli.help import paragraphs
from jobset_compiler.cli.tables import table
from jobset_compiler.diagnostics.codes import all_codes
from jobset_compiler.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams

ACTIONS = ("list", "explain")
VERB = Verb(
    "codes",
    "list the diagnostic codes, or explain one",
    "",
    (),
    (("jobset-compiler codes list", ""), ("jobset-compiler codes explain JSC201", ""), ("jobset-compiler codes explain unknown-field", "by its name")),
    takes="list | explain CODE",
    least=1,
    most=2,
    words=ACTIONS,
)


def run(arguments: Arguments, streams: Streams) -> int:
    action, *rest = arguments.words
    codes = all_codes()
    if action == "list":
        if rest:
            raise UsageError(f"list takes no code; did you mean: codes explain {rest[0]}?")
        streams.put(table([(code.code, code.severity, code.slug, code.title) for code in codes]))
        return 0
    if action != "explain":
        raise UsageError(f"unknown action {action!r}{near(action, ACTIONS)}")
    if not rest:
        raise UsageError("explain which code? See: jobset-compiler codes list")
    known = {name: code for code in codes for name in (code.code, code.slug)}
    code = known.get(rest[0]) or known.get(rest[0].upper())
    if code is None:
        raise UsageError(f"unknown code {rest[0]!r}{near(rest[0], tuple(known))}")
    streams.put(f"{code.code} {code.slug} ({code.severity})\n\n{paragraphs(code.title)}\n{paragraphs(code.text)}")
    return 0
