"""What a place of a document comes to, in a few words: origins read backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics import addresses
from jobset_compiler.diagnostics.addresses import Keyed
from jobset_compiler.diagnostics.inert import code
from jobset_compiler.diagnostics.redaction import hidden
from jobset_compiler.provenance.effects import Effect, effects_of
from jobset_compiler.provenance.layers import layers_of
from jobset_compiler.result.podsets import summarise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.diagnostics.addresses import Step
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.source.document import Document

# Values of one group that are shown, groups, and characters of a value.
MOST_VALUES, MOST_GROUPS, LONGEST = 6, 8, 60
POD: tuple[Step, ...] = ("template", "spec", "template")
COUNTS: tuple[Step, ...] = ("parallelism", "completions")


def effects_at(unit: Unit, document: Document, path: Path) -> Iterator[Effect]:
    """As `effects_of`, also for a document of another API that was converted; what is secret is hidden."""
    shown = {(manifest["kind"], manifest["metadata"]["name"]): hidden(manifest) for manifest in unit.objects}
    ours = (unit.plan.job.document, unit.plan.runtime.document)
    found = effects_of(unit, document, path) if any(each is document for each in ours) else _of_converted(unit, document, path)
    for effect in found:
        tree: Any = shown[effect.kind, effect.name]
        for step in addresses.resolve(tree, addresses.parse(effect.address)):
            tree = tree[step]
        yield effect._replace(value=tree)


def _of_converted(unit: Unit, old: Document, path: Path) -> Iterator[Effect]:
    for manifest in unit.objects:
        meta = manifest["metadata"]
        for leaf in addresses.leaves(manifest):
            layers = [layer for layer in layers_of(unit.plan, manifest, leaf) if layer.document is not None]
            places = [
                index
                for index, layer in enumerate(layers)
                if layer.document is not None and layer.document.written is old and layer.document.written_as(layer.path)[: len(path)] == path
            ]
            if places:
                address = addresses.text(addresses.keyed(manifest, leaf))
                yield Effect(manifest["kind"], meta["namespace"], meta["name"], address, None, replaced=places[0] > 0)


def in_words(unit: Unit, effects: Iterable[Effect]) -> list[str]:
    """Lines of Markdown, one for each object, replicatedJob or container; the pods first."""
    counts = {podset.name: podset.count for podset in summarise(unit)}
    pods: list[str] = []
    groups: dict[str, list[str]] = {}
    for effect in effects:
        steps = addresses.parse(effect.address)
        where, rest = _place(effect, steps)
        if rest[-1:] == ("parallelism",) and isinstance(steps[2], Keyed):
            name = steps[2].value
            pods.append(f"**{counts[name]} pod{'' if counts[name] == 1 else 's'}** of {code(name)}")
        word = _word(rest, effect)
        if word:
            groups.setdefault(where, []).append(word)
    lines = [", ".join(pods)] if pods else []
    for where, words in list(groups.items())[:MOST_GROUPS]:
        unique = list(dict.fromkeys(words))
        more = f", and {len(unique) - MOST_VALUES} more" if len(unique) > MOST_VALUES else ""
        lines.append(f"{where}: {', '.join(unique[:MOST_VALUES])}{more}")
    if len(groups) > MOST_GROUPS:
        lines.append(f"and {len(groups) - MOST_GROUPS} other places")
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
    replaced = " (replaced)" if effect.replaced else ""
    if len(rest) == 3 and rest[0] == "env" and isinstance(rest[1], Keyed):
        return "" if rest[2] == "name" else code(f"{rest[1].value}={_short(effect.value)}") + replaced
    return code(f"{addresses.text(rest)}: {_short(effect.value)}") + replaced


def _short(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
