"""An override of the pods of one replicatedJob, in the spelling of a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.tree import Made

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.wishes import Target

POD_SPEC, POD_TEMPLATE, PATCHES = "podSpecOverrides", "podTemplateOverrides", "runtimePatches"
# Field of the TrainJob -> the types of what it may say about a pod and about a container.
POD_STRUCTS = {
    POD_SPEC: ("trainer.PodSpecOverride", "trainer.ContainerOverride"),
    POD_TEMPLATE: ("trainer.PodTemplateSpecOverride", "trainer.ContainerOverride"),
    PATCHES: ("trainer.PodSpecPatch", "trainer.ContainerPatch"),
}


def override(target: Target, job: str, metadata: dict[str, Any], spec: dict[str, Any], because: Path) -> Made:
    """One entry of the release's list of overrides, for the pods of a replicatedJob."""
    form = target.profile.override_field
    pod = {**({"metadata": metadata} if metadata else {}), **({"spec": spec} if spec else {})}
    if form == POD_SPEC:
        return Made({"targetJobs": [{"name": job}], **spec}, because)
    if form == POD_TEMPLATE:
        return Made({"targetJobs": [{"name": job}], **pod}, because)
    return Made(patch(target.wishes.manager, {"spec": {"replicatedJobs": [{"name": job, "template": {"spec": {"template": pod}}}]}}), because)


def patch(manager: str, template: dict[str, Any]) -> dict[str, Any]:
    """One entry of runtimePatches."""
    return {"manager": manager, "trainingRuntimeSpec": {"template": template}}
