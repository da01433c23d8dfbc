"""The page of quirks: what the controller does otherwise than one would think, and we do as well."""

from __future__ import annotations

import re

from jobset_compiler.cli.codes import escaped
from jobset_compiler.diagnostics.codes import all_codes, of_block
from jobset_compiler.diagnostics.codes.code import ERROR
from jobset_compiler.profiles import PROFILES
from tests.golden.cases import Case, all_cases

RELEASES = tuple(profile.name for profile in PROFILES)
ISSUES = "https://github.com/kubeflow/trainer/issues/"
HEAD = """\
# Quirks

Made from the catalogue of codes and the golden cases; a test compares (`UPDATE_DOCS=1 python -m pytest tests/docs`).

What the controller does otherwise than most would think. It is reproduced, release by release, and said in a finding. Upstream: issues and pull
requests of kubeflow/trainer. The cases show input, output and finding.

## Told by a notice

| Notice | What happens | Releases | Upstream | Cases |
|---|---|---|---|---|
"""
BELOW = """
## Told by an error, or by nothing

A refusal that surprises has the code of its rule. What only changes the output, and does what most would expect, has no finding.

| What happens | Codes | Releases | Upstream | Case |
|---|---|---|---|---|
"""


def codes_by_release(case: Case) -> dict[str, frozenset[str]]:
    """The codes that a case's input raises, under every release and not only under those that its claim is about."""
    return {release: frozenset(diagnostic.code for diagnostic in case.compile(release).diagnostics) for release in RELEASES}


def spans(releases: set[str]) -> str:
    """Releases as ranges: "v2.1 .. v2.3"."""
    runs: list[list[str]] = []
    for name in RELEASES:
        if name in releases:
            if runs and RELEASES.index(runs[-1][-1]) + 1 == RELEASES.index(name):
                runs[-1].append(name)
            else:
                runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} .. {run[-1]}" for run in runs)


def issues(*texts: str) -> str:
    numbers = sorted({int(number) for text in texts for number in re.findall(r"(?<![\w/])#(\d{4})\b", text)})
    return " ".join(f"[#{number}]({ISSUES}{number})" for number in numbers)


def links(cases: list[Case]) -> str:
    return ", ".join(f"[{case.name}](../golden/{case.id}.yaml)" for case in cases)


def page() -> str:
    cases = sorted(all_cases(), key=lambda case: case.id)
    errors = {code.code for code in all_codes() if code.severity == ERROR}
    told: set[str] = set()
    rows = []
    for code in of_block("parity"):
        tells = [case for case in cases if any(code.code in part.printed for part in case.file.told.values())]
        found = [case for case in cases if code.code in case.settings["cites"] or (case.area == "parity" and case in tells)] or tells
        told.update(case.id for case in found if case.area == "parity")
        releases = {release for case in found for release, codes in codes_by_release(case).items() if code.code in codes}
        cited = [str(cite) for case in found if case.area == "parity" for cite in case.settings["cites"]]
        link = f"[{code.code}](codes.md#{code.code.lower()}-{code.slug})"
        rows.append(f"| {link} | {escaped(code.title)} | {spans(releases)} | {issues(code.text) or issues(*cited)} | {links(found[:4])} |\n")
    others = []
    for case in cases:
        if case.area == "parity" and case.id not in told:
            codes = codes_by_release(case)
            raised = sorted({code for release in case.releases for code in codes[release]} & errors)
            cited = [str(cite) for cite in case.settings["cites"]]
            others.append(f"| {escaped(case.settings['why'])} | {' '.join(raised)} | {spans(set(case.releases))} | {issues(*cited)} | {links([case])} |\n")
    return HEAD + "".join(rows) + BELOW + "".join(others)
