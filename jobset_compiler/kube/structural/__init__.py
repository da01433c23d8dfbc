"""What the API server does with a custom resource by its structural schema: prune, default, check; driven by the type table.

Order and meaning are those of apiextensions-apiserver: unknown fields are dropped (strict validation would warn), nulls are
dropped or defaulted, defaults are filled in below parents that are there, then types, limits, list keys and CEL rules
are checked. The rules themselves stand in `admission/cel.py`; this package only says where they apply.
"""

from functools import cache
from typing import Any

from jobset_compiler.kube.structural.errors import BLOCKING, OMITTED, FieldError, PendingRule, Pruned, Wording, field_error
from jobset_compiler.kube.structural.nodes import Nodes
from jobset_compiler.kube.structural.walk import Walk
from jobset_compiler.kube.table import TypeTable
from jobset_compiler.value import Frozen

__all__ = ["BLOCKING", "OMITTED", "SchemaVerdict", "FieldError", "PendingRule", "Pruned", "Wording", "admit", "field_error", "validate_mutated"]

NEWEST = Wording()


class SchemaVerdict(Frozen):
    """A document as the server would store it, the fields it drops, and why it refuses it (nothing where it accepts it).

    `value` shares what did not change with the input. `rules` are CEL rules that nobody has evaluated yet.
    """

    value: dict[str, Any]
    pruned: tuple[Pruned, ...] = ()
    errors: tuple[FieldError, ...] = ()
    rules: tuple[PendingRule, ...] = ()


def admit(value: dict[str, Any], table: TypeTable, type_name: str, wording: Wording = NEWEST) -> SchemaVerdict:
    """Prune, default and check a whole object by the schema of its type (`trainer.TrainJob`).

    `apiVersion`, `kind` and `metadata` pass through.
    """
    out = Walk(wording)
    stored = nodes_of(table).root(type_name).walk(value, None, out)
    pruned = tuple(sorted(out.pruned, key=lambda entry: entry.message)) if out.pruned else ()
    return SchemaVerdict(stored, pruned, tuple(out.errors), tuple(out.rules))


def validate_mutated(value: dict[str, Any], table: TypeTable, type_name: str, wording: Wording = NEWEST) -> SchemaVerdict:
    """As `admit`, for an object that a mutating webhook has written: see `kube.mutation`."""
    out = Walk(wording, drops_nulls=False)
    stored = nodes_of(table).root(type_name).walk(value, None, out)
    return SchemaVerdict(stored, (), tuple(out.errors), tuple(out.rules))


@cache
def nodes_of(table: TypeTable) -> Nodes:
    """The nodes made so far for a table; they are a view of it that never changes an answer."""
    return Nodes(table)
