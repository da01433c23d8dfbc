"""`profiles`: the releases that can be compiled for, and what each does differently."""

from __future__ import annotations

from jobset_compiler.cli.arguments import Verb
from jobset_compiler.cli.common import profile_of
from jobset_compiler.cli.help import paragraphs
from jobset_compiler.cli.tables import table
from jobset_compiler.lean import TYPE_CHECKING
from jobset_compiler.profiles import NEWEST, PROFILES, Feature, features

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.profiles import Profile

# In the order of their module, where they stand by subject.
ALL: tuple[Feature, ...] = tuple(value for value in vars(features).values() if isinstance(value, Feature))

VERB = Verb(
    "profiles",
    "list the releases that can be compiled for, and what each does differently",
    """
A release is a set of named behaviours. Without a name: the versions behind each release, and what it has gained and lost since the one before. \
With a name: every behaviour of that release, with the change that brought it.
""",
    (),
    (("jobset-compiler profiles", "what changed from release to release"), ("jobset-compiler profiles v2.2", "everything about one")),
    takes="[NAME]",
    most=1,
)


def run(arguments: Arguments, streams: Streams) -> int:
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


def _heading(profile: Profile) -> str:
    default = " (default)" if profile == NEWEST else ""
    rows = [
        ("Kubeflow Trainer", profile.trainer),
        ("JobSet", profile.jobset),
        ("Kubernetes libraries", profile.kubernetes),
        ("overrides are spelled", f"spec.{profile.override_field}"),
        ("ML policies", ", ".join(profile.policies)),
    ]
    return f"{profile.name}{default}\n" + table(rows, "  ")


def _features(features: list[Feature], mark: str) -> str:
    return "".join(
        f"{mark}{feature.slug}: " + paragraphs(f"{feature.sentence} {' '.join(feature.cites)}".strip()).replace("\n", "\n      ").rstrip() + "\n"
        for feature in features
    )
