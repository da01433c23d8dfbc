"""A difference as JSON for programs. The format is a contract: fields are added, never renamed or removed within a version.

    {
      "format": "jobset-compiler.diff/v1",
      "before": {"label": "v2.2", "trainerVersion": "2.2.1", "jobsetVersion": "0.11.1"},
      "after": {"label": "v2.3", "trainerVersion": "2.3.0", "jobsetVersion": "0.12.0"},
      "trainJobs": [
        {
          "namespace": "ml", "name": "train",
          "state": "changed",                added, removed, changed, unchanged or not compared (a side refuses it)
          "objects": [
            {
              "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "namespace": "ml", "name": "train",
              "state": "changed",            added, removed, changed or unchanged
              "fields": [
                {
                  "address": "spec.replicatedJobs[name=node].template.spec.parallelism",
                  "change": "changed",       added, removed, changed or reordered (before and after are then the items' names)
                  "before": 2, "after": 4,   absent where there is none
                  "writtenBy": "torch",      the pass that writes the field, "" where none does
                  "reasons": [{"kind": "input", "text": "...", "place": "job.yaml:9", "feature": "", "cites": []}]
                }
              ]
            }
          ],
          "pods": [{"podSet": "node", "pods": [2, 4], "totals": {"nvidia.com/gpu": ["8", "16"]}}]    where they differ
        }
      ],
      "findings": {"before": [...], "after": [...]},    as in `check --format json`: those of one side only, and all errors
      "duties": [{"trainJob": "ml/train", "text": "...", "place": "job.yaml:9"}],    what has to be done first; trainJob "" for none
      "summary": {"trainJobs": 5, "changed": 2, "unchanged": 3, "notCompared": 0, "errors": 0}
    }

A field of reasons: kind is dropped (the release does not have the input's field), input, feature, release (API types) or origin
(no cause was found by trying; where the value comes from).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.inert import json_text
from jobset_compiler.diagnostics.json import as_json
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.diff.difference import NOT_COMPARED, UNCHANGED
from jobset_compiler.diff.duties import duties_of
from jobset_compiler.diff.fields import MISSING
from jobset_compiler.diff.workload import workload_changes

if TYPE_CHECKING:
    from jobset_compiler.diff.difference import Difference, FieldDifference, JobDifference, ObjectDifference
    from jobset_compiler.diff.side import Side
    from jobset_compiler.diff.workload import WorkloadChange

FORMAT = "jobset-compiler.diff/v1"


def to_json(difference: Difference) -> str:
    """The whole difference as one JSON document; see the module's text for its fields."""
    return json_text(as_tree(difference), 2) + "\n"


def as_tree(difference: Difference) -> dict[str, Any]:
    pods: dict[str, list[WorkloadChange]] = {}
    for change in workload_changes(difference):
        pods.setdefault(change.job, []).append(change)
    errors = sum(diagnostic.is_error for side in (difference.before, difference.after) for diagnostic in side.diagnostics)
    return {
        "format": FORMAT,
        "before": _side(difference.before),
        "after": _side(difference.after),
        "trainJobs": [_job(job, pods.get(job.name, [])) for job in difference.jobs],
        "findings": {
            "before": _findings(difference.before, difference.only_before()),
            "after": _findings(difference.after, difference.only_after()),
        },
        "duties": [{"trainJob": duty.job, "text": duty.text, "place": duty.place} for duty in duties_of(difference)],
        "summary": {
            "trainJobs": len(difference.jobs),
            "changed": len(difference.changed),
            "unchanged": sum(job.state == UNCHANGED for job in difference.jobs),
            "notCompared": sum(job.state == NOT_COMPARED for job in difference.jobs),
            "errors": errors,
        },
    }


def _side(side: Side) -> dict[str, str]:
    return {"label": side.label, "trainerVersion": side.options.profile.trainer, "jobsetVersion": side.options.profile.jobset.version}


def _findings(side: Side, only: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [as_json(settle(diagnostic)) for diagnostic in side.diagnostics if diagnostic.is_error or diagnostic in only]


def _job(job: JobDifference, pods: list[WorkloadChange]) -> dict[str, Any]:
    return {
        "namespace": job.key[0],
        "name": job.key[1],
        "state": job.state,
        "objects": [_object(item) for item in job.objects],
        "pods": [{"podSet": change.pod_set, "pods": list(change.pods), "totals": {name: [old, new] for name, old, new in change.totals}} for change in pods],
    }


def _object(item: ObjectDifference) -> dict[str, Any]:
    manifest = item.after or item.before or {}
    return {
        "apiVersion": manifest.get("apiVersion", ""),
        "kind": item.key[1],
        "namespace": item.key[2],
        "name": item.key[3],
        "state": item.state,
        "fields": [_field(field) for field in item.fields],
    }


def _field(field: FieldDifference) -> dict[str, Any]:
    change = field.change
    values = {name: value for name, value in (("before", change.before), ("after", change.after)) if value is not MISSING}
    reasons = [
        {"kind": reason.kind, "text": reason.text, "place": reason.place, "feature": reason.feature, "cites": list(reason.cites)} for reason in field.reasons
    ]
    return {"address": change.address, "change": change.kind, **values, "writtenBy": field.written_by, "reasons": reasons}
