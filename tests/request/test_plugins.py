"""Discovery of passes: what can be wrong with a distribution becomes a diagnostic that names it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jobset_compiler as jc
from jobset_compiler.passes.api import CHECK, CONTAINERS, SIZE, STAGES, Pass
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.pipeline import compile_documents
from jobset_compiler.request.options import Options
from jobset_compiler.request.plugins import discover, in_order
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = """
from jobset_compiler.passes.api import Pass
def when(plan): return True
def run(plan): return iter(())
ONE = Pass("{name}.one", "containers", when, run)
TWO = Pass("{name}.two", "check", when, run)
BOTH = [TWO, ONE]
def function(): return (ONE,)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Make a distribution with one module and one entry point in a folder of its own; returns the folders so far."""
    folders: list[str] = []

    def make(name: str, code: str, target: str = "BOTH", version: str = "1.0") -> list[str]:
        folder = tmp_path / name
        info = folder / f"{name}-{version}.dist-info"
        info.mkdir(parents=True)
        (folder / f"{name}_module.py").write_text(code.replace("{name}", name))
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[jobset_compiler.passes]\nentry = {name}_module:{target}\n")
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(sys.modules, f"{name}_module", raising=False)
        folders.append(str(folder))
        return list(folders)

    return make


def names(path: list[str]) -> list[str]:
    return [step.name for step in discover(path).passes if step not in BUILTIN]


@pytest.mark.parametrize(("target", "expected"), [("ONE", ["good.one"]), ("BOTH", ["good.one", "good.two"]), ("function", ["good.one"])])
def test_an_entry_point_is_a_pass_a_sequence_or_a_function(install: Callable[..., list[str]], target: str, expected: list[str]) -> None:
    path = install("good", GOOD, target)
    found = discover(path)
    assert found.diagnostics == ()
    assert names(path) == expected
    assert {step.distribution for step in found.passes if step not in BUILTIN} == {"good 1.0"}


def test_nothing_installed_is_just_the_built_in_passes(tmp_path: Path) -> None:
    assert discover([str(tmp_path), str(tmp_path / "missing")]).passes == BUILTIN


@pytest.mark.parametrize(
    ("code", "target", "slug", "message"),
    [
        (
            "raise ImportError('no such thing')",
            "X",
            "plugin-not-loaded",
            "LOADING cannot be loaded (bad_module:X): ImportError: no such thing",
        ),
        ("", "MISSING", "plugin-not-loaded", "LOADING cannot be loaded (bad_module:MISSING): AttributeError: module 'bad_module' has no attribute 'MISSING'"),
        ("def f(): 1 / 0", "f", "plugin-not-loaded", "LOADING cannot be loaded (bad_module:f): ZeroDivisionError: division by zero"),
        ("X = 7", "X", "plugin-invalid", "ENTRY gives int, not passes"),
        ("X = ['torch']", "X", "plugin-invalid", "ENTRY: 'torch' is no Pass"),
        (GOOD + "\nX = ONE._replace(stage='later')", "X", "plugin-invalid", "ENTRY: pass bad.one has the stage 'later'; known are STAGES"),
        (GOOD + "\nX = ONE._replace(brings=('x',))", "X", "plugin-invalid", "ENTRY: pass bad.one: brings is a tuple of Brings, not ('x',)"),
        (GOOD + "\nX = ONE._replace(reserves='ACME')", "X", "plugin-invalid", "ENTRY: pass bad.one: reserves is a tuple of str, not 'ACME'"),
        (GOOD + "\nX = ONE._replace(name='torch')", "X", "plugin-invalid", "ENTRY: pass 'torch' needs the name of its maker in front, as in acme.torch"),
    ],
)
def test_what_is_wrong_is_said_with_the_distribution(install: Callable[..., list[str]], code: str, target: str, slug: str, message: str) -> None:
    found = discover(install("bad", code, target))
    assert found.passes == BUILTIN
    (diagnostic,) = found.diagnostics
    assert (diagnostic.slug, diagnostic.severity) == (slug, "error")
    entry, loading = "entry point bad_module:X of distribution bad 1.0", "passes of distribution bad 1.0"
    assert diagnostic.message == message.replace("ENTRY", entry).replace("LOADING", loading).replace("STAGES", ", ".join(STAGES))
    assert "--no-plugins" in diagnostic.hint


def test_one_bad_distribution_does_not_hide_another(install: Callable[..., list[str]]) -> None:
    install("bad", "raise RuntimeError")
    path = install("good", GOOD)
    assert names(path) == ["good.one", "good.two"]
    assert len(discover(path).diagnostics) == 1


def test_a_distribution_is_hidden_by_the_same_one_in_an_earlier_folder(install: Callable[..., list[str]], tmp_path: Path) -> None:
    """As for Python; what stands beside the hidden one is found."""
    first = install("good", GOOD)
    other = install("other", GOOD)[1]
    for name in ("good", "other"):
        shutil.copytree(tmp_path / name, tmp_path / "later", dirs_exist_ok=True)
    found = discover([*first, str(tmp_path / "later")])
    assert found.diagnostics == () and names([*first, str(tmp_path / "later")]) == names([*first, other])


def test_two_distributions_with_one_name_are_an_error(install: Callable[..., list[str]]) -> None:
    install("first", GOOD.replace("{name}", "acme"), "ONE")
    found = discover(install("second", GOOD.replace("{name}", "acme"), "ONE"))
    (diagnostic,) = found.diagnostics
    assert diagnostic.message == "distributions first 1.0 and second 1.0 both offer a pass acme.one"


def test_the_order_of_installation_decides_nothing(install: Callable[..., list[str]]) -> None:
    install("b", GOOD)
    path = install("a", GOOD)
    assert names(path) == names(path[::-1]) == ["a.one", "b.one", "a.two", "b.two"]


def step(name: str, stage: str) -> Pass:
    return Pass(name, stage, lambda plan: True, lambda plan: iter(()))


@pytest.mark.parametrize("stage", STAGES)
def test_passes_act_at_the_end_of_their_stage(stage: str) -> None:
    order = in_order(BUILTIN, [step("x.y", stage)])
    position = next(index for index, each in enumerate(order) if each.name == "x.y")
    ranks = [STAGES.index(each.stage) for each in order]
    assert max(ranks[:position], default=0) <= STAGES.index(stage)
    assert all(rank > STAGES.index(stage) for rank in ranks[position + 1 :])
    assert [each for each in order if each.name != "x.y"] == list(BUILTIN)


def test_stages_of_a_fixed_list() -> None:
    assert [each.name for each in in_order((), [step("b.c", CHECK), step("a.c", CHECK), step("z.s", SIZE), step("m.c", CONTAINERS)])] == [
        "z.s",
        "m.c",
        "a.c",
        "b.c",
    ]


def test_problems_of_the_options_stand_in_every_compilation(install: Callable[..., list[str]]) -> None:
    found = discover(install("bad", "raise RuntimeError"))
    documents, _ = read_text(Path(__file__).resolve().parents[2].joinpath("examples/01-torch-multi-node.yaml").read_text())
    result = compile_documents(documents, (), Options(passes=found.passes, problems=found.diagnostics))
    assert not result.ok
    assert result.objects == ()
    assert result.diagnostics[0].slug == "plugin-not-loaded"


def test_the_library_discovers_nothing_by_itself(install: Callable[..., list[str]]) -> None:
    install("bad", "raise RuntimeError")
    text = Path(__file__).resolve().parents[2].joinpath("examples/01-torch-multi-node.yaml").read_text()
    assert jc.compile_yaml(text).ok
