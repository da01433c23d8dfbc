"""How an extension is switched on: library, command, settings; and what is said of one that does not exist."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import jobset_compiler as jc
from jobset_compiler.extensions import NAMES, passes_of, with_extensions
from jobset_compiler.passes.api import in_stages
from jobset_compiler.passes.registry import BUILTIN

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "extensions" / "intel-mpi-beside-a-launcher.yaml"
INPUT = GOLDEN.read_text().partition("--- # INPUT\n")[2].partition("--- # EXPECTED")[0]


def command(*argv: str, folder: Path, text: str = INPUT) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "jobset_compiler", *argv]
    return subprocess.run(line, input=text, capture_output=True, text=True, check=False, cwd=folder, env={"PYTHONPATH": str(Path.cwd())})


@pytest.mark.parametrize("name", NAMES)
def test_an_extension_is_made_of_passes_that_say_so(name: str) -> None:
    passes = passes_of(name)
    assert passes and {step.extension for step in passes} == {name}
    assert all(step.name.startswith(name) for step in passes)
    assert with_extensions(BUILTIN, (name, name)) == in_stages((*BUILTIN, *passes))


def test_without_a_name_nothing_changes() -> None:
    assert with_extensions(BUILTIN, ()) is BUILTIN
    assert not jc.compile_yaml(INPUT).ok


def test_the_library_knows_them_by_name_or_by_their_passes() -> None:
    by_name = jc.compile_yaml(INPUT, extensions=("mpi-hydra",))
    by_passes = jc.compile_yaml(INPUT, passes=(*BUILTIN, *passes_of("mpi-hydra")))
    assert by_name.ok and by_name.to_yaml() == by_passes.to_yaml()
    both = jc.compile_yaml(INPUT, passes=(*BUILTIN, *passes_of("mpi-hydra")), extensions=["mpi-hydra"])
    assert both.to_yaml() == by_name.to_yaml()


def test_the_order_of_names_does_not_matter() -> None:
    assert with_extensions(BUILTIN, NAMES) == with_extensions(BUILTIN, NAMES[::-1])


def test_an_unknown_name_is_a_value_error_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"^unknown extension 'mpi'; known: " + ", ".join(NAMES)):
        jc.compile_yaml(INPUT, extensions=("mpi",))
    with pytest.raises(ValueError, match=r"^unknown extension"):
        jc.migrate(INPUT, extensions=("mpi",))
    with pytest.raises(TypeError, match=r"^extensions takes a list of names: \['mpi-hydra'\]"):
        jc.compile_objects([], extensions="mpi-hydra")


@pytest.mark.parametrize("verb", ["render", "check", "explain", "expand", "report", "migrate", "fn"])
def test_every_verb_that_compiles_takes_it(verb: str, tmp_path: Path) -> None:
    told = command(verb, "--help", folder=tmp_path).stdout
    assert "--extension NAME" in told
    done = command(verb, "--extension", "mpi-hydr", folder=tmp_path)
    assert done.returncode == 2 and "not 'mpi-hydr'; did you mean mpi-hydra?" in done.stderr


def test_the_command_and_the_settings_switch_it_on(tmp_path: Path) -> None:
    assert command("render", "-", folder=tmp_path).returncode == 1
    done = command("render", "-", "--extension", "mpi-hydra", folder=tmp_path)
    assert done.returncode == 0 and done.stdout == jc.compile_yaml(INPUT, extensions=("mpi-hydra",)).to_yaml()
    assert done.stderr.count("JSC650") == 1
    (tmp_path / ".jobset-compiler.yaml").write_text("extensions: [mpi-hydra]\n")
    assert command("render", "-", folder=tmp_path).stdout == done.stdout
    (tmp_path / ".jobset-compiler.yaml").write_text("extensions: [mpi-hydr]\n")
    wrong = command("render", "-", folder=tmp_path)
    assert wrong.returncode == 2 and "unknown extension 'mpi-hydr'; known: mpi-hydra" in wrong.stderr


def test_explain_names_it(tmp_path: Path) -> None:
    done = command("explain", "-", "--extension", "mpi-hydra", folder=tmp_path)
    assert "extension  mpi-hydra: no release of Trainer does so" in done.stdout


def test_runtimes_lists_and_shows_what_it_brings(tmp_path: Path) -> None:
    without = command("runtimes", folder=tmp_path).stdout.splitlines()
    with_it = command("runtimes", "list", "--extension", "tensorflow", folder=tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in with_it[len(without) :]] == ["tensorflow-distributed", "mpi"]
    assert all(line.endswith("(extension tensorflow)") for line in with_it[len(without) :])
    shown = command("runtimes", "show", "tensorflow-distributed", "--extension", "tensorflow", folder=tmp_path)
    assert "name: tensorflow-distributed" in shown.stdout
    missing = command("runtimes", "show", "mpi", folder=tmp_path)
    assert missing.returncode == 2 and "has no runtime 'mpi'; --extension tensorflow brings it; known: " in missing.stderr


def test_passes_lists_its_passes(tmp_path: Path) -> None:
    lines = command("passes", "--no-plugins", "--extension", "open-mpi-5", folder=tmp_path).stdout.splitlines()
    (line,) = [line for line in lines if "extension open-mpi-5" in line]
    assert line.split()[:2] == ["policy", "open-mpi-5"]
