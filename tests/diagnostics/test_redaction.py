"""Lines of documents as they may be quoted: values that are secret are stars, of as many columns."""

from __future__ import annotations

import pytest

from jobset_compiler.diagnostics.redaction import (
    has_credentials,
    has_secret,
    hidden,
    hidden_pair,
    is_credential,
    masked_line,
    secret_places,
    shown_line,
    without,
)


def shown(text: str) -> list[str]:
    lines = text.splitlines()
    return [shown_line(text, line, [*lines[max(at - 2, 0) : at], *lines[at + 1 : at + 3]]) for at, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("TOKEN", True),
        ("HF_TOKEN", True),
        ("hf_token", True),
        ("HFTOKEN", False),
        ("TOKENIZER", False),
        ("TOKEN_URL", False),
        ("DB_PASSWORD", True),
        ("NAME", False),
        ("", False),
        (3, False),
    ],
)
def test_names_of_credentials(name: object, is_one: bool) -> None:
    assert is_credential(name) is is_one


@pytest.mark.parametrize(
    ("line", "around", "as_shown"),
    [
        ("    value: abc", ["  - name: HF_TOKEN"], "    value: ***"),
        ("    value: abc", ["  - name: MODEL"], "    value: abc"),
        ("  - value: abc", ["    name: 'HF_TOKEN'"], "  - value: ***"),
        ('    value: "a b\\" c" # why', ['  - "name": "HF_TOKEN"'], "    value: ********* # why"),
        ("    value: 'a b'", ["  - name: HF_TOKEN"], "    value: *****"),
        ("    valueFrom: {secretKeyRef: {name: s}}", ["  - name: HF_TOKEN"], "    valueFrom: {secretKeyRef: {name: s}}"),
        ("  env: [{name: A, value: b}, {name: HF_TOKEN, value: c}]", [], "  env: [{name: A, value: b}, {name: HF_TOKEN, value: *}]"),
        ("  - {value: b}", ["  - name: HF_TOKEN"], "  - {value: *}"),
        ("HF_TOKEN=abc run", [], "HF_TOKEN=*******"),
        ("HF_TOKEN: abc # x", [], "HF_TOKEN: ****# x"),
        ("MODEL=abc", [], "MODEL=abc"),
        ("    name: x", ["  - name: HF_TOKEN"], "    name: x"),
    ],
)
def test_a_line(line: str, around: list[str], as_shown: str) -> None:
    assert masked_line(line, around) == as_shown


@pytest.mark.parametrize("opening", ["|", ">-", '"first', "'first"])
def test_values_of_several_lines(opening: str) -> None:
    text = f"env:\n- name: HF_TOKEN\n  value: {opening}\n    abc def\n    ghi\n- name: MODEL\n  value: |\n    jkl\n"
    lines = shown(text)
    assert lines[3:5] == ["    *******", "    ***"]
    assert lines[7] == "    jkl"
    before = f"env:\n- value: {opening}\n    abc def\n  name: HF_TOKEN\n- name: A\n- name: B\n- value: |\n    jkl\n  name: MODEL\n"
    assert shown(before)[2] == "    *******" and shown(before)[7] == "    jkl"


@pytest.mark.parametrize("value", ['"abc"', "'abc'", "[a]", "{a: b}"])
def test_what_follows_a_value_that_ends_on_its_line_is_shown(value: str) -> None:
    assert shown(f"env:\n- name: HF_TOKEN\n  value: {value}\n  # a note\n- name: MODEL\n")[3:] == ["  # a note", "- name: MODEL"]


def test_trees() -> None:
    secret = {"kind": "Secret", "data": {"a": "b"}, "stringData": {"c": "d"}, "type": "x"}
    assert hidden([secret]) == [{**secret, "data": {"a": "(hidden)"}, "stringData": {"c": "(hidden)"}}]
    assert hidden({"kind": "Secret", "data": "abc"}) == {"kind": "Secret", "data": "(hidden)"}
    assert hidden({"apiVersion": "v1", "data": {"a": "b"}})["data"] == {"a": "(hidden)"}, "it might be one"
    for other in ({"kind": "ConfigMap", "apiVersion": "v1", "data": {"a": "b"}}, {"data": {"a": "b"}}, {"name": "TOKEN", "value": 3}):
        assert hidden(other) == other
    assert hidden({"env": [{"name": "TOKEN", "value": "x"}]}) == {"env": [{"name": "TOKEN", "value": "(hidden)"}]}
    assert list(secret_places([secret, {"name": "TOKEN", "value": "x"}])) == [(0, "data", "a"), (0, "stringData", "c"), (1, "value")]
    assert list(secret_places({"kind": "Secret", "data": "abc"})) == [("data",)]


def test_two_versions_show_what_is_the_same() -> None:
    old, new = ({"kind": "Secret", "data": {"a": "same", "b": value}} for value in ("1", "2"))
    before, after = hidden_pair(old, new)
    assert before["data"] == {"a": "(hidden)", "b": "(hidden: the one before)"}
    assert after["data"] == {"a": "(hidden)", "b": "(hidden: the one after)"}
    assert hidden_pair(None, new) == (None, {"kind": "Secret", "data": {"a": "(hidden)", "b": "(hidden)"}})
    plain = {"kind": "ConfigMap", "data": {"a": "b"}}
    assert hidden_pair(plain, plain) == (plain, plain)
    shown = {"kind": "Secret", "data": {"a": "(hidden: the one after)", "b": "(hidden: the one after)"}}
    assert hidden_pair(plain, new) == (plain, shown)
    assert hidden_pair(old, plain)[1] == plain and "same" not in str(hidden_pair(old, plain)[0])


def test_a_secret_has_no_lines() -> None:
    assert set(shown("kind: Secret\ndata: {a: b}\n")) == {""}
    assert set(shown("stringData: {a: b}\n")) == {""}
    assert not has_secret("kind: SecretStore\n") and not has_secret("secretKeyRef: {name: s}\n")


def test_words_about_a_line_do_not_tell_it() -> None:
    line = '    value: "abc"'
    words = "abc is no number; abcd is"
    assert without(words, line, masked_line(line, ["  - name: HF_TOKEN"])) == "(hidden) is no number; abcd is"
    assert without(words, line, line) == words


def test_texts_that_may_have_one() -> None:
    assert has_credentials("- name: hf_token\n") and not has_credentials("- name: model\n")
