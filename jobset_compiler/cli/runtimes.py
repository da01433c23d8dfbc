"""`runtimes`: the community runtimes that come with the compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler import runtimes
from jobset_compiler.cli.arguments import UsageError, Verb, near
from jobset_compiler.cli.common import TRAINER_VERSION, profile_of
from jobset_compiler.cli.tables import table

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams

ACTIONS = ("list", "show")
VERB = Verb(
    "runtimes",
    "list or show the community runtimes that come with the compiler",
    """
Each release of Kubeflow Trainer ships runtimes; those of every known release come with the compiler and are used where the input has none of that name \
(not with --no-bundled-runtimes).
""",
    (TRAINER_VERSION,),
    (
        ("jobset-compiler runtimes", "those of the newest release; or: runtimes list"),
        ("jobset-compiler runtimes list --trainer-version v2.1", "those of an older one"),
        ("jobset-compiler runtimes show torch-distributed > my-runtime.yaml", "a start for one of your own"),
    ),
    takes="[list | [show] NAME]",
    most=2,
    words=ACTIONS,
    offers="runtimes",
)


def run(arguments: Arguments, streams: Streams) -> int:
    action, *rest = arguments.words or ("list",)
    profile = profile_of(arguments.get("--trainer-version"))
    names = runtimes.names(profile.name)
    if action in names and not rest:
        action, rest = "show", [action]
    elif action not in ACTIONS:
        raise UsageError(f"unknown action or runtime {action!r}{near(action, (*ACTIONS, *names))}")
    if action == "list":
        if rest:
            raise UsageError(f"list takes no name; did you mean: runtimes show {rest[0]}?")
        streams.put(table([(name, runtimes.SUMMARY[name]) for name in names]))
        return 0
    if not rest:
        raise UsageError(f"show which one? Known: {', '.join(names)}")
    if rest[0] not in names:
        raise UsageError(f"{profile.name} has no runtime {rest[0]!r}{near(rest[0], names)}; known: {', '.join(names)}")
    streams.put(runtimes.text_of(profile.name, rest[0]))
    return 0
