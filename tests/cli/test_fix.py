"""`check --fix`: mended in place, round by round; nothing outside the edits changes, and a second run has nothing to do."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.cli.common import Settings
from jobset_compiler.cli.fix import applied, mend
from jobset_compiler.diagnostics.codes.code import ERROR, Code
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.fix import Fix, chosen_of
from jobset_compiler.diagnostics.place import Edit, Span
from jobset_compiler.diagnostics.report import Policy
from jobset_compiler.library.sources import Source
from jobset_compiler.request.options import Options
from jobset_compiler.request.settings import Config

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]

HEAD = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec:\n  runtimeRef: {name: torch-distributed}\n"
RUNTIME = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainingRuntime\nmetadata: {name: r, namespace: default}\n"


PATCH = """  runtimePatches:
  - manager: a.io/b
    trainingRuntimeSpec:
      template: {{spec: {{replicatedJobs: [{{name: {job}, template: {{spec: {{template: {{spec: {{{pod}}}}}}}}}}}]}}}}
"""


def mended(text: str, *, unsafe: bool = False, file: str = "job.yaml") -> str:
    source = Source(file, lambda: [text.encode("utf-8", "surrogateescape")])
    found = mend([source], Settings(Options(validate="strict"), Config(), (), ()), Policy(), unsafe=unsafe)
    return found.texts[file][1] if file in found.texts else text


# claim: (before, after) of what stands below HEAD, or of a whole text.
SAFE = {
    "a boolean gets quotes": ("  trainer: {env: [{name: A, value: true}]}\n", '  trainer: {env: [{name: A, value: "true"}]}\n'),
    "as it was written": ("  trainer:\n    env:\n    - name: A\n      value: yes  # on\n", '  trainer:\n    env:\n    - name: A\n      value: "yes"  # on\n'),
    "a number gets quotes": ("  trainer: {args: [--lr, 1e-3]}\n", '  trainer: {args: [--lr, "1e-3"]}\n'),
    "an integer loses them": ("  trainer:\n    numNodes: '2' # two\n", "  trainer:\n    numNodes: 2 # two\n"),
    "a boolean loses them": ('  suspend: "False"\n', "  suspend: false\n"),
    "a field in another spelling": ("  trainer: {num_nodes: 2}\n", "  trainer: {numNodes: 2}\n"),
    "a misspelt field": ("  trainer:\n    numNode: 2\n", "  trainer:\n    numNodes: 2\n"),
    "in its quotes": ('  trainer: {"numNode": 2}\n', '  trainer: {"numNodes": 2}\n'),
    "an override field nearly right": ("  runtimePatche: []\n", "  runtimePatches: []\n"),
    "resources of the trainer": ("  trainer: {resources: {limits: {cpu: 1}}}\n", "  trainer: {resourcesPerNode: {limits: {cpu: 1}}}\n"),
    "bytes": ("  trainer: {resourcesPerNode: {limits: {memory: 256GB}}}\n", "  trainer: {resourcesPerNode: {limits: {memory: 256G}}}\n"),
    "bytes in quotes": ("  trainer: {resourcesPerNode: {limits: {memory: '16 Gi'}}}\n", "  trainer: {resourcesPerNode: {limits: {memory: '16Gi'}}}\n"),
    "two in one field": ('  trainer: {num_nodes: "2"}\n', "  trainer: {numNodes: 2}\n"),
    "a second object": (f"{HEAD}{RUNTIME}spec: {{template: {{spec: {{}}}}}}\n", f"{HEAD}---\n{RUNTIME}spec: {{template: {{spec: {{}}}}}}\n"),
    "a second object, with CRLF": (f"{HEAD}{HEAD}".replace("\n", "\r\n"), f"{HEAD}---\n{HEAD}".replace("\n", "\r\n")),
    "the version": (HEAD.replace("v1alpha1", "v1"), HEAD),
    "the version without its group": (HEAD.replace("trainer.kubeflow.org/", ""), HEAD),
    "another version of Kubeflow's": (HEAD.replace("trainer.kubeflow.org/v1alpha1", "kubeflow.org/v1"), HEAD),
    "no version": ("# apiVersion\n" + HEAD.split("\n", 1)[1], "# apiVersion\n" + HEAD),
    "no version, in an item of a list": (
        "apiVersion: v1\nkind: List\nitems:\n- kind: TrainJob\n  metadata: {name: a}\n  spec: {runtimeRef: {name: torch-distributed}}\n",
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: trainer.kubeflow.org/v1alpha1\n  kind: TrainJob\n  metadata: {name: a}\n"
        "  spec: {runtimeRef: {name: torch-distributed}}\n",
    ),
    "a name alone": (HEAD.replace("{name: torch-distributed}", "torch-distributed"), HEAD),
    "the kind's capitals": (HEAD.replace("TrainJob", "Trainjob"), HEAD),
    "kind and version": (HEAD.replace("TrainJob", "trainJob").replace("v1alpha1", "v1beta1"), HEAD),
    "the runtime's kind": (
        HEAD.replace("{name: torch-distributed}", "{name: torch-distributed, kind: clusterTrainingRuntime}"),
        HEAD.replace("{name: torch-distributed}", "{name: torch-distributed, kind: ClusterTrainingRuntime}"),
    ),
    "tabs, a level each": (
        HEAD.replace("  ", "\t") + "\ttrainer:\n\t\tnumNodes: 2\n\t\targs:\n\t\t-\ta\n",
        HEAD + "  trainer:\n    numNodes: 2\n    args:\n    - a\n",
    ),
    "tabs below a key": ("  trainer:  # t\n\t\tnumNodes: 2\n\t\targs:\n\t\t\t- a\n", "  trainer:  # t\n    numNodes: 2\n    args:\n      - a\n"),
    "a tab and blanks": ("  trainer:\n    env:\n\t- name: A\n\t  value: b\n", "  trainer:\n    env:\n      - name: A\n        value: b\n"),
    "a tab that can be of one level": ("  trainer:\n    env:\n    - name: A\n    \tvalue: b\n", "  trainer:\n    env:\n    - name: A\n      value: b\n"),
    "a word that is null": ("  trainer: {args: [a, ~, null]}\n", '  trainer: {args: [a, "~", "null"]}\n'),
    "no-break spaces that hide each other": ("  trainer:\n\xa0   numNodes: 2\n    image:\xa0a\n", "  trainer:\n    numNodes: 2\n    image: a\n"),
    "the case of a word of the Job API": (
        PATCH.format(job="node", pod="tolerations: [{operator: exists, effect: noschedule}]"),
        PATCH.format(job="node", pod="tolerations: [{operator: Exists, effect: NoSchedule}]"),
    ),
    "no-break spaces": ((HEAD + "  trainer:\n    numNodes: 2\n").replace("  ", "\xa0\xa0"), HEAD + "  trainer:\n    numNodes: 2\n"),
    "no-break space after a colon": ("  trainer:\n    numNodes:\xa02\n", "  trainer:\n    numNodes: 2\n"),
    "invisible space": ("  trainer: {image: a\u200b}\n", "  trainer: {image: a}\n"),
    "curly quotes": ("  trainer:\n    image: \u201ca:1\u201d  # x\n", '  trainer:\n    image: "a:1"  # x\n'),
    "curly quotes around what needs them": ("  trainer:\n    args: [\u201c--a\u201d]\n", '  trainer:\n    args: ["--a"]\n'),
    "dashes of a separator": (f"{HEAD}-----\n{HEAD.replace('name: a', 'name: b')}", f"{HEAD}---\n{HEAD.replace('name: a', 'name: b')}"),
    "a document on the separator's line": (f"{HEAD}--- {HEAD.replace('name: a', 'name: b')}", f"{HEAD}---\n{HEAD.replace('name: a', 'name: b')}"),
    "JSON": ('{"apiVersion": "trainer.kubeflow.org/v1", "kind": "TrainJob"}', '{"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob"}'),
    "after a byte order mark": ("\ufeff" + HEAD.replace("v1alpha1", "v1"), "\ufeff" + HEAD),
    "without a last line end": (HEAD + "  suspend: 'true'", HEAD + "  suspend: true"),
}
UNSAFE = {
    "a far name": ("  trainer: {imagName: a}\n", "  trainer: {image: a}\n"),
    "the beginning of a name": ("  trainer: {numProc: 2}\n", "  trainer: {numProcPerNode: 2}\n"),
    "a former name": (HEAD.replace("runtimeRef", "trainingRuntimeRef"), HEAD),
    "another group": (HEAD.replace("kubeflow.org", "kubeflow.com"), HEAD),
    "a runtime's name": (HEAD.replace("torch-distributed", "torch-distribued"), HEAD),
    "the kind of a runtime": (
        HEAD.replace("{name: torch-distributed}", "\n    name: torch-distributed\n    kind: TrainingRuntime"),
        HEAD.replace("{name: torch-distributed}", "\n    name: torch-distributed\n    kind: ClusterTrainingRuntime"),
    ),
    "a command on one line": ("  trainer: {command: torchrun 'my train.py'}\n", '  trainer: {command: ["torchrun","my train.py"]}\n'),
    "a command for a shell": ("  trainer:\n    command: cd /a && ls\n", '  trainer:\n    command: ["sh","-c","cd /a && ls"]\n'),
    "a patched job": (PATCH.format(job="nodes", pod="nodeSelector: {a: b}"), PATCH.format(job="node", pod="nodeSelector: {a: b}")),
    "a patched container": (PATCH.format(job="node", pod="containers: [{name: nodes}]"), PATCH.format(job="node", pod="containers: [{name: node}]")),
    "what the Job API takes": (
        PATCH.format(job="node", pod="tolerations: [{operator: Exist}]"),
        PATCH.format(job="node", pod="tolerations: [{operator: Exists}]"),
    ),
    "a tab where several levels are open": ("  trainer:\n    numNodes: 2\n\timage: a\n", "  trainer:\n    numNodes: 2\n    image: a\n"),
    "a comma for a point": (
        "  trainer: {resourcesPerNode: {limits: {memory: '1,5Gi'}}}\n",
        "  trainer: {resourcesPerNode: {limits: {memory: '1.5Gi'}}}\n",
    ),
}
LEFT = {
    "a placeholder": "  trainer: {numNodes: ${N}}\n",
    "a name that is there already": "  trainer: {numNodes: 2, num_nodes: 3}\n",
    "behind an alias": "  trainer: {numNodes: &a 1, args: [*a]}\n",
    "another shape": "  podSpecOverrides: []\n",
    "quotes within": '  trainer:\n    image: \u201ca"b\u201d\n',
    "a version of other fields": HEAD.replace("trainer.kubeflow.org/v1alpha1", "kubeflow.org/v2alpha1"),
    "a command of several lines": "  trainer:\n    command: |\n      cd /a\n      ls\n",
    "what is silenced": "  trainer:\n    numNode: 2  # jobset-compiler: ignore unknown-field\n",
}


def whole(text: str) -> str:
    return text if "apiVersion" in text else HEAD + text


@pytest.mark.parametrize("claim", SAFE)
def test_safe(claim: str) -> None:
    before, after = map(whole, SAFE[claim])
    assert mended(before) == after
    assert mended(after) == after


@pytest.mark.parametrize("claim", UNSAFE)
def test_unsafe(claim: str) -> None:
    before, after = map(whole, UNSAFE[claim])
    assert mended(before) == before
    assert mended(before, unsafe=True) == after


@pytest.mark.parametrize("claim", LEFT)
def test_left_to_a_person(claim: str) -> None:
    text = whole(LEFT[claim])
    assert mended(text) == text


SLIPS = sorted({before for before, _ in (*SAFE.values(), *UNSAFE.values()) if "apiVersion" not in before})


@given(st.lists(st.sampled_from(SLIPS), min_size=1, max_size=3), st.booleans(), st.sampled_from(["---\n", "", "--- \n", "# c\n---\n"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example([SAFE["two in one field"][0], UNSAFE["a tab where several levels are open"][0]], True, "")
def test_a_second_run_has_nothing_to_do(slips: list[str], unsafe: bool, between: str) -> None:
    text = between.join(HEAD.replace("name: a", f"name: a{number}") + slip for number, slip in enumerate(slips))
    once = mended(text, unsafe=unsafe)
    assert mended(once, unsafe=unsafe) == once
    kept = [line for line in text.splitlines() if line.startswith("#")]
    assert [line for line in once.splitlines() if line.startswith("#")] == kept


PIECES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text("xyz", max_size=3)), max_size=8)


@given(st.text("abc\n", min_size=30, max_size=40), PIECES)
def test_everything_outside_the_edits_stays(text: str, pieces: list[tuple[int, int, str]]) -> None:
    fixes = [Fix("t", (Edit(Span("f", 0, 0, 0, 0), start, min(start + length, len(text)), new),), safe=True) for start, length, new in pieces]
    edits = [edit for fix in chosen_of(fixes) for edit in fix.edits]
    out = applied(text, edits)
    assert all(edit.end <= following.start for edit, following in pairwise(edits)), "they are apart"
    expected, position = "", 0
    for edit in edits:
        expected += text[position : edit.start] + edit.replacement
        position = edit.end
    assert out == expected + text[position:]
    assert not fixes or edits, "one at least is applied"


def test_files_are_mended_in_place(here: Here) -> None:
    before, after = map(whole, SAFE["two in one field"])
    Path("a.yaml").write_text(before)
    Path("b.yaml").write_text(after)
    os.chmod("a.yaml", 0o640)
    os.symlink("a.yaml", "link.yaml")
    result = here("check", "--fix", "link.yaml", "b.yaml")
    assert (result.code, result.err) == (0, "2 mended in 1 file\n")
    assert Path("a.yaml").read_text() == after and Path("link.yaml").is_symlink()
    assert os.stat("a.yaml").st_mode & 0o777 == 0o640
    assert sorted(os.listdir()) == ["a.yaml", "b.yaml", "link.yaml"]
    again = here("check", "--fix", "link.yaml", "b.yaml")
    assert (again.code, again.err) == (0, "")


def test_what_is_left_is_reported(here: Here) -> None:
    Path("a.yaml").write_text(HEAD + "  trainer: {num_nodes: 2, imagName: a}\n")
    result = here("check", "--fix", "a.yaml")
    assert result.code == 1 and "imagName" in result.out and "num_nodes" not in result.out
    assert result.err == "1 mended in 1 file; 1 more with --unsafe-fixes: see what --diff shows first\n"
    assert here("check", "--fix", "-q", "a.yaml").err == ""
    assert here("check", "--fix", "--unsafe-fixes", "a.yaml").code == 0
    assert Path("a.yaml").read_text() == HEAD + "  trainer: {numNodes: 2, image: a}\n"


def test_a_diff_writes_nothing(here: Here) -> None:
    before = whole(SAFE["as it was written"][0])
    Path("a.yaml").write_text(before)
    for arguments in (("--diff",), ("--fix", "--diff")):
        result = here("check", "a.yaml", *arguments)
        assert result.code == 3 and Path("a.yaml").read_text() == before
        assert "-      value: yes  # on\n+      value: \"yes\"  # on\n" in result.out
    assert here("check", "--diff", "-", stdin=before).code == 3
    clean = here("check", "--diff", "-", stdin=HEAD)
    assert (clean.code, clean.out) == (0, "")
    unread = here("check", "--diff", "a.yaml", "none.yaml")
    assert unread.code == 2 and "exit code 2: not everything could be read" in unread.err and "+      value: \"yes\"" in unread.out
    left = here("check", "--diff", "-", stdin=whole(LEFT["another shape"]))
    assert (left.code, left.out) == (1, "") and "podSpecOverrides" in left.err


def test_other_encodings_are_left_alone(here: Here) -> None:
    data = whole(SAFE["bytes"][0]).encode("utf-16")
    Path("a.yaml").write_bytes(data)
    assert here("check", "--fix", "a.yaml").code == 1
    assert Path("a.yaml").read_bytes() == data


@pytest.mark.parametrize(
    "arguments",
    [("--fix",), ("--fix", "-"), ("--unsafe-fixes", "a.yaml"), ("--fix", "--was", "a.yaml", "a.yaml"), ("--diff", "--format", "json", "a.yaml")],
)
def test_what_does_not_go_together(here: Here, arguments: tuple[str, ...]) -> None:
    Path("a.yaml").write_text(HEAD)
    assert here("check", *arguments, stdin="").code == 2


def test_bytes_that_are_no_text_stay(here: Here) -> None:
    before, after = (whole(text).encode() + b"---\na: \xff\n" for text in SAFE["an integer loses them"])
    Path("a.yaml").write_bytes(before)
    result = here("check", "--fix", "a.yaml")
    assert (result.code, result.err) == (1, "1 mended in 1 file\n")
    assert Path("a.yaml").read_bytes() == after


def test_what_is_secret_is_mended_and_not_shown(here: Here) -> None:
    text = HEAD + "  trainer:\n    env:\n    - name: HF_TOKEN\n      value: 4711081547\n    numNode: 1\n"
    Path("a.yaml").write_text(text)
    result = here("check", "a.yaml", "--diff")
    assert result.code == 3 and "4711081547" not in result.out + result.err
    for format_ in ("json", "sarif"):
        assert '\\"4711081547\\"' not in json.dumps(_fixes(here("check", "a.yaml", "--format", format_).out))
    assert here("check", "a.yaml", "--fix").code == 0
    assert 'value: "4711081547"' in Path("a.yaml").read_text()


def test_a_value_before_its_name_is_secret_too(here: Here) -> None:
    text = HEAD + "  trainer:\n    numNode: 1\n    env:\n    - value: \"4711081547\"\n      name: HF_TOKEN\n"
    Path("a.yaml").write_text(text)
    result = here("check", "a.yaml", "--diff")
    assert result.code == 3 and "numNodes" in result.out and "- value: " in result.out and "4711081547" not in result.out


def test_what_cannot_be_read_after_mending_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no further round mends it; another file keeps what was mended there."""
    syntax, slip = (Code(f"JSC00{number}", "x", ERROR, "Title.", "Text.") for number in (1, 2))
    rounds: list[list[str]] = []

    def fixed(file: str, start: int, new: str) -> Diagnostic:
        span = Span(file, 1, 1, 1, 2)
        return Diagnostic(slip, "slip", span=span, stage="schema", remedies=(Fix("t", (Edit(span, start, start + 1, new),), safe=True),))

    def unread(file: str) -> Diagnostic:
        return Diagnostic(syntax, "cannot be read", span=Span(file, 1, 1, 1, 2), stage="source")

    told = [[fixed("bad.yaml", 0, "X"), fixed("good.yaml", 0, "Y")], [unread("bad.yaml"), fixed("good.yaml", 1, "Z")], [], []]

    def compiled(sources: Any, _: Any, report: Any, __: Any) -> list[Any]:
        rounds.append([b"".join(source.blocks()).decode() for source in sources])
        report.add(told[len(rounds) - 1])
        return []

    monkeypatch.setattr("jobset_compiler.cli.fix.compile_reported", compiled)
    sources = [Source(file, lambda: [b"abc"]) for file in ("bad.yaml", "good.yaml")]
    found = mend(sources, Settings(Options(), Config(), (), ()), Policy(), unsafe=False)
    assert rounds == [["abc", "abc"], ["Xbc", "Ybc"], ["abc", "YZc"]]
    assert (found.texts, found.applied, found.message) == ({"good.yaml": ("abc", "YZc")}, 2, "2 mended in 1 file")
    assert [b"".join(source.blocks()) for source in found.sources] == [b"abc", b"YZc"]
    rounds.clear()
    told = [[unread("bad.yaml"), fixed("bad.yaml", 0, "X")], [unread("bad.yaml"), fixed("bad.yaml", 1, "Y")], [unread("bad.yaml")]]
    found = mend(sources, Settings(Options(), Config(), (), ()), Policy(), unsafe=False)
    assert found.texts == {"bad.yaml": ("abc", "XYc")}, "no worse than it was"


