from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobset_compiler.diagnostics.codes.source import BY_SLUG
from jobset_compiler.source.document import Document
from jobset_compiler.source.events import default_parser, has_libyaml, libyaml_parser, pure_parser
from jobset_compiler.source.reader import iter_documents, read_bytes, read_text
from tests.source.kubectl import needs_kubectl, read_values, refuses


def values(text: str) -> list[Any]:
    documents, problems = read_text(text)
    assert not problems, problems
    return [document.value for document in documents]


def slugs(text: str) -> list[str]:
    return [problem.slug for problem in read_text(text)[1]]


# Texts of whole values, and what kubectl reads.
VALUES: tuple[tuple[str, Any], ...] = (
    ("a: 1\n<<: {a: 2, b: 3}", {"a": 2, "b": 3}),
    ("<<: {a: 2}\na: 1", {"a": 1}),
    ("<<: [{a: 1}, {a: 2, b: 3}]", {"a": 1, "b": 3}),
    ('"<<": {a: 1}', {"<<": {"a": 1}}),
    ("! <<: {a: 1}", {"a": 1}),
    ("!!merge <<: {a: 1}", {"a": 1}),
    ("x: &x {a: 1}\nz: {<<: *x, b: 2}", {"x": {"a": 1}, "z": {"a": 1, "b": 2}}),
    ("- &x a\n- *x\n- &x b\n- *x", ["a", "a", "b", "b"]),
    ("&a x: *a", {"x": "x"}),
    ("a: |\n  b\n  c", {"a": "b\nc\n"}),
    ("a: |-\n  b\n\n", {"a": "b"}),
    ("a: |+\n  b\n\nc: d", {"a": "b\n\n", "c": "d"}),
    ("a: >\n  b\n  c\n\n  d", {"a": "b c\nd\n"}),
    ("a: |2\n    b", {"a": "  b\n"}),
    ("[a:b, http://x:80/y, c: d]", ["a:b", "http://x:80/y", {"c": "d"}]),
    ("{a:1}", {"a:1": None}),
    ("{a: b, c}", {"a": "b", "c": None}),
    ("[a, b, ]", ["a", "b"]),
    ("a:\tb\t# c", {"a": "b"}),
    ("a: x\ty", {"a": "x\ty"}),
    ("a: !!str\t12", {"a": "12"}),
    ("x: 1\na: [!!str\t12, ! \t13]", {"x": 1, "a": ["12", "13"]}),
    ("a: &x\tb\nc: *x", {"a": "b", "c": "b"}),
    ('"\\u00e9\\x41\\n\\0"', "\u00e9A\n\0"),
    ("'it''s'", "it's"),
    ("? a\n: b", {"a": "b"}),
    ("a b\nc", "a b c"),
    ("!!omap\n- a: 1", [{"a": 1}]),
    # Of equal keys the last one counts, and only what is left must have a form in JSON.
    ("a: .inf\na: 1", {"a": 1}),
    ("a: {null: b}\na: 1", {"a": 1}),
    ("a: [{18446744073709551615: b}]\na: 1", {"a": 1}),
    ("x: &x .nan\nz: *x\nx: 1\nz: 2", {"x": 1, "z": 2}),
    ("x: {a: .inf}\nx: {<<: {a: .inf}, a: 1}", {"x": {"a": 1}}),
)


@pytest.mark.parametrize("parser", [None, pure_parser])
@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_a_value_is_read(text: str, expected: Any, parser: Any) -> None:
    documents, _ = read_text(text, parser=parser)
    assert [document.value for document in documents] == [expected]


@needs_kubectl
def test_the_values_are_what_kubectl_reads() -> None:
    assert read_values([text for text, _ in VALUES]) == [value for _, value in VALUES]


