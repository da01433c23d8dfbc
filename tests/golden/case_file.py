"""The text of a golden case: one file, read from top to bottom, of which people write the head and the harness the rest.

    why: One sentence that says why the output is right.
    releases: v2.1 .. v2.3
    evidence: own rule
    cites:
    - JSC123
    --- # INPUT
    (the documents as a user would write them)
    --- # EXPECTED v2.1
    (the objects, byte for byte)
    --- # EXPECTED v2.2 .. v2.3
    --- # DIAGNOSTICS v2.1 .. v2.3
    # (what the command prints, behind "# ", so that the file stays YAML)
    --- # EXPLAINED v2.1 .. v2.3
    # (of a case with `explain`: what that command prints at 80 columns)

A release without EXPECTED refuses the input; one without DIAGNOSTICS has nothing to tell.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

from jobset_compiler.profiles import PROFILES

RELEASES = tuple(profile.name for profile in PROFILES)

INPUT = "--- # INPUT\n"
_SECTION = re.compile(r"^--- # [A-Z]+\b.*", re.MULTILINE)
_GENERATED = re.compile(r"^--- # (EXPECTED|DIAGNOSTICS|EXPLAINED) (.*)\n", re.MULTILINE)


class Told(NamedTuple):
    """What one release makes of the input: the output, None where it is refused, the diagnostics as printed, and what `explain` says, where
    a case asks for that."""

    output: str | None
    printed: str
    explained: str = ""


class CaseFile(NamedTuple):
    """`settings` and `text` are None where the file has none."""

    head: str
    settings: dict[str, Any]
    text: str
    told: dict[str, Told]


def split(content: str) -> tuple[str, str]:
    """What people write, and what the harness writes below it (empty in a new file)."""
    generated = _GENERATED.search(content)
    return (content[: generated.start()], content[generated.start() :]) if generated else (content, "")


def read(content: str) -> CaseFile:
    """Raises ValueError for what is no case file."""
    head, below = split(content)
    header, marker, text = head.partition(INPUT)
    settings = yaml.load(header, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if not isinstance(settings, dict):
        raise ValueError("the header is a mapping")
    if bool(marker) is ("input" in settings):
        raise ValueError(f"the input stands behind {INPUT.strip()!r} or, where editors would spoil its bytes, in the header as `input`, not both")
    if misspelt := _SECTION.search(text):
        raise ValueError(f"no section: {misspelt[0]!r}")
    return CaseFile(head, settings, _closed(text) if marker else settings["input"], _read_told(below, releases(settings.get("releases", ""))))


def _closed(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _read_told(below: str, known: tuple[str, ...]) -> dict[str, Told]:
    output: dict[str, str] = {}
    printed: dict[str, str] = {}
    explained: dict[str, str] = {}
    _, *parts = _GENERATED.split(below)
    for kind, label, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        for release in releases(label):
            stored = {"EXPECTED": output, "DIAGNOSTICS": printed, "EXPLAINED": explained}[kind]
            if release in stored or release not in known:
                raise ValueError(f"{kind} {label}: {release} stands here twice or is not among the releases of the case")
            stored[release] = body if kind == "EXPECTED" else re.sub(r"^# ?", "", body, flags=re.MULTILINE)
    return {release: Told(output.get(release), printed.get(release, ""), explained.get(release, "")) for release in known}


def write_told(told: dict[str, Told]) -> str:
    """The generated part of a file: what equal releases have in common stands there once."""
    outputs: dict[str, list[str]] = {}
    prints: dict[str, list[str]] = {}
    stories: dict[str, list[str]] = {}
    for release in sorted(told, key=RELEASES.index):
        output, printed, explained = told[release]
        if output is not None:
            outputs.setdefault(output, []).append(release)
        if printed:
            prints.setdefault(printed, []).append(release)
        if explained:
            stories.setdefault(explained, []).append(release)
    sections = [f"--- # EXPECTED {label(names)}\n{output}" for output, names in outputs.items()]
    sections += [f"--- # DIAGNOSTICS {label(names)}\n{_commented(printed)}" for printed, names in prints.items()]
    sections += [f"--- # EXPLAINED {label(names)}\n{_commented(explained)}" for explained, names in stories.items()]
    return "".join(sections)


def _commented(printed: str) -> str:
    return "".join(f"# {line}\n" if line else "#\n" for line in printed.removesuffix("\n").split("\n"))


def releases(label: str) -> tuple[str, ...]:
    """`v2.0, v2.2 .. v2.3` as single releases, the oldest first. Raises ValueError."""
    found: list[str] = []
    for part in label.split(", "):
        first, _, last = part.partition(" .. ")
        if {first, last or first} - set(RELEASES):
            raise ValueError(f"no releases: {label!r}; write `v2.1`, `v2.1 .. v2.3` or `v2.0, v2.2 .. v2.3`")
        found += RELEASES[RELEASES.index(first) : RELEASES.index(last or first) + 1]
    if not found or found != sorted(set(found), key=RELEASES.index):
        raise ValueError(f"not in order: {label!r}")
    return tuple(found)


def label(names: list[str] | tuple[str, ...]) -> str:
    """The opposite of `releases`."""
    runs: list[list[str]] = []
    for name in names:
        if runs and RELEASES.index(name) == RELEASES.index(runs[-1][-1]) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} .. {run[-1]}" for run in runs)
