"""Values that change nothing: what is said of each, word for word, and of what nothing is."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.diagnostics.codes import silent
from jobset_compiler.diagnostics.place import format_path
from tests.passes.plans import compiled, container, job, runtime, trainjob

Tree = dict[str, Any]
TORCH: Tree = {"torch": {}}
SOURCE: Tree = {"valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
PATCH = "spec.runtimePatches[{}].trainingRuntimeSpec.template"
POD = "spec.replicatedJobs[0].template.spec.template.spec"
SIDE = [container(), container("side", env=[{"name": "A", "value": "3"}])]
MOUNTS = [{"name": "initializer", "mountPath": "/workspace"}]
CLAIM = [{"name": "initializer", "persistentVolumeClaim": {"claimName": "data"}}]
INITIALIZERS = [job(name, name, containers=[container(name, volumeMounts=MOUNTS)], volumes=CLAIM) for name in ("dataset-initializer", "model-initializer")]


def said(given: Tree, asked: Tree, release: str = "v2.3") -> list[str]:
    """Severity, place (`0: ` is the template of the first patch, below which `pod` is that of the node), message and hint."""
    lines = []
    for found in compiled(given, asked, release).diagnostics:
        if found.rule == silent.WITHOUT_EFFECT:
            line = f"{found.severity} {format_path(found.at)}: {found.message}; {found.hint}"
            for number in range(2):
                line = line.replace(f"{PATCH.format(number)}.", f"{number}: ").replace(f"{number}: {POD}.", f"{number}: pod.")
            lines.append(line)
    return lines


def of_template(**metadata: Any) -> Tree:
    return trainjob({}, runtimePatches=[{"manager": "acme.io/x", "trainingRuntimeSpec": {"template": {"metadata": metadata}}}])


def of_pods(*pods: Tree) -> Tree:
    jobs = [[{"name": "node", "template": {"spec": {"template": {"spec": pod}}}}] for pod in pods]
    patches = [{"manager": f"acme.io/{number}", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": each}}}} for number, each in enumerate(jobs)]
    return trainjob({}, runtimePatches=patches)


@pytest.mark.parametrize("field", ["labels", "annotations"])
def test_an_empty_map_takes_nothing_from_the_jobset(field: str) -> None:
    given = runtime(TORCH, metadata={field: {"a": "b"}})
    nothing = "warning spec.runtimePatches[0]: this override changes nothing: it names no replicatedJob; name the replicatedJob that is meant, or leave it out"
    told = f'warning 0: metadata.{field}: {{}} says nothing here: {field} of the JobSet stay {{"a":"b"}}, since a patch takes nothing away; '
    assert said(given, of_template(**{field: {}})) == [nothing, f"{told}change it in the runtime"]
    assert said(runtime(TORCH), of_template(**{field: {}})) == [nothing], "there is nothing to take away"
    assert said(given, of_template(**{field: {"c": "d"}})) == []


def test_each_of_the_names_of_a_jobset() -> None:
    only = "changes nothing: of an override's metadata labels and annotations alone are taken over; leave it out"
    asked = of_template(name="n", namespace="m", finalizers=["a.b/c"], labels={"a": "b"})
    assert said(runtime(TORCH), asked) == [
        f'warning 0: metadata.name: name "n" {only}',
        f'warning 0: metadata.namespace: namespace "m" {only}',
        f'warning 0: metadata.finalizers: finalizers ["a.b/c"] {only}',
    ]
    assert said(runtime(TORCH), of_template(name="", namespace="", finalizers=[], labels={"a": "b"})) == []


def test_a_value_beside_a_source_wherever_variables_are() -> None:
    both = [{"name": "A", "value": "x"}, {"name": "B", "value": "y", **SOURCE}]
    asked = trainjob({"env": both}, initializer={"dataset": {"env": both}, "model": {"env": both}})
    assert said(runtime(TORCH, *INITIALIZERS, job()), asked) == [
        f"warning {at}.env[1].value: B gets what valueFrom says, and its value is dropped; write value or valueFrom"
        for at in ("spec.trainer", "spec.initializer.dataset", "spec.initializer.model")
    ]


@pytest.mark.parametrize(
    ("initializer", "names"),
    [
        ({"dataset": {}, "model": {}}, ["dataset", "model"]),
        ({"dataset": {"storageUri": "hf://a/b"}, "model": {}}, ["model"]),
        ({"dataset": {"env": []}, "model": {"secretRef": {"name": "s"}}}, ["dataset"]),
        ({"dataset": {"env": [{"name": "A", "value": "x"}]}}, []),
    ],
)
def test_initializers_of_nothing(initializer: Tree, names: list[str]) -> None:
    assert said(runtime(TORCH, *INITIALIZERS, job()), trainjob({}, initializer=initializer)) == [
        f"info spec.initializer.{name}: {name} changes nothing: the initializer runs as the runtime says; write storageUri, or leave it out" for name in names
    ]


def test_empty_words_where_another_container_has_some() -> None:
    """Those of the node alone are cleared: a container beside it, and a job beside it, keep theirs."""
    beside = [container(args=["a"]), container("side", command=["b"])]
    given = runtime(TORCH, job(containers=beside), job("other", None, containers=[container(command=["c"])]))
    assert said(given, trainjob({"command": [], "args": []})) == [
        "info spec.trainer.command: command: [] clears nothing: the runtime's node has no command; leave it out",
    ]


def test_a_later_override_of_one_variable() -> None:
    asked = of_pods(*({"containers": [{"name": "side", "env": [{"name": "A", "value": value}, {"name": "B", "value": "same"}]}]} for value in "12"))
    at = "pod.containers[0].env[0].value"
    assert said(runtime(TORCH, job(containers=SIDE)), asked) == [
        f'warning 0: {at}: value "1" of this override is written over by 1: {at}: "2"; keep one of the two',
    ]


def test_empty_values_in_an_override() -> None:
    env = [{"name": "A", "value": ""}, {"name": "B", "value": ""}]
    given = runtime(TORCH, job(containers=SIDE, nodeSelector={"a": "b"}))
    asked = of_pods({"nodeSelector": {}, "tolerations": [], "containers": [{"name": "side", "env": env}]})
    assert said(given, asked) == [
        'warning 0: pod.nodeSelector: {} says nothing here: nodeSelector stays {"a":"b"}, since a patch takes nothing away; change it in the runtime',
        'warning 0: pod.containers[0].env[0].value: "" says nothing here: value stays "3", since a patch takes nothing away; change it in the runtime',
    ]


@pytest.mark.parametrize(("value", "told"), [(False, ["false says nothing here: readOnly stays true"]), (True, [])])
def test_false_in_an_override(value: bool, told: list[str]) -> None:
    mount = {"name": "v", "mountPath": "/v", "readOnly": True}
    given = runtime(TORCH, job(containers=[container(), container("side", volumeMounts=[mount])], volumes=[{"name": "v", "emptyDir": {}}]))
    asked = of_pods({"containers": [{"name": "side", "volumeMounts": [{**mount, "readOnly": value}]}]})
    at = "warning 0: pod.containers[0].volumeMounts[0].readOnly"
    assert said(given, asked) == [f"{at}: {text}, since a patch takes nothing away; change it in the runtime" for text in told]


@pytest.mark.parametrize("field", ["schedulerName", "overhead", "hostAliases", "dnsConfig"])
def test_what_the_release_drops_is_not_written_over(field: str) -> None:
    """Patches have a few fields of a pod; the others are told as unknown, and no later override has anything to do with it."""
    values: dict[str, tuple[Any, Any]] = {
        "overhead": ({"cpu": "1"}, {"cpu": "2"}),
        "hostAliases": ([{"ip": "10.0.0.1"}], [{"ip": "10.0.0.2"}]),
        "dnsConfig": ({"nameservers": ["10.0.0.1"]}, {"nameservers": ["10.0.0.2"]}),
    }
    asked = of_pods(*({field: value, "serviceAccountName": "a"} for value in values.get(field, ("a", "b"))))
    result = compiled(runtime(TORCH), asked)
    assert [found.message.rpartition(".")[2] for found in result.diagnostics if found.slug == "unknown-field"] == [f'{field}"'] * 2
    assert said(runtime(TORCH), asked) == []


@pytest.mark.parametrize(("length", "shown"), [(58, f'"{"a" * 58}"'), (59, f'"{"a" * 56}...')])
def test_long_values_are_cut(length: int, shown: str) -> None:
    asked = of_pods({"serviceAccountName": "a" * length}, {"serviceAccountName": "b"})
    assert said(runtime(TORCH), asked) == [
        f'warning 0: pod.serviceAccountName: serviceAccountName {shown} of this override is written over by 1: pod.serviceAccountName: "b"; keep one of the two'
    ]


def test_a_list_that_gets_what_an_override_has() -> None:
    """The finalizers of both are there in the end, and no override has written over itself."""
    patches = [
        {"manager": f"acme.io/{number}", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": template}]}}}}
        for number, template in enumerate(({"metadata": {"finalizers": ["a.io/x"]}}, {"metadata": {"labels": {"a": "b"}}}))
    ]
    node = job()
    node["template"]["metadata"]["finalizers"] = ["b.io/y"]
    assert said(runtime(TORCH, node), trainjob({}, runtimePatches=patches)) == []


def test_items_that_the_release_drops_are_not_looked_for() -> None:
    """Overrides have no ports: they are told as unknown, and the finished container has none of that number."""
    side = {"name": "side", "ports": [{"containerPort": 80}], "env": [{"name": "A", "value": ""}]}
    asked = of_pods({"containers": [side]}, {"serviceAccountName": "a"})
    given = runtime(TORCH, job(containers=SIDE))
    assert [found.message for found in compiled(given, asked).diagnostics if found.slug == "unknown-field"] == [
        f'unknown field "{PATCH.format(0)}.{POD}.containers[0].ports"',
    ]
    at = "pod.containers[0].env[0].value"
    assert said(given, asked) == [f'warning 0: {at}: "" says nothing here: value stays "3", since a patch takes nothing away; change it in the runtime']


OTHER = job("other", None, nodeSelector={"a": "b"})
STAYS = '{} says nothing here: nodeSelector stays {"a":"b"}, since a patch takes nothing away; change it in the runtime'


def test_overrides_of_2_0() -> None:
    """They say themselves which jobs they are for, and stand for the pod spec."""
    asked = trainjob({}, podSpecOverrides=[{"targetJobs": [{"name": "other"}], "nodeSelector": {}}, {"targetJobs": [{"name": "node"}]}])
    assert said(runtime(TORCH, job(), OTHER), asked, "v2.0") == [
        f"warning spec.podSpecOverrides[0].nodeSelector: {STAYS}",
        "warning spec.podSpecOverrides[1]: the override of node is empty, and changes nothing; leave it out",
    ]


def test_overrides_of_2_1() -> None:
    """They stand for the pod template, and several may be for one job."""
    targets = [{"name": "node"}, {"name": "other"}]
    asked = trainjob(
        {},
        podTemplateOverrides=[
            {"targetJobs": targets, "spec": {"nodeSelector": {}, "serviceAccountName": "a"}},
            {"targetJobs": targets[:1], "spec": {"serviceAccountName": "b"}},
            {"targetJobs": targets[1:], "metadata": {"name": "n"}},
        ],
    )
    at = "spec.podTemplateOverrides[{}]"
    over = f'serviceAccountName "a" of this override is written over by {at.format(1)}.spec.serviceAccountName: "b"; keep one of the two'
    only = "changes nothing: of an override's metadata labels and annotations alone are taken over; leave it out"
    assert said(runtime(TORCH, job(), OTHER), asked, "v2.1") == [
        f'warning {at.format(2)}.metadata.name: name "n" {only}',
        f"warning {at.format(0)}.spec.serviceAccountName: {over}",
        f"warning {at.format(0)}.spec.nodeSelector: {STAYS}",
    ]
