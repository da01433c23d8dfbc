"""The catalogue of codes: complete, unique, documented, raised in one module."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import SEVERITIES, Code

PACKAGE = Path(__file__).resolve().parent.parent / "jobset_compiler"
ALL = codes.all_codes()


def names_used(file: Path) -> set[str]:
    """Names that a module uses as values: not those it only imports or asks for their `.code`."""
    tree = ast.parse(file.read_text())
    asked = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "code"}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in asked}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node) not in asked}


SOURCES = {file: names_used(file) for file in sorted(PACKAGE.rglob("*.py")) if "codes" not in file.parts}


def constant_names() -> dict[str, str]:
    names = {}
    for block in codes.BLOCKS:
        module = __import__(f"jobset_compiler.diagnostics.codes.{block}", fromlist=["x"])
        names.update({value.code: name for name, value in vars(module).items() if isinstance(value, Code)})
    return names


def test_numbers_and_slugs_are_unique() -> None:
    assert len({code.code for code in ALL}) == len(ALL)
    assert len({code.slug for code in ALL}) == len(ALL)


@pytest.mark.parametrize("code", ALL, ids=lambda code: code.code)
def test_code_is_documented(code: Code) -> None:
    assert re.fullmatch(r"JSC\d{3}", code.code) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.slug)
    assert code.severity in SEVERITIES
    assert code.title.endswith(".") and len(code.text) > 20


# Codes of reading and of the schema are looked up in one table by the kind of problem.
BY_TABLE = {code.code for code in ALL if code.code < "JSC100" or "JSC104" <= code.code <= "JSC110"}


@pytest.mark.parametrize("code", [code for code in ALL if code.code not in BY_TABLE], ids=lambda code: code.code)
def test_code_is_raised_in_one_module(code: Code) -> None:
    name = constant_names()[code.code]
    raising = [str(file.relative_to(PACKAGE)) for file, names in SOURCES.items() if name in names]
    assert len(raising) == 1, f"{name} stands in {raising}"


def test_find_by_number_and_slug() -> None:
    assert codes.find("jsc201") is codes.find("runtime-not-found") is not None
    assert codes.find("JSC000") is None