REFUSED: tuple[tuple[str, str], ...] = (
    ('a: "\\/"', "yaml-syntax"),
    ('a: "\\ud83d"', "yaml-syntax"),
    ('a: "\\q"', "yaml-syntax"),
    ("a: b: c", "yaml-syntax"),
    ("a: 'b", "yaml-syntax"),
    ("a: [b", "yaml-syntax"),
    ("a: @b", "yaml-syntax"),
    ("a:\n\tb: c", "tab-indentation"),
    ("a: *b", "unknown-anchor"),
    ("a: &b [*b]", "alias-cycle"),
    ("<<: 1", "bad-merge"),
    ("<<: null", "bad-merge"),
    ("<<: [1]", "bad-merge"),
    ("a: .inf", "bad-number"),
    ("a: 1\nb: .inf\na: 2", "bad-number"),
    ("x: &x .nan\nz: *x\nx: 1", "bad-number"),
    ("a: {null: b}", "bad-key"),
    ("a: .inf\nnull: b", "bad-key"),
    ("a: {18446744073709551615: b}", "bad-key"),
    ("a: \x07", "control-character"),
    ("a: \0", "control-character"),
    ("%YAML 1.2\n---\na: 1", "yaml-syntax"),
    ("a: {{ .Values.x }}", "helm-template"),
    ("{{- if x }}\na: b", "helm-template"),
    ("a: [${X}]", "placeholder"),
    ("a: 1\n<<<<<<< HEAD\nb: 2", "merge-conflict"),
    ("```yaml\na: 1\n```", "markdown-fence"),
    ("a: 1\n--- {b: 2}", "document-separator"),
    ("a: 1\n----", "document-separator"),
)


@pytest.mark.parametrize("parser", [None, pure_parser])
@pytest.mark.parametrize(("text", "slug"), REFUSED)
def test_a_bad_text_is_named(text: str, slug: str, parser: Any) -> None:
    problems = read_text(text + "\n", parser=parser)[1]
    assert slug in [problem.slug for problem in problems if problem.is_error]


@needs_kubectl
@pytest.mark.parametrize("text", [text for text, _ in REFUSED])
def test_kubectl_refuses_the_bad_texts(text: str) -> None:
    assert refuses("apiVersion: v1\nkind: A\nmetadata: {name: a}\n" + text + "\n")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a:\n  b: 'c\n", 2, 6),
        ("a:\n\tb: c\n", 2, 1),
        ("a: 1\n---\nb: [\n", 3, 5),
        ("a: 1\nimage: {{ x }}\n", 2, 8),
        ("a: \u00e9\U0001f600\x01\n", 1, 6),
    ],
)
def test_an_error_points_into_the_file(text: str, line: int, column: int) -> None:
    (problem,) = read_text(text, "f.yaml")[1]
    assert problem.span.file == "f.yaml"
    assert problem.span.line == line
    if column != 5:  # where an unclosed bracket is noticed is the parser's affair
        assert problem.span.column == column


def test_an_error_in_one_document_leaves_the_others() -> None:
    documents, problems = read_text("a: 1\n---\nb: *x\n---\nc: 3\n--- x\n---\nd: 4\n")
    assert [document.value for document in documents] == [{"a": 1}, {"c": 3}, {"d": 4}]
    assert [(problem.slug, problem.span.line) for problem in problems] == [("unknown-anchor", 3), ("document-separator", 6)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n\n", []),
        ("# only a comment\n", []),
        ("---\n---\n", []),
        ("null\n---\n~\n", []),
        ("---\na: 1\n---   # next\nb: 2\n---\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\r\n---\r\nb: |\r\n  x\r\n  y\r\n", [{"a": 1}, {"b": "x\ny\n"}]),
        ("\ufeffa: 1\n---\n\ufeffb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n...\n---\nb: 2\n...\n", [{"a": 1}, {"b": 2}]),
        ("a: |\n  x\n  ---\n  y", [{"a": "x\n---\ny\n"}]),
        ("  a: 1\n  b: 2\n", [{"a": 1, "b": 2}]),
        ("- a\n- b\n", [["a", "b"]]),
        ("text\n", ["text"]),
    ],
)
def test_documents_are_separated_as_kubectl_does(text: str, expected: list[Any]) -> None:
    assert values(text) == expected


