"""Manifests of small objects, as `AddObject` takes them: without namespace and owner, which are put in when they are built."""

from __future__ import annotations

from binascii import b2a_base64
from typing import Any

Tree = dict[str, Any]


def config_map(name: str, data: dict[str, str]) -> Tree:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def secret(name: str, data: dict[str, str]) -> Tree:
    """`data` as a server takes it: in base64 (`encoded`)."""
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "data": data}


def encoded(data: dict[str, str]) -> dict[str, str]:
    """Text as the data of a Secret holds it: in base64."""
    return {key: b2a_base64(text.encode(), newline=False).decode("ascii") for key, text in data.items()}
