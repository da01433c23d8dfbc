"""A document that was made from an older one has the places of that one."""

from __future__ import annotations

import json

import pytest

from jobset_compiler.dialects.conversion import convert
from jobset_compiler.dialects.wishes import Target
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import read_text

TEXT = """\
# ours
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: a}
spec:
  runPolicy: &policy
    suspend: true
  pytorchReplicaSpecs:
    Worker:
      replicas: 3
      restartPolicy: OnFailure
      template:
        spec:
          containers:
          - name: pytorch
            image: registry.example/a:1
            command: [torchrun, t.py]
"""


def converted(text: str) -> tuple[Document, Document]:
    """The old document, and the TrainJob that was made of it."""
    documents = read_text(text, "a.yaml")[0]
    (result,) = convert(documents, Target())
    (new,) = result.documents
    assert new.value["kind"] == "TrainJob"
    return documents[0], new


def test_what_belongs_to_the_text_is_that_of_the_old_one() -> None:
    old, new = converted(f"a: 1\n---\n{TEXT}"[9:])
    assert new.written is old and (new.text, new.start, new.end, new.start_line) == (old.text, old.start, old.end, old.start_line)
    assert not new.is_json and new.source_line(3) == "kind: PyTorchJob"
    old, new = converted(json.dumps(old.value))
    assert new.is_json and new.end == old.end > 0


@pytest.mark.parametrize(
    ("path", "was", "line"),
    [
        (("spec", "trainer", "numNodes"), ("spec", "pytorchReplicaSpecs", "Worker", "replicas"), 10),
        (("spec", "trainer", "image"), ("spec", "pytorchReplicaSpecs", "Worker", "template", "spec", "containers", 0, "image"), 16),
        (("spec", "trainer", "command", 1), ("spec", "pytorchReplicaSpecs", "Worker", "template", "spec", "containers", 0, "command", 1), 17),
        (("spec", "suspend"), ("spec", "runPolicy", "suspend"), 7),
        (("metadata", "name"), ("metadata", "name"), 4),
    ],
)
def test_places(path: tuple[str | int, ...], was: tuple[str | int, ...], line: int) -> None:
    old, new = converted(TEXT)
    assert new.locate(path) == old.locate(was) and new.locate(path).line == line
    assert new.locate_key(path) == old.locate_key(was)
    assert new.written_as(path) == was
    assert new.alias_site(path) is None


def test_a_value_that_was_made_has_no_text_of_its_own() -> None:
    _, new = converted(TEXT)
    start, end = new.offsets(("spec", "trainer", "image"))
    assert TEXT[start:end] == "registry.example/a:1"
    assert new.offsets(("spec", "runtimeRef", "name")) == (0, 0)


def test_an_alias_is_found_where_it_stands() -> None:
    text = TEXT.replace("{name: a}", "{name: a, annotations: {x: &i registry.example/a:1}}").replace("image: registry.example/a:1", "image: *i")
    old, new = converted(text)
    site = new.alias_site(("spec", "trainer", "image"))
    assert site is not None and site.line == 16
    assert site == old.alias_site(("spec", "pytorchReplicaSpecs", "Worker", "template", "spec", "containers", 0, "image"))
    assert new.locate(("spec", "trainer", "image")).line == 4, "the text that is anchored"
