"""Labels, annotations and the selector."""

from __future__ import annotations

import json

import pytest

from jobset_compiler.admission.children.labels import JOB_UID, JOBSET_UID, job_metadata
from jobset_compiler.admission.children.selector import matches
from jobset_compiler.kube.names import ANNOTATIONS_SIZE
from jobset_compiler.profiles import NEWEST
from tests.admission.children.said import POD, Tree, jobset_of, said, texts

pytestmark = pytest.mark.usefixtures("whole_words")

APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/c"
SECCOMP = "container.seccomp.security.alpha.kubernetes.io/c"


def test_labels() -> None:
    ((slug, text),) = said(job_meta={"labels": {"a": "b c"}})
    assert slug == "job-refused" and text.startswith('metadata.labels: Invalid value: "b c": a valid label must be')
    ((slug, text),) = said(meta={"labels": {"a": "b c"}})
    assert slug == "pod-refused" and text.startswith('spec.template.labels: Invalid value: "b c": a valid label must be')
    ((slug, text),) = said(pod={"nodeSelector": {"a/b/c": "d"}})
    assert slug == "scheduling-refused" and text.startswith(f'{POD}.nodeSelector: Invalid value: "a/b/c": a valid label key must consist of')
    (text,) = texts(pod={"nodeSelector": {"a/b/c": "d"}}, kubernetes="1.34")
    assert text.startswith(f'{POD}.nodeSelector: Invalid value: "a/b/c": a qualified name must consist of')


def test_what_jobset_writes_over_is_not_looked_at() -> None:
    bad = {"jobset.sigs.k8s.io/jobset-name": "b c", "jobset.sigs.k8s.io/job-key": "-"}
    assert said(meta={"labels": bad}, job_meta={"labels": bad}) == []


def test_keys_of_annotations_are_keys_in_any_case() -> None:
    assert said(meta={"annotations": {"A.io/B": "any text"}}) == []
    (text,) = texts(job_meta={"annotations": {"A B": ""}})
    assert text.startswith('metadata.annotations: Invalid value: "A B": name part must consist of')


def test_the_size_of_annotations_counts_those_of_jobset() -> None:
    full = {"a": "x" * (ANNOTATIONS_SIZE - 100)}
    assert texts(job_meta={"annotations": full}) == ["metadata.annotations: Too long: may not be more than 262144 bytes"]
    assert texts(meta={"annotations": full}) == ["spec.template.annotations: Too long: may not be more than 262144 bytes"]
    assert said(meta={"annotations": {"a": "x" * (ANNOTATIONS_SIZE - 4096)}}) == []


@pytest.mark.parametrize(
    ("annotations", "fault"),
    [
        ({"kubernetes.io/config.mirror": "x"}, '[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set'),
        ({"controller.kubernetes.io/pod-deletion-cost": "08"}, '[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "08": must be a 32bit integer'),
        (
            {"controller.kubernetes.io/pod-deletion-cost": "2147483648"},
            '[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "2147483648": must be a 32bit integer',
        ),
        (
            {"controller.kubernetes.io/pod-deletion-cost": "1" * 5000},
            f'[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "{"1" * 5000}": must be a 32bit integer',
        ),
        ({"seccomp.security.alpha.kubernetes.io/pod": "x"}, '.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "x": must be a valid seccomp profile'),
        ({SECCOMP: "localhost//a"}, f'.{SECCOMP}: Invalid value: "/a": must be a relative path'),
        ({f"{APP_ARMOR}x": "unconfined"}, f'[{APP_ARMOR}x]: Invalid value: "cx": container not found'),
        ({APP_ARMOR: "x"}, f'[{APP_ARMOR}]: Invalid value: "x": invalid AppArmor profile name: "x"'),
        (
            {"scheduler.alpha.kubernetes.io/tolerations": "x"},
            ": Invalid value: \"scheduler.alpha.kubernetes.io/tolerations\": invalid character 'x' looking for beginning of value",
        ),
        (
            {"scheduler.alpha.kubernetes.io/tolerations": '[{"Value": "v"}]'},
            '.scheduler.alpha.kubernetes.io/tolerations[0].operator: Invalid value: "": operator must be Exists',
        ),
    ],
)
def test_annotations_that_mean_something(annotations: Tree, fault: str) -> None:
    (text,) = texts(meta={"annotations": annotations})
    assert text.startswith(f"spec.template.annotations{fault}")


@pytest.mark.parametrize(
    ("annotations", "context", "fault"),
    [
        (
            {SECCOMP: "unconfined"},
            {"seccompProfile": {"type": "RuntimeDefault"}},
            "seccompProfile.type: Forbidden: seccomp type in annotation and field must match",
        ),
        (
            {SECCOMP: "localhost/a"},
            {"seccompProfile": {"type": "Localhost", "localhostProfile": "b"}},
            "seccompProfile.localhostProfile: Forbidden: seccomp profile in annotation and field must match",
        ),
        (
            {APP_ARMOR: "unconfined"},
            {"appArmorProfile": {"type": "RuntimeDefault"}},
            "appArmorProfile.type: Forbidden: apparmor type in annotation and field must match",
        ),
        (
            {APP_ARMOR: "localhost/a"},
            {"appArmorProfile": {"type": "Localhost", "localhostProfile": "b"}},
            "appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match",
        ),
        ({SECCOMP: "docker/default"}, {"seccompProfile": {"type": "RuntimeDefault"}}, ""),
        ({APP_ARMOR: "runtime/default"}, {"appArmorProfile": {"type": "RuntimeDefault"}}, ""),
    ],
)
def test_profiles_in_annotation_and_field(annotations: Tree, context: Tree, fault: str) -> None:
    found = texts(meta={"annotations": annotations}, container={"securityContext": context})
    assert found == ([f"{POD}.containers[0].securityContext.{fault}"] if fault else [])


