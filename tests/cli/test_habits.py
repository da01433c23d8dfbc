"""What people type out of habit does what they mean, or names the command that does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from jobset_compiler.cli import MEANT, VERBS, main, verb_of
from jobset_compiler.cli.streams import PROGRAM, Streams
from tests.cli.conftest import JOB, RUNTIME
from tests.cli.conftest import run_here as here

if TYPE_CHECKING:
    from pathlib import Path

READING = [name for name in VERBS if "PATH" in verb_of(name).takes]


def test_a_code_alone_is_explained() -> None:
    assert here("codes", "JSC201") == here("codes", "explain", "JSC201")
    assert here("codes", "unknown-field", "201") == here("codes", "explain", "unknown-field", "JSC201")
    code, out, err = here("codes", "unknown-fild")
    assert (code, out) == (2, "") and "did you mean unknown-field?" in err


def test_runtimes_alone_lists_and_a_name_shows() -> None:
    assert here("runtimes") == here("runtimes", "list")
    assert here("runtimes", "torch-distributed") == here("runtimes", "show", "torch-distributed")
    code, out, err = here("runtimes", "torch-distribute")
    assert (code, out) == (2, "") and "did you mean torch-distributed?" in err
    assert here("runtimes", "torch-distributed", "list").code == 2


@pytest.mark.parametrize(("typed", "meant"), sorted(MEANT.items()))
def test_the_verb_of_another_program_names_ours(typed: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a name that is there is a path
    code, out, err = here(typed, "job.yaml")
    assert (code, out) == (2, "") and f"unknown command '{typed}'; did you mean {meant}?" in err


class TestFilename:
    """-f FILE, as kubectl has it."""

    def test_every_verb_that_reads_paths_has_it(self) -> None:
        assert READING == ["render", "check", "diff", "migrate", "explain", "expand", "report"]
        for name in READING:
            assert "-f" in {option for known in verb_of(name).options for option in known.names}

    @pytest.mark.parametrize("verb", ["render", "check", "migrate", "explain", "expand", "report"])
    def test_it_is_the_same_as_a_path(self, verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        folder = tmp_path / "jobs"
        folder.mkdir()
        (folder / "a.yaml").write_text(JOB)
        (tmp_path / "b.yaml").write_text(JOB.replace("name: train", "name: other"))
        wanted = here(verb, "jobs", "b.yaml")
        assert wanted.code == 0
        for argv in (["-f", "jobs", "-f", "b.yaml"], ["-f", "jobs", "b.yaml"], ["jobs", "--filename=b.yaml"], ["-fjobs", "-f=b.yaml"]):
            assert here(verb, *argv) == wanted
        assert here(verb, "-f", "-", stdin=JOB) == here(verb, "-", stdin=JOB)

    def test_both_sides_of_a_diff(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "a.yaml").write_text(JOB)
        (tmp_path / "b.yaml").write_text(f"{JOB}  trainer: {{numNodes: 3}}\n")
        assert here("diff", "-f", "a.yaml", "-f", "b.yaml") == here("diff", "a.yaml", "b.yaml")
        assert here("diff", "-f", "a.yaml", "-f", "b.yaml").code == 3

    def test_without_a_verb_it_renders(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text(JOB)
        assert here("-f", str(tmp_path / "a.yaml")) == here("render", str(tmp_path / "a.yaml"))

    def test_who_means_the_format_of_check_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        code, out, err = here("check", "-f", "json", stdin=JOB)
        assert (code, out) == (2, "") and "write --format json" in err
        code, out, err = here("check", "-f", "sarif=out.sarif", stdin=JOB)
        assert (code, out) == (2, "") and "write --format sarif=out.sarif" in err
        (tmp_path / "json").write_text(JOB)
        assert here("check", "-f", "json").code == 0
        assert here("check", "-o", "json", stdin=JOB) == here("check", "--format", "json", stdin=JOB)

    def test_what_kubectl_has_besides(self, tmp_path: Path) -> None:
        for scheme in ("http", "https"):
            code, out, err = here("check", "-f", f"{scheme}://example.com/job.yaml")
            assert (code, out) == (2, "") and "pipe it in" in err
        for option in ("-R", "--recursive", "--dry-run=client", "--context", "--strict"):
            code, out, err = here("check", option, "-f", str(tmp_path))
            assert (code, out) == (2, "") and f"unknown option {option.partition('=')[0]}: " in err

    def test_nothing_is_a_file(self) -> None:
        code, out, err = here("check", "-f", "")
        assert (code, out) == (2, "") and "option -f needs a path" in err


class TestStatistics:
    TEXT = f"""{JOB}  trainer: {{numNode: 1, image: "<IMAGE>"}}
