"""What is rendered, and the inputs, against the JSON Schemas with the real kubeconform."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))


def conform(run: Callable[..., Any], text: str, release: str, tmp_path: Path) -> Any:
    location = f"{ROOT}/schemas/{release}/{{{{.ResourceKind}}}}.json"
    skipped = "PodGroup,ConfigMap,Secret"
    return run("kubeconform", "-strict", "-summary", "-schema-location", location, "-skip", skipped, "-", cwd=tmp_path, stdin=text)


@pytest.mark.parametrize("release", ["v2.2", "v2.3"])
def test_examples_and_their_jobsets_conform(release: str, run: Callable[..., Any], tmp_path: Path) -> None:
    inputs = "---\n".join(file.read_text() for file in EXAMPLES)
    result = conform(run, inputs, release, tmp_path)
    assert result.code == 0, result.out
    rendered = run("jobset-compiler", "render", "-", "--trainer-version", release, cwd=tmp_path, stdin=inputs, check=True).out
    result = conform(run, rendered, release, tmp_path)
    assert result.code == 0, result.out
    assert "Invalid: 0, Errors: 0" in result.out


def test_a_wrong_field_does_not_conform(run: Callable[..., Any], tmp_path: Path) -> None:
    text = EXAMPLES[0].read_text().replace("numNodes: 4", "numNodes: four\n    nodes: 4")
    result = conform(run, text, "v2.3", tmp_path)
    assert result.code == 1
    assert "numNodes" in result.out
    assert "nodes" in result.out
