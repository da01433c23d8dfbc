"""`report` as a command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]


def test_a_file_and_standard_output(here: Here, job: str) -> None:
    Path("job.yaml").write_text(job)
    written = here("report", "job.yaml", "--output", "report.html")
    assert (written.code, written.out) == (0, "") and Path("report.html").read_text().startswith("<!doctype html>")
    assert here("report", "job.yaml").out == Path("report.html").read_text()
    assert here("report", "-", "-o", "-", stdin=job).code == 0


def test_it_is_written_of_refused_trainjobs_too(here: Here, job: str) -> None:
    code, out, err = here("report", "-", stdin=f"{job}---\n{job.replace('torch-distributed', 'nope')}")
    assert code == 1 and "runtime-not-found" in err and "runtime-not-found" in out and "train-node-0-0" in out
    assert "\ninfo JSC802 rendezvous-not-injected" in err, "what is worth knowing comes at the end"


def test_what_cannot_be_read_or_written(here: Here, job: str) -> None:
    assert here("report", "missing.yaml", "-o", "report.html").code == 2
    result = here("report", "-", "-o", "no/such/folder/report.html", stdin=job)
    assert (result.code, result.out) == (2, "") and "cannot write" in result.err


def test_severities_are_the_users(here: Here, job: str) -> None:
    text = job + "  unknown: 1\n"
    assert here("report", "-", stdin=text).code == 1
    lenient = here("report", "-", "--validate", "ignore", stdin=text)
    assert lenient.code == 0 and "unknown-field" not in lenient.out
    assert here("report", "-", "--validate", "warn", "--fail-on", "warning", stdin=text).code == 1


def test_other_releases(here: Here, job: str) -> None:
    out = here("report", "-", "--trainer-version", "v2.1", stdin=job).out
    assert "under Kubeflow Trainer 2.1.0" in out and all(f"<summary>{name} " in out for name in ("v2.0", "v2.2", "v2.3"))


def test_without_jinja2_it_says_what_is_missing(job: str) -> None:
    code = (
        "import sys; sys.modules['jinja2'] = None\n"
        "from jobset_compiler.cli import main; from jobset_compiler.cli import process_streams\n"
        "sys.exit(main(['report', '-'], process_streams()))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=job, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'jobset-compiler[report]'" in done.stderr
