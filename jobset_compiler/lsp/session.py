"""What is open in the editor, and what was found out about it: the state of the server, without its transport."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from pygls.uris import from_fs_path, to_fs_path

from jobset_compiler import runtimes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.explain.words import BUNDLED
from jobset_compiler.lsp.actions import migrated
from jobset_compiler.lsp.analysis import Analysis, analyse, read
from jobset_compiler.lsp.memory import Memory, kept
from jobset_compiler.lsp.positions import UTF16, Lines
from jobset_compiler.lsp.setup import Setup, SetupError
from jobset_compiler.lsp.shelf import Shelf
from jobset_compiler.request.settings import OWN, PYPROJECT
from jobset_compiler.source.decode import decode_blocks
from jobset_compiler.source.document import Document, SourceProblem
from jobset_compiler.source.files import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from typing import TypeVar

    from jobset_compiler.lsp.setup import Configure
    from jobset_compiler.source.reader import Found

    Result = TypeVar("Result")

# Seconds that a long piece of work goes on before others get their turn.
TURN = 0.008
SETTINGS_FILES = (PYPROJECT, OWN)
# Languages of which a text is YAML or JSON only after something else has been done with it.
TEMPLATES = ("helm", "gotmpl", "jinja")


class Buffer(NamedTuple):
    """A text that is open, in one version. file: what it is called in messages."""

    uri: str
    file: str
    version: int
    text: str


class Session:
    """configure: the setup of a folder; say: tells the user something that concerns no line.

    folders and encoding: of the workspace; opens_addresses: whether the client can show a text by its address alone (see `rendered`).
    """

    def __init__(self, configure: Configure, say: Callable[[str], None]) -> None:
        self.folders: tuple[str, ...] = ()
        self.encoding: str = UTF16
        self.opens_addresses = False
        self.buffers: dict[str, Buffer] = {}
        self.shelf = Shelf(self.shown)
        self._configure = configure
        self._say = say
        self._setups: dict[str, Setup] = {}
        self._analyses: dict[str, tuple[Buffer, int, Analysis]] = {}
        self._generation = 0  # of open texts that other texts may depend on
        self._migrated: dict[str, tuple[Analysis, str | None]] = {}
        self._found: dict[str, tuple[Buffer, list[Found]]] = {}
        self._around: dict[str, tuple[tuple[object, ...], list[Document], list[SourceProblem]]] = {}
        self._memory = Memory()
        self._looked = asyncio.Event()

    def work_in(self, folders: Iterable[str]) -> None:
        """The folders of the workspace, by which files are named."""
        self.folders = tuple(folders)
        self.shelf.clear()
        self.forget_setups()

    # What is open

    def put(self, uri: str, version: int, text: str, language: str = "") -> None:
        """A text was opened or is another one now."""
        language = language.lower()
        if language and (any(word in language for word in TEMPLATES) or not (language.startswith(("yaml", "json")) or uri.endswith(SUFFIXES))):
            return
        before = self.buffers.get(uri)
        self.buffers[uri] = Buffer(uri, self.file_of(uri), version, text)
        if "Runtime" in text or (before is not None and "Runtime" in before.text):
            self._generation += 1

    def drop(self, uri: str) -> None:
        self.buffers.pop(uri, None)
        for known in (self._analyses, self._found, self._around, self._migrated):
            known.pop(uri, None)
        self._generation += 1

    def found(self, buffer: Buffer) -> list[Found]:
        """The documents of an open text and what is wrong with them, read once."""
        known = self._found.get(buffer.uri)
        if known is None or known[0] is not buffer:
            found = read(buffer.file, buffer.text)
            known = self._found[buffer.uri] = (buffer, found if known is None else kept(known[1], found))
        return known[1]

    def file_of(self, uri: str) -> str:
        """What a file is called in messages: its path, from the folder of the workspace if it is in it."""
        path = to_fs_path(uri) if uri.startswith("file:") else None
        return uri if path is None else self.shown(path)

    def shown(self, path: str) -> str:
        path = os.path.normpath(path)
        for folder in self.folders:
            if path.startswith(folder + os.sep):
                return path[len(folder) + 1 :] if len(self.folders) == 1 else path
        return path

    def path_of(self, file: str) -> str:
        """The other way round."""
        return file if os.path.isabs(file) or not self.folders else os.path.join(self.folders[0], file)

    def uri_of(self, file: str) -> str:
        """The address of a file that was told of; "" for what is none."""
        for buffer in self.buffers.values():
            if buffer.file == file:
                return buffer.uri
        if file.startswith(BUNDLED):
            release, _, name = file.removeprefix(BUNDLED).removesuffix(".yaml>").partition("/")
            path = runtimes.path_of(release, name)
            return "" if path is None else from_fs_path(path) or ""
        if file.startswith("<"):
            return ""
        return from_fs_path(self.path_of(file)) or ""

    # What it is compiled with

    def setup_of(self, file: str) -> Setup:
        """The setup of the folder of a file; that without settings, and a word to the user, where they cannot be used."""
        folder = os.path.dirname(self.path_of(file)) if os.path.isabs(self.path_of(file)) else next(iter(self.folders), "")
        if folder not in self._setups:
            try:
                setup = self._configure(folder)
            except SetupError as error:
                self._say(str(error))
                setup = Setup()
            for problem in setup.options.problems:
                if problem.severity != INFO:
                    self._say(problem.message)
            self._setups[folder] = setup
        return self._setups[folder]

    def forget_setups(self) -> None:
        """Settings may have changed."""
        self._setups.clear()
        self._analyses.clear()
        self._around.clear()
        self._generation += 1

    async def look_around(self) -> None:
        """Read what has changed in the folders of the workspace and the files that the settings name."""
        root = next(iter(self.folders), "")
        setup = self.setup_of(os.path.join(root, "x") if root else "")
        folders = [*self.folders, *(os.path.abspath(runtime) for runtime in setup.runtimes)]
        try:
            await in_turns(self.shelf.refresh(folders, setup.exclude))
        finally:
            self._looked.set()

    def around(self, buffer: Buffer) -> list[Document]:
        """Documents of other files: of the ones that the settings name first, then the nearer the sooner; what is open instead of what is stored."""
        return self._elsewhere(buffer)[1]

    def unread(self, buffer: Buffer) -> list[SourceProblem]:
        """What is wrong with the texts of other files, in the same order."""
        return self._elsewhere(buffer)[2]

    def _elsewhere(self, buffer: Buffer) -> tuple[tuple[object, ...], list[Document], list[SourceProblem]]:
        others = (self.shelf.generation, *(other for other in self.buffers.values() if other.uri != buffer.uri))
        known = self._around.get(buffer.uri)
        if known is None or known[0] != others:
            distance = self._distance(buffer)
            opened = {self.path_of(other.file) for other in self.buffers.values()}
            found = [each for other in self.buffers.values() if other is not buffer for each in self.found(other)]
            documents = [*self.shelf.documents(opened), *(each for each in found if isinstance(each, Document))]
            problems = [*self.shelf.problems(opened), *(each for each in found if not isinstance(each, Document))]
            documents.sort(key=lambda document: distance(document.file))
            problems.sort(key=lambda problem: distance(problem.span.file))
            known = self._around[buffer.uri] = (others, documents, problems)
        return known

    def documents(self, buffer: Buffer) -> list[Document]:
        """Those of an open text that can be read, then those of other files."""
        return [*(found for found in self.found(buffer) if isinstance(found, Document)), *self.around(buffer)]

    def text_of(self, uri: str) -> str:
        """The text of a file that is not open, "" for one that cannot be read."""
        try:
            with open(to_fs_path(uri) or "", "rb") as stream:
                return "".join(decode_blocks((stream.read(),)))
        except OSError:
            return ""

    def _distance(self, buffer: Buffer) -> Callable[[str], tuple[bool, int, str]]:
        named = [os.path.abspath(runtime) for runtime in self.setup_of(buffer.file).runtimes]
        here = os.path.dirname(self.path_of(buffer.file)) or os.curdir

        def distance(file: str) -> tuple[bool, int, str]:
            path = self.path_of(file)
            is_named = any(path == name or path.startswith(name + os.sep) for name in named)
            return not is_named, os.path.relpath(path, here).count(os.sep), path

        return distance

    # What was found out

    async def looked(self) -> None:
        """Until the files of the workspace are known."""
        await self._looked.wait()

    def migrated(self, buffer: Buffer, analysis: Analysis) -> str | None:
        """As `actions.migrated`; asked for the same text again and again, it is worked out once."""
        known = self._migrated.get(buffer.uri)
        if known is None or known[0] is not analysis:
            known = self._migrated[buffer.uri] = (analysis, migrated(analysis, self.around(buffer)))
        return known[1]

    async def analysis(self, uri: str) -> Analysis | None:
        """Of what the text is now; None where it is not open (any more)."""
        await self.looked()
        while (buffer := self.buffers.get(uri)) is not None:
            known = self._known(buffer)
            if known is not None:
                return known
            generation = self.stamp()
            lines = Lines(buffer.text, self.encoding)
            work = analyse(buffer.file, lines, self.setup_of(buffer.file), self.found(buffer), [*self.around(buffer), *self.unread(buffer)], self._memory)
            found = await in_turns(work, lambda: self.buffers.get(uri) is buffer)
            if found is not None:
                self._analyses[uri] = (buffer, generation, found)
        return None

    def _known(self, buffer: Buffer) -> Analysis | None:
        known = self._analyses.get(buffer.uri)
        return known[2] if known is not None and known[0] is buffer and known[1] == self.stamp() else None

    def stamp(self) -> int:
        """Another number after every change that other texts may depend on."""
        return self._generation + self.shelf.generation


async def in_turns(work: Generator[None, None, Result], wanted: Callable[[], bool] = lambda: True) -> Result | None:
    """The result of work in steps, between which others get their turn; None where it is not wanted any more."""
    began = time.monotonic()
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Result | None = done.value
            return result
        if time.monotonic() - began > TURN:
            await asyncio.sleep(0)
            if not wanted():
                return None
            began = time.monotonic()
