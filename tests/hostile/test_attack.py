"""Input of somebody who means harm: an untrusted pull request, a hostile clone, a name that is a trap."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.diagnostics import inert
from jobset_compiler.diagnostics.redaction import hidden, hidden_pair, is_credential
from tests.hostile.output import commands, raw_controls

Here = Callable[..., Any]

# A window title, a cleared screen, a bidirectional override, a line separator, C1, and commands of CI runners.
EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u2028\u2029\x85\x9b31m\x7f##[error]x"
QUOTED = json.dumps(EVIL)
JOB = f"""\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {{name: train, namespace: ml, annotations: {{{QUOTED}: {QUOTED}}}}}
spec:
  runtimeRef: {{name: torch-distributed}}
  {QUOTED}: {QUOTED}
  trainer:
    image: {QUOTED}
    command: [{QUOTED}, "::error::x"]
    args: [{QUOTED}]
    env:
    - {{name: {QUOTED}, value: {QUOTED}}}
    - {{name: LINES, value: "x\\n::error::y\\n##[error]z\\n\\e[1m"}}
"""
# Each of these is refused for another reason, with the words of the input in what is said.
REFUSED = {
    "kind": JOB.replace("kind: TrainJob", f"kind: {QUOTED}"),
    "version": JOB.replace("v1alpha1", "v1alpha1\\e[2J").replace("trainer.kubeflow", '"trainer.kubeflow').replace("[2J", '[2J"'),
    "name": JOB.replace("name: train,", f"name: {QUOTED},"),
    "namespace": JOB.replace("namespace: ml", f"namespace: {QUOTED}"),
    "runtime": JOB.replace("torch-distributed", QUOTED),
    "type": JOB.replace("trainer:", f"suspend: {QUOTED}\n  trainer:"),
    "quantity": JOB + f"    resourcesPerNode: {{requests: {{cpu: {QUOTED}}}}}\n",
    "resource": JOB + f"    resourcesPerNode: {{requests: {{{QUOTED}: 1}}}}\n",
    "syntax": "a: [\n# \u202e\u2066\n" + JOB,
    "key": f"{{{QUOTED}: 1, {QUOTED}: 2}}\n",
    "anchor": "a: *b\u202e\n",
    "scalar": f"kind: TrainJob\napiVersion: {QUOTED}\nspec: {QUOTED}\n",
}
VERBS = (
    ("check",),
    *(("check", "--format", name) for name in ("json", "sarif", "junit", "github")),
    ("check", "--color", "never", "--validate-nothing"),  # an option that does not exist
    *(("render", "-o", name) for name in ("yaml", "json", "name")),
    ("render", "--output-dir", "out", "--check"),
    *(("expand", "-o", name) for name in ("yaml", "json", "name")),
    ("explain",),
    ("explain", "-o", "json"),
    ("explain", "--names"),
    ("explain", "--ignore-differences"),
    ("explain", "--field", "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].image"),
    ("explain", "-o", "json", "--field", "spec.replicatedJobs"),
    ("check", "--was", "old.yaml"),
    ("schema", "TrainJob", "--validate"),
)
DIFFS = tuple(("diff", "-o", name) for name in ("text", "unified", "json", "markdown"))


def assert_inert(argv: tuple[str, ...], result: Any) -> None:
    assert result.code in (0, 1, 2, 3), result
    assert not raw_controls(result.out), (argv, result.out)
    assert not raw_controls(result.err), (argv, result.err)
    assert not commands(result.err), (argv, result.err)
    if "github" not in argv and argv[0] not in ("render", "expand", "fn"):
        assert not commands(result.out), (argv, result.out)


@pytest.mark.parametrize("case", ["accepted", *REFUSED])
def test_no_verb_and_no_format_lets_control_characters_through(here: Here, case: str) -> None:
    Path("old.yaml").write_text(JOB.replace("owned", "old"))
    Path("new.yaml").write_text(REFUSED.get(case, JOB))
    for argv in VERBS:
        assert_inert(argv, here(*argv, "new.yaml"))
    for argv in DIFFS:
        assert_inert(argv, here(*argv, "old.yaml", "new.yaml"))
    items = [{"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": EVIL, "metadata": {"name": EVIL}, "spec": {EVIL: EVIL}}]
    for config in ({EVIL: EVIL}, {"trainerVersion": EVIL}, {}):
        krm = {"kind": "ResourceList", "items": items, "functionConfig": {"spec": config}}
        assert_inert(("fn",), here("fn", stdin=json.dumps(krm)))


@pytest.mark.parametrize(
    "argv",
    [
        (EVIL,),
        ("check", EVIL),
        ("check", f"--{EVIL}"),
        ("check", "--trainer-version", EVIL),
        ("check", "--format", EVIL),
        ("check", "--ignore", EVIL),
        ("check", "--config", EVIL),
        ("check", "--feature-gate", EVIL),
        ("check", "--facts", EVIL),
        ("check", "-r", EVIL, "job.yaml"),
        ("explain", "--field", EVIL, "job.yaml"),
        ("diff", EVIL, "job.yaml"),
        ("diff", "--git", EVIL, "job.yaml"),
        ("diff", "--max-length", EVIL, "job.yaml"),
        ("check", "--was-git", EVIL, "job.yaml"),
        ("render", "job.yaml", "--output-dir", f"out/{EVIL}", "--check"),
        ("render", "job.yaml", "--ssh-key", EVIL),
        ("schema", EVIL),
        ("runtimes", "show", EVIL),
        ("codes", "explain", EVIL),
        ("completion", EVIL),
    ],
    ids=lambda argv: " ".join(argv).split("\x1b")[0],
)
def test_no_usage_error_lets_control_characters_through(here: Here, job: str, argv: tuple[str, ...]) -> None:
    Path("job.yaml").write_text(job)
    result = here(*argv)
    assert result.code in (2, 3)
    assert_inert(argv, result)


@pytest.mark.parametrize("text", [f"{QUOTED} = 1", f"facts = {QUOTED}", f"fail-on = {QUOTED}", f"trainer-version = {QUOTED}", f"ignore = [{QUOTED}]"])
def test_no_settings_let_control_characters_through(here: Here, job: str, text: str) -> None:
    Path("pyproject.toml").write_text(f"[tool.jobset-compiler]\n{text}\n")
    result = here("check", "-", stdin=job)
    assert result.code == 2
    assert_inert(("check",), result)


@pytest.mark.parametrize("name", ["::error file=x::y.yaml", "##[error]z.yaml", "  ::set-output name=a::b.yaml", "a##vso[task.x]b.yaml", "\x1b[2J.yaml"])
def test_a_name_of_a_file_is_no_workflow_command(here: Here, job: str, name: str) -> None:
    Path(name).write_text(job + "  unknown: 1\n")
    for argv in (("check",), ("check", "--format", "json"), ("check", "--format", "junit"), ("explain",), ("render",)):
        result = here(*argv, "--", name)
        assert_inert(argv, result)
    out = here("check", "--format", "github", ".").out
    lines = out.splitlines()
    assert lines and all(re.match(r"::(error|warning|notice) ", line) and line.count("::") >= 2 for line in lines)
    assert not raw_controls(out)


@given(st.text())
def test_inert_text_is_one_line_and_stays_what_it_is(text: str) -> None:
    line = inert.one_line(text)
    assert line.isprintable() and not commands(line)
    assert inert.one_line(line) == line
    assert inert.one_line(text) == text or not text.isprintable() or commands(text)
    assert inert.lines(text).count("\n") == text.count("\n")
    assert not raw_controls(inert.lines(text)) and not commands(inert.lines(text))


@given(st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)), st.sampled_from([None, 2]))
def test_json_text_reads_back_as_the_same(value: Any, indent: int | None) -> None:
    text = inert.json_text(value, indent)
    assert not raw_controls(text) and not commands(text)
    assert json.dumps(json.loads(text)) == json.dumps(value) or "\\\\ud" in text


MARKDOWN = "` @octocat <img src=x> [a](http://evil) ![b](www.evil.example) #1 GH-1 a/b#2 <!-- --> **bold** | $x$ ~~gone~~ user@example.com"


@pytest.mark.parametrize(
    ("text", "alive"),
    [
        ("@octocat", r"@\w"),
        ("see #12, GH-12 and a/b#3", r"#\d+(?!;)|GH-\d"),
        ("https://evil.example and www.evil.example", r"://|www\."),
        ("<b> &amp; </details>", r"[<>]"),
        ("[a](b) ![c](d)", r"\]\("),
        ("# heading", r"^#"),
        ("- item", r"^-"),
        ("12. item", r"^12\."),
        ("`code` *a* _b_ ~~c~~ $d$ | cell", r"[`*~$|]|\b_|_\b"),
        ("line\n\n# heading", r"\n"),
    ],
)
def test_text_in_markdown_is_only_text(text: str, alive: str) -> None:
    shown = inert.markdown(text)
    assert re.search(alive, re.sub(r"&#\d+;", "\0", shown)) is None, shown
    plain = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), shown).replace("\u200b", "")
    assert plain == inert.one_line(text)


@given(st.text(alphabet="`ab \n"))
def test_a_code_span_holds_any_text(text: str) -> None:
    span = inert.code(text)
    fence = re.match("`+", span)
    assert fence and "\n" not in span
    inside = span[len(fence[0]) : -len(fence[0])]
    assert span.endswith(fence[0]) and fence[0] not in re.findall("`+", inside)
    assert inside.strip(" ") == inert.one_line(text).strip(" ")


def test_a_comment_on_a_pull_request_has_nothing_of_the_input_alive(here: Here) -> None:
    def job(image: str, extra: str = "") -> str:
        names = "".join(f"    - {{name: {json.dumps(name)}, value: {image}}}\n" for name in (f"A{MARKDOWN}\n\n# h\n\n- x", "</summary></details>@octocat"))
        args = json.dumps(["a\n```\n# H1 @octocat\n<details>", image, "```"])
        return (
            "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec:\n  runtimeRef: {name: torch-distributed}\n"
            f"  {json.dumps(f'field{extra} {MARKDOWN}')}: 1\n  trainer:\n    image: {json.dumps(image + MARKDOWN)}\n    args: {args}\n    env:\n{names}"
        )

    for old, new in (("old @a.yaml", "new `b` #1.yaml"), ("gone [x](y).yaml", "new `b` #1.yaml")):
        Path(old).write_text(job("x") if old.startswith("old") else job("x").replace("torch-distributed", json.dumps(f"none {MARKDOWN}")))
        Path(new).write_text(job("y", "s"))
        text = here("diff", "-o", "markdown", "--", old, new).out
        assert "octocat" in text
        outside = re.sub(r"(`+)diff\n.*?\n *\1\n", "", text, flags=re.DOTALL)
        outside = re.sub(r"(`+)[^\n]*?(?<!`)\1(?!`)", "", outside)
        ours = re.sub(r"<!-- jobset-compiler diff -->|</?(?:details|summary|sub)>|<br>|kubeflow/trainer#\d+", "", outside)
        ours = re.sub(r"&#\d+;", "\0", ours)
        assert not re.search(r"@\w|<\w|</|://|www\.|\]\(|#\d|^#(?!## Rendered)|GH-\d", ours, re.MULTILINE), ours


SECRETS = """\
apiVersion: v1
kind: Secret
metadata: {name: twice}
stringData:
  password: hunter2-one
  password: hunter2-two
