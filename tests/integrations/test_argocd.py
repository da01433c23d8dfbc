"""The Argo CD plugin: its file says what Argo CD reads, and its command is run as the sidecar runs it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "integrations" / "argocd"
PLUGIN = yaml.safe_load((FILES / "plugin.yaml").read_text())
# The fields of ConfigManagementPlugin (cmpserver/plugin/config.go of Argo CD); it refuses others.
SPEC = {"version", "init", "generate", "discover", "parameters", "preserveFileMode", "provideGitCreds"}


@pytest.fixture
def application(tmp_path: Path) -> Path:
    folder = tmp_path / "application"
    folder.mkdir()
    (folder / ".jobset-compiler.yaml").write_text("trainer-version: v2.2\n")
    shutil.copy(ROOT / "examples" / "08-coscheduling.yaml", folder / "job.yaml")
    (folder / "config.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
    return folder


def generate(run: Callable[..., Any], application: Path, **variables: str) -> Any:
    command = PLUGIN["spec"]["generate"]
    return run(*command["command"], *command["args"], cwd=application, **variables)


def test_the_file_has_the_fields_that_argo_cd_knows() -> None:
    assert (PLUGIN["apiVersion"], PLUGIN["kind"]) == ("argoproj.io/v1alpha1", "ConfigManagementPlugin")
    assert set(PLUGIN["spec"]) <= SPEC
    assert set(PLUGIN["spec"]["generate"]) <= {"command", "args"}
    assert set(PLUGIN["spec"]["discover"]) <= {"fileName", "find"}


def test_discovery_finds_applications_with_a_settings_file(application: Path) -> None:
    assert [file.name for file in application.glob(PLUGIN["spec"]["discover"]["fileName"])] == [".jobset-compiler.yaml"]


def test_it_generates_manifests_and_nothing_else(run: Callable[..., Any], application: Path) -> None:
    result = generate(run, application)
    assert result.code == 0, result.err
    manifests = list(yaml.safe_load_all(result.out))
    assert [manifest["kind"] for manifest in manifests] == ["ConfigMap", "JobSet", "PodGroup"]


def test_options_come_from_the_application(run: Callable[..., Any], application: Path) -> None:
    result = generate(run, application, ARGOCD_ENV_JOBSET_COMPILER_ARGS="--trainer-version v2.0 --keep-runtimes")
    kinds = {manifest["kind"]: manifest for manifest in yaml.safe_load_all(result.out)}
    assert "ClusterTrainingRuntime" in kinds
    assert "groupName" not in kinds["JobSet"]["spec"]["replicatedJobs"][0]


def test_an_error_fails_with_nothing_on_standard_output(run: Callable[..., Any], application: Path) -> None:
    job = application / "job.yaml"
    head, _, tail = job.read_text().rpartition("torch-gang")
    job.write_text(f"{head}torch-gong{tail}")
    result = generate(run, application)
    assert (result.code, result.out) == (1, "")
    assert "JSC201" in result.err


def test_the_sidecar_mounts_the_plugin_where_the_server_looks_for_it() -> None:
    patch = yaml.safe_load((FILES / "repo-server-patch.yaml").read_text())
    pod = patch["spec"]["template"]["spec"]
    (sidecar,) = pod["containers"]
    assert sidecar["command"] == ["/var/run/argocd/argocd-cmp-server"]
    assert sidecar["securityContext"]["runAsUser"] == 999
    mounts = {mount["mountPath"]: mount for mount in sidecar["volumeMounts"]}
    assert mounts["/home/argocd/cmp-server/config/plugin.yaml"]["subPath"] == "plugin.yaml"
    declared = {volume["name"] for volume in pod["volumes"]} | {"var-files", "plugins"}  # these are the repo-server's own
    assert {mount["name"] for mount in mounts.values()} <= declared


def test_the_patch_is_one_that_kubectl_merges(run: Callable[..., Any], tmp_path: Path) -> None:
    server = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "argocd-repo-server"},
        "spec": {
            "selector": {"matchLabels": {"app": "x"}},
            "template": {
                "metadata": {"labels": {"app": "x"}},
                "spec": {"containers": [{"name": "argocd-repo-server", "image": "argocd"}], "volumes": [{"name": "var-files", "emptyDir": {}}]},
            },
        },
    }
    (tmp_path / "server.json").write_text(json.dumps(server))
    patch = str(FILES / "repo-server-patch.yaml")
    result = run("kubectl", "patch", "--local", "-f", "server.json", "--type", "strategic", "--patch-file", patch, "-o", "json", cwd=tmp_path)
    assert result.code == 0, result.err
    pod = json.loads(result.out)["spec"]["template"]["spec"]
    assert sorted(container["name"] for container in pod["containers"]) == ["argocd-repo-server", "jobset-compiler"]
    assert len(pod["volumes"]) == 3
