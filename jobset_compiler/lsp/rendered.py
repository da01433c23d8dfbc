"""What a TrainJob becomes, as a text to look at, and the lens that leads to it.

The text has an address of its own: scheme `jobset-compiler`, the path says which TrainJob, the query in which file it stands. Secrets are hidden: it
is for looking, `render` writes what can be applied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.diagnostics.redaction import hidden
from jobset_compiler.emit.yaml import to_yaml
from jobset_compiler.explain.story import gpus_per_pod
from jobset_compiler.explain.words import counted_pods
from jobset_compiler.result.podsets import summarise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.lsp.analysis import Analysis
    from jobset_compiler.objects.unit import Unit

SCHEME = "jobset-compiler"


class Lens(NamedTuple):
    """A line above a TrainJob. start: of the document, in the file; address: of the text that it leads to, "" for none."""

    start: int
    title: str
    address: str


def lenses(analysis: Analysis, uri: str) -> Iterator[Lens]:
    """One a TrainJob: how many pods and GPUs it comes to, or that it is refused."""
    for job, address in zip(analysis.jobs, _addresses(analysis, uri), strict=True):
        document = job.document.written
        extent = analysis.lines.extent_of(document, ())
        start = extent[0] if extent else analysis.lines.start_of(document)
        if job.unit is None:
            own = any(found.is_error and found.document in (job.document, document) for found in analysis.diagnostics)
            yield Lens(start, "refused: no JobSet" if own else "no JobSet: its runtime is refused", "")
        else:
            yield Lens(start, f"{counted(job.unit)}: show {job.unit.objects[0]['kind']}", address)


def counted(unit: Unit) -> str:
    """"4 pods, 32 GPUs"."""
    podsets = summarise(unit)
    gpus = sum(podset.count * (gpus_per_pod(podset) or 0) for podset in podsets)
    return counted_pods(sum(podset.count for podset in podsets)) + (f", {gpus} GPU{'' if gpus == 1 else 's'}" if gpus else "")


def rendered(analysis: Analysis, uri: str, address: str) -> str:
    """The objects of the TrainJob that the address is of, as YAML."""
    release = analysis.setup.options.profile.trainer
    for job, candidate in zip(analysis.jobs, _addresses(analysis, uri), strict=True):
        if plain(candidate) == plain(address):
            if job.unit is None:
                return f"# Kubeflow Trainer {release} submits nothing for this TrainJob: see the findings in {one_line(analysis.file)}.\n"
            what = f"TrainJob {one_line(job.unit.plan.job.name)} in {one_line(analysis.file)}"
            return f"# What Kubeflow Trainer {release} submits for {what}. Secrets are hidden.\n" + to_yaml(hidden(manifest) for manifest in job.unit.objects)
    return f"# {one_line(analysis.file)} has no such TrainJob any more.\n"


def source_of(address: str, uris: Iterable[str]) -> str:
    """Which of the open texts an address leads to; "" for none."""
    return next((uri for uri in uris if plain(address).partition("?")[2] == plain(uri)), "")


def _addresses(analysis: Analysis, uri: str) -> list[str]:
    """One a TrainJob; several of one name are numbered."""
    seen: dict[str, int] = {}
    found = []
    for job in analysis.jobs:
        seen[job.name] = number = seen.get(job.name, 0) + 1
        found.append(f"{SCHEME}:/{quote(job.name.lstrip('/'), errors='replace')}{f'.{number}' if number > 1 else ''}.yaml?{quote(uri, safe='')}")
    return found


def plain(address: str) -> str:
    """The address without escapes, of which clients add some and take away others."""
    while (less := unquote(address)) != address:
        address = less
    return address
