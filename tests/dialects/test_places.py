"""Of every part of a converted document there is an answer to where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.dialects.conversion import convert
from jobset_compiler.dialects.document import ConvertedDocument
from jobset_compiler.dialects.results import Output
from jobset_compiler.dialects.tree import get
from jobset_compiler.dialects.wishes import Target, Wishes
from jobset_compiler.emit.yaml import to_yaml
from jobset_compiler.source.reader import read_text
from tests.dialects import test_bounds as bounds
from tests.dialects import test_bounds_v1 as bounds_v1
from tests.dialects import test_words as words
from tests.dialects import test_words_v1 as v1
from tests.dialects.test_shapes import INPUTS

Tree = dict[str, Any]
NOTHING = object()

# dialect: (what is asked, documents) of each of its cases
CASES: dict[str, list[tuple[Tree, tuple[Tree, ...]]]] = {
    "v1": [(wishes, (tree,)) for wishes, tree in (*v1.V1.values(), *bounds_v1.V1.values())],
    "OME": [({}, trees) for trees in (*words.OME.values(), *bounds.OME.values())],
    "spellings": [({}, trees) for trees in (*words.SPELT.values(), *bounds.SPELT.values(), *((tree,) for tree in words.MOUNTED.values()))],
    "preview": [({}, trees) for trees in (*words.PREVIEW.values(), *bounds.PREVIEW.values())],
    "goldens": [({}, tuple(trees)) for trees in INPUTS],
}


def outputs(dialect: str) -> Iterator[Output]:
    for wishes, trees in CASES[dialect]:
        documents, _ = read_text(to_yaml(trees))
        for result in convert(documents, Target(wishes=Wishes(**wishes))):
            yield from result.outputs or ()


@pytest.mark.parametrize("dialect", CASES)
def test_every_place_is_one_of_the_old_document(dialect: str) -> None:
    for output in outputs(dialect):
        document = output.document
        for path, place in document.places.items():
            assert get(document.value, *path, default=NOTHING) is not NOTHING, path
            if place.carried:
                was = get(document.old.value, *place.path, default=NOTHING)
                assert was is not NOTHING and get(document.value, *path) == was, (path, place)
            else:  # of what was left to its default, the place where it could have been said
                assert get(document.old.value, *place.path[:-1], default=NOTHING) is not NOTHING, (path, place)
        for comment in output.comments:
            assert get(document.old.value, *comment.about, default=NOTHING) is not NOTHING, comment


def said(document: ConvertedDocument) -> Iterator[str]:
    """A line for each place: the new path, the sign of what it is to the old one, the old path; indexes and roles are those of the document."""
    kind = f"{document.old.value['kind']} -> {document.value['kind']}"
    for path, place in document.places.items():
        if not place.carried or path != place.path:
            yield f"{kind}: {format_path(path)} {'=' if place.carried else '<'} {format_path(place.path)}"


@pytest.mark.parametrize("dialect", [dialect for dialect in CASES if dialect != "goldens"])
def test_places_are_these(dialect: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(sorted({line for output in outputs(dialect) for line in said(output.document)})) == snapshot
