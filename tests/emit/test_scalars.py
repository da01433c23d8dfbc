from __future__ import annotations

import pytest
import yaml
from ruamel.yaml import YAML
from ruamel.yaml.nodes import ScalarNode

from jobset_compiler.emit.scalars import block_scalar, flow_scalar, well_formed

STRING = ("tag:yaml.org,2002:str", "Tag('tag:yaml.org,2002:str')")

BOOLEANS = [
    spelling
    for word in ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
    for spelling in (word, word.upper(), word.capitalize())
]
NUMBERS = [
    *("0", "1", "-1", "+1", "017", "08", "-08", "018", "0644", "0o17", "0O17", "-0o17", "0b11", "0B11", "+0b11"),
    *(
        "0x1F",
        "0X1f",
        "-0x1F",
        "1_000",
        "1__0",
        "1_",
        "-_",
        "+_1",
        "0_x1F",
        "0x_",
        "0b_",
        "0o_7",
        "9223372036854775808",
    ),
    *("1e3", "1E3", "3e-4", "1e+3", "6E01", "1e-05", ".5", "5.", "-.5", "+5.", "1.5", "1._5", "._", "._e+5", "1.e+5"),
    *(".inf", "-.inf", "+.Inf", ".INF", ".nan", ".NaN", ".NAN"),
]
MOMENTS = [
    *("12:30", "12:34:56", "-1:30", "+1:30", "1_0:30", "190:20:30.15", "1:0", "08:30"),
    *("2001-12-14", "2001-1-4", "2001-13-01", "2001-12-14T21:59:43Z", "2001-12-14t21:59:43.10-05:00"),
    *("2001-12-14 21:59:43.10 -5", "2001-12-14 21:59:43"),
]


@pytest.mark.parametrize("text", [*BOOLEANS, *NUMBERS, *MOMENTS, "", "~", "=", "<<", "yEs", "NuLL"])
def test_a_text_some_reader_takes_for_another_type_is_in_double_quotes(text: str) -> None:
    assert flow_scalar(text) == f'"{text}"'


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a: b",
            "a:",
            ":",
            "?",
            "? a",
            ": a",
            "-",
            "- a",
            "a #b",
            "#x",
            "*",
            "*a",
            "&a",
            "!a",
            "!",
            "|",
            "> ",
            "%a",
            "@a",
            "`",
        ),
        *(
            " a",
            "a ",
            " ",
            "{}",
            "[]",
            "{a",
            "]",
            "}",
            ",",
            '"a"',
            '"',
            "---",
            "--- a",
            "---a",
            "...",
            "...a",
            "é: b",
            "1: 2",
        ),
        *("\xa0", "\u3000a", "\xa0{", "1 #2", "-: ", "2001-12-14: x"),
    ],
)
def test_a_text_only_the_syntax_forbids_plain_is_in_single_quotes(text: str) -> None:
    assert flow_scalar(text) == f"'{text}'"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "name",
            "job-node-0-0.job",
            "ghcr.io/kubeflow/trainer/torch-runtime:v2.3.0",
            "/bin/bash",
            "500m",
            "100Mi",
            "1Gi",
        ),
        *(
            "-c",
            "--lr=1e-3",
            "--",
            "-x",
            "1.2.3",
            "10.0.0.1",
            "10.0.0.1:8080",
            "12:345",
            "1e",
            "0b",
            "0x",
            "0b12",
            "08a",
        ),
        *(
            "3f0c8a52-6d1b-4e57-9a34-0b7d1c2e9f10",
            "2024-01",
            "2001-12-14x",
            "a:b",
            "http://a/b?c=d&e#f",
            "a#b",
            "a, b",
            "a[0]",
        ),
        *(
            ":a",
            "?a",
            "a'b",
            'a"b',
            "a\\nb",
            "$(VAR)",
            "metadata.annotations['x/y']",
            "==",
            "<",
            "<<<",
            "~/x",
            "~b",
        ),
        *(
            "nope",
            "yesterday",
            "inf",
            "nan",
            "-inf",
            "Infinity",
            ".",
            "..",
            "./a",
            ".hidden",
            "+",
            "+a",
            "_",
            "_1",
            "a  b",
        ),
        *("é", "日本", "😀 ok", "a\xa0b", "٣", "０"),
        "a word after another " * 20 + "end",
    ],
)
def test_everything_else_is_plain(text: str) -> None:
    assert flow_scalar(text) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("it's: so", "'it''s: so'"),
        ("'", "''''"),
        ("a\nb", '"a\\nb"'),
        ("a\tb", '"a\\tb"'),
        ("\r", '"\\r"'),
        ('"\x00\\\x1b', '"\\"\\0\\\\\\e"'),
        ("\x01\x7f\x85", '"\\x01\\x7F\\x85"'),
        ("\u2028\u2029\ufeff\uffff", '"\\u2028\\u2029\\uFEFF\\uFFFF"'),
        # Bidirectional overrides would show another text than the one that runs.
        ("a\u202eb\u2066", '"a\\u202Eb\\u2066"'),
        ("a\u061cb\u200e\u200f", '"a\\u061Cb\\u200E\\u200F"'),
    ],
)
def test_escapes(text: str, written: str) -> None:
    assert flow_scalar(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\nb", "|-\n    a\n    b\n"),
        ("a\nb\n", "|\n    a\n    b\n"),
        ("a\n", "|\n    a\n"),
        ("a\n\n", "|+\n    a\n\n"),
        ("a\n\n\n", "|+\n    a\n\n\n"),
        ("a\n\nb", "|-\n    a\n\n    b\n"),
        (" a\nb", "|2-\n     a\n    b\n"),
        ("\na", "|2-\n\n    a\n"),
        ("\n\n a\n\n", "|2+\n\n\n     a\n\n"),
        ("\ta\nb", "|2-\n    \ta\n    b\n"),
        ("if a; then\n\tb\nfi\n", "|\n    if a; then\n    \tb\n    fi\n"),
        ("a: b\n# c\n---\n", "|\n    a: b\n    # c\n    ---\n"),
        ("é\n😀", "|-\n    é\n    😀\n"),
    ],
)
def test_a_literal_block(text: str, written: str) -> None:
    assert block_scalar(text, "  ") == written


@pytest.mark.parametrize(
    "text",
    [
        "\n",
        "\n\n",
        "a \nb",
        "a\n ",
        "a\n \n",
        "a\t\nb",
        "a\n\t",
        "a\r\nb",
        "a\n\x00",
        "a\n\x85",
        "a\n\u2028",
        "\ufeff\n",
    ],
)
def test_no_literal_block(text: str) -> None:
    assert block_scalar(text, "  ") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\udc00", "\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("é😀", "é😀"),
        ("a", "a"),
    ],
)
def test_surrogates_are_resolved_as_go_does(text: str, expected: str) -> None:
    assert well_formed(text) == expected


def test_quoting_covers_the_resolvers_of_both_python_readers() -> None:
    """Every text of up to four characters over the alphabet of numbers: plain only where both readers see a string."""
    resolvers = (
        (yaml.SafeLoader("").resolve, yaml.ScalarNode),
        (YAML(typ="safe", pure=True).resolver.resolve, ScalarNode),
    )
    misread: list[str] = []
    texts = [""]
    for _ in range(4):
        texts = [text + character for text in texts for character in "017_.:e+-xo"]
        plain = [text for text in texts if flow_scalar(text) == text]
        for resolve, node in resolvers:
            misread += [text for text in plain if str(resolve(node, text, (True, False))) not in STRING]
    assert misread == []
