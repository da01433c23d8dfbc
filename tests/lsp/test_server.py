"""What the server does by itself: bugs of ours are told once and end nothing; what has changed on disk meanwhile is read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from jobset_compiler.lsp.server import make_server
from jobset_compiler.lsp.setup import Setup
from tests.lsp.conftest import JOB, RUNTIME

URI = "file:///there/a.yaml"


def test_a_bug_is_told_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        server = make_server(lambda _: Setup(), delay=0)
        shown: list[Any] = []
        published: list[Any] = []
        monkeypatch.setattr(server, "window_show_message", shown.append)
        monkeypatch.setattr(server, "text_document_publish_diagnostics", published.append)
        server.look_around()
        with monkeypatch.context() as broken:
            broken.setattr("jobset_compiler.lsp.session.analyse", lambda *_: 1 / 0)
            for version in range(3):
                server.session.put(URI, version, JOB)
                server.publish_soon(URI)
                await asyncio.sleep(0.02)
        assert [message.message.partition(". ")[0] for message in shown] == ["jobset-compiler: ZeroDivisionError: division by zero"]
        assert "test_server.py" in caplog.text and published == []
        server.publish_soon(URI)
        while not published:
            await asyncio.sleep(0.01)
        assert (published[0].diagnostics, published[0].version) == ([], 2)

    asyncio.run(run())


def test_a_look_at_the_files_while_one_is_under_way(tmp_path: Path) -> None:
    async def run() -> None:
        for number in range(20):
            (tmp_path / f"{number}.yaml").write_text(RUNTIME)
        server = make_server(lambda _: Setup())
        server.session.work_in((str(tmp_path),))
        server.look_around()
        await asyncio.sleep(0)
        (tmp_path / "0.yaml").write_text(RUNTIME.replace("name: ours", "name: other"))
        server.look_around()
        while len({document.value["metadata"]["name"] for document in server.session.shelf.documents()}) < 2:
            await asyncio.sleep(0.01)

    asyncio.run(run())
