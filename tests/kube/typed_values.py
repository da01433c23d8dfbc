"""Hypothesis strategies for JSON values that fit the Go types of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Field, TypeTable

NAMES = ("a", "b", "c", "d")
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(("", "x", "y", "trainer")),
    "bool": st.booleans(),
    "int": st.integers(-1, 3),
    "int32": st.integers(-1, 3),
    "int64": st.integers(-1, 3),
    "float64": st.sampled_from((0, 0.5, 2)),
    "Quantity": st.sampled_from(("1", "500m", "1024Mi", "1Gi", 0, 2, 0.5)),
    "IntOrString": st.sampled_from((0, 8080, "http", "")),
    "Time": st.sampled_from(("2024-01-01T00:00:00Z", "2024-02-29T23:30:00+02:00")),
    "bytes": st.sampled_from(("", "aGk=", "aGl=")),
    "FieldsV1": st.just({"f:spec": {}}),
}
# The fields that most values ought to have, lest the interesting ones were rarely reached.
FREQUENT = frozenset(
    {
        "replicatedJobs",
        "template",
        "spec",
        "metadata",
        "containers",
        "initContainers",
        "env",
        "ports",
        "volumes",
        "volumeMounts",
        "resources",
        "limits",
        "labels",
        "tolerations",
        "nodeSelector",
        "imagePullSecrets",
        "hostAliases",
        "finalizers",
    }
)


def values(table: TypeTable, type_name: str, depth: int = 6, unique_keys: bool = True, nulls: bool = False) -> st.SearchStrategy[dict[str, Any]]:
    """Values of a struct; `unique_keys`: no list has two items of one merge key; `nulls`: anything may be null instead."""

    @st.composite
    def struct(draw: st.DrawFn, name: str, depth: int) -> dict[str, Any]:
        fields = table.struct(name).fields
        if depth <= 0:
            fields = {key: field for key, field in fields.items() if field.kind not in ("struct", "list")}
        frequent = [key for key in fields if key in FREQUENT]
        chosen = [key for key in frequent if draw(st.booleans())]
        chosen += draw(st.lists(st.sampled_from(sorted(fields)), max_size=2)) if fields else []
        return {key: draw(of(fields[key], depth - 1)) for key in dict.fromkeys(chosen)}

    def of(field: Field, depth: int) -> st.SearchStrategy[Any]:
        if field.kind == "struct":
            strategy: st.SearchStrategy[Any] = struct(field.type_name, depth)
        elif field.kind == "list":
            assert field.elem is not None
            strategy = items(field, field.elem, depth)
        elif field.kind == "map":
            assert field.elem is not None
            strategy = st.dictionaries(st.sampled_from(NAMES), of(field.elem, depth), max_size=2)
        else:
            strategy = SCALARS[field.kind]
        return st.one_of(st.none(), strategy) if nulls else strategy

    @st.composite
    def items(draw: st.DrawFn, field: Field, element: Field, depth: int) -> list[Any]:
        key = field.merge_key
        if element.kind != "struct" or not key:
            return draw(st.lists(of(element, depth), max_size=3, unique=key == ""))
        key_type = element.struct.fields[key].kind
        keys = draw(st.lists(st.sampled_from(NAMES if key_type == "string" else (80, 443, 8080)), max_size=3, unique=unique_keys))
        return [{**(draw(of(element, depth)) or {}), key: item} for item in keys]

    return struct(type_name, depth)
