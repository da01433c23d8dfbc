"""The golden cases: a file a case, read from `golden/<area>/<case>.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

import jobset_compiler as jc
from jobset_compiler.diagnostics.report import Policy, Report
from jobset_compiler.diagnostics.text import TextWriter
from jobset_compiler.explain import explanation
from jobset_compiler.explain.fields import fields_of, line_of, lines
from jobset_compiler.explain.layout import lay_out
from jobset_compiler.explain.text import story
from jobset_compiler.library.migration import Migration
from jobset_compiler.result.compilation import Compilation
from tests.golden.case_file import CaseFile, Told, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Stage

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
# What every small runtime of a golden would be told.
NOISE = ("framework-label-missing",)
# Which stages of the compile find what, by the block of the code.
STAGES: dict[str, set[Stage]] = {
    "JSC0": {"source"},
    "JSC1": {"schema", "decode"},
    "JSC2": {"decode", "resolve", "webhook", "build", "objects"},
    "JSC3": {"webhook", "build", "advice"},
    "JSC4": {"jobset", "children", "plugins"},
    "JSC6": {"decode", "convert", "schema", "resolve", "webhook", "passes", "advice"},
    "JSC7": {"advice"},
    "JSC8": {"build"},
}
OLDER = ("PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "JAXJob", "PaddleJob", "TrainingJob", "ClusterTrainingRuntime")
KINDS = frozenset(("", "TrainJob", "JobSet", "PodGroup", "TrainingRuntime", "ClusterTrainingRuntime", *OLDER))

SETTINGS = {
    *("why", "releases", "evidence", "cites"),
    *("bundled_runtimes", "feature_gates", "facts", "ignore", "input", "convert", "migrate", "explain", "extensions", "jobset_version"),
}


class Case(NamedTuple):
    """One file, read: see `case_file`. settings: why (one sentence), releases, evidence, cites; optional: bundled_runtimes,
    feature_gates, facts, jobset_version, ignore (diagnostics to leave out), extensions (those that are on), convert (documents of older APIs
    are compiled), explain (what that command says of it: true, or of which lines and fields), migrate (what is expected is what `migrate`
    writes; true, or its wishes)."""

    area: str
    name: str
    file: CaseFile

    @property
    def id(self) -> str:
        return f"{self.area}/{self.name}"

    @property
    def settings(self) -> dict[str, Any]:
        return self.file.settings

    @property
    def text(self) -> str:
        return self.file.text

    @property
    def releases(self) -> tuple[str, ...]:
        return tuple(self.file.told)

    @property
    def accepting(self) -> tuple[str, ...]:
        """The releases that do not refuse it."""
        return tuple(release for release, told in self.file.told.items() if told.output is not None)

    @property
    def extensions(self) -> tuple[str, ...]:
        """Those that are on, by name."""
        return tuple(self.settings.get("extensions", ()))

    @property
    def options(self) -> dict[str, Any]:
        """What the compile is told beside the documents."""
        facts: dict[str, Any] = {key: frozenset(value) if isinstance(value, list) else value for key, value in self.settings.get("facts", {}).items()}
        return {
            "bundled_runtimes": self.settings.get("bundled_runtimes", True),
            "feature_gates": self.settings.get("feature_gates"),
            "facts": jc.Facts(**facts),
            "convert": bool(self.settings.get("convert", False)),
            "jobset_version": self.settings.get("jobset_version"),
            "extensions": self.extensions,
        }

    def compile(self, release: str | None = None, text: str | None = None) -> Compilation:
        return jc.compile_yaml(self.text if text is None else text, trainer_version=release, file="input.yaml", **self.options)

    @property
    def is_migration(self) -> bool:
        return bool(self.settings.get("migrate"))

    def migrate(self, release: str, text: str | None = None) -> Migration:
        given = self.settings["migrate"]
        wishes = jc.Wishes(**(given if isinstance(given, dict) else {}))
        return jc.migrate(self.text if text is None else text, trainer_version=release, file="input.yaml", wishes=wishes, extensions=self.extensions)

    def tell(self, release: str) -> Told:
        """What that release makes of it now."""
        if not self.is_migration:
            return self.told(self.compile(release))
        migration = self.migrate(release)
        return Told(migration.text if migration.ok else None, self.printed(migration))

    def printed(self, result: Compilation | Migration) -> str:
        """Its diagnostics as the command prints them; each of a stage that finds such things, about an object of the input or none."""
        for told in result.diagnostics:
            assert told.stage in STAGES[told.code[:4]], (told.code, told.stage)
            assert told.object_kind in KINDS, (told.code, told.object_kind)
        written: list[str] = []
        report = Report(Policy(ignore=frozenset(self.settings.get("ignore", NOISE)), verbose=True), (TextWriter(written.append),))
        report.add(result.diagnostics)
        report.finish()
        return "".join(written)

    def told(self, result: Compilation) -> Told:
        return Told(result.to_yaml() if result.is_submitted else None, self.printed(result), "\n".join(self.explained(result)))

    def explained(self, result: Compilation) -> Iterator[str]:
        """What `explain` says at 80 columns, where the case asks for it: of everything, or of the lines of the input and the fields that it names."""
        asked: Any = self.settings.get("explain")
        for unit in result.units if asked else ():
            if asked is True:
                yield "".join(f"{line}\n" for line in lay_out(story(explanation(unit))))
                continue
            found = [told for line in asked.get("lines", ()) for told in line_of(unit, "input.yaml", line)]
            found += [told for field in asked.get("fields", ()) for told in fields_of(unit, field)]
            yield "".join(f"{line}\n" for line in lay_out(lines(unit, found)))


@cache
def all_cases() -> tuple[Case, ...]:
    return tuple(_case(file) for file in sorted(GOLDEN.glob("*/*.yaml"), key=lambda file: (file.parent.name, file.stem)))


def _case(file: Path) -> Case:
    try:
        # Bytes, so that no line end is changed on the way.
        return Case(file.parent.name, file.stem, read(file.read_bytes().decode()))
    except (ValueError, yaml.YAMLError) as error:
        raise ValueError(f"{file}: {error}") from error


def runs() -> list[tuple[Case, str]]:
    return [(case, release) for case in all_cases() for release in case.releases]


def index() -> str:
    """All claims on one page."""
    lines = ["# All golden cases", "", "Written by `python -m pytest tests/golden --snapshot-update`."]
    area = ""
    for case in all_cases():
        if case.area != area:
            area = case.area
            lines += ["", f"## {area}", ""]
        lines.append(f"- [{case.name}]({case.id}.yaml): {case.settings['why']}")
    return "\n".join(lines) + "\n"
