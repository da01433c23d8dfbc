"""What the Job and Pod APIs would refuse: one row a rule, and nothing about manifests that really run."""

from __future__ import annotations

from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler import runtimes
from jobset_compiler.admission.children import refused_children
from jobset_compiler.admission.jobset_defaults import with_webhook_defaults
from jobset_compiler.profiles import PROFILES
from tests.admission.rules.cases import Tree, trainjob

POD = "spec.template.spec"
GPU = "nvidia.com/gpu"


def said(
    *, job: Tree | None = None, pod: Tree | None = None, container: Tree | None = None, init: Tree | None = None, meta: Tree | None = None, **spec: Any
) -> list[tuple[str, str]]:
    """(code, message without its beginning) about a JobSet with one replicatedJob."""
    full: Tree = {"containers": [{"name": "c", "image": "i", **(container or {})}], **(pod or {})}
    if init is not None:
        full["initContainers"] = [{"name": "i", "image": "i", **init}]
    template = {"metadata": {}, "spec": {"parallelism": 2, "completions": 2, **(job or {}), "template": {"metadata": meta or {}, "spec": full}}}
    jobset = with_webhook_defaults({"metadata": {"name": "js"}, "spec": {"replicatedJobs": [{"name": "a", "replicas": 1, "template": template}], **spec}})
    out = []
    for refusal in refused_children(jobset):
        start = "Job js-a-0 would be refused: "
        assert refusal.message.startswith(start)
        assert refusal.at[:4] == ("spec", "replicatedJobs", 0, "template")
        out.append((refusal.code.slug, refusal.message.removeprefix(start)))
    return out


