"""The server: messages of the protocol in, the session asked, messages out. Built on pygls, over standard input and output.

Texts are taken as a whole: pygls splits lines where the protocol does not (a form feed, U+2028), so that its edits would go astray.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, PyglsError
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

import jobset_compiler
from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.lsp.positions import UTF16
from jobset_compiler.lsp.questions import answer_questions
from jobset_compiler.lsp.session import SETTINGS_FILES, Session
from jobset_compiler.lsp.told import told

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any, BinaryIO

    from jobset_compiler.lsp.setup import Configure

# Seconds after the last keystroke until diagnostics are sent.
DELAY = 0.15
WATCHED = "**/*.{yaml,yml,json,toml}"


class Server(LanguageServer):
    """One editor's server. The tasks that will send diagnostics are kept by the address of the text."""

    def __init__(self, configure: Configure, delay: float = DELAY) -> None:
        super().__init__("jobset-compiler", jobset_compiler.__version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.session = Session(configure, self.say)
        self.is_done = False
        self._said: set[str] = set()
        self._delay = delay
        self._pending: dict[str, asyncio.Task[None]] = {}
        self._is_to_look = False
        self._looking: asyncio.Task[None] | None = None

    def say(self, text: str) -> None:
        """Tell the user something that belongs to no line, once."""
        if text not in self._said:
            self._said.add(text)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"jobset-compiler: {one_line(text)}"))

    def settings_changed(self) -> None:
        """Everything is looked at again."""
        self._said.clear()
        self.session.forget_setups()
        self.look_around()
        self.publish_all()

    def report_server_error(self, error: Exception, source: object) -> None:
        """A bug of ours is told once, not at every keystroke; what it was and where has gone to the log of the editor. What a client asks amiss is its own."""
        if isinstance(error, (JsonRpcException, PyglsError)) and not isinstance(error, JsonRpcInternalError):
            return
        self.say(f"{type(error).__name__}: {error}. This is a bug of jobset-compiler {jobset_compiler.__version__}; please report it with the text")

    def look_around(self) -> None:
        """Read the workspace, then tell what is different now."""

        async def look() -> None:
            before = self.session.shelf.generation
            while self._is_to_look:
                self._is_to_look = False
                await self.session.look_around()
            if self.session.shelf.generation != before:
                self.publish_all()

        self._is_to_look = True
        if self._looking is None or self._looking.done():
            self._looking = self._begin(look())

    def publish_all(self, but: str = "") -> None:
        for uri in self.session.buffers:
            if uri != but:
                self.publish_soon(uri)

    def publish_soon(self, uri: str) -> None:
        """Send the diagnostics of a text once nobody has typed for a moment; earlier plans to do so are given up."""
        self._give_up(uri)
        self._pending[uri] = self._begin(self._publish(uri))

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            logging.getLogger(__name__).error("a task has failed", exc_info=error)
            self.report_server_error(error, None)

    def _give_up(self, uri: str) -> None:
        pending = self._pending.pop(uri, None)
        if pending is not None:
            pending.cancel()

    async def _publish(self, uri: str) -> None:
        await asyncio.sleep(self._delay)
        buffer = self.session.buffers.get(uri)
        analysis = await self.session.analysis(uri)
        if analysis is None or buffer is None:
            return
        now = self.session.buffers[uri]
        diagnostics = [told(diagnostic, analysis.lines, self.session.uri_of) for diagnostic in analysis.diagnostics]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, now.version))

    def close(self, uri: str) -> None:
        self._give_up(uri)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


class _LeftOpen:
    """The standard output, which pygls closes and the program still flushes at its end."""

    def __init__(self, stream: BinaryIO) -> None:
        self.write = stream.write
        self.flush = stream.flush

    def close(self) -> None:
        self.flush()


def serve(configure: Configure, stdin: BinaryIO, stdout: BinaryIO) -> bool:
    """Answer until the editor is done; whether it said so before it left."""
    server = make_server(configure)
    server.start_io(stdin, cast("BinaryIO", _LeftOpen(stdout)))
    return server.is_done


def make_server(configure: Configure, delay: float = DELAY) -> Server:
    server = Server(configure, delay)
    _lifecycle(server)
    _texts(server)
    answer_questions(server, server.session)
    return server


def _lifecycle(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        uris = [folder.uri for folder in params.workspace_folders or ()] or ([params.root_uri] if params.root_uri else [])
        server.session.work_in(path.rstrip("/") for uri in uris if (path := to_fs_path(uri)))
        server.session.encoding = server.workspace.position_encoding or UTF16
        wishes = params.initialization_options
        server.session.opens_addresses = isinstance(wishes, dict) and bool(wishes.get("virtualDocuments"))

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        server.look_around()
        watching = server.client_capabilities.workspace and server.client_capabilities.workspace.did_change_watched_files
        if watching and watching.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(types.RegistrationParams([registration]))

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.is_done = True

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        gone = {to_fs_path(folder.uri) for folder in params.event.removed}
        added = [path for folder in params.event.added if (path := to_fs_path(folder.uri))]
        server.session.work_in((*(folder for folder in server.session.folders if folder not in gone), *added))
        server.settings_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration(_: types.DidChangeConfigurationParams) -> None:
        server.settings_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: types.DidChangeWatchedFilesParams) -> None:
        if any(change.uri.endswith(SETTINGS_FILES) for change in params.changes):
            server.settings_changed()
        else:
            server.look_around()


def _texts(server: Server) -> None:
    def put(uri: str, version: int, text: str, language: str = "") -> None:
        had_generation = server.session.stamp()
        server.session.put(uri, version, text, language)
        if uri in server.session.buffers:
            server.publish_soon(uri)
            if server.session.stamp() != had_generation:
                server.publish_all(but=uri)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        put(document.uri, document.version, document.text, str(document.language_id))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in server.session.buffers:
            put(uri, params.text_document.version, server.workspace.get_text_document(uri).source)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        if params.text_document.uri.endswith(SETTINGS_FILES):
            server.settings_changed()
        else:
            server.look_around()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in server.session.buffers:
            server.session.drop(uri)
            server.close(uri)
            server.publish_all()
