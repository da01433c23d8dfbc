"""What there is to say about a conversion: each finding once, as a diagnostic at the old place and as a comment at the new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.dialects.results import Comment

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.diagnostic import Stage
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.source.document import Document

STAGE: Stage = "convert"
# Which of the new documents a comment stands in; CARRIED: the one to which what stands at the path of the old one has been carried.
JOB, RUNTIME, CARRIED = "TrainJob", "TrainingRuntime", "carried"


class Where(NamedTuple):
    """A place in one of the new documents: JOB or RUNTIME, and the path; or, with CARRIED, a place in the old one."""

    output: str
    path: Path


def in_job(*path: str | int) -> Where:
    return Where(JOB, path)


def in_runtime(*path: str | int) -> Where:
    return Where(RUNTIME, path)


def where_carried(*path: str | int) -> Where:
    return Where(CARRIED, path)


def subject_of(document: Document) -> tuple[str, str, str]:
    """(kind, namespace, name) of a document, as far as it has them."""
    value = document.value if isinstance(document.value, dict) else {}
    meta = value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    return str(value.get("kind", "")), str(meta.get("namespace") or ""), str(meta.get("name") or "")


class Notes:
    """The notes of one conversion, in the order in which they were made."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.diagnostics: list[Diagnostic] = []
        self.comments: list[tuple[Where, Comment]] = []

    @property
    def failed(self) -> bool:
        return any(diagnostic.is_error for diagnostic in self.diagnostics)

    def remark(self, where: Where, text: str, *, inline: bool = True) -> None:
        """A comment that explains what is written; nothing to warn of."""
        self.comments.append((where, Comment(where.path, text, inline)))

    def refused(self, at: Path, message: str, hint: str = "") -> None:
        """The older API would refuse it; the message in its words."""
        self._error(codes.dialects.REFUSED_THERE, at, message, hint)

    def no_rules(self, at: Path, message: str, hint: str) -> None:
        self._error(codes.dialects.NO_RULES, at, message, hint)

    def no_equivalent(self, at: Path, message: str, hint: str = "") -> None:
        self._error(codes.dialects.NO_EQUIVALENT, at, message, hint)

    def replicas_differ(self, at: Path, message: str, hint: str, other: Path) -> None:
        self._error(codes.dialects.TEMPLATES_DIFFER, at, message, hint, (Note("the other one", self.document, other),))

    def cannot_hold(self, at: Path, message: str, hint: str) -> None:
        self._error(codes.dialects.RUNTIME_CANNOT_HOLD, at, message, hint)

    def role_unclear(self, at: Path, message: str, hint: str) -> None:
        self._error(codes.dialects.ROLE_UNCLEAR, at, message, hint)

    def two_vocabularies(self, at: Path, message: str, hint: str, other: Note) -> None:
        self._error(codes.dialects.TWO_VOCABULARIES, at, message, hint, (other,))

    def needs_extension(self, at: Path, message: str, hint: str) -> None:
        self._error(codes.dialects.MPI_NEEDS_EXTENSION, at, message, hint)

    def not_carried(self, at: Path, message: str, where: Where, hint: str = "") -> None:
        """A field that is left out without loss."""
        self._say(codes.dialects.NOT_CARRIED, at, message, where, hint)

    def works_otherwise(self, at: Path, message: str, where: Where, hint: str = "") -> None:
        """A field that is left out, or kept, and then does not do what it did."""
        self._say(codes.dialects.WORKS_OTHERWISE, at, message, where, hint)

    def ends_otherwise(self, at: Path, message: str, where: Where, hint: str = "") -> None:
        self._say(codes.dialects.ENDS_OTHERWISE, at, message, where, hint)

    def elastic(self, at: Path, message: str, where: Where, hint: str = "") -> None:
        self._say(codes.dialects.ELASTIC_FIXED, at, message, where, hint)

    def variables_written(self, at: Path, message: str, where: Where) -> None:
        self._say(codes.dialects.V1_VARIABLES, at, message, where, "--no-v1-env leaves them out")

    def variable_twice(self, at: Path, message: str, where: Where) -> None:
        self._say(codes.dialects.VARIABLE_TWICE, at, message, where)

    def processes(self, at: Path, message: str, where: Where, hint: str = "") -> None:
        self._say(codes.dialects.PROCESSES_NEED_GPUS, at, message, where, hint)

    def by_ssh(self, at: Path, message: str, where: Where, hint: str = "") -> None:
        self._say(codes.dialects.RANKS_BY_SSH, at, message, where, hint)

    def old_name(self, at: Path, message: str, where: Where) -> None:
        self._say(codes.dialects.OLD_HOST_NAME, at, message, where)

    def relabelled(self, at: Path, message: str) -> None:
        self._say(codes.dialects.RELABELLED, at, message, None)

    def now_effective(self, at: Path, message: str, where: Where, hint: str = "") -> None:
        """Something that the older controller ignored or lost."""
        self._say(codes.dialects.NOW_EFFECTIVE, at, message, where, hint)

    def documented_only(self, at: Path, message: str) -> None:
        self._say(codes.dialects.DOCUMENTED_ONLY, at, message, None)

    def role_taken(self, at: Path, message: str) -> None:
        self._say(codes.dialects.ROLE_TAKEN, at, message, None)

    def moved(self, at: Path, message: str, where: Where, hint: str = "") -> None:
        """A number of processes that each TrainJob says now."""
        self._say(codes.dialects.MOVED_TO_TRAINJOBS, at, message, where, hint)

    def _error(self, code: Code, at: Path, message: str, hint: str, notes: tuple[Note, ...] = ()) -> None:
        self._add(code, at, message, hint, notes)

    def _say(self, code: Code, at: Path, message: str, where: Where | None, hint: str = "") -> None:
        self._add(code, at, message, hint)
        if where is not None:
            self.comments.append((where, Comment(where.path, message, about=at)))

    def _add(self, code: Code, at: Path, message: str, hint: str, notes: tuple[Note, ...] = ()) -> None:
        document = self.document
        path = format_path(at) if at else ""
        self.diagnostics.append(
            Diagnostic(code, message, document=document, at=at, path=path, hint=hint, stage=STAGE, notes=notes, subject=subject_of(document))
        )


def older_api(document: Document) -> Diagnostic:
    """The error for a document of an older API that nobody asked to convert: the server's words, and both ways on."""
    value = document.value
    return Diagnostic(
        codes.dialects.OLDER_API,
        f'no matches for kind "{value["kind"]}" in version "{value["apiVersion"]}"',
        document=document,
        at=("apiVersion",),
        path="apiVersion",
        stage="decode",
        hint="rewrite it with `jobset-compiler migrate`, or compile it as it is with --convert (convert=True in the library)",
        subject=subject_of(document),
    )


def output_refused(document: Document, message: str, hint: str) -> Diagnostic:
    """The error for a document whose migrated form the release refuses."""
    return Diagnostic(codes.dialects.OUTPUT_REFUSED, message, document=document, at=("kind",), stage=STAGE, hint=hint, subject=subject_of(document))
