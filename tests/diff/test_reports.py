"""The four forms of a difference."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from jobset_compiler.diff import compare_sides, compare_yaml, compile_side
from jobset_compiler.diff.difference import Difference
from jobset_compiler.diff.markdown import MARKER, to_markdown
from jobset_compiler.diff.mermaid import _said
from jobset_compiler.diff.report import to_json
from jobset_compiler.diff.side import text_source
from jobset_compiler.diff.text import COLOURED, to_text
from jobset_compiler.diff.unified import to_unified
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.yaml"))
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train, namespace: ml}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    numNodes: 2
    command: [python, -c, "import torch\\nprint(1)\\n"]
"""


@pytest.fixture(scope="module")
def upgrade() -> Difference:
    """Every shipped example between the oldest and the newest release."""
    sources = [text_source(file.read_text(), f"examples/{file.name}") for file in EXAMPLES]
    sides = []
    for name in ("v2.0", "v2.3"):
        profile = find(name)
        assert profile is not None
        sides.append(compile_side(sources, Options(profile=profile), name))
    return compare_sides(*sides)


@pytest.fixture(scope="module")
def scaled() -> Difference:
    return compare_yaml(JOB, JOB.replace("numNodes: 2", "numNodes: 3").replace("print(1)", "print(2)"))


def test_text_says_no_difference_too() -> None:
    assert to_text(compare_yaml(JOB, JOB)) == "before -> after: no change in 1 TrainJob\n"


def test_text_of_a_change(scaled: Difference) -> None:
    text = to_text(scaled)
    assert text.startswith("before -> after: 1 of 1 TrainJob changes\n")
    assert "because spec.trainer.numNodes of the TrainJob changed from 2 to 3  (<input>:7)\n  in ml/train\n" in text
    assert "    ~ job node: parallelism, completions: 2 -> 3  (pass sizing)\n" in text
    assert "what will run:\n  ml/train node: 2 -> 3 pods\n" in text


def test_a_long_value_is_shown_by_its_lines(scaled: Difference) -> None:
    assert "          import torch\n        - print(1)\n        + print(2)\n" in to_text(scaled)


def test_colours_are_balanced_and_say_nothing_else(scaled: Difference) -> None:
    coloured = to_text(scaled, COLOURED)
    assert coloured != to_text(scaled)
    assert re.sub(r"\x1b\[\d*m", "", coloured) == to_text(scaled)


def test_equal_changes_are_told_once(upgrade: Difference) -> None:
    text = to_text(upgrade)
    assert text.count("job node: groupName: default") == 1
    assert text.count("every job: groupName: default") == 1
    assert text.count("defaultMode") == 1


def test_refused_sides_are_told_in_every_form(upgrade: Difference) -> None:
    for form in (to_text, to_unified, to_markdown):
        report = form(upgrade)
        assert "ml-team/diffusion" in report
        assert "JSC201" in report
    tree = json.loads(to_json(upgrade))
    assert tree["summary"] == {"trainJobs": 8, "changed": 7, "unchanged": 0, "notCompared": 1, "errors": 1}
    assert [job["name"] for job in tree["trainJobs"] if job["state"] == "not compared"] == ["diffusion"]
    assert [finding["code"] for finding in tree["findings"]["before"] if finding["severity"] == "error"] == ["JSC201"]


def test_json_has_every_field_with_its_reasons(scaled: Difference) -> None:
    tree = json.loads(to_json(scaled))
    (job,) = tree["trainJobs"]
    (jobset,) = job["objects"]
    fields = {field["address"]: field for field in jobset["fields"]}
    field = fields["spec.replicatedJobs[name=node].template.spec.parallelism"]
    assert (field["before"], field["after"], field["change"], field["writtenBy"]) == (2, 3, "changed", "sizing")
    assert field["reasons"] == [
        {"kind": "input", "text": "spec.trainer.numNodes of the TrainJob changed from 2 to 3", "place": "<input>:7", "feature": "", "cites": []}
    ]
    assert job["pods"] == [{"podSet": "node", "pods": [2, 3], "totals": {}}]


def test_a_unified_diff_can_be_applied(scaled: Difference, tmp_path: Path) -> None:
    import shutil
    import subprocess

    if shutil.which("git") is None:
        pytest.skip("git applies the diff")
    item = scaled.jobs[0].objects[0]
    folder = tmp_path / "ml"
    folder.mkdir()
    from jobset_compiler.emit.yaml import document

    (folder / "jobset-train.yaml").write_text(document(item.before))
    subprocess.run(["git", "apply", "--unsafe-paths", f"--directory={tmp_path}", "-"], input=to_unified(scaled), text=True, check=True, cwd=tmp_path)
    assert yaml.safe_load((folder / "jobset-train.yaml").read_text()) == item.after


