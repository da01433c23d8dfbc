"""Quantities of the TrainJob that every server takes and no node can give: memory without its unit, devices by a name that nobody uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.fix import rename
from jobset_compiler.findings.words import TRAINER_SPEC, on_trainjob
from jobset_compiler.kube.quantity import from_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan

IN_BYTES = ("memory", "ephemeral-storage")
# No container starts with less.
LEAST_BYTES = 1 << 20
VENDORS = {"nvidia.com": "nvidia.com/gpu", "amd.com": "amd.com/gpu"}
SURE = 0.85


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    trainer = plan.job.trainer
    for key in ("limits", "requests"):
        for name, value in ((trainer.resources_per_node if trainer else None) or {}).get(key, {}).items():
            at = (*TRAINER_SPEC, "resourcesPerNode", key, name)
            if name in IN_BYTES:
                yield from _bytes(plan, name, str(value), at)
            elif "/" in name and (meant := _device(name)):
                message = f"no device plugin offers {name}: the pods stay pending"
                yield on_trainjob(plan, codes.silent.DEVICE_UNKNOWN, message, at, f"did you mean {meant}?", remedies=(rename(at, meant, safe=False),))


def _bytes(plan: Plan, name: str, text: str, at: Path) -> Iterator[Diagnostic]:
    amount = from_json(text)
    if amount.sign > 0 and amount.ceil() < LEAST_BYTES:
        number = text.rstrip("m")
        if text.endswith("m"):
            hint = f"write {number}Mi: m are thousandths"
        else:
            hint = f"write the unit: {number}Gi, {number}Mi" if number.isdigit() else "write Mi or Gi"
        size = "1 byte" if amount.ceil() == 1 else f"{amount.ceil()} bytes"
        yield on_trainjob(plan, codes.silent.BYTES_FOR_MORE, f"{name} {text} is {size}: no container starts with that", at, hint)


def _device(name: str) -> str:
    """The resource that is meant by a name of GPUs that no vendor uses, "" for all others."""
    vendor, _, device = name.lower().partition("/")
    if device not in ("gpu", "gpus") or name in VENDORS.values():
        return ""
    domain = vendor if vendor.endswith(".com") else f"{vendor}.com"
    if domain in VENDORS:
        return VENDORS[domain]
    from difflib import get_close_matches

    near = get_close_matches(domain, VENDORS, 1, SURE)
    return VENDORS[near[0]] if near else ""
