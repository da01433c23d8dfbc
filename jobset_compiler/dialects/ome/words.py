"""Words of a command that torchrun takes in place of the variables, and variables that no shell is there to expand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.notes import in_runtime
from jobset_compiler.dialects.tree import get

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes

_SHELLS = ("sh", "bash", "/bin/sh", "/bin/bash")
_BARE = re.compile(r"\$(?:\{(\w+)\}|([A-Za-z_]\w*))")


def about_words(value: Any, old: Path, new: Path, variables: Mapping[str, str], notes: Notes) -> None:
    """Notes on the container at `old`, which stands at `new` in the written runtime; variables: what PET_* will say, as far as it is known."""
    words = list(_words(value, old))
    for position, (path, word) in enumerate(words):
        flag, equals, said = word.partition("=")
        name = f"PET_{flag[2:].replace('-', '_').upper()}"
        if flag.startswith("--") and name in variables:
            given = said if equals else words[position + 1][1] if position + 1 < len(words) else ""
            if given != variables[name]:
                message = f"{flag}={given} on the command line wins over {name} {variables[name]}"
                notes.works_otherwise(path, message, in_runtime(*new, *path[len(old) :]))
    if any(word in _SHELLS for _, word in words):
        return
    for path, word in words:
        bare = _BARE.search(word)
        if bare is not None:
            name = bare[1] or bare[2]
            message = f"{bare[0]} is not expanded where no shell runs: only $({name}) is"
            notes.works_otherwise(path, message, in_runtime(*new, *path[len(old) :]), f"write $({name})")


def _words(value: Any, container: Path) -> Iterator[tuple[Path, str]]:
    for field in ("command", "args"):
        words = get(value, *container, field)
        for index, word in enumerate(words if isinstance(words, list) else ()):
            if isinstance(word, str):
                yield (*container, field, index), word