---
apiVersion: v1
kind: Secret
metadata: {name: unclosed}
stringData:
  token: "hunter2-three
  other: x
---
kind: Secret
apiVersion: v1
data:
\tk: hunter2-four
---
apiVersion: v1
kind: Secret
metadata: {name: colon}
stringData:
  password:hunter2-five
  x: 1
---
apiVersion: v1
kind: Secret
metadata: {name: tagged}
stringData:
  password: !!int hunter2-six
---
apiVersion: v1
metadata: {name: of-no-kind}
stringData: {password: hunter2-seven}
data: {password: hunter2-eight}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    env: [{name: HF_TOKEN, value: hunter2-nine, extra: 1}, {name: PLAIN, value: seen}]
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: b}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    env:
    - name: WANDB_API_KEY
      value: hunter2-ten
      value: hunter2-eleven
"""


def test_no_report_shows_what_is_in_a_secret(here: Here) -> None:
    Path("secrets.yaml").write_text(SECRETS)
    valid = SECRETS[SECRETS.index("apiVersion: trainer") :]
    Path("jobs.yaml").write_text(valid)
    Path("changed.yaml").write_text(valid.replace("hunter2", "hunter2-changed"))
    for argv in VERBS:
        if argv[0] not in ("render", "expand"):
            result = here(*argv, "secrets.yaml")
            assert "hunter2" not in result.out + result.err, (argv, result)
            result = here(*argv, "jobs.yaml")
            assert "hunter2" not in result.out + result.err, (argv, result)
    for argv in DIFFS:
        result = here(*argv, "--validate", "warn", "jobs.yaml", "changed.yaml")
        assert result.code == 3
        assert "hunter2" not in result.out + result.err, (argv, result)
        assert "hidden: the one after" in result.out
    assert "seen" in here("check", "jobs.yaml").out


KEY = "-----BEGIN EC PRIVATE KEY-----\nhunter2-key\n-----END EC PRIVATE KEY-----\n"


@pytest.mark.parametrize("option", ["--check", "--update"])
def test_a_folder_that_is_compared_does_not_show_the_private_key(here: Here, job: str, option: str) -> None:
    from base64 import b64encode

    Path("key").write_text(KEY)
    Path("key.pub").write_text("ecdsa-sha2-nistp521 hunter2-pub\n")
    mpi = job.replace("torch-distributed", "deepspeed-distributed")
    arguments = ("render", "-", "--ssh-key", "key", "--output-dir", "out")
    results = [here(*arguments, option, stdin=mpi)]
    here(*arguments, stdin=mpi)
    secret = Path("out/default/train/secret-train-mpi-ssh-auth.yaml")
    Path("key").write_text(KEY.replace("hunter2-key", "hunter2-other"))
    results.append(here(*arguments, option, stdin=mpi))
    secret.write_text(secret.read_text().replace("data:", "data: ["))
    results.append(here(*arguments, option, stdin=mpi))
    secret.write_text(secret.read_text() + "\n# hunter2")
    results.append(here(*arguments, option, stdin=mpi))
    results.append(here(*arguments, option, stdin=""))
    assert "-kind: Secret\n" in results[-1].out or option == "--update"
    for result in results:
        assert result.code == 3
        assert "secret-train-mpi-ssh-auth.yaml" in result.out
        assert "(hidden" in result.out or result is results[-1]
        assert "hunter2" not in result.out and b64encode(KEY.encode())[:40].decode() not in result.out
        assert "LS0tLS1CRUdJTiBFQ" not in result.out


def test_names_of_variables_that_hold_something_secret() -> None:
    assert all(map(is_credential, ("HF_TOKEN", "hf_token", "WANDB_API_KEY", "AWS_SECRET_ACCESS_KEY", "PASSWORD", "DB_PASSWORD", "CLIENT_SECRET")))
    assert not any(map(is_credential, ("MAX_TOKENS", "TOKENIZERS_PARALLELISM", "KEY", "SORT_KEY", "SECRETARY", "MONKEY", "", None, 5)))


def test_two_versions_of_a_secret_can_be_told_apart() -> None:
    old = {"kind": "Secret", "data": {"same": "hunter2", "other": "hunter2-a", "gone": "hunter2-b"}}
    new = {"kind": "Secret", "data": {"same": "hunter2", "other": "hunter2-c"}, "stringData": "hunter2"}
    before, after = hidden_pair(old, new)
    assert before["data"]["same"] == after["data"]["same"] == "(hidden)"
    assert before["data"]["other"] != after["data"]["other"]
    assert "hunter2" not in str((before, after, hidden([old, new])))
    assert old["data"] == {"same": "hunter2", "other": "hunter2-a", "gone": "hunter2-b"}
    plain = {"kind": "ConfigMap", "data": {"a": "b"}}
    assert hidden_pair(plain, plain) == (plain, plain)


# A file that somebody else on this machine has, of a format that would end in messages.
FOREIGN = "apiVersion: hunter2\nkind: TrainJob\nmetadata: {hunter2: [}\n"


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    (folder / "foreign.yaml").write_text(FOREIGN)
    return folder / "foreign.yaml"


def plant(kind: str, outside: Path) -> str:
    """Put a way to that file into the working directory; returns the path that settings name."""
    if kind == "absolute":
        return str(outside)
    if kind == "relative":
        return os.path.relpath(outside)
    if kind == "link":
        Path("link.yaml").symlink_to(outside)
        return "link.yaml"
    if kind == "folder-link":
        Path("linked").symlink_to(outside.parent, target_is_directory=True)
        return "linked"
    if kind == "link-in-a-folder":
        Path("folder").mkdir()
        Path("folder/a.yaml").symlink_to(outside)
        return "folder"
    if kind == "hidden":
        Path(".git").mkdir()
        Path(".git/config.yaml").write_text(FOREIGN)
        return ".git/config.yaml"
    if kind == "no-yaml":
        Path("credentials").write_text(FOREIGN)
        return "credentials"
    os.mkfifo("pipe.yaml")
    return "pipe.yaml"


@pytest.mark.parametrize("kind", ["absolute", "relative", "link", "folder-link", "link-in-a-folder", "hidden", "no-yaml", "pipe"])
@pytest.mark.parametrize("key", ["runtimes", "facts"])
@pytest.mark.parametrize("name", ["pyproject.toml", ".jobset-compiler.yaml"])
def test_settings_name_only_files_beside_them(here: Here, job: str, outside: Path, kind: str, key: str, name: str) -> None:
    path = json.dumps(plant(kind, outside))
    value = f"[{path}]" if key == "runtimes" else path
    Path(name).write_text(f"[tool.jobset-compiler]\n{key} = {value}\n" if name.endswith("toml") else f"{key}: {value}\n")
    Path("job.yaml").write_text(job)
    for argv in (("check", "job.yaml"), ("check", "job.yaml", "--format", "sarif"), ("check", "job.yaml", "--format", "junit"), ("render", "job.yaml")):
        result = here(*argv)
        assert "hunter2" not in result.out + result.err
        if kind == "link-in-a-folder" and key == "runtimes":
            assert "hunter" not in result.out and result.code == 0
        else:
            assert result.code == 2 and result.out == ""
            assert f"{name}: " in result.err


@pytest.mark.parametrize("name", ["pyproject.toml", ".jobset-compiler.yaml"])
def test_settings_that_are_a_link_are_not_followed(here: Here, job: str, tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    target = tmp_path_factory.mktemp("outside") / name
    target.write_text("[tool.jobset-compiler]\nhunter2 = 1\n" if name.endswith("toml") else "hunter2: 1\n")
    Path(name).symlink_to(target)
    result = here("check", "-", stdin=job)
    assert result.code == 2 and "leads out of the folder" in result.err and "hunter2" not in result.err


def test_a_folder_of_somebody_else_brings_in_only_its_own_files(here: Here, job: str, outside: Path) -> None:
    Path("jobs/..data").mkdir(parents=True)
    Path("jobs/.git").mkdir()
    Path("jobs/..data/mounted.yaml").write_text(job.replace("train", "mounted", 1).replace("name: train", "name: mounted"))
    Path("jobs/.git/config").write_text(FOREIGN)
    Path("jobs/mounted.yaml").symlink_to("..data/mounted.yaml")
    Path("jobs/a.yaml").symlink_to(outside)
    Path("jobs/b.yaml").symlink_to(".git/config")
    Path("jobs/c.yaml").symlink_to("/proc/self/environ")
    Path("jobs/job.yaml").write_text(job)
    for argv in (("check", "jobs"), ("check", "jobs", "--format", "json"), ("render", "jobs", "--fail-on", "warning")):
        result = here(*argv)
        assert result.code in (0, 1) and "hunter2" not in result.out + result.err
    out = here("check", "jobs").out
    assert "2 TrainJobs" not in out or "link-not-followed" in out
    assert "info JSC025 link-not-followed" in out and "(jobs/a.yaml:" not in out
    # Whoever means that file can name it.
    assert "hunter2" in here("check", "jobs", str(outside)).out


@pytest.fixture
def repository(tmp_path: Path, job: str) -> Path:
    """A git repository with one commit, in the working directory of the test."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "job.yaml").write_text(job)
    (folder / ":(top)*.yaml").write_text(job.replace("name: train", "name: magic"))
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    return folder


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "x")