def test_markdown_begins_with_a_marker_and_has_the_numbers(scaled: Difference) -> None:
    text = to_markdown(scaled)
    assert text.startswith(f"{MARKER}\n### Rendered JobSets: before → after: 1 of 1 TrainJob changes\n")
    assert "| ml/train | node | 2 → **3** |" in text
    assert "  ```diff\n   import torch\n  -print(1)\n  +print(2)\n  ```\n" in text or "-print(1)\n  +print(2)" in text


@pytest.mark.parametrize("limit", [1000, 3000, 8000])
def test_markdown_keeps_to_its_limit_and_says_so(upgrade: Difference, limit: int) -> None:
    text = to_markdown(upgrade, limit)
    assert len(text) <= limit
    assert text.startswith(MARKER)
    assert "for want of room" in text
    assert "7 of 8 TrainJobs change" in text


def test_markdown_is_no_way_to_mention_people_or_to_break_out() -> None:
    evil = JOB.replace("numNodes: 2", 'numNodes: 2\n    image: "@team/`x`</details><img>"')
    text = to_markdown(compare_yaml(JOB, evil))
    assert "`` '@team/`x`</details><img>' ``" in text
    assert "@team" not in text.replace("`` '@team/`x`</details><img>' ``", "")


def test_markdown_draws_what_changes_in_jobs_order_and_pods(scaled: Difference) -> None:
    (drawn,) = re.findall(r"```mermaid\n(.*?)```", to_markdown(scaled), re.DOTALL)
    assert '["node<br/>2 pods → 3 pods<br/>' in drawn and ":::changed" in drawn
    assert "mermaid" not in to_markdown(compare_yaml(JOB, JOB.replace("print(1)", "print(2)"))), "nothing to see"
    twice = f"{JOB}---\n{JOB.replace('name: train', 'name: other')}"
    assert ":::added" in to_markdown(compare_yaml(JOB, twice)) and ":::removed" in to_markdown(compare_yaml(twice, JOB))


def test_markdown_draws_a_new_order() -> None:
    def runtime(waits: str) -> str:
        template = "template: {spec: {template: {spec: {containers: [{name: node, image: i}]}}}}"
        jobs = f"[{{name: first, {template}}}, {{name: node, {waits}{template}}}]"
        spec = f"{{mlPolicy: {{numNodes: 1}}, template: {{spec: {{replicatedJobs: {jobs}}}}}}}"
        mine = JOB.replace("torch-distributed", "mine")
        return f"{mine}---\n{{apiVersion: trainer.kubeflow.org/v1alpha1, kind: ClusterTrainingRuntime, metadata: {{name: mine}}, spec: {spec}}}\n"

    ready, free = runtime("dependsOn: [{name: first, status: Ready}], "), runtime("")
    assert '    t0j0 -->|"new: is ready"| t0j1' in to_markdown(compare_yaml(free, ready)).splitlines()
    assert '    t0j0 -.->|"no longer: is ready"| t0j1' in to_markdown(compare_yaml(ready, free)).splitlines()


def test_markdown_of_very_many_draws_some() -> None:
    def jobs(nodes: int) -> str:
        return "---\n".join(JOB.replace("name: train", f"name: train-{number}").replace("numNodes: 2", f"numNodes: {nodes}") for number in range(12))

    text = to_markdown(compare_yaml(jobs(2), jobs(3)))
    assert text.count("subgraph") == 8 and "_4 more TrainJobs change in jobs, order or pods; not drawn._" in text


def test_two_jobsets_behind_one_release() -> None:
    text = JOB
    difference = compare_yaml(text, text, before_version="v2.0", after_version="v2.0", after_jobset_version="0.10")
    kinds = [item.key[1] for item in difference.jobs[0].changed_objects]
    assert kinds == ["JobSet", "Job", "Service"]
    difference = compare_yaml(text, text, before_version="v2.0", after_version="v2.0")
    assert not difference.changed and not difference.has_errors


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ([], ["2 pods"], ["2 pods"]),
        (["2 pods"], [], ["2 pods"]),
        (["2 pods", "GPUs: 1"], ["2 pods", "GPUs: 1"], ["2 pods", "GPUs: 1"]),
        (["1 pod", "GPUs: 1"], ["2 pods"], ["1 pod → 2 pods", "GPUs: 1 → not told"]),
        (["2 pods"], ["2 pods", "GPUs: 1"], ["2 pods", "not told → GPUs: 1"]),
    ],
)
def test_both_sides_of_a_job_in_the_picture(old: list[str], new: list[str], said: list[str]) -> None:
    assert _said(old, new) == said
