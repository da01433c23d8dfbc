"""Every command and every snippet of docs/ is run, and prints what the page says.

What the fences of a page mean:

    ```yaml file=job.yaml      the block becomes that file
    ```sh                      the block is run, and has to end with 0
    ```sh exit=3               ... with 3
    ```sh needs=kustomize      ... where that program is on the PATH
    ```python needs=kopf       the block is run by Python where that module can be imported
    ```text                    what the block before it has printed; "..." stands for any lines
    ```diff, ```markdown       the same
    ```yaml                    a fragment: it is only read

Blocks of one page run in one folder, one after another; `examples`, `integrations` and `schemas` are there.

To have the pages show what is printed now: UPDATE_DOCS=1 python -m pytest tests/docs, then read the diff.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

DOCS = Path(__file__).resolve().parents[2] / "docs"
ROOT = DOCS.parent
# Tried in tests/schemas/test_editors.py.
ELSEWHERE = {"editors.md"}
OUTPUTS = ("text", "diff", "markdown")
FENCE = re.compile(r"^(?P<fence>```+)(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
PAGES = sorted(file.name for file in DOCS.glob("*.md") if file.name not in ELSEWHERE)


class Block(NamedTuple):
    """A fenced block: its language, what its info string says, where its body is in the page."""

    language: str
    settings: dict[str, str]
    body: str
    start: int
    end: int
    line: int


def blocks(page: str) -> list[Block]:
    found = []
    for match in FENCE.finditer(page):
        language, *settings = match["info"].split() or [""]
        pairs = dict(setting.split("=", 1) for setting in settings)
        found.append(Block(language, pairs, match["body"], match.start("body"), match.end("body"), page.count("\n", 0, match.start()) + 1))
    return found


def agrees(expected: str, actual: str) -> bool:
    """Whether the output is what the page shows; a line `...` stands for any number of lines."""
    pattern = "".join(".*" if line.strip() == "..." else re.escape(line) + r"\n" for line in expected.splitlines())
    return re.fullmatch(pattern, actual, re.DOTALL) is not None


class Page:
    """One page being run, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        for name in ("examples", "integrations", "schemas"):
            shutil.copytree(ROOT / name, self.folder / name, ignore=shutil.ignore_patterns("node_modules"))
        tools = folder / "bin"
        tools.mkdir()
        command = tools / "jobset-compiler"
        command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}:$PYTHONPATH" exec "{sys.executable}" -m jobset_compiler "$@"\n')
        command.chmod(0o755)
        (tools / "python").symlink_to(sys.executable)
        home = folder / "home"
        home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HELM_", "XDG_", "GIT_", "UPDATE_", "COLUMNS"))}
        author = {f"GIT_{role}_{what}": text for role in ("AUTHOR", "COMMITTER") for what, text in (("NAME", "you"), ("EMAIL", "you@example.com"))}
        path = os.pathsep.join((str(tools), str(Path(sys.executable).parent), os.environ["PATH"]))
        self.environment = {**kept, **author, "PATH": path, "HOME": str(home), "PYTHONPATH": str(ROOT), "PRE_COMMIT_HOME": str(home / "pre-commit")}
        self.missing: list[str] = []

    def run(self, block: Block) -> str | None:
        """What a block prints; None where it needs something that is not here."""
        needs = [name for name in block.settings.get("needs", "").split(",") if name and not self.has(name, block.language)]
        if needs:
            self.missing += needs
            return None
        if block.language == "python":
            # Functions of a script have a source that the SDK can read; a string has none.
            script = self.folder.parent / f"snippet_{block.line}.py"
            script.write_text(block.body)
            argv = [sys.executable, "-W", "ignore", str(script)]
        else:
            argv = ["bash", "-euo", "pipefail", "-c", block.body]
        done = subprocess.run(argv, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False, timeout=300)
        expected = int(block.settings.get("exit", "0"))
        assert done.returncode == expected, f"line {block.line}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout or done.stderr

    def has(self, name: str, language: str) -> bool:
        if language == "python":
            return importlib.util.find_spec(name) is not None
        return shutil.which(name, path=self.environment["PATH"]) is not None


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, tmp_path: Path) -> None:
    path = DOCS / name
    text = path.read_text()
    page = Page(tmp_path)
    printed: str | None = None
    changes: list[tuple[Block, str]] = []
    for block in blocks(text):
        if "file" in block.settings:
            target = page.folder / block.settings["file"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.body)
        elif block.language in ("sh", "python"):
            printed = page.run(block)
        elif block.language in OUTPUTS:
            if printed is not None and not agrees(block.body, printed):
                if not os.environ.get("UPDATE_DOCS"):
                    pytest.fail(f"{name}:{block.line} shows something else than is printed (UPDATE_DOCS=1 repairs it):\n{printed}")
                changes.append((block, printed))
        elif block.language in ("yaml", "json", "toml"):
            tomllib.loads(block.body) if block.language == "toml" else list(yaml.safe_load_all(block.body))
        else:
            pytest.fail(f"{name}:{block.line}: what is a block of {block.language!r}?")
    for block, output in reversed(changes):
        text = text[: block.start] + output + text[block.end :]
    if changes:
        path.write_text(text)
    if page.missing:
        pytest.skip(f"all but the blocks that need {', '.join(dict.fromkeys(page.missing))}")


def test_python_of_the_readme(tmp_path: Path) -> None:
    page = Page(tmp_path)
    found = [block for block in blocks((ROOT / "README.md").read_text()) if block.language == "python"]
    assert found
    for block in found:
        assert page.run(block)


@pytest.mark.parametrize("name", sorted(file.name for file in DOCS.glob("*.md")))
def test_links_lead_somewhere(name: str) -> None:
    text = (DOCS / name).read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (DOCS / target).exists(), f"{name} links to {target}"


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for page in DOCS.glob("*.md"):
        assert f"docs/{page.name}" in readme, f"the README does not lead to docs/{page.name}"


def test_snippets_are_short() -> None:
    """Recipes are of at most 15 lines."""
    for page in DOCS.glob("*.md"):
        for block in blocks(page.read_text()):
            if block.language == "python":
                code = [line for line in block.body.splitlines() if line.strip()]
                assert len(code) <= 15, f"{page.name}:{block.line} has {len(code)} lines"