def _fixes(report: str) -> list[Any]:
    tree = json.loads(report)
    findings = tree["findings"] if "findings" in tree else tree["runs"][0]["results"]
    return [fix for finding in findings for fix in finding.get("fixes", [])]


def test_reports_carry_them(here: Here) -> None:
    Path("a.yaml").write_text(HEAD + "  trainer: {numNode: 2}\n")
    (fix,) = _fixes(here("check", "a.yaml", "--format", "json").out)
    assert fix == {"title": "rename numNode to numNodes", "safe": True, "edits": [{"line": 6, "column": 13, "endLine": 6, "endColumn": 20, "text": "numNodes"}]}
    (fix,) = _fixes(here("check", "a.yaml", "--format", "sarif").out)
    assert (fix["description"], fix["properties"]) == ({"text": "rename numNode to numNodes"}, {"safe": True})
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "a.yaml"}
    region = {"startLine": 6, "startColumn": 13, "endLine": 6, "endColumn": 20}
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "numNodes"}}]
    assert here("check", "a.yaml").out.endswith("1 TrainJob in 1 file: 1 error (1 mended by --fix); exit code 1 for the error\n")


@pytest.mark.parametrize("claim", [*SAFE, *UNSAFE, *LEFT])
def test_what_is_said_and_offered(here: Here, claim: str, snapshot: SnapshotAssertion) -> None:
    text = whole(LEFT[claim] if claim in LEFT else {**SAFE, **UNSAFE}[claim][0])
    report = json.loads(here("check", "-", "--validate", "strict", "--format", "json", stdin=text).out)
    lines = []
    for found in report["findings"]:
        lines.append(f"{found.get('line')}:{found.get('column')} {found['severity']} {found['slug']}: {found['message']}")
        lines += [f"  [{fix['title']}] {'safe' if fix['safe'] else 'unsafe'} {[edit['text'] for edit in fix['edits']]}" for fix in found.get("fixes", ())]
    assert "\n".join(lines) == snapshot


def test_in_the_library() -> None:
    (found,) = [d for d in jc.compile_yaml(HEAD + "  trainer: {numNodes: '2'}\n").diagnostics if d.is_error]
    ((title, (edit,), safe),) = found.fixes
    assert (title, safe, edit.replacement, edit.span.line) == ("write 2 without quotes", True, "2", 6)
    tree = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "a"}, "spec": {"trainer": {"numNodes": "2"}}}
    assert [d.fixes for d in jc.compile_objects([tree]).diagnostics if d.path == "spec.trainer.numNodes"] == [()], "there is no text"
