"""What a release is: a name, the versions behind it, and the set of features that it has."""

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from jobset_compiler.kube.table import TypeTable

TrainerVersion = Literal["v2.0", "v2.1", "v2.2", "v2.3", "next"]
"""The releases by name, for type checkers; a test holds it to the catalogue."""


UNRELEASED: Final = "next"


class Feature(NamedTuple):
    """One behaviour by which releases differ, consulted in exactly one place of the code.

    `evidence` is "ran upstream" (conformance corpus), "read upstream" or "documentation"; `replaces` is what the release before did instead.
    """

    slug: str
    sentence: str
    cites: tuple[str, ...] = ()
    evidence: str = "ran upstream"
    replaces: "Feature | None" = None


class Profile(NamedTuple):
    """A release of Kubeflow Trainer with the JobSet and Kubernetes libraries that it pins."""

    name: TrainerVersion
    trainer: str
    jobset: str
    kubernetes: str
    features: frozenset[str]
    policies: tuple[str, ...]
    override_field: str

    @property
    def is_released(self) -> bool:
        """Whether upstream has published it; what it has merged since may still change."""
        return self.name != UNRELEASED

    def has(self, feature: Feature) -> bool:
        return feature.slug in self.features

    def types(self) -> "TypeTable":
        """The type table of this release (loaded on first use)."""
        from jobset_compiler.kube import table

        return table.load(self.name)

    def derive(
        self,
        name: TrainerVersion,
        *,
        trainer: str,
        jobset: str,
        kubernetes: str,
        add: tuple[Feature, ...] = (),
        drop: tuple[Feature, ...] = (),
        policies: tuple[str, ...] = (),
        override_field: str | None = None,
    ) -> "Profile":
        """The next release: this one's features without `drop`, with `add`; `policies` are the ML policies that it brings."""
        gone = {feature.slug for feature in drop}
        assert gone <= self.features, f"{name} drops what {self.name} has not: {gone - self.features}"
        return Profile(
            name=name,
            trainer=trainer,
            jobset=jobset,
            kubernetes=kubernetes,
            features=(self.features - gone) | {feature.slug for feature in add},
            policies=self.policies + policies,
            override_field=override_field or self.override_field,
        )
