"""One direction: a package imports only from those to its left; the render path imports nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "jobset_compiler"
# Left to right. Modules of the top level are listed with the packages; `diagnostics` and `profiles` are leaves.
ORDER = (
    "diagnostics",
    "kube",
    "profiles",
    "source",
    "runtimes",
    "api",
    "resolve",
    "passes",
    "request",
    "objects",
    "provenance",
    "emit",
    "admission",
    "findings",
    "expand",
    "result",
    "pipeline",
    "library",
)
# Packages that everybody may import, wherever they stand.
LEAVES = {"diagnostics", "profiles", "emit"}


def imports(file: Path) -> list[tuple[str, bool]]:
    """(imported package below jobset_compiler, whether only for type checking)."""
    tree = ast.parse(file.read_text())
    found: list[tuple[str, bool]] = []

    def visit(node: ast.AST, typing_only: bool) -> None:
        for child in ast.iter_child_nodes(node):
            only = typing_only or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test))
            if isinstance(child, ast.ImportFrom) and child.module and child.module.startswith("jobset_compiler."):
                found.append((child.module.split(".")[1], only))
            elif isinstance(child, ast.ImportFrom) and child.module == "jobset_compiler":
                found.extend((name.name, only) for name in child.names)
            elif isinstance(child, ast.Import):
                found.extend((name.name.split(".")[1], only) for name in child.names if name.name.startswith("jobset_compiler."))
            visit(child, only)

    visit(tree, False)
    return found


def unit_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda f: str(f.relative_to(PACKAGE)))
def test_imports_point_left(file: Path) -> None:
    here = unit_of(file)
    if here not in ORDER:
        pytest.fail(f"{here} has no place in the order; add it to ORDER") if here not in FREE else None
        return
    for there, typing_only in imports(file):
        if there == here or there in LEAVES or typing_only or there not in ORDER:
            continue
        assert ORDER.index(there) < ORDER.index(here), f"{file.name} imports {there}, which stands to the right of {here}"


# What sits on top of the library or is generated for people, and may import anything.
FREE = {"__init__", "__main__", "cli", "models", "testing", "integrations", "diff", "explain", "schemas"}


def test_pipeline_imports_only_known_stages() -> None:
    assert {there for there, _ in imports(PACKAGE / "pipeline.py")} <= set(ORDER)


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
