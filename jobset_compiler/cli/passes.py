"""`passes`: the policies in the order in which they act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Verb
from jobset_compiler.cli.tables import table
from jobset_compiler.passes.registry import BUILTIN

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams

VERB = Verb(
    "passes",
    "list the passes in the order in which they act, and where each comes from",
    """
A pass reads the plan of a TrainJob and adds environment, ports, volumes, counts or objects. Later passes win only over those that they name.
""",
    (),
    (("jobset-compiler passes", ""),),
)


def run(arguments: Arguments, streams: Streams) -> int:
    rows = [(step.stage, step.name, step.distribution, ", ".join(sorted(step.overrides)) or "-", ", ".join(step.cites)) for step in BUILTIN]
    streams.put(table([("STAGE", "PASS", "FROM", "REPLACES", "CITES"), *rows]))
    return 0