def test_a_separator_ends_a_quoted_scalar_too() -> None:
    assert slugs('a: "x\n---\ny"\n')[0] == "yaml-syntax"


def test_text_after_the_end_of_a_document_is_reported() -> None:
    documents, problems = read_text("a: 1\n...\n# note\nb: 2\n")
    assert [document.value for document in documents] == [{"a": 1}]
    assert [(problem.slug, problem.span.line) for problem in problems] == [("ignored-text", 4)]
    assert slugs("{a: 1}}\n")[-1:] == ["ignored-text"]


def test_repeated_keys_are_reported_and_the_last_one_counts() -> None:
    documents, problems = read_text("x: 0\na:\n  k: 1\n  'k': 2\n  z: 3\n  k: 4\n")
    assert documents[0].value == {"x": 0, "a": {"k": 4, "z": 3}}
    assert [(p.slug, p.message, p.span.line, p.hint) for p in problems] == [
        ("duplicate-key", 'key "k" already set in map', 4, "It is set in line 3 first; the last one counts."),
        ("duplicate-key", 'key "k" already set in map', 6, "It is set in line 4 first; the last one counts."),
    ]


def test_a_key_that_overrides_a_merged_one_is_no_repetition() -> None:
    assert slugs("x: &x {a: 1}\ny: {<<: *x, a: 2}\n") == ["merge-override"]


def test_keys_that_collide_in_json_are_reported() -> None:
    assert slugs("1: a\n'1': b\n") == ["colliding-keys"]
    assert slugs("true: a\n1: b\n1.0: c\n") == ["colliding-keys"]


def test_json_documents_follow_one_another() -> None:
    assert values('{"a": 1}{"b": 2.0}\n\n{"c": "\\ud83d\\ude00\\/"}') == [{"a": 1}, {"b": 2}, {"c": "\U0001f600/"}]


def test_numbers_in_json_are_those_of_the_server() -> None:
    text = '{"a": [1.0, 1e3, 9223372036854775808, -0, 1.5, 1E-7, 12345678901234567890123]}'
    assert values(text) == [{"a": [1, 1000, 9223372036854775808.0, 0, 1.5, 1e-07, 12345678901234567890123.0]}]
    assert slugs('{"a": 1}{"b": 2}{"c": 1e400}') == ["bad-number"]
    assert slugs('{"a": 1}{"b": 2}{"c": NaN}') == ["bad-number"]


def test_half_a_surrogate_pair_is_replaced_in_json() -> None:
    assert values('{"a": "\\ud800x"}') == [{"a": "\ufffdx"}]


def test_flow_style_that_is_no_json_is_yaml() -> None:
    assert values("{a: 1, b: [c]}\n---\nd: 2\n") == [{"a": 1, "b": ["c"]}, {"d": 2}]
    assert values('{"a": 1,}\n') == [{"a": 1}]


def test_yaml_may_follow_one_json_document() -> None:
    assert values('{"a": 1}\n---\nb: 2\n---\n{"c": 3}\n') == [{"a": 1}, {"b": 2}, {"c": 3}]


def test_escaped_surrogates_are_refused_where_json_is_read_as_yaml() -> None:
    assert slugs('a: 1\n---\n{"a": "\\ud83d\\ude00"}\n') == ["yaml-syntax"]


def test_repeated_keys_in_json_are_reported() -> None:
    documents, problems = read_text('{"a": {"k": 1,\n "k": 2}}')
    assert documents[0].value == {"a": {"k": 2}}
    assert [(p.slug, p.message, p.span.line) for p in problems] == [("duplicate-key", 'duplicate field "a.k"', 2)]


def test_bad_json_after_two_documents_is_not_tried_as_yaml() -> None:
    documents, problems = read_text('{"a": 1}\n{"b": 2}\n{"c"')
    assert len(documents) == 2
    assert [(p.slug, p.span.line) for p in problems] == [("json-syntax", 3)]


