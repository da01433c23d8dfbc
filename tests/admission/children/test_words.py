"""What is said of Jobs that differ in one point each, on both sides of every bound. Read the texts below `__snapshots__`; `--snapshot-update` writes them."""

from __future__ import annotations

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler.profiles.kubernetes import find_kubernetes
from tests.admission.children.said import Tree, jobset_of, refusals, whole

NOTHING = "(nothing)"
ANNOTATION = "scheduler.alpha.kubernetes.io/tolerations"
COST = "controller.kubernetes.io/pod-deletion-cost"
SECCOMP_OF_POD = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP = "container.seccomp.security.alpha.kubernetes.io/"
APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
MEMORY: Tree = {"name": "pages", "image": "i", "resources": {"limits": {"hugepages-2Mi": "2Mi", "memory": "1Gi"}}}
SPREAD: Tree = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
CLAIM: Tree = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
Parts = dict[str, Any]


def annotated(**annotations: str) -> Parts:
    return {"meta": {"annotations": annotations}}


def volume(**source: Any) -> Parts:
    return {"pod": {"volumes": [{"name": "v", **source}]}}


def variable(**source: Any) -> Parts:
    return {"container": {"env": [{"name": "A", "valueFrom": source}]}}


def from_file(**reference: str) -> Parts:
    return {**variable(fileKeyRef={"volumeName": "v", "path": "a", "key": "K", **reference}), "pod": {"volumes": [{"name": "v"}]}}


def file_of(**reference: Any) -> Parts:
    return volume(downwardAPI={"items": [{"path": "a", **reference}]})


def of_pods(kind: str = "podAffinity", **term: Any) -> Parts:
    return {"pod": {"affinity": {kind: {REQUIRED: [{"topologyKey": "zone", "labelSelector": {}, **term}]}}}}


def spread(**more: Any) -> Parts:
    return {"pod": {"topologySpreadConstraints": [{**SPREAD, **more}]}}


def key(name: str, operator: str = "Exists") -> Tree:
    return {"key": name, "operator": operator}


def containers(*others: Tree, **pod: Any) -> Parts:
    return {"pod": {"containers": [{"name": f"c{index}", "image": "i", **each} for index, each in enumerate(others)], **pod}}


def needs(limits: Tree | None = None, requests: Tree | None = None) -> Tree:
    return {"resources": {**({"limits": limits} if limits else {}), **({"requests": requests} if requests else {})}}


def port(number: int, **more: Any) -> Tree:
    return {"containerPort": number, **more}


def mounts(*given: Tree, **container: Any) -> Parts:
    return {
        "container": {"volumeMounts": [{"name": "v", "mountPath": f"/{index}", **each} for index, each in enumerate(given)], **container},
        "pod": {"volumes": [{"name": "v"}, {"name": "p", "persistentVolumeClaim": {"claimName": "c"}}]},
    }


def indexed(**job: Any) -> Parts:
    return {"job": {"completionMode": "Indexed", **job}}


def windows(context: Tree, **pod: Any) -> Parts:
    return {"pod": {"os": {"name": "windows"}, **pod}, "container": {"securityContext": context}}


