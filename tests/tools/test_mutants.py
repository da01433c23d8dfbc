"""What `tools/mutants.py` tells of a little project, and the faults that it knows."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest
from syrupy.assertion import SnapshotAssertion

import faults

ROOT = Path(__file__).resolve().parent.parent.parent
MODULE = '''\
"""Ends of things."""

from functools import cache


def is_long(text):
    """A docstring is no statement."""
    return len(text) > 3


@cache
def doubled(number):
    if number == 0:
        return 0
    return number + number


class Box(list):
    def __init__(self, items):
        super().__init__(sorted(items))

    def first(self):
        return self[0]


def unseen():
    return "nobody"


def shorter_than(most):
    def check(text):
        return len(text) < most

    return check


is_short = shorter_than(3)
'''
TESTS = """\
from jobset_compiler.ends import Box, doubled, is_long, is_short


def test_long():
    assert is_long("abcde") and not is_long("ab")


def test_short():
    assert is_short("ab") and not is_short("abc")


def test_doubled():
    assert doubled(2) == 4


def test_box():
    assert Box([2, 1]).first() == 1
"""
RUN = "import pathlib, sys, mutants; sys.exit(mutants.main(sys.argv[2:], root=pathlib.Path(sys.argv[1])))"


def told(project: Path, *arguments: str) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(project), str(ROOT / "tools"))), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-c", RUN, str(project), *arguments]
    run = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=True, timeout=120)
    return [line for line in run.stdout.splitlines() if line.startswith("jobset_compiler/") or " noticed: " in line]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_no_test_notices_is_told(tmp_path: Path) -> None:
    for file, text in (("jobset_compiler/__init__.py", ""), ("jobset_compiler/ends.py", MODULE), ("tests/test_ends.py", TESTS)):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    lines = tmp_path / "build" / "lines.jsonl"
    assert told(tmp_path, "--seed", "5", "--lines", str(lines)) == [
        "jobset_compiler/ends.py:14: reached by no test: return 0  ->  return None",
        "jobset_compiler/ends.py:27: reached by no test: 'nobody'  ->  'XXnobody'",
        "jobset_compiler/ends.py:8: not noticed, tests: 1: 3  ->  4",
        "jobset_compiler/ends.py:34: reached by no test: return check  ->  return None",
        "4 of 8 noticed: 50.0 %",
    ]
    assert lines.read_text(encoding="utf-8").count("\n") == 4
    assert told(tmp_path, "--seed", "6", "--sample", "2", "--lines", str(lines))[-1] == "1 of 2 noticed: 50.0 %"
    (some,) = told(tmp_path, "--sample", "2", "--lines", str(lines), "nowhere.py")
    assert some == "0 of 0 noticed: 0.0 %"


STATEMENTS = (
    "a < b",
    "x = a is not b",
    "x = a and b or c",
    "x = not a",
    "x += a % 2",
    "return True",
    "return None",
    "return f'a{b:>3}'",
    "return 'a' if b else c",
    "return [a for a in b if a if c]",
    "return a[1:-b]",
    "return max(a, b)",
    "return max(*a, b)",
    "return sorted(a)",
    "return sorted(a, key=b)",
    "f(a)",
    "assert a and b",
    "raise AssertionError(f'{a!r} and' + 'b')",
    "raise ValueError('b')",
    "a: 'A' = b",
    "'a text alone'",
    "while a:\n    break",
    "if a:\n    pass",
    "def inner(a=1) -> 'A':\n    return a",
)


def test_faults_of_statements(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    lines = []
    for statement in STATEMENTS:
        text = "@cache\ndef function():\n    'A docstring.'\n" + indent(statement, "    ")
        (tmp_path / "m.py").write_text(text, encoding="utf-8")
        lines += ["", statement]
        for spot in faults.spots("m.py", text):
            fault = faults.fault_at(spot, tmp_path)
            assert fault is not None and (fault.function, fault.begins) == ("function", 1)
            lines.append(f"  {spot.kind}: " + f"{fault.before}  ->  {fault.after}".replace("\n", "\n      "))
    assert "\n".join(lines) == snapshot


def test_a_fault_in_the_package_is_another_function() -> None:
    files = random.Random(3).sample(sorted((ROOT / "jobset_compiler").rglob("*.py")), 30)
    found = [spot for file in files for spot in faults.spots(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))]
    for spot in random.Random(3).sample(found, 30):
        fault = faults.fault_at(spot, ROOT)
        if fault is not None:
            module = compile((ROOT / spot.file).read_text(encoding="utf-8"), str(ROOT / spot.file), "exec", dont_inherit=True)
            (right,) = [code for code in faults.codes_in(module) if (code.co_name, code.co_firstlineno) == (fault.function, fault.begins)]
            assert right != fault.code and fault.before != fault.after