def test_lists_are_unfolded() -> None:
    documents, _ = read_text("kind: BList\napiVersion: v1\nitems:\n- {x: 1}\n- {kind: C}\n- null\n")
    assert [(document.value, document.prefix, document.index) for document in documents] == [
        ({"apiVersion": "v1", "kind": "B", "x": 1}, ("items", 0), 0),
        ({"kind": "C"}, ("items", 1), 0),
    ]


def test_a_list_in_a_list_stays_as_it_is() -> None:
    """kubectl flattens one level: conformance case named/kind/list-nested."""
    inner = {"kind": "List", "items": [{"kind": "A"}]}
    assert values(f"kind: List\nitems: [{inner}]\n") == [inner]


def test_a_field_named_items_alone_makes_no_list() -> None:
    assert values("kind: ConfigMap\nitems: [a]\n") == [{"kind": "ConfigMap", "items": ["a"]}]


def test_aliases_share_their_value() -> None:
    (value,) = values("a: &a {b: [1]}\nc: *a\n")
    assert value == {"a": {"b": [1]}, "c": {"b": [1]}}


BOMB = "x0: &x0 [a,a,a,a,a,a,a,a,a,a]\n" + "".join(f"x{i}: &x{i} [{','.join([f'*x{i - 1}'] * 10)}]\n" for i in range(1, 60))
MERGE_BOMB = "x0: &x0 {a: 1}\n" + "".join(f"x{i}: &x{i} {{<<: [{','.join([f'*x{i - 1}'] * 10)}]}}\n" for i in range(1, 60))


@pytest.mark.parametrize("text", [BOMB, MERGE_BOMB])
def test_an_alias_bomb_is_refused(text: str) -> None:
    assert slugs(text) == ["alias-bomb"]


def test_many_aliases_of_a_small_value_are_allowed() -> None:
    (value,) = values("a: &a [1, 2]\nb: [" + ",".join(["*a"] * 300) + "]\n")
    assert value["b"] == [[1, 2]] * 300


@pytest.mark.parametrize(
    "text",
    [
        "[" * 3000 + "]" * 3000,
        "\n".join(" " * level + "a:" for level in range(2000)),
        '{"a":' * 3000 + "1" + "}" * 3000,
        '{"a":' * 300 + "1" + "}" * 300,
        "x0: &x0 [a]\n" + "".join(f"x{i}: &x{i} [*x{i - 1}]\n" for i in range(1, 3000)),
        "x0: &x0 {a: 1}\n" + "".join(f"x{i}: &x{i} {{<<: *x{i - 1}}}\n" for i in range(1, 3000)),
        "- " * 3000,
    ],
)
def test_a_document_that_is_too_deep_is_refused(text: str) -> None:
    assert slugs(text) == ["too-deep"]


def test_two_hundred_levels_are_fine() -> None:
    assert slugs("a: " + "[" * 200 + "]" * 200) == []
    assert slugs('{"a": ' + "[" * 200 + "]" * 200 + "}") == []


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_bytes_are_decoded(codec: str) -> None:
    documents, problems = read_bytes("a: \u00e9\n---\nb: \U0001f600\n".encode(codec), "f")
    assert not problems
    assert [document.value for document in documents] == [{"a": "\u00e9"}, {"b": "\U0001f600"}]


def test_bytes_that_are_no_utf8_spoil_their_document_only() -> None:
    documents, problems = read_bytes(b"a: 1\n---\nb: \xe9\n---\nc: 3\n", "f")
    assert [document.value for document in documents] == [{"a": 1}, {"c": 3}]
    assert [(p.slug, p.span.line, p.span.column) for p in problems] == [("not-utf8", 3, 4)]


# Laws

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
WORDS = st.sampled_from(["a", "yes", "0644", "1e3", "~", "a: b", "- x", "#", "'", '"', "x y", "\u00e9", "{a}", "[", "1_0", "on", ""])
LEAF = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXT | WORDS
TREE = st.recursive(LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT | WORDS, inner, max_size=4), max_leaves=14)


