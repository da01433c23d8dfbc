"""How much of a name is too much: what is made of the name of a TrainJob has to be short as well. One number for all limits together.

Names of Jobs, pods and claims and the value of the coordinator's label must have 63 characters at most, and so must the TrainJob's own, which is
that of the Service; full host names 64 where pods ask for them. Source: the rules of `jobset_webhook`, the labels that JobSet gives to Jobs, and the kubelet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.admission.jobset_defaults import with_webhook_defaults
from jobset_compiler.admission.jobset_view import FULL_NAME_LENGTH, coordinator_endpoint, full_name, last_job_name, last_pod_name, view_of
from jobset_compiler.admission.rules.name import NAME, cut
from jobset_compiler.kube.names import LABEL_LENGTH
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jobset_compiler.admission.jobset_view import View
    from jobset_compiler.diagnostics.diagnostic import Diagnostic

HOST = "pod's full host"


class NameUse(NamedTuple):
    """Something that has the name of the TrainJob in it, `times` times, and may have so many characters."""

    what: str
    name: str
    times: int = 1
    most: int = LABEL_LENGTH

    @property
    def excess(self) -> int:
        """How many characters less the TrainJob's name must have for this; negative where it may have more."""
        return -((self.most - len(self.name.encode())) // self.times)


def made_of(view: View) -> Iterator[NameUse]:
    """All names that a JobSet with its defaults comes to."""
    spec = view.spec
    network = spec.get("network", {})
    yield NameUse("TrainJob", view.name)
    for job in view.jobs:
        yield NameUse("Job", last_job_name(view, job))
        if job.is_indexed and job.completions is not None:
            yield NameUse("pod", last_pod_name(view, job, job.completions))
        if job.pod_spec.get("setHostnameAsFQDN") and network.get("enableDNSHostnames", True):
            subdomain = network.get("subdomain")
            count = job.completions if job.completions is not None else job.parallelism
            name = full_name(last_job_name(view, job), count, subdomain or view.name, view.namespace, is_indexed=job.is_indexed)
            yield NameUse(HOST, name, 1 if subdomain else 2, FULL_NAME_LENGTH)
    if "coordinator" in spec:
        yield NameUse("coordinator's host", coordinator_endpoint(view.name, spec), 1 if network.get("subdomain") else 2)
    for policy in spec.get("volumeClaimPolicies", ()):
        for template in policy.get("templates", ()):
            yield NameUse("claim", f"{template.get('metadata', {}).get('name', '')}-{view.name}")


def shorten(view: View) -> str:
    """The advice for a TrainJob whose name is too long for something that is made of it."""
    # A host name that no name of the TrainJob makes short enough has advice of its own (JSC731).
    longest = len(view.name.encode())
    worst = max((made for made in made_of(view) if made.what != HOST or made.excess < longest), key=lambda made: made.excess)
    if worst.excess <= 0:
        return ""
    if worst.excess >= longest:
        return f'the {worst.what} is called "{worst.name}", and {worst.most} characters is the limit: shorten the other names in it'
    return cut(worst.excess) + ("" if worst.what == "TrainJob" else f': the {worst.what} is called "{worst.name}", and {worst.most} characters is the limit')


def with_short_name(document: Document) -> Document:
    """The same TrainJob under a name that leaves room, to see what is made of it."""
    value = document.value
    return Document.from_object({**value, "metadata": {**value["metadata"], "name": "a"}}, document.file, document.index)


def for_all_names(report: Sequence[Diagnostic], document: Document, jobset: dict[str, Any]) -> list[Diagnostic]:
    """The findings about a name that is too long for its own field, with how much it is too long for all that would be made of it.

    jobset: what the TrainJob would come to under a shorter name.
    """
    renamed = {**jobset, "metadata": {**jobset["metadata"], "name": document.value["metadata"]["name"]}}
    hint = shorten(view_of(with_webhook_defaults(renamed)))
    return [found.with_hint(hint) if found.at == NAME and found.hint.startswith(cut()) else found for found in report]
