"""The messages of a session, in and out, without a process: what the server says, in answer and by itself, and when it says nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, PyglsError

import jobset_compiler
from jobset_compiler.lsp.server import make_server
from jobset_compiler.lsp.session import Session
from jobset_compiler.lsp.setup import Setup, SetupError
from tests.lsp.conftest import JOB, RUNTIME

A, B, C = "file:///there/a.yaml", "file:///there/b.yaml", "file:///there/c.yaml"
REFUSED = JOB.replace("torch-distributed", "nope")
CHANGED = "workspace/didChangeWatchedFiles"


class Wire:
    """A server whose messages are kept."""

    def __init__(self, configure: Callable[[str], Setup] = lambda _: Setup()) -> None:
        self.server = make_server(configure, delay=0)
        self.session: Session = self.server.session
        self.heard: list[dict[str, Any]] = []
        self.server.protocol.set_writer(self, include_headers=False)
        self._number = 0

    def write(self, data: bytes) -> None:
        self.heard.append(json.loads(data))

    def close(self) -> None:
        pass

    def tell(self, method: str, params: Any = None) -> None:
        message = self.server.protocol.structure_message({"jsonrpc": "2.0", "method": method, "params": params})
        self.server.protocol.handle_message(message)

    async def ask(self, method: str, params: Any = None) -> Any:
        self._number += 1
        message = self.server.protocol.structure_message({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        self.server.protocol.handle_message(message)
        while True:
            for index, heard in enumerate(self.heard):
                if heard.get("id") == self._number and "method" not in heard:
                    del self.heard[index]
                    return heard.get("result")
            await asyncio.sleep(0)

    async def start(self, **params: Any) -> Any:
        found = await self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}, **params})
        self.tell("initialized", {})
        return found

    async def quiet(self) -> list[dict[str, Any]]:
        """What was said until the server had nothing more to do."""
        while any(not task.done() for task in asyncio.all_tasks() - {asyncio.current_task()}):
            await asyncio.sleep(0.001)
        heard, self.heard = self.heard, []
        return heard

    async def said(self) -> list[tuple[str, int | None, list[str]]]:
        """Diagnostics that were published: the text, its version, their codes."""
        published = [heard["params"] for heard in await self.quiet() if heard["method"] == "textDocument/publishDiagnostics"]
        return sorted((each["uri"], each.get("version"), [found["code"] for found in each["diagnostics"]]) for each in published)

    def open(self, uri: str, text: str, version: int = 1, language: str = "yaml") -> None:
        document = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, text: str, version: int) -> None:
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]})

    def close_text(self, uri: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def file_changed(self, uri: str) -> None:
        self.tell(CHANGED, {"changes": [{"uri": uri, "type": 2}]})


def spoken(talk: Callable[[Wire], Awaitable[None]], configure: Callable[[str], Setup] = lambda _: Setup()) -> None:
    async def run() -> None:
        await talk(Wire(configure))

    asyncio.run(run())


def test_what_the_server_says_that_it_can() -> None:
    async def talk(wire: Wire) -> None:
        found = await wire.start()
        assert found["serverInfo"] == {"name": "jobset-compiler", "version": jobset_compiler.__version__}
        able = found["capabilities"]
        assert able["textDocumentSync"]["change"] == types.TextDocumentSyncKind.Full
        assert able["completionProvider"]["triggerCharacters"] == [":", " "]
        assert able["codeActionProvider"]["codeActionKinds"] == ["quickfix", "source.fixAll.jobset-compiler", "source.migrate.jobset-compiler"]
        assert able["executeCommandProvider"]["commands"] == ["jobset-compiler.showObjects"]
        for name in ("hoverProvider", "definitionProvider", "referencesProvider", "documentSymbolProvider", "codeLensProvider"):
            assert able[name]
        assert await wire.quiet() == [], "nobody asked to watch files"
        assert wire.server.is_done is False
        await wire.ask("shutdown")
        assert wire.server.is_done is True

    spoken(talk)


@pytest.mark.parametrize(
    ("params", "folders"),
    [
        ({}, ()),
        ({"rootUri": "file:///root%20dir/"}, ("/root dir",)),
        ({"rootUri": "file:///root", "workspaceFolders": [{"uri": "file:///a", "name": "a"}, {"uri": "file:///b/", "name": "b"}]}, ("/a", "/b")),
        ({"rootUri": "file:///root", "workspaceFolders": []}, ("/root",)),
        ({"rootUri": "file:///root", "workspaceFolders": None}, ("/root",)),
        ({"rootUri": None, "workspaceFolders": [{"uri": "http://x/a", "name": "a"}, {"uri": "file:///b", "name": "b"}]}, ("/b",)),
    ],
)
def test_the_folders_of_the_workspace(params: dict[str, Any], folders: tuple[str, ...]) -> None:
    async def talk(wire: Wire) -> None:
        await wire.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}, **params})
        assert wire.session.folders == folders

    spoken(talk)


@pytest.mark.parametrize(("wanted", "encoding"), [(["utf-8", "utf-16"], "utf-8"), (["utf-32"], "utf-32"), (None, "utf-16")])
def test_the_units_of_columns(wanted: list[str] | None, encoding: str) -> None:
    async def talk(wire: Wire) -> None:
        await wire.start(capabilities={"general": {"positionEncodings": wanted}} if wanted else {})
        assert wire.session.encoding == encoding

    spoken(talk)


@pytest.mark.parametrize(
    ("wishes", "opens"), [({"virtualDocuments": True}, True), ({"virtualDocuments": False}, False), ({}, False), (None, False), ([], False)]
)
def test_addresses_are_opened_for_clients_that_wish_it(wishes: Any, opens: bool) -> None:
    async def talk(wire: Wire) -> None:
        await wire.start(initializationOptions=wishes)
        assert wire.session.opens_addresses is opens
        await wire.quiet()
        wire.open(A, JOB)
        await wire.quiet()
        (lens,) = await wire.ask("textDocument/codeLens", {"textDocument": {"uri": A}})
        (address,) = lens["command"]["arguments"]
        await wire.ask("workspace/executeCommand", {"command": lens["command"]["command"], "arguments": [address]})
        shown = [heard["params"] for heard in wire.heard if heard.get("method") == "window/showDocument"]
        assert shown == ([{"uri": address, "takeFocus": True}] if opens else [])

    spoken(talk)


def watching(dynamic: bool) -> dict[str, Any]:
    return {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": dynamic}}}


@pytest.mark.parametrize(("capabilities", "asks"), [(watching(True), True), (watching(False), False), ({"workspace": {}}, False), ({}, False)])
def test_files_are_watched_where_the_client_can(capabilities: dict[str, Any], asks: bool) -> None:
    async def talk(wire: Wire) -> None:
        await wire.start(capabilities=capabilities)
        asked = [heard for heard in wire.heard if heard.get("method") == "client/registerCapability"]
        watchers = {"watchers": [{"globPattern": "**/*.{yaml,yml,json,toml}"}]}
        registration = {"id": "files", "method": CHANGED, "registerOptions": watchers}
        assert [heard["params"] for heard in asked] == ([{"registrations": [registration]}] if asks else [])

    spoken(talk)


def test_texts_that_are_opened_changed_and_closed() -> None:
    async def talk(wire: Wire) -> None:
        await wire.start()
        await wire.quiet()
        wire.open(A, REFUSED, 3)
        assert await wire.said() == [(A, 3, ["JSC201"])]
        wire.change(A, JOB, 4)
        assert await wire.said() == [(A, 4, [])]
        wire.change(A, REFUSED, 5)
        wire.change(A, JOB, 6)
        assert await wire.said() == [(A, 6, [])], "of the newest text only"
        wire.open(B, REFUSED)
        await wire.said()
        wire.change(A, REFUSED, 7)
        wire.close_text(A)
        assert await wire.said() == [(A, None, []), (B, 1, ["JSC201"])], "what is planned for it is given up; the others are told anew"
        wire.close_text(A)
        assert await wire.said() == [], "it is not open any more"

    spoken(talk)


def test_texts_that_are_not_ours_get_nothing() -> None:
    async def talk(wire: Wire) -> None:
        await wire.start()
        await wire.quiet()
        wire.open(A, REFUSED, language="helm")
        assert await wire.said() == []
        wire.change(A, REFUSED, 2)
        wire.close_text(A)
        assert await wire.said() == []

    spoken(talk)


def test_a_runtime_that_changes_is_told_of_in_the_other_texts() -> None:
    job = JOB.replace("torch-distributed", "ours")

    async def talk(wire: Wire) -> None:
        await wire.start()
        await wire.quiet()
        wire.open(A, job)
        wire.open(B, JOB)
        await wire.said()
        wire.open(C, RUNTIME)
        assert await wire.said() == [(A, 1, []), (B, 1, []), (C, 1, ["JSC705"])]
        wire.change(C, RUNTIME.replace("name: ours", "name: another"), 2)
        assert await wire.said() == [(A, 1, ["JSC201"]), (B, 1, []), (C, 2, ["JSC705"])]
        wire.change(C, "a: 1\n", 3)
        assert await wire.said() == [(A, 1, ["JSC201"]), (B, 1, []), (C, 3, [])]
        wire.change(C, "b: 1\n", 4)
        assert await wire.said() == [(C, 4, [])], "nothing that others depend on"

    spoken(talk)


@pytest.mark.parametrize("method", [CHANGED, "textDocument/didSave"])
def test_files_that_change_on_the_disk(tmp_path: Path, method: str) -> None:
    file = tmp_path / "runtime.yaml"
    params = {CHANGED: {"changes": [{"uri": file.as_uri(), "type": 1}]}, "textDocument/didSave": {"textDocument": {"uri": file.as_uri()}}}[method]

    async def talk(wire: Wire) -> None:
        await wire.start(rootUri=tmp_path.as_uri())
        wire.open(A, JOB.replace("torch-distributed", "ours"))
        assert await wire.said() == [(A, 1, ["JSC201"])]
        wire.tell(method, params)
        assert await wire.said() == [], "nothing is different"
        file.write_text(RUNTIME)
        wire.tell(method, params)
        assert await wire.said() == [(A, 1, [])]

    spoken(talk)


@pytest.mark.parametrize("name", [".jobset-compiler.yaml", "pyproject.toml"])
@pytest.mark.parametrize("method", [CHANGED, "textDocument/didSave", "workspace/didChangeConfiguration"])
def test_settings_that_change(method: str, name: str) -> None:
    uri = f"file:///there/{name}"
    params = {
        CHANGED: {"changes": [{"uri": B, "type": 1}, {"uri": uri, "type": 1}]},
        "textDocument/didSave": {"textDocument": {"uri": uri}},
        "workspace/didChangeConfiguration": {"settings": {}},
    }[method]
    usable = [True]

    def configure(_: str) -> Setup:
        if not usable[0]:
            raise SetupError("no such\nrelease")
        return Setup()

    async def talk(wire: Wire) -> None:
        await wire.start()
        wire.open(A, JOB)
        assert await wire.said() == [(A, 1, [])]
        usable[0] = False
        for _ in range(2):
            wire.tell(method, params)
            heard = await wire.quiet()
            assert [each["params"] for each in heard if each["method"] == "window/showMessage"] == [
                {"type": types.MessageType.Warning, "message": "jobset-compiler: no such\\nrelease"}
            ]
            assert [each["params"]["uri"] for each in heard if each["method"] == "textDocument/publishDiagnostics"] == [A]

    spoken(talk, configure)


def test_folders_that_come_and_go(tmp_path: Path) -> None:
    (tmp_path / "runtime.yaml").write_text(RUNTIME)
    here = {"uri": tmp_path.as_uri(), "name": "here"}

    async def talk(wire: Wire) -> None:
        await wire.start(workspaceFolders=[{"uri": "file:///a", "name": "a"}])
        wire.open(A, JOB.replace("torch-distributed", "ours"))
        assert await wire.said() == [(A, 1, ["JSC201"])]
        wire.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [here, {"uri": "http://x", "name": "x"}], "removed": []}})
        assert (A, 1, []) in await wire.said() and [*wire.session.folders] == ["/a", str(tmp_path)]
        wire.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [here]}})
        assert (A, 1, ["JSC201"]) in await wire.said() and [*wire.session.folders] == ["/a"]

    spoken(talk)


def test_what_belongs_to_no_line_is_said_once() -> None:
    async def talk(wire: Wire) -> None:
        for text in ("one\x1b", "one\x1b", "two"):
            wire.server.say(text)
        assert [heard["params"]["message"] for heard in wire.heard] == ["jobset-compiler: one\\x1b", "jobset-compiler: two"]

    spoken(talk)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no"), "ValueError: no."),
        (JsonRpcInternalError(message="inside"), "JsonRpcInternalError: inside."),
        (JsonRpcException(message="amiss"), ""),
        (PyglsError("amiss"), ""),
    ],
)
def test_bugs_of_ours_are_told_and_mistakes_of_a_client_are_not(error: Exception, told: str) -> None:
    async def talk(wire: Wire) -> None:
        wire.server.report_server_error(error, None)
        version = jobset_compiler.__version__
        expected = f"jobset-compiler: {told} This is a bug of jobset-compiler {version}; please report it with the text"
        assert [heard["params"]["message"] for heard in wire.heard] == ([expected] if told else [])

    spoken(talk)
