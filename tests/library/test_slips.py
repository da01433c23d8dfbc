"""Slips that people make, one each: the answer names the cause, the place and the way out.

Each row changes one thing in a TrainJob that is right: what stands there, what is written instead, where the first finding
is (line and column), its code, and words that its hint (or, where the message says it all, its message) must hold.
"""

from __future__ import annotations

import pytest

import jobset_compiler as jc

GOOD = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: bert
  namespace: ml
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    numNodes: 2
    image: registry.example.com/bert:1
    command: [torchrun, train.py]
    env:
    - name: MODE
      value: fast
    resourcesPerNode:
      limits:
        nvidia.com/gpu: 4
"""
ENV = "    env:\n    - name: MODE\n      value: fast\n"
RESOURCES = "    resourcesPerNode:\n      limits:\n        nvidia.com/gpu: 4\n"
COMMAND = "command: [torchrun, train.py]"
REF = "  runtimeRef:\n    name: torch-distributed\n"
META = "metadata:\n  name: bert\n  namespace: ml\n"
SPEC = GOOD[GOOD.index("spec:") :]

SLIPS: list[tuple[str, str, str, str, str]] = [
    # names of fields
    ("numNodes:", "numNode:", "10:5", "JSC103", "did you mean numNodes?"),
    ("numNodes:", "num_nodes:", "10:5", "JSC103", "did you mean numNodes?"),
    ("numNodes:", "nodes:", "10:5", "JSC103", "did you mean numNodes?"),
    ("numNodes:", "replicas:", "10:5", "JSC103", "write numNodes"),
    ("spec:", "specs:", "6:1", "JSC103", "did you mean spec?"),
    ("runtimeRef:", "runtimeref:", "7:3", "JSC103", "did you mean runtimeRef?"),
    ("runtimeRef:", "trainingRuntimeRef:", "7:3", "JSC103", "now it is spec.runtimeRef"),
    ("resourcesPerNode:", "resources:", "16:5", "JSC103", "did you mean resourcesPerNode?"),
    ("    numNodes: 2\n", "    gpus: 2\n", "10:5", "JSC103", "resourcesPerNode"),
    ("    numNodes: 2\n", "    nodeSelector: {a: b}\n", "10:5", "JSC103", "it belongs in spec.runtimePatches[]"),
    ("    numNodes: 2\n", "    volumeMounts: []\n", "10:5", "JSC103", "it belongs in spec.runtimePatches[]"),
    ("    numNodes: 2\n", "    template: {}\n", "10:5", "JSC103", "it belongs in spec.runtimePatches[]"),
    ("  trainer:\n", "  numNodes: 4\n  trainer:\n", "9:3", "JSC103", "it belongs in spec.trainer"),
    ("  trainer:\n", "  mlPolicy: {}\n  trainer:\n", "9:3", "JSC103", "it belongs in the runtime"),
    ("  trainer:\n", "  dataset: {}\n  trainer:\n", "9:3", "JSC103", "it belongs in spec.initializer"),
    ("  trainer:\n", "  ttlSecondsAfterFinished: 60\n  trainer:\n", "9:3", "JSC103", "TrainJobs have none"),
    ("  trainer:\n", "  podSpecOverrides: []\n  trainer:\n", "9:3", "JSC103", "v2.3 has runtimePatches"),
    ("  trainer:\n", "  podTemplateOverrides: []\n  trainer:\n", "9:3", "JSC103", "migrate"),
    ("  trainer:\n", "  runtimePatches:\n  - {manager: a.example.com/b, spec: {}}\n  trainer:\n", "10:32", "JSC103", "write trainingRuntimeSpec"),
    (RESOURCES, "    resourcesPerNode:\n      nvidia.com/gpu: 4\n", "17:7", "JSC103", "one level deeper: limits: {nvidia.com/gpu"),
    ("- name: MODE\n      value: fast", "- MODE: fast", "14:7", "JSC103", "write - {name: MODE, value: fast}"),
    ("value: fast", "secretKeyRef: {name: a, key: b}", "15:7", "JSC103", "it belongs in spec.trainer.env[0].valueFrom"),
    # apiVersion, kind, what is missing
    ("trainer.kubeflow.org/v1alpha1", "kubeflow.org/v1", "1:13", "JSC102", "write apiVersion: trainer.kubeflow.org/v1alpha1"),
    ("trainer.kubeflow.org/v1alpha1", "trainer.kubeflow.org/v1", "1:13", "JSC102", "write apiVersion: trainer.kubeflow.org/v1alpha1"),
    ("apiVersion: trainer.kubeflow.org/v1alpha1\n", "", "1:1", "JSC102", "write apiVersion: trainer.kubeflow.org/v1alpha1"),
    ("kind: TrainJob", "kind: Trainjob", "2:7", "JSC102", "did you mean TrainJob?"),
    ("kind: TrainJob", "kind: TrainingJob", "2:7", "JSC102", "did you mean TrainJob?"),
    ("kind: TrainJob\n", "", "1:1", "JSC101", "every document needs apiVersion and kind"),
    ("  name: bert\n", "", "4:3", "JSC104", "add metadata.name"),
    (REF, "", "7:3", "JSC104", "add runtimeRef"),
    (SPEC, "", "1:1", "JSC202", "add runtimeRef: {name: torch-distributed}"),
    ("  trainer:\n", "  runtimePatches: [{}]\n  trainer:\n", "9:20", "JSC104", "add manager"),
    # values
    ("numNodes: 2", 'numNodes: "2"', "10:15", "JSC105", "write 2 without quotes"),
    ("numNodes: 2", "numNodes: 2.5", "10:15", "JSC105", "write a whole number"),
    ("numNodes: 2", "numNodes: two", "10:15", "JSC105", "write a whole number"),
    ("numNodes: 2", "numNodes: [2]", "10:15", "JSC105", "write 2, without the list"),
    ("numNodes: 2", "numNodes: 99999999999", "10:15", "JSC105", "the largest number here is 2147483647"),
    ("numNodes: 2", "numNodes: -2", "10:15", "JSC430", "must be greater than or equal to 0"),
    ("numNodes: 2", "numNodes: 0", "10:15", "JSC841", "use 1 or more"),
    ("numNodes: 2", "numProcPerNode: auto", "10:21", "JSC105", "leave it out: auto is what the torch policy does without it"),
    ("  trainer:\n", "  activeDeadlineSeconds: 2h\n  trainer:\n", "9:26", "JSC105", "write the seconds as a number: 7200"),
    ("  trainer:\n", '  suspend: "true"\n  trainer:\n', "9:12", "JSC105", "write true without quotes"),
    ("  trainer:\n", "  suspend: 1\n  trainer:\n", "9:12", "JSC105", "write true or false"),
    ("  trainer:\n", "  initializer: hf://a/b\n  trainer:\n", "9:16", "JSC105", "initializer is a mapping (key: value)"),
    ("value: fast", "value: 1", "15:14", "JSC105", 'put it in quotes: "1"'),
    ("value: fast", "value: 1e-4", "15:14", "JSC105", 'put it in quotes: "1e-4"'),
    ("value: fast", "value: no", "15:14", "JSC105", 'put it in quotes: "no"'),
    (COMMAND, "command: torchrun train.py", "12:14", "JSC105", 'write ["torchrun","train.py"]'),
    (COMMAND, "args: [--epochs, 3]", "12:22", "JSC105", 'put it in quotes: "3"'),
    (COMMAND, 'command: ["torchrun train.py"]', "12:15", "JSC712", 'write command: ["torchrun","train.py"]'),
    (ENV, "    env:\n      MODE: fast\n", "14:7", "JSC105", "write - {name: MODE, value: fast}"),
    (ENV, "    env: [MODE=fast]\n", "13:11", "JSC105", 'write {name: MODE, value: "fast"}'),
    (ENV, "    env:\n    - {name: A, value: b}\n    - {name: A, value: c}\n", "15:7", "JSC107", "keep one of the two"),
    ("name: MODE", "name: PET_NNODES", "14:13", "JSC340", "leave them out: they follow from numNodes"),
    (REF, "  runtimeRef: torch-distributed\n", "7:15", "JSC105", "write {name: torch-distributed}"),
    ("  trainer:\n    numNodes", "  trainer:\n  - numNodes", "10:3", "JSC105", "trainer is a mapping (key: value): write it without the dash"),
    (META, "metadata:\n  name: 123\n", "4:9", "JSC109", 'put it in quotes: "123"'),
    (META, "metadata:\n  name: bert\n  labels: {version: 1}\n", "5:21", "JSC109", 'put it in quotes: "1"'),
    (META, "metadata:\n  name: bert\n  annotations: {retry: true}\n", "5:24", "JSC109", 'put it in quotes: "true"'),
    (META, "metadata:\n  name: bert\n  annotations: retry\n", "5:16", "JSC109", "annotations is a mapping (key: value)"),
    (META, "metadata:\n  name: bert\n  labels:\n  - team=ml\n", "6:3", "JSC109", "write team: ml, without the dash"),
    (META, "metadata:\n  name: bert\n  labels: {team: ml team}\n", "5:18", "JSC109", "other text goes into annotations"),
    ("name: bert", "name: Bert_Large", "4:9", "JSC109", "call it bert-large"),
    ("name: bert", "name: 2-bert", "4:9", "JSC109", "call it job-2-bert"),
    ("name: bert", f"name: {'bert' * 20}", "4:9", "JSC109", "cut "),
    ("name: bert", "name: '{{ .Values.name }}'", "4:9", "JSC109", "looks like a placeholder"),
    ("namespace: ml", "namespace: ML_Team", "5:14", "JSC109", "write ml-team"),
    # resources
    ("limits:", "requests:", "18:25", "JSC436", "set a limit of nvidia.com/gpu equal to the request"),
    ("nvidia.com/gpu: 4", "gpu: 4", "18:14", "JSC436", "write nvidia.com/gpu: 4"),
    ("nvidia.com/gpu: 4", "nvidia.com/gpus: 4", "18:26", "JSC729", "did you mean nvidia.com/gpu?"),
    ("nvidia.com/gpu: 4", "nvidia.com/gpu: 0.5", "18:25", "JSC105", "devices are counted in whole numbers"),
    ("nvidia.com/gpu: 4", "nvidia.com/gpu: four", "18:25", "JSC109", "a quantity is a number with a unit"),
    ("nvidia.com/gpu: 4", "memory: 256GB", "18:17", "JSC109", "did you mean 256G?"),
    ("nvidia.com/gpu: 4", "memory: 16gi", "18:17", "JSC109", "did you mean 16Gi?"),
    ("nvidia.com/gpu: 4", "memory: 16 Gi", "18:17", "JSC109", "a quantity has no blanks"),
    ("nvidia.com/gpu: 4", "memory: 512m", "18:17", "JSC728", "write 512Mi"),
    ("nvidia.com/gpu: 4", "memory: 64", "18:17", "JSC728", "64Gi"),
    ("nvidia.com/gpu: 4", "cpu: 4 cores", "18:14", "JSC109", "write 4"),
    ("nvidia.com/gpu: 4", 'cpu: "1,5"', "18:14", "JSC109", "write 1.5, with a point"),
    ("      limits:\n        nvidia.com/gpu: 4", "      limits:\n      - cpu: 4", "18:7", "JSC105", "write it without the dash"),
    ("nvidia.com/gpu: 4\n", "cpu: 4\n      requests:\n        cpu: 8\n", "20:14", "JSC436", "raise the limit or lower the request"),
    # runtimes
    ("torch-distributed", "torch-distribued", "8:11", "JSC201", "did you mean torch-distributed?"),
    ("torch-distributed", "mine", "8:11", "JSC201", "-r"),
    ("torch-distributed\n", "torch-distributed\n    kind: TrainingRuntime\n", "8:11", "JSC201", "write runtimeRef.kind: ClusterTrainingRuntime"),
    ("torch-distributed\n", "torch-distributed\n    kind: clustertrainingruntime\n", "8:5", "JSC202", "runtimeRef.kind is ClusterTrainingRuntime"),
    ("  trainer:\n", "  initializer: {dataset: {storageUri: a/b}}\n  trainer:\n", "9:39", "JSC109", "write hf://a/b"),
    ("  trainer:\n", "  initializer: {dataset: {storageUri: 'hf://a/b'}}\n  trainer:\n", "9:26", "JSC331", "a replicatedJob called dataset-initializer"),
    # placeholders and images
    ("bert:1", "bert:${TAG}", "11:12", "JSC725", "write the value itself"),
    ("registry.example.com/bert:1", '"<IMAGE>"', "11:12", "JSC725", "write the value itself"),
    ("registry.example.com/bert:1", "CHANGEME", "11:12", "JSC725", "write the value itself"),
    ("registry.example.com/bert:1", "registry.example.com/My Bert", "11:12", "JSC727", "write registry/repository:tag"),
    ("registry.example.com/bert:1", "https://registry.example.com/bert:1", "11:12", "JSC727", "write registry/repository:tag"),
    # YAML
    ("  trainer:\n    numNodes", "  trainer:\n  numNodes", "11:5", "JSC004", "indent both by the same number of blanks"),
    ("    image", "     image", "11:6", "JSC004", "indent both by the same number of blanks"),
    ("    image", "\timage", "11:1", "JSC006", "write blanks instead of the tab"),
    ("    image", "\u00a0   image", "11:1", "JSC004", "no-break space"),
    ("value: fast", "value: a: b", "15:14", "JSC004", 'value: "a: b"'),
    ("numNodes: 2", "numNodes:2", "10:13", "JSC004", "numNodes: 2"),
    ("- name: MODE", "-name: MODE", "14:5", "JSC004", "- name: MODE"),
    ("image: registry", 'image: "registry', "11:12", "JSC004", "is never closed"),
    ("train.py]", "train.py", "12:14", "JSC004", "put a ] where it ends"),
    ("registry.example.com/bert:1", "*image", "11:12", "JSC016", 'needs quotes ("*image")'),
    ("registry.example.com/bert:1", "@image", "11:12", "JSC004", 'needs quotes: "@image"'),
    (COMMAND, "command: [\u201ctorchrun\u201d, train.py]", "12:15", "JSC028", 'Write: "torchrun"'),
    ("numNodes: 2\n", "numNodes: 2\n    numNodes: 4\n", "11:5", "JSC021", "It is set in line 10 first"),
    (GOOD, GOOD + GOOD.replace("name: bert", "name: two"), "19:1", "JSC026", "Write --- on a line of its own"),
    (GOOD, f"```yaml\n{GOOD}```\n", "1:1", "JSC010", "keep only what stands inside"),
    (GOOD, f"cat <<EOF\n{GOOD}EOF\n", "1:1", "JSC004", "keep only what stands between"),
    ("name: bert", "name: {{ .Values.name }}", "4:9", "JSC007", "render it first"),
    ("    numNodes: 2\n", "<<<<<<< HEAD\n    numNodes: 2\n=======\n    numNodes: 4\n>>>>>>> b\n", "10:1", "JSC009", "Resolve the merge conflict"),
]


def test_what_they_are_slips_from_is_right() -> None:
    assert all(diagnostic.severity == "info" for diagnostic in jc.compile_yaml(GOOD, validate="strict").diagnostics)


@pytest.mark.parametrize(("right", "wrong", "place", "code", "words"), SLIPS, ids=[f"{code}-{wrong[:30]!r}" for _, wrong, _, code, _ in SLIPS])
def test_a_slip_is_answered(right: str, wrong: str, place: str, code: str, words: str) -> None:
    assert right in GOOD
    told = [d for d in jc.compile_yaml(GOOD.replace(right, wrong, 1), validate="strict").diagnostics if d.severity != "info"]
    first = min(told, key=lambda d: (d.line or 0, d.column or 0, d.severity != "error"))
    assert (f"{first.line}:{first.column}", first.code) == (place, code), [(d.line, d.column, d.code, d.message, d.hint) for d in told]
    # The server may refuse one thing in two ways; nothing else may be told beside it.
    answers = [d for d in told if (d.line, d.code) == (first.line, first.code) or d.code in ("JSC104", "JSC841")]
    assert len(told) == len(answers), [(d.line, d.column, d.code, d.message) for d in told]
    assert any(words in (d.hint or "") or words in d.message for d in answers), [(d.message, d.hint) for d in told]
