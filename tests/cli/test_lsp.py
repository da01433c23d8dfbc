"""`lsp` as a command; what it says to an editor is tried in tests/lsp."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.cli import lsp
from jobset_compiler.cli.arguments import parse
from jobset_compiler.dialects.wishes import Wishes
from jobset_compiler.lsp.setup import SetupError

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]


def run(code: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", code], input=stdin, capture_output=True, check=False, timeout=60)


def test_without_pygls_it_says_what_is_missing() -> None:
    done = run("import sys; sys.modules['pygls'] = None\nfrom jobset_compiler.cli import main, process_streams\nsys.exit(main(['lsp'], process_streams()))")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"pip install 'jobset-compiler[lsp]'" in done.stderr and done.stderr.count(b"\n") == 2


def test_options_that_cannot_be(here: Here) -> None:
    assert "unknown trainer version" in here("lsp", "--trainer-version", "v9").err
    assert here("lsp", "job.yaml").code == 2


def test_somebody_at_a_terminal(here: Here) -> None:
    done = here("lsp")
    assert (done.code, done.out) == (2, "") and "docs/editors.md" in done.err


def test_an_editor_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".jobset-compiler.yaml").write_text("trainer-version: v9\n")  # that is for the editor to tell
    monkeypatch.chdir(tmp_path)
    code = "import sys; from jobset_compiler.cli import main, process_streams; sys.exit(main(['lsp', '--stdio'], process_streams()))"
    done = run(code)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    message = b'{"jsonrpc":"2.0","method":"exit"}'
    done = run(code, b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.parametrize(("missing", "code", "said"), [("pygls.exceptions", 2, "needs the package pygls"), ("jobset_compiler.lsp.told", 70, "This is a bug")])
def test_only_what_is_not_installed_is_asked_for(here: Here, monkeypatch: pytest.MonkeyPatch, missing: str, code: int, said: str) -> None:
    monkeypatch.delitem(sys.modules, "jobset_compiler.lsp.server", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    result = here("lsp")
    assert (result.code, result.out) == (code, "") and said in result.err


def test_what_is_not_installed_for_a_report(here: Here, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "jinja2" or name.startswith("jobset_compiler.report")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = here("report", "-", stdin=job)
    assert (result.code, result.out) == (2, "") and "a report needs the package Jinja2: pip install 'jobset-compiler[report]'" in result.err
    monkeypatch.setitem(sys.modules, "jobset_compiler.report", None)
    assert here("report", "-", stdin=job).code == 70


def test_the_setup_of_a_folder(here: Here, tmp_path: Path) -> None:
    """Settings of the project, then options of the command; documents of older APIs are judged as well."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / ".jobset-compiler.yaml").write_text("trainer-version: v2.0\nruntimes: [there]\nexclude: ['x/**']\nignore: [JSC801]\n")
    arguments = parse(lsp.VERB, ["-r", "here", "--exclude", "y"])
    setup = lsp._setup(arguments, str(tmp_path / "old"))
    assert (setup.options.profile.name, setup.options.convert) == ("v2.0", Wishes())
    assert (setup.runtimes[1:], setup.exclude[1:], setup.policy.ignore) == (("here",), ("y",), frozenset({"JSC801"}))
    assert setup.runtimes[0].endswith("there") and setup.exclude[0].endswith("x/**")
    assert lsp._setup(parse(lsp.VERB, ["--trainer-version", "v2.1", "--no-config"]), str(tmp_path / "old")).options.profile.name == "v2.1"
    (tmp_path / "old" / ".jobset-compiler.yaml").write_text("ignore: [nothing]\n")
    with pytest.raises(SetupError, match=r"^--ignore: unknown code 'nothing'"):
        lsp._setup(arguments, str(tmp_path / "old"))
