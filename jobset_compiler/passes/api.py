"""What a pass is: all that the author of a pass imports.

A pass reads one frozen Plan and yields edits and diagnostics; it writes nothing. The driver applies the edits, so that
it alone knows who wrote what on account of which input. It refuses two passes that want different values in one slot, and
edits that come after the stage that settles them (`MAY_YIELD`).
"""

from collections.abc import Callable, Iterable, Iterator

from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes.container_edits import (
    AddEnvFrom,
    AddMount,
    InsertEnv,
    SetArgs,
    SetCommand,
    SetEnv,
    SetImage,
    SetPort,
    SetResources,
)
from jobset_compiler.passes.edits import (
    CHECK,
    COMPANIONS,
    CONTAINERS,
    MAY_YIELD,
    POLICY,
    SCHEDULING,
    SIZE,
    STAGES,
    AddDNSSearch,
    AddInitContainer,
    AddObject,
    AddVolume,
    Edit,
    RewriteTrainer,
    SetCount,
    SetPodAnnotation,
    SetPodLabel,
)
from jobset_compiler.resolve.plan import Plan
from jobset_compiler.resolve.record import OfCount, OfFeature, OfMetadata, OfRuntime, OfTemplate, Parts, Several
from jobset_compiler.value import Frozen

__all__ = [
    "CHECK",
    "COMPANIONS",
    "CONTAINERS",
    "MAY_YIELD",
    "POLICY",
    "SCHEDULING",
    "SIZE",
    "STAGES",
    "AddDNSSearch",
    "AddEnvFrom",
    "AddInitContainer",
    "AddMount",
    "AddObject",
    "AddVolume",
    "Admits",
    "Brings",
    "Edit",
    "InsertEnv",
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


class Admits(Frozen):
    """Values that a field of a runtime may have beside those of the release's schema.

    struct and field: as the type table has them, such as "trainer.MPIMLPolicySource" and "mpiImplementation". What they come to is up to passes.
    """

    struct: str
    field: str
    values: tuple[str, ...]


class Brings(Frozen):
    """A ClusterTrainingRuntime that is there beside those of the release, by its name, and is judged like one of the input; text: its YAML.

    One of the input, or of the release, that has the same name wins."""

    name: str
    summary: str
    text: str


class Pass(Frozen):
    """One policy, or a part of one.

    name: "torch", or "acme.cost-center" for a third party's, no other pass of the compile has it; stage: when it acts, and so what it may yield; when: positive
    selection, never "unless others"; overrides: passes, or whole stages, whose values it may replace; cites: upstream file and tag, or issue.

    distribution: name and version of the installed distribution that offers it, "" where none does: one of ours, or one that whoever calls the library hands
    over. What such a pass raises is raised; a distribution's becomes an error that names it (JSC302).

    Where it is among the passes of a compile, and before any of them acts: admits, what the schema lets through on its account; brings, runtimes
    that TrainJobs find on its account; reserves, variables that spec.trainer.env may not have where `when` says yes.

    extension: the name of what it belongs to, where no release of Trainer does what it does; whose output it has a part in is told so.
    """

    name: str
    stage: str
    when: Callable[[Plan], bool]
    run: Callable[[Plan], Iterator[Edit | Diagnostic]]
    overrides: frozenset[str] = frozenset()
    cites: tuple[str, ...] = ()
    distribution: str = ""
    admits: tuple[Admits, ...] = ()
    brings: tuple[Brings, ...] = ()
    reserves: tuple[str, ...] = ()
    extension: str = ""


def in_stages(passes: Iterable[Pass]) -> tuple[Pass, ...]:
    """The passes stage by stage, inside a stage as they are given."""
    return tuple(sorted(passes, key=lambda step: STAGES.index(step.stage)))
