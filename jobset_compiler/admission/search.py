"""The hint of a missing runtime: a near name, the right kind, another namespace, another release, or what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler import runtimes
from jobset_compiler.admission.hints import Advice
from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.diagnostics.fix import insert_above, replace
from jobset_compiler.profiles import RELEASED
from jobset_compiler.resolve.catalog import near

if TYPE_CHECKING:
    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.catalog import Catalog

KIND, NAME = ("spec", "runtimeRef", "kind"), ("spec", "runtimeRef", "name")
# Names of runtimes that pages mention and no release has shipped, and what to do instead.
NEVER_SHIPPED = {
    "tensorflow-distributed": "--extension tensorflow brings one, or write one with the plain policy that sets TF_CONFIG, as `migrate` does for a TFJob",
    "mpi": "deepspeed-distributed and mlx-distributed are those that run MPI; --extension tensorflow brings mpi-distributed of v2.0 under that name",
}
# What a name begins with for which no release has a runtime: one of another framework is no help.
OWN_RUNTIME = dict.fromkeys(("tensorflow", "tf", "keras"), "no release ships a TensorFlow runtime: --extension tensorflow brings tensorflow-distributed")


def where_to_look(job: TrainJob, catalog: Catalog, profile: Profile) -> Advice:
    """What to write instead, as far as the inputs and the bundled runtimes tell."""
    ref = job.runtime_ref
    other = NAMESPACED_KIND if ref.kind == CLUSTER_KIND else CLUSTER_KIND
    if ref.name in catalog.names(other, "" if other == CLUSTER_KIND else job.namespace):
        why = f" ({CLUSTER_KIND} is the default)" if ref.kind == CLUSTER_KIND else ""
        given = "kind" in (job.document.value["spec"].get("runtimeRef") or {})
        remedy = replace(KIND, other, safe=False) if given else insert_above(NAME, f"kind: {other}", safe=False)
        return Advice(f"there is a {other} of that name: write runtimeRef.kind: {other}{why}", (remedy,))
    namespaces = sorted(namespace for (kind, namespace, name) in catalog.given if kind == NAMESPACED_KIND and name == ref.name)
    if namespaces:
        where = f"there is a {NAMESPACED_KIND} of that name in namespace {', '.join(namespaces)}"
        return Advice(f"{where}: a TrainJob of namespace {job.namespace} can only use its own")
    known = catalog.names(ref.kind, "" if ref.kind == CLUSTER_KIND else job.namespace)
    if ref.kind == CLUSTER_KIND and catalog.bundled_names:
        releases = [release.name for release in RELEASED if release is not profile and ref.name in runtimes.names(release.name)]
        if releases:
            return Advice(f"a runtime of that name came with {', '.join(releases)}, not with {profile.name}: give its file with -r")
        if ref.name in NEVER_SHIPPED:
            return Advice(f"no release ships a runtime of that name: {NEVER_SHIPPED[ref.name]}")
    own = next((advice for word, advice in OWN_RUNTIME.items() if ref.name.split("-")[0] == word), "")
    if own:
        return Advice(f"{own}; give the runtime's file with -r")
    written = ref.name.lower().replace("_", "-")
    close = near(written, [name for name in known if near(written.split("-")[0], [name.split("-")[0]])])
    if close:
        return Advice(f"did you mean {close}? Otherwise give the runtime's file with -r", (replace(NAME, close, safe=False),))
    if not catalog.is_whole:
        return Advice("mend what cannot be read first: the runtime may be there")
    return Advice("known: " + (", ".join(known) or "none") + "; give the runtime's file with -r")
