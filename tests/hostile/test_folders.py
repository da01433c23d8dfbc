"""Folders that are written to and read from while anything may be in them and others work there too."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobset_compiler.cli import atomic, output_dir
from jobset_compiler.cli.output_dir import HEADER
from tests.cli.conftest import Process
from tests.hostile.shell import shell

Here = Callable[..., Any]


@pytest.fixture
def full_folder(here: Here, job: str, tmp_path: Path) -> Path:
    here("render", "-", "--output-dir", "out", stdin=job)
    return tmp_path / "out"


FILE = "default/train/jobset-train.yaml"


def test_pipes_and_devices_in_the_place_of_files(here: Here, full_folder: Path, job: str) -> None:
    (full_folder / FILE).unlink()
    os.mkfifo(full_folder / FILE)
    for option in ([], ["--check"], ["--update"]):
        code, out, err = here("render", "-", "--output-dir", "out", *option, stdin=job)
        assert (code, out) == (2, "") and "is in the way and is no regular file" in err
    (full_folder / FILE).unlink()
    os.mkfifo(full_folder / "default/train/pipe.yaml")
    os.mkfifo(full_folder / f"{FILE}.1.partial")
    assert here("render", "-", "--output-dir", "out", stdin=job).code == 0


@pytest.mark.parametrize("option", ["--facts", "--config", "--ssh-key"])
def test_a_folder_in_the_place_of_one_file_is_not_searched(here: Here, job: str, tmp_path: Path, option: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "hunter2.yaml").write_text("hunter2: [")
    code, out, err = here("render", "-", option, "folder", stdin=job)
    assert (code, out) == (2, "") and "folder: " in err and "Is a directory" in err and "hunter2" not in err


def test_files_in_the_place_of_folders_and_folders_in_the_place_of_files(here: Here, tmp_path: Path, job: str) -> None:
    (tmp_path / "out" / FILE).mkdir(parents=True)
    assert here("render", "-", "--output-dir", "out", stdin=job).code == 2
    (tmp_path / "other" / "default").mkdir(parents=True)
    (tmp_path / "other" / "default" / "train").write_text("")
    code, _, err = here("render", "-", "--output-dir", "other", stdin=job)
    assert code == 2 and "Not a directory" in err


@pytest.mark.parametrize("function", ["os.scandir", "os.replace", "os.makedirs", "builtins.open"])
@pytest.mark.parametrize("number", [1, 13, 30], ids=["EPERM", "EACCES", "EROFS"])
def test_parts_that_cannot_be_read_or_written(
    here: Here, full_folder: Path, job: str, monkeypatch: pytest.MonkeyPatch, function: str, number: int
) -> None:
    """As a user without rights would see it; the tests may run as one who has all."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(function, refuse)
        code, out, err = here("render", "-", "--no-config", "--no-plugins", "--output-dir", "out", stdin=job + "  suspend: true\n")
    assert (code, out) == (2, "") and err.splitlines()[-1].startswith("jobset-compiler: cannot ")
    assert "suspend: false" in (full_folder / FILE).read_text()
    assert [path.name for path in full_folder.rglob("*") if path.is_file()] == ["jobset-train.yaml"]


