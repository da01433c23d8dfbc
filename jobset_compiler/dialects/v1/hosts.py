"""Names of pods that the texts of a job mention: what v1 called them, and what they are called now."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jobset_compiler.dialects.notes import where_carried
from jobset_compiler.dialects.tree import get

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.dialects.notes import Notes
    from jobset_compiler.dialects.v1.job import Role, V1Job

ROLE_WORDS = "master|worker|chief|ps|launcher|evaluator"


def host(job: str, replicated: str, index: int) -> str:
    """The host name of a pod: as JobSet publishes it, without the namespace."""
    return f"{job}-{replicated}-0-{index}.{job}"


def old_names(job: V1Job, roles: Iterable[Role], notes: Notes, now: Callable[[str, int | None], str]) -> None:
    """Notes every old pod name in commands, arguments and variables of those roles. now: from the role's word and the index (None for a name that is built
    from a part) to what replaces it."""
    pattern = re.compile(rf"(?<![a-z0-9-]){re.escape(job.name)}-({ROLE_WORDS})(?:-(\d{{1,6}})?|(?![a-z0-9-]))")
    for role in roles:
        for path, text in _texts(job, role):
            seen: set[str] = set()
            for match in pattern.finditer(text):
                old = match.group(0)
                if old not in seen:
                    seen.add(old)
                    new = now(match.group(1), None if match.group(2) is None else int(match.group(2)))
                    notes.old_name(path, f"{old} is called {new} now", where_carried(*path[:-1]))


def _texts(job: V1Job, role: Role) -> Iterator[tuple[Path, str]]:
    for kind in ("containers", "initContainers"):
        containers = get(job.value, *role.pod, kind)
        for index, container in enumerate(containers if isinstance(containers, list) else ()):
            path = (*role.pod, kind, index)
            for field in ("command", "args"):
                words = get(container, field)
                for position, word in enumerate(words if isinstance(words, list) else ()):
                    if isinstance(word, str):
                        yield (*path, field, position), word
            env = get(container, "env")
            for position, entry in enumerate(env if isinstance(env, list) else ()):
                text = get(entry, "value")
                if isinstance(text, str):
                    yield (*path, "env", position, "value"), text
