"""What a place of the input comes to is what has the place among its origins: both directions say the same, on the goldens."""

from __future__ import annotations

import pytest

import jobset_compiler as jc
from jobset_compiler.diagnostics import addresses
from jobset_compiler.provenance.effects import effects_of
from jobset_compiler.provenance.layers import layers_of
from tests.golden.cases import Case, all_cases

AREAS = ("patches", "explain", "torch", "mpi", "flux", "volcano", "dialects")
CASES = [case for case in all_cases() if case.accepting and not case.is_migration and case.area in AREAS][::5]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_effects_are_origins_read_backwards(case: Case) -> None:
    for unit in case.compile(case.accepting[-1]).units:
        expected: dict[tuple[int, tuple[str | int, ...]], set[tuple[str, str]]] = {}
        for manifest in unit.objects:
            for leaf in addresses.leaves(manifest):
                field = (manifest["kind"] + manifest["metadata"]["name"], addresses.text(addresses.keyed(manifest, leaf)))
                for layer in layers_of(unit.plan, manifest, leaf):
                    if layer.document is not None:
                        expected.setdefault((id(layer.document), layer.path), set()).add(field)
        for document in {id(document): document for document in (unit.plan.job.document, unit.plan.runtime.document)}.values():
            for (of, path), fields in expected.items():
                if of == id(document):
                    found = {(effect.kind + effect.name, effect.address) for effect in effects_of(unit, document, path)}
                    assert fields <= found, path
                    # Nothing else but what goes back to a place below it, or to one around it.
                    related = [place for whose, place in expected if whose == of and (place[: len(path)] == path or path[: len(place)] == place)]
                    assert found <= {field for place in related for field in expected[of, place]}, path


def test_two_objects_of_one_kind_and_name() -> None:
    """The PodGroups of coscheduling and Volcano are both named after the TrainJob."""
    (case,) = [case for case in all_cases() if case.id == "coscheduling/both-gang-policies"]
    result = case.compile("v2.3")
    effects = result.affected_by("TrainJob/" + result.units[0].plan.job.name, "metadata.name")
    assert len([effect for effect in effects if (effect.kind, effect.address) == ("PodGroup", "metadata.name")]) == 2


CONVERTED = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: old}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 3
      template:
        spec:
          containers:
          - {name: pytorch, image: mine}
"""


def test_of_a_document_of_another_api_as_it_is_written() -> None:
    (unit,) = jc.compile_yaml(CONVERTED, convert=True).units
    written = unit.plan.job.document.written
    container = ("spec", "pytorchReplicaSpecs", "Worker", "template", "spec", "containers", 0)
    (image,) = effects_of(unit, written, (*container, "image"))
    assert (image.value, image.address.endswith("containers[name=node].image")) == ("mine", True)
    counted = {effect.address.rpartition(".")[2] for effect in effects_of(unit, written, ("spec", "pytorchReplicaSpecs", "Worker", "replicas"))}
    assert counted == {"parallelism", "completions", "value"}


def test_an_effect_as_text() -> None:
    """What another line has the last word over is told to be replaced."""
    result = jc.compile_yaml(OVERRIDE + "  - {targetJobs: [{name: node}], spec: {serviceAccountName: other}}\n", trainer_version="v2.1")
    account = "JobSet default/train  spec.replicatedJobs[name=node].template.spec.template.spec.serviceAccountName: other"
    told = [str(effect) for number in range(2) for effect in result.affected_by("TrainJob/train", f"spec.podTemplateOverrides[{number}].spec")]
    assert told == [f"{account}  (replaced)", account]


def test_what_is_secret_is_hidden() -> None:
    text = OVERRIDE.replace("image: mine", "env: [{name: HF_TOKEN, value: abc}]")
    effects = jc.compile_yaml(text, trainer_version="v2.1").affected_by("TrainJob/train", "spec.trainer.env")
    assert [effect.value for effect in effects] == ["HF_TOKEN", "(hidden)"]


OVERRIDE = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train}
spec:
  runtimeRef: {name: torch-distributed}
  trainer: {image: mine}
  podTemplateOverrides:
  - targetJobs: [{name: node}]
    spec: {serviceAccountName: me}
"""


def test_an_override_says_nothing_of_what_is_beside_it() -> None:
    """The whole Job is merged, and yet its labels are the runtime's alone."""
    result = jc.compile_yaml(OVERRIDE, trainer_version="v2.1")
    (label,) = result.origin_of(
        result.objects[0], 'spec.replicatedJobs[name=node].template.metadata.labels["trainer.kubeflow.org/trainjob-ancestor-step"]'
    )
    assert label.kind == "input" and label.by == "torch-distributed"
    assert [effect.value for effect in result.affected_by("TrainJob/train", "spec.podTemplateOverrides[0]")] == ["me"]
