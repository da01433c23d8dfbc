"""Environment variables and where their values come from."""

from __future__ import annotations

import pytest

from tests.admission.children.said import Tree, of_container, said

pytestmark = pytest.mark.usefixtures("whole_words")

NAME = {"fieldRef": {"fieldPath": "metadata.name"}}
NOT_A_SUBDOMAIN = "a lowercase RFC 1123 subdomain must consist of"


@pytest.mark.parametrize(
    ("variable", "faults"),
    [
        ({"name": ""}, ["name: Required value"]),
        ({"name": "a=b"}, ['name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than']),
        (
            {"valueFrom": {}},
            ['valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'],
        ),
        ({"value": "1", "valueFrom": NAME}, ['valueFrom: Invalid value: "": may not be specified when `value` is not empty']),
        (
            {"valueFrom": {**NAME, "secretKeyRef": {"name": "a", "key": "b"}}},
            ['valueFrom: Invalid value: "": may not have more than one field specified at a time'],
        ),
        ({"valueFrom": {"secretKeyRef": {"key": "k"}}}, [f'valueFrom.secretKeyRef.name: Invalid value: "": {NOT_A_SUBDOMAIN}']),
        (
            {"valueFrom": {"configMapKeyRef": {"name": "A", "key": "a b"}}},
            [
                f'valueFrom.configMapKeyRef.name: Invalid value: "A": {NOT_A_SUBDOMAIN}',
                'valueFrom.configMapKeyRef.key: Invalid value: "a b": a valid config key must consist of',
            ],
        ),
        ({"valueFrom": {"configMapKeyRef": {"name": "a", "key": ""}}}, ["valueFrom.configMapKeyRef.key: Required value"]),
        (
            {"valueFrom": {"fileKeyRef": {"volumeName": "x", "path": "../a", "key": ""}}},
            [
                "valueFrom.fileKeyRef.key: Required value",
                "valueFrom.fileKeyRef.path: Invalid value: \"../a\": must not contain '..'",
                'valueFrom.fileKeyRef.volumeName: Not found: "x"',
            ],
        ),
    ],
)
def test_a_variable(variable: Tree, faults: list[str]) -> None:
    found = of_container({"env": [{"name": "A", "value": ""}, {"name": "B", **variable}]})
    for text, fault in zip(found, faults, strict=True):
        assert text.startswith(f"env[1].{fault}")


@pytest.mark.parametrize(
    ("reference", "fault"),
    [
        ({"fieldPath": ""}, ".fieldPath: Required value"),
        (
            {"fieldPath": "metadata.name", "apiVersion": "v2"},
            '.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
        ),
        ({"fieldPath": "spec.hostname"}, '.fieldPath: Invalid value: "spec.hostname": error converting fieldPath: field label not supported: spec.hostname'),
        ({"fieldPath": "metadata.labels"}, '.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", '),
        ({"fieldPath": "metadata.labels['a b']"}, ': Invalid value: "a b": name part must consist of'),
        ({"fieldPath": "metadata.annotations['A/B/C']"}, ': Invalid value: "a/b/c": a valid label key must'),
        (
            {"fieldPath": "spec.nodeName['a']"},
            ".fieldPath: Invalid value: \"spec.nodeName['a']\": error converting fieldPath: field label does not support subscript:",
        ),
    ],
)
def test_a_field_of_the_pod(reference: Tree, fault: str) -> None:
    (found,) = of_container({"env": [{"name": "A", "valueFrom": {"fieldRef": reference}}]})
    assert found.startswith(f"env[0].valueFrom.fieldRef{fault}")


@pytest.mark.parametrize("path", ["spec.nodeName", "spec.host", "metadata.labels['a/B_c']", "metadata.annotations['A']", "status.podIPs"])
def test_fields_that_there_are(path: str) -> None:
    assert said(container={"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": path}}}]}) == []


@pytest.mark.parametrize(
    ("reference", "fault"),
    [
        ({"resource": ""}, "resource: Required value"),
        ({"resource": "limits.gpu"}, 'resource: Unsupported value: "limits.gpu": supported values: "limits.cpu", "limits.ephemeral-storage", '),
        (
            {"resource": "limits.cpu", "divisor": "2"},
            'divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
        ),
        ({"resource": "requests.memory", "divisor": "1m"}, 'divisor: Invalid value: "requests.memory": only divisor\'s values 1, 1k, 1M, '),
        ({"resource": "limits.hugepages-2Mi", "divisor": "3"}, 'divisor: Invalid value: "limits.hugepages-2Mi": only'),
    ],
)
def test_a_resource_of_a_container(reference: Tree, fault: str) -> None:
    (found,) = of_container({"env": [{"name": "A", "valueFrom": {"resourceFieldRef": reference}}]})
    assert found.startswith(f"env[0].valueFrom.resourceFieldRef.{fault}")


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ({}, ['envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`']),
        ({"prefix": "a=", "secretRef": {}}, ['envFrom[0].prefix: Invalid value: "a=": a valid environment', "envFrom[0].secretRef.name: Required value"]),
        (
            {"configMapRef": {"name": "A"}, "secretRef": {"name": "a"}},
            [f'envFrom[0].configMapRef.name: Invalid value: "A": {NOT_A_SUBDOMAIN}', 'envFrom: Invalid value: "": may not have more than one field'],
        ),
    ],
)
def test_variables_of_a_whole_source(source: Tree, faults: list[str]) -> None:
    for text, fault in zip(of_container({"envFrom": [source]}), faults, strict=True):
        assert text.startswith(fault)


def test_a_variable_out_of_a_file_needs_a_volume_that_can_be_written() -> None:
    def of(**volume: Tree) -> list[str]:
        variable = {"name": "A", "valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "a.env", "key": "K"}}}
        return of_container({"env": [variable]}, pod={"volumes": [{"name": "v", **volume}]})

    assert of() == of(emptyDir={}) == []
    assert of(configMap={"name": "c"}) == ['env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir']
