"""Diagnostics while somebody types: of the newest text only, with places as the editor counts them, and nothing about files that are not ours."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types

from tests.lsp.conftest import JOB, RUNTIME, Editor, at

pytestmark = pytest.mark.asyncio(loop_scope="session")
OURS = JOB.replace("torch-distributed", "ours")


async def test_findings_have_the_words_of_check(editor: Editor) -> None:
    text = JOB.replace("torch-distributed", "torch-distribute")
    said = await editor.published(editor.open("a.yaml", text))
    (found,) = said.diagnostics
    assert (found.code, found.severity, found.source, said.version) == ("JSC201", types.DiagnosticSeverity.Error, "jobset-compiler", 1)
    assert "torch-distribute" in found.message and "did you mean torch-distributed?" in found.message
    assert found.range == types.Range(at(text, "torch-distribute"), at(text, "torch-distribute", 16))


async def test_unknown_fields_are_errors_as_for_kubectl(editor: Editor) -> None:
    assert await editor.codes(editor.open("strict.yaml", JOB + "  numNode: 4\n")) == ["JSC103"]


async def test_columns_count_units_of_utf_16(editor: Editor) -> None:
    text = JOB.replace("    name: torch", "    # für 🦊🦊\n    name: torch").replace("  numNodes: 4", "  numNodes: {'🦊': ü}")
    (found,) = (await editor.published(editor.open("b.yaml", text))).diagnostics
    assert found.range.start == at(text, "{'🦊': ü}")
    assert found.range.end == at(text, "{'🦊': ü}", len("{'🦊': ü}"))


async def test_only_the_newest_text_is_told_of(editor: Editor) -> None:
    uri = editor.open("c.yaml", JOB)
    for version in range(2, 30):
        editor.change(uri, version, JOB.replace("numNodes: 4", f"numNodes: {version}x"))
    editor.change(uri, 30, JOB.replace("torch-distributed", "nope"))
    said = await editor.published(uri)
    assert (said.version, [found.code for found in said.diagnostics]) == (30, ["JSC201"])


async def test_a_language_stays_known_where_the_name_says_nothing(editor: Editor) -> None:
    uri = editor.open("job", JOB, "yaml")
    assert await editor.codes(uri, 1) == []
    editor.change(uri, 2, JOB.replace("torch-distributed", "nope"))
    assert await editor.codes(uri, 2) == ["JSC201"]


async def test_half_a_line_is_an_error_and_then_none(editor: Editor) -> None:
    uri = editor.open("d.yaml", JOB + "  managedBy")
    (found,) = (await editor.published(uri, 1)).diagnostics
    assert found.severity == types.DiagnosticSeverity.Error
    editor.change(uri, 2, JOB + "  suspend: true\n")
    assert await editor.codes(uri, 2) == []


@pytest.mark.parametrize("name, text", [("values.yml", "replicas: 1\na: [\n"), ("deploy.yaml", "apiVersion: apps/v1\nkind: Deployment\n"), ("x.yaml", "")])
async def test_files_of_others_get_nothing(editor: Editor, name: str, text: str) -> None:
    uri = editor.open(name, text)
    assert await editor.codes(uri) == []
    assert await editor.hover(uri, types.Position(0, 2)) is None


async def test_templates_get_nothing(editor: Editor) -> None:
    uri = editor.open("templates/job.yaml", JOB.replace("numNodes: 4", "numNodes: {{ .Values.nodes }}"), "helm")
    assert await editor.hover(uri, at(JOB, "kind")) is None
    editor.opened.remove(uri)


async def test_runtimes_of_the_workspace_and_open_texts_before_files(editor: Editor) -> None:
    uri = editor.open("uses.yaml", OURS)
    assert await editor.codes(uri, 1) == []
    runtime = editor.open("runtimes/ours.yaml", RUNTIME.replace("name: ours", "name: theirs"))
    assert "JSC201" in await editor.codes(uri)
    editor.close(runtime)
    assert await editor.codes(uri) == []


async def test_what_comes_of_a_runtime_in_another_file_stands_where_that_is_named(editor: Editor) -> None:
    text = OURS.replace("name: ours", "name: strict")
    runtime = RUNTIME.replace("name: ours", "name: strict").replace("containers:", "tolerations: [{key: a, operator: Exist}]\n                containers:", 1)
    assert runtime.count("operator: Exist}") == 1
    opened = editor.open("runtimes/strict.yaml", runtime)
    uri = editor.open("uses-strict.yaml", text)
    (found,) = (await editor.published(uri)).diagnostics
    assert (found.code, found.severity, found.range.start) == ("JSC439", types.DiagnosticSeverity.Error, at(text, "strict"))
    assert found.related_information is not None
    assert [note.location.uri for note in found.related_information] == [opened]


async def test_a_runtime_that_is_saved_meanwhile(editor: Editor) -> None:
    uri = editor.open("later.yaml", JOB.replace("torch-distributed", "later"))
    assert await editor.codes(uri) == ["JSC201"]
    file = editor.folder / "runtimes" / "later.yaml"
    file.write_text(RUNTIME.replace("name: ours", "name: later"))
    changed = types.FileEvent(file.as_uri(), types.FileChangeType.Created)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    assert await editor.codes(uri) == []


async def test_settings_of_the_project(editor: Editor) -> None:
    folder = editor.folder / "old"
    folder.mkdir()
    settings = folder / ".jobset-compiler.yaml"
    settings.write_text("trainer-version: v2.0\n")
    uri = editor.open("old/job.yaml", JOB + "  runtimePatches: []\n")
    assert await editor.codes(uri) == ["JSC103"]
    settings.write_text("trainer-version: v2.3\n")
    changed = types.FileEvent(settings.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    assert await editor.codes(uri) == []
    before = len(editor.client.messages)
    settings.write_text("trainer-version: v9\n")
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    await editor.published(uri)
    assert any("unknown trainer version 'v9'" in message.message for message in editor.client.messages[before:])


async def test_older_apis_are_judged_as_migrate_rewrites_them(editor: Editor) -> None:
    text = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a}\nspec: {pytorchReplicaSpecs: {Worker: {replicas: two}}}\n"
    said = await editor.published(editor.open("v1.yaml", text))
    assert any(found.severity == types.DiagnosticSeverity.Error for found in said.diagnostics)


async def test_second_places_have_an_address(editor: Editor) -> None:
    text = f"{OURS}  runtimePatches:\n  - manager: a.example/x\n  - manager: a.example/x\n"
    found = (await editor.published(editor.open("twice.yaml", f"{RUNTIME}---\n{RUNTIME}---\n{text}"))).diagnostics
    related = [place for each in found for place in each.related_information or ()]
    assert related and all(place.location.uri == editor.uri("twice.yaml") for place in related)


async def test_secrets_are_not_told(editor: Editor) -> None:
    text = JOB + "    env:\n    - {name: HF_TOKEN, value: hf_abc123, valu: 1}\n"
    uri = editor.open("secret.yaml", text)
    said = await editor.published(uri)
    assert said.diagnostics and not any("hf_abc123" in found.message for found in said.diagnostics)
    uri = editor.open("secret2.yaml", text.replace(", valu: 1", ""))
    assert "hf_abc123" not in await editor.hover_text(uri, at(text, "env:"))


async def test_a_hover_that_is_cancelled(editor: Editor) -> None:
    uri = editor.open("cancel.yaml", "---\n".join([JOB.replace("name: train", f"name: train-{number}") for number in range(300)]))
    asked = asyncio.ensure_future(editor.hover(uri, at(JOB, "numNodes")))
    await asyncio.sleep(0)
    number = next(reversed(editor.client.protocol._request_futures))
    editor.client.cancel_request(types.CancelParams(number))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wait_for(asked, 20)
    small = editor.open("small.yaml", JOB)
    assert "4 pods" in await editor.hover_text(small, at(JOB, "numNodes"))


async def test_control_characters_stay_text(editor: Editor) -> None:
    for number, text in enumerate(("\x00\x1b[31m", "\u202e\u2028\x0c\x85", "\ud800", "{{ .Values.x }}", "&a [*a]", "\t- x:\ty", "a: |\n\t\x07")):
        uri = editor.open(f"hostile{number}.yaml", f"{JOB}# TrainJob\n  {text}: 1\n")
        for found in (await editor.published(uri)).diagnostics:
            assert found.message.replace("\n", "").isprintable()
        editor.change(uri, 2, JOB)
        assert await editor.codes(uri, 2) == []
