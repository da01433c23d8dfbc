"""Which documents are ours, and the first verdict on each: kind, schema, CEL, Go types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.admission import trainjob_defaulter as defaulter
from jobset_compiler.admission.schema import admit_document
from jobset_compiler.admission.subject import subject_of
from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.api.trainjob import API_VERSION, GROUP
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import ERROR
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.dialects.known import V1_GROUP, V1_KINDS, is_known, is_preview
from jobset_compiler.kube.retype import retype
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jobset_compiler.admission.given import Given
    from jobset_compiler.diagnostics.fix import Remedy
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.retype import DecodeProblem
    from jobset_compiler.kube.structural import FieldError
    from jobset_compiler.profiles import Profile
    from jobset_compiler.request.options import Options
    from jobset_compiler.source.document import Document

TRAIN_JOB = "TrainJob"
KINDS = (TRAIN_JOB, NAMESPACED_KIND, CLUSTER_KIND)
TYPES = {TRAIN_JOB: "trainer.TrainJob", NAMESPACED_KIND: "trainer.TrainingRuntime", CLUSTER_KIND: "trainer.ClusterTrainingRuntime"}
# Why the schema refuses a value that is none of its words.
UNSUPPORTED = "FieldValueNotSupported"
# What both kinds of runtimes have in their names.
RUNTIME_WORD = "TrainingRuntime"


class Admitted(Value):
    """A document of ours after pruning and defaults; `value` is what the server would store if nothing stands against it.

    typed: that after Go's round trip, where a webhook has read it already.
    """

    __slots__ = ("diagnostics", "document", "kind", "typed", "value")

    def __init__(self, document: Document, kind: str, value: dict[str, Any], diagnostics: tuple[Diagnostic, ...], typed: dict[str, Any] | None = None) -> None:
        self.document: Final = document
        self.kind: Final = kind
        self.value: Final = value
        self.diagnostics: Final = diagnostics
        self.typed: Final = typed


def kind_of(value: object) -> str:
    """The kind of a TrainJob or runtime, of whatever version; "" for everything else, also for what another API group calls so."""
    if type(value) is not dict:
        return ""
    kind = value.get("kind")
    return kind if kind in KINDS and not _is_of_another_group(value.get("apiVersion")) else ""


def may_be_runtime(text: str) -> bool:
    """False only where no document in the text can be a runtime: the word is not there, nor anything that could spell it otherwise."""
    return RUNTIME_WORD in text or "\\" in text or "!" in text


def _is_of_another_group(version: object) -> bool:
    """Whether an apiVersion names a group that is none of Kubeflow's, nor a slip of the pen for ours."""
    if version == API_VERSION or not isinstance(version, str) or "/" not in version:
        return False
    group = version.partition("/")[0]
    if group == GROUP or group.endswith("kubeflow.org"):
        return False
    from difflib import get_close_matches

    return not get_close_matches(group.lower(), (GROUP,), 1, 0.75)


def select(documents: Sequence[Document]) -> tuple[list[Document], list[Diagnostic]]:
    """The TrainJobs and runtimes among the documents, of whatever version; other kinds are skipped, documents without a kind refused."""
    ours: list[Document] = []
    report: list[Diagnostic] = []
    skipped: dict[str, int] = {}
    for document in documents:
        problem = not_an_object(document)
        if problem is not None:
            report.append(problem)
        elif kind_of(document.value):
            ours.append(document)
        elif is_older(document):
            report.append(of_older_api(document))
        else:
            kind = document.value["kind"]
            skipped[kind] = skipped.get(kind, 0) + 1
            report += about_skipped(document)
    return ours, [*report, *skipped_kinds(skipped)]


# What pages in Markdown have between two lines of --- at their beginning.
FRONT_MATTER = frozenset(("title", "layout", "date", "author", "authors", "tags", "categories", "draft", "permalink", "slug", "description", "weight"))


def not_an_object(document: Document) -> Diagnostic | None:
    """Why a document is no Kubernetes object; None when it is one: a mapping with a kind."""
    problem = _undecodable(document.value)
    if not problem:
        return None
    is_page = isinstance(document.value, dict) and document.index == 0 and not FRONT_MATTER.isdisjoint(document.value)
    is_diff = isinstance(document.value, dict) and "+kind" in document.value
    return Diagnostic(
        codes.schema.NOT_AN_OBJECT,
        problem,
        document=document,
        stage="decode",
        hint=codes.schema.DIFF_HINT if is_diff else codes.schema.FRONT_MATTER_HINT if is_page else codes.schema.NOT_AN_OBJECT_HINT,
    )


def is_older(document: Document) -> bool:
    """Whether an object is of an API that ours took the place of."""
    return document.value.get("apiVersion") != API_VERSION and is_known(document.value)