@pytest.mark.parametrize("profile", [{"type": "RuntimeDefault"}, {"type": "Unconfined"}, {"type": "Localhost", "localhostProfile": "a"}])
def test_a_profile_beside_other_annotations(profile: Tree) -> None:
    context = {"seccompProfile": profile, "appArmorProfile": profile}
    other = {"note": "x", "container.seccomp.security.alpha.kubernetes.io/other": "unconfined"}
    assert texts(meta={"annotations": other}, container={"securityContext": context}, pod={"securityContext": context}) == []


def test_the_profile_of_docker_is_one_of_seccomp_only() -> None:
    annotations = {APP_ARMOR: "docker/default", SECCOMP: "docker/default"}
    kind = {"type": "RuntimeDefault"}
    assert texts(meta={"annotations": annotations}, container={"securityContext": {"appArmorProfile": kind, "seccompProfile": kind}}) == [
        f'spec.template.annotations[{APP_ARMOR}]: Invalid value: "docker/default": invalid AppArmor profile name: "docker/default"',
        f"{POD}.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match",
    ]


# ----------------------------------------------------------------------------------------- selectors


def test_a_manual_selector_has_to_be_there_and_to_fit() -> None:
    first, second = said(job={"manualSelector": True})
    assert first == ("job-selector-refused", "spec.selector: Required value")
    assert second[1].startswith('spec.template.metadata.labels: Invalid value: {"jobset.sigs.k8s.io/')
    assert said(job={"manualSelector": True, "selector": {"matchLabels": {"jobset.sigs.k8s.io/replicatedjob-name": "a"}}}) == []


def test_a_selector_beside_the_generated_one() -> None:
    generated, matching = texts(job={"selector": {"matchLabels": {"a": "b"}}})
    selector = json.dumps({"matchLabels": {"a": "b", "batch.kubernetes.io/controller-uid": JOB_UID}}, separators=(",", ":"))
    assert generated == f"spec.selector: Invalid value: {selector}: `selector` not auto-generated"
    assert matching.endswith(": `selector` does not match template `labels`")
    (only,) = texts(job={"selector": {"matchLabels": {"a": "b"}}}, meta={"labels": {"a": "b"}})
    assert only == generated


def test_labels_that_kubernetes_writes() -> None:
    (text,) = texts(meta={"labels": {"job-name": "other"}})
    assert text.startswith('spec.template.metadata.labels[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":')
    assert text.endswith(": must be 'js-a-0'")
    assert said(meta={"labels": {"job-name": "js-a-0"}}) == []


def test_a_selector_that_cannot_be_read_is_only_that() -> None:
    (text,) = texts(job={"selector": {"matchExpressions": [{"key": "a", "operator": "In"}]}})
    assert text == "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"


@pytest.mark.parametrize(
    ("operator", "values", "with_a", "without"),
    [("In", ["b"], True, False), ("NotIn", ["b"], False, True), ("Exists", [], True, False), ("DoesNotExist", [], False, True)],
)
def test_what_selectors_match(operator: str, values: list[str], with_a: bool, without: bool) -> None:
    selector = {"matchExpressions": [{"key": "a", "operator": operator, "values": values}]}
    assert (matches(selector, {"a": "b"}), matches(selector, {})) == (with_a, without)


def test_a_label_of_another_value_is_not_in_a_list() -> None:
    for operator, matched in (("In", False), ("NotIn", True), ("Exists", True), ("DoesNotExist", False)):
        selector = {"matchLabels": {"x": "y"}, "matchExpressions": [{"key": "a", "operator": operator, "values": ["b"]}]}
        assert matches(selector, {"a": "c", "x": "y"}) is matched
        assert not matches(selector, {"a": "c", "x": "z"})


@pytest.mark.parametrize("letter", ["x", "é"])
def test_the_size_of_annotations_is_that_of_their_bytes(letter: str) -> None:
    """A quarter of a million bytes for keys and texts together, those of JobSet included."""
    jobset = jobset_of()
    jobset["metadata"]["uid"] = JOBSET_UID
    ours = job_metadata(jobset, jobset["spec"]["replicatedJobs"][0], 0, {}, NEWEST)[1]["annotations"]
    left = ANNOTATIONS_SIZE - sum(len(key) + len(text) for key, text in ours.items())
    full = letter * ((left - 2) // len(letter.encode()))
    full += "x" * (left - 1 - len(full.encode()))
    assert said(meta={"annotations": {"a": full}}, job_meta={"annotations": {"a": full}}) == []
    assert texts(meta={"annotations": {"a": f"{full}x"}}) == ["spec.template.annotations: Too long: may not be more than 262144 bytes"]
    assert texts(job_meta={"annotations": {"ab": full}}) == ["metadata.annotations: Too long: may not be more than 262144 bytes"]
