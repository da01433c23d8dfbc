"""What a pass is: all that the author of a pass imports.

A pass reads one frozen Plan and yields edits and diagnostics; it writes nothing. The driver applies the edits, so that
it alone knows who wrote what on account of which input. It refuses two passes that want different values in one slot, and
edits that come after the stage that settles them (`MAY_YIELD`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.passes.edits import (
    CHECK,
    COMPANIONS,
    CONTAINERS,
    MAY_YIELD,
    SCHEDULING,
    SIZE,
    STAGES,
    AddEnvFrom,
    AddInitContainer,
    AddMount,
    AddObject,
    AddVolume,
    Edit,
    RewriteTrainer,
    SetArgs,
    SetCommand,
    SetCount,
    SetEnv,
    SetImage,
    SetPodAnnotation,
    SetPodLabel,
    SetPort,
    SetResources,
)
from jobset_compiler.resolve.record import OfCount, OfFeature, OfMetadata, OfRuntime, OfTemplate, Parts, Several

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan

__all__ = [
    "CHECK",
    "COMPANIONS",
    "CONTAINERS",
    "MAY_YIELD",
    "SCHEDULING",
    "SIZE",
    "STAGES",
    "AddEnvFrom",
    "AddInitContainer",
    "AddMount",
    "AddObject",
    "AddVolume",
    "Edit",
    "OfCount",
    "OfFeature",
    "OfMetadata",
    "OfRuntime",
    "OfTemplate",
    "Parts",
    "Pass",
    "RewriteTrainer",
    "SetArgs",
    "SetCommand",
    "SetCount",
    "SetEnv",
    "SetImage",
    "SetPodAnnotation",
    "SetPodLabel",
    "SetPort",
    "SetResources",
    "Several",
    "in_stages",
]


class Pass(NamedTuple):
    """One policy.

    name: "torch", or "acme.spot-tolerations" for a third party's; stage: when it acts, and so what it may yield; when: positive
    selection, never "unless others"; overrides: passes whose values it may replace; cites: upstream file and tag, or issue.
    """

    name: str
    stage: str
    when: Callable[[Plan], bool]
    run: Callable[[Plan], Iterator[Edit | Diagnostic]]
    overrides: frozenset[str] = frozenset()
    cites: tuple[str, ...] = ()
    distribution: str = "jobset-compiler"


def in_stages(passes: Iterable[Pass]) -> tuple[Pass, ...]:
    """The passes stage by stage, inside a stage as they are given."""
    return tuple(sorted(passes, key=lambda step: STAGES.index(step.stage)))
