"""What a caller may have meant who passes something else than a call takes. These are errors of programs: they raise TypeError."""

from __future__ import annotations

from jobset_compiler.passes.api import STAGES

OBJECTS, TEXT = "compile_objects takes objects", "compile_yaml takes text"
IN_PLACE_OF_TEXT = {"object": f"; {OBJECTS}", "list": f"; {OBJECTS}", "bytes": "; decode them", "file": "; read it first"}
IN_PLACE_OF_LIST = {"object": "put it in a list: [it]", "text": TEXT, "bytes": TEXT, "file": f"read it first; {TEXT}"}


def text(value: object, call: str) -> None:
    """Refuses what is no text."""
    if not isinstance(value, str):
        raise TypeError(f"{call} takes text, not {type(value).__name__}{IN_PLACE_OF_TEXT.get(shape(value), '')}")


def objects(value: object, call: str) -> None:
    """Refuses one object, and text, in place of a list of objects; what cannot be iterated Python refuses."""
    meant = IN_PLACE_OF_LIST.get(shape(value))
    if meant is not None:
        raise TypeError(f"{call} takes a list of objects, not {type(value).__name__}; {meant}")


def names(value: object, argument: str) -> None:
    """Refuses one name in place of a list of names, which would be read letter by letter."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{argument} takes a list of names: [{value!r}]")


def choices(trainer_version: object, jobset_version: object, facts: object, feature_gates: object, passes: object) -> None:
    """Refuses values of another type for what a compile can be told."""
    if not (trainer_version is None or isinstance(trainer_version, str)):
        raise TypeError(f"trainer_version is a text such as 'v2.3', not {type(trainer_version).__name__}")
    if not (jobset_version is None or isinstance(jobset_version, str)):
        raise TypeError(f"jobset_version is a text such as '0.12', not {type(jobset_version).__name__}")
    if not (facts is None or hasattr(facts, "priority_classes")):
        raise TypeError(f"facts takes jobset_compiler.Facts(...), not {type(facts).__name__}")
    if not (feature_gates is None or hasattr(feature_gates, "items")):
        raise TypeError(f"feature_gates takes a mapping such as {{'TrainJobStatus': True}}, not {type(feature_gates).__name__}")
    if passes is None:
        return
    if not (isinstance(passes, (list, tuple)) and all(hasattr(step, "run") for step in passes)):
        raise TypeError("passes takes a list of jobset_compiler.passes.api.Pass")
    for step in passes:
        if step.stage not in STAGES:
            raise TypeError(f"pass {step.name} has the stage {step.stage!r}; known are {', '.join(STAGES)}")
    called = [step.name for step in passes]
    repeated = next((name for name in called if called.count(name) > 1), None)
    if repeated is not None:
        raise TypeError(f"passes have names of their own; several are called {repeated}")


def shape(value: object) -> str:
    """What kind of argument it is: "text", "bytes", "list", "file", "object", "" for anything else."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, (bytes, bytearray)):
        return "bytes"
    if isinstance(value, (list, tuple)):
        return "list"
    if hasattr(value, "read_text") or hasattr(value, "readlines"):
        return "file"
    return "object" if any(hasattr(value, name) for name in ("keys", "model_dump", "to_dict", "attribute_map")) else ""
