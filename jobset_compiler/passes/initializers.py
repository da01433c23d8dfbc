"""Dataset and model initialisers: storage URI, environment and secret, into the containers that carry their names.

Source: Initializer() in pkg/runtime/framework/plugins/jobset/builder.go. Matched by ancestor label, while the webhook
looks at the job's name (JSC837); a STORAGE_URI among the user's variables wins over storageUri (JSC836).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.api.env import applied
from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER
from jobset_compiler.passes.api import AddEnvFrom, Edit, SetEnv

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import InitializerSource
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

STORAGE_URI = "STORAGE_URI"


def applies(plan: Plan) -> bool:
    return plan.job.dataset is not None or plan.job.model is not None


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    for ancestor, source, at in (
        (DATASET_INITIALIZER, plan.job.dataset, ("spec", "initializer", "dataset")),
        (MODEL_INITIALIZER, plan.job.model, ("spec", "initializer", "model")),
    ):
        if source is not None:
            for pods in plan.pod_sets:
                if pods.ancestor == ancestor and pods.container(ancestor) is not None:
                    yield from _fill(pods.name, ancestor, source, at)


def _fill(pods: str, container: str, source: InitializerSource, at: Path) -> Iterator[Edit]:
    if source.storage_uri is not None:
        yield SetEnv(pods, container, {"name": STORAGE_URI, "value": source.storage_uri}, because=(*at, "storageUri"))
    for index, entry in enumerate(source.env):
        yield SetEnv(pods, container, applied(entry), because=(*at, "env", index))
    if source.secret is not None:
        yield AddEnvFrom(pods, container, {"secretRef": {"name": source.secret}}, because=(*at, "secretRef", "name") if source.secret else (*at, "secretRef"))


# torch may inject its variables into an initialiser (envInjection); the user's come later and win.
