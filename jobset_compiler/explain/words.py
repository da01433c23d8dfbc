"""Parts of an explanation in words: values, places, counts, and where something comes from."""

from __future__ import annotations

from typing import Any

from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.emit.flow import in_flow
from jobset_compiler.explain.origin import REPLACES
from jobset_compiler.provenance import origins
from jobset_compiler.provenance.layers import WRITTEN_BY_PASS

Tree = dict[str, Any]
# How much of a value is shown.
SHOWN = 100
PER = {"pod": "a pod", "host": "a host", "world": "in all"}
# File modes, which Kubernetes keeps as numbers and people know in octal.
MODES = ("defaultMode", "mode")
# Fields whose keys are people's own words.
MAPS = ("labels", "annotations", "nodeSelector", "matchLabels", "limits", "requests", "overhead")
INDEX = "<field metadata.annotations['batch.kubernetes.io/job-completion-index']>"
BUNDLED = "<bundled "
# Stands for the file that the story begins with (see `at_home`).
HERE = "."
UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


def flow(value: Any, key: str = "") -> str:
    """A value on one line, as YAML has it; file modes in octal."""
    return in_flow(value, _mode_of, key)


def _mode_of(key: str, value: Any) -> str | None:
    return mode(value) if key in MODES and isinstance(value, int) else None


def mode(number: int) -> str:
    """0644, of what Kubernetes keeps as 420."""
    return f"0{number:03o}"


def short(value: str) -> str:
    line = value.replace("\n", "\\n")
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."


def place_of(place: Tree) -> str:
    """ "job.yaml:12"; of a runtime that comes with us "runtime torch-distributed:12"; "line 12" of the file that is being told of."""
    file = str(place["file"])
    if file == HERE:
        return f"line {place['line']}"
    if file.startswith(BUNDLED):
        file = f"runtime {file.rpartition('/')[2].removesuffix('.yaml>')}"
    return f"{file}:{place['line']}" if place["line"] else file


def at_home(tree: Any, file: str) -> Any:
    """A copy of an explanation in which places of that file have HERE for its name, since the headline has it."""
    if isinstance(tree, list):
        return [at_home(item, file) for item in tree]
    if not isinstance(tree, dict):
        return tree
    here = bool(tree.get("line")) and tree.get("file") == file
    return {key: HERE if here and key == "file" else at_home(value, file) for key, value in tree.items()}


def came_from(chain: list[Tree], label: str = "") -> str:
    """Who wrote a value, on account of which line. label: how the value is told; a field whose name is among these words is not named again."""
    words = label.replace("=", " ").split()
    said: list[str] = []
    for number, origin in enumerate(chain):
        if origin["kind"] == origins.PASS:
            said.append(_pass(origin))
            continue
        behind = [entry for entry in chain[number + 1 :] if entry["kind"] in (origins.INPUT, origins.PATCH) and entry["line"]]
        told = _said(origin, behind, [*words, *(entry["by"] for entry in chain[:number])])
        # A pass that only copies a field of that name need not be told.
        copied = origin["kind"] == origins.INPUT and field_of(origin["path"]) in words
        said = [told] if copied and len(said) == 1 and not chain[0]["note"].startswith(FEATURE) else [*said, told]
        break
    return ", ".join(filter(None, said))


FEATURE = "feature "


def _pass(origin: Tree) -> str:
    note = origin["note"]
    return str(origin["by"]) if note == WRITTEN_BY_PASS or note.startswith(FEATURE) or not note else f"{origin['by']} ({note})"


def _said(origin: Tree, behind: list[Tree], words: list[str]) -> str:
    where = place_of(origin)
    if origin["kind"] == origins.INPUT:
        field = field_of(origin["path"])
        return f"{field}, {where}" if field and field not in words else where
    if origin["kind"] == origins.PATCH:
        by = f"{origin['by'] or override_of(origin['path'])}, {where}"
        if REPLACES in origin["note"]:
            return f"replaced the runtime's list: {by}"
        return f"set by {by}, over {place_of(behind[0])}" if behind else f"added by {by}"
    return f"default: {origin['note']}" if origin["kind"] == origins.DEFAULT and origin["by"] else ""


def override_of(path: str) -> str:
    """What an override without a manager is called: spec.podSpecOverrides[0], spec.labels."""
    return ".".join(path.split(".")[:2]).partition('["')[0]


def field_of(path: str) -> str:
    """The last name in a path: "numNodes" of spec.trainer.numNodes, "env" of spec.trainer.env[0], but metadata.name. A key of a map of
    texts is one name, dots included."""
    if path == "metadata.name":
        return path
    for field in MAPS:
        _, found, key = path.partition(f".{field}.")
        if found:
            return key
    while path.endswith("]"):
        path = path.rpartition("[")[0]
    return path.rpartition(".")[2]


def counted_pods(count: int) -> str:
    return counted(count, "pod")


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def duration(seconds: int) -> str:
    """ "1 d 2 h 3 min" of a number of seconds."""
    parts = []
    for unit, size in UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts) or "0 s"


def listed(requests: dict[str, str]) -> str:
    return ", ".join(f"{name} {quantity}" for name, quantity in requests.items())


def joined(words: list[str], last: str = "and") -> str:
    """a, b and c."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
