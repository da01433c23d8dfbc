"""`explain`: what will really run. Nodes, pods, processes and GPUs, names, labels, and where each value comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import COMPILING, FAIL_ON, FILENAME, MESSAGES, messages, policy_of, settings_of
from jobset_compiler.cli.streams import Held
from jobset_compiler.cli.units import units
from jobset_compiler.diagnostics.report import Report
from jobset_compiler.explain import FORMAT, explanation, text
from jobset_compiler.explain.layout import COLOURED, PLAIN, lay_out
from jobset_compiler.source.files import STDIN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.explain.layout import Style
    from jobset_compiler.objects.unit import Unit

    Tree = dict[str, Any]

# What can be asked for instead of everything; at most one of them.
PARTS = ("--field", "--line", "--names", "--ignore-differences")

VERB = Verb(
    "explain",
    "say what a TrainJob will really run, and where each value comes from",
    """
Per TrainJob: the runtime with a fingerprint, the sum behind the PodGroup's minMember, what happens when something fails, what each patch did, and per \
replicatedJob how many pods, how many processes a pod and the chain of reasons for that, what they request, where they may run, and for each container image, \
every word of the command line, each variable and mount with the line of input, the pass of the compiler or the default that it comes from; then where labels \
and annotations land, and what must be there in the cluster. It is wrapped to the terminal, to 80 columns elsewhere, or as COLUMNS says.

