from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.passes.flux.policy import GO_SPACE, original_command
from jobset_compiler.passes.flux.settings import FluxSettings, settings_of
from tests.passes.plans import compiled, container, edits, job, messages, plan_of, pods_of, runtime, step, the, trainjob

Tree = dict[str, Any]
PROFILES = ("v2.2", "v2.3")


def flux(**node: Any) -> Tree:
    return runtime({"flux": {}}, job(containers=[container(**node)]))


@pytest.mark.parametrize("profile", PROFILES)
def test_volumes_mounts_and_installer(profile: str) -> None:
    given = runtime({"flux": {}}, job(initContainers=[container("wait")], volumes=[{"name": "data", "emptyDir": {}}]))
    pod = pods_of(compiled(given, trainjob({"numNodes": 2, "command": ["lmp", "-in", "in.x"]}), profile), "node")
    memory = profile == "v2.3"
    assert [volume["name"] for volume in pod["volumes"]] == [
        "data",
        "spack-install",
        "flux-install",
        "job-flux-entrypoint",
        *(["shared-memory"] if memory else []),
        "flux-curve",
    ]
    assert pod["containers"][0]["command"] == ["/bin/bash", "/etc/flux-config/entrypoint.sh", "lmp -in in.x"]
    assert [(mount["mountPath"], mount.get("readOnly", False)) for mount in pod["containers"][0]["volumeMounts"]] == [
        ("/mnt/flux", False),
        ("/opt/software", False),
        ("/etc/flux-config", True),
        ("/curve", True),
        *([("/dev/shm", True)] if memory else []),
    ]
    assert [entry["name"] for entry in pod["initContainers"]] == ["wait", "flux-installer"]
    assert pod["initContainers"][1] == {
        "name": "flux-installer",
        "image": "ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy",
        "command": ["/bin/bash", "/etc/flux-config/init.sh"],
        "volumeMounts": [
            {"name": "flux-install", "mountPath": "/mnt/flux"},
            {"name": "job-flux-entrypoint", "readOnly": True, "mountPath": "/etc/flux-config"},
        ],
    }


# The runtime's node container, spec.trainer -> the wrapped command in v2.2 and v2.3
COMMANDS: tuple[tuple[Tree, Tree, str, str], ...] = (
    ({}, {}, "", ""),
    ({}, {"command": ["a", "b"]}, "a b", "a b"),
    ({}, {"command": ["a"], "args": ["b", "c"]}, "a b c", "a b c"),
    ({}, {"args": ["b"]}, "b", "b"),
    ({"command": ["r", "s"]}, {}, "", "r s"),
    ({"command": ["r"]}, {"args": ["b"]}, "b", "r b"),
    ({"command": ["r"]}, {"command": ["a"]}, "a", "a"),
    ({"command": ["r"]}, {"command": []}, "", ""),
    ({"command": ["r"], "args": ["x"]}, {}, "", "r"),
    ({}, {"command": [" a ", "", "b\n"]}, "a   b", "a   b"),
    ({}, {"command": ["\x1fa\x85"]}, "\x1fa", "\x1fa"),
)


@pytest.mark.parametrize(("node", "trainer", "before", "after"), COMMANDS)
def test_original_command(node: Tree, trainer: Tree, before: str, after: str) -> None:
    for profile, wanted in (("v2.2", before), ("v2.3", after)):
        plan = plan_of(flux(**node), trainjob({"numNodes": 1, **trainer}), profile)
        assert plan.job.trainer is not None
        assert original_command(plan, plan.job.trainer) == wanted


def test_args_of_the_runtime_stay_and_those_of_the_trainjob_go() -> None:
    pod = pods_of(compiled(flux(command=["r"], args=["x"]), trainjob({"numNodes": 1, "args": ["b"]})), "node")
    assert (pod["containers"][0]["command"][2], pod["containers"][0]["args"]) == ("r b", ["x"])


REFERENCE = {"secretKeyRef": {"name": "s", "key": "k"}}
SETTINGS: tuple[tuple[list[Tree], list[Tree], FluxSettings], ...] = (
    ([], [], FluxSettings()),
    ([{"name": "FLUX_QUEUE_POLICY", "value": "easy"}], [], FluxSettings(queue_policy="easy")),
    ([{"name": "FLUX_QUEUE_POLICY", "value": "easy"}], [{"name": "FLUX_QUEUE_POLICY", "value": "fcfs"}], FluxSettings()),
    ([{"name": "FLUX_NETWORK_DEVICE", "valueFrom": REFERENCE}], [], FluxSettings()),
    ([{"name": "FLUX_NETWORK_DEVICE", "value": ""}], [], FluxSettings()),
    ([], [{"name": "FLUX_NETWORK_DEVICE", "value": ""}], FluxSettings(network_device="")),
    ([{"name": "FLUX_NETWORK_DEVICE", "value": "ib0"}], [{"name": "FLUX_NETWORK_DEVICE", "valueFrom": REFERENCE}], FluxSettings(network_device="")),
    ([{"name": "FLUX_VIEW_IMAGE", "value": "view:1"}, {"name": "FLUX_OTHER", "value": "x"}], [], FluxSettings(view_image="view:1")),
)


@pytest.mark.parametrize(("given", "asked", "settings"), SETTINGS)
def test_settings(given: list[Tree], asked: list[Tree], settings: FluxSettings) -> None:
    plan = plan_of(flux(env=given), trainjob({"numNodes": 1, "env": asked}))
    assert settings_of(plan) == settings


@pytest.mark.parametrize(("profile", "image"), [("v2.2", {"image": ""}), ("v2.3", {})])
def test_an_empty_view_image(profile: str, image: Tree) -> None:
    asked = trainjob({"numNodes": 1, "env": [{"name": "FLUX_VIEW_IMAGE", "value": ""}]})
    installer = pods_of(compiled(flux(), asked, profile), "node")["initContainers"][0]
    assert {key: value for key, value in installer.items() if key == "image"} == image


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("asked", [trainjob(), trainjob({}), trainjob({"command": ["a"]})])
def test_without_nodes_the_controller_panics(profile: str, asked: Tree) -> None:
    plan = plan_of(flux(), asked, profile)
    assert edits(step("flux"), plan) == []
    assert [code for code, _, _ in messages(step("flux"), plan)] == ["JSC311"]
    assert not compiled(flux(), asked, profile).ok


def test_only_the_job_called_node_is_prepared() -> None:
    result = compiled(runtime({"flux": {}}, job("worker")), trainjob({"numNodes": 2, "command": ["a"]}))
    pod = pods_of(result, "worker")
    assert pod["containers"][0]["command"][1:] == ["/etc/flux-config/entrypoint.sh", "a"]
    assert "volumes" not in pod and "initContainers" not in pod
    assert the(result, "ConfigMap")["metadata"]["name"] == "job-flux-entrypoint"


def test_a_missing_uid_is_told() -> None:
    assert [code for code, _, _ in messages(step("flux-objects"), plan_of(flux(), trainjob({"numNodes": 1}, uid="")))] == ["JSC321"]
    assert messages(step("flux"), plan_of(flux(), trainjob({"numNodes": 1}))) == []


def test_blanks_are_those_of_go() -> None:
    """Python counts four separators more."""
    assert set(GO_SPACE) == {chr(code) for code in range(0x110000) if chr(code).isspace()} - set("\x1c\x1d\x1e\x1f")
