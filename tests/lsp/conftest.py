"""A server in a process of its own, spoken to over its standard input and output, with a workspace in a folder of its own. Starting it takes longer than all
that it is asked, so that it is one for all tests; each closes what it has opened."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import register_lsp_features

ROOT = Path(__file__).resolve().parents[2]
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: train
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    numNodes: 4
    resourcesPerNode:
      limits:
        nvidia.com/gpu: 8
"""
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: ours
  labels:
    trainer.kubeflow.org/framework: torch
spec:
  mlPolicy:
    numNodes: 2
    torch: {}
  template:
    spec:
      replicatedJobs:
      - name: dataset-initializer
        template:
          metadata:
            labels:
              trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer
          spec:
            template:
              spec:
                containers:
                - name: dataset-initializer
                  image: registry.example.com/fetch:1
                  volumeMounts:
                  - name: cache
                    mountPath: /cache
                volumes:
                - name: cache
                  emptyDir: {}
      - name: node
        dependsOn:
        - name: dataset-initializer
          status: Complete
        template:
          metadata:
            labels:
              trainer.kubeflow.org/trainjob-ancestor-step: trainer
          spec:
            template:
              spec:
                containers:
                - name: node
                  image: registry.example.com/train:1
"""


class Client(LanguageClient):
    """Keeps all diagnostics that were told, in order, until somebody asks for them."""

    said: list[types.PublishDiagnosticsParams]
    news: asyncio.Event
    registered: list[types.Registration]


def make_client() -> Client:
    client = Client()
    client.said, client.news, client.registered = [], asyncio.Event(), []
    register_lsp_features(client)

    def published(said: types.PublishDiagnosticsParams) -> None:
        client.said.append(said)
        client.news.set()

    def register(params: types.RegistrationParams) -> None:
        client.registered += params.registrations

    client.protocol.fm.features[types.CLIENT_REGISTER_CAPABILITY] = register
    client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published
    return client


class Editor(NamedTuple):
    """A client, the folder that it has open, and the texts."""

    client: Client
    folder: Path
    opened: list[str]

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "yaml") -> str:
        uri = self.uri(name)
        self.opened.append(uri)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, text)))
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        changed = types.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(changed, [types.TextDocumentContentChangeWholeDocument(text)]))

    def close(self, uri: str) -> None:
        self.opened.remove(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def published(self, uri: str, version: int | None = None) -> types.PublishDiagnosticsParams:
        """The next diagnostics of a text, of that version if one is asked for."""
        while True:
            for index, said in enumerate(self.client.said):
                if said.uri == uri and version in (None, said.version):
                    del self.client.said[index]
                    return said
            self.client.news.clear()
            await asyncio.wait_for(self.client.news.wait(), 20)

    async def codes(self, uri: str, version: int | None = None) -> list[Any]:
        return [diagnostic.code for diagnostic in (await self.published(uri, version)).diagnostics]

    async def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        return await self.client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), position))

    async def hover_text(self, uri: str, position: types.Position) -> str:
        found = await self.hover(uri, position)
        assert found is not None and isinstance(found.contents, types.MarkupContent)
        return found.contents.value


def at(text: str, words: str, step: int = 0, *, nth: int = 1) -> types.Position:
    """Where words stand in a text, in UTF-16; `step` characters further."""
    offset = -1
    for _ in range(nth):
        offset = text.index(words, offset + 1)
    offset += step
    before = text[:offset]
    return types.Position(before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2)


CAPABILITIES = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True, version_support=True),
        document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
    )
)


FILES: dict[str, str] = {
    "runtimes/ours.yaml": RUNTIME,
    "values.yaml": "replicas: 1\n",
    "node_modules/package.json": "{}",
}


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is open."""
    folder = tmp_path_factory.mktemp("editor") / "work space"
    folder.mkdir()
    (folder / ".git").mkdir()  # settings of folders above are not this project's
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


environment = {**os.environ, "PYTHONPATH": str(ROOT)}


config = ClientServerConfig([sys.executable, "-m", "jobset_compiler", "lsp"], make_client, environment)


@pytest_lsp.fixture(scope="session", config=config)  # type: ignore[untyped-decorator]
async def client(lsp_client: Client, workspace: Path) -> AsyncGenerator[None, None]:
    folder = types.WorkspaceFolder(workspace.as_uri(), workspace.name)
    await lsp_client.initialize_session(types.InitializeParams(capabilities=CAPABILITIES, workspace_folders=[folder], root_uri=folder.uri))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: Client, workspace: Path) -> Iterator[Editor]:
    editor = Editor(client, workspace, [])
    yield editor
    for uri in [*editor.opened]:
        editor.close(uri)
    client.said.clear()