With --field only that field of the objects, the TrainJob or the runtime is explained: its value, and its whole chain of origins or what it comes to. With \
--line only what stands on that line of an input: the objects, pods and variables that it comes to.
""",
    (
        Option(("-o", "--output"), "form of the output; default text", "FORMAT", choices=("text", "json", "mermaid")),
        Option(("--field",), "one field of the output or the input: spec.replicatedJobs[name=node].replicas, spec.trainer.image", "PATH", many=True),
        Option(("--line",), "what a line of the input comes to: job.yaml:12; the file need not be given again", "FILE:LINE", many=True, paths=True),
        Option(("--names",), "only the names that will exist: objects, Jobs, pods, the Service, host names, and how long they may be"),
        Option(("--gitops",), "also the fields that a cluster fills in, for Argo CD and the like"),
        Option(("--ignore-differences",), "only those fields, as ignoreDifferences of an Argo CD Application"),
        FILENAME,
        *COMPILING,
        FAIL_ON,
        *MESSAGES,
    ),
    (
        ("jobset-compiler explain job.yaml", "everything that runs"),
        ("jobset-compiler explain job.yaml -r runtime.yaml --trainer-version v2.2", "with your runtime, in another release"),
        ("jobset-compiler explain --line job.yaml:12", "what does this line of mine come to?"),
        ("jobset-compiler explain job.yaml --field 'spec.replicatedJobs[name=node].template.spec.parallelism'", "where does this come from?"),
        ("jobset-compiler explain job.yaml --field spec.trainer.numNodes", "and where does this go?"),
        ("jobset-compiler explain job.yaml --names", "what will it all be called?"),
        ("jobset-compiler explain job.yaml -o mermaid", "jobs, their order and pods as a picture for GitHub or a wiki"),
        ("jobset-compiler explain job.yaml -o json | jq '.trainJobs[].jobs[].processes'", "for programs"),
    ),
    takes="[PATH... | -]",
    most=-1,
)


class Terminal(NamedTuple):
    """What the text is written for."""

    width: int
    style: Style


def run(arguments: Arguments, streams: Streams) -> int:
    if sum(map(arguments.has, PARTS)) > 1:
        raise UsageError(f"{', '.join(PARTS)} exclude each other")
    form = arguments.get("--output", "text")
    if form == "mermaid" and any(map(arguments.has, PARTS)):
        raise UsageError(f"-o mermaid draws jobs, their order and pods: leave out {', '.join(filter(arguments.has, PARTS))}")
    wanted = tuple(map(_line, arguments.all("--line")))
    if wanted and not arguments.words:
        arguments = arguments.with_words(tuple(dict.fromkeys(file for file, _ in wanted)))
    settings = settings_of(arguments)
    report = Report(policy_of(arguments, settings.config, errors_stand=True), (messages(arguments, streams),))
    held = Held()
    terminal = Terminal(streams.columns(), COLOURED if streams.colour(arguments.get("--color", "auto"), product=True) else PLAIN)
    asked = Asked(arguments.all("--field"), wanted)
    for part in WRITERS[form](arguments, units(arguments, settings, streams, report), asked, terminal):
        held.put(part)
    report.finish()
    if not report.failed and not report.unreadable:
        asked.check()
    if report.failed or report.unreadable:
        held.close()
    else:
        held.release(streams)
    return report.exit_code


class Asked:
    """The fields and lines that are asked for, and which of them were found in some TrainJob."""

    def __init__(self, fields: tuple[str, ...], lines: tuple[tuple[str, int], ...]) -> None:
        self._fields = fields
        self._lines = lines
        self._found: set[object] = set()

    def of(self, unit: Unit) -> list[Tree]:
        """What a TrainJob has of it. Raises UsageError for what is no address."""
        from os.path import normpath

        from jobset_compiler.explain.fields import documents_of, fields_of, line_of

        told: list[Tree] = []
        for field in self._fields:
            try:
                found = fields_of(unit, field)
            except ValueError as error:
                raise UsageError(f"--field {field}: {error}") from None
            self._found.update([field] if found else [])
            told += found
        files = {normpath(document.file): document.file for document in documents_of(unit)}
        for file, line in self._lines:
            found = line_of(unit, files.get(normpath(file), ""), line)
            self._found.update([(file, line)] if found else [])
            told += found
        return told

    def check(self) -> None:
        """Raises UsageError for what no TrainJob has."""
        for field in self._fields:
            if field not in self._found:
                raise UsageError(f"--field {field}: neither the objects nor the TrainJobs and runtimes have such a field")
        for file, line in self._lines:
            if (file, line) not in self._found:
                raise UsageError(f"--line {file}:{line}: no field of a TrainJob, or of the runtime of one, begins there")


def _line(text: str) -> tuple[str, int]:
    file, _, line = text.rpartition(":")
    if not file or not line.isdecimal():
        raise UsageError(f"--line is FILE:LINE, such as job.yaml:12, not {text!r}")
    return STDIN if file == "-" else file, int(line)


def _text(arguments: Arguments, found: Iterator[Unit], asked: Asked, terminal: Terminal) -> Iterator[str]:
    """The parts of the text."""
    if arguments.has("--ignore-differences"):
        yield "ignoreDifferences:\n"
        for unit in found:
            yield _ignore_differences(explanation(unit))
        return
    separator = ""
    for unit in found:
        if arguments.has("--field") or arguments.has("--line"):
            from jobset_compiler.explain.fields import lines

            told = lines(unit, asked.of(unit))
        elif arguments.has("--names"):
            told = text.names(explanation(unit))
        else:
            told = text.story(explanation(unit), gitops=arguments.has("--gitops"))
        shown = "".join(f"{line}\n" for line in lay_out(told, terminal.width, terminal.style))
        if shown:
            yield separator + shown
            separator = "\n"


def _json(arguments: Arguments, found: Iterator[Unit], asked: Asked, terminal: Terminal) -> Iterator[str]:
    """One document; with a part asked for, only that part of each TrainJob."""
    from jobset_compiler.diagnostics.inert import json_text

    keys = {"--names": "names", "--ignore-differences": "mutatedFields"}
    wanted = next((key for option, key in keys.items() if arguments.has(option)), "")
    told = []
    for unit in found:
        if arguments.has("--field") or arguments.has("--line"):
            told.append({"trainJob": explanation(unit)["trainJob"], "fields": asked.of(unit)})
        else:
            whole = explanation(unit)
            told.append({"trainJob": whole["trainJob"], wanted: whole[wanted]} if wanted else whole)
    yield json_text({"format": FORMAT, "trainJobs": told}, 2) + "\n"


def _mermaid(arguments: Arguments, found: Iterator[Unit], asked: Asked, terminal: Terminal) -> Iterator[str]:
    from jobset_compiler.explain.mermaid import flowchart

    yield from (f"{line}\n" for line in flowchart(map(explanation, found)))


WRITERS = {"text": _text, "json": _json, "mermaid": _mermaid}


def _ignore_differences(told: Tree) -> str:
    """An entry of spec.ignoreDifferences for one TrainJob; "" for one that no cluster changes."""
    from jobset_compiler.emit.yaml import document

    if not told["mutatedFields"]:
        return ""
    job = told["trainJob"]
    pointers = [entry["jsonPointer"] for entry in told["mutatedFields"]]
    entry = {"group": "trainer.kubeflow.org", "kind": "TrainJob", "namespace": job["namespace"], "name": job["name"], "jsonPointers": pointers}
    return document({"ignoreDifferences": [entry]}).partition("\n")[2]
