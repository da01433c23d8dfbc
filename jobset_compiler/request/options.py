"""What a compile can be asked to do differently: the release, and everything that the documents do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.profiles import NEWEST
from jobset_compiler.profiles.kubernetes import kubernetes_of
from jobset_compiler.resolve.facts import NO_FACTS
from jobset_compiler.value import Frozen

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.dialects.wishes import Wishes
    from jobset_compiler.passes.api import Admits, Pass
    from jobset_compiler.profiles import Profile
    from jobset_compiler.profiles.kubernetes import Kubernetes
    from jobset_compiler.resolve.facts import Facts


class Options(Frozen):
    """profile: the release; facts: what only a cluster knows; passes: in order, the built-in ones by default;
    namespace: for documents without one; validate: "strict", "warn" or "ignore" what a server drops; convert: documents of
    older APIs are converted, in this way, before anything else; problems: what is wrong with the
    options themselves (passes that could not be loaded), reported before anything else; kubernetes: the minor release whose API server
    judges Jobs and Pods, that of the release where it is None."""

    profile: Profile = NEWEST
    bundled_runtimes: bool = True
    facts: Facts = NO_FACTS
    passes: tuple[Pass, ...] = BUILTIN
    namespace: str = ""
    ignore_missing_runtime: bool = False
    validate: str = "warn"
    kubernetes: Kubernetes | None = None
    convert: Wishes | None = None
    problems: tuple[Diagnostic, ...] = ()

    @property
    def admits(self) -> tuple[Admits, ...]:
        """The values that passes let through beside those of the release's schema."""
        return () if self.passes is BUILTIN else tuple(entry for step in self.passes for entry in step.admits)

    @property
    def extensions(self) -> frozenset[str]:
        """The extensions that are on, by name."""
        return frozenset(step.extension for step in self.passes if step.extension)

    @property
    def judged_by(self) -> Kubernetes:
        return self.kubernetes or kubernetes_of(self.profile)
