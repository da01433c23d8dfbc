"""What a cluster writes into documents that git does not have."""

from __future__ import annotations

from jobset_compiler.explain.gitops import mutated_fields
from jobset_compiler.profiles import NEWEST
from jobset_compiler.source.document import Document
from tests.admission.rules.cases import runtime, trainjob


def test_mutated_fields() -> None:
    tree = trainjob(
        metadata={"labels": {"kueue.x-k8s.io/queue-name": "q"}},
        suspend=True,
        runtimePatches=[{"manager": "example.com/a"}, {"manager": "example.com/b", "time": "2026-01-01T00:00:00Z"}],
    )
    assert mutated_fields(Document.from_object(tree), NEWEST) == (
        ("spec", "runtimeRef", "apiGroup"),
        ("spec", "runtimeRef", "kind"),
        ("spec", "managedBy"),
        ("spec", "runtimePatches", 0, "time"),
        ("spec", "suspend"),
        ("spec", "runtimePatches"),
    )


def test_mutated_fields_of_a_runtime_are_its_defaults() -> None:
    found = mutated_fields(Document.from_object(runtime(policy={"mpi": {}})), NEWEST)
    assert ("spec", "mlPolicy", "mpi", "numProcPerNode") in found and ("spec", "template", "spec", "replicatedJobs", 0, "replicas") in found
