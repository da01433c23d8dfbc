"""Whether apply and schema can have anything to say about a JobSet, seen at a glance.

Runtime and TrainJob have passed schemas made of the same types, so only a few things can go wrong that were right in them: the metadata
of JobSets is looked at for the first time, pods can be without containers, required values that are empty can get lost between the
two, and merges and passes can repeat the key of a list of a pod or a container. Where nothing of that is the case the walk
over the whole JobSet is needless; it would be the greatest part of what admission costs. Passes of others bring values that no schema
has seen, and a JobSet other than the one that the release comes with has a schema of its own: there nobody takes this shortcut.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.jobset_apply import undeclared_fields
from jobset_compiler.kube.names import object_meta_problems

if TYPE_CHECKING:
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
Keyed = tuple[tuple[str, tuple[str, ...]], ...]


def has_plain_metadata(jobset: Tree) -> bool:
    """Whether the schema has nothing against labels and annotations of a JobSet; its name is its TrainJob's, which has been looked at."""
    meta = jobset["metadata"]
    return _are_plain(tuple(meta.get("labels", {}).items()), tuple(meta.get("annotations", {}).items()))


@lru_cache(maxsize=64)
def _are_plain(labels: tuple[tuple[str, str], ...], annotations: tuple[tuple[str, str], ...]) -> bool:
    """The JobSets of a runtime often have the same of both."""
    return not object_meta_problems({"name": "any", "labels": dict(labels), "annotations": dict(annotations)}, True)


def is_plain(plan: Plan, jobset: Tree) -> bool:
    """True: apply accepts a JobSet of plain metadata, and the schema finds nothing. False: they have to be asked.

    A null is in a JobSet only where its template has one, and then lists were lost.
    """
    spec = jobset["spec"]
    profile = plan.profile
    if not profile.is_paired or plan.lost_lists or lacks_what_rules_read(spec):
        return False
    pod_lists, container_lists, undeclared = keyed_lists(profile)
    for job in spec["replicatedJobs"]:
        pod_spec = job["template"]["spec"]["template"].get("spec", {})
        if not pod_spec.get("containers") or may_lack_required_texts(pod_spec) or not undeclared.isdisjoint(pod_spec) or has_repeated_keys(pod_spec, pod_lists):
            return False
        for field in ("containers", "initContainers"):
            for container in pod_spec.get(field, ()):
                if has_repeated_keys(container, container_lists):
                    return False
    return True


def lacks_what_rules_read(spec: Tree) -> bool:
    """Whether a list is gone that CEL rules look into: Go writes no empty one."""
    return "replicatedJobs" not in spec or any("templates" not in policy for policy in spec.get("volumeClaimPolicies", ()))


def may_lack_required_texts(pod_spec: Tree) -> bool:
    """Whether a pod has values of the few types with required texts that Go does not write when they are empty.

    They are PodCertificateProjection, ContainerRestartRule and ContainerRestartRuleOnExitCodes of k8s.io/api/core/v1.
    """
    return any("projected" in volume for volume in pod_spec.get("volumes", ())) or any(
        "restartPolicyRules" in container for field in ("containers", "initContainers") for container in pod_spec.get(field, ())
    )


def has_undeclared_fields(jobset: Tree, profile: Profile) -> bool:
    """Whether a pod has a field that JobSet's schema lacks."""
    undeclared = keyed_lists(profile)[2]
    jobs = jobset["spec"].get("replicatedJobs", ()) if undeclared else ()
    return any(not undeclared.isdisjoint(job["template"]["spec"]["template"].get("spec", {})) for job in jobs)


@cache
def keyed_lists(profile: Profile) -> tuple[Keyed, Keyed, frozenset[str]]:
    """The lists of pods and of containers that are maps by key, with their keys; and the fields of pods that JobSet does not know."""
    types = profile.types()
    pod, container = (
        tuple((field.name, tuple(field.constraints["keys"])) for field in types.struct(name).fields.values() if field.constraints.get("list") == "map")
        for name in ("core.PodSpec", "core.Container")
    )
    return pod, container, frozenset(field for struct, field in undeclared_fields(profile) if struct == "core.PodSpec")


def has_repeated_keys(value: Tree, lists: Keyed) -> bool:
    for field, keys in lists:
        items = value.get(field)
        if items is not None and len(items) > 1:
            if len(keys) == 1:
                key = keys[0]
                if len({item.get(key) for item in items}) < len(items):
                    return True
            elif len({item.get(keys[0]) for item in items}) < len(items):
                return True  # perhaps: the other keys may tell them apart
    return False
