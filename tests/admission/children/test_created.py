"""The Pod where its Job is accepted, and what minor releases drop."""

from __future__ import annotations

import pytest

from jobset_compiler.profiles.kubernetes import MINORS, find_kubernetes
from tests.admission.children.said import Tree, jobset_of, refusals, said, texts

pytestmark = pytest.mark.usefixtures("whole_words")


@pytest.mark.parametrize(
    ("parts", "faults"),
    [
        ({"container": {"image": " i"}}, ['spec.containers[0].image: Invalid value: " i": must not have leading or trailing whitespace']),
        ({"init": {"image": "i\n"}}, ['spec.initContainers[0].image: Invalid value: "i\\n": must not have leading or trailing whitespace']),
        ({"meta": {"finalizers": ["x"]}}, ['metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified']),
        (
            {"pod": {"nodeName": "n", "schedulingGates": [{"name": "g"}]}},
            ["spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"],
        ),
        (
            {"pod": {"volumes": [{"name": "v", "image": {}}]}, "container": {"volumeMounts": [{"name": "v", "mountPath": "/v"}]}},
            ["spec.volumes[0].image.reference: Required value", 'spec.containers[0].volumeMounts[0].name: Not found: "v"'],
        ),
        (
            {
                "pod": {"hostNetwork": True, "containers": [{"name": name, "image": "i", "ports": [{"containerPort": 80}]} for name in ("a", "b")]},
            },
            ['spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//80"'],
        ),
        (
            {"pod": {"resources": {"requests": {"cpu": "1"}}}, "container": {"resources": {"limits": {"cpu": "2"}}}},
            ['spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2'],
        ),
        (
            {
                "meta": {"labels": {"a": "b"}},
                "pod": {
                    "affinity": {
                        "podAffinity": {
                            "requiredDuringSchedulingIgnoredDuringExecution": [
                                {"topologyKey": "z", "labelSelector": {"matchLabels": {"a": "b"}}, "matchLabelKeys": ["a"]}
                            ]
                        }
                    }
                },
            },
            [
                'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0][0]: Invalid value: "a": '
                "exists in both matchLabelKeys and labelSelector"
            ],
        ),
        (
            {
                "meta": {"labels": {"a": "b"}},
                "pod": {
                    "topologySpreadConstraints": [
                        {
                            "maxSkew": 1,
                            "topologyKey": "z",
                            "whenUnsatisfiable": "DoNotSchedule",
                            "labelSelector": {"matchLabels": {"a": "b"}},
                            "matchLabelKeys": ["a"],
                        }
                    ]
                },
            },
            ['spec.topologySpreadConstraints[0][0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector'],
        ),
    ],
)
def test_pods_of_accepted_jobs(parts: Tree, faults: list[str]) -> None:
    assert texts(**parts) == [f"Pod {fault}" for fault in faults]


def test_a_job_that_is_refused_has_no_pod() -> None:
    assert texts(container={"image": " i"}, job={"backoffLimit": -1}) == ["spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0"]


@pytest.mark.parametrize(
    ("pod", "plugin", "words"),
    [
        ({"priority": 100}, "Priority", "the integer value of priority (100) must not be provided in pod spec; priority admission controller computed 0"),
        ({"preemptionPolicy": "Never"}, "Priority", "the string value of PreemptionPolicy (Never) must not be provided in pod spec"),
        ({"overhead": {"cpu": "1"}}, "RuntimeClass", "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"),
    ],
)
def test_what_a_class_of_the_cluster_could_make_right_is_a_warning(pod: Tree, plugin: str, words: str) -> None:
    (found,) = refusals(jobset_of(pod=pod))
    assert (found.code.slug, found.code.severity, found.stage) == ("pod-forbidden-by-plugin", "warning", "plugins")
    assert found.message.startswith(
        f"Pod js-a-0-0 would be refused by the admission plugin {plugin}, unless the cluster's classes or a webhook make it right: {words}"
    )
    named = {**pod, "priorityClassName": "high", "runtimeClassName": "kata"}
    assert refusals(jobset_of(pod=named)) == []


# -------------------------------------------------------------------------------- minor releases

