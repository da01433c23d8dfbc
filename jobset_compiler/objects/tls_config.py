"""The ConfigMap with the certificate authority of the controller's status server (feature gate TrainJobStatus).

Source: buildStatusServerCaCrtConfigMap in pkg/runtime/framework/plugins/trainjobstatus/trainjobstatus.go. The controller
copies it from its webhook Secret; here it comes from the facts, or a placeholder says that it is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.objects.owner import metadata
from jobset_compiler.passes.status import CA_FILE, config_map_name

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan

PLACEHOLDER = "PLACEHOLDER, not a certificate: the Trainer controller copies ca.crt from the Secret kubeflow-trainer-webhook-cert\n"


def build(plan: Plan) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": metadata(plan, config_map_name(plan)),
        "data": {CA_FILE: plan.facts.certificate_authority or PLACEHOLDER},
    }
