"""kubectl as a reader of many texts at once, and whether we read the same."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from jobset_compiler.source.reader import read_text
from tests.source import kubectl

find = kubectl.find
# What we refuse although kubectl reads something from it, on purpose: it is never what was meant, or no server would store it.
STRICTER = ("missing-separator", "too-deep", "too-large")


class Difference(NamedTuple):
    """A text of which kubectl and we make something else."""

    name: str
    text: str
    kubectl: object
    ours: object


def differences(texts: dict[str, str], folder: Path) -> list[Difference]:
    """Texts by a name that is also that of their first object; further ones are called `NAME-1`, ..."""
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_bytes(text.encode())
    command = [find() or "kubectl", "label", "--local", "-f", ".", "-o", "json", "probe=x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, encoding="utf-8")
    read: dict[str, list[Any]] = {}
    for item in _objects(done.stdout):
        read.setdefault(item["metadata"]["name"].partition("-")[0], []).append(item.get("value"))
    said = {match[1]: line for line in done.stderr.splitlines() if (match := re.search(r"(\w+)\.yaml\b", line))}
    found = []
    for name, text in texts.items():
        ours = _ours(text)
        theirs: object = said.get(name) or read.get(name, [])
        if isinstance(ours, str) and isinstance(theirs, str):
            continue
        if isinstance(ours, str) and ours.partition(":")[0] in STRICTER:
            continue
        if isinstance(ours, str) or isinstance(theirs, str) or not same(ours, theirs):
            found.append(Difference(name, text, theirs, ours))
    return found


def _objects(text: str) -> list[Any]:
    decoder = json.JSONDecoder()
    objects = []
    position = 0
    while position < len(text):
        value, position = decoder.raw_decode(text, position)
        objects.append(value)
        while text[position : position + 1].isspace():
            position += 1
    return objects


def _ours(text: str) -> object:
    """The values that we read, or what an error says."""
    documents, problems = read_text(text)
    errors = [problem for problem in problems if problem.is_error]
    if errors:
        return f"{errors[0].slug}: {errors[0].message}"
    return [document.value.get("value") if isinstance(document.value, dict) else None for document in documents]


def same(ours: object, theirs: object) -> bool:
    """Equal as JSON is: a whole float is that integer, a boolean is not."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(value, theirs[key]) for key, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if float in (type(ours), type(theirs)) and bool not in (type(ours), type(theirs)) and isinstance(ours, int | float) and isinstance(theirs, int | float):
        return float(ours) == float(theirs)  # beyond 64 bits kubectl prints a float without a point
    return isinstance(ours, bool) == isinstance(theirs, bool) and ours == theirs
