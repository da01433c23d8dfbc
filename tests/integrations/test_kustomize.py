"""kustomize build with the function in integrations/kustomize."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import jobset_compiler as jc
from jobset_compiler.result.forms import in_form

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
BUILD = ("kustomize", "build", "--enable-alpha-plugins", "--enable-exec", ".")


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    """A kustomization with a runtime, a TrainJob and a ConfigMap."""
    folder = tmp_path / "overlay"
    folder.mkdir()
    shutil.copy(ROOT / "integrations" / "kustomize" / "jobset-compiler.yaml", folder)
    shutil.copy(ROOT / "examples" / "08-coscheduling.yaml", folder / "job.yaml")
    (folder / "config.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  answer: 'yes'\n")
    (folder / "kustomization.yaml").write_text("namespace: ml\nresources: [config.yaml, job.yaml]\ntransformers: [jobset-compiler.yaml]\n")
    return folder


def documents(text: str) -> list[Any]:
    return list(yaml.safe_load_all(text))


def test_trainjobs_become_their_objects(overlay: Path, run: Callable[..., Any]) -> None:
    built = documents(run(*BUILD, cwd=overlay, check=True).out)
    expected = jc.compile_yaml((overlay / "job.yaml").read_text().replace("namespace: ml-team", "namespace: ml"))
    assert sorted(document["kind"] for document in built) == ["ConfigMap", "JobSet", "PodGroup"]
    (unit,) = expected.units
    assert [document for document in built if document["kind"] != "ConfigMap"] == list(in_form(unit, "admitted")), "as it can be applied twice"
    assert next(document for document in built if document["kind"] == "ConfigMap")["data"] == {"answer": "yes"}


def test_settings_reach_the_function(overlay: Path, run: Callable[..., Any]) -> None:
    config = overlay / "jobset-compiler.yaml"
    config.write_text(config.read_text().replace("trainerVersion: v2.3", 'trainerVersion: v2.0\n  keepRuntimes: "true"'))
    built = {document["kind"]: document for document in documents(run(*BUILD, cwd=overlay, check=True).out)}
    assert "ClusterTrainingRuntime" in built
    assert "groupName" not in built["JobSet"]["spec"]["replicatedJobs"][0]


def test_errors_stop_the_build_and_say_why(overlay: Path, run: Callable[..., Any]) -> None:
    job = overlay / "job.yaml"
    head, _, tail = job.read_text().rpartition("name: torch-gang")
    job.write_text(f"{head}name: torch-gong{tail}")
    result = run(*BUILD, cwd=overlay)
    assert result.code != 0
    assert result.out == ""
    assert "JSC201" in result.err
    assert "did you mean torch-gang?" in result.err
