"""What goldens rest on: how a case file is read and written, and when the harness writes one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.golden.case_file import INPUT, RELEASES, Told, label, read, releases, split, write_told
from tests.golden.cases import GOLDEN, all_cases

HEAD = "why: So it is.\nreleases: v2.0 .. next\nevidence: own rule\ncites: [JSC123]\n"
# Printed lines as the command writes them: whole, and some of them empty.
LINES = st.lists(st.text(alphabet="#- a\u0085\u2028é", max_size=8), min_size=1, max_size=3).map(lambda lines: "".join(f"{line}\n" for line in lines))


@given(st.fixed_dictionaries({release: st.builds(Told, st.none() | LINES, st.just("") | LINES, st.just("") | LINES) for release in RELEASES}))
def test_what_is_written_is_read_again(told: dict[str, Told]) -> None:
    below = write_told(told)
    content = HEAD + INPUT + "kind: TrainJob\n" + below
    assert read(content).told == told
    assert read(content).text == "kind: TrainJob\n"
    assert split(content) == (HEAD + INPUT + "kind: TrainJob\n", below)
    assert below.count("--- # EXPECTED") == len({output for output, *_ in told.values()} - {None})


@given(st.sets(st.sampled_from(RELEASES), min_size=1))
def test_labels_name_releases(names: set[str]) -> None:
    ordered = tuple(sorted(names, key=RELEASES.index))
    assert releases(label(ordered)) == ordered


def test_labels_as_people_read_them() -> None:
    assert [label(["v2.1"]), label(["v2.1", "v2.2"]), label(["v2.0", "v2.2", "v2.3"])] == ["v2.1", "v2.1 .. v2.2", "v2.0, v2.2 .. v2.3"]


@pytest.mark.parametrize("wrong", ["", "2.1", "v2.1..v2.3", "v2.3 .. v2.1", "v2.1, v2.0", "v2.1, v2.1", "v9.0"])
def test_other_labels_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"^not in order|no releases"):
        releases(wrong)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD, "the input stands behind"),
        (HEAD + 'input: "a"\n' + INPUT, "the input stands behind"),
        (HEAD + INPUT + "a: b\n--- # EXPECTD v2.1\n", "no section"),
        (HEAD + INPUT + "a: b\n" + INPUT, "no section"),
        ("why\n" + INPUT, "the header is a mapping"),
        ("why: because\n" + INPUT, "no releases"),
        (HEAD + INPUT + "--- # EXPECTED v2.9\n", "no releases"),
        (HEAD + INPUT + "--- # EXPECTED v2.0 .. v2.1\n--- # EXPECTED v2.1\n", "stands here twice"),
        (HEAD.replace("v2.0 ..", "v2.1 ..") + INPUT + "--- # DIAGNOSTICS v2.0\n", "not among the releases"),
    ],
)
def test_what_is_no_case_file(content: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(content)


def test_an_input_whose_bytes_matter_stands_in_the_header() -> None:
    assert read(HEAD + 'input: "\\\n  a:\\r\\n\\\n  \\  - b"\n').text == "a:\r\n  - b"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The harness with three cases of its own: one that is complete, one that is new, one that nobody explained."""
    (tmp_path / "tests" / "golden").mkdir(parents=True)
    for name in ("case_file.py", "cases.py", "snapshots.py", "test_golden.py"):
        shutil.copy(GOLDEN.parent / "tests" / "golden" / name, tmp_path / "tests" / "golden" / name)
    area = tmp_path / "golden" / "torch"
    area.mkdir(parents=True)
    complete = (GOLDEN / "torch" / "minimal-trainjob-on-bundled-runtime.yaml").read_text()
    head, _ = split(complete)
    (area / "complete.yaml").write_text(complete)
    (area / "new.yaml").write_text("# A comment of its author.\n" + head.rstrip("\n"))
    (area / "unexplained.yaml").write_text(head.replace("why:", "reason:"))
    return tmp_path


def printed_by(folder: Path, *arguments: str, ci: str = "") -> str:
    # Its own process, as syrupy writes at the end of a session.
    options = ["--import-mode=importlib", "-p", "syrupy", "-p", "no:cacheprovider", "-k", "test_output_and_diagnostics", *arguments]
    command = [sys.executable, "-m", "pytest", *options, "tests/golden"]
    done = subprocess.run(command, cwd=folder, env={**os.environ, "CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    return done.stdout


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in (folder / "golden").rglob("*") if file.is_file()}


def test_an_ordinary_run_writes_nothing(elsewhere: Path) -> None:
    before = contents(elsewhere)
    printed = printed_by(elsewhere)
    assert "does not exist!" in printed and "2 failed, 1 passed" in printed
    assert contents(elsewhere) == before


@pytest.mark.parametrize("option", ["--snapshot-update", "--snapshot-update-new-only"])
def test_ci_writes_nothing(elsewhere: Path, option: str) -> None:
    before = contents(elsewhere)
    assert "goldens are not updated in CI" in printed_by(elsewhere, option, ci="true")
    assert contents(elsewhere) == before


def test_an_update_writes_what_changed_and_is_explained(elsewhere: Path) -> None:
    before = contents(elsewhere)
    assert "say why before anything is written" in printed_by(elsewhere, "--snapshot-update")
    after = contents(elsewhere)
    assert {name for name in after if after[name] != before[name]} == {"new.yaml"}
    assert after["new.yaml"][0] == b"# A comment of its author.\n" + after["complete.yaml"][0]


def test_every_case_is_written_as_an_update_would_write_it() -> None:
    for case in all_cases():
        assert split((GOLDEN / f"{case.id}.yaml").read_bytes().decode())[1] == write_told(case.file.told), case.id
