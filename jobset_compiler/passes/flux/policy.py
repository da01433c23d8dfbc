"""flux: the user's command wrapped in Flux's entrypoint, the volumes that carry Flux into the pods, and its installer.

Source: pkg/runtime/framework/plugins/flux/flux.go (2.2, #3188). Only the job called node is touched, whatever its
label; the command is that of the trainer-labelled job. The objects are made in config.py and curve.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, containers_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes import causes
from jobset_compiler.passes.api import (
    AddInitContainer,
    AddMount,
    AddObject,
    AddVolume,
    Edit,
    OfCount,
    OfRuntime,
    OfTemplate,
    RewriteTrainer,
    Several,
)
from jobset_compiler.passes.flux.settings import POLICY, VARIABLES, config_map_name, curve_secret_name, nodes, settings_of
from jobset_compiler.passes.manifests import placeholder
from jobset_compiler.passes.required import missing
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import Trainer
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.passes.flux.settings import FluxSettings
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Because

INSTALLER = "flux-installer"
INSTALL_VOLUME, INSTALL_FOLDER = "flux-install", "/mnt/flux"
SOFTWARE_VOLUME, SOFTWARE_FOLDER = "spack-install", "/opt/software"
CURVE_VOLUME, CURVE_FOLDER = "flux-curve", "/curve"
MEMORY_VOLUME, MEMORY_FOLDER = "shared-memory", "/dev/shm"
CONFIG_FOLDER = "/etc/flux-config"
# What Go's strings.TrimSpace takes off; Python's strip() takes more.
GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


def original_command(plan: Plan, trainer: Trainer | None) -> str:
    """The command and the args of the TrainJob in one line; from 2.3 (#3674) the runtime's command where it has none."""
    command = trainer.command if trainer else None
    if command is None:
        command = _runtime_command(plan) if plan.profile.has(features.FLUX_RUNTIME_COMMAND) else ()
    return " ".join((*command, *((trainer.args if trainer else None) or ()))).strip(GO_SPACE)


def _runtime_command(plan: Plan) -> tuple[str, ...]:
    """The command of the node container in the first trainer-labelled job; its args stay where they are (JSC825)."""
    job: dict[str, Any] = next((job for job in replicated_jobs(plan.template) if ancestor_of(job) == TRAINER), {})
    node: dict[str, Any] = next((container for container in containers_of(job) if container["name"] == NODE), {})
    return tuple(node.get("command", ()))


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    trainer, flux = plan.job.trainer, plan.policy.flux if plan.policy else None
    if flux is not None and flux.num_proc_per_node is None and (trainer is None or trainer.num_proc_per_node is None):
        yield missing(plan, (*POLICY, "numProcPerNode"), "1")
    if not can_build(plan):
        yield _without_nodes(plan)
        return
    settings = settings_of(plan)
    wrapper = ("/bin/bash", f"{CONFIG_FOLDER}/entrypoint.sh", original_command(plan, trainer))
    yield RewriteTrainer(wrapper, None, because=_because_of_command(plan, trainer))
    pods = plan.pod_set(NODE)
    if pods is not None:
        for volume in _volumes(plan):
            yield AddVolume(NODE, volume)
        yield AddInitContainer(NODE, _installer(plan, settings), because=_because_of_scripts(plan))
        if pods.container(NODE) is not None:
            for mount in _mounts(plan):
                yield AddMount(NODE, NODE, mount)


def can_build(plan: Plan) -> bool:
    """Whether the number of nodes is known, without which nothing can be made."""
    return nodes(plan) is not None


def run_objects(plan: Plan) -> Iterator[Edit | Diagnostic]:
    if not can_build(plan):
        return
    from jobset_compiler.passes.flux import config, curve

    yield AddObject(config.scripts(plan), because=_because_of_scripts(plan))
    yield AddObject(curve.certificate_secret(plan), because=OfRuntime(POLICY))
    if not (plan.job.uid or plan.facts.uid):
        message = f"Secret {curve_secret_name(plan)} holds a placeholder: the controller derives the key from the TrainJob's UID"
        yield placeholder(plan, codes.policy.FLUX_KEY_PLACEHOLDER, message, "put metadata.uid into the TrainJob, or `uid` into the facts file")


def _because_of_command(plan: Plan, trainer: Trainer | None) -> Because:
    given: list[Because] = [("spec", "trainer", field) for field in ("command", "args") if trainer and getattr(trainer, field) is not None]
    container = causes.node_container(plan)
    if trainer is None or trainer.command is None:
        given += [OfTemplate((*container, "command"))] if container else []
    return Several((*given, *(() if given else (("spec", "trainer"),))))


def _because_of_scripts(plan: Plan) -> Because:
    pods = plan.trainer_pods()
    count: tuple[Because, ...] = (OfCount(pods.name),) if pods else ()
    of_trainjob: tuple[Path, ...] = tuple(("spec", "trainer", field) for field in ("numNodes", "numProcPerNode"))
    return Several((*_because_of_settings(plan), OfRuntime(POLICY), *of_trainjob, *count, causes.node_resources(plan)))


def _because_of_settings(plan: Plan) -> tuple[Because, ...]:
    """The variables that `settings_of` reads, the TrainJob's before the runtime's."""
    trainer, container = plan.job.trainer, causes.node_container(plan)
    of_trainjob: list[Because] = [("spec", "trainer", "env", index) for index, entry in enumerate(trainer.env if trainer else ()) if entry["name"] in VARIABLES]
    env = causes.at(plan, container).get("env", ()) if container else ()
    return (*of_trainjob, *(OfTemplate((*container, "env", index)) for index, entry in enumerate(env) if entry["name"] in VARIABLES))


def _shares_memory(plan: Plan) -> bool:
    """A memory-backed volume at /dev/shm, mounted read-only (JSC825)."""
    return plan.profile.has(features.FLUX_SHARED_MEMORY)


def _volumes(plan: Plan) -> Iterator[dict[str, Any]]:
    config = config_map_name(plan)
    yield {"name": SOFTWARE_VOLUME, "emptyDir": {}}
    yield {"name": INSTALL_VOLUME, "emptyDir": {}}
    yield {"name": config, "configMap": {"name": config, "defaultMode": 0o755}}
    if _shares_memory(plan):
        yield {"name": MEMORY_VOLUME, "emptyDir": {"medium": "Memory"}}
    yield {"name": CURVE_VOLUME, "secret": {"secretName": curve_secret_name(plan), "defaultMode": 0o400}}


def _mounts(plan: Plan) -> Iterator[dict[str, Any]]:
    config = config_map_name(plan)
    yield {"name": INSTALL_VOLUME, "mountPath": INSTALL_FOLDER}
    yield {"name": SOFTWARE_VOLUME, "mountPath": SOFTWARE_FOLDER}
    yield {"name": config, "readOnly": True, "mountPath": CONFIG_FOLDER}
    yield {"name": CURVE_VOLUME, "readOnly": True, "mountPath": CURVE_FOLDER}
    if _shares_memory(plan):
        yield {"name": MEMORY_VOLUME, "readOnly": True, "mountPath": MEMORY_FOLDER}


def _installer(plan: Plan, settings: FluxSettings) -> dict[str, Any]:
    has_image = bool(settings.view_image) or not plan.profile.has(features.FLUX_EMPTY_IMAGE_DROPPED)
    return {
        "name": INSTALLER,
        **({"image": settings.view_image} if has_image else {}),
        "command": ["/bin/bash", f"{CONFIG_FOLDER}/init.sh"],
        "volumeMounts": [
            {"name": INSTALL_VOLUME, "mountPath": INSTALL_FOLDER},
            {"name": config_map_name(plan), "readOnly": True, "mountPath": CONFIG_FOLDER},
        ],
    }


# Go's words for it, which its log shows.
NIL = "runtime error: invalid memory address or nil pointer dereference"


def _without_nodes(plan: Plan) -> Diagnostic:
    missing = "spec.trainer" if plan.job.trainer is None else "spec.trainer.numNodes"
    return Diagnostic(
        codes.policy.FLUX_WITHOUT_NODES,
        f"mlPolicy.flux needs {missing}: the controller of this release panics without it ({NIL})",
        document=plan.job.document,
        at=("spec", "trainer"),
        stage="build",
        hint="set spec.trainer.numNodes, even to the runtime's own number (#3667)",
    )
