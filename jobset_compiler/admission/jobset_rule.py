"""What a rule of JobSet's validating webhook is made of: what it finds, where it stands, and the words that several have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.kube.structural import OMITTED
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.admission.jobset_view import ReplicatedJob, View
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Feature

LABEL_LENGTH = 63
COORDINATOR_LABEL = "jobset.sigs.k8s.io/coordinator"


class Problem(Value):
    """path: the server's, () for an error without a field; at: the place in the JobSet, where that is another one; meant: what that should be."""

    __slots__ = ("also", "at", "hint", "kind", "meant", "message", "path", "value")

    def __init__(
        self,
        message: str,
        path: Path = (),
        value: Any = OMITTED,
        kind: str = "FieldValueInvalid",
        at: Path = (),
        hint: str = "",
        also: Path = (),
        meant: str = "",
    ) -> None:
        self.message: Final = message
        self.path: Final = path
        self.value: Final = value
        self.kind: Final = kind
        self.at: Final = at
        self.hint: Final = hint
        self.also: Final = also
        self.meant: Final = meant


Problems = tuple[Problem, ...] | list[Problem]
NONE: tuple[Problem, ...] = ()


class JobSetRule(Value):
    """A rule on a JobSet that has the `section` of the spec.

    `names_field_since` is the feature since which the error has a path; `since` the one since which there is the rule.
    """

    __slots__ = ("check", "cite", "code", "names_field_since", "section", "since")

    def __init__(
        self, code: Code, section: str, check: Callable[[View], Problems], cite: str, since: Feature | None = None, names_field_since: Feature | None = None
    ) -> None:
        self.code: Final = code
        self.section: Final = section
        self.check: Final = check
        self.cite: Final = cite
        self.since: Final = since
        self.names_field_since: Final = names_field_since


class JobRule(Value):
    """A rule on each replicatedJob."""

    __slots__ = ("check", "cite", "code", "names_field_since", "since")

    def __init__(
        self, code: Code, check: Callable[[View, ReplicatedJob], Problems], cite: str, since: Feature | None = None, names_field_since: Feature | None = None
    ) -> None:
        self.code: Final = code
        self.check: Final = check
        self.cite: Final = cite
        self.since: Final = since
        self.names_field_since: Final = names_field_since


def name_hint(view: View) -> str:
    """How much the TrainJob's name must become shorter, for all that is made of it."""
    from jobset_compiler.admission.room import shorten

    return shorten(view)


def near_job(view: View, name: str) -> str:
    """The replicatedJob that a name without one probably means."""
    from jobset_compiler.resolve.catalog import near

    return near(name, view.names) or ""


def jobs_that_are(view: View, name: str) -> str:
    """The advice for a name that no replicatedJob has."""
    close = near_job(view, name)
    known = ", ".join(f'"{known}"' for known in view.names) or "no replicatedJobs"
    return (f"did you mean {close}? " if close else "") + f"the JobSet has {known}"
