"""Parts of the command line that say or decide something of their own: completion, facts, revisions, keys, atomic files."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.cli import VERBS, verb_of
from jobset_compiler.cli.arguments import UsageError
from jobset_compiler.cli.atomic import finished_name, replace, write_text
from jobset_compiler.cli.candidates import Candidates, candidates, for_kubectl, lines, offered
from jobset_compiler.cli.codes import escaped
from jobset_compiler.cli.facts import facts_of
from jobset_compiler.cli.git import Revision, revision_of, revisions_of, short, sources_at
from jobset_compiler.cli.output_dir import Rendered, safe_name
from jobset_compiler.cli.ssh_keys import generate_keys, read_keys
from jobset_compiler.cli.streams import OutputError
from jobset_compiler.diagnostics.codes import all_codes
from jobset_compiler.profiles import JOBSETS
from jobset_compiler.profiles.kubernetes import MINORS
from jobset_compiler.resolve.facts import NO_FACTS, SSHKeys
from tests.cli.conftest import JOB, RUNTIME, run_here

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, where we are."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Completion


def test_at_the_beginning_stand_the_commands_with_what_they_do() -> None:
    verbs = [(name, verb_of(name).summary) for name in VERBS]
    assert candidates([], "") == Candidates((*verbs, ("--help", "show help"), ("--version", "show the version")), True)


@pytest.mark.parametrize(
    ("line", "files"),
    [
        (["render", "-"], False),
        (["render", "--output=y"], False),
        (["render", "--nothing=y"], False),
        (["render", "x=y"], True),
        (["render", "-o", ""], False),
        (["render", "--facts", ""], True),
        (["render", "-q", ""], True),
        (["job.yaml", ""], True),
        (["releases", ""], False),
        (["codes", "=x"], False),
    ],
)
def test_where_a_path_may_stand(line: list[str], files: bool) -> None:
    assert candidates(line[:-1], line[-1]).files is files


def test_values_that_are_completed() -> None:
    assert offered("jobsets") == tuple(jobset.version for jobset in JOBSETS)
    assert offered("kubernetes") == tuple(minor.name for minor in MINORS)
    assert offered("codes") == (*(code.code for code in all_codes()), *(code.slug for code in all_codes()))
    assert offered("") == ()
    with pytest.raises(AssertionError, match=r"^nothing$"):
        offered("nothing")


def test_lines_of_candidates() -> None:
    assert lines(Candidates((("a", "what"), ("b", "")), False)) == "a\twhat\nb\n" and lines(Candidates((), True)) == ""
    assert for_kubectl(["releases", "v2.0"]) == "v2.0\n:4\n" and for_kubectl(["check", "x"]) == ":0\n"
    assert for_kubectl([]) == for_kubectl([""]) != ":0\n"


# Facts


def facts(text: str) -> Any:
    Path("facts.yaml").write_text(text)
    return facts_of("facts.yaml")


def test_every_fact() -> None:
    found = facts("""\
