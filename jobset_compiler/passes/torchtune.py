"""torchtune: recipe, configuration and rendezvous of `tune run`, chosen from nodes, processes, GPUs and arguments.

Source: pkg/runtime/framework/plugins/torch/torchtune.go of every release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.api.runtime import NODE, TRAINER, ancestor_of, containers_of
from jobset_compiler.passes import causes
from jobset_compiler.passes.api import Edit, OfCount, OfTemplate, RewriteTrainer, Several
from jobset_compiler.passes.endpoints import TRAINER_PORT, first_node
from jobset_compiler.passes.nproc import Processes, processes_per_node
from jobset_compiler.profiles import features
from jobset_compiler.resolve.plan import replicated_jobs
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan, PodSet
    from jobset_compiler.resolve.record import Because

ENTRYPOINT = ("tune", "run")
MANAGED_CONFIGS = ("output_dir", "tokenizer.path", "checkpointer.checkpoint_dir", "tokenizer.merges_file")
CARRIED_BEFORE_MERGES_FILE = MANAGED_CONFIGS[:3]
SMALL_LLAMA = "llama3_2/3B"
SMALL_MODELS = ("llama3_2/1B", SMALL_LLAMA)
LARGE_MODEL = "llama3_3/70B"
QWEN_MODEL = "qwen2_5/1.5B"
MODELS = (*SMALL_MODELS, LARGE_MODEL, QWEN_MODEL)
# 2.0 has a model of that size which does not exist, and lacks the 3B that it ships a runtime for (JSC833).
OLD_MODELS = ("llama3_2/1B", "llama3_2/7B", LARGE_MODEL)


class Recipe(Value):
    """name: `full_finetune_distributed`; suffix of the configuration: `_full`."""

    __slots__ = ("name", "suffix")

    def __init__(self, name: str, suffix: str) -> None:
        self.name: Final = name
        self.suffix: Final = suffix


def runs_torchtune(plan: Plan) -> bool:
    """The TrainJob's own command is exactly `tune run`."""
    return plan.job.trainer is not None and plan.job.trainer.command == ENTRYPOINT


def supported_models(profile: Profile) -> tuple[str, ...]:
    """The models that the webhook lets through, where it looks."""
    return OLD_MODELS if profile.has(features.TUNE_OLD_MODELS) else MODELS


def applies(plan: Plan) -> bool:
    return runs_torchtune(plan) and plan.trainer_node() is not None


def run(plan: Plan) -> Iterator[Edit | Diagnostic]:
    if not applies(plan):
        return
    pods = plan.trainer_pods()
    assert plan.trainer is not None and pods is not None
    processes = processes_per_node(plan)
    command = list(ENTRYPOINT)
    if needs_rendezvous(plan.profile, pods.count, processes):
        command.append(f"--rdzv_endpoint={first_node(plan)}:{TRAINER_PORT}")
    recipe = choose_recipe(plan.profile, pods.count, processes, plan.trainer.args or ())
    command += [recipe.name, "--config", model_of(plan.job.runtime_ref.name) + recipe.suffix]
    yield RewriteTrainer((*command, *_carried_overrides(plan)), plan.trainer.args, because=_because(plan, pods, processes))


def _because(plan: Plan, pods: PodSet, processes: Processes) -> Because:
    container = causes.node_container(plan)
    of_runtime = (OfTemplate((*container, "command")),) if container else ()
    of_trainjob: tuple[Path, ...] = (("spec", "trainer", "command"), ("spec", "trainer", "args"), ("spec", "runtimeRef", "name"))
    return Several((*of_trainjob, OfCount(pods.name), processes.because, causes.node_resources(plan), *of_runtime))


def needs_rendezvous(profile: Profile, nodes: int, processes: Processes) -> bool:
    """More than one node or device, as far as the release can tell."""
    if profile.has(features.TUNE_DEVICES_FROM_GPUS):
        several = processes.value > 1 if isinstance(processes.value, int) else processes.gpus > 1
        return nodes > 1 or several
    return nodes > 1 or processes.value != 1


def single_device(profile: Profile, nodes: int, processes: Processes) -> bool:
    one_gpu = processes.gpus == 1 and profile.has(features.TUNE_DEVICES_FROM_GPUS)
    return nodes == 1 and (processes.value == 1 or one_gpu)


def choose_recipe(profile: Profile, nodes: int, processes: Processes, args: tuple[str, ...]) -> Recipe:
    """The recipe table of facts 2.12; on several nodes LoRA arguments are ignored (JSC835)."""
    qlora = profile.has(features.TUNE_LORA) and uses_qlora(profile, args)
    lora = profile.has(features.TUNE_LORA) and uses_lora(args)
    if single_device(profile, nodes, processes):
        if qlora:
            return Recipe("lora_finetune_single_device", "_qlora_single_device")
        if lora:
            return Recipe("lora_finetune_single_device", "_lora_single_device")
        return Recipe("full_finetune_single_device", "_full_single_device")
    if nodes == 1 and qlora:
        return Recipe("lora_finetune_distributed", "_qlora")
    if nodes == 1 and lora:
        return Recipe("lora_finetune_distributed", "_lora")
    return Recipe("full_finetune_distributed", "_full_multinode" if nodes > 1 else "_full")


def uses_lora(args: tuple[str, ...]) -> bool:
    return any("model.lora_attn_modules" in arg for arg in args)


def uses_qlora(profile: Profile, args: tuple[str, ...]) -> bool:
    """quantize_base without use_dora; before 2.3 the values of both are not looked at (JSC834)."""
    given = is_true if profile.has(features.TUNE_BOOLEAN_ARGUMENTS) else _is_named
    return given(args, "model.quantize_base") and not given(args, "model.use_dora")


def _is_named(args: tuple[str, ...], name: str) -> bool:
    return any(name in arg for arg in args)


def is_true(args: tuple[str, ...], name: str) -> bool:
    pairs = (arg.partition("=") for arg in args)
    return any(equals and name in key and value.strip().lower() == "true" for key, equals, value in pairs)


def model_of(runtime_name: str) -> str:
    """The model that a runtime's *name* stands for (JSC856): torchtune-llama3.2-1b is llama3_2/1B; "" for other shapes."""
    parts = runtime_name.split("-")
    return f"{parts[1].replace('.', '_')}/{parts[2].upper()}" if len(parts) == 3 else ""


def _carried_overrides(plan: Plan) -> tuple[str, ...]:
    """The items of the runtime's own command that the controller keeps; everything else of it is lost."""
    kept = MANAGED_CONFIGS if plan.profile.has(features.TUNE_MERGES_FILE) else CARRIED_BEFORE_MERGES_FILE
    return tuple(
        item
        for job in replicated_jobs(plan.template)
        if ancestor_of(job) == TRAINER
        for container in containers_of(job)
        if container["name"] == NODE
        for item in container.get("command", ())
        if item.split("=")[0] in kept
    )
