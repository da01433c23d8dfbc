"""The parts of a JobSet that name its jobs, with the names that the jobs have now.

`renames` leads from the old name of a job to its new one, or to those of the jobs that took its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.dialects.tree import At, Carried, Made, get, parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jobset_compiler.diagnostics.place import Path

TARGETS = "targetReplicatedJobs"


def renamed_policies(value: Any, at: Path, renames: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """successPolicy and failurePolicy of the JobSet at a path, where they name a renamed job; {} where none does."""
    changed: dict[str, Any] = {}
    success, failure = (*at, "successPolicy"), (*at, "failurePolicy")
    targets = _renamed(value, (*success, TARGETS), renames)
    if targets is not None:
        changed["successPolicy"] = At(success, {**parts(value, success), TARGETS: targets})
    rules = get(value, *failure, "rules")
    if isinstance(rules, list):
        written = [_rule(value, (*failure, "rules", index), renames) for index in range(len(rules))]
        if any(not isinstance(rule, Carried) for rule in written):
            changed["failurePolicy"] = At(failure, {**parts(value, failure), "rules": At((*failure, "rules"), written)})
    return changed


def renamed_dependencies(value: Any, path: Path, renames: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """dependsOn of the job at a path, where it names a renamed job; {} where it does not. Of several jobs the last one is waited for."""
    at = (*path, "dependsOn")
    given = get(value, *at)
    if not isinstance(given, list) or not any(get(entry, "name") in renames for entry in given):
        return {}
    written: list[Any] = []
    for index, entry in enumerate(given):
        now = renames.get(str(get(entry, "name")), ())
        where = (*at, index)
        written.append(At(where, {**parts(value, where), "name": Made(now[-1], (*where, "name"))}) if now else Carried(where))
    return {"dependsOn": At(at, written)}


def _rule(value: Any, at: Path, renames: Mapping[str, Sequence[str]]) -> Any:
    targets = _renamed(value, (*at, TARGETS), renames)
    return Carried(at) if targets is None else At(at, {**parts(value, at), TARGETS: targets})


def _renamed(value: Any, path: Path, renames: Mapping[str, Sequence[str]]) -> At | None:
    names = get(value, *path)
    if not isinstance(names, list) or not any(str(name) in renames for name in names):
        return None
    written: list[Any] = []
    for index, name in enumerate(names):
        at = (*path, index)
        written += [Made(new, at) for new in renames.get(str(name), ())] or [Carried(at)]
    return At(path, written)
