"""metadata.name, as 2.0's webhook checks it; later releases do so in the schema (#2767)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.kube.names import LABEL_LENGTH, is_dns1035_label
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import TrainJob
    from jobset_compiler.profiles import Profile

NAME = ("metadata", "name")


def check_name(job: TrainJob, profile: Profile) -> Iterator[Diagnostic]:
    """The webhook's words for a name that is no RFC 1035 label (ValidateCreate in pkg/webhooks/trainjob_webhook.go)."""
    if profile.has(features.NAME_CHECKED_BY_WEBHOOK):
        for message in is_dns1035_label(job.name):
            yield Diagnostic(
                codes.webhook.TRAINJOB_NAME,
                message,
                document=job.document,
                at=NAME,
                path="metadata.name",
                stage="webhook",
                hint=advise_name(job.name),
                subject=("TrainJob", job.namespace, job.name),
            )


def name_is_too_long(value: dict[str, Any]) -> bool:
    """Whether a TrainJob, valid or not, has a name that is longer than any may be."""
    meta = value.get("metadata")
    name = meta.get("name") if isinstance(meta, dict) else None
    return isinstance(name, str) and len(name) > LABEL_LENGTH


def advise_name(name: str) -> str:
    """What to call a TrainJob whose name is no RFC 1035 label."""
    if len(name) > LABEL_LENGTH:
        return f"{cut(len(name) - LABEL_LENGTH)}, or more: names of Jobs and pods are longer"
    better = advised(name)
    if better[:1].isdigit():
        better = f"job-{better}"
    rule = "lower case letters, digits and dashes, a letter first and no dash last"
    return f"call it {better}: {rule}" if better and len(better) <= LABEL_LENGTH else f"write {rule}"


def advised(name: str) -> str:
    """The name in letters, digits and dashes."""
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")


def cut(count: int = 0) -> str:
    """How much to take off; without a number how every such advice begins."""
    return f"cut {count} character{'' if count == 1 else 's'} off the TrainJob's name" if count else "cut "