def test_nothing_about_a_job_that_runs() -> None:
    env = [{"name": "A.b-c", "value": "1"}, {"name": "B", "value": "", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]
    resources = {"limits": {"cpu": "2", GPU: "1", "hugepages-2Mi": "4Mi"}, "requests": {"cpu": "500m", GPU: "1", "memory": "1Gi"}}
    mounts = [{"name": "v", "mountPath": "/v", "subPath": "a..b"}, {"name": "claim", "mountPath": "/w"}]
    container = {
        "env": env,
        "resources": resources,
        "volumeMounts": mounts,
        "ports": [{"containerPort": 1, "name": "a"}, {"containerPort": 1, "protocol": "UDP"}],
    }
    pod = {"volumes": [{"name": "v"}], "nodeSelector": {"a": ""}, "restartPolicy": "Never"}
    job = {"backoffLimit": 0, "podFailurePolicy": {"rules": []}, "backoffLimitPerIndex": 1, "maxFailedIndexes": 2, "selector": {"matchLabels": {"a": "b"}}}
    claims = [{"templates": [{"metadata": {"name": "claim"}}]}]
    init = {"restartPolicy": "Always", "startupProbe": {}}
    assert said(job=job, pod=pod, container=container, init=init, meta={"labels": {"a": "b"}}, volumeClaimPolicies=claims) == []


@pytest.mark.parametrize(
    ("job", "fault"),
    [
        ({"backoffLimit": -1}, "spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0"),
        ({"parallelism": 100001}, "spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed"),
        ({"completionMode": "Some"}, 'spec.completionMode: Unsupported value: "Some": supported values: "Indexed", "NonIndexed"'),
        ({"completionMode": "NonIndexed", "backoffLimitPerIndex": 1}, "spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"),
        ({"maxFailedIndexes": 1}, "spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified"),
        ({"maxFailedIndexes": 3, "backoffLimitPerIndex": 1}, "spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to completions"),
        ({"managedBy": "x"}, 'spec.managedBy: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")'),
        ({"managedBy": ""}, "spec.managedBy: Required value"),
        ({"managedBy": "a.io/" + "x" * 60}, "spec.managedBy: Too long: may not be more than 63 bytes"),
    ],
)
def test_jobs(job: Tree, fault: str) -> None:
    assert said(job=job) == [("job-refused", fault)]


def test_indexed_jobs_need_completions() -> None:
    def of(**counts: int) -> list[str]:
        template = {"spec": {**counts, "template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}}
        jobset = with_webhook_defaults({"metadata": {"name": "js"}, "spec": {"replicatedJobs": [{"name": "a", "template": template}]}})
        return [refusal.message.partition(": ")[2] for refusal in refused_children(jobset)]

    assert of(parallelism=2) == ["spec.completions: Required value: when completion mode is Indexed"]
    assert of() == [], "both become 1"


def test_many_failure_rules() -> None:
    rules: Tree = {"podFailurePolicy": {"rules": [{}] * 21}}
    assert said(job=rules, pod={"restartPolicy": "Never"}) == [("job-refused", "spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items")]


def test_selectors() -> None:
    assert said(job={"manualSelector": True}) == [("job-selector-refused", "spec.selector: Required value")]
    ((slug, text),) = said(job={"selector": {"matchLabels": {"a": "b"}}})
    assert (slug, text) == ("job-selector-refused", "spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`")


@pytest.mark.parametrize(
    ("policy", "job", "fault"),
    [
        ("Always", {}, f'{POD}.restartPolicy: Required value: valid values: "OnFailure", "Never"'),
        ("Sometimes", {}, f'{POD}.restartPolicy: Unsupported value: "Sometimes": supported values: "OnFailure", "Never"'),
        (
            "OnFailure",
            {"podFailurePolicy": {}},
            f'{POD}.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
        ),
    ],
)
def test_restart_policies(policy: str, job: Tree, fault: str) -> None:
    assert said(job=job, pod={"restartPolicy": policy}) == [("pod-refused", fault)]


def test_labels() -> None:
    ((slug, text),) = said(meta={"labels": {"a": "b c"}})
    assert slug == "pod-refused" and text.startswith('spec.template.labels: Invalid value: "b c": a valid label must be')
    ((slug, text),) = said(pod={"nodeSelector": {"a/b/c": "d"}})
    assert slug == "pod-refused" and text.startswith(f'{POD}.nodeSelector: Invalid value: "a/b/c": a valid label key must consist of')


def test_a_name_in_both_lists_of_containers() -> None:
    assert said(pod={"initContainers": [{"name": "c", "image": "i"}]}) == [("pod-refused", f'{POD}.initContainers[0].name: Duplicate value: "c"')]


@pytest.mark.parametrize(
    ("volume", "fault"),
    [
        ({"name": "V"}, 'volumes[0].name: Invalid value: "V": a lowercase RFC 1123 label must'),
        ({"name": "v", "emptyDir": {}, "hostPath": {"path": "/"}}, "volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"),
        ({"name": "v", "configMap": {"name": ""}}, "volumes[0].configMap.name: Required value"),
        ({"name": "v", "persistentVolumeClaim": {"claimName": ""}}, "volumes[0].persistentVolumeClaim.claimName: Required value"),
        ({"name": "v", "secret": {}}, "volumes[0].secret.secretName: Required value"),
    ],
)
def test_volumes(volume: Tree, fault: str) -> None:
    ((slug, text),) = said(pod={"volumes": [volume]})
    assert slug == "volume-refused" and text.startswith(f"{POD}.{fault}")


@pytest.mark.parametrize(
    ("container", "slug", "fault"),
    [
        ({"image": ""}, "container-refused", "image: Required value"),
        ({"image": " i"}, "container-refused", 'image: Invalid value: " i": must not have leading or trailing whitespace'),
        ({"imagePullPolicy": "x"}, "container-refused", 'imagePullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"'),
        ({"name": "C"}, "container-refused", 'name: Invalid value: "C": a lowercase RFC 1123 label must'),
        ({"env": [{"name": "a=b"}]}, "env-refused", 'env[0].name: Invalid value: "a=b": a valid environment variable name must'),
        ({"env": [{"name": ""}]}, "env-refused", "env[0].name: Required value"),
        (
            {"env": [{"name": "a", "value": "1", "valueFrom": {"fieldRef": {}}}]},
            "env-refused",
            'env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
        ),
        ({"env": [{"name": "a", "valueFrom": {}}]}, "env-refused", 'env[0].valueFrom: Invalid value: "": must specify one of:'),
        (
            {"env": [{"name": "a", "valueFrom": {"fieldRef": {}, "resourceFieldRef": {}}}]},
            "env-refused",
            'env[0].valueFrom: Invalid value: "": may not have more than one field',
        ),
        (
            {"env": [{"name": "a", "valueFrom": {"secretKeyRef": {"name": "", "key": "k"}}}]},
            "env-refused",
            "env[0].valueFrom.secretKeyRef.name: Required value",
        ),
        ({"envFrom": [{}]}, "env-refused", 'envFrom[0]: Invalid value: "": must specify one of: `configMapRef` or `secretRef`'),
        ({"envFrom": [{"secretRef": {}}]}, "env-refused", "envFrom[0].secretRef.name: Required value"),
        ({"volumeMounts": [{"name": "v", "mountPath": "/v"}]}, "volume-mount-refused", 'volumeMounts[0].name: Not found: "v"'),
        ({"ports": [{"containerPort": 0}]}, "port-refused", "ports[0].containerPort: Required value"),
        ({"ports": [{"containerPort": 65536}]}, "port-refused", "ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive"),
        ({"ports": [{"containerPort": 1, "hostPort": -1}]}, "port-refused", "ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive"),
        ({"ports": [{"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "a"}]}, "port-refused", 'ports[1].name: Duplicate value: "a"'),
        ({"ports": [{"containerPort": 1, "name": "A"}]}, "port-refused", 'ports[0].name: Invalid value: "A": must contain only alpha-numeric characters'),
        (
            {"ports": [{"containerPort": 1, "protocol": "x"}]},
            "port-refused",
            'ports[0].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
        ),
    ],
)
def test_containers(container: Tree, slug: str, fault: str) -> None:
    for field, found in (("containers", said(container=container)), ("initContainers", said(init=container))):
        assert found[0][0] == slug and found[0][1].startswith(f"{POD}.{field}[0].{fault}")


@pytest.mark.parametrize(
    ("mount", "fault"),
    [
        ({"mountPath": ""}, "mountPath: Required value"),
        ({"mountPath": "/", "subPath": "a/.."}, "subPath: Invalid value: \"a/..\": must not contain '..'"),
        ({"mountPath": "/", "subPath": "a", "subPathExpr": "b"}, 'subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive'),
    ],
)
def test_mounts(mount: Tree, fault: str) -> None:
    found = said(pod={"volumes": [{"name": "v"}]}, container={"volumeMounts": [{"name": "v", **mount}]})
    assert found == [("volume-mount-refused", f"{POD}.containers[0].volumeMounts[0].{fault}")]


@pytest.mark.parametrize(
    ("limits", "requests", "fault"),
    [
        ({"cpu": "1"}, {"cpu": "1001m"}, 'requests: Invalid value: "1001m": must be less than or equal to cpu limit of 1'),
        ({GPU: "2"}, {GPU: "1"}, f'requests: Invalid value: "1": must be equal to {GPU} limit of 2'),
        ({}, {GPU: "1"}, "limits: Required value: Limit must be set for non overcommitable resources"),
        ({GPU: "500m"}, {}, f'limits.{GPU}: Invalid value: "500m": must be an integer'),
        ({"gpu": "1"}, {}, 'limits.gpu: Invalid value: "gpu": must be a standard resource for containers'),
        ({"memory": "-1"}, {}, 'limits.memory: Invalid value: "-1": must be greater than or equal to 0'),
    ],
)
def test_resources(limits: Tree, requests: Tree, fault: str) -> None:
    assert said(container={"resources": {"limits": limits, "requests": requests}}) == [("resources-refused", f"{POD}.containers[0].resources.{fault}")]


def test_huge_pages_need_company() -> None:
    alone = said(container={"resources": {"limits": {"hugepages-2Mi": "2Mi"}}})
    assert alone == [("resources-refused", f"{POD}.containers[0].resources: Forbidden: HugePages require cpu or memory")]


@pytest.mark.parametrize(("limit", "request_"), [("1", "1000m"), ("1Gi", "1073741824")])
def test_equal_quantities_in_other_words_are_equal(limit: str, request_: str) -> None:
    assert said(container={"resources": {"limits": {GPU: limit}, "requests": {GPU: request_}}}) == []


def test_init_containers_that_end() -> None:
    assert said(init={"restartPolicy": "Never"}) == [
        ("container-refused", f'{POD}.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"')
    ]
    ((_, text),) = said(init={"livenessProbe": {}})
    assert text == f"{POD}.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always"


def test_a_job_that_waits_for_itself() -> None:
    template = {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "i"}]}}}}
    jobs = [{"name": "a", "template": template}, {"name": "b", "template": template, "dependsOn": [{"name": "b", "status": "Ready"}]}]
    (found,) = refused_children(with_webhook_defaults({"metadata": {"name": "js"}, "spec": {"replicatedJobs": jobs}}))
    assert (found.code.slug, found.message, found.at) == (
        "depends-on-itself",
        'replicatedJob "b" depends on itself, so that its Jobs are never created',
        ("spec", "replicatedJobs", 1, "dependsOn"),
    )


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_bundled_runtimes_raise_none_of_these(profile: Any) -> None:
    for name in runtimes.names(profile.name):
        found = jc.compile_objects([trainjob(ref=name, trainer={"image": "i"})], trainer_version=profile.name).diagnostics
        assert [d.message for d in found if "JSC421" <= d.code <= "JSC449"] == [], name