---
{JOB.replace("name: train", "name: two")}  trainer: {{numNode: 1, zzz: 2}}
---
{RUNTIME}"""

    def test_counts_by_code_the_most_frequent_first(self) -> None:
        code, out, err = here("check", "--statistics", stdin=self.TEXT)
        assert (code, err) == (1, "")
        assert out.splitlines() == [
            "3  error    JSC103  unknown-field  [*] 2 mended by --fix",
            "2 TrainJobs and 1 runtime in 1 file: 3 errors; exit code 1 for the errors",
        ]

    def test_columns(self) -> None:
        text = "\n---\n".join([self.TEXT.replace("numNode:", "numNodes:"), *(JOB.replace("name: train", f"name: t{n}") + "    zzz: 1\n" for n in range(9))])
        lines = here("check", "--statistics", stdin=text).out.splitlines()
        assert lines[0] == "10  error    JSC103  unknown-field"
        assert lines[1] == " 1  warning  JSC725  placeholder-left"

    def test_for_programs(self) -> None:
        code, out, _ = here("check", "--statistics", "--format", "json", stdin=self.TEXT)
        report = json.loads(out)
        assert code == report["summary"]["exitCode"] == 1
        assert report["statistics"] == [{"code": "JSC103", "slug": "unknown-field", "severity": "error", "count": 3, "fixable": 2}]

    def test_those_that_are_as_frequent_come_by_code_and_severity(self) -> None:
        """The finding of a line that two rules have something to say of counts for each."""
        text = f"{JOB}  trainer: {{numNodes: 0, image: \"<IMAGE>\"}}\n---\n{JOB.replace('name: train', 'name: two')}    zzz: 1\n"
        lines = here("check", "--statistics", stdin=text).out.splitlines()
        codes = [line.split()[2] for line in lines[:-1]]
        assert len(codes) > 2 and codes == sorted(codes) and {line.split()[0] for line in lines[:-1]} == {"1"}
        assert lines[0] == "1  error    JSC103  unknown-field"
        report = json.loads(here("check", "--statistics", "--format", "json", stdin=text).out)
        assert report["format"] == "jobset-compiler.statistics/v1"
        assert [row["code"] for row in report["statistics"]] == codes and {row["fixable"] for row in report["statistics"]} == {0}

    def test_nothing_found(self) -> None:
        assert here("check", "--statistics", "-q", stdin=JOB) == (0, "1 TrainJob in 1 file: no errors or warnings\n", "")

    @pytest.mark.parametrize("form", ["sarif", "junit", "github"])
    def test_not_in_formats_that_show_places(self, form: str) -> None:
        code, out, err = here("check", "--statistics", "--format", form, stdin=self.TEXT)
        assert (code, out) == (2, "") and "text or json" in err
        assert here("check", "--statistics", "--diff", stdin=self.TEXT).code == 2


class TestSummary:
    """The last line says what decides the exit code."""

    WARNED = f"{JOB}  trainer: {{numNodes: 0}}\n"

    def test_what_decides(self, tmp_path: Path) -> None:
        def last(*argv: str, stdin: str) -> tuple[int, str]:
            code, out, err = here("check", *argv, stdin=stdin)
            return code, (err if "--diff" in argv else out).splitlines()[-1].partition(": ")[2]

        assert last("-", stdin=JOB) == (0, "no errors or warnings")
        assert last("-", stdin=self.WARNED) == (0, "1 warning; exit code 0, or 1 with --fail-on warning")
        assert last("-", "--fail-on", "warning", stdin=self.WARNED) == (1, "1 warning; exit code 1 by fail-on warning")
        wrong = self.WARNED.replace("numNodes", "numNode")
        assert last("-", stdin=wrong) == (1, "1 error (1 mended by --fix); exit code 1 for the error")
        assert last("-", "--diff", stdin=wrong) == (3, "1 warning; exit code 3 for what --fix would change")
        assert last("-", str(tmp_path / "none.yaml"), stdin=JOB) == (2, "1 error; exit code 2: not everything could be read")


def as_plugin(*argv: str) -> tuple[int, str, str]:
    import io

    out, err = io.BytesIO(), io.StringIO()
    code = main(argv, Streams(io.BytesIO(), out, err, {}, program="kubectl trainjob"))
    return code, out.getvalue().decode(), err.getvalue()


class TestPlugin:
    """`kubectl trainjob` (with the real kubectl: tests/integrations)."""

    @pytest.mark.parametrize("verb", VERBS)
    def test_the_help_calls_it_so(self, verb: str) -> None:
        code, out, _ = as_plugin(verb, "--help")
        assert code == 0 and out.startswith(f"Usage: kubectl trainjob {verb}")
        for line in out.splitlines():
            for word in line.split(PROGRAM)[1:]:
                assert not word.startswith(" ") or line.startswith("  source"), line

    def test_so_do_messages(self) -> None:
        assert as_plugin("chek")[2] == "kubectl trainjob: unknown command 'chek'; did you mean check?\nTry: kubectl trainjob --help\n"
        assert as_plugin("check", "--nothing")[2].endswith("Try: kubectl trainjob check --help\n")
        assert "kubectl trainjob render job.yaml" in as_plugin("--help")[1]
        assert "# jobset-compiler: ignore JSC801" in as_plugin("check", "--help")[1]
