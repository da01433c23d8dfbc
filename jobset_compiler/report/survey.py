"""What a report tells: the TrainJobs of an input, each with all that the library says of it, and their sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.diagnostics.codes.code import WARNING
from jobset_compiler.diagnostics.report import by_place
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.diff import compile_side
from jobset_compiler.explain import explanation
from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.report.beside import beside, written_input
from jobset_compiler.report.picture import picture_of
from jobset_compiler.report.releases import elsewhere

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.report import Policy
    from jobset_compiler.diagnostics.settled import SettledDiagnostic
    from jobset_compiler.diff.side import ComparedJob, Side
    from jobset_compiler.library.sources import Source
    from jobset_compiler.profiles import Profile
    from jobset_compiler.report.beside import SideBySide, Text
    from jobset_compiler.report.picture import Picture
    from jobset_compiler.report.releases import Elsewhere
    from jobset_compiler.request.options import Options

Tree = dict[str, Any]
REFUSED, WARNED, FINE = "refused", "warnings", "fine"


class Sums(NamedTuple):
    """Of a TrainJob, or of all of a namespace. memory: what all pods request together, "" for none."""

    pods: int
    gpus: int
    memory: str


class Sheet(NamedTuple):
    """One TrainJob. verdict: "refused", "warnings" or "fine"; of one that is refused there is only the input and what is wrong with it."""

    number: int
    namespace: str
    name: str
    file: str
    line: int
    verdict: str
    findings: tuple[SettledDiagnostic, ...]
    sums: Sums | None
    told: Tree | None
    picture: Picture | None
    beside: SideBySide | None
    written: Text | None
    elsewhere: tuple[Elsewhere, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity."""
        severities = [finding.severity for finding in self.findings]
        return {severity: severities.count(severity) for severity in dict.fromkeys(severities)}


class Namespace(NamedTuple):
    """The sums of a namespace over the TrainJobs that are not refused."""

    name: str
    trainjobs: int
    refused: int
    sums: Sums


class Survey(NamedTuple):
    """findings: those that belong to no TrainJob (runtimes, unreadable files); side: the compile that all is a view of."""

    profile: Profile
    sheets: tuple[Sheet, ...]
    namespaces: tuple[Namespace, ...]
    findings: tuple[SettledDiagnostic, ...]
    side: Side


def survey(sources: Sequence[Source], options: Options, policy: Policy) -> Survey:
    """Compiles the sources under the release of the options, and under the others to compare.

    A TrainJob that is refused hides nothing of the others. policy: which diagnostics are left out, or taken more or less seriously.
    """
    side = compile_side(sources, options, options.profile.name, policy)
    others = elsewhere(side, sources, policy)
    sheets = tuple(_sheet(number, job, others.get(job.key, ())) for number, job in enumerate(side.jobs, 1))
    return Survey(options.profile, sheets, tuple(_namespaces(sheets)), _settled(side.other), side)


def _settled(diagnostics: Sequence[Diagnostic]) -> tuple[SettledDiagnostic, ...]:
    return tuple(map(settle, by_place(diagnostics)))


def _sheet(number: int, job: ComparedJob, others: tuple[Elsewhere, ...]) -> Sheet:
    findings = _settled(job.diagnostics)
    span = job.document.locate(())
    head = (number, job.key[0], job.key[1], span.file, span.line)
    unit = job.unit
    if unit is None:
        return Sheet(*head, REFUSED, findings, None, None, None, None, written_input(job.document), ())
    told = explanation(unit)
    verdict = WARNED if any(finding.severity == WARNING for finding in findings) else FINE
    return Sheet(*head, verdict, findings, _sums_of(told), told, picture_of(unit, told), beside(unit), None, others)


def _sums_of(told: Tree) -> Sums:
    gpus = sum((job["gpusPerPod"] or 0) * job["pods"] for job in told["jobs"])
    return Sums(told["total"]["pods"], gpus, told["total"]["requests"].get("memory", ""))


def _namespaces(sheets: Sequence[Sheet]) -> list[Namespace]:
    names = dict.fromkeys(sheet.namespace for sheet in sheets)
    return [_namespace(name, [sheet for sheet in sheets if sheet.namespace == name]) for name in sorted(names)]


def _namespace(name: str, sheets: Sequence[Sheet]) -> Namespace:
    counted = [sheet.sums for sheet in sheets if sheet.sums is not None]
    memory = [Quantity.parse(sums.memory) for sums in counted if sums.memory]
    total = sum(memory[1:], memory[0]).text if memory else ""
    sums = Sums(sum(one.pods for one in counted), sum(one.gpus for one in counted), total)
    return Namespace(name, len(sheets), len(sheets) - len(counted), sums)