def written(tree: Any, flow: bool | None) -> str:
    import yaml  # type: ignore[import-untyped, unused-ignore]

    text: str = yaml.safe_dump(tree, allow_unicode=True, default_flow_style=flow, sort_keys=False)
    return text


def is_kubernetes_safe(tree: Any) -> bool:
    """PyYAML leaves the words unquoted that only go-yaml takes for other types, and writes breaks that kubectl does not know."""
    if isinstance(tree, str):
        return tree not in ("y", "n", "Y", "N") and not any(character in tree for character in "\x85\u2028\u2029\ufeff") and not _is_odd_number(tree)
    if isinstance(tree, dict):
        return all(is_kubernetes_safe(part) for part in (*tree.keys(), *tree.values()))
    return not isinstance(tree, list) or all(is_kubernetes_safe(item) for item in tree)


def _is_odd_number(text: str) -> bool:
    from jobset_compiler.source.scalars import resolve

    return resolve(text) != text


@settings(max_examples=150, deadline=None)
@given(TREE.filter(is_kubernetes_safe), st.sampled_from([True, False, None]))
def test_what_is_written_is_read(tree: Any, flow: bool | None) -> None:
    documents, problems = read_text("---\n" + written([tree], flow))
    assert {problem.slug for problem in problems} <= {"odd-blank", "curly-quotes"}
    assert documents[0].value == [tree]


@pytest.mark.skipif(not has_libyaml(), reason="ruamel.yaml.clib is not installed")
@settings(max_examples=60, deadline=None)
@given(TREE, st.sampled_from([True, False, None]))
def test_both_parsers_read_the_same(tree: Any, flow: bool | None) -> None:
    text = written([tree], flow)
    fast, slow = read_text(text), read_text(text, parser=pure_parser)
    assert [document.value for document in fast[0]] == [document.value for document in slow[0]]
    assert [problem.slug for problem in fast[1]] == [problem.slug for problem in slow[1]]


# Texts with a line break that only YAML 1.1 knows, here `~`: what kubectl reads with U+0085 for it, and where U+2028 stays in the value.
BREAKS: tuple[tuple[str, Any, Any], ...] = (
    ("a: 'b~c'", {"a": "b c"}, {"a": "b\u2028c"}),
    ('a: "b~c"', {"a": "b c"}, {"a": "b\u2028c"}),
    ('a: "b\\~  c"', {"a": "bc"}, {"a": "bc"}),
    ("a: [b~c]", {"a": ["b c"]}, {"a": ["b\u2028c"]}),
    ("[a,~b]", ["a", "b"], ["a", "b"]),
    ("a: b~\n  c", {"a": "b\nc"}, {"a": "b\u2028\nc"}),
    ("a: b~", {"a": "b"}, {"a": "b"}),
    ("a: b~# c", {"a": "b"}, {"a": "b"}),
    ("a: |\n  b~\n  c", {"a": "b\n\nc\n"}, {"a": "b\u2028\nc\n"}),
    # What follows begins a line of its own, at its first column.
    ("a:~  b: c", {"a": None, "b": "c"}, {"a": None, "b": "c"}),
)
BAD_BREAKS = ("a: b~c", "a:~b", "a~: b", "- a~- b", "a: |~  b\n", "a: |\n  b~  c", "a: &x~b", "a: !!str~b", "'a~b': c", "a: b~~ c")


def nested(text: str) -> str:
    return "value:\n" + "".join(f"  {line}\n" for line in text.split("\n"))


@pytest.mark.parametrize("parser", [None, pure_parser])
@pytest.mark.parametrize(("text", "next_line", "line_separator"), BREAKS)
def test_line_breaks_of_yaml_1_1(text: str, next_line: Any, line_separator: Any, parser: Any) -> None:
    for character, expected in (("\x85", next_line), ("\u2028", line_separator)):
        documents, problems = read_text(nested(text.replace("~", character)), parser=parser)
        assert [document.value for document in documents] == [{"value": expected}]
        assert not problems


