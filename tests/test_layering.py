"""One direction: a room of the package imports only from those to its left, modules never in a circle; the render path imports nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "jobset_compiler"
# Left to right: the rooms, and the modules of the top level. `__init__` is the library as its users see it.
ORDER = (
    "value",
    "emit",
    "diagnostics",
    "source",
    "kube",
    "profiles",
    "runtimes",
    "api",
    "dialects",
    "resolve",
    "passes",
    "request",
    "objects",
    "provenance",
    "admission",
    "findings",
    "extensions",
    "expand",
    "result",
    "pipeline",
    "library",
    "schemas",
    "models",
    "__init__",
    "explain",
    "diff",
    "report",
    "playground",
    "lsp",
    "integrations",
    "cli",
    "testing",
    "__main__",
)
FILES = {
    file.relative_to(PACKAGE).with_suffix("").parts: file for pattern in ("*.pyi", "*.py") for file in sorted(PACKAGE.rglob(pattern))
}  # of a module with a stub the module


def module_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """The module of this package that `jobset_compiler.a.b` means, or that has it."""
    while names not in FILES and (*names, "__init__") not in FILES:
        names = names[:-1]
    return names if names in FILES else (*names, "__init__")


def imports(file: Path) -> set[tuple[str, ...]]:
    """The modules of the package that a file imports anywhere: at the top, in a function, for type checkers only."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file.name} imports by a relative name"
            names = [f"{node.module}.{name.name}" for name in node.names]
        else:
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        found |= {module_of(tuple(name.split(".")[1:])) for name in names if name.split(".")[0] == PACKAGE.name}
    return found


@pytest.mark.parametrize("file", sorted(file for pattern in ("*.py", "*.pyi") for file in PACKAGE.rglob(pattern)), ids=lambda f: str(f.relative_to(PACKAGE)))
def test_imports_point_left(file: Path) -> None:
    here = file.relative_to(PACKAGE).with_suffix("").parts[0]
    assert here in ORDER, f"{here} has no place in the order; give it one in ORDER"
    for there, *_ in imports(file):
        assert ORDER.index(there) <= ORDER.index(here), f"{file.name} imports {there}, which stands to the right of {here}"


def test_every_place_in_the_order_is_taken() -> None:
    assert {names[0] for names in FILES} == set(ORDER)


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    TopologicalSorter({module: imports(file) - {module} for module, file in FILES.items()}).prepare()


def test_nothing_compares_versions() -> None:
    """A release is a profile made of features; behaviour never asks for its name."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Compare):
                text = ast.unparse(node)
                ordered = any(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in node.ops)
                assert not (ordered and "version" in text), f"{file.name}: {text}"
                assert not any(isinstance(side, ast.Constant) and side.value in ("v2.0", "v2.1", "v2.2", "v2.3") for side in ast.walk(node)), (
                    f"{file.name} compares with a release: {text}"
                )


HEAVY = (
    "jinja2",
    "pygls",
    "lsprotocol",
    "pydantic",
    "jsonschema",
    "dataclasses",
    "inspect",
    "logging",
    "pathlib",
    "asyncio",
    "decimal",
    "fractions",
    "socket",
    "importlib.metadata",
    "importlib.resources",
    "difflib",
    "hashlib",
    "random",
    "subprocess",
)


def test_a_compile_imports_nothing_heavy() -> None:
    # ruamel.yaml itself brings datetime and base64; neither is asked for by us.
    code = (
        "import sys; before = set(sys.modules); import jobset_compiler as jc; "
        "assert set(sys.modules) - before <= {'jobset_compiler', '__future__'}, sorted(set(sys.modules) - before); "
        "r = jc.compile_yaml(open('examples/01-torch-multi-node.yaml').read()); r.to_yaml(); assert r.ok, r.diagnostics; "
        f"heavy = [m for m in {HEAVY!r} if m in sys.modules]; assert not heavy, heavy"
    )
    program = f"import sys; sys.path[:] = {sys.path!r}; {code}"
    run = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, cwd=PACKAGE.parent, check=False)
    assert run.returncode == 0, run.stderr
