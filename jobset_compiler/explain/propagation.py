"""Where labels and annotations land: on the TrainJob, the JobSet, the Jobs or the pods, and where each comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.addresses import Keyed
from jobset_compiler.explain.origin import origin_at, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.addresses import Step
    from jobset_compiler.objects.unit import Unit

Tree = dict[str, Any]
FIELDS = ("labels", "annotations")
TRAINJOB, RUNTIME, JOBSET, JOB, POD = "TrainJob", "runtime", "JobSet", "Job", "Pod"


def propagation_of(unit: Unit) -> list[Tree]:
    """One entry a key, with every level that carries it, from the TrainJob down to the pods.

    What JobSet's own controller adds to every Job and pod (jobset.sigs.k8s.io/...) is left out.
    """
    found: dict[tuple[str, str], list[Tree]] = {}
    for field, key, place in _places(unit):
        found.setdefault((field, key), []).append(place)
    return [{"field": field, "key": key, "places": places} for (field, key), places in found.items()]


def _places(unit: Unit) -> Iterator[tuple[str, str, Tree]]:
    job, runtime, jobset = unit.plan.job, unit.plan.runtime, unit.objects[0]
    for field in FIELDS:
        for on, document in ((TRAINJOB, job.document), (RUNTIME, runtime.document)):
            for key, value in _of(document.value.get("metadata"), field).items():
                yield field, key, _place(on, "", value, [written(document, ("metadata", field, key))])
        for key, value in _of(jobset["metadata"], field).items():
            yield field, key, _place(JOBSET, "", value, origin_at(unit, ("metadata", field, key)))
        for entry in jobset["spec"].get("replicatedJobs", ()):
            base: tuple[Step, ...] = ("spec", "replicatedJobs", Keyed("name", entry["name"]), "template")
            for on, metadata, place in (
                (JOB, entry["template"].get("metadata"), (*base, "metadata")),
                (POD, entry["template"]["spec"]["template"].get("metadata"), (*base, "spec", "template", "metadata")),
            ):
                for key, value in _of(metadata, field).items():
                    yield field, key, _place(on, entry["name"], value, origin_at(unit, (*place, field, key)))


def _of(metadata: Any, field: str) -> dict[str, Any]:
    values = metadata.get(field) if isinstance(metadata, dict) else None
    return values if isinstance(values, dict) else {}


def _place(on: str, job: str, value: Any, origin: list[Tree]) -> Tree:
    return {"on": on, "job": job, "value": value, "origin": origin}