@pytest.mark.parametrize("parser", [None, pure_parser])
@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("text", BAD_BREAKS)
def test_line_breaks_of_yaml_1_1_where_no_line_can_end(text: str, character: str, parser: Any) -> None:
    documents, problems = read_text(nested(text.replace("~", character)), parser=parser)
    assert not documents
    assert [problem.slug for problem in problems] == ["yaml-syntax"]


@needs_kubectl
def test_kubectl_has_these_line_breaks() -> None:
    texts = [(text.replace("~", character), value) for text, *values in BREAKS for character, value in zip("\x85\u2028", values, strict=True)]
    assert read_values([text for text, _ in texts]) == [value for _, value in texts]
    head = "apiVersion: v1\nkind: A\nmetadata: {name: a}\n"
    for text in BAD_BREAKS:
        assert refuses(head + nested(text.replace("~", "\x85"))), text


GOOD = 'apiVersion: v1\nkind: A\nmetadata:\n  name: \'a\'\nspec:\n- b: [c, {d: "e"}]\n- |\n  f\n---\n{"g": 1}\n'
MUTATIONS = st.sampled_from(
    ["", " ", "  ", "\n", "\n- ", ": ", "#", "'", '"', "|", ">", "[", "}", ",", "&a ", "*a", "!!str ", "? ", "\t", "\r", "\x85", "\u2028", "...", "\x07"]
)


@pytest.mark.skipif(not has_libyaml(), reason="ruamel.yaml.clib is not installed")
@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 2), MUTATIONS), max_size=4))
def test_both_parsers_read_or_refuse_the_same(mutations: list[tuple[int, int, str]]) -> None:
    text = GOOD
    for position, length, piece in mutations:
        text = text[:position] + piece + text[position + length :]
    fast, slow = read_text(text, parser=libyaml_parser), read_text(text, parser=pure_parser)
    assert [document.value for document in fast[0]] == [document.value for document in slow[0]]
    # An error is found by other words, and perhaps a line later.
    assert [problem.span.file for problem in fast[1]] == [problem.span.file for problem in slow[1]]


@pytest.mark.parametrize("text", [text for text, _ in VALUES] + [text for text, _ in REFUSED])
def test_both_parsers_agree_on_the_tables(text: str) -> None:
    fast, slow = read_text(text), read_text(text, parser=pure_parser)
    assert [document.value for document in fast[0]] == [document.value for document in slow[0]]
    assert [problem.slug for problem in fast[1]] == [problem.slug for problem in slow[1]]


@settings(max_examples=60, deadline=None)
@given(st.lists(TREE.filter(is_kubernetes_safe), max_size=4))
def test_concatenated_documents_are_read_one_by_one(trees: list[Any]) -> None:
    documents, problems = read_text("".join("---\n" + written([tree], False) for tree in trees))
    assert {problem.slug for problem in problems} <= {"odd-blank", "curly-quotes"}
    assert [document.value for document in documents] == [[tree] for tree in trees]


@settings(max_examples=80, deadline=None)
@given(st.text(st.sampled_from('a: -\n#{"1'), max_size=60), st.integers(1, 7))
def test_blocks_do_not_matter(text: str, size: int) -> None:
    blocks = [text[start : start + size] for start in range(0, len(text), size)]

    def shown(parts: list[str]) -> list[Any]:
        return [
            (found.value, found.start, found.start_line, found.text)
            if isinstance(found, Document)
            else (found.slug, found.message, found.span, found.hint, found.fixes)
            for found in iter_documents(parts, "f")
        ]

    assert shown(blocks) == shown([text])


