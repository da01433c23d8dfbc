"""No module imports one that imports it: the modules can be read one after the other, each after those that it builds on."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "jobset_compiler"


def imported(file: Path, modules: dict[str, Path]) -> set[str]:
    """Modules of the package that a file imports: at its top, inside of functions, and for types only."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for name in node.names:
                member = f"{node.module}.{name.name}"
                found.add(member if member in modules else node.module)
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found & set(modules)


def graph() -> dict[str, set[str]]:
    root = PACKAGE.parent
    modules = {".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): file for file in PACKAGE.rglob("*.py")}
    return {name: imported(file, modules) - {name} for name, file in modules.items()}


def test_imports_have_no_circle() -> None:
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))
