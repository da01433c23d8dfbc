"""A compile is a function of its arguments: no socket, clock, randomness, environment or file is touched, nothing is changed."""

from __future__ import annotations

import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler import pipeline
from jobset_compiler.diagnostics import addresses
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.source.reader import read_text

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))

# Runs after a first compile has imported everything and read the bundled runtime.
PROBE = """
import os, sys, time, random
import jobset_compiler as jc
text = open(sys.argv[1]).read()
first = jc.compile_yaml(text)
[d.line for d in first.diagnostics], first.podsets, first.requirements
first = first.to_yaml()
touched = []
sys.addaudithook(lambda event, args: touched.append((event, args)) if event.split(".")[0] in
                 ("socket", "open", "subprocess", "os", "urllib", "shutil", "tempfile") else None)
def refuse(name):
    def call(*args, **kwargs):
        touched.append((name, args))
        return 0
    return call
for module, names in ((time, ("time", "monotonic", "perf_counter", "time_ns")), (random, ("random", "randint", "getrandbits"))):
    for name in names:
        setattr(module, name, refuse(name))
class Environment(dict):
    def __getitem__(self, key):
        touched.append(("environ", key))
        raise KeyError(key)
    def get(self, key, default=None):
        touched.append(("environ", key))
        return default
os.environ = Environment()
result = jc.compile_yaml(text)
assert result.to_yaml() == first
[(d.line, d.message) for d in result.diagnostics]
result.podsets, result.requirements
assert not touched, touched[:5]
print("pure")
"""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda f: f.name)
def test_a_compile_touches_nothing(example: Path) -> None:
    run = subprocess.run([sys.executable, "-c", PROBE, str(example)], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.stdout == "pure\n", run.stderr


@pytest.mark.parametrize("profile", ["v2.2", "v2.3"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda f: f.name)
def test_no_stage_changes_what_it_is_given(example: Path, profile: str) -> None:
    """The trees of documents and of the remembered bundled runtimes are shared by all stages: none may be written to."""
    documents, _ = read_text(example.read_text())
    release = find(profile)
    assert release is not None
    options = Options(profile=release)
    shared = [document.value for document in documents]
    first = pipeline.compile_documents(documents, (), options)
    plans = [unit.plan for unit in first.units]
    shared += [tree for plan in plans for tree in (plan.runtime.typed, plan.runtime.document.value, plan.job.typed, plan.template)]
    before = deepcopy(shared)
    second = pipeline.compile_documents(documents, (), options)
    for compilation in (first, second):
        assert compilation.podsets is not None and compilation.requirements is not None
        for manifest in compilation.objects:
            for leaf in addresses.leaves(manifest):
                compilation.origin_of(manifest, addresses.text(addresses.keyed(manifest, leaf)))
    assert shared == before
    assert first.objects == second.objects


def test_what_a_caller_does_to_the_objects_stays_with_them() -> None:
    text = EXAMPLES[0].read_text()
    before = jc.compile_yaml(text).to_yaml()
    ruined = jc.compile_yaml(text)
    for manifest in ruined.objects:
        ruin(manifest)
    assert jc.compile_yaml(text).to_yaml() == before


def ruin(value: Any) -> None:
    for item in list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
        ruin(item)
    if isinstance(value, (dict, list)):
        value.clear()
