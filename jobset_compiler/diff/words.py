"""Fields and values in words: where in a JobSet something is, modes of files in octal, what of an image is new."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diff.fields import ADDED, CHANGED, MISSING, REMOVED
from jobset_compiler.diff.values import inline, lines_of

if TYPE_CHECKING:
    from jobset_compiler.diff.effect import ReleaseEffect
    from jobset_compiler.diff.values import ShownLine

JOB = re.compile(r"spec\.replicatedJobs\[name=([^\]]*)\](.*)")
CONTAINER = re.compile(r"template\.spec\.template\.spec\.(c|initC|ephemeralC)ontainers\[name=([^\]]*)\](.*)")
ITEM = re.compile(r"(env|volume)s?\[name=([^\]]*)\](.*)")
# From the outside to the inside of a replicatedJob.
WITHIN = (
    ("template.spec.template.spec", ", pods"),
    ("template.spec.template.metadata", ", metadata of pods"),
    ("template.spec", ""),
    ("template.metadata", ", metadata"),
)
CONTAINERS = {"c": "container", "initC": "init container", "ephemeralC": "ephemeral container"}
MODES = ("mode", "defaultMode")
MODE = re.compile(r"((?:^[ -]*|{|, )(?:defaultMode|mode): )(\d+)(?=$|[,}])")


def place_of(effect: ReleaseEffect) -> str:
    """Where it is: "job node, container node: image"; of other objects the object and the address."""
    match = JOB.fullmatch(effect.address) if effect.object == "JobSet" else None
    if match is None:
        return f"{effect.object} {effect.address}".rstrip()
    where, rest = _jobs(match[1]), match[2].removeprefix(".")
    container = CONTAINER.fullmatch(rest)
    if container is not None:
        where += f", {CONTAINERS[container[1]]} {container[2]}"
        rest = container[3].removeprefix(".")
    else:
        for path, words in WITHIN:
            if rest == path or rest.startswith((f"{path}.", f"{path}[")):
                where += words
                rest = rest[len(path) :].removeprefix(".")
                break
    item = ITEM.fullmatch(rest)
    if item is not None:
        rest = f"{item[1]} {item[2]}{item[3].removesuffix('.value')}"
    return f"{where}: {rest}" if rest else where


def _jobs(names: str) -> str:
    return "every job" if names == "*" else f"jobs {names.replace(',', ', ')}" if "," in names else f"job {names}"


def value_of(effect: ReleaseEffect, value: Any) -> str:
    """A value of the field on one line."""
    if _is_mode(_key(effect), value):
        return _octal(value)
    text = inline(value)
    return MODE.sub(lambda found: found[1] + _octal(int(found[2])), text) if _has_modes(value) else text


def lines_in_words(effect: ReleaseEffect) -> tuple[ShownLine, ...]:
    """`lines_of`, modes in octal."""
    lines = lines_of(effect.kind, effect.before, effect.after)
    if not lines or not (_has_modes(effect.before) or _has_modes(effect.after)):
        return lines
    return tuple(line._replace(text=MODE.sub(lambda found: found[1] + _octal(int(found[2])), line.text)) for line in lines)


def _key(effect: ReleaseEffect) -> str:
    """The name of the field; of several that change alike that of the first."""
    return effect.address.partition(", ")[0].rpartition(".")[2]


def _is_mode(key: str, value: Any) -> bool:
    return key in MODES and isinstance(value, int) and not isinstance(value, bool)


def _has_modes(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_is_mode(key, item) or _has_modes(item) for key, item in value.items())
    return isinstance(value, list) and any(map(_has_modes, value))


def _octal(value: int) -> str:
    return f"{value:04o}"


class ImageBump(NamedTuple):
    """Another tag or digest of the same repository."""

    repository: str
    before: str
    after: str


def is_image(effect: ReleaseEffect) -> bool:
    """Whether the change is an image that takes the place of an image."""
    return effect.address.endswith(".image") and effect.kind == CHANGED and isinstance(effect.before, str) and isinstance(effect.after, str)


def bump_of(effect: ReleaseEffect) -> ImageBump | None:
    """What is new of the image; None where it is another image altogether."""
    if not is_image(effect):
        return None
    (old, old_tag), (new, new_tag) = _taken_apart(effect.before), _taken_apart(effect.after)
    return ImageBump(new, old_tag, new_tag) if old == new and old_tag and new_tag else None


def _taken_apart(image: str) -> tuple[str, str]:
    """The repository, and its tag, digest or both."""
    name, _, digest = image.partition("@")
    head, colon, tag = name.rpartition(":")
    if not colon or "/" in tag:
        head, tag = name, ""
    return head, "@".join(filter(None, (tag, digest)))


def told(effect: ReleaseEffect) -> str:
    """What happens to the value, where that fits on a line."""
    bump = bump_of(effect)
    if bump is not None:
        return f"{bump.repository} {bump.before} -> {bump.after}"
    if effect.kind == ADDED:
        return value_of(effect, effect.after)
    if effect.kind == REMOVED:
        return f"{value_of(effect, effect.before)} is gone"
    if effect.kind == CHANGED or effect.before is MISSING:
        return f"{value_of(effect, effect.before)} -> {value_of(effect, effect.after)}"
    return f"order {', '.join(effect.before)} -> {', '.join(effect.after)}"
