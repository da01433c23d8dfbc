"""Settings, lists of kustomize and numbers as nobody would write them, but some program does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Here = Callable[..., Any]


@pytest.mark.parametrize(
    "text",
    [
        f"x = {'[' * 3000}{']' * 3000}",
        f"x = {'9' * 5000}",
        f"namespace = 0x{'f' * 5000}",
        f"runtimes = [0x{'f' * 5000}]",
        f"facts = {'[' * 90}{']' * 90}",
        "x = 1\n[other]\nnumber = " + "9" * 5000,
        "x = 1\n[other]\ndeep = " + "[" * 3000 + "]" * 3000,
        'runtimes = ["a\\u0000b"]',
        'facts = "a\\u0000b"',
        'exclude = ["\\u0000"]',
        'namespace = "\\u0000"',
        "namespace = 2020-01-01",
        "namespace = inf",
        "feature-gates = {a = {b = 1}}",
        'ignore = [["JSC801"]]',
        "\udcff = 1",
    ],
    ids=lambda text: text[:30].encode("ascii", "replace").decode(),
)
def test_settings_that_nobody_would_write(here: Here, job: str, tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(f"[tool.jobset-compiler]\n{text}\n".encode("utf-8", "surrogateescape"))
    code, out, err = here("check", "-", stdin=job)
    assert (code, out) == (2, "")
    assert "pyproject.toml: " in err and len(err) < 500


@pytest.mark.parametrize(
    "text",
    [
        f"namespace: {'[' * 20000}",
        f"namespace: {'9' * 5000}",
        "runtimes: {a: 1}",
        "facts: .nan",
        "? [a]\n: 1\n",
        "namespace: !!binary AA==",
        "a: *b",
        "namespace: 1e400",
    ],
    ids=lambda text: text[:20],
)
def test_settings_in_yaml_that_nobody_would_write(here: Here, job: str, tmp_path: Path, text: str) -> None:
    (tmp_path / ".jobset-compiler.yaml").write_text(text)
    code, out, err = here("check", "-", stdin=job)
    number = "99" in text or "1e" in text  # to kubectl these are text
    assert code in (0, 1) if number else (code, out) == (2, ""), err
    assert "JSC901" not in err


WRONG: tuple[Any, ...] = (5, True, "text", 1.5, {"a": 1}, [5], [None], [[]], ["a"], [{"kind": 5}], "²", "9" * 5000, [{"metadata": 5}], {"kind": [1]})


@pytest.mark.parametrize("value", WRONG, ids=lambda value: str(value)[:20])
@pytest.mark.parametrize("field", ["items", "results", "functionConfig", "apiVersion", "kind", "metadata", "index", "path", "name", "annotations"])
def test_lists_of_kustomize_with_wrong_types(here: Here, job: str, field: str, value: Any) -> None:
    item: dict[str, Any] = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "a"}}
    item["spec"] = {"runtimeRef": {"name": "nope"}}
    krm: dict[str, Any] = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [item]}
    if field in ("index", "path"):
        item["metadata"]["annotations"] = {"config.kubernetes.io/path": "x.yaml", f"config.kubernetes.io/{field}": value}
    elif field in ("name", "annotations"):
        item["metadata"][field] = value
    else:
        krm[field] = value
    code, out, err = here("fn", stdin=json.dumps(krm))
    assert code in (0, 1) and "JSC901" not in err
    assert "kind: ResourceList" in out
    if code:
        assert "severity: error" in out


@pytest.mark.parametrize("text", ["²", "٣٠٠٠", "9" * 5000, "-1", "", "1e9", "0x1000", "999"])
def test_numbers_on_the_command_line(here: Here, job: str, text: str) -> None:
    code, out, err = here("diff", "--from", "v2.2", "--to", "v2.3", f"--max-length={text}", "-", stdin=job)
    assert (code, out) == (2, "") and "--max-length is a number of at least 1000" in err and len(err) < 300
