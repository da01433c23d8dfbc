"""Volumes that are not seen where they are looked for: two at one path, one over the files of an initializer, paths that nobody expands."""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import normpath
from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, NODE, TRAINER, pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.initializers import CACHE_IMAGE, IMAGES
from jobset_compiler.findings.words import JOBS_OF_SPEC, POD, on_template
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.resolve.plan import Plan, PodContainer, PodSet

Tree = dict[str, Any]
CODE = codes.silent.MOUNT_MISSES
# Where upstream's initializers write (pkg/initializers/utils/constants.py), whatever they are told.
FOLDERS = {DATASET_INITIALIZER: "/workspace/dataset", MODEL_INITIALIZER: "/workspace/model"}
OF_A_SHELL = re.compile(r"^~|\$(?:\(?[A-Za-z_])")


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    """JSC732."""
    for index, (job, pods) in enumerate(zip(replicated_jobs(plan.template), plan.pod_sets, strict=True)):
        for field, states in (("containers", pods.containers), ("initContainers", pods.init_containers)):
            for position, (container, state) in enumerate(zip(pod_spec_of(job).get(field) or (), states, strict=True)):
                if state.mounts:
                    at = (*JOBS_OF_SPEC, index, *POD, field, position, "volumeMounts")
                    yield from _of_container(plan, pods.name, container, state, at)
    yield from _of_initializers(plan)


def _of_container(plan: Plan, job: str, container: Tree, state: PodContainer, at: Path) -> Iterator[Diagnostic]:
    paths = [mount.get("mountPath", "") for mount in state.mounts]
    if len(set(paths)) == len(paths) and all(map(_is_usual, paths)) and not any("subPath" in mount for mount in state.mounts):
        return
    own = container.get("volumeMounts") or ()
    places = {have.get("mountPath"): place for place, have in enumerate(own)}
    seen: dict[str, Tree] = {}
    for mount in state.mounts:
        place = places.get(mount.get("mountPath"))
        if place is not None and own[place] != mount:
            place = None  # a policy mounts it
        path = _path(mount)
        here = at if place is None else (*at, place, "mountPath")
        if path in seen and seen[path] != mount:
            message = f"{seen[path]['name']} and {mount['name']} are both mounted at {path} of {state.name} in {job}: only {mount['name']} is seen"
            yield on_template(plan, CODE, message, here, "give every volume a path of its own")
        seen[path] = mount
        if path == "/":
            message = f"{mount['name']} would take the place of the whole image of {state.name} in {job}: no container starts with that"
            yield on_template(plan, CODE, message, here, "mount it below a folder")
        for key in ("mountPath", "subPath"):
            text = mount.get(key, "")
            if place is not None and OF_A_SHELL.search(text) and "${" not in text:
                message = f"{text} is a folder of that name: nothing in {key} is expanded"
                hint = "write $(NAME) into subPathExpr" if key == "subPath" else "write the path itself"
                yield on_template(plan, CODE, message, (*at, place, key), hint)


@lru_cache(maxsize=1024)
def _is_usual(path: str) -> bool:
    """An absolute path in its shortest form, below the root, without a sign that a shell would read. The same few come with every TrainJob."""
    return len(path) > 1 and path[0] == "/" and path == normpath(path) and not OF_A_SHELL.search(path)


def _path(mount: Tree) -> str:
    """The path of a mount as the kubelet takes it."""
    path: str = mount.get("mountPath", "")
    return normpath("/" + path.lstrip("/"))


def _of_initializers(plan: Plan) -> Iterator[Diagnostic]:
    jobs = list(zip(replicated_jobs(plan.template), plan.pod_sets, strict=True))
    trainer = next(((index, job, pods) for index, (job, pods) in enumerate(jobs) if pods.ancestor == TRAINER), None)
    node = trainer[2].container(NODE) if trainer is not None else None
    for index, (job, pods) in enumerate(jobs):
        folder, state = FOLDERS.get(pods.ancestor or ""), pods.container(pods.ancestor or "")
        if folder is None or state is None or not state.mounts or not _writes_there(job, pods, state):
            continue
        position = pods.containers.index(state)
        at = (*JOBS_OF_SPEC, index, *POD, "containers", position, "volumeMounts")
        written = _covering(state, folder)
        if written is None:
            message = f"{pods.name} writes to {folder}, and no volume is mounted there: its download is lost"
            yield on_template(plan, CODE, message, at, "mount the volume at /workspace")
        elif trainer is not None and node is not None:
            yield from _as_the_trainer_sees_it(plan, (pods.name, job, written, folder), trainer[:2], trainer[2], node)


def _as_the_trainer_sees_it(
    plan: Plan, source: tuple[str, Tree, Tree, str], place: tuple[int, Tree], pods: PodSet, node: PodContainer
) -> Iterator[Diagnostic]:
    name, job, written, folder = source
    index, template = place
    volume = _volume(job, written["name"])
    at = (*JOBS_OF_SPEC, index, *POD, "containers", pods.containers.index(node), "volumeMounts")
    sees = [mount for mount in node.mounts if _volume(template, mount["name"]) == volume]
    over = _covering(node, folder)
    if "emptyDir" in volume:
        return  # which ends with its pod (JSC705)
    if not sees:
        message = f"{pods.name} mounts nothing of what {name} downloads into {written['name']}"
        yield on_template(plan, CODE, message, at, f"mount the same volume as {name}, {_shown(volume, written['name'])}, in node")
    elif over is not None and over not in sees and any(_is_below(folder, _path(mount)) for mount in sees):
        message = f"{over['name']} of {pods.name} hides what {name} writes to {folder}"
        own = pod_spec_of(template)["containers"][at[-2]].get("volumeMounts") or ()
        where = next((number for number, have in enumerate(own) if have == over), None)
        yield on_template(plan, CODE, message, at if where is None else (*at, where, "mountPath"), "mount it elsewhere")


def _writes_there(job: Tree, pods: PodSet, state: PodContainer) -> bool:
    """Upstream's image, which fills no cache."""
    container = pod_spec_of(job)["containers"][pods.containers.index(state)]
    fills_cache = any(entry["name"] == CACHE_IMAGE or str(entry.get("value") or "").startswith("cache://") for entry in state.env)
    return container.get("image", "").startswith(IMAGES) and not fills_cache


def _covering(state: PodContainer, folder: str) -> Tree | None:
    """The mount that a folder of the container is in, the deepest."""
    around = [mount for mount in state.mounts if _is_below(folder, _path(mount))]
    return max(around, key=lambda mount: len(_path(mount)), default=None)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _volume(job: Tree, name: str) -> Tree:
    """What a volume of a job is, whatever it is called there; of one that the pod has not, the JobSet's claim of that name."""
    found = next((volume for volume in pod_spec_of(job).get("volumes") or () if volume["name"] == name), {"claimTemplate": name})
    return {field: value for field, value in found.items() if field != "name"}


def _shown(volume: Tree, name: str) -> str:
    claim = volume.get("persistentVolumeClaim", {}).get("claimName")
    return f"claim {claim}" if claim else name
