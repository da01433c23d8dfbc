"""`releases`: the releases that can be compiled for, and what each does differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import profile_of
from jobset_compiler.cli.help import paragraphs
from jobset_compiler.cli.tables import table
from jobset_compiler.profiles import NEWEST, PROFILES, Feature, features

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.profiles import Profile

# In the order of their module, where they stand by subject.
ALL: tuple[Feature, ...] = tuple(value for value in vars(features).values() if isinstance(value, Feature))

VERB = Verb(
    "releases",
    "list the releases that can be compiled for, and what each does differently",
    """
A release is a set of named behaviours. Without a name: the versions behind each release, and what it has gained and lost since the one before. \
With a name: every behaviour of that release, with the change that brought it.

JobSet is the one that the release is built and tested with; --jobset-version of the other verbs names another.
""",
    (Option(("-o", "--output"), "form of the list; default text", "FORMAT", choices=("text", "markdown")),),
    (
        ("jobset-compiler releases", "what changed from release to release"),
        ("jobset-compiler releases v2.2", "everything about one"),
        ("jobset-compiler releases -o markdown", "which behaviour each release has, as in docs/releases.md"),
    ),
    takes="[NAME]",
    most=1,
    offers="releases",
)


def run(arguments: Arguments, streams: Streams) -> int:
    if arguments.get("--output") == "markdown":
        if arguments.words:
            raise UsageError("markdown is of all releases; leave the name out")
        streams.put(markdown())
        return 0
    if arguments.words:
        profile = profile_of(arguments.words[0])
        streams.put(_heading(profile) + _features([feature for feature in ALL if profile.has(feature)], "  "))
        return 0
    before: Profile | None = None
    for profile in PROFILES:
        streams.put(("\n" if before else "") + _heading(profile))
        if before:
            streams.put(_features([feature for feature in ALL if profile.has(feature) and not before.has(feature)], "  + "))
            streams.put(_features([feature for feature in ALL if before.has(feature) and not profile.has(feature)], "  - "))
        before = profile
    return 0


HEAD = """\
# Releases

Made by `jobset-compiler releases -o markdown`; a test compares. `jobset-compiler releases v2.2` prints one release.
"""


def markdown() -> str:
    """The versions behind each release, and a table of every behaviour by which they differ."""
    names = [profile.name if profile.is_released else f"{profile.name} (not released)" for profile in PROFILES]
    rules = "|---" * len(names) + "|\n"
    rows = (
        ("Kubeflow Trainer", [profile.trainer for profile in PROFILES]),
        ("JobSet", [profile.jobset.version for profile in PROFILES]),
        ("Kubernetes libraries", [profile.kubernetes for profile in PROFILES]),
        ("Kueue", [profile.kueue for profile in PROFILES]),
        ("Overrides are spelled", [f"`{profile.override_field}`" for profile in PROFILES]),
        ("ML policies", [", ".join(profile.policies) for profile in PROFILES]),
    )
    versions = "".join(f"| {title} | {' | '.join(cells)} |\n" for title, cells in rows)
    having = "".join(
        f"| {feature.sentence} | `{feature.slug}` | {' '.join(feature.cites)} | {' | '.join('yes' if profile.has(feature) else '' for profile in PROFILES)} |\n"
        for feature in ALL
    )
    head = f"| | {' | '.join(names)} |\n|---{rules}"
    return f"{HEAD}\n{head}{versions}\n## Behaviours\n\n| Behaviour | Feature | Upstream | {' | '.join(names)} |\n|---|---|---{rules}{having}"


def _heading(profile: Profile) -> str:
    default = " (default)" if profile == NEWEST else "" if profile.is_released else " (not released)"
    rows = [
        ("Kubeflow Trainer", profile.trainer),
        ("JobSet", profile.jobset.version),
        ("Kubernetes libraries", profile.kubernetes),
        ("Kueue", profile.kueue),
        ("overrides are spelled", f"spec.{profile.override_field}"),
        ("ML policies", ", ".join(profile.policies)),
    ]
    return f"{profile.name}{default}\n" + table(rows, "  ")


def _features(features: list[Feature], mark: str) -> str:
    return "".join(
        f"{mark}{feature.slug}: " + paragraphs(f"{feature.sentence} {' '.join(feature.cites)}".strip()).replace("\n", "\n      ").rstrip() + "\n"
        for feature in features
    )
