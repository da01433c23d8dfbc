"""A TrainJob of the preview in the words of v2.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER, NODE
from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.dialects.exported import members
from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.preview.relabel import spec_of
from jobset_compiler.dialects.preview.words import GONE, INITIALIZER_JOB, TRAINER, TRAINER_JOB
from jobset_compiler.dialects.tree import At, Carried, Made, get, items, parts

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.source.document import Document

WORDS = ("auto", "cpu", "gpu")
OVERRIDES = "podSpecOverrides"
OLD_HOST = f"-{TRAINER_JOB}-0-"


def convert_trainjob(document: Document, runtime: Any, notes: Notes) -> At:
    """The tree of the TrainJob; runtime: the value of its runtime where the input has it."""
    value = document.value
    base = spec_of(document)
    spec: dict[str, Any] = dict(base["spec"].value) if base else parts(value, ("spec",))
    _initializers(document, spec, notes)
    _check_trainer(document, runtime, notes)
    if get(value, "spec", OVERRIDES) is not None:
        message = "podSpecOverrides were ignored by the preview and act now"
        notes.now_effective(("spec", OVERRIDES), message, in_job("spec", OVERRIDES), "look at them before the job runs")
        spec[OVERRIDES] = At(("spec", OVERRIDES), [_override(document, index, notes) for index in range(len(items(value, ("spec", OVERRIDES))))])
    return At((), {**members(value), "apiVersion": Made(API_VERSION, ("apiVersion",)), "spec": At(("spec",), spec)})


def _initializers(document: Document, spec: dict[str, Any], notes: Notes) -> None:
    """datasetConfig and modelConfig as initializer, where the first of them stood."""
    found: dict[str, Any] = {}
    if spec.pop("datasetConfig", None) is not None:
        found["dataset"] = Carried(("spec", "datasetConfig"))
    if get(document.value, "spec", "modelConfig", "input") is not None:
        found["model"] = Carried(("spec", "modelConfig", "input"))
    if get(document.value, "spec", "modelConfig", "output") is not None:
        where = in_job("spec", "initializer") if found else in_job("spec", "runtimeRef")
        notes.not_carried(("spec", "modelConfig", "output"), "modelConfig.output was never implemented", where)
    spec.pop("modelConfig", None)
    if found:
        rest = dict(spec)
        spec.clear()
        for key, given in rest.items():
            spec[key] = given
            if key == "runtimeRef":
                spec["initializer"] = Made(found, ("spec", "datasetConfig" if "dataset" in found else "modelConfig"))


def _check_trainer(document: Document, runtime: Any, notes: Notes) -> None:
    at = ("spec", "trainer")
    trainer = get(document.value, *at)
    processes = get(trainer, "numProcPerNode")
    if isinstance(processes, str) and processes not in WORDS and not processes.isdecimal():
        notes.refused((*at, "numProcPerNode"), f"numProcPerNode is auto, cpu, gpu or a number, not {processes!r}")
    env = get(trainer, "env")
    names = [get(entry, "name") for entry in (env if isinstance(env, list) else ())]
    is_torch = get(runtime, "spec", "mlPolicy", "torch") is not None
    for index, name in enumerate(names):
        if name in names[:index]:
            notes.no_equivalent((*at, "env", index), f"env {name} is given twice, and JobSet refuses that", "keep one of the two")
        if is_torch and get(trainer, "env", index, "valueFrom") is not None:
            notes.now_effective((*at, "env", index), f"env {name}: the preview lost valueFrom, and it has a value now", in_job(*at, "env", index))
    for path, text in _texts(trainer, at):
        if OLD_HOST in text:
            notes.old_name(path, f"{OLD_HOST} in the name of a host is -{NODE}-0- now", in_job(*path))
    if get(trainer, "numNodes") is None and runtime is not None and get(runtime, "spec", "mlPolicy", "numNodes") is None:
        notes.remark(in_job(*at), "numNodes is said nowhere: one node, as before", inline=False)


def _texts(trainer: Any, at: Path) -> list[tuple[Path, str]]:
    found: list[tuple[Path, str]] = []
    for field in ("command", "args"):
        words = get(trainer, field)
        found += [((*at, field, index), word) for index, word in enumerate(words if isinstance(words, list) else ()) if isinstance(word, str)]
    env = get(trainer, "env")
    for index, entry in enumerate(env if isinstance(env, list) else ()):
        if isinstance(get(entry, "value"), str):
            found.append(((*at, "env", index, "value"), entry["value"]))
    return found


def _override(document: Document, index: int, notes: Notes) -> At:
    path: Path = ("spec", OVERRIDES, index)
    value = document.value
    tree = parts(value, path)
    targets: list[Any] = []
    for position, target in enumerate(get(value, *path, "targetJobs") or ()):
        at = (*path, "targetJobs", position)
        name = get(target, "name")
        names = {TRAINER_JOB: (NODE,), INITIALIZER_JOB: (DATASET_INITIALIZER, MODEL_INITIALIZER)}.get(name, ())
        targets += [At(at, {"name": Made(new, (*at, "name"))}) for new in names] or [Carried(at)]
    if targets:
        tree["targetJobs"] = At((*path, "targetJobs"), targets)
    for kind in ("containers", "initContainers"):
        if get(value, *path, kind) is not None:
            tree[kind] = At((*path, kind), [_container(document, (*path, kind, position), notes) for position in range(len(get(value, *path, kind)))])
    return At(path, tree)


def _container(document: Document, path: Path, notes: Notes) -> Any:
    for field in GONE:
        if get(document.value, *path, field) is not None:
            message = f"{field} of a container override has no successor"
            notes.no_equivalent((*path, field), message, "put it into spec.trainer or the runtime" if field != "envFrom" else "put it into the runtime")
    if get(document.value, *path, "name") != TRAINER:
        return Carried(path)
    return At(path, {**parts(document.value, path), "name": Made(NODE, (*path, "name"))})
