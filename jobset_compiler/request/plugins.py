"""Passes of other distributions: found by the entry-point group `jobset_compiler.passes`, and only when somebody asks.

A distribution offers them in its pyproject.toml:

    [project.entry-points."jobset_compiler.passes"]
    acme = "acme_passes:PASSES"

An entry point is a Pass, a sequence of Passes, or a function without arguments that returns either. Inside a stage they act after
the built-in passes, among each other by name, so that the order of installation decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.passes.api import STAGES, Admits, Brings, Pass, in_stages
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from importlib.metadata import EntryPoint

    from jobset_compiler.diagnostics.codes.code import Code

GROUP = "jobset_compiler.passes"
HINT = "repair or remove the distribution, or leave passes of others out with --no-plugins"


class Discovered(Value):
    """What was found: `passes` are all, in the order in which they act, the built-in ones among them."""

    __slots__ = ("diagnostics", "passes")

    def __init__(self, passes: tuple[Pass, ...] = BUILTIN, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self.passes: Final = passes
        self.diagnostics: Final = diagnostics


def discover(path: Sequence[str] | None = None) -> Discovered:
    """The passes of all installed distributions (of `sys.path` by default) with the built-in ones. Never raises.

    A distribution that cannot be loaded, or offers something else than passes, becomes a diagnostic that names it.
    """
    import sys

    folders = list(sys.path if path is None else path)
    if not any(map(_may_offer_passes, folders)):
        return Discovered()
    from importlib.metadata import distributions

    found: list[Pass] = []
    diagnostics: list[Diagnostic] = []
    seen: set[str] = set()
    for distribution in distributions(path=folders):
        name = str(distribution.metadata["Name"])
        if name in seen:
            continue  # hidden by the same one in an earlier folder
        seen.add(name)
        label = f"{name} {distribution.version}"
        for entry in distribution.entry_points:
            if entry.group == GROUP:
                for item in _load(entry, label):
                    if isinstance(item, Diagnostic):
                        diagnostics.append(item)
                    else:
                        found.append(item)
    passes, conflicts = _without_conflicts(found)
    return Discovered(in_order(BUILTIN, passes), (*diagnostics, *conflicts))


def in_order(builtin: Iterable[Pass], others: Iterable[Pass]) -> tuple[Pass, ...]:
    """Each of the others behind the built-in passes of its stage, by name."""
    return in_stages((*builtin, *sorted(others, key=lambda step: step.name)))


def _load(entry: EntryPoint, distribution: str) -> Iterator[Pass | Diagnostic]:
    try:
        value = entry.load()
        if callable(value):
            value = value()
    except Exception as error:
        yield _problem(
            codes.output.PLUGIN_NOT_LOADED, f"passes of distribution {distribution} cannot be loaded ({entry.value}): {type(error).__name__}: {error}"
        )
        return
    items = (value,) if isinstance(value, Pass) else value
    if not isinstance(items, (tuple, list)):
        yield _problem(codes.output.PLUGIN_INVALID, f"entry point {entry.value} of distribution {distribution} gives {type(value).__name__}, not passes")
        return
    for item in items:
        wrong = _wrong(item)
        if wrong:
            yield _problem(codes.output.PLUGIN_INVALID, f"entry point {entry.value} of distribution {distribution}: {wrong}")
        else:
            yield item._replace(distribution=distribution)


def _wrong(item: object) -> str:
    """What is wrong with something that should be a pass; "" for nothing."""
    if not isinstance(item, Pass):
        return f"{item!r} is no Pass"
    if item.stage not in STAGES:
        return f"pass {item.name} has the stage {item.stage!r}; known are {', '.join(STAGES)}"
    for field, kind in (("admits", Admits), ("brings", Brings), ("reserves", str)):
        held = getattr(item, field)
        if not isinstance(held, tuple) or not all(isinstance(entry, kind) for entry in held):
            return f"pass {item.name}: {field} is a tuple of {kind.__name__}, not {held!r}"
    if "." not in item.name.strip("."):
        return f"pass {item.name!r} needs the name of its maker in front, as in acme.{item.name or 'pass'}"
    return ""


def _without_conflicts(found: list[Pass]) -> tuple[list[Pass], list[Diagnostic]]:
    """Of passes that have one name none can be told to be the right one: the first by distribution stays, with an error."""
    by_name: dict[str, Pass] = {}
    conflicts = []
    for step in sorted(found, key=lambda step: (step.name, step.distribution)):
        other = by_name.setdefault(step.name, step)
        if other is not step:
            conflicts.append(_problem(codes.output.PLUGIN_INVALID, f"distributions {other.distribution} and {step.distribution} both offer a pass {step.name}"))
    return list(by_name.values()), conflicts


def _problem(code: Code, message: str) -> Diagnostic:
    return Diagnostic(code, message, stage="plugins", hint=HINT)


def _may_offer_passes(folder: str) -> bool:
    """Whether a folder of distributions has one with our group: looked up by hand, since importlib.metadata alone takes longer to
    import than a compile takes. Where it cannot be told (an archive), yes."""
    import os

    try:
        names = os.listdir(folder or os.curdir)
    except NotADirectoryError:
        return True
    except OSError:
        return False
    wanted = f"[{GROUP}]".encode()
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                    if wanted in file.read():
                        return True
            except OSError:
                continue
    return False
