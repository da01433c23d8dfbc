"""How much of a name is too much: what is made of the name of a TrainJob has to be short as well. One number for all limits together.

Names of Jobs, pods and claims and the value of the coordinator's label must have 63 characters at most, and so must the TrainJob's own, which is
that of the Service. Source: the rules of `jobset_webhook`, and the labels that JobSet gives to Jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.admission.jobset_view import coordinator_endpoint, last_job_name, last_pod_name
from jobset_compiler.kube.names import LABEL_LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.admission.jobset_view import View


class Made(NamedTuple):
    """Something that has the name of the TrainJob in it, `times` times."""

    what: str
    name: str
    times: int = 1

    @property
    def excess(self) -> int:
        """How many characters less the TrainJob's name must have for this; negative where it may have more."""
        return -((LABEL_LENGTH - len(self.name.encode())) // self.times)


def made_of(view: View) -> Iterator[Made]:
    """All names that a JobSet with its defaults comes to."""
    spec = view.spec
    yield Made("TrainJob", view.name)
    for job in view.jobs:
        yield Made("Job", last_job_name(view, job))
        if job.is_indexed and job.completions is not None:
            yield Made("pod", last_pod_name(view, job, job.completions))
    if "coordinator" in spec:
        yield Made("coordinator's host", coordinator_endpoint(view.name, spec), 1 if spec.get("network", {}).get("subdomain") else 2)
    for policy in spec.get("volumeClaimPolicies", ()):
        for template in policy.get("templates", ()):
            yield Made("claim", f"{template.get('metadata', {}).get('name', '')}-{view.name}")


def shorten(view: View) -> str:
    """The advice for a TrainJob whose name is too long for something that is made of it."""
    worst = max(made_of(view), key=lambda made: made.excess)
    if worst.excess <= 0:
        return ""
    if worst.excess >= len(view.name.encode()):
        return f'no name is short enough: shorten what stands behind it in "{worst.name}", the name of the {worst.what}, too'
    return cut(worst.excess) + ("" if worst.what == "TrainJob" else f': "{worst.name}", the name of the {worst.what}, is the longest that is made of it')


def cut(count: int) -> str:
    return f"cut {count} character{'' if count == 1 else 's'} off the TrainJob's name"
