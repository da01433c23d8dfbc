"""The sample of upstream's answers in the repository, and the tool that makes it."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

import answers
import sample
from jobset_compiler.profiles import RELEASED

TRAINJOB = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata:\n  name: {}\n"


def case(name: str, family: str, message: str = "", **fields: Any) -> dict[str, Any]:
    errors = [{"path": "spec", "message": message}] if message else []
    return {"id": name, "family": family, "input": TRAINJOB.format(name), "results": {"v2.3": {"stage": "build", "errors": errors}}, **fields}


def corpus(folder: Path, generated: list[dict[str, Any]]) -> Path:
    written = [case("named/a/1", "a", why="nothing is injected (Q2, Q4)", tags=["Q2"]), case("named/a/2", "a")]
    for name, cases in (("server/a", written), ("server/random-b", generated)):
        file = folder / f"{name}.jsonl.gz"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(gzip.compress(b"".join(json.dumps(entry).encode() + b"\n" for entry in cases)))
    return folder


def names(texts: dict[str, str], file: str) -> list[str]:
    return [json.loads(line)["id"] for line in texts[file].splitlines()]


def test_written_cases_stay_and_of_generated_ones_those_that_show_something_new(tmp_path: Path) -> None:
    generated = [case(f"b/{number}", "random-b", f'value "{number}" is no name') for number in range(5)] + [case("b/5", "random-b", "too long")]
    texts = sample.files(corpus(tmp_path, generated), False)
    assert names(texts, "compile/a.jsonl.gz") == ["named/a/1", "named/a/2"]
    assert names(texts, "compile/random-b.jsonl.gz") == ["b/0", "b/5"]
    everything = sample.files(tmp_path, True)
    assert names(everything, "compile/random-b.jsonl.gz") == [entry["id"] for entry in generated]


def test_of_the_rest_a_fixed_share_stays(tmp_path: Path) -> None:
    generated = [case(f"b/{number}", "random-b") for number in range(2 * sample.EVERY + 1)]
    texts = sample.files(corpus(tmp_path, generated), False)
    assert names(texts, "compile/random-b.jsonl.gz") == ["b/0", f"b/{sample.EVERY}", f"b/{2 * sample.EVERY}"]


def test_what_only_the_makers_of_a_corpus_know_is_left_out(tmp_path: Path) -> None:
    first = json.loads(sample.files(corpus(tmp_path, []), False)["compile/a.jsonl.gz"].splitlines()[0])
    assert first["why"] == "nothing is injected"
    assert "tags" not in first


def test_what_is_written_is_checked_and_what_is_gone_is_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    into = tmp_path / "answers"
    arguments = [str(corpus(tmp_path / "corpus", [])), "--into", str(into)]
    assert sample.main([*arguments, "--check"]) == 1
    assert sample.main(arguments) == 0
    assert sample.main([*arguments, "--check"]) == 0
    (into / "compile" / "gone.jsonl.gz").write_bytes(gzip.compress(b""))
    assert sample.main([*arguments, "--check"]) == 1
    assert sample.main(arguments) == 0
    assert not (into / "compile" / "gone.jsonl.gz").exists()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('Error from server: admission webhook "w" denied the request: spec.trainer: Forbidden: no', "spec.trainer: Forbidden: no"),
        ('x is invalid: spec.jobs: Invalid value: [{"a":"b: c"}]: field is immutable', "x is invalid: spec.jobs: Invalid value: ...: field is immutable"),
    ],
)
def test_servers_are_quoted_without_whole_objects(text: str, words: str) -> None:
    assert sample.spoken(text) == words


def test_the_sample_fits_and_covers_every_release() -> None:
    folder = answers.UPSTREAM / "answers"
    found = list(folder.rglob("*.jsonl.gz"))
    assert sum(file.stat().st_size for file in found) <= sample.LIMIT
    releases = {release for file in found if file.parent.name == "compile" for entry in answers.read(file) for release in entry["results"]}
    assert releases == {profile.name for profile in RELEASED}
    for file in found:
        text = gzip.decompress(file.read_bytes()).decode()
        assert text, file
        assert not re.search(r"\bQ\d{1,2}\b", text), file
