"""What a start of the command costs, counted and not timed (benchmarks/cold_start.py times it): modules, named tuples, annotations as text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Counts what it counts and then does what the console script does.
COUNTED = """
import json, os, sys, typing
counts = {"texts": [], "tuples": []}
made, converted = typing.NamedTupleMeta.__new__, typing.ForwardRef.__init__
def make(*arguments):
    counts["tuples"].append(arguments[1])
    return made(*arguments)
def convert(self, text, *arguments, **others):
    counts["texts"].append(text)
    return converted(self, text, *arguments, **others)
typing.NamedTupleMeta.__new__, typing.ForwardRef.__init__ = make, convert
from jobset_compiler.cli import main
code = main(["render", "--no-config", "examples/01-torch-multi-node.yaml"])
counts["modules"] = sorted(name for name in sys.modules if name.startswith("jobset_compiler"))
print(json.dumps({"code": code, **counts}), file=sys.stderr)
"""


def test_a_render_imports_little() -> None:
    run = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, cwd=ROOT, check=True)
    counts = json.loads(run.stderr)
    assert counts["code"] == 0
    # The first annotation that is text costs a quarter of a bare interpreter's start, as Python then makes its syntax trees.
    assert counts["texts"] == []
    # Each costs as much as two small modules: `value.Frozen` does the same.
    assert counts["tuples"] == []
    assert len(counts["modules"]) <= 165
