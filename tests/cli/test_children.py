"""Jobs and Pods that would be refused: an error, nothing on standard output, and the minor release of Kubernetes that decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]

# 1.36 alone refuses addresses that older systems read as octal.
ALIASES = "                hostAliases: [{ip: 10.0.0.01, hostnames: [head]}]\n"


@pytest.fixture
def octal(runtime: str) -> str:
    return runtime.replace("                containers:\n", f"{ALIASES}                containers:\n")


def test_refused_jobs_are_errors(here: Here, octal: str, job_of_mine: str) -> None:
    code, out, err = here("render", "-", stdin=f"{octal}---\n{job_of_mine}")
    assert (code, out) == (1, "")
    assert "error JSC438 pod-refused: Job train-mine-node-0 would be refused: spec.template.spec.hostAliases[0].ip: " in err
    assert here("check", "-", stdin=f"{octal}---\n{job_of_mine}").code == 1


def test_another_kubernetes_judges_otherwise(here: Here, octal: str, job_of_mine: str, tmp_path: Any) -> None:
    text = f"{octal}---\n{job_of_mine}"
    for minor in ("1.35", "v1.35", "1.35.3"):
        assert here("render", "-", "--kubernetes-version", minor, stdin=text).code == 0
    assert here("render", "-", "--trainer-version", "v2.1", stdin=text).code == 0
    assert here("render", "-", "--trainer-version", "v2.1", "--kubernetes-version=1.36", stdin=text).code == 1
    (tmp_path / ".jobset-compiler.yaml").write_text('kubernetes-version: "1.34"\n')
    assert here("check", "-", stdin=text).code == 0
    assert here("check", "-", "--kubernetes-version", "1.36", stdin=text).code == 1


def test_an_unknown_kubernetes_is_a_usage_error(here: Here, job: str) -> None:
    code, out, err = here("render", "-", "--kubernetes-version", "1.3", stdin=job)
    assert (code, out) == (2, "")
    assert "unknown Kubernetes version '1.3'; known: 1.32, 1.33, 1.34, 1.35, 1.36" in err
