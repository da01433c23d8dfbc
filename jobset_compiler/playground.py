"""What the playground of the site asks: texts and a release in, one of its tabs out, both as JSON.

    {"texts": {"trainjob.yaml": "...", "runtimes.yaml": "..."}, "release": "v2.3", "view": "objects"}     and for the view "origins" also "object": 0
    -> {"findings": [...], "trainjobs": 1, "refused": 0, "view": {...}}

Each view is one of the library: nothing is decided here. It runs in a browser, with the standard library and ruamel.yaml; only the picture needs Jinja2.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.inert import lines
from jobset_compiler.diagnostics.report import by_place
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.diff.side import DEFAULT_POLICY, compile_side, text_source
from jobset_compiler.emit.yaml import document, to_yaml
from jobset_compiler.profiles import NEWEST, PROFILES, find
from jobset_compiler.request.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.diagnostics.settled import SettledDiagnostic
    from jobset_compiler.diff.side import Side
    from jobset_compiler.library.sources import Source
    from jobset_compiler.objects.unit import Unit
    from jobset_compiler.report.beside import PageLine

Tree = dict[str, Any]


def releases() -> str:
    """What can be chosen: [{"name": "v2.3", "called": "Kubeflow Trainer 2.3.0", "newest": true}], the newest first."""
    return json.dumps([{"name": profile.name, "called": profile.title, "newest": profile is NEWEST} for profile in reversed(PROFILES)])


def answer(request: str) -> str:
    """What a view shows of the texts, with all findings. ValueError for a release or a view that is not known; bad texts never raise."""
    asked = json.loads(request)
    profile, view = find(asked["release"]), VIEWS.get(asked["view"])
    if profile is None or view is None:
        raise ValueError(f"no such release or view: {asked['release']!r}, {asked['view']!r}")
    sources = [text_source(_well_formed(text), name) for name, text in asked["texts"].items() if text.strip()]
    # As the command line does it, and kubectl.
    side = compile_side(sources, Options(profile=profile, validate="strict"), profile.name)
    findings = [_finding(settle(one)) for one in by_place(side.diagnostics)]
    refused = sum(job.unit is None for job in side.jobs)
    return json.dumps({"findings": findings, "trainjobs": len(side.jobs), "refused": refused, "view": view(side, sources, asked)})


def _well_formed(text: str) -> str:
    """Strings of JavaScript may hold halves of characters, which no file can."""
    return text.encode("utf-8", "replace").decode()


def _finding(finding: SettledDiagnostic) -> Tree:
    """A finding with its places, and the offsets of what can be mended, both in code points."""
    fixes = [
        {
            "title": fix.title,
            "safe": fix.safe,
            "edits": [{"file": edit.span.file, "from": edit.start, "to": edit.end, "text": edit.replacement} for edit in fix.edits],
        }
        for fix in finding.fixes
    ]
    shown = finding._replace(fixes=())._asdict() | {"notes": [note._asdict() for note in finding.notes], "excerpt": finding.excerpt}
    return {**_inert(shown), "fixes": fixes}


def _inert(value: Any) -> Any:
    """What may be shown: characters that would act, such as those that turn the direction of a text, become escapes."""
    if isinstance(value, dict):
        return {key: _inert(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_inert(item) for item in value]
    return lines(value) if isinstance(value, str) else value


def _units(side: Side) -> list[Unit]:
    return [job.unit for job in side.jobs if job.unit is not None]


def _objects(side: Side, sources: Sequence[Source], asked: Tree) -> Tree:
    """The objects as `render` writes them."""
    return {"text": to_yaml(manifest for unit in _units(side) for manifest in unit.objects)}


def _origins(side: Side, sources: Sequence[Source], asked: Tree) -> Tree:
    """For each line of one of the objects, by its number (`object`), where it comes from: in words and as the nearest place in the texts; null for a line that
    says nothing by itself."""
    from jobset_compiler.report.beside import beside

    given, number = {source.file for source in sources}, int(asked.get("object", 0))
    for unit in _units(side):
        if number < len(unit.objects):
            told = beside(unit)
            places = {line.key: (part.file, line.number) for part in told.inputs for line in part.lines if part.file in given}
            shown, count = told.outputs[number].lines, document(unit.objects[number]).count("\n")
            # What is secret is hidden in the report, where a value of several lines then has one.
            return {"lines": [_origin(line, places) for line in shown] if len(shown) == count else [None] * count}
        number -= len(unit.objects)
    return {"lines": []}


def _origin(line: PageLine, places: dict[str, tuple[str, int]]) -> Tree:
    file, number = next((places[other] for other in line.others if other in places), ("", 0))
    return {"words": lines(line.words), "file": file, "line": number}


def _explanation(side: Side, sources: Sequence[Source], asked: Tree) -> Tree:
    """What runs, and where each value comes from, as `explain` tells it."""
    from jobset_compiler.explain import explanation
    from jobset_compiler.explain.layout import lay_out
    from jobset_compiler.explain.text import story

    return {"text": lines("\n\n".join("\n".join(lay_out(story(explanation(unit)))) for unit in _units(side)))}


def _picture(side: Side, sources: Sequence[Source], asked: Tree) -> Tree:
    """The pictures of the report, each as an SVG document."""
    from jobset_compiler.explain import explanation
    from jobset_compiler.report.page import to_svg
    from jobset_compiler.report.picture import picture_of

    pictures = [picture_of(unit, explanation(unit)) for unit in _units(side)]
    return {"pictures": [{"title": lines(picture.title), "svg": to_svg(picture, f"picture-{number}")} for number, picture in enumerate(pictures)]}


def _releases(side: Side, sources: Sequence[Source], asked: Tree) -> Tree:
    """What becomes of each TrainJob that is not refused under the other releases, and why."""
    from jobset_compiler.report.releases import elsewhere

    found = elsewhere(side, sources, DEFAULT_POLICY)
    names = {job.key: job.name for job in side.jobs}
    told = [{"trainjob": names[key], "releases": [_elsewhere(one) for one in others]} for key, others in found.items()]
    return {"here": side.label, "jobs": _inert(told)}


def _elsewhere(one: Any) -> Tree:
    return {**one._asdict(), "changes": [change._asdict() for change in one.changes]}


def _findings(side: Side, sources: Sequence[Source], asked: Tree) -> Tree:
    """Nothing more than every answer has."""
    return {}


VIEWS = {
    "findings": _findings,
    "objects": _objects,
    "origins": _origins,
    "explanation": _explanation,
    "picture": _picture,
    "releases": _releases,
}
