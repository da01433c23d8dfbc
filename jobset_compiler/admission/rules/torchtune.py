"""torchtune: supported models, nodes, QLoRA, and the arguments that belong to the runtime.

Source: validateTorchTune in pkg/runtime/framework/plugins/torch/torchtune.go; Validate of torch.go in 2.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.rules import torch
from jobset_compiler.admission.rules.rule import NUM_NODES, NUM_PROC_PER_NODE, RESOURCES_PER_NODE, RUNTIME_NAME, Plugin, Refusal, Rule, listed
from jobset_compiler.diagnostics import codes
from jobset_compiler.passes.nproc import Processes, gpus_per_node
from jobset_compiler.passes.torchtune import (
    LARGE_MODEL,
    MANAGED_CONFIGS,
    QWEN_MODEL,
    SMALL_MODELS,
    choose_recipe,
    model_of,
    runs_torchtune,
    supported_models,
    uses_lora,
    uses_qlora,
)
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.resolve.plan import Plan

CITES = ("pkg/runtime/framework/plugins/torch/torchtune.go",)


def applies(plan: Plan) -> bool:
    return runs_torchtune(plan) and torch.checks_trainer(plan)


def model(plan: Plan) -> Iterator[Refusal]:
    name = plan.job.runtime_ref.name
    found = model_of(name)
    supported = supported_models(plan.profile)
    if found not in supported:
        hint = f"the model is read off the runtime's name, such as torchtune-llama3.2-1b for llama3_2/1B; supported: {listed(supported)}"
        yield Refusal(
            codes.webhook.TUNE_MODEL, f"must have a supported pretrained model, invalid model configured: {found}", "spec.runtimeRef.name", RUNTIME_NAME, hint
        )


def nodes(plan: Plan) -> Iterator[Refusal]:
    found = model_of(plan.job.runtime_ref.name)
    if _nodes(plan) > 1 and found != LARGE_MODEL:
        yield Refusal(codes.webhook.TUNE_NODES, f"must be 1 for {found} model", "spec.trainer.numNodes", NUM_NODES, f"only {LARGE_MODEL} runs on several nodes")


def nodes_given(plan: Plan) -> Iterator[Refusal]:
    """2.0, 2.1: the webhook dereferences numNodes without a look (JSC832)."""
    trainer = plan.job.trainer
    if trainer is not None and trainer.num_nodes is None:
        message = "the webhook of this release crashes here: runtime error: invalid memory address or nil pointer dereference"
        yield Refusal(codes.webhook.TUNE_NODES_UNSET, message, "spec.trainer.numNodes", ("spec", "trainer"), "write numNodes: 1")


def qlora(plan: Plan) -> Iterator[Refusal]:
    """Models and numbers of devices that QLoRA cannot run with (#2832)."""
    trainer, found = plan.job.trainer, model_of(plan.job.runtime_ref.name)
    assert trainer is not None
    start = "auto" if trainer.num_proc_per_node is None else trainer.num_proc_per_node
    processes = Processes(start, (), gpus_per_node(plan.node_resources), start)
    suffix = choose_recipe(plan.profile, _nodes(plan), processes, trainer.args or ()).suffix
    if suffix.startswith("_qlora") and found == QWEN_MODEL:
        hint = "leave model.quantize_base out of spec.trainer.args"
        yield Refusal(codes.webhook.TUNE_QLORA_MODEL, f"QLoRA is not supported for {found} model", "spec.runtimeRef.name", RUNTIME_NAME, hint)
    if suffix == "_qlora" and found in SMALL_MODELS:
        hint = "write numProcPerNode: 1, or one GPU in resourcesPerNode"
        for message, path, at in (
            (f"must be auto or 1 for {found} model when using QLoRA", "spec.trainer.numProcPerNode", NUM_PROC_PER_NODE),
            (f"must have gpu resource with value 1 for {found} model when using QLoRA", "spec.trainer.resourcesPerNode", RESOURCES_PER_NODE),
        ):
            yield Refusal(codes.webhook.TUNE_QLORA_DEVICES, message, path, at, hint)


def lora_nodes(plan: Plan) -> Iterator[Refusal]:
    args = _args(plan)
    if _nodes(plan) > 1 and (uses_lora(args) or uses_qlora(plan.profile, args)):
        message = "LoRA fine-tuning is not supported for multi-node training in TorchTune"
        yield Refusal(codes.webhook.TUNE_LORA_NODES, message, "spec.trainer.numNodes", NUM_NODES, "write numNodes: 1, or leave the LoRA arguments out")


def managed_arguments(plan: Plan) -> Iterator[Refusal]:
    for index, arg in enumerate(_args(plan)):
        key = arg.partition("=")[0]
        if key in MANAGED_CONFIGS:
            message = f'must not set immutable config "{key}" in trainer args; it is managed by the runtime'
            at = ("spec", "trainer", "args", index)
            yield Refusal(codes.webhook.TUNE_MANAGED_ARGUMENT, message, f"spec.trainer.args[{index}]", at, "leave it out: the runtime's command sets it")


def _nodes(plan: Plan) -> int:
    trainer = plan.job.trainer
    return 1 if trainer is None or trainer.num_nodes is None else trainer.num_nodes


def _args(plan: Plan) -> tuple[str, ...]:
    return (plan.job.trainer.args if plan.job.trainer else None) or ()


TORCHTUNE = Plugin(
    "Torch: torchtune",
    (
        Rule(model, CITES),
        Rule(nodes, CITES),
        Rule(nodes_given, CITES, features.TUNE_NODES_DEREFERENCED),
        Rule(qlora, (*CITES, "#2832"), features.TUNE_LORA_RULES),
        Rule(lora_nodes, (*CITES, "#3302"), features.TUNE_LORA_NEEDS_ONE_NODE),
        Rule(managed_arguments, (*CITES, "#3302"), features.TUNE_MANAGED_ARGUMENTS_REFUSED),
    ),
    applies,
)
