"""Settings of a project: `[tool.jobset-compiler]` of pyproject.toml, or `.jobset-compiler.yaml` with the same keys at its top.

    [tool.jobset-compiler]
    trainer-version = "v2.3"              # the release to compile for
    runtimes = ["platform/runtimes"]      # files and folders, relative to the file that says so
    bundled-runtimes = false              # only runtimes that are given
    namespace = "ml-team"                 # for documents without one
    ignore-missing-runtime = true
    strict = true                         # what a server only prunes is an error
    facts = "cluster-facts.yaml"
    feature-gates = { TrainJobStatus = true }
    exclude = ["charts/**"]               # not looked into when a folder is given
    fail-on = "warning"
    ignore = ["JSC801"]                   # codes or slugs
    error-on = ["unknown-field"]
    warn-on = []

The nearest of the two files counts, from the working directory upwards to the root of the repository; what the command line says
wins. Reading it is the caller's choice: the library never looks for one.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

PYPROJECT = "pyproject.toml"
OWN = ".jobset-compiler.yaml"
TABLE = "jobset-compiler"
MARKER = b"tool.jobset-compiler"


class ConfigError(Exception):
    """A settings file that cannot be read or says something that it cannot; the message names file and key."""


class Config(NamedTuple):
    """The settings of a project, paths made relative to the working directory; `file` is where they come from, "" for none."""

    file: str = ""
    trainer_version: str = ""
    runtimes: tuple[str, ...] = ()
    bundled_runtimes: bool = True
    namespace: str = ""
    ignore_missing_runtime: bool = False
    strict: bool = False
    facts: str = ""
    feature_gates: tuple[tuple[str, bool], ...] = ()
    exclude: tuple[str, ...] = ()
    fail_on: str = ""
    ignore: tuple[str, ...] = ()
    error_on: tuple[str, ...] = ()
    warn_on: tuple[str, ...] = ()




def find(folder: str) -> str:
    """The settings file that counts for a folder: in it, or in the nearest folder above up to the root of the repository; "" for none."""
    folder = os.path.abspath(folder)
    while True:
        own = os.path.join(folder, OWN)
        if os.path.isfile(own):
            return own
        pyproject = os.path.join(folder, PYPROJECT)
        if os.path.isfile(pyproject) and _mentions_us(pyproject):
            return pyproject
        above = os.path.dirname(folder)
        if above == folder or os.path.exists(os.path.join(folder, ".git")):
            return ""
        folder = above


def _mentions_us(pyproject: str) -> bool:
    try:
        with open(pyproject, "rb") as file:
            return MARKER in file.read()
    except OSError:
        return False


def load(file: str) -> Config:
    """The settings of a file. Raises ConfigError."""
    table = _table_of(file)
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: the settings are a table of keys and values")
    settings: dict[str, Any] = {"file": file}
    for key, value in table.items():
        name = str(key).replace("-", "_")
        if name not in Config._fields[1:]:
            raise ConfigError(f"{file}: unknown key {key!r}; known: {', '.join(field.replace('_', '-') for field in Config._fields[1:])}")
        settings[name] = _checked(file, str(key), value, Config._field_defaults[name])
    config = Config(**settings)
    folder = os.path.dirname(file)
    return config._replace(
        runtimes=tuple(_near_by(folder, path) for path in config.runtimes),
        facts=_near_by(folder, config.facts) if config.facts else "",
        exclude=tuple(_near_by(folder, pattern) for pattern in config.exclude),
    )


def _near_by(folder: str, path: str) -> str:
    return os.path.relpath(os.path.join(folder, path))


def _table_of(file: str) -> Any:
    if file.endswith(".toml"):
        import tomllib

        try:
            with open(file, "rb") as stream:
                parsed = tomllib.load(stream)
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file}: {error}") from None
        tool = parsed.get("tool")
        return tool.get(TABLE, {}) if isinstance(tool, dict) else {}
    from jobset_compiler.source.files import read_files

    documents, problems = read_files((file,))
    for problem in problems:
        raise ConfigError(f"{problem.span}: {problem.message}")
    return documents[0].value if documents else {}


def _checked(file: str, key: str, value: Any, default: Any) -> Any:
    """The value as the field has it. The type of a field is that of its default."""
    if key == "feature-gates":
        if isinstance(value, dict) and all(isinstance(on, bool) for on in value.values()):
            return tuple((str(gate), on) for gate, on in value.items())
        raise ConfigError(f"{file}: feature-gates is a table of true and false")
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        raise ConfigError(f"{file}: {key} is true or false, not {value!r}")
    if isinstance(default, str):
        if isinstance(value, str):
            return value
        raise ConfigError(f"{file}: {key} is a string, not {value!r}")
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ConfigError(f"{file}: {key} is a list of strings, not {value!r}")
