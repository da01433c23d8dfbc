"""Definition and references: runtimes, jobs, containers, volumes, in both directions and across files."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types

from jobset_compiler import runtimes
from jobset_compiler.profiles import NEWEST
from tests.lsp.conftest import FILES, JOB, Editor, at
from tests.lsp.test_completion import PATCH

pytestmark = pytest.mark.asyncio(loop_scope="session")
RUNTIME = FILES["runtimes/ours.yaml"]
PATCHES = f"""{PATCH}                    containers:
                    - name: dataset-initializer
                      volumeMounts:
                      - name: cache
                        mountPath: /other
                      - name: own
                        mountPath: /own
                    volumes:
                    - name: own
                      emptyDir: {{}}
"""


async def definition(editor: Editor, uri: str, position: types.Position) -> list[tuple[str, types.Position]]:
    found = await editor.client.text_document_definition_async(types.DefinitionParams(types.TextDocumentIdentifier(uri), position))
    assert isinstance(found, list)
    return [(place.uri, place.range.start) for place in found if isinstance(place, types.Location)]


async def references(editor: Editor, uri: str, position: types.Position, *, declaration: bool = False) -> set[tuple[str, int]]:
    context = types.ReferenceContext(declaration)
    params = types.ReferenceParams(context, types.TextDocumentIdentifier(uri), position)
    found = await editor.client.text_document_references_async(params)
    return {(place.uri.rpartition("/")[2], place.range.start.line) for place in found or ()}


@pytest.mark.parametrize(
    "words, step, target",
    [
        ("name: ours", 6, "ours\n  labels"),
        ("runtimeRef:", 2, "ours\n  labels"),
        ("name: dataset-initializer", 8, "dataset-initializer\n        template"),
        ("- name: dataset-initializer\n                      volumeMounts", 8, "dataset-initializer\n                  image"),
        ("- name: cache", 8, "cache\n                  emptyDir"),
    ],
)
async def test_from_a_trainjob_into_its_runtime(editor: Editor, words: str, step: int, target: str) -> None:
    uri = editor.open("job.yaml", PATCHES)
    assert await definition(editor, uri, at(PATCHES, words, step)) == [(editor.uri("runtimes/ours.yaml"), at(RUNTIME, target))]


async def test_a_volume_that_an_override_adds(editor: Editor) -> None:
    uri = editor.open("job.yaml", PATCHES)
    assert await definition(editor, uri, at(PATCHES, "- name: own", 9)) == [(uri, at(PATCHES, "own\n                      emptyDir"))]


async def test_inside_of_a_runtime(editor: Editor) -> None:
    uri = editor.open("runtimes/ours.yaml", RUNTIME)
    waits = at(RUNTIME, "- name: dataset-initializer\n          status", 9)
    assert await definition(editor, uri, waits) == [(uri, at(RUNTIME, "dataset-initializer\n        template"))]
    mount = at(RUNTIME, "- name: cache", 9)
    assert await definition(editor, uri, mount) == [(uri, at(RUNTIME, "cache\n                  emptyDir"))]


async def test_a_bundled_runtime_is_a_file_of_the_package(editor: Editor) -> None:
    uri = editor.open("bundled.yaml", JOB)
    ((target, position),) = await definition(editor, uri, at(JOB, "torch-distributed", 3))
    path = runtimes.path_of(NEWEST.name, "torch-distributed")
    assert path is not None and target.endswith(f"/{NEWEST.name}/torch-distributed.yaml")
    assert at(runtimes.text_of(NEWEST.name, "torch-distributed"), "torch-distributed") == position


async def test_who_uses_a_runtime_its_jobs_and_volumes(editor: Editor) -> None:
    uri = editor.open("runtimes/ours.yaml", RUNTIME)
    editor.open("job.yaml", PATCHES)
    (editor.folder / "stored.yaml").write_text(JOB.replace("torch-distributed", "ours"))
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(editor.uri("stored.yaml"), types.FileChangeType.Created)])
    )
    while ("stored.yaml", at(JOB, "torch-distributed").line) not in await references(editor, uri, at(RUNTIME, "name: ours", 7)):
        await asyncio.sleep(0.02)
    line = at(PATCHES, "name: ours").line
    found = await references(editor, uri, at(RUNTIME, "name: ours", 7))
    assert found == {("job.yaml", line), ("stored.yaml", at(JOB, "torch-distributed").line)}
    found = await references(editor, uri, at(RUNTIME, "dataset-initializer\n        template"), declaration=True)
    jobs = {
        ("ours.yaml", at(RUNTIME, "dataset-initializer\n        template").line),
        ("ours.yaml", at(RUNTIME, "dataset-initializer\n          status").line),
        ("job.yaml", at(PATCHES, "dataset-initializer").line),
    }
    assert found == jobs
    found = await references(editor, uri, at(RUNTIME, "cache\n                  emptyDir"))
    assert found == {("ours.yaml", at(RUNTIME, "- name: cache").line), ("job.yaml", at(PATCHES, "- name: cache").line)}
    (editor.folder / "stored.yaml").unlink()


async def test_the_nearest_of_two_is_meant(editor: Editor) -> None:
    for name in ("a/runtime.yaml", "b/runtime.yaml"):
        file = editor.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(RUNTIME.replace("name: ours", "name: twice"))
    changed = types.FileEvent(editor.uri("a/runtime.yaml"), types.FileChangeType.Created)
    text = JOB.replace("torch-distributed", "twice")
    for folder in ("a", "b"):
        uri = editor.open(f"{folder}/job.yaml", text)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        while await editor.codes(uri) != []:
            pass
        ((target, _),) = await definition(editor, uri, at(text, "twice"))
        assert target == editor.uri(f"{folder}/runtime.yaml")


async def test_where_nothing_is_named(editor: Editor) -> None:
    uri = editor.open("other.yaml", JOB)
    for words in ("kind", "numNodes", "4", "metadata"):
        assert await definition(editor, uri, at(JOB, words)) == []
        assert await references(editor, uri, at(JOB, words)) == set()
    missing = JOB.replace("torch-distributed", "no-such")
    uri = editor.open("missing.yaml", missing)
    assert await definition(editor, uri, at(missing, "no-such")) == []
