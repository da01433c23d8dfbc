"""What docs/editors.md promises, tried: its commands, its snippets, and kubeconform where it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jobset_compiler.profiles import NEWEST

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
KUBECONFORM = shutil.which("kubeconform") or shutil.which("kubeconform", path=str(Path.home() / "go" / "bin"))
needs_kubeconform = pytest.mark.skipif(KUBECONFORM is None, reason="kubeconform is not installed")


def blocks(language: str) -> list[str]:
    return [part.partition("```")[0] for part in PAGE.split(f"```{language}\n")[1:]]


def shell(words: str) -> str:
    return next(block for block in blocks("sh") if block.startswith(words))


def test_the_schema_commands_print_the_files(tmp_path: Path) -> None:
    lines = [line for line in shell("jobset-compiler schema").splitlines() if line]
    for line, release in zip(lines, (NEWEST.name, "v2.2"), strict=True):
        program, _, rest = line.partition(" ")
        assert program == "jobset-compiler"
        subprocess.run(f"{sys.executable} -m jobset_compiler {rest}", shell=True, check=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
        name = rest.rpartition("> ")[2]
        assert (tmp_path / name).read_text(encoding="utf-8") == (ROOT / "schemas" / release / name).read_text(encoding="utf-8")


def test_the_settings_name_files_that_exist() -> None:
    settings = next(found for block in blocks("json") if "yaml.schemas" in (found := json.loads(block)))
    neovim = next(block for block in blocks("lua") if "yamlls" in block)
    paths = [*settings["yaml.schemas"], neovim.split('["')[1].split('"]')[0]]
    assert all((ROOT / path).is_file() for path in paths)


def test_the_python_snippet_runs() -> None:
    subprocess.run([sys.executable, "-c", blocks("python")[0]], check=True, cwd=ROOT)


def kubeconform(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    assert KUBECONFORM is not None
    return subprocess.run([KUBECONFORM, *arguments], input=text, capture_output=True, text=True, check=False, cwd=ROOT)


@needs_kubeconform
def test_kubeconform_accepts_the_examples() -> None:
    command = shell("kubeconform").split()
    run = kubeconform(*(word.strip("'") for word in command[1:]))
    assert run.returncode == 0, run.stdout + run.stderr
    assert "Invalid: 0, Errors: 0, Skipped: 0" in run.stdout


@needs_kubeconform
@pytest.mark.parametrize("release", ["v2.0", "v2.1", "v2.2", "v2.3"])
def test_kubeconform_accepts_the_bundled_runtimes(release: str) -> None:
    run = kubeconform("-summary", "-schema-location", f"schemas/{release}/{{{{.ResourceKind}}}}.json", f"jobset_compiler/runtimes/{release}")
    assert run.returncode == 0, run.stdout + run.stderr


@needs_kubeconform
def test_kubeconform_refuses_at_the_place() -> None:
    text = (
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec:\n  runtimeRef: {name: rt}\n  trainer: {numNode: 1, image: 2}\n"
    )
    run = kubeconform("-schema-location", "schemas/v2.3/{{.ResourceKind}}.json", text=text)
    assert run.returncode == 1
    assert "at '/spec/trainer': additional properties 'numNode' not allowed" in run.stdout
    assert "at '/spec/trainer/image': got number, want null or string" in run.stdout
