"""render --output-dir: a folder kept equal to what the input renders to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobset_compiler.cli import output_dir
from jobset_compiler.cli.output_dir import HEADER, safe_name
from jobset_compiler.cli.streams import OutputError

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]

PATH = "out/default/train/jobset-train.yaml"


def files(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_one_file_an_object(here: Here, job: str, tmp_path: Path) -> None:
    text = job.replace("name: train\n", "name: train\n  namespace: team\n").replace("torch-distributed", "deepspeed-distributed")
    code, out, err = here("render", "-", "--output-dir", "out", stdin=f"{text}---\n{job}")
    assert (code, out) == (0, "")
    assert files(tmp_path / "out") == {
        "default/train/jobset-train.yaml",
        "team/train/jobset-train.yaml",
        "team/train/configmap-train-mpi-hostfile.yaml",
        "team/train/secret-train-mpi-ssh-auth.yaml",
    }
    assert (tmp_path / PATH).read_bytes() == HEADER + here("render", "-", "--form", "admitted", stdin=job).out.encode()
    assert "out: 4 written, 0 unchanged, 0 removed" in err


def test_what_is_the_same_is_not_written_again(here: Here, job: str, tmp_path: Path) -> None:
    here("render", "-", "--output-dir", "out", stdin=job)
    os.utime(tmp_path / PATH, (1, 1))
    assert "0 written, 1 unchanged, 0 removed" in here("render", "-", "--output-dir", "out", stdin=job).err
    assert (tmp_path / PATH).stat().st_mtime == 1


def test_stale_files_of_ours_go_and_foreign_ones_stay(here: Here, job: str, tmp_path: Path) -> None:
    other = job.replace("name: train", "name: other")
    here("render", "-", "--output-dir", "out", stdin=f"{job}---\n{other}")
    foreign = {"README.md", "default/train/notes.yaml", "default/mine.yaml", "kustomization.yaml"}
    for name in foreign:
        (tmp_path / "out" / name).write_text("mine: 1\n")
    (tmp_path / "out" / "deep" / "er" / "still").mkdir(parents=True)
    (tmp_path / "out" / "deep" / "er" / "still" / "x.yaml").write_bytes(HEADER)
    assert "0 written, 1 unchanged, 1 removed" in here("render", "-", "--output-dir", "out", stdin=other).err
    assert files(tmp_path / "out") == {*foreign, "default/other/jobset-other.yaml", "deep/er/still/x.yaml"}
    # With its last file a folder of ours goes too.
    assert "1 removed" in here("render", "-", "--output-dir", "out", stdin="").err
    assert not (tmp_path / "out" / "default" / "other").exists()


def test_a_foreign_file_in_the_way_stops_everything(here: Here, job: str, tmp_path: Path) -> None:
    other = job.replace("name: train", "name: another")
    (tmp_path / PATH).parent.mkdir(parents=True)
    (tmp_path / PATH).write_text("mine: 1\n")
    for options in ([], ["--check"]):
        code, out, err = here("render", "-", "--output-dir", "out", *options, stdin=f"{job}---\n{other}")
        assert (code, out) == (2, "")
        assert f"{PATH} is in the way and was not written by jobset-compiler" in err
    assert files(tmp_path / "out") == {"default/train/jobset-train.yaml"}
    assert (tmp_path / PATH).read_text() == "mine: 1\n"


def test_nothing_is_written_when_something_is_wrong(here: Here, job: str, tmp_path: Path) -> None:
    assert here("render", "-", "--output-dir", "out", stdin=f"{job}---\n{job.replace('torch-distributed', 'nothing')}").code == 1
    assert here("render", "missing.yaml", "-", "--output-dir", "out", stdin=job).code == 2
    assert not (tmp_path / "out").exists()


def test_check_shows_what_would_change_and_changes_nothing(here: Here, job: str, tmp_path: Path) -> None:
    code, out, err = here("render", "-", "--output-dir", "out", "--check", stdin=job)
    assert code == 3
    assert out.startswith(f"--- /dev/null\n+++ {PATH}\n@@ ")
    assert "out is not up to date: 1 file would change" in err
    assert not (tmp_path / "out").exists()

    here("render", "-", "--output-dir", "out", stdin=job)
    assert here("render", "-q", "-", "--output-dir", "out", "--check", stdin=job) == (0, "", "")

    changed = job + "  suspend: true\n"
    code, out, _ = here("render", "-", "--output-dir", "out", "--check", stdin=changed)
    assert code == 3
    assert f"--- {PATH}\n+++ {PATH}\n" in out
    assert "-  suspend: false\n+  suspend: true\n" in out

    code, out, _ = here("render", "-", "--output-dir", "out", "--check", stdin="")
    assert code == 3
    assert out.startswith(f"--- {PATH}\n+++ /dev/null\n")
    assert (tmp_path / PATH).exists()


def test_what_is_secret_is_not_shown_where_only_the_text_differs(here: Here, job: str, tmp_path: Path) -> None:
    token = job + "  trainer:\n    env:\n    - {name: HF_TOKEN, value: hf_4711}\n"
    here("render", "-", "--output-dir", "out", stdin=token)
    written = (tmp_path / PATH).read_text()
    header = HEADER.decode()

    def shown(text: str, stdin: str = token) -> list[str]:
        (tmp_path / PATH).write_text(text)
        code, out, _ = here("render", "-", "--output-dir", "out", "--check", stdin=stdin)
        assert code == 3 and "hf_4711" not in out and "hf_4712" not in out
        return [line for line in out.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]

    assert shown(written, token.replace("hf_4711", "hf_4712")) != []
    assert shown(written + "# a note\n")[:1] == [f"-{'# (hidden: the text that is there, which says the same or cannot be read)'}"]
    broken = shown(f"{header}a: [ # HF_TOKEN hf_4711\n  name: HF_TOKEN\n  value: hf_4711\n")
    assert broken and not any("a: [" in line for line in broken)


def test_files_of_another_run_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert output_dir._head(str(tmp_path / "none")) == output_dir.NOT_OURS
    (tmp_path / "a.yaml").write_bytes(HEADER + b"more")
    assert output_dir._head(str(tmp_path / "a.yaml")) == HEADER

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(output_dir, "open", refuse, raising=False)
    with pytest.raises(OutputError, match=r"^cannot read a\.yaml: Permission denied$"):
        output_dir._head("a.yaml")


def test_what_is_there_and_is_no_utf_8_is_shown_as_far_as_it_can_be(here: Here, job: str, tmp_path: Path) -> None:
    here("render", "-", "--output-dir", "out", stdin=job)
    (tmp_path / PATH).write_bytes((tmp_path / PATH).read_bytes() + b"# \xff\n")
    code, out, _ = here("render", "-", "--output-dir", "out", "--check", stdin=job)
    assert code == 3 and "\n-# \ufffd\n" in out


def test_check_with_errors_shows_no_difference(here: Here, job: str) -> None:
    here("render", "-", "--output-dir", "out", stdin=job)
    code, out, _ = here("render", "-", "--output-dir", "out", "--check", stdin=job.replace("torch-distributed", "nothing"))
    assert (code, out) == (1, "")


def test_a_link_that_leads_out_is_not_followed(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "default").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    code, _, err = here("render", "-", "--output-dir", "out", stdin=job)
    assert code == 2
    assert "leads out of out" in err
    assert files(tmp_path / "elsewhere") == set()


def test_permissions_of_a_replaced_file_stay(here: Here, job: str, tmp_path: Path) -> None:
    here("render", "-", "--output-dir", "out", stdin=job)
    (tmp_path / PATH).chmod(0o640)
    here("render", "-", "--output-dir", "out", stdin=job + "  suspend: true\n")
    assert (tmp_path / PATH).stat().st_mode & 0o777 == 0o640
    assert "suspend: true" in (tmp_path / PATH).read_text()


@pytest.mark.parametrize("options", [["--passthrough"], ["-o", "json"]])
def test_options_that_do_not_go_with_it(here: Here, job: str, options: list[str]) -> None:
    assert here("render", "-", "--output-dir", "out", *options, stdin=job).code == 2


def test_a_file_in_the_place_of_the_folder(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    code, _, err = here("render", "-", "--output-dir", "out", stdin=job)
    assert code == 2
    assert "out is not a folder" in err


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("train", "train"),
        ("a.b-1", "a.b-1"),
        ("..", "%.."),
        (".", "%."),
        ("", "%"),
        ("a/b", "a%2Fb"),
        ("../../etc/passwd", "..%2F..%2Fetc%2Fpasswd"),
        ("Upper", "%55pper"),
        ("con", "%con"),
        ("nul.txt", "%nul.txt"),
        ("dot.", "%dot."),
        ("ü", "%C3%BC"),
    ],
)
def test_names_that_are_safe_in_any_file_system(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@settings(deadline=None)
@given(st.lists(st.text(max_size=300), min_size=2, max_size=2, unique=True))
def test_different_names_stay_different_and_safe(names: list[str]) -> None:
    first, second = map(safe_name, names)
    assert first.lower() != second.lower()
    for safe in (first, second):
        assert "/" not in safe
        assert "\\" not in safe
        assert safe not in ("", ".", "..")
        assert len(safe.encode()) < 255


def test_a_folder_that_is_gone_meanwhile_is_made_again_and_no_more_than_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As another run may do it that removes a folder while it is empty."""
    target = tmp_path / "out" / "a.yaml"
    tries = 0

    def gone(times: int) -> Callable[[str, bytes], None]:
        def write(path: str, data: bytes) -> None:
            nonlocal tries
            tries += 1
            if tries <= times:
                raise FileNotFoundError(2, "No such file or directory")
            Path(path).write_bytes(data)

        return write

    monkeypatch.setattr(output_dir, "replace", gone(1))
    output_dir._write_file(str(target), b"x")
    assert (tries, target.read_bytes()) == (2, b"x")
    tries = 0
    monkeypatch.setattr(output_dir, "replace", gone(1000))
    with pytest.raises(OutputError, match=r"^cannot write .*a\.yaml: No such file or directory"):
        output_dir._write_file(str(target), b"y")
    assert tries < 100


def test_what_the_system_refuses_is_said_with_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for name, call, said in (
        ("replace", lambda: output_dir._write_file("out/a.yaml", b""), "cannot write out/a.yaml"),
        ("os.scandir", lambda: output_dir._members("out", folders=True), "cannot list out"),
        ("os.unlink", lambda: output_dir._remove("out", "a.yaml"), "cannot remove out/a.yaml"),
        ("os.stat", lambda: output_dir._present("out", "a.yaml"), "cannot read out/a.yaml"),
    ):
        with monkeypatch.context() as refusing:
            refusing.chdir(tmp_path)
            refusing.setattr(f"jobset_compiler.cli.output_dir.{name}", refuse)
            with pytest.raises(OutputError) as caught:
                call()
        assert str(caught.value) == f"{said}: Permission denied"
