"""Migration: texts with documents of older APIs, or of older spellings, in; the same texts for the chosen release out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.api.trainjob import API_VERSION
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.dialects.conversion import convert
from jobset_compiler.dialects.document import ConvertedDocument
from jobset_compiler.dialects.notes import output_refused
from jobset_compiler.dialects.wishes import Wishes
from jobset_compiler.dialects.writing.file import rewrite
from jobset_compiler.emit.yaml import to_yaml
from jobset_compiler.extensions import with_extensions
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.pipeline import compile_documents, target_of
from jobset_compiler.request.options import Options
from jobset_compiler.source.diagnose import diagnose
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.dialects.results import Converted
    from jobset_compiler.profiles import TrainerVersion
    from jobset_compiler.source.document import Document
AS_BY_DEFAULT = Wishes()


class Migration(NamedTuple):
    """What became of one text. text: the new one, with its comments; documents: its TrainJobs and runtimes, as plain dicts, () with an error;
    diagnostics: what was left out or changed its meaning, at the places of the old text, and what the release says to the new documents."""

    file: str
    old: str
    text: str
    documents: tuple[dict[str, Any], ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no error: with one, some document could not be migrated, and `text` is the old text."""
        return not any(diagnostic.is_error for diagnostic in self.diagnostics)

    @property
    def changed(self) -> bool:
        return self.text != self.old

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """The same as `diagnostics`."""
        return self.diagnostics

    def to_yaml(self) -> str:
        """The documents without comments, in canonical form."""
        return to_yaml(self.documents)


def migrate(
    text: str,
    *,
    trainer_version: TrainerVersion | str | None = None,
    bundled_runtimes: bool = True,
    wishes: Wishes = AS_BY_DEFAULT,
    extensions: Sequence[str] = (),
    file: str = "<input>",
) -> Migration:
    """Rewrite the documents of older APIs and spellings in a text of YAML or JSON documents for a release.

    trainer_version and extensions as of `compile_yaml`: what one of them renders may stay.
    Bad input never raises; what is no text is a TypeError. A text with nothing to migrate comes back as
    it is, and so does one that was migrated before.
    """
    from jobset_compiler.library import arguments
    from jobset_compiler.library.calls import resolve_profile

    arguments.text(text, "migrate")
    arguments.names(extensions, "extensions")
    passes = with_extensions(BUILTIN, extensions)
    options = Options(profile=resolve_profile(trainer_version), bundled_runtimes=bundled_runtimes, convert=wishes, passes=passes)
    return migrate_texts(((file, text),), options)[0]


def migrate_texts(texts: Sequence[tuple[str, str]], options: Options, runtimes: Sequence[Document] = ()) -> list[Migration]:
    """(file, text) pairs, looked at together; `runtimes` are further documents that TrainJobs may refer to: they stay as they are, and what they cannot
    say in that release any more is written into the TrainJobs."""
    read = [(file, text, *read_text(text, file)) for file, text in texts]
    results = iter(convert([*(document for _, _, documents, _ in read for document in documents), *runtimes], target_of(options)))
    converted = [[next(results) for _ in documents] for _, _, documents, _ in read]
    verdicts = _verdicts([result for of_file in converted for result in of_file], runtimes, options)
    done = []
    for (file, text, documents, problems), of_file in zip(read, converted, strict=True):
        report = list(diagnose(problems))
        for result in of_file:
            report += result.diagnostics
            report += verdicts.get(id(result.old), ())
        failed = any(diagnostic.is_error for diagnostic in report)
        new = text if failed or not documents else rewrite(text, of_file)
        ours = () if failed else tuple(document.value for result in of_file for document in result.documents if _is_ours(document))
        done.append(Migration(file, text, new, ours, tuple(report)))
    return done


def _is_ours(document: Document) -> bool:
    return isinstance(document.value, dict) and document.value.get("apiVersion") == API_VERSION


def _verdicts(results: Sequence[Converted], runtimes: Sequence[Document], options: Options) -> dict[int, list[Diagnostic]]:
    """What the release says to what is written, by the old document: errors and warnings about new documents, and for an error that it is so; of
    documents that stay as they are, errors."""
    documents = [document for result in results for document in result.documents if _is_ours(document)]
    checking = options._replace(convert=None, ignore_missing_runtime=True)
    found: dict[int, list[Diagnostic]] = {}
    for diagnostic in compile_documents([*documents, *runtimes], (), checking).diagnostics:
        document = diagnostic.document
        if isinstance(document, ConvertedDocument) and diagnostic.severity != INFO:
            found.setdefault(id(document.old), []).append(diagnostic)
        elif document is not None and diagnostic.is_error:
            found.setdefault(id(document), []).append(diagnostic)
    for result in results:
        said = found.get(id(result.old), [])
        if result.outputs and any(diagnostic.is_error for diagnostic in said):
            name = options.profile.name
            said.append(output_refused(result.old, f"{name} refuses what this {result.old.value['kind']} becomes", "the errors beside this one say why"))
    return found
