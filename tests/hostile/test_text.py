"""Names and values that a terminal, a CI runner or Markdown would act on: every verb, every format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobset_compiler.diagnostics import inert
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
    ("explain", "-o", "mermaid"),
    ("explain", "--names"),
    ("explain", "--ignore-differences"),
    ("explain", "--field", "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].image"),
    ("explain", "-o", "json", "--field", "spec.replicatedJobs"),
    ("report",),
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


@settings(max_examples=50)
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
