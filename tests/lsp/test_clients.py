"""What differs from client to client: how columns are counted, and whether a text can be opened by its address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from tests.lsp.conftest import JOB, Client, Editor, config

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(scope="module", config=config)  # type: ignore[untyped-decorator]
async def client(lsp_client: Client, workspace: Path) -> AsyncGenerator[None, None]:
    """Like VS Code it opens addresses; it counts bytes, and says nothing of its folders but the root."""
    capabilities = types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8]),
        window=types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(True)),
        workspace=types.WorkspaceClientCapabilities(did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)),
    )
    wishes = {"virtualDocuments": True}
    found = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities, root_uri=workspace.as_uri(), initialization_options=wishes)
    )
    assert found.capabilities.position_encoding == types.PositionEncodingKind.Utf8
    yield
    await lsp_client.shutdown_session()


async def test_columns_may_be_bytes(editor: Editor) -> None:
    text = JOB.partition("    resourcesPerNode")[0].replace("    numNodes: 4", "    {'ü🦊': 1, numNode: 4}")
    (found,) = [each for each in (await editor.published(editor.open("bytes.yaml", text))).diagnostics if "numNode" in each.message]
    line = next(line for line in text.splitlines() if "numNode" in line)
    assert found.range.start.character == len(line.partition("numNode")[0].encode())


async def test_files_are_watched(editor: Editor) -> None:
    await editor.published(editor.open("watched.yaml", JOB))
    assert [registration.method for registration in editor.client.registered] == ["workspace/didChangeWatchedFiles"]


async def test_the_lens_opens_an_address(editor: Editor) -> None:
    uri = editor.open("a.yaml", JOB)
    (lens,) = await editor.client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri))) or ()
    assert lens.command is not None
    params = types.ExecuteCommandParams(lens.command.command, lens.command.arguments)
    await editor.client.workspace_execute_command_async(params)
    while not editor.client.shown_documents:
        await asyncio.sleep(0.02)
    shown = editor.client.shown_documents[-1]
    assert shown.uri.startswith("jobset-compiler:/") and shown.take_focus
    content = await editor.client.workspace_text_document_content_async(types.TextDocumentContentParams(shown.uri))
    assert "kind: JobSet" in content.text
