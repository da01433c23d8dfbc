"""What a field is: its owner, its type in words, what may stand there."""

from __future__ import annotations

import pytest

from jobset_compiler.diagnostics.place import Path
from jobset_compiler.lsp.fields import meaning_of, members_of, values_of
from jobset_compiler.profiles import NEWEST

TABLE = NEWEST.types()


@pytest.mark.parametrize(
    ("path", "owner", "name", "type_name", "members"),
    [
        (("apiVersion",), "trainer.TrainJob", "apiVersion", "string", None),
        (("metadata",), "trainer.TrainJob", "metadata", "ObjectMeta", "meta.ObjectMeta"),
        (("metadata", "labels"), "meta.ObjectMeta", "labels", "map to string", None),
        (("metadata", "labels", "a"), "meta.ObjectMeta", "labels", "string", None),
        (("spec", "suspend"), "trainer.TrainJobSpec", "suspend", "boolean", None),
        (("spec", "activeDeadlineSeconds"), "trainer.TrainJobSpec", "activeDeadlineSeconds", "integer", None),
        (("spec", "trainer", "env"), "trainer.Trainer", "env", "list of EnvVar", None),
        (("spec", "trainer", "env", 0), "trainer.Trainer", "env", "EnvVar", "core.EnvVar"),
        (("spec", "trainer", "env", 0, "name"), "core.EnvVar", "name", "string", None),
        (("spec", "trainer", "command", 0), "trainer.Trainer", "command", "string", None),
        (("spec", "trainer", "resourcesPerNode", "limits"), "core.ResourceRequirements", "limits", "map to quantity", None),
        (("spec", "trainer", "resourcesPerNode", "limits", "cpu"), "core.ResourceRequirements", "limits", "quantity", None),
        (("metadata", "creationTimestamp"), "meta.ObjectMeta", "creationTimestamp", "time", None),
    ],
)
def test_a_field(path: Path, owner: str, name: str, type_name: str, members: str | None) -> None:
    found, struct = meaning_of(TABLE, "TrainJob", path), members_of(TABLE, "TrainJob", path)
    assert found is not None and (found.owner, found.name, found.type) == (owner, name, type_name)
    assert (None if struct is None else struct.name) == members


@pytest.mark.parametrize("path", [("nothing",), ("spec", "nothing"), ("spec", "suspend", "deeper"), ("metadata", "labels", "a", "b"), ("spec", 0)])
def test_what_the_release_does_not_have(path: Path) -> None:
    assert meaning_of(TABLE, "TrainJob", path) is None and members_of(TABLE, "TrainJob", path) is None


def test_the_document_itself() -> None:
    assert meaning_of(TABLE, "TrainJob", ()) is None
    for kind, name in (("TrainJob", "TrainJob"), ("TrainingRuntime", "TrainingRuntime"), ("ClusterTrainingRuntime", "TrainingRuntime")):
        struct = members_of(TABLE, kind, ())
        assert struct is not None and struct.name == f"trainer.{name}"


@pytest.mark.parametrize(
    ("kind", "path", "words"),
    [
        ("TrainJob", ("spec", "suspend"), ("true", "false")),
        ("TrainJob", ("spec", "managedBy"), ("trainer.kubeflow.org/trainjob-controller", "kueue.x-k8s.io/multikueue")),
        ("TrainJob", ("spec", "runtimeRef", "kind"), ()),
        ("TrainJob", ("spec", "trainer", "env"), ()),
        ("TrainJob", ("spec", "trainer"), ()),
        ("TrainJob", ("metadata", "labels"), ()),
        ("TrainJob", ("spec", "trainer", "numNodes"), ()),
        ("TrainingRuntime", ("spec", "mlPolicy", "mpi", "mpiImplementation"), ("OpenMPI",)),
        ("TrainingRuntime", ("spec", "template", "spec", "replicatedJobs", 0, "dependsOn", 0, "status"), ("Ready", "Complete")),
    ],
)
def test_the_words_that_a_field_takes(kind: str, path: Path, words: tuple[str, ...]) -> None:
    found = meaning_of(TABLE, kind, path)
    assert found is not None and values_of(TABLE, found) == words


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("apiVersion",), "API group and version of the object."),
        (("kind",), "Kind of the object."),
        (("metadata",), "Name, namespace, labels and annotations of the object."),
        (("spec",), "What to run."),
        (("spec", "trainer", "env", 0, "name"), "Name of the variable."),
        (
            ("spec", "trainer", "env", 0),
            "Environment variables to add; a variable of the runtime with the same name is replaced. Variables that the policy sets (PET_*) are refused.",
        ),
    ],
)
def test_what_a_field_is_for(path: Path, text: str) -> None:
    found = meaning_of(TABLE, "TrainJob", path)
    assert found is not None and found.text == text