uid: u
certificateAuthority: c
operatorNamespace: o
clusterDomain: d
priorityClasses: [a, b, a]
activeReplicatedJobs: [x, z]
featureGates: {A: true, B: false, C: true}
""")
    expected = NO_FACTS._replace(
        uid="u",
        certificate_authority="c",
        operator_namespace="o",
        cluster_domain="d",
        priority_classes=frozenset("ab"),
        active_jobs=("x", "z"),
        feature_gates=frozenset("AC"),
    )
    assert found == expected
    assert facts("") == facts("{}") == facts("# nothing\n") == NO_FACTS
    assert facts("uid: first\n---\nuid: second\n") == NO_FACTS._replace(uid="first")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [\n", "facts.yaml:1:5: did not find expected node content"),
        ("- a\n", "facts.yaml: facts are a mapping with the keys KEYS"),
        ("uid: a\nuidd: b\n", "facts.yaml:2:1: unknown fact 'uidd'; known: KEYS; did you mean uid?"),
        ("uid: 3\n", "facts.yaml:1:6: uid is a string"),
        ("priorityClasses: high\n", "facts.yaml:1:18: priorityClasses is a list of names"),
        ("activeReplicatedJobs: [a, 1]\n", "facts.yaml:1:23: activeReplicatedJobs is a list of names"),
        ("featureGates: [A]\n", "facts.yaml:1:15: featureGates is a mapping of names to true and false"),
        ("featureGates: {A: 'true'}\n", "facts.yaml:1:15: featureGates is a mapping of names to true and false"),
    ],
)
def test_what_is_no_fact(text: str, message: str) -> None:
    keys = "uid, certificateAuthority, operatorNamespace, clusterDomain, priorityClasses, activeReplicatedJobs, featureGates"
    with pytest.raises(UsageError) as caught:
        facts(text)
    assert str(caught.value) == message.replace("KEYS", keys)


# Revisions


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("0123456789abcdef0123456789abcdef01234567", "0123456789"),
        ("0123456789abcdef0123456789abcdef0123456g", "0123456789abcdef0123456789abcdef0123456g"),
        ("0123456789abcdef", "0123456789abcdef"),
        ("main", "main"),
    ],
)
def test_how_a_revision_is_called(name: str, shown: str) -> None:
    assert short(Revision(name, "")) == shown and short(None) == "working tree"


def git(*argv: str) -> str:
    who = ("-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *who, *argv], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository() -> Iterator[tuple[str, str, str]]:
    """Hashes: the commit where two branches begin, main and other, which go on from there."""
    git("init", "-q", "-b", "main")
    hashes = []
    for branch, file in (("", "a.yaml"), ("", "sub/b.yaml"), ("other", "c.yml")):
        if branch:
            git("checkout", "-q", "-b", branch, "HEAD~1")
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_text(JOB)
        git("add", ".")
        git("commit", "-q", "-m", file)
        hashes.append(git("rev-parse", "HEAD"))
    git("checkout", "-q", "main")
    yield hashes[0], hashes[1], hashes[2]


def test_ranges_of_revisions(repository: tuple[str, str, str]) -> None:
    base, main, other = repository
    at_main, at_other, head = Revision("main", main), Revision("other", other), Revision("HEAD", main)
    for text, expected in {
        "main..other": (at_main, at_other),
        "..other": (head, at_other),
        "other..": (at_other, head),
        "..": (head, head),
        "other": (at_other, None),
        "": (head, None),
        "main...other": (Revision(base, base), at_other),
        "...other": (Revision(base, base), at_other),
        "other...": (Revision(base, base), head),
    }.items():
        assert tuple(revisions_of(text)) == expected, text
    message = "git has no revision 'nowhere' here; a shallow clone may lack it (git fetch, or fetch-depth: 0 in GitHub Actions)"
    with pytest.raises(UsageError) as caught:
        revision_of("nowhere")
    assert str(caught.value) == message


def test_the_files_of_a_revision(repository: tuple[str, str, str]) -> None:
    for file, text in {".hidden/x.yaml": JOB, "notes.md": JOB, "sub/out.yaml": RUNTIME, "runtimes/r.json": "{}", "named.txt": JOB}.items():
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_text(text)
    Path("link.yaml").symlink_to("a.yaml")
    git("add", "-A")
    git("commit", "-q", "-m", "more")
    revision = revision_of("HEAD")

    def found(paths: list[str], *runtimes: str, exclude: tuple[str, ...] = ()) -> list[tuple[str, bool, bool]]:
        return [(source.file, source.from_folder, source.runtimes_only) for source in sources_at(revision, paths, runtimes, exclude)]

    assert found(["."]) == [(f"./{file}", True, False) for file in ("a.yaml", "runtimes/r.json", "sub/b.yaml", "sub/out.yaml")]
    assert found(["sub"], exclude=("sub/out.yaml",)) == [("sub/b.yaml", True, False)]
    assert found(["named.txt", "a.yaml", "none.yaml"]) == [("named.txt", False, False), ("a.yaml", False, False)]
    assert found(["sub/b.yaml"], "runtimes", "sub/b.yaml") == [("runtimes/r.json", True, True), ("sub/b.yaml", False, False)]
    (source,) = sources_at(revision, ["sub/out.yaml"], ())
    assert [b"".join(source.blocks()) for _ in range(2)] == [RUNTIME.encode()] * 2
    with pytest.raises(UsageError) as caught:
        sources_at(revision, [".."], ())
    assert str(caught.value) == f".. is outside of the git repository {os.path.realpath('.')}"


def test_without_a_repository_and_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError) as caught:
        revision_of("HEAD")
    assert str(caught.value).startswith("this is no git repository (fatal: not a git repository")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError) as caught:
        revision_of("HEAD")
    assert str(caught.value) == "the command git is needed for this: No such file or directory"


# Keys


PRIVATE = "-----BEGIN OPENSSH PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "cannot read key: No such file or directory"),
        ({"key": "x"}, "key holds no private key: it should begin with -----BEGIN ... PRIVATE KEY-----"),
        ({"key": "ü"}, "cannot read key: not a key in text form"),
        ({"key": PRIVATE}, "cannot read key.pub: No such file or directory"),
        ({"key": PRIVATE, "key.pub": "one"}, "NO PUBLIC"),
        ({"key": PRIVATE, "key.pub": PRIVATE}, "NO PUBLIC"),
    ],
)
def test_what_is_no_key(files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        Path(name).write_text(text)
    no_public = "key.pub holds no public key: it should be one line such as ecdsa-sha2-nistp521 AAAA...; make it with ssh-keygen -y -f key"
    with pytest.raises(UsageError) as caught:
        read_keys("key")
    assert str(caught.value) == message.replace("NO PUBLIC", no_public)


def test_a_pair_of_keys() -> None:
    Path("key").write_text(PRIVATE)
    Path("key.pub").write_text("ssh-ed25519 AAAA")
    assert read_keys("key") == SSHKeys(PRIVATE, "ssh-ed25519 AAAA")


def test_keys_are_made_only_where_the_package_for_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cryptography.hazmat.primitives", "cryptography.hazmat.primitives.asymmetric"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError) as caught:
        generate_keys()
    assert str(caught.value) == "--generate-ssh-keys needs the package cryptography: pip install 'jobset-compiler[ssh]'"


# Files


@pytest.mark.parametrize(
    ("name", "finished"),
    [("a.yaml.12.partial", "a.yaml"), ("a.yaml.partial", ""), ("a.yaml.x.partial", ""), ("a.yaml.12", ""), (".12.partial", ""), ("a.12.34.partial", "a.12")],
)
def test_the_name_that_an_unfinished_file_was_to_have(name: str, finished: str) -> None:
    assert finished_name(name) == finished


def test_a_file_is_replaced_as_a_whole_with_its_permissions_and_what_a_killed_run_left_is_gone() -> None:
    file = Path("a.yaml")
    for name in ("a.yaml.12.partial", "b.yaml.12.partial", "a.yaml.x.partial"):
        Path(name).write_text("x")
    file.write_text("old")
    file.chmod(0o640)
    Path("link.yaml").symlink_to("a.yaml")
    write_text("link.yaml", "ü\udcff")
    assert file.read_bytes() == b"\xc3\xbc\xff" and stat.S_IMODE(file.stat().st_mode) == 0o640 and Path("link.yaml").is_symlink()
    assert sorted(os.listdir()) == ["a.yaml", "a.yaml.x.partial", "b.yaml.12.partial", "link.yaml"]


def test_a_file_that_cannot_be_written() -> None:
    Path("folder").mkdir()
    for path, why in (("none/a.yaml", "No such file or directory"), ("folder", "Is a directory")):
        with pytest.raises(OutputError) as caught:
            write_text(path, "x")
        assert str(caught.value) == f"cannot write {path}: {why}"
    with pytest.raises(OSError, match="directory"):
        replace("folder", b"x")
    assert os.listdir() == ["folder"], "nothing is left behind"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """Not replaced, as a file is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(str(pipe), "x")
    assert os.read(read, 10) == b"x"
    os.close(read)
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a-1.b", "a-1.b"),
        ("A_b", "%41%5Fb"),
        ("ü/", "%C3%BC%2F"),
        ("..", "%.."),
        ("", "%"),
        ("a.", "%a."),
        (".a", ".a"),
        ("con", "%con"),
        ("con.yaml", "%con.yaml"),
        ("console", "console"),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 200 + "%84a0678c90937f5d"),
    ],
)
def test_names_as_parts_of_paths(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_what_is_rendered_is_kept_by_its_path_and_the_later_one_counts() -> None:
    with Rendered() as rendered:
        for path, data in (("b", b"one"), ("a", b"two"), ("b", b"three"), ("c", b"")):
            rendered.add(path, data)
        assert list(rendered) == [("a", b"two"), ("b", b"three"), ("c", b"")] == list(rendered)
        assert len(rendered) == 3 and "a" in rendered and "d" not in rendered


def test_text_in_which_markdown_sees_nothing() -> None:
    assert escaped("<a> *b* _c_ <") == "&lt;a> \\*b\\* \\_c\\_ &lt;"


# Output


def test_codes_as_json() -> None:
    found = json.loads(run_here("codes", "-o", "json").out)
    assert [list(each) for each in found] == [["code", "slug", "severity", "title", "text", "asked"]] * len(all_codes())
    assert [each["code"] for each in found] == [code.code for code in all_codes()]