FILE_REF = {"env": [{"name": "A", "valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "../a", "key": "K"}}}]}


@pytest.mark.parametrize(
    ("parts", "answers"),
    [
        # What a server does not know, or keeps behind a gate, it drops before it validates.
        ({"pod": {"resources": {"limits": {"gpu": "1"}}}}, {"1.33": 0, "1.34": 1}),
        ({"pod": {"resourceClaims": [{"name": "A", "resourceClaimName": "b"}]}}, {"1.33": 0, "1.34": 1}),
        ({"container": {"resources": {"claims": [{"name": "x"}]}}}, {"1.33": 0, "1.34": 1}),
        ({"pod": {"hostUsers": False, "hostPID": True}}, {"1.32": 0, "1.33": 1}),
        ({"pod": {"hostnameOverride": "A"}}, {"1.34": 0, "1.35": 1}),
        ({"pod": {"securityContext": {"supplementalGroupsPolicy": "x"}}}, {"1.32": 0, "1.33": 1}),
        ({"pod": {"securityContext": {"seLinuxChangePolicy": "x"}}}, {"1.32": 0, "1.33": 1}),
        ({"container": {"securityContext": {"procMount": "x"}}}, {"1.32": 0, "1.33": 1}),
        ({"container": {"resizePolicy": [{"resourceName": "x", "restartPolicy": "NotRequired"}]}}, {"1.32": 0, "1.33": 1}),
        ({"container": {"restartPolicyRules": [{"action": ""}]}}, {"1.34": 0, "1.35": 3}),
        ({"pod": {"volumes": [{"name": "v", "image": {"pullPolicy": "x"}}]}}, {"1.34": 0, "1.35": 1}),
        ({"container": {"lifecycle": {"stopSignal": "SIGTERM"}}}, {"1.32": 0, "1.36": 0}),
        ({"pod": {"schedulingGroup": {}}}, {"1.32": 0, "1.36": 0}),
        ({"init": {"restartPolicyRules": [{}]}}, {"1.34": 0, "1.35": 1}),
        # Rules.
        ({"pod": {"hostUsers": False}, "container": {"volumeDevices": [{"name": "v", "devicePath": "/v"}]}}, {"1.33": 1, "1.34": 2}),
        ({"pod": {"hostAliases": [{"ip": "010.0.0.1"}]}}, {"1.35": 0, "1.36": 1}),
        ({"container": {"lifecycle": {"preStop": {"sleep": {"seconds": 0}}}}}, {"1.32": 1, "1.33": 0}),
        ({"pod": {"os": {"name": ""}}}, {"1.33": 1, "1.34": 1}),
    ],
)
def test_minor_releases(parts: Tree, answers: dict[str, int]) -> None:
    assert {kubernetes: len(said(kubernetes=kubernetes, **parts)) for kubernetes in answers} == answers


def test_words_of_minor_releases() -> None:
    def of(kubernetes: str, **parts: Tree) -> str:
        return texts(kubernetes=kubernetes, **parts)[0].partition(": ")[2]

    assert of("1.34", container=FILE_REF) == 'Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'
    assert of("1.35", container=FILE_REF) == "Invalid value: \"../a\": must not contain '..'"
    long = {"nodeSelector": {"a": "b" * 64}}
    assert of("1.34", pod=long).endswith("must be no more than 63 characters") and of("1.35", pod=long).endswith("must be no more than 63 bytes")
    less = {"tolerations": [{"key": "a", "operator": "Lt", "value": "1"}]}
    assert of("1.34", pod=less).endswith('"Equal", "Exists"') and of("1.35", pod=less).endswith('"Equal", "Exists", "Lt", "Gt"')
    assert of("1.33", pod={"os": {"name": ""}}) == "Required value: cannot be empty"
    driver = {"volumes": [{"name": "v", "csi": {"driver": ""}}]}
    assert len(texts(kubernetes="1.34", pod=driver)) == 2 and len(texts(kubernetes="1.35", pod=driver)) == 1


def test_matched_keys_of_spreads_by_minor() -> None:
    constraint = {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"a": "b"}}, "matchLabelKeys": ["a"]}
    parts = {"pod": {"topologySpreadConstraints": [constraint]}}
    assert texts(kubernetes="1.33", **parts) == [
        'spec.template.spec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector'
    ]
    assert texts(kubernetes="1.34", **parts) == []


def test_minors_are_found_by_any_of_their_names() -> None:
    assert [find_kubernetes(name) for name in ("1.36", "v1.36", "1.36.3", "1.32")] == [MINORS[-1], MINORS[-1], MINORS[-1], MINORS[0]]
    assert find_kubernetes("1.31") is find_kubernetes("") is find_kubernetes("latest") is None


def test_volumes_of_images_go_with_their_mounts_alone() -> None:
    """Up to 1.34 the server drops both; what else is wrong with mounts is said."""
    volumes = {"volumes": [{"name": "v", "image": {"reference": "r"}}, {"name": "w", "emptyDir": {}}]}

    def of(*names: str) -> list[str]:
        mounts = [{"name": name, "mountPath": "/v"} for name in names]
        return texts(
            kubernetes="1.34", pod={**volumes, "initContainers": [{"name": "i", "image": "i", "volumeMounts": mounts}]}, container={"volumeMounts": mounts}
        )

    assert of("v", "w") == of("v") == of("w") == of() == []
    path = "spec.template.spec.{}[0].volumeMounts[0].name"
    assert of("v", "x") == [f'{path.format(field)}: Not found: "x"' for field in ("containers", "initContainers")]


@pytest.mark.parametrize("policy", ["Always", "OnFailure", "Never"])
@pytest.mark.parametrize("kubernetes", [minor.name for minor in MINORS])
def test_restart_policies_of_containers_by_minor(kubernetes: str, policy: str) -> None:
    """Refused up to 1.33, dropped by 1.34, obeyed since; only a sidecar has always had one, and probes."""
    own = {"restartPolicy": policy}
    is_old, is_sidecar = kubernetes in ("1.32", "1.33"), policy == "Always"
    main = ["spec.template.spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers"] if is_old else []
    assert texts(kubernetes=kubernetes, container=own) == main
    of_init = "spec.template.spec.initContainers[0]"
    unknown = [f'{of_init}.restartPolicy: Unsupported value: "{policy}": supported values: "Always"'] if is_old and not is_sidecar else []
    assert texts(kubernetes=kubernetes, init=own) == unknown
    probes = [] if is_sidecar else [f"{of_init}.livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always"]
    assert texts(kubernetes=kubernetes, init={**own, "livenessProbe": {"grpc": {"port": 1}}}) == [*unknown, *probes]