# Commands that a configuration of git can name, each of which would leave a trace.
TRAPS = ("core.fsmonitor", "core.sshCommand", "core.pager", "core.askPass", "core.gitProxy", "credential.helper", "diff.external", "uploadpack.packObjectsHook")


def test_git_runs_nothing_that_a_repository_configures(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trap, trace = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {trace}\nexit 1\n")
    trap.chmod(0o755)
    for name in TRAPS:
        git(repository, "config", name, str(trap))
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "fsmonitor-watchman"):
        (repository / ".git" / "hooks" / hook).write_text(trap.read_text())
        (repository / ".git" / "hooks" / hook).chmod(0o755)
    git(repository, "config", "filter.x.smudge", str(trap))
    git(repository, "config", "filter.x.clean", str(trap))
    git(repository, "config", "diff.x.textconv", str(trap))
    (repository / ".git" / "info" / "attributes").write_text("*.yaml filter=x diff=x\n")
    (repository / "job.yaml").write_text((repository / "job.yaml").read_text() + "  suspend: true\n")
    trace.unlink(missing_ok=True)
    monkeypatch.chdir(repository)
    assert here("diff", "--git", "HEAD", "--", ".").code == 3
    assert here("diff", "--git", "HEAD...HEAD", "--", "job.yaml").code == 0
    assert here("check", "--was-git", "HEAD", "job.yaml").code == 0
    assert not trace.exists()


