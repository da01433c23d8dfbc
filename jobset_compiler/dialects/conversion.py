"""All dialects, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.dialects.known import is_known, is_ome, is_preview, is_v1
from jobset_compiler.dialects.results import Converted
from jobset_compiler.dialects.shapes import misfits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jobset_compiler.dialects.results import Output
    from jobset_compiler.dialects.wishes import Target
    from jobset_compiler.source.document import Document


def convert(documents: Sequence[Document], target: Target) -> list[Converted]:
    """What becomes of each document, in order. They are looked at together: what a runtime is is told from the jobs that use it, and the other way round.

    Dialects end in documents of ours in whatever spelling they know; the spelling of the release is put on all of them at last.
    """
    from jobset_compiler.dialects.composed import composed
    from jobset_compiler.dialects.preview import convert_preview, speaks_preview
    from jobset_compiler.dialects.spellings import respell

    sound = [not isinstance(document.value, dict) or next(misfits(document.value), None) is None for document in documents]
    results = [
        Converted(document) if fits or not is_known(document.value) else _misshapen(document) for document, fits in zip(documents, sound, strict=True)
    ]
    readable = {id(document) for document, fits in zip(documents, sound, strict=True) if fits}
    if any(_is(document, is_v1) for document in documents):
        from jobset_compiler.dialects.v1 import convert_job

        _together(results, readable, lambda document: _is(document, is_v1), lambda chosen: [convert_job(document, target) for document in chosen])
    _together(results, readable, lambda document: _is(document, is_preview) or speaks_preview(document), convert_preview)
    if any(_is(document, is_ome) for document in documents):
        from jobset_compiler.dialects.ome import convert_ome

        _together(results, readable, lambda document: _is(document, is_ome), lambda chosen: convert_ome(chosen, target))
    ours = [document for result in results for document in result.documents if result.outputs is not None or id(document) in readable]
    respelt = {id(each.old): each for each in respell(ours, target)}
    return [_respelt(result, [respelt.get(id(document), Converted(document)) for document in result.documents], composed) for result in results]


def _misshapen(document: Document) -> Converted:
    """Of an object that its own schema refuses: that."""
    from jobset_compiler.dialects.notes import Notes

    notes = Notes(document)
    for misfit in misfits(document.value):
        path = format_path(misfit.path)
        notes.refused(misfit.path, f'{path}: Invalid value: "{misfit.found}": {path} in body must be of type {misfit.expected}: "{misfit.found}"')
    return Converted(document, (), tuple(notes.diagnostics))


def _is(document: Document, test: Callable[[object, str], bool]) -> bool:
    value = document.value if isinstance(document.value, dict) else {}
    kind, version = value.get("kind"), value.get("apiVersion")
    return isinstance(kind, str) and isinstance(version, str) and test(kind, version)


def _together(
    results: list[Converted], readable: set[int], chosen: Callable[[Document], bool], dialect: Callable[[list[Document]], list[Converted]]
) -> None:
    """Puts what a dialect makes of its documents in their place."""
    places = [index for index, result in enumerate(results) if result.outputs is None and id(result.old) in readable and chosen(result.old)]
    for index, result in zip(places, dialect([results[index].old for index in places]) if places else (), strict=True):
        results[index] = result


def _respelt(result: Converted, spelt: list[Converted], composed: Callable[[Output, Output], Output]) -> Converted:
    """A conversion followed by the spelling of the release."""
    said = tuple(diagnostic for each in spelt for diagnostic in each.diagnostics)
    if result.outputs is None:
        (only,) = spelt
        return only._replace(old=result.old)
    outputs: list[Output] = []
    for output, each in zip(result.outputs, spelt, strict=True):
        outputs += [output] if each.outputs is None else [composed(new, output) for new in each.outputs]
    failed = any(each.outputs == () for each in spelt)
    return Converted(result.old, () if failed else tuple(outputs), (*result.diagnostics, *said))
