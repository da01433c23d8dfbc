"""Which runtimes exist, and which one a TrainJob means."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler import runtimes
from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.api.trainjob import DEFAULT_NAMESPACE, GROUP
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.profiles import Profile

Key = tuple[str, str, str]
# The key of something that no runtimeRef finds.
NOT_FOUND: Key = ("", "", "")


class BroughtRuntime(Value):
    """A runtime that a pass brings: None where it is refused, and then `diagnostics` say why; by: who brings it."""

    __slots__ = ("by", "diagnostics", "runtime")

    def __init__(self, runtime: Runtime | None, by: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self.runtime: Final = runtime
        self.by: Final = by
        self.diagnostics: Final = diagnostics


NONE_BROUGHT: Mapping[str, BroughtRuntime] = MappingProxyType({})


class Catalog(Value):
    """Runtimes given on the input by (kind, namespace, name), and a loader for those that come with the package.

    `refused` are those on the input that no server would store: None where the schema is against it, the runtime where only its
    webhook is, since TrainJobs can be judged with that one. `brought` are those that passes bring, by name. `is_whole`: all of the input could be
    read, so that no runtime of it is missing here.
    """

    __slots__ = ("brought", "bundled_names", "given", "is_whole", "load_bundled", "refused")

    def __init__(
        self,
        given: dict[Key, Runtime],
        bundled_names: tuple[str, ...],
        load_bundled: Callable[[str], Runtime],
        refused: dict[Key, Runtime | None],
        brought: Mapping[str, BroughtRuntime] = NONE_BROUGHT,
        is_whole: bool = True,
    ) -> None:
        self.given: Final = given
        self.bundled_names: Final = bundled_names
        self.load_bundled: Final = load_bundled
        self.refused: Final = refused
        self.brought: Final = brought
        self.is_whole: Final = is_whole

    def find(self, job: TrainJob) -> Runtime | None:
        """The runtime of a TrainJob: one of the input, even if its webhook refuses it, wins over a bundled one of the same name."""
        ref, key = job.runtime_ref, _key_for(job)
        if key in self.given or key in self.refused:
            return self.given.get(key) or self.refused[key]
        if ref.kind == CLUSTER_KIND and ref.name in self.bundled_names:
            return self.load_bundled(ref.name)
        found = self.brought_for(job)
        return found.runtime if found else None

    def brought_for(self, job: TrainJob) -> BroughtRuntime | None:
        """The runtime of a TrainJob where a pass brings it: neither the input nor the release has one of that name."""
        key = _key_for(job)
        if key[0] != CLUSTER_KIND or key in self.given or key in self.refused or key[2] in self.bundled_names:
            return None
        return self.brought.get(key[2])

    def refuses(self, job: TrainJob) -> bool:
        """Whether the runtime of a TrainJob is on the input, but refused; one without a name may be any."""
        key = _key_for(job)
        return key in self.refused or ((*key[:2], "") in self.refused and self.find(job) is None)

    def refuses_ref_of(self, value: dict[str, Any]) -> bool:
        """As `refuses`, for a TrainJob that cannot be decoded, as far as it says which runtime it means."""
        spec = value.get("spec")
        ref = spec.get("runtimeRef") if isinstance(spec, dict) else None
        if not isinstance(ref, dict):
            return False
        kind, name = ref.get("kind", CLUSTER_KIND), ref.get("name")
        if not isinstance(kind, str) or not isinstance(name, str):
            return False
        return (kind, key_of({**value, "kind": kind})[1], name) in self.refused

    def names(self, kind: str, namespace: str) -> tuple[str, ...]:
        """All names under which a runtime of that kind could be found, sorted."""
        found = {name for (k, ns, name) in self.given if k == kind and ns == namespace}
        if kind == CLUSTER_KIND:
            found.update(self.bundled_names, self.brought)
        return tuple(sorted(found))


def make_catalog(
    given: Iterable[tuple[Key, Runtime | None, bool]],
    profile: Profile,
    load_bundled: Callable[[str], Runtime],
    *,
    bundled: bool,
    brought: Mapping[str, BroughtRuntime] = NONE_BROUGHT,
    is_whole: bool = True,
) -> Catalog:
    """From (key, runtime, whether a server would store it). Of two of one key the later one counts, as with kubectl apply."""
    stored: dict[Key, Runtime] = {}
    refused: dict[Key, Runtime | None] = {}
    for key, runtime, is_stored in given:
        if is_stored and runtime is not None:
            stored[key] = runtime
        else:
            refused[key] = runtime
    only_refused = {key: runtime for key, runtime in refused.items() if key not in stored}
    return Catalog(stored, runtimes.names(profile.name) if bundled else (), load_bundled, only_refused, brought, is_whole)


def repeated(given: Iterable[tuple[Key, Runtime | None]]) -> list[Diagnostic]:
    """A warning for every runtime that is defined again: only the last definition counts."""
    first: dict[Key, Runtime] = {}
    report: list[Diagnostic] = []
    for key, runtime in given:
        if runtime is None or key == NOT_FOUND:
            continue
        earlier = first.setdefault(key, runtime)
        if earlier is not runtime:
            report.append(
                Diagnostic(
                    codes.resolve.RUNTIME_GIVEN_TWICE,
                    f"{runtime.kind} {runtime.name} is defined again; the last definition counts",
                    document=runtime.document,
                    at=("metadata", "name"),
                    stage="resolve",
                    notes=(Note("defined before", earlier.document, ("metadata", "name")),),
                    subject=key,
                )
            )
    return report


def key_of(value: dict[str, Any]) -> Key:
    """What a runtime document, valid or not, would be found by."""
    meta = value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    kind = str(value.get("kind", ""))
    namespace = "" if kind == CLUSTER_KIND else str(meta.get("namespace") or DEFAULT_NAMESPACE)
    return kind, namespace, str(meta.get("name", ""))


def _key_for(job: TrainJob) -> Key:
    ref = job.runtime_ref
    return ref.kind, "" if ref.kind == CLUSTER_KIND else job.namespace, ref.name


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