def test_a_stale_file_that_cannot_be_removed(here: Here, full_folder: Path, job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.unlink", refuse)
    code, _, err = here("render", "-", "--output-dir", "out", stdin=job.replace("name: train", "name: other"))
    assert code == 2 and f"cannot remove out/{FILE}: Permission denied" in err


@pytest.mark.parametrize("name", ["_head", "_remove", "replace"])
def test_another_run_is_quicker(here: Here, full_folder: Path, job: str, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Right before we look at, remove or write something, another run removes it with its folders."""
    import shutil

    original = getattr(output_dir, name)
    done: list[bool] = []

    def late(*arguments: Any) -> Any:
        if not done:
            done.append(True)
            shutil.rmtree(full_folder)
        return original(*arguments)

    monkeypatch.setattr(output_dir, name, late)
    code, _, err = here("render", "-", "--output-dir", "out", stdin=job.replace("name: train", "name: other"))
    assert code == 0 and done, err
    assert name == "_remove" or (full_folder / "default/other/jobset-other.yaml").is_file()


def test_what_killed_runs_have_left_is_removed(here: Here, full_folder: Path, job: str) -> None:
    folder = (full_folder / FILE).parent
    left = {"jobset-train.yaml.17.partial": HEADER + b"apiVersion", "gone.yaml.123456789.partial": HEADER[:20], "a.yaml.5.partial": b""}
    foreign = {"notes.yaml.17.partial": b"mine", "x.partial": HEADER, "jobset-train.yaml.part.partial": HEADER}
    for name, data in {**left, **foreign}.items():
        (folder / name).write_bytes(data)
    assert here("render", "-", "--output-dir", "out", "--check", stdin=job).code == 0
    assert "0 written, 1 unchanged, 3 removed" in here("render", "-", "--output-dir", "out", stdin=job).err
    assert {path.name for path in folder.iterdir()} == {"jobset-train.yaml", *foreign}


def test_what_a_killed_run_has_left_of_a_report_is_removed(here: Here, job: str, tmp_path: Path) -> None:
    for name in ("report.json.1.partial", "other.json.1.partial", "report.json.x.partial"):
        (tmp_path / name).write_text("")
    assert here("check", "-", "--format", "json=report.json", stdin=job).code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"report.json", "other.json.1.partial", "report.json.x.partial"}


def test_an_unfinished_file_is_never_put_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            atomic.write_text(str(target), "new")
    assert target.read_text() == "old" and [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_link_cannot_be_put_in_the_way_of_an_unfinished_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.urandom", lambda length: b"\0" * length)
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "file.0.partial").symlink_to(tmp_path / "victim")
    with pytest.raises(FileExistsError):
        atomic.replace(str(tmp_path / "file"), b"new")
    assert (tmp_path / "victim").read_text() == "precious"


def test_several_runs_at_once(tmp_path: Path, job: str) -> None:
    """Of the same inputs and of others, with leftovers to clean up: all succeed, and what is there in the end is whole."""
    jobs = "---\n".join(job.replace("name: train", f"name: train-{number}") for number in range(20))
    other = "---\n".join(job.replace("name: train", f"name: other-{number}") for number in range(20))
    (tmp_path / "jobs.yaml").write_text(jobs)
    (tmp_path / "other.yaml").write_text(other)
    line = Process.line("render", "-q", "--output-dir", "out")
    running = [subprocess.Popen([*line, name], cwd=tmp_path, env=Process.environment(), stderr=subprocess.PIPE) for name in ("jobs.yaml", "other.yaml") * 3]
    for process in running:
        _, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, b"")
    subprocess.run([*line, "jobs.yaml"], cwd=tmp_path, env=Process.environment(), check=True)
    files = sorted(path for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert len(files) == 20 and all(path.read_bytes().startswith(HEADER) for path in files)


def test_an_empty_path_is_no_path(here: Here, job: str) -> None:
    options = ("--output-dir", "--runtime", "--facts", "--config", "--ssh-key")
    for option in options:
        for argv in ((option, ""), (f"{option}=",)):
            code, out, err = here("render", "-", *argv, stdin=job)
            assert (code, out) == (2, "") and f"option {option} needs a path" in err


def test_pipes_sockets_and_devices_in_a_folder_are_passed_over(here: Here, job: str, tmp_path: Path) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "job.yaml").write_text(job)
    os.mkfifo(folder / "pipe.yaml")
    (folder / "link.yaml").symlink_to("pipe.yaml")
    (folder / "null.yaml").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(folder / "socket.yaml"))
        assert here("check", "jobs").out.endswith("1 TrainJob in 1 file: no errors or warnings\n")
        assert here("schema", "TrainJob", "--validate", "jobs").code == 0
        assert here("diff", "jobs", "jobs/job.yaml").code == 0


def test_links_that_lead_nowhere_or_in_circles_are_told(here: Here, job: str, tmp_path: Path) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "gone.yaml").symlink_to("nothing.yaml")
    (folder / "circle.yaml").symlink_to("circle.yaml")
    (folder / "again").symlink_to(folder, target_is_directory=True)
    for number in range(2000):
        (folder / f"{number}.yaml.x").symlink_to(f"{number + 1}.yaml.x")
    (folder / "chain.yaml").symlink_to("0.yaml.x")
    code, out, _ = here("check", "jobs")
    assert code == 2 and out.count("unreadable") == 3


@pytest.fixture
def deep(tmp_path: Path) -> Any:
    """A tree of 3,000 folders, one in the other."""
    top = tmp_path / "deep"
    top.mkdir()
    here = os.open(tmp_path, os.O_RDONLY)
    os.chdir(top)
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    Path("job.yaml").write_text("kind: TrainJob\n")
    os.chdir(here)
    os.close(here)
    yield top
    subprocess.run(["rm", "-rf", str(top)], check=True)


def test_folders_in_folders_in_folders(here: Here, job: str, deep: Path) -> None:
    (deep / "job.yaml").write_text(job)
    for argv in (("check", "deep"), ("render", "deep"), ("check", "-r", "deep", "deep/job.yaml"), ("diff", "deep", "deep/job.yaml")):
        code, out, err = here(*argv)
        assert code == 2 and "unreadable" in out + err and "File name too long" in out + err


@pytest.mark.parametrize("verb", ["check {}", "diff --from v2.2 --to v2.3 {}", "render {} --output-dir {}.out", "check -r . {}", "fn"])
def test_a_working_directory_that_is_gone(tmp_path: Path, job: str, verb: str) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "job.yaml").write_text(job)
    arguments = verb.replace("{}", str(tmp_path / "job.yaml"))
    stdin = json.dumps({"kind": "ResourceList", "items": []}).encode()
    code, _, err = shell(f"cd gone && rmdir ../gone && $JC {arguments}", stdin, cwd=tmp_path)
    assert "Traceback" not in err and "JSC901" not in err
    assert code == (3 if "diff" in verb else 0), err


@pytest.mark.parametrize("verb", ["render {} --output-dir out", "check --format json=report.json {}", "diff --git HEAD {}", "check --was-git HEAD {}"])
def test_nothing_can_be_written_or_looked_up_there(tmp_path: Path, job: str, verb: str) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "job.yaml").write_text(job)
    code, _, err = shell(f"cd gone && rmdir ../gone && $JC {verb.replace('{}', str(tmp_path / 'job.yaml'))}", cwd=tmp_path)
    assert code == 2 and "Traceback" not in err and "JSC901" not in err
