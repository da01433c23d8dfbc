"""Manifests of small objects, as `AddObject` takes them: without namespace and owner, which are put in when they are built; and what is
told where one holds a placeholder."""

from __future__ import annotations

from binascii import b2a_base64
from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.resolve.plan import Plan

Tree = dict[str, Any]


def config_map(name: str, data: dict[str, str]) -> Tree:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def secret(name: str, data: dict[str, str]) -> Tree:
    """`data` as a server takes it: in base64 (`encoded`)."""
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "data": data}


def encoded(data: dict[str, str]) -> dict[str, str]:
    """Text as the data of a Secret holds it: in base64."""
    return {key: b2a_base64(text.encode(), newline=False).decode("ascii") for key, text in data.items()}


def placeholder(plan: Plan, code: Code, message: str, hint: str) -> Diagnostic:
    """That an object holds something in place of what only a controller in its cluster knows; hint: how to give it."""
    return Diagnostic(code, message, document=plan.job.document, at=("metadata", "name"), stage="build", hint=hint)
