"""Write the facts `upstream/<release>/` from what upstream publishes: the Go sources of its API types, and its CRDs.

    python tools/extract.py v2.4 --trainer CHECKOUT             # CHECKOUT: kubeflow/trainer at the tag of the release
    python tools/extract.py v2.4 --trainer CHECKOUT --check     # write nothing; exit status 1 if the recorded facts differ

The modules that the checkout pins (JobSet, k8s.io/api, ...) are looked for where Go keeps them, `$GOMODCACHE` or
`$GOPATH/pkg/mod` (`go mod download` in the checkout puts them there); `--module PATH=FOLDER` names another folder for one.
Go itself is not needed. What the facts hold is said in `upstream/README.md`.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML

import facts
import go_types
from go_types import GoError, Type

if TYPE_CHECKING:
    from collections.abc import Iterator

Facts = dict[str, Any]
TRAINER_API = "pkg/apis/trainer/v1alpha1"
JOBSET = "sigs.k8s.io/jobset"
SCHEDULER_PLUGINS = "sigs.k8s.io/scheduler-plugins"
VOLCANO = "volcano.sh/apis"
# The modules that the versions of a release are told by.
MODULES = ("k8s.io/api", "k8s.io/apimachinery", JOBSET, SCHEDULER_PLUGINS, VOLCANO)
# What the packages are called in the facts; every other one by its last two parts.
NAMES = {
    "k8s.io/apimachinery/pkg/types": "types",
    f"{SCHEDULER_PLUGINS}/apis/scheduling/v1alpha1": "scheduler-plugins/scheduling/v1alpha1",
    f"{VOLCANO}/pkg/apis/scheduling/v1beta1": "volcano/scheduling/v1beta1",
}
# Types that write themselves as JSON in a way of their own.
OPAQUE = {
    ("k8s.io/apimachinery/pkg/api/resource", "Quantity"): "Quantity",
    ("k8s.io/apimachinery/pkg/util/intstr", "IntOrString"): "IntOrString",
    ("k8s.io/apimachinery/pkg/apis/meta/v1", "Time"): "Time",
    ("k8s.io/apimachinery/pkg/apis/meta/v1", "MicroTime"): "Time",
    ("k8s.io/apimachinery/pkg/apis/meta/v1", "FieldsV1"): "FieldsV1",
}


class Sources:
    """A checkout of kubeflow/trainer and the modules that its go.mod pins."""

    def __init__(self, checkout: pathlib.Path, folders: dict[str, pathlib.Path]) -> None:
        self.checkout = checkout
        self.folders = folders
        go_mod = checkout / "go.mod"
        lines = list(go_mod_lines(go_mod.read_text(encoding="utf-8"))) if go_mod.is_file() else []
        if not any(directive == "module" for directive, _ in lines):
            raise GoError(f"{checkout}: no go.mod; is it a checkout of kubeflow/trainer?")
        self.module = ""
        self.versions: dict[str, str] = {}
        for directive, words in lines:
            if directive == "module":
                self.module = words[0]
            elif directive == "require":
                self.versions[words[0]] = words[1]
        for directive, words in lines:
            if directive == "replace":  # OLD [v] => NEW v, or OLD [v] => FOLDER
                new = words[words.index("=>") + 1 :]
                self.versions[words[0]] = new[1] if len(new) > 1 else ""
                self.folders.setdefault(words[0], cached(*new) if len(new) > 1 else checkout / new[0])
        self.packages: dict[str, dict[str, Type]] = {}

    @property
    def trainer_api(self) -> str:
        return f"{self.module}/{TRAINER_API}"

    def has(self, module: str) -> bool:
        return module in self.versions

    def folder(self, path: str) -> pathlib.Path:
        """Where the sources of a module or of one of its packages are."""
        if path == self.module or path.startswith(self.module + "/"):
            return self.checkout / path[len(self.module) :].lstrip("/")
        module = max((name for name in self.versions if path == name or path.startswith(name + "/")), key=len, default="")
        if not module:
            raise GoError(f"{path}: no module of go.mod has this package")
        found = self.folders.get(module) or cached(module, self.versions[module])
        if not found.is_dir():
            raise GoError(f"{found}: not there; run `go mod download {module}` in the checkout, or say --module {module}=FOLDER")
        return found / path[len(module) :].lstrip("/")

    def declared(self, path: str, name: str) -> Type:
        if path not in self.packages:
            self.packages[path] = go_types.package(self.folder(path))
        if name not in self.packages[path]:
            raise GoError(f"{path}: declares no type {name}")
        return self.packages[path][name]


def go_mod_lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each line of a go.mod: its directive, also where that opens a block, and the words after it."""
    block = ""
    for line in text.splitlines():
        words = line.partition("//")[0].split()
        if words == [")"]:
            block = ""
        elif words and words[-1] == "(":
            block = words[0]
        elif words:
            yield (block, words) if block else (words[0], words[1:])