GARBAGE = st.one_of(
    st.text(max_size=80),
    st.text(st.characters(codec="utf-16"), max_size=60),
    st.text(st.sampled_from("{}[]:,-?&*!|>'\"%@`# \t\n"), max_size=60),
    st.binary(max_size=80).map(lambda data: data.decode("latin-1")),
    st.text(st.characters(categories=("Cc", "Cs", "Cf")), max_size=40),
    st.integers(0, 2**32).map(lambda seed: "".join(random.Random(seed).sample(GOOD, len(GOOD)))),
    st.integers(0, len(GOOD)).map(lambda cut: GOOD[:cut]),
    st.tuples(st.integers(0, len(GOOD)), st.text(max_size=3)).map(lambda edit: GOOD[: edit[0]] + edit[1] + GOOD[edit[0] :]),
    st.text(st.sampled_from('{"a:1,}[]\\u0 -.e'), max_size=60).map(lambda text: "{" + text),
    st.lists(st.sampled_from(["&a ", "*a", "<<: ", "- ", "a: ", "\n", "!!int ", "[", "]", "...", "---", "1"]), max_size=25).map("".join),
)


@settings(max_examples=400, deadline=None)
@given(GARBAGE)
def test_garbage_never_raises(text: str) -> None:
    documents, problems = read_text(text)
    for document in documents:
        document.locate(("metadata", "name", 0))
    for problem in problems:
        assert problem.slug in BY_SLUG
        assert problem.span.line >= 1
        assert problem.span.column >= 1


@pytest.mark.parametrize(
    "text",
    ["a:", "a: \n\n# x\n", "a: # x\nb: c", "- a:\n- b:\n", "a:\n-\n", "a: &x\nb: !!null\n", "a: {b: , c: 1}", "a: [b: , c]", "a: [b:\n]"],
)
def test_what_is_not_there_has_the_same_place_for_both_parsers(text: str) -> None:
    ours, theirs = (read_text(text, parser=parser)[0][0] for parser in (default_parser, pure_parser))
    for path in ((), ("a",), ("a", "b"), ("b",), (0,), (0, "a"), (1, "b", "c"), ("a", 0)):
        assert ours.locate(path) == theirs.locate(path), path
        assert ours.locate_key(path) == theirs.locate_key(path), path


@pytest.mark.parametrize("parser", [default_parser, pure_parser])
@pytest.mark.parametrize("before", ["%YAML 1.1\r", "%YAML 1.1\r%TAG ! tag:acme,2026:\r", "%YAML 1.1\r# c\r \r"])
def test_a_directive_with_its_document_behind_breaks_that_do_not_cut_the_text(before: str, parser: Any) -> None:
    documents, problems = read_text(before + "---\rkind: X\r", parser=parser)
    assert [document.value for document in documents] == [{"kind": "X"}] and not problems
    _, problems = read_text(before + "kind: X\r", parser=parser)
    assert [problem.is_error for problem in problems] == [True]


@pytest.mark.parametrize("parser", [default_parser, pure_parser])
@pytest.mark.parametrize("text", ["- a\n%YAML 1.1\n", "-\n%TAG !x! y\nb: c\n"])
def test_a_directive_behind_a_document_is_text_that_is_not_read(text: str, parser: Any) -> None:
    documents, problems = read_text(text, parser=parser)
    assert len(documents) == 1 and [problem.slug for problem in problems] == ["ignored-text"]


@pytest.mark.parametrize("parser", [default_parser, pure_parser])
@pytest.mark.parametrize("text", ["a: [b", "a: [b: c,", 'a: "b', "a: {", "%YAML 1.1", "a: 'b\n"])
def test_no_place_is_beyond_the_end(text: str, parser: Any) -> None:
    (problem,) = read_text(text, parser=parser)[1]
    lines = text.split("\n")
    assert problem.span.end_line <= len(lines) and problem.span.end_column <= len(lines[problem.span.end_line - 1]) + 1


@settings(max_examples=60, deadline=None)
@given(GARBAGE)
def test_garbage_never_raises_in_the_pure_parser(text: str) -> None:
    read_text(text, parser=pure_parser)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=80))
def test_bytes_never_raise(data: bytes) -> None:
    read_bytes(data, "f")


@pytest.mark.parametrize("parser", [default_parser, pure_parser])
def test_a_directive_with_more_behind_its_version_is_none(parser: Any) -> None:
    documents, problems = read_text("- a\n%YAML 1.1  - b\n", parser=parser)
    assert not documents and [problem.is_error for problem in problems] == [True]
