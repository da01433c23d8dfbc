"""The explanation of one TrainJob as plain JSON. A contract for programs: fields are added, never renamed or removed within a version.

    {
      "trainJob": {"namespace", "name", "file", "line", "suspended", "resume": [...]},    resume: origin of suspend
      "release": {"profile": "v2.3", "trainer": "2.3.0", "jobset": "0.12.0", "comesWith": "0.12.0"},   jobset: the one in the cluster
      "runtime": {"kind", "name", "namespace", "file", "line", "bundled", "digest": "sha256:..."},
      "policy": "torch",                         "" for none
      "extensions": ["mpi-hydra"],               those that have a part in it, which no release of Trainer has
      "success": {"text": "when every Job has succeeded", "origin"}, "failure": [{"text", "origin"}],    sentences for people
      "patches": [{"manager", "path", "file", "line", "changes": [{"what", "path", "value", "was", "by", "line"}]}],
                                                 what: added, changed, replaced (a list of the runtime), overruled (by what), nothing (came of it)
      "objects": [{"kind", "name"}],             what the Trainer controller submits
      "snapshot": {"kind", "name"} or null,      where it keeps the runtime, from which it builds ever after
      "total": {"pods": 4, "requests": {...}},
      "gang": {"minMember": 5, "members": [{"job", "pods"}], "minResources": {...}} or null,
      "jobs": [                                  one a replicatedJob
        {"name", "role", "replicas", "podsPerJob", "pods", "origin": [...], "requests": {...}, "total": {...},
         "gpusPerPod": 4 or null, "processes": {"value", "per", "because": [{"text", "file", "line", "path"}]} or null,
         "waitsFor": [...], "hosts": [...], "failure": [{"text", "origin"}], "settings": [{"field", "text", "origin"}],
         "containers": [{"name", "init", "image": {"value", "origin"}, "command": [{"value", "origin"}], "args": [...],
                         "env": [{"name", "value", "origin"}], "settings": [{"field", "text", "origin"}],
                         "mounts": [{"path", "volume", "what", "readOnly", "origin"}]}]}
      ],
      "names": [{"kind", "name", "length", "limit", "madeBy"}],
      "metadata": [{"field", "key", "places": [{"on", "job", "value", "origin"}]}],
      "mutatedFields": [{"path", "jsonPointer"}],
      "requirements": [{"kind", "namespace", "name", "why"}]
    }

"origin" is a list, nearest first, of {"kind", "by", "note", "path", "file", "line", "column"}: see `origins`.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.jobset_defaults import admitted_form
from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics.addresses import Keyed
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.explain import failure, settings
from jobset_compiler.explain.containers import containers_of
from jobset_compiler.explain.gitops import mutated_fields
from jobset_compiler.explain.names import has_hosts, names_of
from jobset_compiler.explain.origin import origin_at, written
from jobset_compiler.explain.patched import patches_of
from jobset_compiler.explain.processes import processes_of
from jobset_compiler.explain.propagation import propagation_of
from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.objects.snapshot import is_kept, name_of
from jobset_compiler.passes.endpoints import endpoints
from jobset_compiler.passes.podgroup import min_member
from jobset_compiler.result.podsets import summarise
from jobset_compiler.result.requirements import requirements_of

if TYPE_CHECKING:
    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.addresses import Step
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.profiles import Profile
    from jobset_compiler.result.podsets import PodSetSummary

Tree = dict[str, Any]
FORMAT = "jobset-compiler.explanation/v1"


def explanation(unit: Unit) -> Tree:
    """Everything about one compiled TrainJob, as above."""
    plan, jobset = unit.plan, unit.objects[0]
    profile, job = plan.profile, plan.job
    stored = admitted_form(jobset, profile)
    podsets = summarise(unit)
    span = job.document.locate(())
    return {
        "trainJob": {
            "namespace": job.namespace,
            "name": job.name,
            "file": span.file,
            "line": span.line or None,
            "suspended": bool(job.suspend),
            "resume": origin_at(unit, ("spec", "suspend")) if job.suspend else [],
        },
        "release": {"profile": profile.name, "trainer": profile.trainer, "jobset": profile.jobset.version, "comesWith": profile.comes_with.version},
        "runtime": _runtime(plan.runtime, profile),
        "policy": plan.policy_name,
        "extensions": list(plan.extensions),
        "success": _said(unit, failure.success_of(stored), ("spec",)),
        "failure": _failure(unit, stored),
        "patches": patches_of(unit),
        "objects": [{"kind": manifest["kind"], "name": manifest["metadata"]["name"]} for manifest in unit.objects],
        "snapshot": {"kind": "ConfigMap", "name": name_of(job.name)} if is_kept(profile) else None,
        "total": _total(podsets),
        "gang": _gang(unit),
        "jobs": [_job(unit, stored, index, podset) for index, podset in enumerate(podsets)],
        "names": names_of(unit),
        "metadata": propagation_of(unit),
        "mutatedFields": [{"path": format_path(path), "jsonPointer": json_pointer(path)} for path in mutated_fields(job.document, profile)],
        "requirements": [requirement._asdict() for requirement in requirements_of(unit)],
    }


def json_pointer(path: Path) -> str:
    """RFC 6901, as ignoreDifferences of Argo CD takes it."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def digest_of(runtime: Runtime, profile: Profile) -> str:
    """SHA-256 of what a runtime says, after the server's defaults: the same for a file and for the object that a cluster stores."""
    from hashlib import sha256

    from jobset_compiler.admission.schema import admit_document
    from jobset_compiler.emit.json import compact

    stored = admit_document(runtime.document.value, runtime.kind, profile).value
    meant = {"kind": runtime.kind, "name": runtime.name, "spec": stored.get("spec")}
    return f"sha256:{sha256(compact(_sorted(meant)).encode('utf-8', 'surrogatepass')).hexdigest()}"