CASES: dict[str, Parts] = {
    # ---- metadata
    "the mirror of a pod without a node": annotated(**{"kubernetes.io/config.mirror": "x"}),
    "the mirror of a pod of a node": {**annotated(**{"kubernetes.io/config.mirror": "x"}), "pod": {"nodeName": "n"}},
    "no tolerations in the annotation": annotated(**{ANNOTATION: ""}),
    "the second toleration in the annotation": annotated(**{ANNOTATION: '[{"operator": "Exists"}, {"KEY": "a", "Operator": "x"}]'}),
    **{f"a deletion cost of {text!r}": annotated(**{COST: text}) for text in ("0", "-0", "00", "", "-", "1a", "+1", "٣", "2147483647", "2147483648")},
    **{f"a deletion cost of {text!r}": annotated(**{COST: text}) for text in ("-2147483648", "-2147483649", "12345678901")},
    **{
        f"seccomp by annotation: {text!r}": annotated(**{SECCOMP_OF_POD: text, f"{SECCOMP}c": text})
        for text in ("runtime/default", "docker/default", "unconfined", "localhost/a", "localhost/../a", "other")
    },
    **{
        f"AppArmor by annotation: {text!r}": annotated(**{f"{APP_ARMOR}c": text})
        for text in ("runtime/default", "docker/default", "unconfined", "localhost/a", "localhost", "", "other")
    },
    "AppArmor of an init container": {**annotated(**{f"{APP_ARMOR}i": "unconfined"}), "init": {}},
    **{
        f"seccomp {profile['type']} in the field of the pod, {text!r} in the annotation": {
            **annotated(**{SECCOMP_OF_POD: text}),
            "pod": {"securityContext": {"seccompProfile": profile}},
        }
        for profile in ({"type": "Unconfined"}, {"type": "RuntimeDefault"}, {"type": "Localhost", "localhostProfile": "a"})
        for text in ("unconfined", "docker/default", "localhost/a", "localhost/b")
    },
    "seccomp of the second container contradicts its annotation": {
        **annotated(**{f"{SECCOMP}c1": "unconfined"}),
        **containers({}, {"securityContext": {"seccompProfile": {"type": "RuntimeDefault"}}}),
    },
    "AppArmor of the pod contradicts the annotation of a container": {
        **annotated(**{f"{APP_ARMOR}c": "unconfined"}),
        "pod": {"securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}}},
    },
    "AppArmor of the container counts before that of the pod": {
        **annotated(**{f"{APP_ARMOR}c": "unconfined"}),
        "pod": {"securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}}},
        "container": {"securityContext": {"appArmorProfile": {"type": "Unconfined"}}},
    },
    "finalizers that are none": {"meta": {"finalizers": ["x.io/a", "a b", "kubernetes", "c"]}},
    # ---- variables and files
    "a variable out of a file": from_file(),
    "a variable out of a file of no volume": from_file(volumeName=""),
    "a variable out of a file of a volume that cannot be": from_file(volumeName="B"),
    "a variable out of no file": from_file(path=""),
    "a variable out of a file under no key": from_file(key=""),
    "a variable out of a file under a key that cannot be": from_file(key="a=b"),
    "a variable out of a volume of another kind": {
        **from_file(),
        "pod": {"volumes": [{"name": "w"}, {"name": "v", "hostPath": {"path": "/"}}]},
    },
    "a resource of a named container in a file": file_of(resourceFieldRef={"containerName": "c", "resource": "limits.cpu"}),
    "no resource of a named container in a file": file_of(resourceFieldRef={"containerName": "c", "resource": ""}),
    "an odd resource of a named container in a file": file_of(resourceFieldRef={"containerName": "c", "resource": "limits.gpu"}),
    "a field in a file that only variables have": file_of(fieldRef={"fieldPath": "spec.nodeName"}),
    "a file in a mode": file_of(fieldRef={"fieldPath": "metadata.name"}, mode=512),
    "a file of nothing in no mode": file_of(mode=-1),
    "files of a default mode": volume(downwardAPI={"defaultMode": 512, "items": []}),
    "files of the greatest mode": volume(downwardAPI={"defaultMode": 511, "items": []}),
    **{
        f"{resource} in units of {unit}": variable(resourceFieldRef={"resource": resource, "divisor": unit})
        for resource, unit in (
            ("limits.cpu", "1m"),
            ("limits.cpu", "1k"),
            ("limits.memory", "1Ki"),
            ("requests.ephemeral-storage", "2"),
            ("requests.hugepages-2Mi", "1Mi"),
            ("requests.hugepages-2Mi", "5"),
            ("limits.gpu", "5"),
            ("other.cpu", "5"),
        )
    },
    "a variable of two sources and a value": {
        "container": {"env": [{"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "a"}, "secretKeyRef": {"name": "s", "key": "k"}}}]}
    },
    "a variable of no source and a value": {"container": {"env": [{"name": "A", "value": "x", "valueFrom": {}}]}},
    "a name that is no identifier": {"container": {"env": [{"name": "1.a-b", "value": ""}, {"name": "é", "value": ""}]}},
    "the second source of a projection writes a file again": volume(
        projected={
            "sources": [
                {"configMap": {"name": "a", "items": [{"key": "k", "path": "x"}, {"key": "l", "path": "x"}]}},
                {"downwardAPI": {"items": [{"path": "y", "fieldRef": {"fieldPath": "metadata.name"}}]}},
                {"secret": {"name": "s", "items": [{"key": "k", "path": "z"}, {"key": "l", "path": "y"}]}},
                {"downwardAPI": {"items": [{"path": "z", "fieldRef": {"fieldPath": "metadata.name"}}]}},
            ]
        }
    ),
    "items without a path do not meet": volume(projected={"sources": [{"secret": {"name": "s", "items": [{"key": "k", "path": ""}] * 2}}]}),
    "a token and a Secret of one source": volume(projected={"sources": [{"serviceAccountToken": {"path": "t"}, "secret": {"name": "s"}}]}),
    # ---- ports
    **{f"port {number}": {"container": {"ports": [port(number)]}} for number in (-1, 0, 1, 65535, 65536)},
    **{f"port {number} of the node": {"container": {"ports": [port(1, hostPort=number)]}} for number in (-1, 0, 1, 65535, 65536)},
    "a bad name of two ports": {"container": {"ports": [port(1, name="A"), port(2, name="A")]}},
    "ports without names": {"container": {"ports": [port(1, name=""), port(2, name="")]}},
    "a port of the node by another protocol and address": containers(
        {"ports": [port(1, hostPort=9)]},
        {"ports": [port(2, hostPort=9, protocol="SCTP"), port(3, hostPort=9, hostIP="1.1.1.1"), port(4, hostPort=9, protocol="TCP")]},
    ),
    "ports of init containers of the node's network": {
        "init": {"ports": [port(1, hostPort=2)]},
        "pod": {"hostNetwork": True},
        "container": {"ports": [port(3, hostPort=3), port(4)]},
    },
    "a network of its own": {"pod": {"hostNetwork": False}, "container": {"ports": [port(1, hostPort=2)]}},
    "two containers of one port": containers({"ports": [port(80), port(80, protocol="UDP")]}, {"ports": [port(80)]}, {"ports": [port(80)]}),
    "one port at two addresses": containers({"ports": [port(80, hostIP="1.1.1.1")]}, {"ports": [port(80, hostIP="1.1.1.2")]}),
    "one port, an empty address": containers({"ports": [port(80, hostIP="")]}, {"ports": [port(80)]}),
    "one port of two ports of the node": containers({"ports": [port(80, hostPort=1)]}, {"ports": [port(80, hostPort=2)]}),
    # ---- resources
    "half of what is counted": {"container": needs({"pods": "500m", "cpu": "500m"})},
    "no pages": {"container": needs({"hugepages-2Mi": "0", "cpu": "1"})},
    "pages of no size": {"container": needs({"hugepages-0": "1", "cpu": "1"})},
    "pages of a part of a byte": {"container": needs({"hugepages-500m": "1", "cpu": "1"})},
    "pages and memory requested": {"container": needs({"hugepages-2Mi": "2Mi"}, {"memory": "1Gi", "hugepages-2Mi": "2Mi"})},
    "pages and no compute requested": {"container": needs({"hugepages-2Mi": "2Mi", "ephemeral-storage": "1"}, {"hugepages-2Mi": "2Mi"})},
    "a domain of Kubernetes": {"container": needs({"kubernetes.io/x": "500m"}, {"kubernetes.io/x": "250m"})},
    "a gpu of a vendor": {"container": needs({"amd.com": "1", "MY-GPU": "2", "disk": "1"})},
    "a device below none": {"container": needs({"x.io/a": "-1"})},
    "pages of the pod below those of its containers": {
        "pod": {"containers": [{**MEMORY, "name": "a"}, {**MEMORY, "name": "b"}], "resources": {"limits": {"hugepages-2Mi": "2Mi", "memory": "2Gi"}}}
    },
    "memory of the pod between that of one container and of both": {
        "pod": {
            "containers": [{"name": "a", "image": "i", **needs({"memory": "1Gi"})}, {"name": "b", "image": "i", **needs({"memory": "2Gi"})}],
            "resources": {"limits": {"memory": "1Gi"}},
        }
    },
    "requests of containers above the limit of the pod": containers(needs(None, {"cpu": "1"}), needs(None, {"cpu": "1"}), resources={"limits": {"cpu": "1"}}),
    "requests of containers at the limit of the pod": containers(needs(None, {"cpu": "1"}), needs(None, {"cpu": "1"}), resources={"limits": {"cpu": "2"}}),
    "pages of containers that the pod does not mention": containers(
        needs({"hugepages-2Mi": "2Mi", "cpu": "1"}), needs({"hugepages-2Mi": "2Mi"}, {"cpu": "1"}), resources={"limits": {"cpu": "2"}}
    ),
    "pages that the pod requests": containers(needs({"hugepages-2Mi": "2Mi", "cpu": "1"}), resources={"requests": {"cpu": "1", "hugepages-2Mi": "2Mi"}}),
    "a device that a pod as a whole wants": {"pod": {"resources": {"limits": {"x.io/gpu": "1"}, "requests": {"x.io/gpu": "1"}}}},
    "resources of a pod that say nothing": {"pod": {"resources": {}}, "container": needs({"cpu": "1"})},
    "an overhead of devices": {"pod": {"overhead": {"x.io/a": "500m", "cpu": "1"}, "runtimeClassName": "kata"}},
    "a claim and a request of it": {
        "pod": {"resourceClaims": [{"name": "a", "resourceClaimName": "x"}]},
        "container": {"resources": {"claims": [{"name": "a", "request": "r"}, {"name": "a", "request": "s"}, {"name": "a"}, {"name": "b", "request": ""}]}},
    },
    "a claim without a name": {"pod": {"resourceClaims": [{"name": "", "resourceClaimName": "x"}, {"name": "", "resourceClaimName": "y"}]}},
    "resizing where nothing restarts": {
        "pod": {"restartPolicy": "Never"},
        "container": {"resizePolicy": [{"resourceName": "", "restartPolicy": ""}, {"resourceName": "memory", "restartPolicy": "NotRequired"}]},
    },
    # ---- mounts
    "mounts of one path thrice": mounts({"mountPath": "/a"}, {"mountPath": "/a"}, {"mountPath": "/a"}),
    **{
        f"mounted {propagation} and {recursive}": mounts({"mountPropagation": propagation, "recursiveReadOnly": recursive, "readOnly": True})
        for propagation in ("None", "HostToContainer", "Bidirectional")
        for recursive in ("Disabled", "Enabled", "IfPossible")
    },
    "mounted for a container that is not privileged": mounts({"mountPropagation": "Bidirectional"}, securityContext={"privileged": False}),
    "a mount and a device": mounts({"name": "p", "mountPath": "/x"}, volumeDevices=[{"name": "q", "devicePath": "/0"}, {"name": "p", "devicePath": ""}]),
    "a device of a path that goes up, twice": {
        "container": {"volumeDevices": [{"name": "p", "devicePath": "/a/.."}, {"name": "p", "devicePath": "/a/.."}, {"name": "", "devicePath": "/b"}]},
        "pod": {"volumes": [{"name": "p", "persistentVolumeClaim": {"claimName": "c"}}]},
    },
    "a device of a volume that comes and goes": {
        "container": {"volumeDevices": [{"name": "e", "devicePath": "/e"}]},
        "pod": {"volumes": [{"name": "e", "ephemeral": {"volumeClaimTemplate": {"spec": CLAIM}}}]},
    },
    # ---- where pods run
    "a key that is matched and selected once": of_pods(matchLabelKeys=["a", "b"], labelSelector={"matchExpressions": [key("a"), key("b")]}),
    "a key that is selected twice and not matched": of_pods(matchLabelKeys=["a"], labelSelector={"matchExpressions": [key("b"), key("b")]}),
    "a matched key that is selected twice": of_pods(matchLabelKeys=["b", "a"], labelSelector={"matchExpressions": [key("a"), key("c"), key("a")]}),
    "keys that are not matched": of_pods(mismatchLabelKeys=["a", "a b"]),
    "keys without a selector": {
        "pod": {"affinity": {"podAffinity": {REQUIRED: [{"topologyKey": "zone", "matchLabelKeys": ["a"], "mismatchLabelKeys": ["b"]}]}}}
    },
    "the second of two keys, matched both ways": of_pods("podAntiAffinity", matchLabelKeys=["b", "a"], mismatchLabelKeys=["a"]),
    **{
        f"a preference of weight {weight}": {"pod": {"affinity": {"nodeAffinity": {PREFERRED: [{"weight": weight, "preference": {}}]}}}}
        for weight in (0, 1, 100, 101)
    },
    "two namespaces": of_pods(namespaces=["a", "B"]),
    **{
        f"the field of nodes that is {name}, of {len(values)} values": {
            "pod": {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [{"matchFields": [{"key": name, "operator": "NotIn", "values": values}]}]}}}}
        }
        for name, values in (("metadata.name", []), ("metadata.name", ["a"]), ("metadata.name", ["a", "B"]), ("metadata.uid", ["B"]))
    },
    "numbers that nodes are compared with": {
        "pod": {
            "affinity": {
                "nodeAffinity": {
                    REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": op, "values": ["1"]} for op in ("Gt", "Lt", "gt")]}]}
                }
            }
        }
    },
    "values of nodes, as older servers took them": {
        "kubernetes": "1.32",
        "pod": {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [{**key("a", "In"), "values": ["a b"]}]}]}}}},
    },
    "a spread of one domain": spread(minDomains=1),
    "a spread of no domain, anyway": spread(minDomains=0, whenUnsatisfiable="ScheduleAnyway"),
    "a spread that selects nothing": {"pod": {"topologySpreadConstraints": [{name: SPREAD[name] for name in SPREAD if name != "labelSelector"}]}},
    "policies of a spread": spread(nodeAffinityPolicy="Honor", nodeTaintsPolicy="ignore"),
    "three spreads, of which the outer are alike": {"pod": {"topologySpreadConstraints": [SPREAD, {**SPREAD, "topologyKey": "rack"}, SPREAD]}},
    "toleration of Exists with a key and no value": {"pod": {"tolerations": [{"key": "a", "operator": "Exists", "effect": "NoSchedule"}]}},
    "toleration for some seconds": {"pod": {"tolerations": [{"key": "a", "tolerationSeconds": 1, "effect": "NoExecute"}]}},
    "toleration of some seconds and no key": {"pod": {"tolerations": [{"tolerationSeconds": 0, "effect": "NoSchedule", "value": "a b"}]}},
    **{
        f"keys of {kind} that the created pod selects": {
            "meta": {"labels": {"a": "b", "c": "d"}},
            "pod": {
                "affinity": {
                    kind: {
                        REQUIRED: [{"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}, "matchLabelKeys": ["a"], "mismatchLabelKeys": ["c"]}],
                        PREFERRED: [
                            {
                                "weight": 1,
                                "podAffinityTerm": {"topologyKey": "zone", "labelSelector": {"matchLabels": {"c": "d"}}, "matchLabelKeys": ["c", "other"]},
                            }
                        ],
                    }
                }
            },
        }
        for kind in ("podAffinity", "podAntiAffinity")
    },
    # ---- the Job
    **{f"{count} completions of an index each": indexed(completions=count, parallelism=1, backoffLimitPerIndex=1) for count in (100_000, 100_001)},
    **{f"{count} pods at a time": indexed(completions=count, parallelism=count) for count in (100_000, 100_001)},
    **{
        f"{count} pods and failures of many": indexed(completions=100_001, parallelism=count, maxFailedIndexes=count, backoffLimitPerIndex=1)
        for count in (10_000, 10_001, 100_000)
    },
    "as many failures as completions": indexed(completions=2, maxFailedIndexes=2, backoffLimitPerIndex=0),
    "no index, and limits of one": {"job": {"completionMode": "NonIndexed", "backoffLimitPerIndex": 0, "maxFailedIndexes": 0}},
    **{f"{name} of {count}": {"job": {name: count}} for name in ("ttlSecondsAfterFinished", "activeDeadlineSeconds") for count in (-1, 0)},
    "a manager of 63 letters": {"job": {"managedBy": "a.io/" + "x" * 58}},
    "a manager without a path": {"job": {"managedBy": "a.io/"}},
    "rules of failure that are right": {
        "pod": {"restartPolicy": "Never"},
        "init": {},
        "job": {
            "backoffLimitPerIndex": 1,
            "podFailurePolicy": {
                "rules": [
                    {"action": "FailIndex", "onExitCodes": {"operator": "NotIn", "values": [0, 1], "containerName": "i"}},
                    *[{"action": "Count", "onExitCodes": {"operator": "In", "values": [*range(1, 256)]}}] * 18,
                    {"action": "FailJob", "onPodConditions": [{"type": "A", "status": state} for state in ("False", "True", "Unknown", "")] * 5},
                ]
            },
        },
    },
    "a rule of failure for any condition": {
        "pod": {"restartPolicy": "Never"},
        "job": {"podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "A"}, {"type": "a b", "status": "true"}]}]}},
    },
    "success by a count and by a list": indexed(
        completions=5, successPolicy={"rules": [{"succeededCount": 5}, {"succeededIndexes": "0,2-4", "succeededCount": 4}, {"succeededIndexes": "1"}]}
    ),
    "success of none": indexed(completions=5, successPolicy={"rules": [{"succeededCount": 0, "succeededIndexes": "0"}, {"succeededIndexes": ""}]}),
    "success by more than the list": indexed(completions=5, successPolicy={"rules": [{"succeededIndexes": "0-1", "succeededCount": 3}]}),
    "success by the longest list": indexed(completions=2, successPolicy={"rules": [{"succeededIndexes": "0" * 65_536}]}),
    **{
        f"the index {text}": indexed(completions=5, successPolicy={"rules": [{"succeededIndexes": text}]})
        for text in (
            "4",
            "5",
            "+4",
            "++4",
            "9223372036854775807",
            "9223372036854775808",
            "09223372036854775807",
            "12345678901234567890",
            "3-3",
            "4-3",
            "1,,2",
            "-1",
        )
    },
    # ---- network
    **{f"{count} name servers": {"pod": {"dnsConfig": {"nameservers": ["1.1.1.1"] * count}}} for count in (3, 4)},
    **{f"{count} search paths": {"pod": {"dnsConfig": {"searches": ["a"] * count}}} for count in (32, 33)},
    **{f"search paths of {size} letters": {"pod": {"dnsConfig": {"searches": [*["a" * 63] * 31, "a" * (size - 31 * 64)]}}} for size in (2047, 2048, 2049)},
    "a second option of DNS without a name": {"pod": {"dnsConfig": {"options": [{"name": "a"}, {"value": "1"}]}}},
    "no policy, but servers of names": {"pod": {"dnsPolicy": "None", "dnsConfig": {"nameservers": ["x"], "options": [{}]}}},
    "the second name of the second host": {"pod": {"hostAliases": [{"ip": "1.1.1.1"}, {"ip": "1.1.1.2", "hostnames": ["a", "B"]}]}},
    "another name for the host, of 64 letters": {"pod": {"hostnameOverride": "a" * 31 + "." + "a" * 32}},
    "another name for the host, of 65 letters and of the node": {
        "pod": {"hostnameOverride": "a" * 32 + "." + "a" * 32, "hostNetwork": True, "setHostnameAsFQDN": True}
    },
    "devices of users of their own": {
        "pod": {"hostUsers": False, "volumes": [{"name": "p", "persistentVolumeClaim": {"claimName": "c"}}]},
        "container": {"volumeDevices": [{"name": "p", "devicePath": "/p"}]},
    },
    "processes of the node": {"pod": {"shareProcessNamespace": False, "hostPID": True}},
    "both names of the service account": {"pod": {"serviceAccountName": "A", "serviceAccount": "B"}},
    **{f"{seconds} seconds for a pod": {"pod": {"activeDeadlineSeconds": seconds}} for seconds in (0, 1, 2147483647, 2147483648)},
    "no preemption policy": {"pod": {"preemptionPolicy": ""}},
    "the usual preemption policy": {"pod": {"preemptionPolicy": "PreemptLowerPriority"}},
    "a priority of nothing": {"pod": {"priority": 0, "overhead": {}}},
    # ---- probes
    **{f"{handler} of port {number}": {"container": {"livenessProbe": {handler: {"port": number}}}} for handler in ("tcpSocket", "grpc") for number in (1, 0)},
    "a header without a name": {
        "container": {"readinessProbe": {"httpGet": {"port": 1, "httpHeaders": [{"name": "A-1", "value": ""}, {"name": "", "value": ""}]}}}
    },
    **{
        f"a hook that sleeps {seconds} seconds, by {minor}": {"kubernetes": minor, "container": {"lifecycle": {"preStop": {"sleep": {"seconds": seconds}}}}}
        for seconds in (-1, 0, 1, 30, 31)
        for minor in ("1.32", "1.36")
    },
    "three handlers": {"container": {"startupProbe": {"exec": {"command": ["a"]}, "httpGet": {"port": 1}, "grpc": {"port": 1}}}},
    "a probe of gRPC that no hook has": {"container": {"lifecycle": {"postStart": {"grpc": {"port": 1}}}}},
    **{f"a threshold of {count}": {"container": {"livenessProbe": {"grpc": {"port": 1}, "successThreshold": count}}} for count in (-1, 0, 1, 2)},
    # ---- restarts
    "twenty rules of 255 codes": {
        "container": {"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [*range(255)]}}] * 20}
    },
    "the second rule of a container": {
        "init": {"restartPolicy": "OnFailure", "restartPolicyRules": [{"action": "RestartAllContainers", "exitCodes": {"operator": "In"}}, {"action": "x"}]}
    },
    "rules of no policy, of an init container of old": {"kubernetes": "1.34", "init": {"restartPolicyRules": [{"action": "Restart"}]}},
    # ---- security
    **{f"user {user}": {"container": {"securityContext": {"runAsUser": user}}} for user in (-1, 0, 2147483647, 2147483648)},
    "a profile of the greatest length": {"container": {"securityContext": {"appArmorProfile": {"type": "Localhost", "localhostProfile": "a" * 4095}}}},
    "a profile of more": {"container": {"securityContext": {"appArmorProfile": {"type": "Localhost", "localhostProfile": "é" * 2048}}}},
    "a profile of no type": {"container": {"securityContext": {"appArmorProfile": {"type": "", "localhostProfile": "a"}}}},
    "a profile of seccomp for another type": {"container": {"securityContext": {"seccompProfile": {"type": "Unconfined", "localhostProfile": "a"}}}},
    "everything, and no escalation": {
        "container": {
            "securityContext": {
                "allowPrivilegeEscalation": False,
                "privileged": True,
                "capabilities": {"add": ["NET_ADMIN", "CAP_SYS_ADMIN"], "drop": ["ALL"]},
                "seLinuxOptions": {"user": "u", "role": "r", "type": "t"},
                "windowsOptions": {"gmsaCredentialSpecName": "a", "gmsaCredentialSpec": "b", "runAsUserName": "c", "hostProcess": False},
                "runAsUser": 1,
                "runAsGroup": 2,
                "runAsNonRoot": True,
                "readOnlyRootFilesystem": True,
                "procMount": "Default",
                "seccompProfile": {"type": "RuntimeDefault"},
                "appArmorProfile": {"type": "Localhost", "localhostProfile": "p"},
            }
        }
    },
    **{
        f"the parameter {name}": {"pod": {"hostNetwork": True, "hostIPC": True, "securityContext": {"sysctls": [{"name": name, "value": "1"}]}}}
        for name in (
            "net.a",
            "net/a",
            "netx.a",
            "kernel.sem",
            "kernel.semx",
            "kernel/msg",
            "fs.mqueue.a",
            "fs.mqueue",
            "kernel.shm*",
            "a/b.c",
        )
    },
    **{f"a parameter of {size} letters": {"pod": {"securityContext": {"sysctls": [{"name": "a" * size, "value": "1"}]}}} for size in (253, 254)},
    "an unmasked proc in a namespace of users": {"pod": {"hostUsers": True}, "container": {"securityContext": {"procMount": "Unmasked"}}},
    "the longest domain of a user": windows({"windowsOptions": {"runAsUserName": ".".join(["d" * 63] * 4) + "\\u"}}),
    "a user of dots and spaces, with what none has": windows({"windowsOptions": {"runAsUserName": "a\\. |"}}),
    **{f"a NetBIOS domain of {count} letters": windows({"windowsOptions": {"runAsUserName": f"{'n' * count}_\\u"}}) for count in (14, 15)},
    "a part of processes of the node": {
        "pod": {"hostNetwork": True, "initContainers": [{"name": "i", "image": "i"}]},
        "container": {"securityContext": {"windowsOptions": {"hostProcess": True}}},
    },
    "no process of the node": {"container": {"securityContext": {"windowsOptions": {"hostProcess": False}}}},
    "an init container of Windows with what Linux has": windows({}, initContainers=[{"name": "i", "image": "i", "securityContext": {"runAsGroup": 0}}]),
    "options of Windows in a pod of Linux": {
        "pod": {"os": {"name": "linux"}, "securityContext": {"windowsOptions": {}}, "initContainers": [{"name": "i", "image": "i", "securityContext": {}}]}
    },
    # ---- volumes
    **{
        f"partition {number}": volume(**{kind: {name: "a", "partition": number}})
        for kind, name in (("gcePersistentDisk", "pdName"), ("awsElasticBlockStore", "volumeID"))
        for number in (-1, 0, 255, 256)
    },
    **{f"lun {number}": volume(fc={"targetWWNs": ["a"], "lun": number}) for number in (-1, 0, 255, 256)},
    "identities and names of a fibre channel": volume(fc={"wwids": ["a"], "lun": 256}),
    **{
        f"the initiator {name}": volume(iscsi={"targetPortal": "p", "iqn": name, "lun": 0, "initiatorName": name})
        for name in (
            "iqn.2020-01.io.a:b",
            "iqn.2020-01.io.a",
            "iqn.2020-1.io.a:b",
            "iqn.2020-01.io.a:b c",
            "eui.0123456789abcdef",
            "eui.0123456789abcdef0",
            "naa.0123456789abcdef0123456789abcdef",
            "naa.0123456789abcdef0123456789abcde",
            "",
        )
    },
    "an initiator without a Secret": volume(iscsi={"targetPortal": "p", "iqn": "eui.0123456789abcdef", "lun": 256, "chapAuthDiscovery": True}),
    "an initiator with a Secret": volume(
        iscsi={"targetPortal": "p", "iqn": "eui.0123456789abcdef", "lun": 255, "chapAuthSession": True, "secretRef": {"name": "s"}}
    ),
    **{
        f"a portal of {size} letters": volume(
            iscsi={"targetPortal": "p" * size, "iqn": "eui.0123456789abcdef", "lun": 0, "initiatorName": "eui.0123456789abcdef"}
        )
        for size in (62, 63)
    },
    "a long portal and no initiator": volume(iscsi={"targetPortal": "p" * 99, "iqn": "eui.0123456789abcdef", "lun": 0}),
    **{
        f"the registry {text}": volume(quobyte={"registry": text, "volume": "v"})
        for text in ("a:1", "[]:1", "[a]:1", "[a]1", "[a]:", "a:b:1", "a]:1", "[a[:1", "[a]b:1", ":", "a:1,b,c", "a", "[::1]:7", "a:1]")
    },
    "a tenant of more than 64 bytes": volume(quobyte={"registry": "a:1", "volume": "v", "tenant": "é" * 33}),
    "no registry for a tenant": volume(quobyte={"registry": "", "volume": "", "tenant": "t" * 65}),
    "a data set by both": volume(flocker={"datasetName": "a", "datasetUUID": "b"}),
    **{
        f"the option {name}": volume(flexVolume={"driver": "a/b", "options": {name: "x"}})
        for name in ("k8s.io/a", "a.K8S.io/b", "xk8s.io/a", "kubernetes.io", "a/k8s.io")
    },
    **{
        f"a disk of {kind} at {uri}": volume(azureDisk={"diskName": "d", "diskURI": uri, "kind": kind})
        for kind in ("Managed", "Shared", "Dedicated")
        for uri in ("/subscriptions/a", "https://a")
    },
    "a driver of 63 letters": volume(csi={"driver": "a" * 63}),
    "a driver in capitals": volume(csi={"driver": "A.B"}),
    "a driver that cannot be": volume(csi={"driver": "a_b"}),
    "no driver, of old": {"kubernetes": "1.34", **volume(csi={"driver": "", "nodePublishSecretRef": {"name": ""}})},
    "an image": volume(image={"reference": "r", "pullPolicy": ""}),
    "a namespace without a name": volume(storageos={"volumeName": "a", "volumeNamespace": "B"}),
    "two sources out of order": volume(emptyDir={}, secret={"secretName": "s"}, hostPath={"path": "/"}),
    "a token of ten minutes": volume(projected={"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 600}}]}),
    "modes of items": volume(secret={"secretName": "s", "items": [{"key": "a", "path": "b", "mode": 511}, {"key": "a", "path": "c", "mode": 512}]}),
    "items that overlap": volume(
        configMap={"name": "m", "items": [{"key": "a", "path": "x/y/"}, {"key": "b", "path": "x"}, {"key": "c", "path": "xy"}, {"key": "d", "path": "x/z"}]}
    ),
    "items of a Secret that overlap": volume(secret={"secretName": "s", "items": [{"key": "a", "path": "x"}, {"key": "b", "path": "x"}]}),
    "claims of modes that are right": volume(
        ephemeral={"volumeClaimTemplate": {"spec": {**CLAIM, "accessModes": ["ReadWriteOncePod"], "volumeMode": "Block"}}}
    ),
    "a claim of one pod and of one that is not there": volume(
        ephemeral={"volumeClaimTemplate": {"spec": {**CLAIM, "accessModes": ["x", "ReadWriteOncePod", "y"]}}}
    ),
    "a claim of a part of a byte": volume(ephemeral={"volumeClaimTemplate": {"spec": {**CLAIM, "resources": {"requests": {"storage": "1m"}}}}}),
    "a claim with labels that cannot be": volume(
        ephemeral={
            "volumeClaimTemplate": {
                "metadata": {"labels": {"a": "b c"}, "namespace": "x", "name": "", "finalizers": ["f"]},
                "spec": {**CLAIM, "storageClassName": ""},
            }
        }
    ),
    # ---- the whole
    "containers of all kinds": {
        "pod": {
            "initContainers": [{"name": "c", "image": ""}, {"name": "i", "image": "i", "restartPolicy": "Always"}, {"name": "i", "image": " i"}],
            "containers": [{"name": "c", "image": "i"}, {"name": "c", "image": "i"}, {"name": "", "image": "i"}],
        }
    },
    "gates and readiness": {"pod": {"schedulingGates": [{"name": "a"}, {"name": ""}, {"name": "a"}], "readinessGates": [{"conditionType": "a b"}]}},
    "what only the created pod has wrong": {
        "meta": {"finalizers": ["a"]},
        "pod": {"initContainers": [{"name": "i", "image": "i "}], "nodeName": "n", "schedulingGates": [{"name": "g"}]},
        "container": {"image": "\ti"},
    },
    "words that are nearly right": {
        "pod": {"dnsPolicy": "clusterfirst", "restartPolicy": "onfailure", "tolerations": [{"key": "a", "operator": "Ex"}, {"key": "a", "effect": "NoE"}]},
        "container": {"imagePullPolicy": "IfNot", "terminationMessagePolicy": "Fil", "ports": [port(1, protocol="tcq")]},
    },
    "a pod that is deleted in no time": {"pod": {"terminationGracePeriodSeconds": -1}},
    "a pod that may take no time": {"pod": {"terminationGracePeriodSeconds": 0}},
    "Secrets for images": {"pod": {"imagePullSecrets": [{"name": "a"}, {}]}},
    "annotations that do nothing any more": annotated(
        **{
            "scheduler.alpha.kubernetes.io/critical-pod": "",
            "security.alpha.kubernetes.io/sysctls": "",
            "security.alpha.kubernetes.io/unsafe-sysctls": "",
        }
    ),
    "volumes that nobody mounts any more": {
        "pod": {
            "volumes": [
                {"name": "a", "storageos": {"volumeName": "a"}},
                {"name": "b", "flocker": {"datasetUUID": "b"}},
                {"name": "c", "gitRepo": {"repository": "r"}},
                {"name": "d", "projected": {"sources": [{"secret": {"name": "s"}}, {}]}},
            ]
        }
    },
    "volumes of git, of old": {"kubernetes": "1.32", **volume(gitRepo={"repository": "r"})},
    "terms about pods that select nothing": {
        "pod": {
            "affinity": {
                "podAffinity": {REQUIRED: [{"topologyKey": "a", "labelSelector": {}}, {"topologyKey": "a"}]},
                "podAntiAffinity": {PREFERRED: [{"weight": 1, "podAffinityTerm": {"topologyKey": "a"}}]},
            }
        }
    },
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(name: str, snapshot: SnapshotAssertion) -> None:
    parts = dict(CASES[name])
    kubernetes = find_kubernetes(parts.pop("kubernetes", "1.36"))
    assert kubernetes is not None
    assert ("\n".join(map(whole, refusals(jobset_of(**parts), kubernetes))) or NOTHING) == snapshot
