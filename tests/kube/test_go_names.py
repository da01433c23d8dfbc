"""What Go's decoder calls things, against the recorded types of every release."""

from __future__ import annotations

from typing import Any

import facts
from jobset_compiler.kube.go_names import EMBEDDED, NAMED_STRINGS
from type_table import short

RECORDED: list[dict[str, Any]] = [facts.load(release, facts.TYPES)["types"] for release in facts.releases()]
META = "meta/v1.TypeMeta"


def fields() -> list[tuple[dict[str, Any], str, dict[str, Any]]]:
    """(types of the release, struct, field)."""
    return [(types, struct, field) for types in RECORDED for struct, rows in types.items() for field in rows]


def item_of(kind: Any) -> Any:
    """The type of the items of lists and maps, else the type itself."""
    while isinstance(kind, dict) and ("list" in kind or "map" in kind):
        kind = kind.get("list") or kind.get("map")
    return kind


def test_strings_with_a_type_of_their_own() -> None:
    expected: dict[str, dict[str, str]] = {}
    for _, struct, field in fields():
        kind = item_of(field["type"])
        if isinstance(kind, dict) and kind["scalar"] == "string":
            expected.setdefault(short(struct), {})[field["json"]] = kind["named"].rpartition("/")[2]
    assert expected == NAMED_STRINGS


def test_embedded_structs() -> None:
    expected: dict[str, dict[str, set[str]]] = {}
    for types, struct, field in fields():
        if field.get("inline") and field["type"] != f"#{META}":
            within = expected.setdefault(short(struct), {}).setdefault(field["go"], set())
            within.update(row["json"] for row in types[field["type"].removeprefix("#")])
    assert expected == {struct: {name: set(names) for name, names in embedded.items()} for struct, embedded in EMBEDDED.items()}
