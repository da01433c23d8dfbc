"""Settings of a project: where they are found, what they may say, and that the command line wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobset_compiler.request import settings as config

FULL = """\
trainer-version = "v2.2"
jobset-version = "0.12"
kubernetes-version = "1.35"
runtimes = ["platform/runtimes"]
bundled-runtimes = false
namespace = "team"
ignore-missing-runtime = true
validate = "warn"
facts = "facts.yaml"
feature-gates = { TrainJobStatus = true, Other = false }
extensions = ["mpi-hydra"]
exclude = ["charts/**"]
fail-on = "warning"
ignore = ["JSC801"]
error-on = ["unknown-field"]
warn-on = ["JSC201"]
"""


def test_every_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(f"[tool.jobset-compiler]\n{FULL}")
    loaded = config.load("pyproject.toml")
    assert loaded == config.Config(
        file="pyproject.toml",
        trainer_version="v2.2",
        jobset_version="0.12",
        kubernetes_version="1.35",
        runtimes=("platform/runtimes",),
        bundled_runtimes=False,
        namespace="team",
        ignore_missing_runtime=True,
        validate="warn",
        facts="facts.yaml",
        feature_gates=(("TrainJobStatus", True), ("Other", False)),
        extensions=("mpi-hydra",),
        exclude=("charts/**",),
        fail_on="warning",
        ignore=("JSC801",),
        error_on=("unknown-field",),
        warn_on=("JSC201",),
    )
    assert all(value != getattr(config.Config, name) for name, value in loaded._asdict().items())


def test_the_example_in_the_documentation_can_be_loaded(tmp_path: Path) -> None:
    assert config.__doc__ is not None
    lines = [line.removeprefix("    ") for line in config.__doc__.splitlines() if line.startswith("    ")]
    (tmp_path / "pyproject.toml").write_text("\n".join(lines))
    assert set(config.load(str(tmp_path / "pyproject.toml"))._asdict()) == set(config.Config._fields)


def test_yaml_with_the_same_keys(tmp_path: Path) -> None:
    file = tmp_path / ".jobset-compiler.yaml"
    file.write_text("trainer-version: v2.0\nignore: [JSC801]\nfeature-gates: {TrainJobStatus: true}\n")
    loaded = config.load(str(file))
    assert (loaded.trainer_version, loaded.ignore, loaded.feature_gates) == ("v2.0", ("JSC801",), (("TrainJobStatus", True),))


def test_paths_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / ".jobset-compiler.yaml").write_text("runtimes: [runtimes]\nfacts: facts.yaml\nexclude: [charts]\n")
    monkeypatch.chdir(tmp_path / "jobs")
    loaded = config.load(config.find("."))
    assert (loaded.runtimes, loaded.facts, loaded.exclude) == (("../runtimes",), "../facts.yaml", ("../charts",))


def test_the_nearest_file_counts_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".jobset-compiler.yaml").write_text("")
    assert config.find(str(inner)) == str(tmp_path / ".jobset-compiler.yaml")
    (tmp_path / "repository" / ".git").mkdir()
    assert config.find(str(inner)) == ""
    (tmp_path / "repository" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert config.find(str(inner)) == ""
    (tmp_path / "repository" / "pyproject.toml").write_text("[tool.jobset-compiler]\n")
    assert config.find(str(inner)) == str(tmp_path / "repository" / "pyproject.toml")
    (inner / ".jobset-compiler.yaml").write_text("")
    assert config.find(str(inner)) == str(inner / ".jobset-compiler.yaml")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("pyproject.toml", "[tool.jobset-compiler]\ntrainer = 1\n", "unknown key 'trainer'; known: trainer-version,"),
        ("pyproject.toml", "[tool.jobset-compiler]\nignore-missing-runtime = 'yes'\n", "ignore-missing-runtime is true or false, not 'yes'"),
        ("pyproject.toml", "[tool.jobset-compiler]\nnamespace = 1\n", "namespace is a string, not 1"),
        ("pyproject.toml", "[tool.jobset-compiler]\nignore = 'JSC801'\n", "ignore is a list of strings, not 'JSC801'"),
        ("pyproject.toml", "[tool.jobset-compiler]\nfeature-gates = ['x']\n", "feature-gates is a table of true and false"),
        ("pyproject.toml", "[tool.jobset-compiler\n", "pyproject.toml: "),
        ("pyproject.toml", "[tool]\njobset-compiler = 1\n", "the settings are a table"),
        (".jobset-compiler.yaml", "- a\n", "the settings are a table"),
        (".jobset-compiler.yaml", "a: [\n", ".jobset-compiler.yaml:"),
        (".jobset-compiler.yaml", "1: 2\n", "unknown key '1'"),
    ],
)
def test_what_settings_cannot_say(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(config.ConfigError) as caught:
        config.load(str(tmp_path / name))
    assert message in str(caught.value)
    assert name in str(caught.value)


GATES = "feature-gates is a table of true and false"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "the settings are a table of keys and values"),
        ("text\n", "the settings are a table of keys and values"),
        (
            "trainer: 1\n",
            "unknown key 'trainer'; known: trainer-version, jobset-version, kubernetes-version, runtimes, bundled-runtimes, namespace, "
            "ignore-missing-runtime, validate, facts, feature-gates, extensions, exclude, fail-on, ignore, error-on, warn-on",
        ),
        ("file: a\n", "unknown key 'file'; known: trainer-version, "),
        ("bundled-runtimes: 1\n", "bundled-runtimes is true or false, not 1"),
        ("bundled-runtimes: {}\n", "bundled-runtimes is true or false, not a table"),
        ("namespace: 1.5\n", "namespace is a string, not 1.5"),
        ("namespace: true\n", "namespace is a string, not True"),
        ("namespace: null\n", "namespace is a string, not a NoneType"),
        ("namespace: []\n", "namespace is a string, not a list"),
        (f"namespace: {10**12}\n", "namespace is a string, not a number of many digits"),
        (f"namespace: {10**12 - 1}\n", "namespace is a string, not 999999999999"),
        (f"namespace: -{10**12}\n", "namespace is a string, not a number of many digits"),
        (f"ignore: {'x' * 58}\n", f"ignore is a list of strings, not '{'x' * 58}'"),
        (f"ignore: {'x' * 59}\n", f"ignore is a list of strings, not '{'x' * 56}..."),
        ("ignore: [a, 1]\n", "ignore is a list of strings, not a list"),
        ("feature-gates: [x]\n", GATES),
        ("feature-gates: {A: 1}\n", GATES),
        ('namespace: "a\\0b"\n', "namespace has a NUL byte"),
        ('exclude: [a, "b\\0"]\n', "exclude has a NUL byte"),
        ("facts: folder\n", "facts is a file, and folder a folder"),
        ("facts: notes.txt\n", "notes.txt is no .yaml, .yml, .json file and no folder"),
        ("runtimes: [notes.txt]\n", "notes.txt is no .yaml, .yml, .json file and no folder"),
        ("runtimes: [folder, ../up]\n", "../up leads out of the folder of the settings; name it on the command line instead"),
        ("facts: ../up.yaml\n", "../up.yaml leads out of the folder of the settings; name it on the command line instead"),
        ("facts: .hidden/a.yaml\n", ".hidden/a.yaml is hidden; name it on the command line instead"),
        ("runtimes: [link]\n", "link is hidden; name it on the command line instead"),
    ],
)
def test_what_is_said_of_wrong_settings(tmp_path: Path, text: str, message: str) -> None:
    for folder in ("folder", ".hidden"):
        (tmp_path / folder).mkdir()
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "link").symlink_to(".hidden")
    file = tmp_path / ".jobset-compiler.yaml"
    file.write_text(text)
    with pytest.raises(config.ConfigError) as caught:
        config.load(str(file))
    said = str(caught.value)
    assert said == f"{file}: {message}" or (message.endswith(", ") and said.startswith(f"{file}: {message}")), said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool]\njobset-compiler = 1\n", "the settings are a table of keys and values"),
        (f"[tool.jobset-compiler]\nnamespace = {'9' * 5000}\n", "a number has too many digits"),
        (f"a = {'[' * 20000}", "nested too deeply"),
    ],
)
def test_what_is_said_of_a_pyproject(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(text)
    with pytest.raises(config.ConfigError) as caught:
        config.load(str(file))
    assert str(caught.value) == f"{file}: {message}"


@pytest.mark.parametrize("text", ["", "tool = 1\n", "[tool]\n", "[tool.other]\na = 1\n"])
def test_a_pyproject_that_says_nothing_to_us(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(text)
    assert config.load(str(file)) == config.Config(file=str(file))


@pytest.mark.parametrize("name", ["no-such-file.toml", "no-such-file.yaml"])
def test_a_file_that_does_not_exist(name: str) -> None:
    with pytest.raises(config.ConfigError) as caught:
        config.load(name)
    assert str(caught.value).startswith(f"{name}") and str(caught.value).endswith("No such file or directory")
