"""-q and -v: on every command, in every format; nothing of them decides the exit code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml

from jobset_compiler.cli import VERBS, verb_of
from jobset_compiler.cli.arguments import EVERYWHERE
from tests.cli.conftest import JOB, RUNTIME
from tests.cli.conftest import run_here as here

if TYPE_CHECKING:
    from pathlib import Path

# A warning (JSC725), a notice that is worth knowing (JSC214, of another group's TrainJob) and one that every such input gets (JSC208).
WARNED = f"""{JOB}  trainer: {{image: "<IMAGE>"}}
---
{RUNTIME}---
apiVersion: training.example.com/v1
kind: TrainJob
metadata:
  name: other
"""
WARNING, NOTICE, USUAL = "JSC725", "JSC214", "JSC208"
FORMATS = ("text", "json", "sarif", "junit", "github")


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_takes_them(verb: str) -> None:
    out = here(verb, "--help").out
    assert "-q, --quiet" in out and "-v, --verbose" in out
    assert not {name for option in verb_of(verb).options for name in option.names} & {name for option in EVERYWHERE for name in option.names}


@pytest.mark.parametrize(("argv", "code"), [(("codes",), 0), (("releases",), 0), (("runtimes",), 0), (("passes",), 0), (("schema", "TrainJob"), 0)])
def test_what_has_no_messages_says_the_same(argv: tuple[str, ...], code: int) -> None:
    assert here(*argv, "-q") == here(*argv) == here(*argv, "-v")
    assert here(*argv).code == code


@pytest.mark.parametrize("form", FORMATS)
def test_check_in_every_format(form: str) -> None:
    usual, quiet, verbose = (here("check", "--format", form, *more, stdin=WARNED) for more in ((), ("-q",), ("-v",)))
    assert usual.code == quiet.code == verbose.code == 0
    assert [{code for code in (WARNING, NOTICE, USUAL) if code in found.out} for found in (usual, quiet, verbose)] == [
        {WARNING, NOTICE} if form in ("text", "json") else {WARNING},
        set(),
        {WARNING, NOTICE, USUAL},
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_errors_are_told_all_the_same(form: str) -> None:
    wrong = WARNED.replace("torch-distributed", "nothing")
    found = here("check", "-q", "--format", form, stdin=wrong)
    assert found.code == 1 and "JSC201" in found.out and NOTICE not in found.out


@pytest.mark.parametrize("form", FORMATS)
def test_warnings_decide_whether_they_are_told_or_not(form: str) -> None:
    assert here("check", "-q", "--fail-on", "warning", "--format", form, stdin=WARNED).code == 1


@pytest.mark.parametrize("verb", ["render", "explain", "expand"])
def test_messages_of_other_commands(verb: str) -> None:
    usual, quiet, verbose = (here(verb, *more, "-", stdin=WARNED) for more in ((), ("-q",), ("-v",)))
    assert usual.out == quiet.out == verbose.out != ""
    assert WARNING in usual.err and USUAL not in usual.err
    assert quiet.err == ""
    assert USUAL in verbose.err


def test_of_a_krm_function() -> None:
    items = [{**document, "metadata": {**document["metadata"], "annotations": {}}} for document in yaml.safe_load_all(WARNED)]
    given = yaml.safe_dump({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items})
    usual, quiet = here("fn", stdin=given), here("fn", "-q", stdin=given)
    assert {result["tags"]["code"] for result in yaml.safe_load(usual.out)["results"]} >= {WARNING}
    assert "results" not in yaml.safe_load(quiet.out)
    assert (usual.code, quiet.code, quiet.err) == (0, 0, "")


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_of_a_diff(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(JOB)
    (tmp_path / "b.yaml").write_text(WARNED)
    usual, quiet = here("diff", "a.yaml", "b.yaml", "-o", form), here("diff", "-q", "a.yaml", "b.yaml", "-o", form)
    assert usual.code == quiet.code == 3
    assert WARNING in usual.out and WARNING not in quiet.out
    if form == "json":
        changed, same = json.loads(usual.out), json.loads(quiet.out)
        assert changed["trainJobs"] == same["trainJobs"]


def test_of_a_schema(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(JOB)
    file = str(tmp_path / "a.yaml")
    assert here("schema", "TrainJob", "--validate", file).err == "1 TrainJob document, no faults\n"
    assert here("schema", "TrainJob", "--validate", file, "-q") == (0, "", "")