def test_git_fetches_nothing(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trap, trace = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {trace}\nexec git-upload-pack \"$@\"\n")
    trap.chmod(0o755)
    blob = git(repository, "rev-parse", "HEAD:job.yaml").strip()
    git(repository, "config", "extensions.partialClone", "origin")
    git(repository, "config", "remote.origin.url", str(repository))
    git(repository, "config", "remote.origin.promisor", "true")
    git(repository, "config", "remote.origin.uploadpack", str(trap))
    git(repository, "config", "protocol.file.allow", "always")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    monkeypatch.chdir(repository)
    result = here("diff", "--git", "HEAD", "--", ".")
    assert (result.code, result.out) == (2, "")
    assert not trace.exists()


def test_objects_that_are_missing_are_no_bug(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = git(repository, "rev-parse", "HEAD:job.yaml").strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    monkeypatch.chdir(repository)
    for argv in (("diff", "--git", "HEAD", "--", "."), ("check", "--was-git", "HEAD", ".")):
        code, out, err = here(*argv)
        assert (code, out) == (2, "") and "git does not have all files of that revision" in err


@pytest.mark.parametrize("revision", ["--output=x", "--help", "-h", "--upload-pack=x", "HEAD --output=x", "@{-1}", "HEAD^{tree}", ":/x", "\udcff"])
def test_a_revision_is_no_option(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch, revision: str) -> None:
    monkeypatch.chdir(repository)
    for argv in (("diff", f"--git={revision}", "--", "."), ("diff", f"--git={revision}...{revision}", "--", "."), ("check", f"--was-git={revision}", ".")):
        code, out, _ = here(*argv)
        assert (code, out) == (2, "")
    assert sorted(path.name for path in repository.iterdir()) == [".git", ":(top)*.yaml", "job.yaml"]


def test_a_path_is_no_pattern(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    (repository / "-x.yaml").write_text((repository / "job.yaml").read_text())
    commit(repository)
    for path in (":(top)*.yaml", "-x.yaml"):
        (repository / path).write_text((repository / path).read_text() + "  suspend: true\n")
        out = here("diff", "--git", "HEAD", "--", path).out
        assert "1 of 1 TrainJob changes" in out
    assert "neither" in here("diff", "--git", "HEAD..HEAD", "--", ":(glob)*").err


def test_a_repository_inside_of_the_repository_is_not_believed(here: Here, repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder that has the files of a bare repository, as anybody can commit one, with a configuration of its own."""
    trap, trace = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {trace}\n")
    trap.chmod(0o755)
    inner = repository / "inner"
    for folder in ("objects", "refs"):
        (inner / folder).mkdir(parents=True)
    (inner / "HEAD").write_text("ref: refs/heads/main\n")
    (inner / "config").write_text(f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = {repository}\n\tfsmonitor = {trap}\n")
    monkeypatch.chdir(inner)
    assert here("diff", "--git", "HEAD", "--", ".").code == 2
    assert not trace.exists()
