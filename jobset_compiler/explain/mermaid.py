"""Jobs, their order and their pods as a flowchart of Mermaid, which GitHub, GitLab and many wikis draw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.expand.children import STATUS_WORDS
from jobset_compiler.explain.text import counted_processes
from jobset_compiler.explain.words import counted_pods

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Tree = dict[str, Any]
HEAD = "flowchart LR"


def flowchart(stories: Iterable[Tree]) -> Iterator[str]:
    """The lines of one flowchart of explanations: a frame a TrainJob, a box a job, an arrow for each dependsOn."""
    yield HEAD
    for number, told in enumerate(stories):
        job = told["trainJob"]
        names = {entry["name"]: f"t{number}j{place}" for place, entry in enumerate(told["jobs"])}
        yield frame(number, f"TrainJob {job['namespace']}/{job['name']}")
        yield from (box(names[entry["name"]], [entry["name"], *says(entry)]) for entry in told["jobs"])
        yield from (arrow(names[before], names[after], word) for after, before, word in order(told["jobs"]))
        yield "  end"


def says(entry: Tree) -> list[str]:
    """What a box says of a job, below its name."""
    said = [counted_pods(entry["pods"])]
    if entry["processes"] is not None:
        said.append(f"processes {counted_processes(entry)}")
    elif entry["gpusPerPod"] is not None:
        said.append(f"GPUs a pod: {entry['gpusPerPod']}")
    return said


def order(jobs: Iterable[Tree]) -> list[tuple[str, str, str]]:
    """(job, the one that it waits for, what that one must be)."""
    jobs = list(jobs)
    known = {entry["name"] for entry in jobs}
    return [
        (entry["name"], target["job"], STATUS_WORDS.get(target["status"], target["status"]))
        for entry in jobs
        for target in entry["waitsFor"]
        if target["job"] in known
    ]


def frame(number: int, title: str) -> str:
    """The beginning of a frame, which ends with "  end"."""
    return f'  subgraph t{number}["{label(title)}"]'


def box(identity: str, lines: Iterable[str], style: str = "") -> str:
    return f'    {identity}["{"<br/>".join(map(label, lines))}"]' + (f":::{style}" if style else "")


def arrow(before: str, after: str, word: str, line: str = "-->") -> str:
    return f'    {before} {line}|"{label(word)}"| {after}'


def label(text: str) -> str:
    """The text as nothing but text: Mermaid's own numbers for what it could take for markup, and of a letter so that no word is a keyword."""
    return re.sub(r"[^\w .,:/→-]|(?<!\w)end(?!\w)", lambda found: "".join(f"#{ord(one)};" for one in found[0]), one_line(text))
