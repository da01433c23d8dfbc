"""Reading type declarations of Go: small samples of our own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import go_types


def types_of(text: str) -> dict[str, Any]:
    return go_types.Source(text, "a.go").types()


def fields_of(body: str, head: str = "") -> list[tuple[Any, ...]]:
    struct = types_of(f"package a\n{head}\ntype T struct {{{body}}}\n")["T"]
    assert struct[0] == "struct"
    return [tuple(field) for field in struct[1]]


def test_fields_with_types_and_tags() -> None:
    found = fields_of(
        """
        // what it is called
        Name string `json:"name"`
        Count *int32 `json:"count,omitempty" protobuf:"varint,2"` // of them
        A, B []string

        Sizes map[Key][]*Size /* in
        order */
        Raw []byte; Pair [2]bool
        """
    )
    assert found == [
        ("Name", ("scalar", "string"), 'json:"name"', False),
        ("Count", ("ptr", ("scalar", "int32")), 'json:"count,omitempty" protobuf:"varint,2"', False),
        ("A", ("list", ("scalar", "string")), "", False),
        ("B", ("list", ("scalar", "string")), "", False),
        ("Sizes", ("map", ("ref", "", "Key"), ("list", ("ptr", ("ref", "", "Size")))), "", False),
        ("Raw", ("list", ("scalar", "byte")), "", False),
        ("Pair", ("list", ("scalar", "bool")), "", False),
    ]


def test_embedded_fields() -> None:
    found = fields_of('\nBase\n*Other `json:",inline"`\nmeta.Object `json:"metadata"`\n', 'import meta "example.com/api/meta/v1"')
    assert found == [
        ("Base", ("ref", "", "Base"), "", True),
        ("Other", ("ptr", ("ref", "", "Other")), 'json:",inline"', True),
        ("Object", ("ref", "example.com/api/meta/v1", "Object"), 'json:"metadata"', True),
    ]


@pytest.mark.parametrize(
    ("imported", "name"),
    [
        ('"example.com/api/resource"', "resource"),
        ('res "example.com/api/resource"', "res"),
        ('"example.com/api/batch/v1"', "v1"),
        ('"example.com/thing/v2"', "thing"),
    ],
)
def test_imports(imported: str, name: str) -> None:
    ((_, type_, _, _),) = fields_of(f"\nQ {name}.Quantity\n", f"import (\n\n  {imported} // a comment\n)")
    assert type_ == ("ref", imported.split()[-1].strip('"'), "Quantity")


def test_declarations_in_groups_and_what_stands_between_them() -> None:
    found = types_of(
        """
        package a
        const (
            // type Not struct{}
            A Kind = "type B struct {"
        )
        var maker = func() any { type Local struct{}; return Local{} }
        type (
            Kind string
            Same = Kind
            List []Kind
        )
        func (k Kind) String() string { switch x := any(k).(type) { default: return '{' ; _ = x }; return `}` }
        type Doer interface { Do(func(int) error) (string, error) }
        type Box[T any] struct { T T }
        type Last struct { Inner struct { X int `json:"x"` } `json:"inner"`; F func(a int) (b string); C chan int; H Box[int] }
        """
    )
    assert found["Kind"] == ("scalar", "string")
    assert found["Same"] == ("ref", "", "Kind")
    assert found["List"] == ("list", ("ref", "", "Kind"))
    assert found["Doer"] == ("other",)
    inner, *others = found["Last"][1]
    assert inner.type == ("struct", (go_types.Field("X", ("scalar", "int"), 'json:"x"', False),))
    assert [field.type for field in others] == [("other",)] * 3
    assert "Local" not in found
    assert "Not" not in found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("package a\ntype T struct {\n X b.C\n}", "a.go:3: no package 'b' is imported"),
        ("package a\ntype T struct {\n X int", "unexpected end"),
        ("package a\n\ntype T ?", "a.go:3: no type begins with '?'"),
        ("package a\ntype T map[string int", "a.go:2: expected ']', not 'int'"),
    ],
)
def test_go_that_is_not_understood_says_where(text: str, words: str) -> None:
    with pytest.raises(go_types.GoError, match=re.escape(words)):
        types_of(text)


def test_a_package_is_what_an_ordinary_build_has(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text("//go:build !special\n\npackage a\ntype A string\n")
    (tmp_path / "b.go").write_text("//go:build special\n\npackage a\ntype A int\n")
    (tmp_path / "a_test.go").write_text("package a\ntype C string\n")
    assert go_types.package(tmp_path) == {"A": ("scalar", "string")}
    with pytest.raises(go_types.GoError, match="no Go package"):
        go_types.package(tmp_path / "none")


@given(st.text(alphabet="type struct{}[]()*.,;\n\"`'/mapaB", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        types_of("package a\n" + text)
    except go_types.GoError as problem:
        assert str(problem).startswith("a.go:")
