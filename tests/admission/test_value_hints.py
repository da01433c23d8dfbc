"""Advice about refused values: what to write instead, in the user's own text."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

import jobset_compiler as jc

JOB = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec:\n  runtimeRef: {name: torch-distributed}\n"
RUNTIME = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {name: a}\nspec:\n"
ROWS = [
    (JOB + '  trainer: {numNodes: "4"}', "write 4 without quotes"),
    (JOB + "  trainer: {numNodes: ${NODES}}", "${NODES} looks like a placeholder"),
    (JOB + "  trainer: {numNodes: 1.5}", "write a whole number"),
    (JOB + "  trainer: {env: [{name: A, value: yes}]}", 'put it in quotes: "yes"'),
    (JOB + "  trainer: {args: [--lr, 1e-5]}", 'put it in quotes: "1e-5"'),
    (JOB + "  trainer: {resourcesPerNode: {limits: {memory: 64GB}}}", "did you mean 64G? (64Gi is the binary unit)"),
    (JOB + "  trainer: {resourcesPerNode: {limits: {memory: 64 Gi}}}", "a quantity has no blanks"),
    (JOB + "  trainer: {command: torchrun a.py}", 'command is a list: write ["torchrun","a.py"]'),
    (JOB + "  trainer: {args: python a.py | tee log}", 'args is a list: write ["sh","-c","python a.py | tee log"]'),
    (JOB + "  trainer: {image: [a]}", "image is a single value: write it without the list"),
    (JOB + "  trainer: {numProcPerNode: auto}", "leave it out: auto is what the torch policy does"),
    (JOB.replace("runtimeRef", "runtimeref"), "runtimeRef is probably what runtimeref is meant to be"),
    (JOB + "  trainer: {env: {A: b}}", "env is a list: write - {name: A, value: b}"),
    (JOB + "  trainer: {env: {name: A}}", "env is a list: put `- ` before the item"),
    (JOB + "  trainer: [{numNodes: 2}]", "trainer is a mapping (key: value): write it without the dash"),
    (JOB + "  trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 0.5}}}", "devices are counted in whole numbers"),
    (JOB + '  suspend: "true"', "write true without quotes"),
    (JOB + "  trainer: {env: [{name: A}, {name: A}]}", "keep one of the two"),
    (JOB.replace("{name: a}", '{name: a, labels: {queue: "${QUEUE}"}}'), "${QUEUE} looks like a placeholder"),
    (JOB.replace("{name: a}", '{name: a, labels: {"<key>": b}}'), "<key> looks like a placeholder"),
    (JOB + "  trainer: {env: A=b}", 'env is a list (- item): write - {name: A, value: "b"}'),
    (JOB + "  trainer: {env: API_TOKEN=b}", 'write - {name: API_TOKEN, value: "..."}'),
    (JOB + "  trainer: {image: {name: a}}", "image is a single value"),
    (JOB + "  trainer: {numProcPerNode: cpu}", "write the number of CPUs"),
    (JOB + "  trainer: {resourcesPerNode: {limits: {nvidia.com: {gpu: 4}}}}", "the name is one word: write nvidia.com/gpu: 4"),
    (JOB + "  trainer: {resourcesPerNode: {limits: {amd.com: 4}}}", "write amd.com/gpu: 4"),
    (JOB.replace("name: a", "generateName: My_Job_"), "write my-job-: lower case letters"),
    (JOB.replace("{name: a}", "{name: a, labels: {a: {b: c}}}"), "a is a single value"),
    (JOB.replace("torch-distributed", "Torch_Distributed"), "did you mean torch-distributed?"),
    (JOB.replace("TrainJob", "PytorchJob").replace("trainer.kubeflow.org/v1alpha1", "kubeflow.org/v1"), "did you mean PyTorchJob?"),
    (RUNTIME + "  mlPolicy: torch\n  template: {spec: {}}", "mlPolicy is a mapping (key: value): write {torch: {}}"),
    (RUNTIME + "  podGroupPolicy: coscheduling\n  template: {spec: {}}", "write {coscheduling: {}}"),
    (RUNTIME + "  template: {spec: {successPolicy: {operator: all}}}", "write All: case counts"),
    (RUNTIME + "  template: {spec: {successPolicy: {operator: Anyy}}}", "did you mean Any?"),
]


@pytest.mark.parametrize(("text", "hint"), ROWS, ids=[row[1] for row in ROWS])
def test_hint(text: str, hint: str) -> None:
    result = jc.compile_yaml(text)
    assert not result.ok
    assert any(hint in d.hint for d in result.diagnostics), [(d.message, d.hint) for d in result.diagnostics]


@pytest.mark.parametrize(("text", "hint"), ROWS, ids=[row[1] for row in ROWS])
def test_the_whole_hint(text: str, hint: str, snapshot: SnapshotAssertion) -> None:
    """As somebody reads it, with what `check --fix` would do; `--snapshot-update` writes it."""
    lines = []
    for found in jc.compile_yaml(text).diagnostics:
        if found.is_error:
            lines += [f"{found.path}: {found.hint}", *(f"    [{fix.title}] {'safe' if fix.safe else 'unsafe'}" for fix in found.fixes)]
    assert "\n".join(lines) == snapshot


def test_what_follows_from_a_misspelt_field_says_so() -> None:
    told = {d.code: d.hint for d in jc.compile_yaml(JOB.replace("metadata", "meta"), validate="strict").diagnostics}
    assert told["JSC103"] == "did you mean metadata?"
    assert told["JSC104"] == "metadata is probably what meta is meant to be"
    told = {d.code: d.hint for d in jc.compile_yaml(JOB + "  trainer: {env: [{A: b}, {B: c}]}", validate="strict").diagnostics}
    assert told["JSC107"] == "it follows from what is missing in both: the key"


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("auto", "leave it out, auto is what happens anyway"),
        ('"auto"', "leave it out, auto is what happens anyway"),
        ("'auto'", "leave it out, auto is what happens anyway"),
        ("'8'", "write spec.trainer.numProcPerNode: 8 in the TrainJobs"),
        ("8", "write spec.trainer.numProcPerNode: 8 in the TrainJobs"),
        ("gpu", "write spec.trainer.numProcPerNode in the TrainJobs"),
    ],
)
def test_the_removed_number_of_processes_goes_where_it_has_an_effect(written: str, hint: str) -> None:
    told = jc.compile_yaml(RUNTIME + f"  mlPolicy: {{torch: {{numProcPerNode: {written}}}}}\n  template: {{spec: {{}}}}").diagnostics
    assert any(d.hint.endswith(hint) for d in told), [(d.message, d.hint) for d in told]


@pytest.mark.parametrize(
    ("volume", "hint"),
    [
        ("projected: {defaultMode: 420}", "write sources, with one item at least"),
        ("ephemeral: {volumeClaimTemplate: {spec: {dataSource: {kind: PersistentVolumeClaim, name: a}}}}", 'write apiGroup: "" at least'),
    ],
)
@pytest.mark.parametrize("is_patch", [False, True])
def test_a_null_that_nobody_wrote(volume: str, hint: str, is_patch: bool) -> None:
    volumes = f"volumes: [{{name: v, {volume}}}]"
    node = f"template: {{spec: {{replicatedJobs: [{{name: node, template: {{spec: {{template: {{spec: {{%s{volumes}}}}}}}}}}}]}}}}"
    patched = JOB + f"  runtimePatches: [{{manager: a.b/c, trainingRuntimeSpec: {{{node % ''}}}}}]\n"
    own = RUNTIME + f"  {node % 'containers: [{name: node, image: x}], '}\n---\n" + JOB.replace("torch-distributed", "a")
    told = jc.compile_yaml(patched if is_patch else own).diagnostics
    assert [d.hint for d in told if d.message.endswith('"null"') and d.hint.startswith(hint)], [(d.message, d.hint) for d in told]


def test_every_refused_value_has_a_place() -> None:
    for text, _ in ROWS:
        for d in jc.compile_yaml(text).diagnostics:
            if d.severity == "error":
                assert d.line > 0 and d.column > 0


VALUES = (
    *("null", "true", "'True'", "3", "'3'", "-1", "1.5", "a", "A", "a=b", "a b c", "'a \"b'", "a | b", "'a\\b'", "torch", "name", "${A}", "auto", "cpu", "90m"),
    *("[]", "[a]", "[3]", "[a, b]", "[a=b]", "['...']", "[[a]]", "[{a: b}]", "[{name: a}, {name: b}]"),
    *("{}", "{a: b}", "{a: true}", "{a: [b]}", "{name: a}", "{a: b, c: d}", "{TOKEN: b}"),
)
# A document around each value, by what the API has there.
FIELDS = {
    "a flag": JOB + "  suspend: %s\n",
    "a whole number": JOB + "  trainer: {numNodes: %s}\n",
    "seconds": JOB + "  activeDeadlineSeconds: %s\n",
    "a number of processes": JOB + "  trainer: {numProcPerNode: %s}\n",
    "a text": JOB + "  trainer: {image: %s}\n",
    "a location": JOB + "  initializer: {model: {storageUri: %s}}\n",
    "a quantity": JOB + "  trainer: {resourcesPerNode: {limits: {cpu: %s}}}\n",
    "a count of devices": JOB + "  trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: %s}}}\n",
    "a mapping to quantities": JOB + "  trainer: {resourcesPerNode: {limits: %s}}\n",
    "words": JOB + "  trainer: {command: %s}\n",
    "a word": JOB + "  trainer: {args: [%s]}\n",
    "variables": JOB + "  trainer: {env: %s}\n",
    "a variable": JOB + "  trainer: {env: [%s]}\n",
    "a reference": JOB.replace("{name: torch-distributed}", "%s"),
    "a name": JOB.replace("{name: a}", "{name: %s}"),
    "a name that goes on": JOB.replace("{name: a}", "{generateName: %s}"),
    "a namespace": JOB.replace("{name: a}", "{name: a, namespace: %s}"),
    "labels": JOB.replace("{name: a}", "{name: a, labels: %s}"),
    "an annotation": JOB.replace("{name: a}", "{name: a, annotations: {b: %s}}"),
    "a struct": JOB + "  trainer: %s\n",
    "a policy": RUNTIME + "  mlPolicy: %s\n  template: {spec: {}}\n",
    "a choice": RUNTIME + "  template: {spec: {successPolicy: {operator: %s}}}\n",
}


@pytest.mark.parametrize(("field", "release"), [*((field, "v2.3") for field in FIELDS), ("a number of processes", "v2.0")])
def test_what_is_said_of_any_value(field: str, release: str, snapshot: SnapshotAssertion) -> None:
    """Where something of one kind is meant and another one is written; of what is refused, the way out and what `check --fix` would do."""
    lines = []
    for value in VALUES:
        for found in jc.compile_yaml(FIELDS[field] % value, trainer_version=release).diagnostics:
            if found.is_error and found.stage in ("schema", "decode") and found.hint:
                lines += [f"{value}: {found.path}: {found.hint}", *(f"    [{fix.title}] {'safe' if fix.safe else 'unsafe'}" for fix in found.fixes)]
    assert "\n".join(lines) == snapshot


def test_a_value_that_an_extension_admits_in_another_case() -> None:
    text = RUNTIME + "  mlPolicy: {mpi: {mpiImplementation: intel}}\n  template: {spec: {}}\n"
    (found,) = [d for d in jc.compile_yaml(text, extensions=("mpi-hydra",)).diagnostics if d.is_error]
    assert (found.hint, [(fix.title, fix.safe) for fix in found.fixes]) == ("write Intel: case counts", [("write Intel", True)])
    (found,) = [d for d in jc.compile_yaml(text).diagnostics if d.is_error]
    assert (found.hint, found.fixes) == ("--extension mpi-hydra renders Intel, which no release does", ())


@pytest.mark.parametrize(
    ("written", "repeated"),
    [
        ("v" * 40, "v" * 40),
        ("v" * 41, "..."),
        ("'4'", "'4'"),
        ("3", "3"),
        ("[a]", "..."),
        ("{b: c}", "..."),
        ("&a b", "b"),
        ("a-b", "a-b"),
        ("a\n      b", "..."),
    ],
)
def test_a_short_value_is_repeated_where_it_belongs(written: str, repeated: str) -> None:
    told = [d.hint for d in jc.compile_yaml(JOB + f"  trainer: {{env: [{{A: {written}}}]}}\n", validate="strict").diagnostics if d.code == "JSC103"]
    assert told == [f"write - {{name: A, value: {repeated}}}"]


def test_the_value_of_a_credential_is_not_repeated() -> None:
    told = [d.hint for d in jc.compile_yaml(JOB + "  trainer: {env: [{API_TOKEN: b}]}\n", validate="strict").diagnostics if d.code == "JSC103"]
    assert told == ["write - {name: API_TOKEN, value: ...}"]
