"""The golden cases: a folder a case, read from `golden/<area>/<case>/`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import jobset_compiler as jc
from jobset_compiler.diagnostics.report import Policy, Report
from jobset_compiler.diagnostics.text import TextWriter
from jobset_compiler.result.compilation import Compilation

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
# What every small runtime of a golden would be told.
NOISE = ("framework-label-missing",)
PROFILES = ("v2.0", "v2.1", "v2.2", "v2.3")


class Case(NamedTuple):
    """case.toml: why (one sentence), profiles, evidence, cites; optional: same (do all profiles give one result, true by
    default), bundled_runtimes, feature_gates, facts, ignore (diagnostics to leave out)."""

    area: str
    name: str
    settings: dict[str, Any]

    @property
    def folder(self) -> Path:
        return GOLDEN / self.area / self.name

    @property
    def id(self) -> str:
        return f"{self.area}/{self.name}"

    @property
    def text(self) -> str:
        # Bytes, so that carriage returns and byte order marks reach the reader.
        return (self.folder / "input.yaml").read_bytes().decode()

    @property
    def profiles(self) -> tuple[str, ...]:
        return tuple(self.settings["profiles"])

    @property
    def same(self) -> bool:
        """Whether all profiles share one expected file; otherwise there is `expected.v2.3.yaml` and so on."""
        return bool(self.settings.get("same", True))

    def variant(self, stem: str, suffix: str, profile: str) -> str:
        """The snapshot's path below `golden/`."""
        return f"{self.id}/{stem}{suffix}" if self.same else f"{self.id}/{stem}.{profile}{suffix}"

    @property
    def options(self) -> dict[str, Any]:
        """What the compile is told beside the documents."""
        facts: dict[str, Any] = {key: frozenset(value) if isinstance(value, list) else value for key, value in self.settings.get("facts", {}).items()}
        return {
            "bundled_runtimes": self.settings.get("bundled_runtimes", True),
            "feature_gates": self.settings.get("feature_gates"),
            "facts": jc.Facts(**facts),
        }

    def compile(self, profile: str | None = None, text: str | None = None) -> Compilation:
        return jc.compile_yaml(self.text if text is None else text, trainer_version=profile, file="input.yaml", **self.options)

    def printed(self, result: Compilation) -> str:
        """Its diagnostics as the command prints them."""
        written: list[str] = []
        report = Report(Policy(ignore=frozenset(self.settings.get("ignore", NOISE))), (TextWriter(written.append),))
        report.add(result.diagnostics)
        report.finish()
        return "".join(written)


def index() -> str:
    """All claims on one page."""
    lines = ["# All golden cases", "", "Written by `python -m pytest tests/golden --snapshot-update`."]
    area = ""
    for case in all_cases():
        if case.area != area:
            area = case.area
            lines += ["", f"## {area}", ""]
        lines.append(f"- [{case.name}]({case.id}): {case.settings['why']}")
    return "\n".join(lines) + "\n"


def all_cases() -> list[Case]:
    return [Case(file.parent.parent.name, file.parent.name, tomllib.loads(file.read_text())) for file in sorted(GOLDEN.glob("*/*/case.toml"))]


def runs() -> list[tuple[Case, str]]:
    return [(case, profile) for case in all_cases() for profile in case.profiles]
