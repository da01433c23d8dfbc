"""What each patch is said to have done is what is missing without it, on the goldens."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.diagnostics import addresses
from jobset_compiler.explain import explanation
from jobset_compiler.explain.patched import ADDED, CHANGED, NOTHING, OVERRULED, REPLACED, patches_of
from jobset_compiler.explain.text import story
from jobset_compiler.source.reader import read_text
from tests.golden.cases import Case, all_cases
from tests.passes.plans import compiled, job, runtime, trainjob

CASES = [case for case in all_cases() if case.accepting and not case.is_migration and case.area in ("patches", "explain", "silent")]
GONE = object()


def value_at(tree: Any, address: str) -> Any:
    try:
        for step in addresses.resolve(tree, addresses.parse(address)):
            tree = tree[step]
    except KeyError:
        return GONE
    return tree


def without(case: Case, release: str, name: str, field: str, index: int) -> dict[str, Any] | None:
    """The JobSet of that TrainJob without one of its patches; None where it then is refused."""
    documents = deepcopy([document.value for document in read_text(case.text)[0]])
    for document in documents:
        if document.get("kind") == "TrainJob" and document["metadata"]["name"] == name:
            del document["spec"][field][index]
    result = jc.compile_objects(documents, trainer_version=release, **case.options)
    return next((manifest for manifest in result.objects if manifest["kind"] == "JobSet" and manifest["metadata"]["name"] == name), None)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_without_the_patch_it_is_not_so(case: Case) -> None:
    release = case.accepting[-1]
    for unit in case.compile(release).units:
        plan, jobset = unit.plan, unit.objects[0]
        told = patches_of(unit)
        assert len(told) == len(plan.job.patches)
        for patch, given in zip(told, plan.job.patches, strict=True):
            if len(given.origin) < 3:
                continue  # spec.labels
            _, field, index = given.origin
            other = without(case, release, plan.job.name, str(field), int(index))
            for change in patch["changes"] if other is not None else ():
                now, then = value_at(jobset, change["path"]), value_at(other, change["path"])
                match change["what"]:
                    case what if what == ADDED:
                        assert now == change["value"] and then != now, change
                    case what if what in (CHANGED, REPLACED):
                        assert (now, then) == (change["value"], change["was"]) or then != now, change
                    case what if what == OVERRULED:
                        assert now not in (GONE, change["value"]), change
                    case _:
                        assert change["what"] == NOTHING


def patched(*pods: str) -> list[Any]:
    """What patches of m0, m1, ... to the pod spec of node do, by what they did and to which field."""
    patches = "".join(
        f"  - manager: example.com/m{number}\n    trainingRuntimeSpec:\n      template:\n        spec:\n          replicatedJobs:\n"
        f"          - {{name: node, template: {{spec: {{template: {{spec: {pod}}}}}}}}}\n"
        for number, pod in enumerate(pods)
    )
    text = (
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec:\n"
        f"  runtimeRef: {{name: torch-distributed}}\n  runtimePatches:\n{patches}"
    )
    result = jc.compile_yaml(text, trainer_version="v2.3")
    assert result.ok, result.diagnostics
    return [[(change["what"], change["path"].rpartition(".")[2], change["by"]) for change in patch["changes"]] for patch in patches_of(result.units[0])]


def test_a_list_that_another_patch_has_replaced() -> None:
    """Kubernetes merges volumes by name, and replaces tolerations."""
    assert patched("{tolerations: [{key: a, operator: Exists}]}", "{tolerations: [{key: b, operator: Exists}]}") == [
        [(OVERRULED, "tolerations", "example.com/m1")],
        [(REPLACED, "tolerations", "example.com/m0")],
    ]
    assert patched("{volumes: [{name: a, emptyDir: {}}]}", "{volumes: [{name: b, emptyDir: {}}]}") == [
        [(ADDED, "volumes[name=a]", "")],
        [(ADDED, "volumes[name=b]", "")],
    ]
    assert patched("{nodeSelector: {a: v, b: w}}", "{nodeSelector: {b: x, c: z}}") == [
        [(ADDED, "a", ""), (OVERRULED, "b", "example.com/m1")],
        [(CHANGED, "b", ""), (ADDED, "c", "")],
    ]


def test_an_empty_list_of_the_runtime_is_nothing_that_is_replaced() -> None:
    given = runtime({"torch": {}}, job(tolerations=[], nodeSelector={}))
    template = {"spec": {"template": {"spec": {"tolerations": [{"key": "a", "operator": "Exists"}], "nodeSelector": {"a": "b"}}}}}
    patch = {"manager": "acme.io/x", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": template}]}}}}
    (unit,) = compiled(given, trainjob({}, runtimePatches=[patch])).units
    ((one, other),) = [told["changes"] for told in patches_of(unit)]
    pod = "spec.replicatedJobs[name=node].template.spec.template.spec"
    assert {told["path"]: (told["what"], told["value"], told["was"]) for told in (one, other)} == {
        f"{pod}.tolerations[key=a]": (ADDED, {"key": "a", "operator": "Exists"}, None),
        f"{pod}.nodeSelector.a": (ADDED, "b", None),
    }


def test_a_job_without_patches_has_none() -> None:
    text = "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: a}, spec: {runtimeRef: {name: torch-distributed}}}"
    assert patches_of(jc.compile_yaml(text).units[0]) == []


def test_what_a_patch_adds_in_words() -> None:
    """An item of a list as people speak of it, a field in an item by its name."""
    given = runtime({"torch": {}}, job(volumes=[{"name": "a", "secret": {"secretName": "s"}}]))
    pod = {
        "volumes": [{"name": "a", "emptyDir": {}}, {"name": "b", "emptyDir": {}}],
        "containers": [{"name": "node", "volumeMounts": [{"name": "b", "mountPath": "/b"}]}],
        "initContainers": [{"name": "first", "env": [{"name": "C", "value": "d"}]}],
        "tolerations": [{"key": "e", "operator": "Exists"}],
        "serviceAccountName": "f",
    }
    jobs = [{"name": "node", "template": {"spec": {"template": {"spec": pod}}}}]
    patch = {"manager": "acme.io/x", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}}}
    (unit,) = compiled(given, trainjob({}, runtimePatches=[patch])).units
    told = [line.text for line in story(explanation(unit)) if line.label in ("+", "~", "!")]
    assert sorted(told) == [
        "node, container node: added mount /b of volume b",
        "node, init container first: added name: first",
        "node, init container first: added variable C=d",
        "node, pod: added serviceAccountName: f",
        "node, pod: added toleration of taint e, any value",
        "node, pod: added volume b: an empty folder",
        "node, pod: added volumes[name=a].emptyDir: {}",
    ]
