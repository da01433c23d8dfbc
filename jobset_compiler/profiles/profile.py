"""What a release is: a name, the versions behind it, and the set of features that it has."""

from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from jobset_compiler.value import Frozen, Value

if TYPE_CHECKING:
    from jobset_compiler.kube.table import TypeTable

TrainerVersion = Literal["v2.0", "v2.1", "v2.2", "v2.3", "next"]
"""The releases by name, for type checkers; a test holds it to the catalogue."""


UNRELEASED: Final = "next"


class Feature(Value):
    """One behaviour by which releases differ, consulted in exactly one place of the code.

    `evidence` is "ran upstream" (conformance corpus), "read upstream" or "documentation"; `replaces` is what the release before did instead.
    """

    __slots__ = ("cites", "evidence", "replaces", "sentence", "slug")

    def __init__(self, slug: str, sentence: str, cites: tuple[str, ...] = (), evidence: str = "ran upstream", replaces: "Feature | None" = None) -> None:
        self.slug: Final = slug
        self.sentence: Final = sentence
        self.cites: Final = cites
        self.evidence: Final = evidence
        self.replaces: Final = replaces


class JobSet(Frozen):
    """A release of JobSet. version: "0.12.0"; table: the release of Trainer whose type table was made with its CRD; features: slugs."""

    version: str
    table: str
    features: frozenset[str]

    def derive(self, version: str, *, table: str, add: tuple[Feature, ...] = (), drop: tuple[Feature, ...] = ()) -> "JobSet":
        """The next release: this one's features without `drop`, with `add`."""
        gone = {feature.slug for feature in drop}
        assert gone <= self.features, f"JobSet {version} drops what {self.version} has not: {gone - self.features}"
        return JobSet(version, table, (self.features - gone) | {feature.slug for feature in add})


@cache
def _table(name: str) -> "TypeTable":
    """Imports are for the first time only: each costs as much as many calls."""
    from jobset_compiler.kube.table import load

    return load(name)


class Profile(Frozen):
    """A release of Kubeflow Trainer with the Kubernetes libraries that it pins, and the JobSet that it meets.

    features: those of both; jobset: the one in the cluster; comes_with: the one that this release is built and tested with;
    kueue: the releases of Kueue that read its TrainJobs, in words.
    """

    name: TrainerVersion
    trainer: str
    jobset: JobSet
    comes_with: JobSet
    kubernetes: str
    kueue: str
    features: frozenset[str]
    policies: tuple[str, ...]
    override_field: str

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def is_released(self) -> bool:
        """Whether upstream has published it; what it has merged since may still change."""
        return self.name != UNRELEASED

    @property
    def title(self) -> str:
        """ "Kubeflow Trainer 2.3.0"."""
        return f"Kubeflow Trainer {self.trainer}" if self.is_released else "the next Kubeflow Trainer"

    def has(self, feature: Feature) -> bool:
        return feature.slug in self.features

    def types(self) -> "TypeTable":
        """The type table of this release (loaded on first use)."""
        return _table(self.name)

    def jobset_types(self) -> "TypeTable":
        """The type table with the schema of the JobSet in the cluster: what applies to a JobSet that has been submitted."""
        return _table(self.jobset.table)

    @property
    def is_paired(self) -> bool:
        """Whether the JobSet in the cluster is the one that this release comes with."""
        return self.jobset.version == self.comes_with.version

    def with_jobset(self, jobset: JobSet) -> "Profile":
        """This release of Trainer in a cluster with another JobSet: the part of the features that is JobSet's is exchanged."""
        return self._replace(jobset=jobset, features=(self.features - self.jobset.features) | jobset.features)

    def derive(
        self,
        name: TrainerVersion,
        *,
        trainer: str,
        jobset: JobSet,
        kubernetes: str,
        kueue: str = "",
        add: tuple[Feature, ...] = (),
        drop: tuple[Feature, ...] = (),
        policies: tuple[str, ...] = (),
        override_field: str | None = None,
    ) -> "Profile":
        """The next release: this one's features without `drop`, with `add`, with those of its JobSet in place of the former one's.

        policies: the ML policies that it brings.
        """
        gone = {feature.slug for feature in drop}
        own = self.features - self.jobset.features
        assert gone <= own, f"{name} drops what {self.name} has not: {gone - own}"
        return Profile(
            name=name,
            trainer=trainer,
            jobset=jobset,
            comes_with=jobset,
            kubernetes=kubernetes,
            kueue=kueue or self.kueue,
            features=(own - gone) | {feature.slug for feature in add} | jobset.features,
            policies=self.policies + policies,
            override_field=override_field or self.override_field,
        )
