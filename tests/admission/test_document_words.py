"""What is said of documents, of values and of updates, whole. Read the texts below `__snapshots__`; `--snapshot-update` writes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc
from jobset_compiler.admission.brought import read_all
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.emit.yaml import to_yaml
from jobset_compiler.passes.api import POLICY, Brings, Pass
from jobset_compiler.request.options import Options
from tests.admission.rules.cases import compiled, job, runtime, trainjob

API = "trainer.kubeflow.org/v1alpha1"
JOB = f"apiVersion: {API}\nkind: TrainJob\nmetadata: {{name: a}}\nspec:\n  runtimeRef: {{name: torch-distributed}}\n"
RUNTIME = f"apiVersion: {API}\nkind: ClusterTrainingRuntime\nmetadata: {{name: a}}\nspec:\n"
POD = "{spec: {template: {spec: {containers: [{name: node, image: i%s}]%s}}}}"
TEMPLATE = f"  template: {{spec: {{replicatedJobs: [{{name: node, template: {POD}}}]%s}}}}\n"


def told(diagnostics: Iterable[jc.Diagnostic]) -> str:
    """All errors and warnings: of what, where, by whom, the words, the advice, and what `check --fix` would do."""
    lines = []
    for d in diagnostics:
        if d.severity == "info":
            continue
        lines += [f"{d.code} {d.severity} {d.stage} {d.object_kind} {d.namespace}/{d.name} {d.line}:{d.column} {d.path}", f"  {d.message}"]
        lines += [f"  hint: {d.hint}"] if d.hint else []
        lines += [f"  fix: {fix.title} ({'safe' if fix.safe else 'unsafe'})" for fix in d.fixes]
        lines += [f"  {note.message} (at {format_path(note.at)})" for note in d.notes]
    return "\n".join(lines) or "(nothing)"


def trainer(text: str) -> str:
    return f"{JOB}  trainer: {{{text}}}\n"


def limits(text: str) -> str:
    return trainer(f"resourcesPerNode: {{limits: {{{text}}}}}")


def with_metadata(text: str) -> str:
    return JOB.replace("metadata: {name: a}", f"metadata: {text}")


def template(container: str = "", pod: str = "", jobset: str = "") -> str:
    return RUNTIME + TEMPLATE % (container, pod, jobset)


def jobs(*names: str) -> str:
    """A runtime of some replicatedJobs, by their names and what comes after them."""
    listed = ", ".join(f"{{name: {name}, template: {POD % ('', '')}}}" for name in names)
    return f"{RUNTIME}  template: {{spec: {{replicatedJobs: [{listed}]}}}}\n"


TEXTS: dict[str, str] = {
    # ---- documents
    "a number": "3\n",
    "a boolean": "true\n",
    "a text": "a text\n",
    "a list": "- a\n- b\n",
    "a page with front matter": "title: a\nlayout: b\n---\n" + JOB,
    "front matter that is not at the beginning": f"{JOB}---\ntitle: a\n",
    "a diff": "+kind: TrainJob\n+apiVersion: x\n",
    "no kind": f"apiVersion: {API}\nmetadata: {{name: a}}\n",
    "an empty kind": "kind: ''\n",
    "a kind that is a number": "kind: 3\n",
    "no version": "kind: TrainJob\nmetadata: {name: a}\n",
    "a version that is a number": "apiVersion: 1\nkind: TrainJob\nmetadata: {name: a}\n",
    "another version of ours": JOB.replace("v1alpha1", "v1"),
    "a slip in the group": JOB.replace("trainer.kubeflow.org", "trainer.kubeflow.com"),
    "another group of Kubeflow": JOB.replace("trainer.kubeflow.org", "training.kubeflow.org"),
    "the group of another": JOB.replace("trainer.kubeflow.org", "example.org"),
    "a version without a group": JOB.replace(API, "v1alpha1"),
    "a kind in small letters": JOB.replace("TrainJob", "trainjob"),
    "a kind of version 1 in other letters": "apiVersion: kubeflow.org/v1\nkind: pytorchjob\nmetadata: {name: a}\n",
    "a kind of version 1 that was none": "apiVersion: kubeflow.org/v1\nkind: Notebook\nmetadata: {name: a}\n",
    "an unknown field": trainer("imag: x"),
    "an unknown field in something of the wrong type": trainer("image: {imag: x}"),
    "a field that was never there": trainer("zzz: 1"),
    "no name": JOB.replace("{name: a}", "{namespace: b}"),
    "given twice": f"{JOB}---\n{JOB}",
    # ---- names
    "a name in capitals": with_metadata("{name: My_Job}"),
    "a name with a placeholder": with_metadata('{name: "${NAME}"}'),
    "a namespace in capitals": with_metadata("{name: a, namespace: My_Team}"),
    "a label of words": with_metadata("{name: a, labels: {team: our team}}"),
    "a label that is a number": with_metadata("{name: a, labels: {team: 1}}"),
    "labels in a list": with_metadata("{name: a, labels: [team=ml]}"),
    "labels in a list of mappings": with_metadata("{name: a, labels: [{team: ml}]}"),
    "labels in a text": with_metadata("{name: a, labels: team=ml}"),
    "labels in a word": with_metadata("{name: a, labels: ml}"),
    "an annotation that is a list": with_metadata("{name: a, annotations: {a: [b]}}"),
    # ---- values
    **{f"the number of nodes {text}": trainer(f"numNodes: {text}") for text in ('"-4"', '" 4"', '"4x"', "[4]", "[4, 5]", "{a: 4}", "99999999999", "true", "0")},
    **{f"the number of nodes in {count} digits": trainer(f'numNodes: "{"0" * (count - 1)}4"') for count in (24, 25)},
    "processes by gpu": trainer("numProcPerNode: gpu"),
    "processes by a word": trainer("numProcPerNode: many"),
    **{f"memory of {text}": limits(f"memory: {text}") for text in ("64GB", "64MB", "64KB", "64K", "64gb", "64mb", "64g", "64gi", "64mi", "64B", '"1,5Gi"')},
    **{f"memory of {text}, in words": limits(f"memory: {text}") for text in ("1 000 x", "lots", "[1]", "true", "1.5e400")},
    **{f"cpus of {text}": limits(f"cpu: {text}") for text in ("4 cores", "1.5 vCPU", "2cpus", "1.5", "'1,5,5'")},
    "gpus in words": limits("nvidia.com/gpu: 2 GPUs"),
    "half a gpu": limits("nvidia.com/gpu: 0.5"),
    "a mapping with two keys as a quantity": limits("nvidia.com: {gpu: 4, mig: 1}"),
    "a mapping with a boolean as a quantity": limits("nvidia.com: {gpu: true}"),
    "a boolean in words": JOB + "  suspend: 'yes'\n",
    "a boolean in capitals": JOB + "  suspend: 'True'\n",
    "a number as an image": trainer("image: 1.10"),
    "nothing as an argument": trainer("args: [null]"),
    "a boolean as an argument": trainer("args: [--x, on, 0x10]"),
    "a line as a command": trainer("command: 'python a.py \"b c\"'"),
    "a line that no shell takes": trainer("command: 'python \"a.py'"),
    "lines as a command": trainer('command: "python\\na.py"'),
    "a number as a command": trainer("command: 3"),
    "a word as the trainer": JOB + "  trainer: image\n",
    "variables in a list of texts": trainer("env: [A=b, 'C D']"),
    "a credential in a list of texts": trainer("env: [API_TOKEN=b]"),
    "variables as a number": trainer("env: 3"),
    "variables in a mapping of a list": trainer("env: {A: [b]}"),
    "variables in an empty mapping": trainer("env: {}"),
    "a variable of a number": trainer("env: {A: 1}"),
    "a text as a map": JOB + "  labels: a=b\n",
    "a reference as a word": JOB.replace("{name: torch-distributed}", "torch-distributed"),
    "a reference as a line": JOB.replace("{name: torch-distributed}", "torch distributed"),
    "a runtime of another kind": JOB.replace("{name: torch-distributed}", "{name: torch-distributed, kind: clustertrainingruntime}"),
    "a runtime of an unknown kind": JOB.replace("{name: torch-distributed}", "{name: torch-distributed, kind: Runtime}"),
    "a runtime of an unknown kind without a name": JOB.replace("{name: torch-distributed}", '{name: "", kind: Runtime}'),
    "no runtime": JOB.replace("{name: torch-distributed}", '{name: "", kind: ""}'),
    "a runtime of another group": JOB.replace("{name: torch-distributed}", "{name: torch-distributed, apiGroup: example.com}"),
    "a manager of another": JOB + "  managedBy: example.com/x\n",
    "a place without a scheme": JOB + "  initializer: {dataset: {storageUri: org/data}, model: {storageUri: data}}\n",
    "a place of too many parts": JOB + "  initializer: {dataset: {storageUri: a/b/c}}\n",
    "an implementation of MPI in other letters": RUNTIME + "  mlPolicy: {mpi: {mpiImplementation: intel}}\n  template: {spec: {}}\n",
    "an implementation of MPI that nobody has": RUNTIME + "  mlPolicy: {mpi: {mpiImplementation: LAM}}\n  template: {spec: {}}\n",
    "an implementation of MPI in small letters": RUNTIME + "  mlPolicy: {mpi: {mpiImplementation: openmpi}}\n  template: {spec: {}}\n",
    "a policy that there is not": RUNTIME + "  mlPolicy: tensorflow\n  template: {spec: {}}\n",
    "seconds in words": template(jobset=", ttlSecondsAfterFinished: 2h"),
    "seconds in many words": template(pod=', terminationGracePeriodSeconds: "2 weeks"'),
    "seconds in minutes": template(pod=", terminationGracePeriodSeconds: 5 min"),
    "a port in words": template(container=", ports: [{containerPort: '80'}]"),
    "a target port of a fraction": template(container=", livenessProbe: {httpGet: {port: 1.5}}"),
    "a choice nearly right": template(jobset=", successPolicy: {operator: Al}"),
    "a choice of nothing": template(jobset=", successPolicy: {operator: ''}"),
    "a choice that is a number": template(jobset=", successPolicy: {operator: 3}"),
    "a job that waits for one after it": jobs("first, dependsOn: [{name: node, status: Ready}]", "node"),
    "a job that waits for a name nearly right": jobs("node", "other, dependsOn: [{name: nod, status: Ready}]"),
    "a job that waits for a name like none": jobs("node", "other, dependsOn: [{name: zzz, status: Ready}]"),
    "two jobs of one name": jobs("node", "node"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_said_of_a_text(name: str, snapshot: SnapshotAssertion) -> None:
    text = TEXTS[name]
    if text.startswith(RUNTIME):
        text += "---\n" + JOB.replace("torch-distributed", "a")
    assert told(jc.compile_yaml(text).diagnostics) == snapshot


def updated(change: dict[str, Any], before: dict[str, Any] | None = None, release: str = "v2.3", **rt: Any) -> str:
    old, new = trainjob(**{"suspend": True, **(before or {})}), trainjob(**{"suspend": True, **(before or {}), **change})
    text = [to_yaml((runtime(**rt), each)) for each in (old, new)]
    return told(jc.check_update(*text, trainer_version=release).diagnostics)


MANAGED = {"manager": "a.io/b"}
OVER = {
    **MANAGED,
    "trainingRuntimeSpec": {
        "template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"spec": {"serviceAccountName": "h"}}}}}]}}
    },
}


def amounts(cpu: str, memory: str) -> dict[str, Any]:
    return {"resourcesPerNode": {"limits": {"cpu": cpu, "memory": memory}}}


CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nothing": ({}, {}),
    "the image, while suspended": ({"trainer": {"image": "b"}}, {"trainer": {"image": "a"}}),
    "the image, while it runs": ({"trainer": {"image": "b"}}, {"trainer": {"image": "a"}, "suspend": False}),
    "a patch more, while it runs": ({"runtimePatches": [OVER]}, {"suspend": False}),
    "a patch more, while suspended": ({"runtimePatches": [OVER]}, {}),
    "a patch less, while suspended": ({"runtimePatches": []}, {"runtimePatches": [OVER]}),
    "a patch as it is resumed": ({"runtimePatches": [OVER], "suspend": False}, {}),
    "labels, while it runs": ({"labels": {"a": "b"}}, {"suspend": False}),
    "another runtime": ({"runtimeRef": {"name": "other"}}, {}),
    "an amount in another form": ({"trainer": amounts("1", "1Gi")}, {"trainer": amounts("1000m", "1Gi")}),
    "another amount": ({"trainer": amounts("2", "1Gi")}, {"trainer": amounts("1000m", "1Gi")}),
    "a patch more, beside amounts in a form of their own": ({"runtimePatches": [OVER]}, {"trainer": amounts("1000m", "1024Mi")}),
    "a patch more, and one amount in another form": ({"runtimePatches": [OVER], "trainer": amounts("1000m", "1Gi")}, {"trainer": amounts("1000m", "1024Mi")}),
    "a patch that stays, and an amount in another form": ({"trainer": amounts("1", "1Gi")}, {"runtimePatches": [OVER], "trainer": amounts("1000m", "1Gi")}),
    "a patch that changes": ({"runtimePatches": [{**OVER, "manager": "a.io/c"}]}, {"runtimePatches": [OVER]}),
    "resumed": ({"suspend": False}, {}),
}


@pytest.mark.parametrize("release", ["v2.0", "v2.1", "v2.2", "v2.3"])
@pytest.mark.parametrize("name", CHANGES)
def test_what_is_said_of_a_change(name: str, release: str, snapshot: SnapshotAssertion) -> None:
    change, before = CHANGES[name]
    assert updated(change, before, release) == snapshot


def test_runtimes_that_are_named_nearly_right(snapshot: SnapshotAssertion) -> None:
    assert told(compiled("v2.3", runtime(job("node", "trainer")), trainjob(ref="r")).diagnostics) == snapshot


@pytest.mark.parametrize("release", ["v2.0", "v2.3"])
@pytest.mark.parametrize("order", ["more", "less"])
def test_what_is_said_of_a_runtime_that_gets_more_jobs_or_less(order: str, release: str, snapshot: SnapshotAssertion) -> None:
    few, many = runtime(), runtime(job("node", "trainer"), job("other"))
    old, new = (few, many) if order == "more" else (many, few)
    text = [to_yaml((each, trainjob(suspend=True))) for each in (old, new)]
    assert told(jc.check_update(*text, trainer_version=release).diagnostics) == snapshot


@pytest.mark.parametrize(
    "text",
    [
        "kind: ClusterTrainingRuntime\nmetadata: {name: other}\n",
        "kind: TrainingRuntime\nmetadata: {name: mine}\n",
        "kind: ClusterTrainingRuntime\nmetadata: {}\n",
        "kind: ClusterTrainingRuntime\nmetadata: {name: mine}\n---\nkind: ClusterTrainingRuntime\nmetadata: {name: mine}\n",
        "- 1\n",
        "kind: [\n",
    ],
)
def test_a_text_that_is_no_single_runtime_of_the_name_it_was_brought_for(text: str) -> None:
    step = Pass("mine", POLICY, lambda plan: False, lambda plan: iter(()), brings=(Brings("mine", "a runtime", text),))
    (brought,) = read_all(Options(passes=(step,)), lambda document, options: (None, [])).values()
    (found,) = brought.diagnostics
    assert (found.message, found.stage, brought.runtime, brought.by) == (
        "the text that pass mine brings for mine is no single ClusterTrainingRuntime of that name",
        "resolve",
        None,
        "pass mine",
    )
