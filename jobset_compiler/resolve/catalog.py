"""Which runtimes exist, and which one a TrainJob means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler import runtimes
from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.api.trainjob import GROUP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.profiles import Profile

RESOURCE_NAMES = {CLUSTER_KIND: "clustertrainingruntimes.trainer.kubeflow.org", NAMESPACED_KIND: "trainingruntimes.trainer.kubeflow.org"}
Key = tuple[str, str, str]


class Catalog(NamedTuple):
    """Runtimes given on the input by (kind, namespace, name), and a loader for those that come with the package."""

    given: dict[Key, Runtime]
    bundled_names: tuple[str, ...]
    load_bundled: Callable[[str], Runtime]

    def find(self, job: TrainJob) -> Runtime | None:
        """The runtime of a TrainJob: a given one wins over a bundled one of the same name."""
        ref = job.runtime_ref
        namespace = "" if ref.kind == CLUSTER_KIND else job.namespace
        given = self.given.get((ref.kind, namespace, ref.name))
        if given is None and ref.kind == CLUSTER_KIND and ref.name in self.bundled_names:
            return self.load_bundled(ref.name)
        return given

    def names(self, kind: str, namespace: str) -> tuple[str, ...]:
        """All names under which a runtime of that kind could be found, sorted."""
        found = {name for (k, ns, name) in self.given if k == kind and ns == namespace}
        if kind == CLUSTER_KIND:
            found.update(self.bundled_names)
        return tuple(sorted(found))


def make_catalog(given: Iterable[Runtime], profile: Profile, load_bundled: Callable[[str], Runtime], *, bundled: bool) -> Catalog:
    """Of two runtimes of one kind and name the later one counts, as with kubectl apply."""
    return Catalog(
        {(runtime.kind, runtime.namespace, runtime.name): runtime for runtime in given},
        runtimes.names(profile.name) if bundled else (),
        load_bundled,
    )


def is_supported(job: TrainJob) -> bool:
    ref = job.runtime_ref
    return ref.api_group == GROUP and ref.kind in (CLUSTER_KIND, NAMESPACED_KIND)


def registry_key(job: TrainJob) -> str:
    """Kind and group as the webhook prints them: Kind.group, or only the kind without a group."""
    ref = job.runtime_ref
    return f"{ref.kind}.{ref.api_group}" if ref.api_group else ref.kind


def near(name: str, names: Iterable[str]) -> str | None:
    """The closest of `names`, if one is close."""
    from difflib import get_close_matches

    found = get_close_matches(name, list(names), n=1, cutoff=0.6)
    return found[0] if found else None
