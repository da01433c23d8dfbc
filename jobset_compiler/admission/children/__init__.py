"""What the Job and Pod APIs refuse of the Jobs that a JobSet makes, after the JobSet itself was accepted.

All of Job and Pod validation that can be known without a cluster, by area: a check is a predicate on one value (`checks`), tables put
the checks of fields together (`pods`, `containers`, `volumes`, ...), and `profiles.kubernetes` says which of them a minor release has. Where a Job is
accepted, its pod is looked at as the Pod API sees it (`created`).

Source: pkg/apis/batch/validation and pkg/apis/core/validation of Kubernetes 1.32 to 1.36, after the defaults of pkg/apis/*/v1/defaults.go, with the
feature gates' defaults. What JobSet's schema guarantees (unique names of variables and mount paths) cannot be otherwise here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.admission.children.created import created_pod_faults, forbidden_by_plugins
from jobset_compiler.admission.children.faults import NONE, UNSUPPORTED, Faults, invalid, under
from jobset_compiler.admission.children.gates import kept_fields
from jobset_compiler.admission.children.job import POD, Job, before_template, metadata_of_job, metadata_of_template, profiles_of_template, restart_policy
from jobset_compiler.admission.children.labels import (
    EXCLUSIVE,
    JOBSET_UID,
    NODE_SELECTOR_STRATEGY,
    PREFIX,
    generated_labels,
    job_metadata,
    needs_a_look,
)
from jobset_compiler.admission.children.pods import pod_faults
from jobset_compiler.admission.jobset_rule import COORDINATOR_LABEL, name_hint
from jobset_compiler.admission.jobset_view import coordinator_endpoint, view_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import CHILDREN
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.kube.names import ANNOTATIONS_SIZE, is_valid_label_value
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.children.checks import PodScope
    from jobset_compiler.admission.children.faults import Fault
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.diagnostic import Stage
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile
    from jobset_compiler.profiles.kubernetes import Kubernetes

Tree = dict[str, Any]
PLUGINS: Final = "plugins"
NAMESPACED_JOB = "alpha.jobset.sigs.k8s.io/namespaced-job"
# What JobSet's own annotations take at most; far less than what is allowed.
ROOM_FOR_OURS = 4096
# Fields of a pod that a warning can be about.
MAY_BE_WARNED_OF = frozenset({"affinity", "imagePullSecrets", "terminationGracePeriodSeconds", "topologySpreadConstraints", "volumes"})
# Of a word that can be taken for another one that it begins.
SHORTEST_BEGINNING = 3


class ChildRefusal(Value):
    """at: in the JobSet; stage: of which the diagnostic is; meant: what the value there is probably meant to be; jobs: the indexes of the
    replicatedJobs whose Jobs are refused."""

    __slots__ = ("at", "code", "hint", "jobs", "meant", "message", "stage")

    def __init__(self, code: Code, message: str, at: Path, hint: str = "", stage: Stage = CHILDREN, meant: str = "", jobs: tuple[int, ...] = ()) -> None:
        self.code: Final = code
        self.message: Final = message
        self.at: Final = at
        self.hint: Final = hint
        self.stage: Final = stage
        self.meant: Final = meant
        self.jobs: Final = jobs


def refused_children(jobset: Tree, profile: Profile, kubernetes: Kubernetes) -> list[ChildRefusal]:
    """What would be refused of the children of an accepted JobSet with its defaults, and what would never start.

    profile: the release, whose JobSet writes the labels; kubernetes: whose API server is asked.
    """
    out: list[ChildRefusal] = []
    name, spec = jobset["metadata"].get("name", ""), jobset["spec"]
    for index, entry in enumerate(spec.get("replicatedJobs", ())):
        at: Path = ("spec", "replicatedJobs", index)
        if "dependsOn" in entry and any(target["name"] == entry["name"] for target in entry["dependsOn"]):
            message = f'replicatedJob "{entry["name"]}" depends on itself, so that its Jobs are never created'
            out.append(ChildRefusal(codes.jobset.DEPENDS_ON_ITSELF, message, (*at, "dependsOn"), stage="jobset"))
        out.extend(refusals_of(FirstJob(jobset, entry, profile), kubernetes, (*at, "template")))
    if "coordinator" in spec:
        endpoint = coordinator_endpoint(name, spec)
        for text in is_valid_label_value(endpoint):
            from jobset_compiler.admission.children.areas import code_of

            message = f'every Job of the JobSet would be refused: metadata.labels: {invalid(endpoint, text)} (label "{COORDINATOR_LABEL}")'
            every = tuple(range(len(spec.get("replicatedJobs", ()))))
            out.append(ChildRefusal(code_of(("metadata", "labels")), message, ("spec", "coordinator"), name_hint(view_of(jobset)), jobs=every))
    return out


class FirstJob:
    """The first Job of a replicatedJob, as far as it differs from its template."""

    def __init__(self, jobset: Tree, entry: Tree, profile: Profile) -> None:
        self.jobset = jobset
        self.entry = entry
        self.profile = profile
        self.name = f"{jobset['metadata'].get('name', '')}-{entry['name']}-0"
        self.spec: Tree = entry["template"]["spec"]
        self.metadata = self.with_ours(entry["template"].get("metadata") or {})
        self.pod_metadata = self.with_ours(self.spec["template"].get("metadata") or {})

    @property
    def pod_name(self) -> str:
        """Of its first pod; where pods have no index, only the end that Kubernetes makes up tells them apart."""
        return f"{self.name}-0" if self.spec.get("completionMode") == "Indexed" else f"{self.name}-xxxxx"

    def pod(self) -> Tree:
        """The spec of its pods, with what JobSet writes into it."""
        pod: Tree = self.spec["template"].get("spec") or {}
        if "subdomain" in pod and self.jobset["spec"].get("network", {}).get("enableDNSHostnames"):
            pod = {name: value for name, value in pod.items() if name != "subdomain"}  # the JobSet's, which its webhook has checked
        if EXCLUSIVE in (self.jobset["metadata"].get("annotations") or ()) or EXCLUSIVE in (self.metadata.get("annotations") or ()):
            annotations = self.written(self.metadata)["annotations"]
            if NODE_SELECTOR_STRATEGY in annotations:
                namespaced = f"{self.jobset['metadata'].get('namespace', '')}_{self.name}"
                pod = {**pod, "nodeSelector": {**(pod.get("nodeSelector") or {}), NAMESPACED_JOB: namespaced}}
        claims = [template["metadata"]["name"] for policy in self.jobset["spec"].get("volumeClaimPolicies", ()) for template in policy.get("templates", ())]
        if claims:
            of_claims = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in claims]
            pod = {**pod, "volumes": [*(pod.get("volumes") or ()), *of_claims]}
        return pod

    def with_ours(self, metadata: Tree) -> Tree:
        """Metadata of a template; with what JobSet writes only where that matters: where it replaces something, or for the size of all annotations."""
        if not metadata:
            return metadata
        labels, annotations = metadata.get("labels") or {}, metadata.get("annotations") or {}
        is_replaced = any(key.startswith(PREFIX) for key in (*labels, *annotations))
        is_small = not annotations or sum(map(len, annotations)) + sum(map(len, annotations.values())) < ANNOTATIONS_SIZE // 4 - ROOM_FOR_OURS
        return metadata if is_small and not is_replaced else {**metadata, **self.written(metadata)}

    def written(self, metadata: Tree) -> Tree:
        """Labels and annotations of a template, with those that JobSet writes."""
        meta = self.jobset["metadata"]
        known = self.jobset if meta.get("uid") else {**self.jobset, "metadata": {**meta, "uid": JOBSET_UID}}
        return job_metadata(known, self.entry, 0, metadata, self.profile)[1]

    def labels_of_pod(self) -> dict[str, str]:
        """All of them: the template's, JobSet's, and those of the Job API."""
        labels: dict[str, str] = self.written(self.pod_metadata)["labels"]
        return {**generated_labels(self.name), **labels}


def refusals_of(child: FirstJob, kubernetes: Kubernetes, template: Path) -> Iterator[ChildRefusal]:
    pod = kept_fields(child.pod(), kubernetes)
    of_pod, scope = pod_faults(pod, kubernetes)
    found = job_faults(child, Job(child.spec, pod, child.metadata, child.pod_metadata), of_pod, scope)
    if found:
        from jobset_compiler.admission.children.areas import code_of
    for each in found:
        message = f"Job {child.name} would be refused: {format_path(each.path)}: {each.text}"
        hint, close = advice(each)
        index = template[2]
        assert isinstance(index, int)
        yield ChildRefusal(code_of(each.place), message, (*template, *each.place), hint, meant=close, jobs=(index,))
    if found:
        return
    if not MAY_BE_WARNED_OF.isdisjoint(pod) or "annotations" in child.pod_metadata or any("ports" in container for container in pod.get("containers") or ()):
        yield from warnings_of(child, pod, template, kubernetes)
    created = created_pod_faults(pod, child.pod_metadata, child.labels_of_pod, scope)
    if created:
        from jobset_compiler.admission.children.areas import code_of
    for each in created:
        place = ("spec", "template", *each.place)
        message = f"Pod {child.pod_name} would be refused: {format_path(each.path)}: {each.text}"
        hint, close = advice(each)
        yield ChildRefusal(code_of(place), message, (*template, *place), hint, meant=close)
    for plugin, text, field in forbidden_by_plugins(pod):
        message = f"Pod {child.pod_name} would be refused by the admission plugin {plugin}, unless the cluster's classes or a webhook make it right: {text}"
        yield ChildRefusal(codes.jobset.POD_FORBIDDEN, message, (*template, *POD, field), stage=PLUGINS)


def warnings_of(child: FirstJob, pod: Tree, template: Path, kubernetes: Kubernetes) -> Iterator[ChildRefusal]:
    """What the API server says of a Job that it takes."""
    from jobset_compiler.admission.children.warned import warned

    for each in warned(pod, child.pod_metadata, kubernetes):
        place = ("spec", "template", *each.place)
        where = f"{format_path(('spec', 'template', *each.path))}: " if each.path else ""
        message = f"Job {child.name} is taken with a warning that nobody gets to see: {where}{each.text}"
        yield ChildRefusal(codes.silent.JOB_WARNED, message, (*template, *place), each.hint, stage="advice")


def advice(found: Fault) -> tuple[str, str]:
    """The hint, and what a word is probably meant to be that is none of those that are supported."""
    if found.hint or not found.text.startswith(UNSUPPORTED):
        return found.hint, ""
    from jobset_compiler.resolve.catalog import near

    word, _, supported = found.text.removeprefix(UNSUPPORTED).partition(": supported values: ")
    word, choices = word.strip('"'), [known.strip('"') for known in supported.split(", ")]
    same = [choice for choice in choices if choice.lower() == word.lower()]
    longer = [choice for choice in choices if len(word) >= SHORTEST_BEGINNING and choice.lower().startswith(word.lower())]
    close = next(iter((*same, *longer)), "") or near(word, choices) or ""
    return (f"did you mean {close}?" if close else ""), close


def job_faults(child: FirstJob, job: Job, of_pod: Faults, scope: PodScope) -> Faults:
    """In the API's order."""
    out: Faults = metadata_of_job(job, scope) if child.metadata else NONE
    labels = child.pod_metadata.get("labels") or {}
    has_selector = needs_a_look(child.spec, labels)
    if has_selector:
        from jobset_compiler.admission.children.selector import after_spec, before_spec

        labels = child.written(child.pod_metadata)["labels"]
        out = [*out, *before_spec(child.name, child.spec, labels)]
    out = [*out, *before_template(job, scope)]
    if child.pod_metadata:
        out += metadata_of_template(job, scope)
    if of_pod:
        out += under(of_pod, *POD)
    if child.pod_metadata:
        out += profiles_of_template(job)
    out += restart_policy(job, scope)
    return [*out, *after_spec(child.name, child.spec, labels, scope)] if has_selector else out