def of_older_api(document: Document) -> Diagnostic:
    """The error for such a document, where nobody asked to convert it."""
    kind, version = document.value["kind"], document.value["apiVersion"]
    if is_preview(kind, version):
        return _no_match(document, kind, version)
    from jobset_compiler.dialects.notes import older_api

    return older_api(document)


def about_skipped(document: Document) -> list[Diagnostic]:
    """What there is to say about a document of another kind: something for kinds that no release of Trainer has, and for other groups'
    kinds of our names."""
    kind, version = document.value["kind"], document.value.get("apiVersion")
    if kind in KINDS:
        message = f"{kind} of {version} is none of Kubeflow Trainer's: skipped"
        return [Diagnostic(codes.resolve.OTHER_GROUP, message, document=document, at=("apiVersion",), stage="decode", hint=f"ours is {API_VERSION}")]
    if isinstance(version, str) and version.startswith(f"{GROUP}/") and not kind.endswith("List"):
        return [_no_kind(document, KINDS)]
    if isinstance(version, str) and version.startswith(V1_GROUP) and kind.lower() in (known.lower() for known in V1_KINDS):
        return [_no_kind(document, tuple(V1_KINDS))]
    return []


def skipped_kinds(counts: Mapping[str, int]) -> list[Diagnostic]:
    """One line about the documents of other kinds, if there were any."""
    if not counts:
        return []
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    return [Diagnostic(codes.resolve.DOCUMENTS_SKIPPED, f"skipped documents of other kinds: {listed}", stage="decode")]


def _undecodable(value: object) -> str:
    """The decoder's own complaint about a document that is no object with a kind; "" when it is one."""
    if not isinstance(value, dict):
        shape = {list: "array", str: "string", bool: "bool"}.get(type(value), "number")
        return f"json: cannot unmarshal {shape} into Go value of type unstructured.detector"
    kind = value.get("kind")
    if not isinstance(kind, str) or not kind:
        from jobset_compiler.diagnostics.redaction import hidden
        from jobset_compiler.emit.json import compact

        return f"Object 'Kind' is missing in '{compact(hidden(value))}'"
    return ""


def _no_match(document: Document, kind: str, version: str) -> Diagnostic:
    from jobset_compiler.diagnostics.fix import insert_above, replace

    remedies: tuple[Remedy, ...] = ()
    if version:
        # No other group or version of Kubeflow's has these kinds, but for the one that has other fields.
        is_ours = "/" not in version or version.partition("/")[0].endswith("kubeflow.org")
        remedies = (replace(("apiVersion",), API_VERSION, safe=is_ours and not is_preview(kind, version)),)
    elif "apiVersion" not in document.value:
        remedies = (insert_above((next(iter(document.value)),), f"apiVersion: {API_VERSION}", safe=True),)
    return Diagnostic(
        codes.schema.NO_MATCH,
        f'no matches for kind "{kind}" in version "{version}"',
        document=document,
        at=("apiVersion",),
        path="apiVersion",
        stage="decode",
        hint=f"write apiVersion: {API_VERSION}" + codes.schema.NO_MATCH_HINTS.get(version, ""),
        remedies=remedies,
        subject=subject_of(document),
    )


def _no_kind(document: Document, kinds: tuple[str, ...]) -> Diagnostic:
    from difflib import get_close_matches

    from jobset_compiler.diagnostics.fix import replace

    kind = document.value["kind"]
    near = get_close_matches(kind.lower(), [known.lower() for known in kinds], n=1, cutoff=0.75)
    meant = next((known for known in kinds if known.lower() in near), "")
    return Diagnostic(
        codes.schema.NO_MATCH,
        f'no matches for kind "{kind}" in version "{document.value["apiVersion"]}"',
        document=document,
        at=("kind",),
        path="kind",
        stage="decode",
        hint=f"did you mean {meant}?" if meant else f"the kinds of {API_VERSION} are {', '.join(KINDS)}",
        remedies=(replace(("kind",), meant, safe=meant.lower() == kind.lower()),) if meant else (),
        subject=subject_of(document),
    )