def _sorted(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _sorted(tree[key]) for key in sorted(tree)}
    return [_sorted(item) for item in tree] if isinstance(tree, list) else tree


def _runtime(runtime: Runtime, profile: Profile) -> Tree:
    span = runtime.document.locate(())
    return {
        "kind": runtime.kind,
        "name": runtime.name,
        "namespace": runtime.namespace,
        "file": span.file,
        "line": span.line or None,
        "bundled": runtime.bundled,
        "digest": digest_of(runtime, profile),
    }


def _total(podsets: tuple[PodSetSummary, ...]) -> Tree:
    total: dict[str, Quantity] = {}
    for podset in podsets:
        for name, text in podset.total.items():
            quantity = Quantity.parse(text)
            total[name] = total[name] + quantity if name in total else quantity
    return {"pods": sum(podset.count for podset in podsets), "requests": {name: total[name].text for name in sorted(total)}}


def _gang(unit: Unit) -> Tree | None:
    """The PodGroup's sum: upstream counts one Job of each PodSet, initializers included (JSC814, JSC815)."""
    group = next((manifest for manifest in unit.objects if manifest["kind"] == "PodGroup"), None)
    if group is None:
        return None
    assert group["spec"]["minMember"] == min_member(unit.plan)
    members = [{"job": pods.name, "pods": pods.count} for pods in unit.plan.pod_sets]
    return {"minMember": group["spec"]["minMember"], "members": members, "minResources": group["spec"].get("minResources", {})}


def _failure(unit: Unit, stored: Tree) -> list[Tree]:
    job = unit.plan.job
    told = [_said(unit, said, ("spec",)) for said in failure.of_jobset(stored)]
    if job.active_deadline_seconds is not None:
        place = written(job.document, ("spec", "activeDeadlineSeconds"))
        told.append({"text": failure.deadline_of(job.active_deadline_seconds), "origin": [place]})
    return told + [_said(unit, said, ("spec",)) for said in failure.end_of(stored)]


def _said(unit: Unit, said: failure.Said, base: tuple[Step, ...]) -> Tree:
    """A sentence with the origin of the field that makes it so; base: what the field stands below."""
    return {"text": said.text, "origin": origin_at(unit, (*base, *said.path)) if said.path else []}


def _job(unit: Unit, stored: Tree, index: int, podset: PodSetSummary) -> Tree:
    """stored: the JobSet with its defaults."""
    entry = unit.objects[0]["spec"]["replicatedJobs"][index]
    name = entry["name"]
    base: tuple[Step, ...] = ("spec", "replicatedJobs", Keyed("name", name))
    pods = unit.plan.pod_set(name)
    assert pods is not None
    return {
        "name": name,
        "role": podset.ancestor or "",
        "replicas": entry.get("replicas", 1),
        "podsPerJob": entry["template"]["spec"].get("parallelism", 1),
        "pods": podset.count,
        "origin": origin_at(unit, (*base, "template", "spec", "parallelism")),
        "requests": podset.requests,
        "total": podset.total,
        "gpusPerPod": gpus_per_pod(podset),
        "processes": processes_of(unit.plan, pods),
        "waitsFor": [{"job": target.get("name", ""), "status": target.get("status", "Complete")} for target in entry.get("dependsOn", ())],
        "hosts": list(islice(endpoints(unit.plan, pods), HOSTS)) if has_hosts(unit.objects[0], entry) else [],
        "failure": [_said(unit, said, (*base, "template", "spec")) for said in failure.of_pods(stored["spec"]["replicatedJobs"][index])],
        "settings": list(settings.of_pod(unit, pod_spec_of(entry), (*base, "template", "spec", "template", "spec"))),
        "containers": containers_of(unit, entry),
    }


# As many host names are told of a job as a reader can use; the rest follow the pattern.
HOSTS = 3


def gpus_per_pod(podset: PodSetSummary) -> int | None:
    """GPUs that one pod asks for, by names that upstream takes for GPUs; None without any."""
    found = [Quantity.parse(text).ceil() for name, text in podset.requests.items() if "gpu" in name.lower()]
    return sum(found) if found else None
