"""What a compile can be asked to do differently: the release, and everything that the documents do not say."""

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.profiles import NEWEST, Profile, is_compared
from jobset_compiler.profiles.kubernetes import kubernetes_of
from jobset_compiler.resolve.facts import NO_FACTS, Facts

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.dialects.wishes import Wishes
    from jobset_compiler.passes.api import Pass
    from jobset_compiler.profiles.kubernetes import Kubernetes


class Options(NamedTuple):
    """profile: the release; facts: what only a cluster knows; passes: in order, the built-in ones by default;
    namespace: for documents without one; validate: "strict", "warn" or "ignore" what a server drops; convert: documents of
    older APIs are converted, in this way, before anything else; problems: what is wrong with the
    options themselves (passes that could not be loaded), reported before anything else; kubernetes: the minor release whose API server
    judges Jobs and Pods, that of the release where it is None."""

    profile: Profile = NEWEST
    bundled_runtimes: bool = True
    facts: Facts = NO_FACTS
    passes: "tuple[Pass, ...]" = BUILTIN
    namespace: str = ""
    ignore_missing_runtime: bool = False
    validate: str = "warn"
    kubernetes: "Kubernetes | None" = None
    convert: "Wishes | None" = None
    problems: "tuple[Diagnostic, ...]" = ()

    @property
    def judged_by(self) -> "Kubernetes":
        return self.kubernetes or kubernetes_of(self.profile)



def about_release(name: str, profile: Profile) -> "tuple[Diagnostic, ...]":
    """What there is to say about a release as the user wrote it: that another patch release of it stands in, or that there is none yet."""
    if not name or (profile.is_released and is_compared(name, profile)):
        return ()
    from jobset_compiler.diagnostics.codes.resolve import NOT_RELEASED, RELEASE_NOT_COMPARED
    from jobset_compiler.diagnostics.diagnostic import Diagnostic

    if not profile.is_released:
        return (Diagnostic(NOT_RELEASED, f"{name} is not released: it is what upstream had merged when this was written", stage="resolve"),)
    return (Diagnostic(RELEASE_NOT_COMPARED, f"{name} is judged as {profile.trainer}, the release of {profile.name} that was compared", stage="resolve"),)
