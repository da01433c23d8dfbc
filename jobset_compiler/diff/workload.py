"""What a difference comes to in pods and resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diff.fields import CHANGED

if TYPE_CHECKING:
    from jobset_compiler.diff.difference import Difference
    from jobset_compiler.result.podsets import PodSetSummary


class WorkloadChange(NamedTuple):
    """A PodSet whose pods or requests differ; values as text, "" where a side has none."""

    job: str
    pod_set: str
    pods: tuple[int, int]
    totals: tuple[tuple[str, str, str], ...]

    def __str__(self) -> str:
        old, new = self.pods
        parts = [f"{old} -> {new} pods"] if old != new else ["1 pod" if new == 1 else f"{new} pods"]
        parts += [f"{name} {old or 'none'} -> {new or 'none'}" for name, old, new in self.totals]
        return f"{self.job} {self.pod_set}: {', '.join(parts)}"


def workload_changes(difference: Difference) -> tuple[WorkloadChange, ...]:
    """One entry a PodSet that differs, of TrainJobs that both sides have."""
    found = []
    for job in difference.jobs:
        if job.state == CHANGED:
            before, after = ({summary.name: summary for summary in side} for side in job.pods)
            for name in dict.fromkeys((*after, *before)):
                old, new = before.get(name), after.get(name)
                totals = _totals(old, new)
                pods = (old.count if old else 0, new.count if new else 0)
                if totals or pods[0] != pods[1]:
                    found.append(WorkloadChange(job.name, name, pods, totals))
    return tuple(found)


def _totals(before: PodSetSummary | None, after: PodSetSummary | None) -> tuple[tuple[str, str, str], ...]:
    old, new = before.total if before else {}, after.total if after else {}
    return tuple((name, old.get(name, ""), new.get(name, "")) for name in sorted({*old, *new}) if old.get(name) != new.get(name))