def cached(module: str, version: str) -> pathlib.Path:
    """Where Go keeps a module: capitals are written with `!`."""
    gopath = os.environ.get("GOPATH") or pathlib.Path.home() / "go"
    root = pathlib.Path(os.environ.get("GOMODCACHE") or pathlib.Path(gopath) / "pkg" / "mod")
    return root / (re.sub("[A-Z]", lambda letter: "!" + letter.group().lower(), module) + "@" + version)


# --- types


class Types:
    """Walks from the roots and collects every type that they reach."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.structs: dict[str, list[dict[str, Any]]] = {}
        self.scalars: dict[str, str] = {}

    def name(self, path: str, name: str) -> str:
        return f"{NAMES.get(path) or '/'.join(path.split('/')[-2:])}.{name}"

    def reach(self, path: str, name: str) -> str:
        """Notes a struct and what its fields reach; -> its name in the facts."""
        full = self.name(path, name)
        if full not in self.structs:
            self.structs[full] = []  # types may hold themselves
            declared = self.sources.declared(path, name)
            if declared[0] != "struct":
                raise GoError(f"{full} is no struct")
            self.structs[full] = [field for field in (self.field(path, full, entry) for entry in declared[1]) if field]
        return full

    def field(self, path: str, owner: str, field: go_types.Field) -> dict[str, Any] | None:
        tag = go_types.tag_values(field.tag)
        name, *options = tag.get("json", "").split(",")
        if name == "-" or not (field.name[0].isupper() or field.embedded):
            return None
        type_ = field.type
        out: dict[str, Any] = {"go": field.name}
        if type_[0] == "ptr":
            type_ = type_[1]
            out["ptr"] = True
        inline = not name and (field.embedded or "inline" in options)
        if inline:
            out["inline"] = True
        else:
            out["json"] = name or field.name
        out["type"] = self.type(path, type_)
        if out["type"] is None:
            raise GoError(f"{owner}.{field.name}: a type that JSON does not have")
        out.update({option: True for option in options if option in ("omitempty", "omitzero")})
        out.update({key: tag[key] for key in ("patchStrategy", "patchMergeKey") if key in tag})
        return out

    def type(self, path: str, type_: Type) -> Any:
        """A type as the facts write it; named lists and maps are written out."""
        kind = type_[0]
        if kind == "scalar":
            return type_[1]
        if kind == "ptr":
            return self.type(path, type_[1])
        if kind == "list":
            return "bytes" if type_[1] == ("scalar", "byte") else {"list": self.type(path, type_[1])}
        if kind == "map":
            key = self.type(path, type_[1])
            named = {"key": key["named"]} if isinstance(key, dict) else {}
            return {"map": self.type(path, type_[2]), **named}
        if kind == "ref":
            return self.reference(type_[1] or path, type_[2])
        return None

    def reference(self, path: str, name: str) -> Any:
        if (path, name) in OPAQUE:
            return OPAQUE[path, name]
        declared = self.sources.declared(path, name)
        if declared[0] == "struct":
            return "#" + self.reach(path, name)
        found = self.type(path, declared)
        if declared[0] == "scalar":
            full = self.name(path, name)
            self.scalars[full] = found
            return {"named": full, "scalar": found}
        return found


def type_facts(sources: Sources, tag: str) -> Facts:
    """`types.json` of a release."""
    core, api = "k8s.io/api/core/v1", sources.trainer_api
    roots = {
        "ClusterTrainingRuntime": (api, "ClusterTrainingRuntime"),
        "ConfigMap": (core, "ConfigMap"),
        "Job": ("k8s.io/api/batch/v1", "Job"),
        "JobSet": (f"{JOBSET}/api/jobset/v1alpha2", "JobSet"),
        "PodTemplateSpec": (core, "PodTemplateSpec"),
        "Secret": (core, "Secret"),
        "Service": (core, "Service"),
        "TrainJob": (api, "TrainJob"),
        "TrainingRuntime": (api, "TrainingRuntime"),
    }
    if sources.has(SCHEDULER_PLUGINS):
        roots["PodGroup.scheduler-plugins"] = (f"{SCHEDULER_PLUGINS}/apis/scheduling/v1alpha1", "PodGroup")
    if sources.has(VOLCANO):
        roots["PodGroup.volcano"] = (f"{VOLCANO}/pkg/apis/scheduling/v1beta1", "PodGroup")
    types = Types(sources)
    named = {kind: types.reach(path, name) for kind, (path, name) in roots.items()}
    modules = {module: sources.versions[module] for module in MODULES if sources.has(module)}
    return {"tag": tag, "modules": modules, "roots": named, "types": types.structs, "namedScalars": types.scalars}


# --- CRDs


def crd_facts(sources: Sources, tag: str) -> Facts:
    """`crds.json` of a release."""
    folder = sources.checkout / "manifests" / "base" / "crds"
    schemas = {kind: schema_of(folder / f"trainer.kubeflow.org_{kind.lower()}s.yaml") for kind in ("TrainJob", "TrainingRuntime")}
    if schema_of(folder / "trainer.kubeflow.org_clustertrainingruntimes.yaml") != schemas["TrainingRuntime"]:
        raise GoError("the schemas of TrainingRuntime and ClusterTrainingRuntime differ, and the facts have only one")
    jobset = sources.folder(JOBSET) / "config" / "components" / "crd" / "bases" / "jobset.x-k8s.io_jobsets.yaml"
    return {"trainer": tag, "jobset": sources.versions[JOBSET], "schemas": {**schemas, "JobSet": schema_of(jobset)}}


def schema_of(file: pathlib.Path) -> Any:
    """The schema of the version that a CRD stores, without its descriptions."""
    if not file.is_file():
        raise GoError(f"{file}: no such CRD")
    crd = YAML(typ="safe").load(file)
    (version,) = [version for version in crd["spec"]["versions"] if version["storage"]]
    return undescribed(version["schema"]["openAPIV3Schema"])


def undescribed(schema: Any, names: bool = False) -> Any:
    """names: whether the keys are names of fields, one of which may be called `description`."""
    if isinstance(schema, list):
        return [undescribed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: undescribed(item, key == "properties" and not names) for key, item in schema.items() if names or key != "description"}


# --- the tool


def tag_of(checkout: pathlib.Path) -> str:
    """The tag that a checkout says it is at, "" if it does not."""
    version = checkout / "VERSION"
    if version.is_file():
        return version.read_text(encoding="utf-8").strip()
    try:
        done = subprocess.run(["git", "-C", str(checkout), "describe", "--tags", "--exact-match"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def extract(checkout: pathlib.Path, tag: str = "", folders: dict[str, pathlib.Path] | None = None) -> dict[str, Facts]:
    """A checkout -> the facts by what they are about. Raises GoError where a source is missing or not understood."""
    sources = Sources(checkout, dict(folders or {}))
    tag = tag or tag_of(checkout)
    if not tag:
        raise GoError(f"{checkout}: which tag is this? Say --tag")
    return {facts.TYPES: type_facts(sources, tag), facts.CRDS: crd_facts(sources, tag)}


def differences(expected: Any, got: Any, place: str = "") -> list[str]:
    """Where two facts differ, a line each."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [*expected, *(key for key in got if key not in expected)]
        return [line for key in keys for line in differences(expected.get(key), got.get(key), f"{place}.{key}")]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return [line for index, pair in enumerate(zip(expected, got, strict=True)) for line in differences(*pair, f"{place}[{index}]")]
    return [] if expected == got else [f"{place.lstrip('.')}: recorded {str(expected)[:200]}, found {str(got)[:200]}"]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the facts of a release from upstream's sources.")
    parser.add_argument("release", help="as the profiles call it: v2.4")
    parser.add_argument("--trainer", type=pathlib.Path, required=True, metavar="CHECKOUT", help="kubeflow/trainer at the tag of the release")
    parser.add_argument("--tag", default="", help="that tag, where the checkout does not say it")
    parser.add_argument("--module", action="append", default=[], metavar="PATH=FOLDER", help="where the sources of a module are")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the recorded facts differ")
    options = parser.parse_args(arguments)
    folders = {path: pathlib.Path(folder) for path, _, folder in (text.partition("=") for text in options.module)}
    try:
        found = extract(options.trainer, options.tag, folders)
    except GoError as problem:
        sys.exit(f"extract: {problem}")
    if not options.check:
        for what, value in found.items():
            facts.save(options.release, what, value)
            print(f"upstream/{options.release}/{what}.json.gz")
        return 0
    lines = [f"{what} {line}" for what, value in found.items() for line in differences(facts.load(options.release, what), value)]
    print(*lines[:100], sep="\n", end="\n" if lines else "")
    print(f"{len(lines)} differences")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