def admit(document: Document, options: Options, was: dict[str, Any] | None = None) -> Admitted:
    """Version, schema and CEL of one document, with the namespace filled in as kubectl would; `was`: the object before an update."""
    value = document.value
    assert isinstance(value, dict)
    kind: str = value["kind"]
    version = value.get("apiVersion")
    if version != API_VERSION:
        return Admitted(document, kind, value, (_no_match(document, kind, version if isinstance(version, str) else ""),))
    if kind != CLUSTER_KIND and options.namespace:
        meta = value.get("metadata")
        if isinstance(meta, dict) and not meta.get("namespace"):
            value = {**value, "metadata": {**meta, "namespace": options.namespace}}
    defaults = kind == TRAIN_JOB and defaulter.has_defaulter(options.profile)
    verdict = admit_document(value, kind, options.profile, None if defaults else was)
    subject = subject_of(document)
    report: list[Diagnostic] = []
    if kind != TRAIN_JOB and verdict.errors and options.admits:
        own, verdict = verdict, admit_document(value, kind, options.profile, was, options.admits)
        report += _admitted(document, own.errors, verdict.errors, options)
    # What stands in something of the wrong type is told once, with that.
    renamed: dict[Path, str] = {}  # what misspelt fields are meant to be
    misfits = [error.path for error in verdict.errors if error.kind == "FieldValueTypeInvalid"]
    for pruned in verdict.pruned if options.validate != "ignore" else ():
        if any(pruned.path[: len(path)] == path for path in misfits):
            continue
        from jobset_compiler.admission.hints import advise_unknown

        advice = advise_unknown(pruned.path, kind, options.profile, document)
        renamed |= {remedy.result: str(pruned.path[-1]) for remedy in advice.remedies if remedy.result}
        report.append(
            Diagnostic(
                codes.schema.UNKNOWN_FIELD,
                f"strict decoding error: {pruned.message}" if options.validate == "strict" else pruned.message,
                document=document,
                at=pruned.path,
                path=format_path(pruned.path),
                on_key=True,
                stage="schema",
                hint=advice.hint,
                remedies=advice.remedies,
                severity=ERROR if options.validate == "strict" else None,
                subject=subject,
            )
        )
    typed = None
    if defaults:
        verdict, typed, refused = defaulter.mutate(document, verdict, options.profile, was)
        if refused:
            return Admitted(document, kind, verdict.value, (*report, *refused))
    for error in verdict.errors:
        from jobset_compiler.admission.value_hints import advise_value, is_about_the_name

        retold = None if was is None or typed is None else defaulter.about_quantities(error, document, verdict.value, typed, was, options.profile)
        if retold is not None:
            report.append(retold)
            continue
        advice = advise_value(error, document, kind, options.profile, renamed)
        report.append(
            Diagnostic(
                codes.schema.for_kind(error.kind),
                error.summary,
                document=document,
                at=("metadata", "name") if is_about_the_name(error) else error.place,
                path=format_path(error.path) if error.path else "",
                stage="schema",
                hint=advice.hint,
                remedies=advice.remedies,
                subject=subject,
            )
        )
    return Admitted(document, kind, verdict.value, tuple(report), typed)


def _admitted(document: Document, own: tuple[FieldError, ...], left: tuple[FieldError, ...], options: Options) -> list[Diagnostic]:
    """What the release alone has against values of a runtime that passes admit; own: its errors, left: those that stand."""
    refused = {error.path for error in left if error.kind == UNSUPPORTED}
    return [
        Diagnostic(
            codes.extensions.VALUE_ADMITTED,
            f"{format_path(error.path)}: no release of Trainer accepts {error.shown}; {_admitting(error, options)} renders it",
            document=document,
            at=error.place,
            path=format_path(error.path),
            stage="schema",
            subject=subject_of(document),
        )
        for error in own
        if error.kind == UNSUPPORTED and error.path not in refused
    ]


def _admitting(error: FieldError, options: Options) -> str:
    """Who admits the value that the release refuses."""
    steps = (step for step in options.passes for entry in step.admits if entry.field == error.path[-1] and error.value in entry.values)
    step = next(steps)
    return f"extension {step.extension}" if step.extension else f"pass {step.name}"


def type_check(admitted: Admitted, profile: Profile) -> tuple[dict[str, Any], list[Diagnostic]]:
    """The typed value (Go's round trip), and what Go refuses although the schema let it through."""
    if admitted.typed is not None:
        return admitted.typed, []
    typed, problems = retype(admitted.value, profile.types(), TYPES[admitted.kind])
    return {"apiVersion": API_VERSION, "kind": admitted.kind, **typed}, _refusals(admitted.document, problems) if problems else []


def _refusals(document: Document, problems: Sequence[DecodeProblem]) -> list[Diagnostic]:
    from jobset_compiler.admission.undecodable import refusals

    return refusals(document, problems)


def defined_again(document: Document, given: Given) -> list[Diagnostic]:
    """A warning for a TrainJob that an earlier document of the same file defines as well; `given` has the lines of those, and learns this one.

    Files may repeat each other: overlays of one repository do. Objects without text belong together.
    """
    subject, is_text = subject_of(document), bool(document.start_line)
    first = given.first_line((document.file if is_text else "", *subject), document.start_line) if subject[2] else None
    if first is None:
        return []
    where = f" (first in line {first})" if is_text else ""
    message = f"TrainJob {subject[1]}/{subject[2]} is defined again{where}: a cluster would change the first one"
    return [Diagnostic(codes.resolve.TRAINJOB_GIVEN_TWICE, message, document=document, at=("metadata", "name"), stage="resolve", subject=subject)]
