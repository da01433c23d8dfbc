"""A TrainingJob of OME as a TrainJob, in the words of v2.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import DATASET_INITIALIZER, MODEL_INITIALIZER
from jobset_compiler.api.trainjob import API_VERSION, GROUP
from jobset_compiler.dialects.exported import members
from jobset_compiler.dialects.notes import in_job
from jobset_compiler.dialects.ome.elastic import processes_text
from jobset_compiler.dialects.spellings.processes import FIELD, as_number
from jobset_compiler.dialects.tree import At, Carried, Made, get, items, parts

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.ome.runtime import OmeRuntime
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document

OME = "ome.io"
SPEC: Path = ("spec",)
# Fields of the TrainingJob that only a page about tasks had.
OTHER_FORM = ("runtime", "baseModel", "trainingSpec", "hyperparameterOptimization")
UNRENDERED = ("path", "schemaPath", "nodeSelector", "nodeAffinity")
ENUMS = ((("method",), ("grid", "random", "bayes")), (("metric", "goal"), ("minimize", "maximize")))


def convert_trainingjob(document: Document, runtime: OmeRuntime | None, target: Target, notes: Notes) -> At | None:
    """The tree of the TrainJob; None where it is refused. runtime: where the input has it."""
    value = document.value
    spec = value.get("spec")
    other = [field for field in OTHER_FORM if get(spec, field) is not None]
    if other and get(spec, "runtimeRef") is None:
        message = "this form of TrainingJob was only ever in a page of documentation"
        notes.no_rules((*SPEC, other[0]), message, "use spec.runtimeRef, trainer, datasets, modelConfig")
        return None
    required: tuple[Path, ...] = (("runtimeRef", "name"), ("trainer",), ("datasets", "storageUri"), ("modelConfig",))
    for path in required:
        if get(spec, *path) is None:
            notes.refused(SPEC, f"spec.{'.'.join(map(str, path))}: Required value")
    group = get(spec, "runtimeRef", "apiGroup")
    if group not in (None, "", OME):
        notes.refused((*SPEC, "runtimeRef", "apiGroup"), f"runtimeRef.apiGroup {group}: a TrainingJob refers to runtimes of {OME}")
    if notes.failed:
        return None
    tree: dict[str, Any] = {"runtimeRef": _reference(value)}
    initializer = _initializer(document, runtime, notes)
    if initializer:
        tree["initializer"] = Made(initializer, (*SPEC, "datasets"))
    tree["trainer"] = _trainer(value, runtime)
    for field in ("suspend", "labels", "annotations"):
        if get(spec, field) is not None:
            tree[field] = Carried((*SPEC, field))
    _dropped(document, notes)
    whole = {**members(value), "apiVersion": Made(API_VERSION, ("apiVersion",)), "kind": Made("TrainJob", ("kind",)), "spec": At(SPEC, tree)}
    return At((), whole)


def _reference(value: Any) -> Any:
    at = (*SPEC, "runtimeRef")
    if get(value, *at, "apiGroup") is None:
        return Carried(at)
    return At(at, {**parts(value, at), "apiGroup": Made(GROUP, (*at, "apiGroup"))})


def _trainer(value: Any, runtime: OmeRuntime | None) -> At:
    """trainer as it is; over an elastic runtime its number of processes is a variable, since that runtime has no torch policy."""
    at = (*SPEC, "trainer")
    elastic = None if runtime is None else runtime.elastic
    said = get(value, *at, FIELD)
    resources = get(value, *at, "resourcesPerNode")
    if elastic is None or (said is None and resources is None):
        return At(at, parts(value, at))
    trainer = parts(value, at, FIELD)
    text = processes_text(str(said if said is not None else elastic.processes), resources)
    if as_number(text) is not None or said is not None:
        because = (*at, FIELD) if said is not None else (*at, "resourcesPerNode")
        trainer["env"] = [*items(value, (*at, "env")), Made({"name": "PET_NPROC_PER_NODE", "value": text}, because)]
    return At(at, trainer)


def _initializer(document: Document, runtime: OmeRuntime | None, notes: Notes) -> dict[str, Any]:
    """datasets and the output model, for the initialisers that the runtime has."""
    value = document.value
    have = () if runtime is None else runtime.initializers
    found: dict[str, Any] = {}
    data, model = (*SPEC, "datasets"), (*SPEC, "modelConfig", "outputModel")
    if not have:
        why = "the runtime has no initialiser" if runtime is not None else "its runtime is not among the documents"
        notes.not_carried(data, f"datasets and modelConfig reach no container: {why}", in_job("spec", "runtimeRef"))
        return {}
    if DATASET_INITIALIZER in have:
        found["dataset"] = At(data, _storage(value, data, notes))
    if MODEL_INITIALIZER in have and get(value, *model) is not None:
        env = _storage(value, model, notes)
        name = get(value, *SPEC, "modelConfig", "inputModel")
        if name is not None:
            entry = Made({"name": "MODEL_NAME", "value": name}, (*SPEC, "modelConfig", "inputModel"))
            env["env"] = [entry, *env.get("env", [])]
        found["model"] = At(model, env)
        notes.remark(in_job("spec", "initializer", "model"), "the output's URI feeds the model step, as in the only code there was", inline=False)
    return found


def _storage(value: Any, at: Path, notes: Notes) -> dict[str, Any]:
    """storageUri, parameters as variables in the order of their names, the key of the secret."""
    tree: dict[str, Any] = {"storageUri": Carried((*at, "storageUri"))}
    given = get(value, *at, "parameters")
    parameters = given if isinstance(given, dict) else {}
    env: list[Any] = [Made({"name": name, "value": str(parameters[name])}, (*at, "parameters", name)) for name in sorted(parameters)]
    key = "key" if get(value, *at, "key") is not None else "storageKey"
    secret = get(value, *at, key)
    if secret is not None:
        if key == "storageKey":
            notes.documented_only((*at, key), "storageKey is called key in the schema; read as that")
        env.append(Made({"name": "STORAGE_KEY", "valueFrom": {"secretKeyRef": {"name": secret, "key": "key"}}}, (*at, key)))
    if env:
        tree["env"] = env
    return tree


def _dropped(document: Document, notes: Notes) -> None:
    value = document.value
    where = in_job("spec", "runtimeRef")
    tuning = (*SPEC, "hyperParameterTuningConfig")
    if get(value, *tuning) is not None:
        for path, allowed in ENUMS:
            said = get(value, *tuning, *path)
            if said is not None and said not in allowed:
                known = ", ".join(f'"{word}"' for word in allowed)
                notes.refused((*tuning, *path), f'spec.{".".join(map(str, (*tuning[1:], *path)))}: Unsupported value: "{said}": supported values: {known}')
        notes.works_otherwise(tuning, "hyperParameterTuningConfig was never rendered: one training is run", where)
    if get(value, *SPEC, "compartmentID") is not None:
        notes.not_carried((*SPEC, "compartmentID"), "compartmentID was never rendered", where)
    for at in ((*SPEC, "datasets"), (*SPEC, "modelConfig", "outputModel")):
        for field in UNRENDERED:
            if get(value, *at, field) is not None:
                notes.works_otherwise((*at, field), f"{at[-1]}.{field} was never rendered", where)
