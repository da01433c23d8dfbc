"""Name rules: the exact messages of k8s.io/apimachinery, and agreement with the patterns those messages quote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.kube import names
from jobset_compiler.kube.names import NameWording
from jobset_compiler.kube.names import object_meta_problems as problems_with_places

if TYPE_CHECKING:
    from collections.abc import Callable

UP_TO_0_32 = NameWording(label_length_unit="characters", label_key="a qualified name", names_owner_fields=True)
UP_TO_0_34 = UP_TO_0_32._replace(names_owner_fields=False)

LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an "
    "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
DNS1035 = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end "
    "with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)
KEY = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
    "'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
LABEL_VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
CONFIG_KEY = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or "
    "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)
PATH = r"Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')"

short_texts = st.one_of(st.text("abz09AZ-_./ \n", max_size=8), st.text(max_size=4))


def object_meta_problems(meta: dict[str, object], **arguments: Any) -> tuple[tuple[Any, ...], ...]:
    """(path, kind of error, message, value) of each problem."""
    return tuple((problem.path, problem.kind, problem.message, problem.value) for problem in problems_with_places(meta, **arguments))


def test_a_bad_key_or_value_has_a_place_of_its_own() -> None:
    meta: dict[str, object] = {"name": "a", "labels": {"fine": "yes", "team": "b c"}, "annotations": {"a/-": ""}}
    assert [problem.at for problem in problems_with_places(meta, namespaced=True)] == [("metadata", "labels", "team"), ("metadata", "annotations", "a/-")]


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("a", ()),
        ("0-a", ()),
        ("a" * 63, ()),
        ("a" * 64, ("must be no more than 63 characters",)),
        ("a.b", ("must not contain dots",)),
        ("", (LABEL,)),
        ("-a", (LABEL,)),
        ("a\n", (LABEL,)),
        ("A" * 64, ("must be no more than 63 characters", LABEL)),
        ("\u00e9" * 32, ("must be no more than 63 characters", LABEL)),
    ],
)
def test_dns1123_label(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_dns1123_label(value) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("a.0-b", ()),
        ("a" * 253, ()),
        ("a" * 254, ("must be no more than 253 characters",)),
        ("a..b", (SUBDOMAIN,)),
        ("a.", (SUBDOMAIN,)),
        ("", (SUBDOMAIN,)),
        ("A" * 254, ("must be no more than 253 characters", SUBDOMAIN)),
    ],
)
def test_dns1123_subdomain(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_dns1123_subdomain(value) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("a-0", ()),
        ("0a", (DNS1035,)),
        ("a.b", (DNS1035,)),
        ("", (DNS1035,)),
        ("a" * 64, ("must be no more than 63 characters",)),
        ("1" * 64, ("must be no more than 63 characters", DNS1035)),
    ],
)
def test_dns1035_label(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_dns1035_label(value) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("a_B.c", ()),
        ("example.com/MyName", ()),
        ("", ("name part must be non-empty", f"name part {KEY}")),
        ("a/", ("name part must be non-empty", f"name part {KEY}")),
        ("/a", ("prefix part must be non-empty",)),
        ("A/a", (f"prefix part {SUBDOMAIN}",)),
        ("_a", (f"name part {KEY}",)),
        ("a" * 63, ()),
        ("a" * 64, ("name part must be no more than 63 bytes",)),
        ("a" * 253 + "/a", ()),
        ("a" * 254 + "/a", ("prefix part must be no more than 253 bytes",)),
        ("A" * 254 + "/a", ("prefix part must be no more than 253 bytes", f"prefix part {SUBDOMAIN}")),
        ("/", ("prefix part must be non-empty", "name part must be non-empty", f"name part {KEY}")),
        ("-" * 64, ("name part must be no more than 63 bytes", f"name part {KEY}")),
        (
            "a/b/c",
            (f"a valid label key {KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",),
        ),
    ],
)
def test_qualified_name(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_qualified_name(value) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("a" * 64, ("name part must be no more than 63 characters",)),
        ("a" * 254 + "/a", ("prefix part must be no more than 253 characters",)),
        (
            "a/b/c",
            (f"a qualified name {KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",),
        ),
    ],
)
def test_qualified_name_in_older_words(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_qualified_name(value, UP_TO_0_34) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("", ()),
        ("a_.-B", ()),
        ("a-", (LABEL_VALUE,)),
        ("a b", (LABEL_VALUE,)),
        ("a" * 64, ("must be no more than 63 bytes",)),
        ("-" * 64, ("must be no more than 63 bytes", LABEL_VALUE)),
    ],
)
def test_label_value(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_valid_label_value(value) == messages


def test_label_value_in_older_words() -> None:
    assert names.is_valid_label_value("a" * 64, UP_TO_0_34) == ("must be no more than 63 characters",)


@pytest.mark.parametrize(
    ("value", "problems"),
    [
        ("acme.io/foo", ()),
        ("acme.io/foo/bar", ()),
        ("", (("FieldValueRequired", "", ""),)),
        ("foo", (("FieldValueInvalid", 'must be a domain-prefixed path (such as "acme.io/foo")', "foo"),)),
        ("/foo", (("FieldValueInvalid", 'must be a domain-prefixed path (such as "acme.io/foo")', "/foo"),)),
        ("foo/", (("FieldValueInvalid", 'must be a domain-prefixed path (such as "acme.io/foo")', "foo/"),)),
        ("Acme.io/a b", (("FieldValueInvalid", SUBDOMAIN, "Acme.io"), ("FieldValueInvalid", PATH, "a b"))),
    ],
)
def test_domain_prefixed_path(value: str, problems: tuple[tuple[str, str, str], ...]) -> None:
    assert names.is_domain_prefixed_path(value) == problems


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("1 {}", ()),
        (" ~", ()),
        ("a\x7f", ("a valid environment variable name must consist only of printable ASCII characters other than '='",)),
        ("", ("environment variable name must be non-empty",)),
        ("a=b", ("a valid environment variable name must consist only of printable ASCII characters other than '='",)),
        ("a\t", ("a valid environment variable name must consist only of printable ASCII characters other than '='",)),
    ],
)
def test_relaxed_env_var_name(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_relaxed_env_var_name(value) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("-key_.1", ()),
        ("", (CONFIG_KEY,)),
        ("a/b", (CONFIG_KEY,)),
        (".", ("must not be '.'",)),
        ("..", ("must not be '..'",)),
        ("..a", ("must not start with '..'",)),
        ("...", ("must not start with '..'",)),
        (".a", ()),
        ("a..", ()),
        ("a" * 253, ()),
        ("a" * 254, ("must be no more than 253 characters",)),
    ],
)
def test_config_map_key(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_config_map_key(value) == messages


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("http", ()),
        ("8080", ("must contain at least one letter (a-z)",)),
        ("x" * 15, ()),
        ("x" * 16, ("must be no more than 15 characters",)),
        ("1z", ()),
        ("a-", ("must not begin or end with a hyphen",)),
        ("a--b", ("must not contain consecutive hyphens",)),
        ("-a", ("must not begin or end with a hyphen",)),
        ("A_b", ("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",)),
        (
            "",
            (
                "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
                "must contain at least one letter (a-z)",
            ),
        ),
    ],
)
def test_port_name(value: str, messages: tuple[str, ...]) -> None:
    assert names.is_valid_port_name(value) == messages


@pytest.mark.parametrize(
    ("check", "pattern"),
    [
        (names.is_dns1123_label, "[a-z0-9]([-a-z0-9]*[a-z0-9])?"),
        (names.is_dns1123_subdomain, r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"),
        (names.is_dns1035_label, "[a-z]([-a-z0-9]*[a-z0-9])?"),
        (names.is_valid_label_value, "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?"),
        (names.is_config_map_key, r"(?!\.\.|\.\Z)[-._a-zA-Z0-9]+"),
        (
            names.is_qualified_name,
            r"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
        ),
        (names.is_valid_port_name, "(?!-)(?!.*--)(?!.*-\\Z)(?=.*[a-z])[-a-z0-9]+"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@given(value=short_texts)
def test_agrees_with_the_pattern(check: Callable[[str], tuple[str, ...]], pattern: str, value: str) -> None:
    assert (check(value) == ()) == (re.fullmatch(pattern, value) is not None)


def test_good_metadata() -> None:
    meta: dict[str, object] = {
        "name": "a.b",
        "generateName": "a-",
        "namespace": "team-a",
        "labels": {"app.example.com/name": "x", "empty": ""},
        "annotations": {"Example.com/Any": "any text\n"},
        "finalizers": ["example.com/f"],
        "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": True}],
    }
    assert object_meta_problems(meta, namespaced=True) == ()


@pytest.mark.parametrize("meta", [{}, {"name": ""}, {"name": None}, {"generateName": ""}])
def test_a_name_is_required(meta: dict[str, object]) -> None:
    required = (("metadata", "name"), "FieldValueRequired", "name or generateName is required", "")
    assert object_meta_problems(meta, namespaced=True) == (required,)


def test_names_and_namespaces() -> None:
    meta: dict[str, object] = {"name": "A", "generateName": "B.b-", "namespace": "c.d"}
    in_name = (
        (("metadata", "generateName"), "FieldValueInvalid", SUBDOMAIN, "B.b-"),
        (("metadata", "name"), "FieldValueInvalid", SUBDOMAIN, "A"),
    )
    in_namespace = (("metadata", "namespace"), "FieldValueInvalid", "must not contain dots", "c.d")
    assert object_meta_problems(meta, namespaced=True) == (*in_name, in_namespace)
    assert object_meta_problems(meta, namespaced=False) == in_name


@pytest.mark.parametrize(("prefix", "is_valid"), [("a-", True), ("a.-", True), ("-", False), ("--", True), ("\u00e9-", False)])
def test_prefix_of_a_generated_name(prefix: str, is_valid: bool) -> None:
    assert (object_meta_problems({"generateName": prefix}, namespaced=True) == ()) is is_valid


def test_labels_and_annotations() -> None:
    meta: dict[str, object] = {"name": "a", "labels": {"-": "b c"}, "annotations": {"A/b": "", "a/-": ""}}
    assert object_meta_problems(meta, namespaced=True) == (
        (("metadata", "labels"), "FieldValueInvalid", f"name part {KEY}", "-"),
        (("metadata", "labels"), "FieldValueInvalid", LABEL_VALUE, "b c"),
        (("metadata", "annotations"), "FieldValueInvalid", f"name part {KEY}", "a/-"),
    )


def test_size_of_annotations() -> None:
    most = 256 * 1024
    too_long = (("metadata", "annotations"), "FieldValueTooLong", "may not be more than 262144 bytes", "")
    assert object_meta_problems({"name": "a", "annotations": {"k": "x" * (most - 1)}}, namespaced=True) == ()
    assert object_meta_problems({"name": "a", "annotations": {"k": "x" * most}}, namespaced=True) == (too_long,)
    assert object_meta_problems({"name": "a", "annotations": {"k": "\u00e9" * (most // 2)}}, namespaced=True) == (too_long,)


def test_owner_references() -> None:
    owners = [
        {"apiVersion": "a/b/c", "controller": True},
        {"apiVersion": "v1", "kind": "Event", "name": "e", "uid": "u", "controller": True},
    ]
    path = ("metadata", "ownerReferences")
    both = 'Only one reference can have Controller set to true. Found "true" in references for / and Event/e'
    expected = (
        ((*path, "apiVersion"), "FieldValueInvalid", "version must not be empty", "a/b/c"),
        ((*path, "kind"), "FieldValueInvalid", "must not be empty", ""),
        ((*path, "name"), "FieldValueInvalid", "must not be empty", ""),
        ((*path, "uid"), "FieldValueInvalid", "must not be empty", ""),
        (path, "FieldValueInvalid", "/v1, Kind=Event is disallowed from being an owner", owners[1]),
        (path, "FieldValueInvalid", both, owners),
    )
    meta: dict[str, object] = {"name": "a", "ownerReferences": owners}
    assert object_meta_problems(meta, namespaced=True) == expected
    older = [message for _, _, message, _ in object_meta_problems(meta, namespaced=True, wording=UP_TO_0_32)]
    assert older[1:4] == ["kind must not be empty", "name must not be empty", "uid must not be empty"]


def test_finalizers() -> None:
    finalizers = ["orphan", "a b", "foregroundDeletion"]
    path = ("metadata", "finalizers")
    assert object_meta_problems({"name": "a", "finalizers": finalizers}, namespaced=True) == (
        (path, "FieldValueInvalid", f"name part {KEY}", "a b"),
        (path, "FieldValueInvalid", "finalizer orphan and foregroundDeletion cannot be both set", finalizers),
    )


def test_values_of_other_types_are_left_to_decoding() -> None:
    meta: dict[str, object] = {"name": "a", "labels": {"a": 1}, "annotations": [], "finalizers": "x", "ownerReferences": [1]}
    assert object_meta_problems(meta, namespaced=True) == ()
    assert object_meta_problems({"name": "a", "finalizers": [1, None], "ownerReferences": {}, "labels": {1: "a b"}}, namespaced=True) == ()
    owners: list[Any] = [None, {"apiVersion": "v1", "kind": "Pod", "uid": "u"}]
    nameless = (("metadata", "ownerReferences", "name"), "FieldValueInvalid", "must not be empty", "")
    assert object_meta_problems({"name": "a", "ownerReferences": owners}, namespaced=True) == (nameless,)
    keyed: dict[Any, Any] = {1: "a b", "a": "b c", "b": 2}
    wrong = (("metadata", "labels"), "FieldValueInvalid", LABEL_VALUE, "b c")
    assert object_meta_problems({"name": "a", "labels": keyed, "finalizers": [None, "a/b"]}, namespaced=True) == (wrong,)
