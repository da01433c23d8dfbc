"""Which documents are ours."""

from __future__ import annotations

import pytest

import jobset_compiler as jc

API = "trainer.kubeflow.org/v1alpha1"


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        ("Trainjob", "did you mean TrainJob?"),
        ("TrainingJob", "did you mean TrainJob?"),
        ("TrainingRuntimes", "did you mean TrainingRuntime?"),
        ("OptimizationJob", f"the kinds of {API} are TrainJob, TrainingRuntime, ClusterTrainingRuntime"),
    ],
)
def test_a_kind_that_the_api_does_not_have(kind: str, hint: str) -> None:
    result = jc.compile_yaml(f"apiVersion: {API}\nkind: {kind}\nmetadata: {{name: a}}\n", file="a.yaml")
    (found,) = [d for d in result.diagnostics if d.is_error]
    assert not result.ok
    assert (found.code, found.message, found.hint) == ("JSC102", f'no matches for kind "{kind}" in version "{API}"', hint)
    assert (found.line, found.column, found.path) == (2, 7, "kind")


OTHERS = ("apiVersion: v1\nkind: Trainjob\n", f"apiVersion: {API}\nkind: TrainJobList\nitems: []\n", "apiVersion: example.com/v1\nkind: TrainingJob\n")


@pytest.mark.parametrize("text", OTHERS)
def test_kinds_of_others_are_skipped(text: str) -> None:
    assert jc.compile_yaml(text).ok


def test_a_misspelt_kind_is_found_in_a_folder_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    from tests.cli.conftest import run_here

    folder = tmp_path_factory.mktemp("manifests")
    (folder / "a.yaml").write_text(f"apiVersion: {API}\nkind: TrainingJob\nmetadata: {{name: a}}\n")
    assert run_here("check", str(folder)).code == 1
