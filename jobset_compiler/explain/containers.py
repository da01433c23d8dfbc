"""Image, command, arguments and environment of each container, with the origin of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, pod_spec_of
from jobset_compiler.diagnostics.addresses import Keyed
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.diagnostics.redaction import HIDDEN, is_credential
from jobset_compiler.explain import settings
from jobset_compiler.explain.origin import made, of_item, origin_at, written
from jobset_compiler.passes.nproc import processes_per_node
from jobset_compiler.passes.torchtune import ENTRYPOINT, MANAGED_CONFIGS
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.addresses import Step
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.resolve.record import Write

Tree = dict[str, Any]
KINDS = (("initContainers", True), ("containers", False))


def containers_of(unit: Unit, job: Tree) -> list[Tree]:
    """The containers of one replicatedJob of the JobSet, init containers first."""
    base: tuple[Step, ...] = ("spec", "replicatedJobs", Keyed("name", job["name"]), "template", "spec", "template", "spec")
    pod = pod_spec_of(job)
    return [
        _container(unit, job, pod, container, (*base, kind, Keyed("name", container["name"])), init=init)
        for kind, init in KINDS
        for container in pod.get(kind) or ()
    ]


def _container(unit: Unit, job: Tree, pod: Tree, container: Tree, place: tuple[Step, ...], *, init: bool) -> Tree:
    out: Tree = {"name": container["name"], "init": init}
    if "image" in container:
        out["image"] = {"value": container["image"], "origin": origin_at(unit, (*place, "image"))}
    rewritten = None if init or container["name"] != NODE else _rewritten(unit, job)
    for field in ("command", "args"):
        if container.get(field):
            whole = origin_at(unit, (*place, field))
            out[field] = [
                {"value": item, "origin": _of_item(unit, rewritten, field, container, index) or of_item(whole, origin_at(unit, (*place, field, index)))}
                for index, item in enumerate(container[field])
            ]
    names = [entry["name"] for entry in container.get("env", ())]
    out["env"] = []
    for index, entry in enumerate(container.get("env", ())):
        step: Step = Keyed("name", entry["name"]) if names.count(entry["name"]) == 1 else index
        out["env"].append({"name": entry["name"], "value": env_value(entry), "origin": origin_at(unit, (*place, "env", step))})
    if container.get("envFrom"):
        out["envFrom"] = [_env_from(source) for source in container["envFrom"]]
    out["mounts"] = settings.mounts_of(unit, pod, container, place)
    out["settings"] = settings.of_container(unit, container, place)
    return out


def env_value(entry: Tree) -> str:
    """The value of a variable, or where the pod gets it, in angle brackets; of a variable with a secret by its name, that it is hidden."""
    source = entry.get("valueFrom")
    if source is None and entry.get("value") and is_credential(entry["name"]):
        return HIDDEN
    if source is None:
        return str(entry.get("value", ""))
    ((kind, reference),) = list(source.items())[:1] or [("nothing", {})]
    target = reference.get("fieldPath") or reference.get("resource") or "/".join(filter(None, (reference.get("name"), reference.get("key"))))
    return f"<{kind.removesuffix('Ref')} {target}>"


def _env_from(source: Tree) -> str:
    kind = next((key for key in ("secretRef", "configMapRef") if key in source), "")
    name = source.get(kind, {}).get("name", "")
    return f"{source.get('prefix', '')}* <{kind.removesuffix('Ref')} {name}>"


def _rewritten(unit: Unit, job: Tree) -> Write | None:
    """What rewrote the command that the TrainJob brings, where that is what this job runs."""
    if ancestor_of(job) != TRAINER:
        return None
    return next((write for write in unit.plan.writes if write.slot == ("", "trainer")), None)


def _of_item(unit: Unit, rewritten: Write | None, field: str, container: Tree, index: int) -> list[Tree]:
    """The origin of one word of a command line that a pass put together; [] where that is not so."""
    plan = unit.plan
    if rewritten is None or field != "command" or plan.trainer is None or tuple(container["command"]) != plan.trainer.command:
        return []
    by, item = rewritten.pass_name, container["command"][index]
    given = plan.job.trainer.command if plan.job.trainer else None
    if given is not None and index < len(given) and given[index] == item:
        return [made(by, "kept"), written(plan.job.document, ("spec", "trainer", "command", index))]
    runtime = _in_runtime(plan, item) if item.partition("=")[0] in MANAGED_CONFIGS else None
    if runtime is not None:
        return [made(by, "kept from the runtime's command"), written(plan.runtime.document, runtime, plan.runtime.name)]
    return [made(by, _why(plan, container["command"], index))]


def _in_runtime(plan: Plan, item: str) -> Path | None:
    """Where the runtime's own command has that word."""
    for number, job in enumerate(replicated_jobs(plan.runtime.template)):
        if ancestor_of(job) == TRAINER:
            for place, container in enumerate(pod_spec_of(job).get("containers") or ()):
                if item in container.get("command", ()):
                    inside: Path = ("template", "spec", "template", "spec", "containers", place, "command", container["command"].index(item))
                    return ("spec", "template", "spec", "replicatedJobs", number, *inside)
    return None


def _why(plan: Plan, command: list[str], index: int) -> str:
    """The reason for a word of a torchtune command; "" for other passes' words."""
    if tuple(command[:2]) != ENTRYPOINT:
        return "wraps the TrainJob's command" if plan.policy_name == "flux" else ""
    word, before = command[index], command[index - 1]
    if word.startswith("--rdzv_endpoint="):
        return "several nodes or devices meet at the first node"
    if before == "--config":
        return f"model by the runtime's name {plan.job.runtime_ref.name}, variant of the recipe"
    if word == "--config":
        return ""
    pods = plan.trainer_pods()
    return f"recipe for {counted(pods.count if pods else 1, 'node')}, processes a node: {processes_per_node(plan).value}"
