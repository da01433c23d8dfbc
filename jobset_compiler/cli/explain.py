"""`explain`: what will really run. Nodes, pods, processes and GPUs, names, labels, and where each value comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import COMPILING, FAIL_ON, FILENAME, MESSAGES, messages, policy_of, settings_of
from jobset_compiler.cli.streams import Held
from jobset_compiler.cli.units import units
from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.diagnostics.report import Report
from jobset_compiler.explain import FORMAT, explanation, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.objects.unit import Unit

    Tree = dict[str, Any]

# What can be asked for instead of everything; at most one of them.
PARTS = ("--field", "--names", "--ignore-differences")

VERB = Verb(
    "explain",
    "say what a TrainJob will really run, and where each value comes from",
    """
Per TrainJob: the runtime with a digest, the sum behind the PodGroup's minMember, and per replicatedJob how many pods, how many processes a pod and the \
chain of reasons for that, what they request, and for each container image, every word of the command line and each variable with the line of input, the pass \
of the compiler or the default that it comes from; then where labels and annotations land, and what a cluster fills in.

With --field only that field of the JobSet is explained, with its whole chain of origins.
""",
    (
        Option(("-o", "--output"), "form of the output; default text", "FORMAT", choices=("text", "json", "mermaid")),
        Option(("--field",), "explain one field of the JobSet, such as spec.replicatedJobs[name=node].replicas", "PATH", many=True),
        Option(("--names",), "only the names that will exist: objects, Jobs, pods, the Service, host names, and how long they may be"),
        Option(("--ignore-differences",), "only the fields that a cluster fills in, as ignoreDifferences of an Argo CD Application"),
        FILENAME,
        *COMPILING,
        FAIL_ON,
        *MESSAGES,
    ),
    (
        ("jobset-compiler explain job.yaml", "everything that runs"),
        ("jobset-compiler explain job.yaml -r runtime.yaml --trainer-version v2.2", "with your runtime, in another release"),
        ("jobset-compiler explain job.yaml --field 'spec.replicatedJobs[name=node].template.spec.parallelism'", ""),
        ("jobset-compiler explain job.yaml --names", "what will it all be called?"),
        ("jobset-compiler explain job.yaml -o mermaid", "jobs, their order and pods as a picture for GitHub or a wiki"),
        ("jobset-compiler explain job.yaml -o json | jq '.trainJobs[].jobs[].processes'", "for programs"),
    ),
    takes="[PATH... | -]",
    most=-1,
)


def run(arguments: Arguments, streams: Streams) -> int:
    if sum(map(arguments.has, PARTS)) > 1:
        raise UsageError(f"{', '.join(PARTS)} exclude each other")
    form = arguments.get("--output", "text")
    if form == "mermaid" and any(map(arguments.has, PARTS)):
        raise UsageError(f"-o mermaid draws jobs, their order and pods: leave out {', '.join(filter(arguments.has, PARTS))}")
    settings = settings_of(arguments)
    report = Report(policy_of(arguments, settings.config, errors_stand=True), (messages(arguments, streams),))
    held = Held()
    for part in WRITERS[form](arguments, units(arguments, settings, streams, report)):
        held.put(part)
    report.finish()
    if report.failed or report.unreadable:
        held.close()
    else:
        held.release(streams)
    return report.exit_code


def _text(arguments: Arguments, found: Iterator[Unit]) -> Iterator[str]:
    """The parts of the text."""
    if arguments.has("--ignore-differences"):
        yield "ignoreDifferences:\n"
        for unit in found:
            yield _ignore_differences(explanation(unit))
        return
    separator = ""
    for unit in found:
        if arguments.has("--field"):
            lines = _fields(unit, arguments.all("--field"))
        else:
            lines = (text.names if arguments.has("--names") else text.story)(explanation(unit))
        yield separator + "".join(f"{one_line(line.rstrip())}\n" for line in lines)
        separator = "\n"


def _json(arguments: Arguments, found: Iterator[Unit]) -> Iterator[str]:
    """One document; with a part asked for, only that part of each TrainJob."""
    from jobset_compiler.diagnostics.inert import json_text

    keys = {"--names": "names", "--ignore-differences": "mutatedFields"}
    wanted = next((key for option, key in keys.items() if arguments.has(option)), "")
    told = []
    for unit in found:
        if arguments.has("--field"):
            told.append({"trainJob": explanation(unit)["trainJob"], "fields": _fields_as_json(unit, arguments.all("--field"))})
        else:
            whole = explanation(unit)
            told.append({"trainJob": whole["trainJob"], wanted: whole[wanted]} if wanted else whole)
    yield json_text({"format": FORMAT, "trainJobs": told}, 2) + "\n"


def _mermaid(arguments: Arguments, found: Iterator[Unit]) -> Iterator[str]:
    from jobset_compiler.explain.mermaid import flowchart

    yield from (f"{line}\n" for line in flowchart(map(explanation, found)))


WRITERS = {"text": _text, "json": _json, "mermaid": _mermaid}


def _chain(unit: Unit, field: str) -> tuple[Any, ...]:
    from jobset_compiler.provenance.origins import origin_of

    jobset = unit.objects[0]
    try:
        return origin_of(unit, jobset, field)
    except (KeyError, ValueError) as error:
        raise UsageError(f"--field {field}: JobSet {jobset['metadata']['name']} has no such field ({error.args[0]})") from None


def _fields(unit: Unit, fields: tuple[str, ...]) -> Iterator[str]:
    metadata = unit.objects[0]["metadata"]
    for field in fields:
        chain = _chain(unit, field)
        yield f"{field} of JobSet {metadata['namespace']}/{metadata['name']}"
        for origin in chain:
            yield f"  {origin}"


def _fields_as_json(unit: Unit, fields: tuple[str, ...]) -> list[Tree]:
    from jobset_compiler.explain.origin import as_json

    return [{"field": field, "origin": [as_json(origin) for origin in _chain(unit, field)]} for field in fields]


def _ignore_differences(told: Tree) -> str:
    """An entry of spec.ignoreDifferences for one TrainJob; "" for one that no cluster changes."""
    from jobset_compiler.emit.yaml import document

    if not told["mutatedFields"]:
        return ""
    job = told["trainJob"]
    pointers = [entry["jsonPointer"] for entry in told["mutatedFields"]]
    entry = {"group": "trainer.kubeflow.org", "kind": "TrainJob", "namespace": job["namespace"], "name": job["name"], "jsonPointers": pointers}
    return document({"ignoreDifferences": [entry]}).partition("\n")[2]
