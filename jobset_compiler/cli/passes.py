"""`passes`: the policies in the order in which they act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, Verb
from jobset_compiler.cli.common import EXTENSION
from jobset_compiler.cli.tables import table
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.diagnostics.text import render
from jobset_compiler.extensions import with_extensions
from jobset_compiler.request.plugins import Discovered, discover

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.passes.api import Pass

VERB = Verb(
    "passes",
    "list the passes in the order in which they act, and where each comes from",
    """
A pass reads the plan of a TrainJob and adds environment, ports, volumes, counts or objects. Later passes win only over passes, and over whole \
stages, that they name. \
Installed distributions can bring passes of their own (entry points of the group jobset_compiler.passes): they act at the end of their stage.
""",
    (Option(("--no-plugins",), "leave out passes of other distributions"), EXTENSION),
    (
        ("jobset-compiler passes", "the effective order"),
        ("jobset-compiler passes --no-plugins", "only those that come with the compiler"),
        ("jobset-compiler passes --extension mpi-hydra", "with those of an extension"),
    ),
)


def _from(step: Pass) -> str:
    return f"extension {step.extension}" if step.extension else step.distribution or "jobset-compiler"


def run(arguments: Arguments, streams: Streams) -> int:
    found = Discovered() if arguments.has("--no-plugins") else discover()
    passes = with_extensions(found.passes, arguments.all(EXTENSION.name))
    rows = [(step.stage, step.name, _from(step), ", ".join(sorted(step.overrides)) or "-", ", ".join(step.cites)) for step in passes]
    streams.put(table([("STAGE", "PASS", "FROM", "REPLACES", "CITES"), *rows]))
    for diagnostic in found.diagnostics:
        streams.say_styled(render(settle(diagnostic)))
    return int(bool(found.diagnostics))
