"""Helm 3 with the post-renderer script, Helm 4 with the post-renderer plugin, on one chart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "integrations" / "helm3" / "jobset-compiler-post-renderer"
PLUGIN = ROOT / "integrations" / "helm4" / "jobset-compiler"

CONFIG = """\
# Source: training/templates/config.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: train-config
data:
  yes: "no"   # as the chart has it
"""
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: {{ .Release.Name }}
spec:
  runtimeRef:
    name: {{ .Values.runtime }}
  trainer:
    numNodes: {{ .Values.nodes }}
"""


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    templates = tmp_path / "chart" / "templates"
    templates.mkdir(parents=True)
    (tmp_path / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: training\nversion: 0.1.0\n")
    (tmp_path / "chart" / "values.yaml").write_text("nodes: 3\nruntime: torch-distributed\n")
    (templates / "config.yaml").write_text(CONFIG.split("\n", 1)[1].replace("train-config", "{{ .Release.Name }}-config"))
    (templates / "job.yaml").write_text(JOB)
    return tmp_path


def by_kind(text: str) -> dict[str, Any]:
    return {document["kind"]: document for document in yaml.safe_load_all(text) if document}


def test_helm_3(chart: Path, run: Callable[..., Any]) -> None:
    result = run("helm3", "template", "train", "chart", "--post-renderer", str(SCRIPT), cwd=chart, check=True)
    assert CONFIG in result.out, "everything else is copied byte for byte"
    assert sorted(by_kind(result.out)) == ["ConfigMap", "JobSet"]
    assert by_kind(result.out)["JobSet"]["spec"]["replicatedJobs"][0]["template"]["spec"]["parallelism"] == 3


def test_helm_3_with_arguments(chart: Path, run: Callable[..., Any]) -> None:
    arguments = ("--post-renderer", str(SCRIPT), "--post-renderer-args", "--trainer-version=v2.0")
    result = run("helm3", "template", "train", "chart", *arguments, cwd=chart, check=True)
    assert "groupName" not in by_kind(result.out)["JobSet"]["spec"]["replicatedJobs"][0]


def test_helm_3_stops_at_an_error(chart: Path, run: Callable[..., Any]) -> None:
    result = run("helm3", "template", "train", "chart", "--set", "runtime=torch", "--post-renderer", str(SCRIPT), cwd=chart)
    assert result.code != 0
    assert "JSC201" in result.err
    assert "JobSet" not in result.out


def test_helm_4(chart: Path, run: Callable[..., Any]) -> None:
    run("helm4", "plugin", "install", str(PLUGIN), cwd=chart, check=True)
    result = run("helm4", "template", "train", "chart", "--post-renderer", "jobset-compiler", cwd=chart, check=True)
    rendered = by_kind(result.out)
    assert sorted(rendered) == ["ConfigMap", "JobSet"]
    assert rendered["JobSet"]["spec"]["replicatedJobs"][0]["template"]["spec"]["parallelism"] == 3


def test_helm_4_with_arguments_and_an_error(chart: Path, run: Callable[..., Any]) -> None:
    run("helm4", "plugin", "install", str(PLUGIN), cwd=chart, check=True)
    template = ("helm4", "template", "train", "chart", "--post-renderer", "jobset-compiler", "--post-renderer-args", "--trainer-version=v2.0")
    result = run(*template, cwd=chart, check=True)
    assert "groupName" not in by_kind(result.out)["JobSet"]["spec"]["replicatedJobs"][0]
    refused = run(*template, "--set", "runtime=torch", cwd=chart)
    assert refused.code != 0
    assert "JSC201" in refused.err
