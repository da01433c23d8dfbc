"""metadata.name, as 2.0's webhook checks it; later releases do so in the schema (#2767)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.kube.names import is_dns1035_label
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.profiles import Profile

MOST = 63


def check_name(job: TrainJob, profile: Profile) -> Iterator[Diagnostic]:
    """The webhook's words for a name that is no RFC 1035 label (ValidateCreate in pkg/webhooks/trainjob_webhook.go)."""
    if profile.has(features.NAME_CHECKED_BY_WEBHOOK):
        for message in is_dns1035_label(job.name):
            yield Diagnostic(
                codes.webhook.TRAINJOB_NAME,
                message,
                document=job.document,
                at=("metadata", "name"),
                path="metadata.name",
                stage="webhook",
                hint=_hint(job.name),
                subject=("TrainJob", job.namespace, job.name),
            )


def _hint(name: str) -> str:
    if len(name) > MOST:
        return f"take off {len(name) - MOST} characters"
    better = "".join(char if char.isascii() and char.isalnum() else "-" for char in name.lower()).strip("-")
    if better[:1].isdigit():
        better = f"job-{better}"
    return f"call it {better}" if better else ""
