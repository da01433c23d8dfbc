"""What is told of the place under the cursor: what the field means in the release, and what it comes to."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from jobset_compiler.admission.documents import kind_of
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.diagnostics.inert import code
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.explain.fields import nothing
from jobset_compiler.lsp.analysis import named_by
from jobset_compiler.lsp.cursor import cursor_at
from jobset_compiler.lsp.effects import in_words
from jobset_compiler.lsp.fields import Meaning, meaning_of, values_of
from jobset_compiler.lsp.names import is_runtime, is_trainjob
from jobset_compiler.lsp.sketch import sketch_at
from jobset_compiler.pipeline import compile_documents
from jobset_compiler.provenance.effects import effects_of
from jobset_compiler.resolve.catalog import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.kube.table import TypeTable
    from jobset_compiler.lsp.analysis import Analysis
    from jobset_compiler.lsp.cursor import Cursor
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.source.document import Document

# TrainJobs for which it is told what a line of a runtime comes to.
MOST_UNITS = 3
LIMITS = (("minimum", "at least"), ("maximum", "at most"), ("maxLength", "characters at most"), ("maxItems", "items at most"))


def hover(analysis: Analysis, offset: int, around: Iterable[Document] = ()) -> tuple[str, int, int] | None:
    """Markdown, and start and end of what it is about; None where nothing of ours stands there.

    around: documents of other files, whose TrainJobs say what a runtime comes to that none beside it uses.
    """
    cursor = cursor_at(analysis.documents, analysis.lines, offset)
    if cursor is None:
        return _of_broken(analysis, offset)
    if not isinstance(cursor.document.value, dict):
        return None
    kind = kind_of(cursor.document.value)
    parts = [_meaning(analysis, kind, cursor.path)] if kind else []
    parts += [_effects(analysis, cursor, around)]
    text = "\n\n".join(filter(None, parts))
    return (text, cursor.start, cursor.end) if text and cursor.path else None


def _of_broken(analysis: Analysis, offset: int) -> tuple[str, int, int] | None:
    """Of a text that cannot be read, while somebody types in it, at least what the field means."""
    sketch = sketch_at(analysis.lines.text, offset)
    if sketch is None or not sketch.kind or sketch.key is None:
        return None
    text = _meaning(analysis, sketch.kind, (*sketch.path, sketch.key))
    return (text, sketch.start, sketch.end) if text else None


def _meaning(analysis: Analysis, kind: str, path: Path) -> str:
    profile = analysis.setup.options.profile
    found = meaning_of(profile.types(), kind, path)
    if found is None:
        return ""
    head = f"{code(format_path(path))} {found.type} (Kubeflow Trainer {profile.name})"
    return "\n\n".join(filter(None, (head, found.text, ", ".join(_facts(profile.types(), found)))))


def _facts(table: TypeTable, found: Meaning) -> Iterator[str]:
    field = found.field
    if field.required:
        yield "required"
    if field.has_default:
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
        yield f"default {code(default)}"
    values = values_of(table, found)
    if values and field.kind != "bool":
        yield f"one of {', '.join(map(code, values))}"
    for keyword, words in LIMITS:
        if keyword in field.constraints:
            limit = field.constraints[keyword]
            yield f"{words} {limit}" if words.startswith("at ") else f"{limit} {words}"
    if found.examples:
        yield f"for example {', '.join(code(str(example)) for example in found.examples[:2])}"


def _effects(analysis: Analysis, cursor: Cursor, around: Iterable[Document]) -> str:
    units = analysis.units_of(cursor.document) or _users(analysis, cursor.document, around)
    told = []
    for unit in units[:MOST_UNITS]:
        lines = in_words(unit, effects_of(unit, cursor.document, cursor.path))
        if not lines and cursor.path[:1] == ("spec",):
            lines = [nothing(format_path(cursor.path))]
        if lines:
            job = unit.plan.job
            told.append("\n".join((f"Comes to, for TrainJob {code(f'{job.namespace}/{job.name}')}:\n", *(f"- {line}" for line in lines))))
    if told and len(units) > MOST_UNITS:
        told.append(f"and {counted(len(units) - MOST_UNITS, 'other TrainJob')}")
    return "\n\n".join(told)


def _users(analysis: Analysis, runtime: Document, around: Iterable[Document]) -> tuple[Unit, ...]:
    """What TrainJobs of other files become with a runtime; of as many as are shown."""
    if not is_runtime(runtime):
        return ()
    key, options = key_of(runtime.value), analysis.setup.options
    jobs = islice((document for document in around if is_trainjob(document) and named_by(document) == key), MOST_UNITS)
    return tuple(unit for job in jobs for unit in compile_documents((runtime, job), (), options).units)
