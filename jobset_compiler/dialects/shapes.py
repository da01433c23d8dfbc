"""Whether lists are lists, mappings mappings and names words, before anything reads them.

The schemas of the older APIs refused anything else, so that a dialect can rely on it. Only fields that some dialect looks into are in the tables; what is
carried as it is gets judged by the release that it is carried to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path

_OBJECTS = frozenset(
    (
        *("containers", "initContainers", "volumes", "volumeMounts", "env", "envFrom", "ports", "tolerations", "imagePullSecrets"),
        *("replicatedJobs", "dependsOn", "rules", "targetJobs", "podSpecOverrides", "podTemplateOverrides", "runtimePatches", "metrics"),
    )
)
_WORDS = frozenset(("command", "args", "targetReplicatedJobs"))
_FREE = frozenset(("labels", "annotations", "nodeSelector", "limits", "requests", "parameters"))
# Mappings below volumes and selectors whose keys are anybody's.
_ANY = frozenset(("matchLabels", "volumeAttributes", "options"))
_MAPPINGS = frozenset(
    (
        *("metadata", "spec", "template", "runtimeRef", "trainer", "initializer", "dataset", "model", "datasetConfig", "modelConfig", "input", "output"),
        *("mlPolicy", "torch", "mpi", "elasticPolicy", "podGroupPolicy", "coscheduling", "volcano", "successPolicy", "failurePolicy", "startupPolicy"),
        *("resources", "resourcesPerNode", "runPolicy", "schedulingPolicy", "securityContext", "datasets", "outputModel", *_FREE),
        *("hyperParameterTuningConfig", "trainingRuntimeSpec", "valueFrom"),
    )
)
_NAMES = frozenset(("name", "namespace", "image", "kind", "apiGroup"))
_TYPES = {type(None): "null", bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}


class Misfit(NamedTuple):
    """A value of another type than its field has."""

    path: Path
    expected: str
    found: str


def misfits(value: Any, path: Path = ()) -> Iterator[Misfit]:
    """The values in an object that have another type than their fields; null stands for an absent field, but not in a list."""
    for key, child in value.items():
        at = (*path, key)
        expected = _expected(key, path)
        if child is None:
            continue
        if expected and _TYPES[type(child)] != expected:
            yield Misfit(at, expected, _TYPES[type(child)])
        elif isinstance(child, dict) and key not in _FREE and key not in _ANY:
            yield from misfits(child, at)
        elif isinstance(child, list):
            yield from _in_list(child, at, "object" if key in _OBJECTS else "string" if key in _WORDS else "")


def _expected(key: str, path: Path) -> str:
    if path[-2:-1] == ("volumes",) and key == "image":
        return "object"  # a volume that is an image, where all others are its name
    if path == ("spec",) and key == "successPolicy":
        return "string"  # of a TFJob; elsewhere it is the JobSet's, deeper down
    if key in _OBJECTS or key in _WORDS:
        return "array"
    return "object" if key in _MAPPINGS else "string" if key in _NAMES else ""


def _in_list(items: list[Any], path: Path, expected: str) -> Iterator[Misfit]:
    for index, item in enumerate(items):
        if expected and _TYPES[type(item)] != expected:
            yield Misfit((*path, index), expected, _TYPES[type(item)])
        elif isinstance(item, dict):
            yield from misfits(item, (*path, index))
