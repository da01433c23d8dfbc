"""torch and torchtune: unchecked variables, recipes that are not what the arguments ask for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import NODE, containers_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import TRAINER_SPEC, listed, on_runtime, on_trainjob
from jobset_compiler.passes.torch import RESERVED_ENV
from jobset_compiler.passes.torchtune import ENTRYPOINT, SMALL_LLAMA, is_true, model_of, runs_torchtune, supported_models, uses_lora
from jobset_compiler.resolve.plan import replicated_jobs

LORA_ARGUMENT = r"model\.(?:\w*lora\w*|quantize_base|use_dora)\b"

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.trainjob import Trainer
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    if plan.policy_name != "torch":
        return
    trainer = plan.job.trainer
    if trainer is not None:
        for index, entry in enumerate(trainer.env):
            if entry["name"] in RESERVED_ENV:
                # Other releases have refused it by now (JSC832).
                message = f"{entry['name']} replaces the injected value: reserved names are checked only beside numProcPerNode (#3239)"
                yield on_trainjob(
                    plan, codes.parity.RESERVED_ENV_UNCHECKED, message, (*TRAINER_SPEC, "env", index), "remove the variable; later releases refuse it"
                )
        if runs_torchtune(plan) and plan.trainer_node() is not None:
            yield from _tune(plan, trainer)
        elif trainer.command is None and trainer.args:
            yield from _tune_without_command(plan, trainer)
    if "elasticPolicy" in plan.runtime.typed.get("spec", {}).get("mlPolicy", {}).get("torch", {}):
        at = ("spec", "mlPolicy", "torch", "elasticPolicy")
        yield on_runtime(plan, codes.parity.ELASTIC_POLICY_IGNORED, "elasticPolicy has no effect (#3235)", at, "remove it; elastic training is not implemented")


def _tune_without_command(plan: Plan, trainer: Trainer) -> Iterator[Diagnostic]:
    """Arguments of LoRA that follow the runtime's own `tune run` with a recipe for full fine-tuning."""
    index = next((index for index, arg in enumerate(trainer.args or ()) if re.match(LORA_ARGUMENT, arg)), None)
    pods = plan.trainer_pods()
    job = next((job for job in replicated_jobs(plan.template) if pods is not None and job["name"] == pods.name), {})
    command = next((container.get("command", ()) for container in containers_of(job) if container["name"] == NODE), ())
    recipe = next((word for word in command if word.startswith("full_")), "")
    if index is not None and recipe and tuple(command[:2]) == ENTRYPOINT:
        assert trainer.args is not None
        message = f"{trainer.args[index].partition('=')[0]} is given to {recipe}: without a command in the TrainJob no recipe is chosen"
        yield on_trainjob(plan, codes.silent.TUNE_WITHOUT_COMMAND, message, (*TRAINER_SPEC, "args", index), "write spec.trainer.command: [tune, run]")


def _tune(plan: Plan, trainer: Trainer) -> Iterator[Diagnostic]:
    name = plan.job.runtime_ref.name
    model, supported, args = model_of(name), supported_models(plan.profile), trainer.args or ()
    if model not in supported:
        if model == SMALL_LLAMA:
            message = f"{model} is not among this release's models ({listed(supported)}); it is not checked without numProcPerNode (#2832)"
            yield on_trainjob(plan, codes.parity.TUNE_OLD_LIST, message, ("spec", "runtimeRef", "name"), "leave spec.trainer.numProcPerNode unset")
        else:
            meaning = f"{model}, which is no supported model" if model else "no model, because it has not three parts between dashes"
            message = f"the torchtune configuration is named after the runtime, and {name} stands for {meaning}"
            yield on_trainjob(plan, codes.parity.TUNE_MODEL_FROM_NAME, message, ("spec", "runtimeRef", "name"), f"supported: {listed(supported)}")
    command = plan.trainer.command if plan.trainer and plan.trainer.command else ()
    recipe = next((item for item in command if "_finetune_" in item), "")
    config = command[command.index("--config") + 1] if "--config" in command else ""
    asks_lora = uses_lora(args) or any("model.quantize_base" in arg for arg in args)
    if asks_lora and recipe.startswith("full_"):
        index = next(index for index, arg in enumerate(args) if "model.lora_attn_modules" in arg or "model.quantize_base" in arg)
        message = f"{args[index]} is given to {recipe}, a full fine-tuning recipe (#2832, #3302)"
        yield on_trainjob(plan, codes.parity.LORA_IGNORED, message, (*TRAINER_SPEC, "args", index), "LoRA needs 2.1 or later and one node")
    elif "_qlora" in config and not is_true(args, "model.quantize_base"):
        index = next(index for index, arg in enumerate(args) if "model.quantize_base" in arg)
        message = f"{args[index]} selects a QLoRA configuration, {config}: only the name counts (#3302)"
        yield on_trainjob(plan, codes.parity.QUANTIZE_BASE_FALSE, message, (*TRAINER_SPEC, "args", index), "leave the argument out")
