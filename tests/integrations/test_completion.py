"""Completion in the shells themselves, and in kubectl, which calls us as its plugin."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]

ROOT = Path(__file__).resolve().parents[2]
# The line up to the cursor, and what is offered there.
LINES = [
    ("jobset-compiler ren", {"render"}),
    ("jobset-compiler render --passthr", {"--passthrough"}),
    ("jobset-compiler render -o ", {"yaml", "json", "name"}),
    ("jobset-compiler check --format ", {"text", "json", "sarif", "junit", "github"}),
    ("jobset-compiler check --fail-on ", {"error", "warning"}),
    ("jobset-compiler check --ignore placeholder-l", {"placeholder-left"}),
    ("jobset-compiler diff --from ", {"v2.0", "v2.1", "v2.2", "v2.3", "next"}),
    ("jobset-compiler releases v2.", {"v2.0", "v2.1", "v2.2", "v2.3"}),
    ("jobset-compiler codes JSC201", {"JSC201"}),
    ("jobset-compiler runtimes torch-distributed-", {"torch-distributed-with-cache"}),
    ("jobset-compiler check jo", {"job.yaml"}),
    ("jobset-compiler check -f jo", {"job.yaml"}),
    ("jobset-compiler render --namespace jo", set()),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "job.yaml").write_text("")
    return folder


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_has_no_faults_of_syntax(run: Run, folder: Path, shell: str) -> None:
    (folder / "script").write_text(run("jobset-compiler", "completion", shell, cwd=folder).out)
    done = run(shell, "-n", "script", cwd=folder)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_bash(run: Run, folder: Path, line: str, expected: set[str]) -> None:
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    script = run("jobset-compiler", "completion", "bash", cwd=folder).out
    ask = f'COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _jobset_compiler; printf "%s\\n" "${{COMPREPLY[@]}}"'
    assert set(run("bash", "-c", f"{script}\n{ask}", cwd=folder, check=True).out.split()) == expected


def test_bash_takes_the_equals_sign_apart(run: Run, folder: Path) -> None:
    script = run("jobset-compiler", "completion", "bash", cwd=folder).out
    for words, count in (("jobset-compiler check --fail-on = w", 4), ("jobset-compiler check --fail-on =", 3)):
        ask = f'COMP_WORDS=({words}); COMP_CWORD={count}; _jobset_compiler; printf "%s\\n" "${{COMPREPLY[@]}}"'
        assert "warning" in run("bash", "-c", f"{script}\n{ask}", cwd=folder, check=True).out.split()


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_fish(run: Run, folder: Path, line: str, expected: set[str]) -> None:
    (folder / "script.fish").write_text(run("jobset-compiler", "completion", "fish", cwd=folder).out)
    done = run("fish", "--no-config", "-c", f"source script.fish; complete -C '{line}'", cwd=folder, check=True)
    found = {offer.partition("\t")[0] for offer in done.out.splitlines()}
    # fish offers files too, in its own fuzzy way, where no list is exclusive.
    assert found - {"script.fish"} == expected or (expected and expected <= found and "job.yaml" in found)


# zsh completes in its line editor only: it is run on a terminal, and a key writes down what completion adds.
ZSHRC = """\
autoload -Uz compinit && compinit -D -u
source ./script.zsh
_show() {
  compadd() {
    local -a hits
    builtin compadd -O hits "$@"
    (( $#hits )) && print -rl -- "$hits[@]" >> hits
    builtin compadd "$@"
  }
  _main_complete
  unfunction compadd
}
zle -C show complete-word _show
bindkey '^T' show
PS1='READY'
"""


def _read_until(terminal: int, text: bytes) -> None:
    """Read until the text was shown, or for b"" until nobody writes any more."""
    seen = b""
    while not (text and text in seen):
        assert select.select([terminal], [], [], 30)[0], f"zsh is silent after {seen!r}"
        try:
            seen += os.read(terminal, 1 << 16)
        except OSError:  # the other side is closed
            assert not text, seen
            return


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_zsh(run: Run, environment: dict[str, str], folder: Path, line: str, expected: set[str]) -> None:
    program = shutil.which("zsh")
    pty = pytest.importorskip("pty")
    if program is None:
        pytest.skip("zsh is not installed")
    (folder / "script.zsh").write_text(run("jobset-compiler", "completion", "zsh", cwd=folder).out)
    (folder / ".zshrc").write_text(ZSHRC)
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(
        [program, "-d", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env={**environment, "ZDOTDIR": str(folder)}, start_new_session=True
    )
    os.close(theirs)
    try:
        _read_until(ours, b"READY")  # its line editor has the terminal now
        os.write(ours, f"{line}\x14\x15exit\n".encode())
        _read_until(ours, b"")
        shell.wait(timeout=30)
    finally:
        shell.kill()
        os.close(ours)
    hits = folder / "hits"
    found = {hit.strip() for hit in hits.read_text().splitlines()} if hits.exists() else set()
    assert found - {"script.zsh", "hits"} == expected


def test_powershell_reads_the_script(run: Run, folder: Path) -> None:
    """As a grammar of PowerShell reads it: the shell itself is on no package registry that CI uses."""
    grammar = pytest.importorskip("tree_sitter_powershell", reason="tree-sitter-powershell is among the integrations")
    tree_sitter = pytest.importorskip("tree_sitter")
    script = run("jobset-compiler", "completion", "powershell", cwd=folder).out
    tree = tree_sitter.Parser(tree_sitter.Language(grammar.language())).parse(script.encode())
    assert not tree.root_node.has_error


@pytest.fixture
def plugin(environment: dict[str, str]) -> None:
    """The entry points of the plugin as commands on the PATH."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    folder = Path(environment["PATH"].split(os.pathsep)[0])
    for name in ("kubectl-trainjob", "kubectl_complete-trainjob"):
        module, _, function = scripts[name].partition(":")
        command = folder / name
        command.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom {module} import {function}\nsys.exit({function}())\n")
        command.chmod(0o755)


@pytest.mark.usefixtures("plugin")
class TestKubectl:
    def test_it_finds_us_and_we_are_called_by_its_name(self, run: Run, folder: Path) -> None:
        assert "kubectl-trainjob" in run("kubectl", "plugin", "list", cwd=folder).out
        done = run("kubectl", "trainjob", "check", "--help", cwd=folder, check=True)
        assert done.out.startswith("Usage: kubectl trainjob check [PATH... | -] [OPTIONS]")

    def test_it_hands_on_streams_and_exit_codes(self, run: Run, folder: Path) -> None:
        job = (ROOT / "examples" / "01-torch-multi-node.yaml").read_text()
        done = run("kubectl", "trainjob", "render", "-f", "-", "-o", "name", cwd=folder, stdin=job, check=True)
        assert done.out.startswith("jobset.jobset.x-k8s.io/")
        done = run("kubectl", "trainjob", "chek", cwd=folder)
        assert done.code == 2 and "Try: kubectl trainjob --help" in done.err

    def test_it_completes_through_us(self, run: Run, folder: Path) -> None:
        done = run("kubectl", "__complete", "trainjob", "check", "--fail-on", "", cwd=folder, check=True)
        assert done.out == "error\nwarning\n:4\n"
        done = run("kubectl", "__complete", "trainjob", "rend", cwd=folder, check=True)
        assert done.out.startswith("render\t")


def test_the_installed_commands_are_those(run: Run, folder: Path) -> None:
    """Where pip has put them: CI installs the package."""
    here = Path(sys.executable).parent / "kubectl-trainjob"
    if not shutil.which(str(here)):
        pytest.skip("the package was installed before it had this command")
    assert run(str(here), "--version", cwd=folder, check=True).out.startswith("jobset-compiler ")
