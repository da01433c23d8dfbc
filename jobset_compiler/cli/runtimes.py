"""`runtimes`: the community runtimes that come with the compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler import runtimes
from jobset_compiler.cli.arguments import Option, UsageError, Verb, near
from jobset_compiler.cli.common import EXTENSION, TRAINER_VERSION, profile_of
from jobset_compiler.cli.tables import table
from jobset_compiler.extensions import bringing, with_extensions
from jobset_compiler.request.plugins import Discovered, discover

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.passes.api import Brings

ACTIONS = ("list", "show")
VERB = Verb(
    "runtimes",
    "list or show the community runtimes that come with the compiler",
    """
Each release of Kubeflow Trainer ships runtimes; those of every known release come with the compiler and are used where the input has none of that name \
(not with --no-bundled-runtimes). What extensions and installed distributions bring besides is listed with its origin.
""",
    (TRAINER_VERSION, EXTENSION, Option(("--no-plugins",), "leave out runtimes of other distributions")),
    (
        ("jobset-compiler runtimes", "those of the newest release; or: runtimes list"),
        ("jobset-compiler runtimes list --trainer-version v2.1", "those of an older one"),
        ("jobset-compiler runtimes show torch-distributed > my-runtime.yaml", "a start for one of your own"),
        ("jobset-compiler runtimes --extension tensorflow", "with those of an extension"),
    ),
    takes="[list | [show] NAME]",
    most=2,
    words=ACTIONS,
    offers="runtimes",
)


def run(arguments: Arguments, streams: Streams) -> int:
    action, *rest = arguments.words or ("list",)
    profile = profile_of(arguments.get("--trainer-version"))
    shipped = runtimes.names(profile.name)
    brought = _brought(arguments, shipped)
    names = (*shipped, *brought)
    if action in names:
        if rest:
            raise UsageError(f"too many arguments: {' '.join(rest)}")
        action, rest = "show", [action]
    elif action not in ACTIONS:
        raise UsageError(f"unknown action or runtime {action!r}{near(action, (*ACTIONS, *names))}")
    if action == "list":
        if rest:
            raise UsageError(f"list takes no name; did you mean: runtimes show {rest[0]}?")
        rows = [(name, f"{item.summary} ({by})") for name, (item, by) in brought.items()]
        streams.put(table([*((name, runtimes.SUMMARY[name]) for name in shipped), *rows]))
        return 0
    if not rest:
        raise UsageError(f"show which one? Known: {', '.join(names)}")
    if rest[0] not in names:
        extension = bringing(rest[0])
        advice = f"; --extension {extension} brings it" if extension else near(rest[0], names)
        raise UsageError(f"{profile.name} has no runtime {rest[0]!r}{advice}; known: {', '.join(names)}")
    streams.put(brought[rest[0]][0].text if rest[0] in brought else runtimes.text_of(profile.name, rest[0]))
    return 0


def _brought(arguments: Arguments, shipped: tuple[str, ...]) -> dict[str, tuple[Brings, str]]:
    """What passes bring beside those of the release, by name, each with who brings it."""
    plugins = Discovered() if arguments.has("--no-plugins") else discover()
    found: dict[str, tuple[Brings, str]] = {}
    for step in with_extensions(plugins.passes, arguments.all(EXTENSION.name)):
        for item in step.brings:
            if item.name not in shipped:
                found.setdefault(item.name, (item, f"extension {step.extension}" if step.extension else step.distribution))
    return found
