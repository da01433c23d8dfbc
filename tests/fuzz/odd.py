"""Text and values on which something, somewhere, has broken."""

from __future__ import annotations

from typing import Any

# Control characters, bidirectional text, blanks that are none, letters of four bytes.
LETTERS = "\0\x01\x07\x08\t\x0b\x0c\r\x1b\x7f\x85\x9b\xa0\xad\u061c\u200b\u200f\u2028\u2029\u202e\u2066\u3000\ufeff\ufffd\ufffe\uffff\U0001f600\U000e0001é²٣"

# Words that YAML 1.1, YAML 1.2, Go or people take for something else.
WORDS = (
    "", " ", "~", "null", "Null", "true", "True", "yes", "No", "on", "OFF", "y", "n", "0", "-0", "+1", "007", "0o17", "0x1F", "0b11", "1_000",
    "12:30", "1:2:3", "1e3", "1e-5", "1E400", "-1e400", ".5", "5.", ".inf", "-.Inf", "+.INF", ".nan", ".NaN", "2001-12-14",
    "2001-12-14t21:59:43.10-05:00", "<<", "=", "-", "--", "---", "...", "?", ":", "!", "!!str", "&a", "*a", "|", ">", "|-", ">+2", "%", "%YAML 1.1",
    "@", "`", "#", " #", "a #b", "a: b", "a:", ":a", "[", "]", "{", "}", ",", "[]", "{}", "''", '""', "'", '"', "\\", "\\x", "{{ .Values.x }}",
    "${X}", "$(X)", "9223372036854775807", "9223372036854775808", "18446744073709551616", "-9223372036854775809", "2147483648", "9" * 40,
    "0." + "0" * 30 + "1", "1Gi", "-1Gi", "1.5m", "1e3Mi", "0.1n", "1Ki1", "100%", "-5%", "²", "::error::x", "##[error]x", "\x1b[2J", "\u202etxt",
    "a\u2028b", "a\x85b", "a\nb", "a\n\nb\n", "\n", "\n\n", " a", "a ", "\ta", "a\t", "a" * 64, "a" * 254, "x" * 1030, "-a", "a.", "A_b", "é", "_",
    "/", "a/b/c", "../../etc/passwd", "@octocat", "<img src=x>", "`x`", "|x|", "JSC801", "jobset-compiler: ignore JSC801",
)  # fmt: skip

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 7, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63), 10**30, 0.5, -0.0, 1.0, 1e21, 1e-7, 1e308, [], {}, [None], [[]],
    [{}], {"": None}, {"name": "a"}, [{"name": "a"}, {"name": "a"}], [{"name": None}], {"a": {"b": {"c": []}}},
)  # fmt: skip

# What a text is made of between its values.
TOKENS = (
    *WORDS, ": ", "- ", "? ", "\n", "\r\n", "\r", "\n\n", "  ", "\t", "\n---\n", "\n--- ", "\n...\n", "\n# x\n",
    " # jobset-compiler: ignore JSC801\n", "&a ", "*a ", "!!int ", "!!binary ", "!x ", "<<: *a", "<<: {a: b}", "|\n", ">-\n", "|2\n", "'", '"', "{",
    "}", "[", "]", ",", "\\u0000", "\\ud800", "\\x85", "\\N", "\\/", "\ufeff", "kind: List\n", "items:\n",
    "apiVersion: trainer.kubeflow.org/v1alpha1\n", "kind: TrainJob\n", "kind: ClusterTrainingRuntime\n", "metadata: {name: a}\n", "%YAML 1.2\n---\n",
)  # fmt: skip
