"""trainjob-status: where and how the trainer's containers report their progress (feature gate, alpha; 2.2, #3227).

Source: pkg/runtime/framework/plugins/trainjobstatus/trainjobstatus.go. Upstream runs it among the ML policies in random
order (JSC842): here after them, so that its variables follow theirs. The certificate authority is copied by the controller from its
webhook Secret; here it comes from the facts, or a placeholder says that it is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes.api import AddMount, AddObject, AddVolume, Edit, SetEnv
from jobset_compiler.passes.manifests import config_map, placeholder
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan

GATE = "TrainJobStatus"
VOLUME = "kubeflow-trainer-token"
FOLDER = "/var/run/secrets/kubeflow/trainer"
CA_FILE = "ca.crt"
PLACEHOLDER = "PLACEHOLDER, not a certificate: the Trainer controller copies ca.crt from the Secret kubeflow-trainer-webhook-cert\n"
TOKEN_FILE = "token"
TOKEN_SECONDS = 3600
VARIABLES = ("KUBEFLOW_TRAINER_SERVER_URL", "KUBEFLOW_TRAINER_SERVER_CA_CERT", "KUBEFLOW_TRAINER_SERVER_TOKEN")
SERVICE = "kubeflow-trainer-controller-manager"
PORT = 10443


def applies(plan: Plan) -> bool:
    return GATE in gates_on(plan)


def gates_on(plan: Plan) -> tuple[str, ...]:
    """The feature gates of this release that are switched on."""
    known = (GATE,) if plan.profile.has(features.TRAINJOB_STATUS) else ()
    return tuple(gate for gate in known if gate in plan.facts.feature_gates)


def config_map_name(plan: Plan) -> str:
    return f"{plan.job.name}-tls-config"


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    pods = plan.trainer_pods()
    if pods is not None and applies(plan):
        for container in pods.containers:
            for name, value in zip(VARIABLES, _values(plan), strict=True):
                yield SetEnv(pods.name, container.name, {"name": name, "value": value})
            yield AddMount(pods.name, container.name, {"name": VOLUME, "readOnly": True, "mountPath": FOLDER})
        yield AddVolume(pods.name, _volume(plan))


def run_objects(plan: Plan) -> Iterator[Edit | Diagnostic]:
    if not applies(plan):
        return
    yield AddObject(config_map(config_map_name(plan), {CA_FILE: plan.facts.certificate_authority or PLACEHOLDER}))
    if not plan.facts.certificate_authority:
        message = f"ConfigMap {config_map_name(plan)} holds a placeholder: the controller copies its certificate authority into it"
        yield placeholder(plan, codes.policy.CERTIFICATE_PLACEHOLDER, message, "give it as `certificate_authority` in the facts file")


def _status_path(plan: Plan) -> str:
    return f"trainer.kubeflow.org/v1alpha1/namespaces/{plan.job.namespace}/trainjobs/{plan.job.name}/status"


def _values(plan: Plan) -> tuple[str, str, str]:
    server = f"https://{SERVICE}.{plan.facts.operator_namespace}.svc:{PORT}"
    return f"{server}/apis/{_status_path(plan)}", f"{FOLDER}/{CA_FILE}", f"{FOLDER}/{TOKEN_FILE}"


def _volume(plan: Plan) -> dict[str, Any]:
    token = {"audience": _status_path(plan), "expirationSeconds": TOKEN_SECONDS, "path": TOKEN_FILE}
    authority = {"name": config_map_name(plan), "items": [{"key": CA_FILE, "path": CA_FILE}]}
    return {"name": VOLUME, "projected": {"sources": [{"serviceAccountToken": token}, {"configMap": authority}]}}


def run_check(plan: Plan) -> Iterator[Edit | Diagnostic]:
    for gate in sorted(plan.facts.feature_gates.difference(gates_on(plan))):
        yield Diagnostic(
            codes.policy.FEATURE_GATE_UNKNOWN,
            f"Kubeflow Trainer {plan.profile.trainer} has no feature gate {gate} that changes objects; it was ignored",
            stage="build",
            hint=f"{GATE} exists from 2.2 on",
        )
