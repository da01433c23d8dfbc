"""What a place of a document comes to, in a few words: origins read backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.addresses import Keyed
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.diagnostics.inert import code
from jobset_compiler.explain.fields import COUNTS
from jobset_compiler.explain.words import counted_pods
from jobset_compiler.result.podsets import summarise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.diagnostics.addresses import Step
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.provenance.effects import Effect

# Values of one group that are shown, groups, and characters of a value.
MOST_VALUES, MOST_GROUPS, LONGEST = 6, 8, 60
POD: tuple[Step, ...] = ("template", "spec", "template")


def in_words(unit: Unit, effects: Iterable[Effect]) -> list[str]:
    """Lines of Markdown, one for each object, replicatedJob or container; the pods first."""
    counts = {podset.name: podset.count for podset in summarise(unit)}
    pods: list[str] = []
    groups: dict[str, list[str]] = {}
    for effect in effects:
        steps = addresses.parse(effect.address)
        if effect.kind == "JobSet" and steps[-1] in COUNTS and len(steps) == 6 and isinstance(steps[2], Keyed):
            name = steps[2].value
            pods.append(f"**{counted_pods(counts[name])}** of {code(name)}{_replaced(effect)}")
            continue
        where, rest = _place(effect, steps)
        word = _word(rest, effect)
        if word:
            groups.setdefault(where, []).append(word)
    lines = [", ".join(dict.fromkeys(pods))] if pods else []
    for where, words in list(groups.items())[:MOST_GROUPS]:
        unique = list(dict.fromkeys(words))
        more = f", and {len(unique) - MOST_VALUES} more" if len(unique) > MOST_VALUES else ""
        lines.append(f"{where}: {', '.join(unique[:MOST_VALUES])}{more}")
    if len(groups) > MOST_GROUPS:
        lines.append(f"and {counted(len(groups) - MOST_GROUPS, 'other place')}")
    return lines


def _place(effect: Effect, steps: tuple[Step, ...]) -> tuple[str, tuple[Step, ...]]:
    """What has the field, in words, and the steps below that."""
    if effect.kind != "JobSet" or steps[:2] != ("spec", "replicatedJobs") or len(steps) < 4:
        return f"{effect.kind} {code(effect.name)}", steps
    where, rest = f"job {code(_name(steps[2]))}", steps[3:]
    if rest[:3] != POD:
        return where, rest
    rest = rest[3:]
    if len(rest) > 3 and rest[0] == "spec" and rest[1] in ("containers", "initContainers"):
        return f"{where}, container {code(_name(rest[2]))}", rest[3:]
    return f"{where}, its pods", rest


def _name(step: Step) -> str:
    return step.value if isinstance(step, Keyed) else str(step)


def _word(rest: tuple[Step, ...], effect: Effect) -> str:
    """A value with its name; "" for the name of a variable, which its value brings along."""
    if len(rest) == 3 and rest[0] == "env" and isinstance(rest[1], Keyed):
        return "" if rest[2] == "name" else code(f"{rest[1].value}={_short(effect.value)}") + _replaced(effect)
    return code(f"{addresses.text(rest)}: {_short(effect.value)}") + _replaced(effect)


def _replaced(effect: Effect) -> str:
    return " (something else has the last word)" if effect.replaced else ""


def _short(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
