"""Whether two typed values are the same to Kubernetes, which compares quantities by value: 1.5Gi is 1610612736.

Source: equality.Semantic of k8s.io/apimachinery.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.kube.quantity import Quantity, QuantityError

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Field


def same_values(old: Any, new: Any, field: Field) -> bool:
    """Two JSON values of a field. Nothing, an empty list and an empty map are the same."""
    if old == new:
        return True
    if not old and not new and field.kind in ("list", "map"):
        return True
    if field.kind == "struct" and isinstance(old, dict) and isinstance(new, dict):
        return all(same_values(old.get(name), new.get(name), below) for name, below in field.struct.fields.items() if name in old or name in new)
    if field.elem is not None and isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(same_values(*pair, field.elem) for pair in zip(old, new, strict=True))
    if field.elem is not None and isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(same_values(old[key], new[key], field.elem) for key in old)
    return field.kind == "Quantity" and _same_quantity(old, new)


def _same_quantity(old: Any, new: Any) -> bool:
    try:
        return Quantity.parse(str(old)) == Quantity.parse(str(new))
    except QuantityError:
        return False
