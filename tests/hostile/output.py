"""What no output may have in it, whatever the input is."""

from __future__ import annotations

import re

# C0 (but line breaks and tabs), DEL, C1, line separators, bidirectional controls.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
# What a runner of GitHub, Azure or TeamCity takes for a command, in the output of a writer that does not write commands.
COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)


def raw_controls(text: str) -> list[str]:
    """The characters that a terminal would act on."""
    return RAW.findall(text)


def commands(text: str) -> list[str]:
    """The lines that a CI runner would act on."""
    return [line for line in text.split("\n") if COMMAND.search(line)]
