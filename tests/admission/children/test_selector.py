"""Selectors of Jobs: those that the server can read, what they find, and what is said of the ones that find no pod."""

from __future__ import annotations

import pytest

from jobset_compiler.admission.children.labels import CONTROLLER_UID, JOB_UID, generated_labels, needs_a_look
from jobset_compiler.admission.children.selector import is_readable, matches, with_uid
from tests.admission.children.said import Tree, texts

POD_LABEL = "jobset.sigs.k8s.io/replicatedjob-name"
FITS = {"matchLabels": {POD_LABEL: "a"}}


def expression(operator: str, *values: str, key: str = "a") -> Tree:
    return {"matchExpressions": [{"key": key, "operator": operator, **({"values": list(values)} if values else {})}]}


@pytest.mark.parametrize(
    ("selector", "readable"),
    [
        ({}, True),
        ({"matchLabels": {"a": "b"}}, True),
        ({"matchLabels": None, "matchExpressions": None}, True),
        ({"matchLabels": {"a b": "b"}}, False),
        ({"matchLabels": {"a": "b c"}}, False),
        ({"matchLabels": {"a": "b", "c": "d e"}}, False),
        (expression("In", "b"), True),
        (expression("In", "b", "c"), True),
        (expression("In"), False),
        (expression("In", "b", "c d"), False),
        (expression("NotIn", "b"), True),
        (expression("NotIn"), False),
        (expression("Exists"), True),
        (expression("Exists", "b"), False),
        (expression("DoesNotExist"), True),
        (expression("DoesNotExist", "b"), False),
        (expression("Gt", "1"), False),
        (expression("", "1"), False),
        (expression("Exists", key="a b"), False),
        ({"matchExpressions": [{"key": "a"}]}, False),
        ({"matchLabels": {"a": "b"}, **expression("In")}, False),
        ({"matchLabels": {"a b": "b"}, **expression("Exists")}, False),
    ],
)
def test_which_selectors_the_server_makes(selector: Tree, readable: bool) -> None:
    assert is_readable(selector) is readable


def test_what_a_selector_finds() -> None:
    labels = {"a": "b", "c": "d"}
    found: list[Tree] = [{}, {"matchLabels": labels}, {"matchLabels": None}, expression("In", "x", "b"), expression("NotIn", "x"), expression("Exists")]
    found += [expression("NotIn", "b", key="z"), expression("DoesNotExist", key="z"), {"matchLabels": {"a": "b"}, **expression("Exists", key="c")}]
    missed: list[Tree] = [{"matchLabels": {"a": "x"}}, {"matchLabels": {"a": "b", "z": ""}}, expression("In", "x"), expression("In", "b", key="z")]
    missed += [expression("NotIn", "b"), expression("Exists", key="z"), expression("DoesNotExist"), {"matchLabels": {"a": "x"}, **expression("Exists")}]
    missed += [{"matchExpressions": [*expression("Exists")["matchExpressions"], *expression("In", "x")["matchExpressions"]]}]
    assert [matches(selector, labels) for selector in found] == [True] * len(found)
    assert [matches(selector, labels) for selector in missed] == [False] * len(missed)


def test_the_uid_that_kubernetes_puts_into_a_selector() -> None:
    assert with_uid({}) == with_uid({"matchLabels": None}) == {"matchLabels": {CONTROLLER_UID: JOB_UID}}
    assert with_uid({"matchLabels": {"a": "b"}, "matchExpressions": []}) == {"matchLabels": {CONTROLLER_UID: JOB_UID, "a": "b"}, "matchExpressions": []}
    assert with_uid({"matchLabels": {CONTROLLER_UID: "mine"}}) == {"matchLabels": {CONTROLLER_UID: "mine"}}


def test_labels_that_kubernetes_writes_on_pods() -> None:
    assert generated_labels("js-a-0") == {
        "controller-uid": JOB_UID,
        "job-name": "js-a-0",
        "batch.kubernetes.io/controller-uid": JOB_UID,
        "batch.kubernetes.io/job-name": "js-a-0",
    }


@pytest.mark.parametrize(
    ("spec", "labels", "wanted"),
    [
        ({}, {}, False),
        ({}, {"a": "b"}, False),
        ({"manualSelector": False}, {"a": "b"}, False),
        ({"manualSelector": True}, {}, True),
        ({"selector": {}}, {}, True),
        ({}, {"a": "b", "job-name": "x"}, True),
        ({}, {"batch.kubernetes.io/controller-uid": "x"}, True),
    ],
)
def test_which_jobs_write_what_kubernetes_writes(spec: Tree, labels: dict[str, str], wanted: bool) -> None:
    assert needs_a_look(spec, labels) is wanted


AUTO = "`selector` not auto-generated"
LOST = "`selector` does not match template `labels`"


@pytest.mark.parametrize(
    ("job", "labels", "ends"),
    [
        ({"selector": {}}, {}, []),
        ({"selector": {"matchLabels": {CONTROLLER_UID: JOB_UID}}}, {}, []),
        ({"selector": {"matchLabels": {"job-name": "js-a-0"}}}, {}, []),
        ({"selector": {"matchLabels": {"a": "b"}}}, {}, [AUTO, LOST]),
        ({"selector": {"matchLabels": {"a": "b"}}}, {"a": "b"}, [AUTO]),
        ({"selector": FITS}, {}, [AUTO]),
        ({"selector": expression("In", "b c")}, {}, ["start and end with an alphanumeric character"]),
        ({"selector": expression("Exists", key="job-name")}, {}, []),
        ({"selector": expression("Exists")}, {}, [AUTO, LOST]),
        ({"manualSelector": True, "selector": FITS}, {}, []),
        ({"manualSelector": True, "selector": {}}, {}, []),
        ({"manualSelector": True, "selector": {"matchLabels": {"job-name": "js-a-0"}}}, {}, [LOST]),
        ({"manualSelector": True, "selector": {"matchLabels": {"a": "b"}}}, {"a": "b"}, []),
        ({"manualSelector": True, "selector": FITS}, {"job-name": "mine"}, []),
        ({"manualSelector": True}, {}, ["Required value", LOST]),
        ({"manualSelector": False, "selector": FITS}, {}, [AUTO]),
        ({}, {"job-name": "mine"}, ["must be 'js-a-0'"]),
        ({}, {"controller-uid": JOB_UID, "batch.kubernetes.io/job-name": "b"}, ["must be 'js-a-0'"]),
        ({}, {"controller-uid": "x", "job-name": "b"}, [f"must be '{JOB_UID}'", "must be 'js-a-0'"]),
    ],
)
def test_what_is_said_of_selectors_and_labels(job: Tree, labels: dict[str, str], ends: list[str]) -> None:
    found = texts(job=job, meta={"labels": labels})
    assert len(found) == len(ends), found
    assert all(end in text if end.startswith("start") else text.endswith(end) for text, end in zip(found, ends, strict=True)), found
