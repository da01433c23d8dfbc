"""The lines above TrainJobs, the addresses that they lead to, and the texts there."""

from __future__ import annotations

import pytest

from jobset_compiler.lsp.rendered import Lens, lenses, plain, rendered, source_of
from tests.lsp.conftest import JOB, RUNTIME
from tests.lsp.test_every_place import analysis_of

URI = "file:///a b/c.yaml"
QUERY = "file%3A%2F%2F%2Fa%20b%2Fc.yaml"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (JOB, "4 pods, 32 GPUs: show JobSet"),
        (JOB.replace("numNodes: 4", "numNodes: 1").replace("gpu: 8", "gpu: 1"), "1 pod, 1 GPU: show JobSet"),
        (JOB.replace("numNodes: 4", "numNodes: 1").replace("gpu: 8", "gpu: 2"), "1 pod, 2 GPUs: show JobSet"),
        (JOB.replace("nvidia.com/gpu: 8", "cpu: 1"), "4 pods: show JobSet"),
        (JOB.replace("torch-distributed", "ours") + f"---\n{RUNTIME}", "5 pods, 32 GPUs: show JobSet"),
        (JOB.replace("numNodes: 4", "numNodes: many"), "refused: no JobSet"),
        (JOB.replace("torch-distributed", "nope"), "refused: no JobSet"),
        (JOB.replace("torch-distributed", "ours") + f"---\n{RUNTIME.replace('numNodes: 2', 'numNodes: two')}", "no JobSet: its runtime is refused"),
    ],
)
def test_what_is_said_above_a_trainjob(text: str, title: str) -> None:
    (found,) = lenses(analysis_of(text), URI)
    assert found == Lens(0, title, "" if "no JobSet" in title else f"jobset-compiler:/train.yaml?{QUERY}")


def test_what_is_only_a_warning_refuses_nothing() -> None:
    """The runtime is refused by what is wrong with it, whatever is said of the TrainJob beside that."""
    runtime = RUNTIME.replace("numNodes: 2", "numNodes: two")
    (found,) = lenses(analysis_of(JOB.replace("torch-distributed", "ours").replace("  trainer:", "  suspend: true\n  trainer:") + f"---\n{runtime}"), URI)
    assert found.title == "no JobSet: its runtime is refused"


def test_where_the_lines_stand_and_where_they_lead() -> None:
    texts = [
        f"# first\n{JOB}",
        JOB.replace("name: train", "name: train\n  namespace: ml"),
        JOB,
        JOB.replace("name: train", "generateName: x-"),
        JOB.replace("name: train", "name: other"),
        JOB,
    ]
    text = "---\n".join(texts)
    found = list(lenses(analysis_of(text), URI))
    assert [text[lens.start :].startswith("apiVersion:") for lens in found] == [True] * 6
    assert [text.count("---\n", 0, lens.start) for lens in found] == [*range(6)]
    names = ["train", "ml/train", "train.2", "", "other", "train.3"]
    assert [lens.address for lens in found] == [f"jobset-compiler:/{name}.yaml?{QUERY}" for name in names]


def test_the_text_is_found_by_an_address_that_a_client_has_written_anew() -> None:
    analysis = analysis_of(JOB)
    address = f"jobset-compiler:/train.yaml?{QUERY}"
    shown = rendered(analysis, URI, address)
    assert shown.startswith("# What Kubeflow Trainer 2.3.0 submits for TrainJob train in a.yaml. Secrets are hidden.\napiVersion: jobset.x-k8s.io/v1alpha2\n")
    for same in (address.replace("%20", " "), address.replace("%", "%25"), f"jobset-compiler:/train.yaml?{URI}"):
        assert rendered(analysis, URI, same) == shown
    assert rendered(analysis, URI, address.replace("train.", "other.")) == "# a.yaml has no such TrainJob any more.\n"
    refused = analysis_of(JOB.replace("numNodes: 4", "numNodes: x"))
    assert rendered(refused, URI, address) == "# Kubeflow Trainer 2.3.0 submits nothing for this TrainJob: see the findings in a.yaml.\n"


def test_each_of_two_trainjobs_of_one_name_has_its_own_text() -> None:
    analysis = analysis_of(f"{JOB}---\n{JOB.replace('numNodes: 4', 'numNodes: 7')}")
    first, second = (rendered(analysis, URI, lens.address) for lens in lenses(analysis, URI))
    assert "parallelism: 4\n" in first and "parallelism: 7\n" in second


@pytest.mark.parametrize(
    ("address", "uri"),
    [
        (f"jobset-compiler:/train.yaml?{QUERY}", URI),
        ("jobset-compiler:/train.yaml?file%253A///a%2520b/c.yaml", URI),
        ("jobset-compiler:/train.yaml?untitled:1", "untitled:1"),
        ("jobset-compiler:/train.yaml?file:///other.yaml", ""),
        ("jobset-compiler:/train.yaml", ""),
    ],
)
def test_the_text_that_an_address_is_of(address: str, uri: str) -> None:
    assert source_of(address, ["file:///a.yaml", "untitled:1", URI]) == uri


@pytest.mark.parametrize(("address", "expected"), [("a", "a"), ("a%20b", "a b"), ("a%2520b", "a b"), ("%", "%"), ("a%25", "a%")])
def test_an_address_without_escapes(address: str, expected: str) -> None:
    assert plain(address) == expected
