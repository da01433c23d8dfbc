"""The addresses of a project that has a home: put wherever they stand, by one tool."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import addresses

ROOT = Path(__file__).resolve().parents[2]
PLACEHOLDERS = (addresses.SITE, addresses.REPOSITORY, addresses.CLONED, addresses.USED)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in addresses.WHERE:
        source = ROOT / name
        ignore = shutil.ignore_patterns("node_modules", "build", "dist")
        shutil.copytree(source, tmp_path / name, ignore=ignore) if source.is_dir() else shutil.copy(source, tmp_path / name)
    return tmp_path


def run(*argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, ROOT / "tools" / "addresses.py", *argv], capture_output=True, text=True, check=False)


def test_all_of_them(checkout: Path) -> None:
    done = run("https://git.example.com/ml/jsc.git", "https://jsc.example.com", "--folder", str(checkout))
    assert done.returncode == 0 and {"pyproject.toml", "docs/pre-commit.md", "docs/github-action.md"} <= set(done.stdout.splitlines())
    left = [(file.name, text) for file in addresses.files(checkout) for text in PLACEHOLDERS if text in file.read_text()]
    assert left == []
    urls = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Documentation"] == "https://jsc.example.com/" and urls["Issues"] == "https://git.example.com/ml/jsc/issues"
    assert "uses: ml/jsc@" in (checkout / "docs" / "github-action.md").read_text()
    assert run("https://git.example.com/ml/jsc", "https://jsc.example.com", "--folder", str(checkout)).stdout == "", "once is enough"


def test_no_other_file_has_one() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout of git")
    known = set(addresses.files(ROOT)) | {ROOT / "tools" / "addresses.py"}
    others = [ROOT / name for name in listed.stdout.split("\0") if name]
    texts = ((file, file.read_bytes()) for file in others if file not in known and file.is_file())
    assert [file for file, text in texts if any(placeholder.encode() in text for placeholder in PLACEHOLDERS)] == []


def test_only_of_github_the_site_is_known(checkout: Path) -> None:
    assert addresses.site_of("https://github.com/Example/jsc") == "https://example.github.io/jsc/"
    assert run("https://git.example.com/ml/jsc", "--folder", str(checkout)).returncode == 2
    assert run("jsc", "docs", "--folder", str(checkout)).returncode == 2
    assert run("https://github.com/Example/jsc", "--folder", str(checkout)).returncode == 0
    assert 'Documentation = "https://example.github.io/jsc/"' in (checkout / "pyproject.toml").read_text()
