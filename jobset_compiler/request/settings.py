"""Settings of a project: `[tool.jobset-compiler]` of pyproject.toml, or `.jobset-compiler.yaml` with the same keys at its top.

    [tool.jobset-compiler]
    trainer-version = "v2.3"              # the release to compile for
    jobset-version = "0.12"               # the JobSet in the cluster, by default the one that the release comes with
    kubernetes-version = "1.36"           # whose API judges Jobs and Pods, by default that of the release
    runtimes = ["platform/runtimes"]      # files and folders below the folder of the file that says so
    bundled-runtimes = false              # only runtimes that are given
    namespace = "ml-team"                 # for documents without one
    ignore-missing-runtime = true
    validate = "warn"                     # unknown and duplicate fields: strict (default, as kubectl), warn (as a server), ignore
    facts = "cluster-facts.yaml"
    feature-gates = { TrainJobStatus = true }
    extensions = ["mpi-hydra"]            # what acts although no release of Trainer does it
    exclude = ["charts/**"]               # not looked into when a folder is given
    fail-on = "warning"
    ignore = ["JSC801"]                   # codes or slugs
    error-on = ["unknown-field"]
    warn-on = []

The nearest of the two files counts, from the working directory upwards to the root of the repository; what the command line says
wins. Reading it is the caller's choice: the library never looks for one.
"""

import os
from typing import Any

from jobset_compiler.source.files import SUFFIXES
from jobset_compiler.value import Frozen

PYPROJECT = "pyproject.toml"
OWN = ".jobset-compiler.yaml"
TABLE = "jobset-compiler"
MARKER = b"tool.jobset-compiler"


class ConfigError(Exception):
    """A settings file that cannot be read or says something that it cannot; the message names file and key."""


class Config(Frozen):
    """The settings of a project, paths made relative to the working directory; `file` is where they come from, "" for none."""

    file: str = ""
    trainer_version: str = ""
    jobset_version: str = ""
    kubernetes_version: str = ""
    runtimes: tuple[str, ...] = ()
    bundled_runtimes: bool = True
    namespace: str = ""
    ignore_missing_runtime: bool = False
    validate: str = ""
    facts: str = ""
    feature_gates: tuple[tuple[str, bool], ...] = ()
    extensions: tuple[str, ...] = ()
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


def load_found(file: str) -> Config:
    """The settings of a file that was found, not named. Raises ConfigError, also where it is a link to somewhere else."""
    _inside(file, os.path.dirname(file), file)
    return load(file)


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
        settings[name] = _checked(file, str(key), value, getattr(Config, name))
    config = Config(**settings)
    if config.facts and os.path.isdir(os.path.join(os.path.dirname(file), config.facts)):
        raise ConfigError(f"{file}: facts is a file, and {config.facts} a folder")
    folder = os.path.dirname(file)
    return config._replace(
        runtimes=tuple(_near_by(file, path) for path in config.runtimes),
        facts=_near_by(file, config.facts) if config.facts else "",
        exclude=tuple(_from_here(os.path.join(folder, pattern)) for pattern in config.exclude),
    )


def _near_by(file: str, path: str) -> str:
    """A path as the working directory has it. Who wrote the settings may be somebody else than who runs the command, so that they name
    only what stands beside them. Raises ConfigError."""
    folder = os.path.dirname(file)
    near = os.path.join(folder, path)
    _inside(near, folder, file)
    if os.path.exists(near) and not os.path.isdir(near) and not (os.path.isfile(near) and near.endswith(SUFFIXES)):
        raise ConfigError(f"{file}: {path} is no {', '.join(SUFFIXES)} file and no folder")
    return _from_here(near)


def _from_here(path: str) -> str:
    try:
        return os.path.relpath(path)
    except OSError:  # somebody has removed the working directory
        return path


def _inside(path: str, folder: str, file: str) -> None:
    """Raises ConfigError for a path that leads out of the folder, or to something hidden in it."""
    try:
        parts = os.path.relpath(os.path.realpath(path), os.path.realpath(folder)).split(os.sep)
    except (OSError, RecursionError):
        parts = [os.pardir]
    if parts[0] == os.pardir:
        raise ConfigError(f"{file}: {os.path.relpath(path, folder)} leads out of the folder of the settings; name it on the command line instead")
    if any(part.startswith(".") and part not in (os.curdir, OWN) for part in parts):
        raise ConfigError(f"{file}: {os.path.relpath(path, folder)} is hidden; name it on the command line instead")


def _table_of(file: str) -> Any:
    if file.endswith(".toml"):
        import tomllib

        try:
            with open(file, "rb") as stream:
                parsed = tomllib.load(stream)
        except OSError as error:
            raise ConfigError(f"{file}: {error.strerror or error}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file}: {error}") from None
        except ValueError:  # Python's own limit for the digits of one number
            raise ConfigError(f"{file}: a number has too many digits") from None
        except RecursionError:
            raise ConfigError(f"{file}: nested too deeply") from None
        tool = parsed.get("tool")
        return tool.get(TABLE, {}) if isinstance(tool, dict) else {}
    from jobset_compiler.source.files import read_file

    documents, problems = read_file(file)
    for problem in problems:
        raise ConfigError(f"{problem.span}: {problem.message}")
    return documents[0].value if documents else {}


def _checked(file: str, key: str, value: Any, default: Any) -> Any:
    """The value as the field has it. The type of a field is that of its default."""
    if key == "feature-gates":
        if isinstance(value, dict) and all(isinstance(on, bool) for on in value.values()):
            return tuple((str(gate), on) for gate, on in value.items())
        raise ConfigError(f"{file}: feature-gates is a table of true and false")
    wanted = "true or false" if isinstance(default, bool) else "a string" if isinstance(default, str) else "a list of strings"
    texts = value if isinstance(value, list) else [value]
    right = isinstance(value, type(default)) if not isinstance(default, tuple) else isinstance(value, list)
    if not right or (not isinstance(default, bool) and not all(isinstance(text, str) for text in texts)):
        raise ConfigError(f"{file}: {key} is {wanted}, not {_shown(value)}")
    if any(isinstance(text, str) and "\0" in text for text in texts):
        raise ConfigError(f"{file}: {key} has a NUL byte")
    return tuple(value) if isinstance(value, list) else value


def _shown(value: Any) -> str:
    """A wrong value in a message: a scalar as it is, where it is not too long for one."""
    if isinstance(value, (str, bool, float)) or (isinstance(value, int) and abs(value) < 10**12):
        shown = repr(value)
        return shown if len(shown) <= 60 else f"{shown[:57]}..."
    return {dict: "a table", list: "a list", int: "a number of many digits"}.get(type(value), f"a {type(value).__name__}")
