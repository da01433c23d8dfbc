"""Quantities that every server takes and no node can give: memory without its unit, devices by a name that nobody uses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.fix import rename
from jobset_compiler.findings.words import JOBS, POD, TRAINER_SPEC, in_runtime, on_trainjob
from jobset_compiler.kube.quantity import from_json
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]
IN_BYTES = ("memory", "ephemeral-storage")
# No container starts with less.
LEAST_BYTES = 1 << 20
VENDORS = {"nvidia.com": "nvidia.com/gpu", "amd.com": "amd.com/gpu"}
SURE = 0.85


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    trainer = plan.job.trainer
    resources = (trainer.resources_per_node if trainer else None) or {}
    yield from _of_resources(resources, (*TRAINER_SPEC, "resourcesPerNode"), partial(on_trainjob, plan))


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    for index, job in enumerate(replicated_jobs(runtime.template)):
        for field in ("containers", "initContainers"):
            for position, container in enumerate(pod_spec_of(job).get(field) or ()):
                yield from _of_resources(container.get("resources") or {}, (*JOBS, index, *POD, field, position, "resources"), partial(in_runtime, runtime))


def _of_resources(resources: Tree, place: Path, told: Callable[..., Diagnostic]) -> Iterator[Diagnostic]:
    for key in ("limits", "requests"):
        for name, value in (resources.get(key) or {}).items():
            at = (*place, key, name)
            if name in IN_BYTES:
                yield from _bytes(told, name, str(value), at)
            elif "/" in name and (meant := _device(name)):
                message = f"no device plugin offers {name}: the pods stay pending"
                yield told(codes.silent.DEVICE_UNKNOWN, message, at, f"did you mean {meant}?", remedies=(rename(at, meant, safe=False),))


def _bytes(told: Callable[..., Diagnostic], name: str, text: str, at: Path) -> Iterator[Diagnostic]:
    amount = from_json(text)
    has_no_unit = text.removesuffix("m").isdigit()
    is_request = "requests" in at
    if amount.sign > 0 and amount.ceil() < LEAST_BYTES and (has_no_unit or not is_request):
        number = text.rstrip("m")
        if text.endswith("m"):
            hint = f"write {number}Mi: m are thousandths"
        else:
            hint = f"write the unit: {number}Gi, {number}Mi" if number.isdigit() else "write Mi or Gi"
        size = "1 byte" if amount.ceil() == 1 else f"{amount.ceil()} bytes"
        yield told(codes.silent.BYTES_FOR_MORE, f"{name} {text} is {size}: {'as good as nothing' if is_request else 'no container starts with that'}", at, hint)


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
