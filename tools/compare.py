"""Compare what we say with what upstream said: the recorded answers of `upstream/answers/`.

    python tools/compare.py                                     # all of them; a table; exit status 1 if the differing runs are not the known ones
    python tools/compare.py --kind compile --family npp --release v2.3
    python tools/compare.py --kind compile --case named/npp/empty --release v2.3    # input, their answer, ours
    python tools/compare.py --answers DIR                       # another folder of the same layout
    python tools/compare.py --forget                            # take from upstream/differing.txt the runs that agree by now

A run is a case in a release. It agrees if `judge` finds nothing:

compile   accepted exactly where upstream accepts; then every object is equal, one of the alternatives where upstream's own order is
          random; else every error of upstream's first refusing stage is among ours, at the same path and in its words, and no other path
admitted  each JobSet has the recorded form after JobSet's own defaults, and comes to the recorded Jobs, Services and claims
children  a finding of stage `children` exactly where the Job or the Pod API refuses, with each path and message of theirs
updates   an error exactly where the server refuses the edit, or JobSet what the controller makes of it; path and words as theirs
live      refused exactly where a live control plane refuses, at a place that it names or in its words
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import pathlib
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import answers
import jobset_compiler as jc
from jobset_compiler.admission.jobset_defaults import admitted_form
from jobset_compiler.expand import expand
from jobset_compiler.library.updates import check_update
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from answers import Case
    from jobset_compiler.profiles import Profile

DIFFERING = answers.UPSTREAM / "differing.txt"
KINDS = ("compile", "admitted", "children", "updates", "live")
# What a parser of another language, a memory address or a Go stack says is not compared.
SILENT = ("some validation rules were not checked", "runtime error: ")
VERDICT_ONLY = ("yaml", "build", "panic")

class Run(NamedTuple):
    """One case in one release."""

    kind: str
    case: Case
    release: str

    @property
    def name(self) -> str:
        """As `upstream/differing.txt` has it."""
        return f"{self.kind} {self.case['id']} {self.release}"


def runs_of(kind: str, file: pathlib.Path) -> Iterator[Run]:
    """The runs of one file. A case of `admitted` is joined with the one of `compile` that it continues."""
    if kind == "admitted":
        known = {case["id"]: case for case in answers.read(file)}
        for case in answers.read(file.parent.parent / "compile" / file.name):
            jobsets = known.get(case["id"], {"jobset": {}})["jobset"]
            yield from (Run(kind, {**case, "jobset": jobsets}, release) for release in jobsets if case["results"][release]["stage"] == "ok")
        return
    for case in answers.read(file):
        yield from (Run(kind, case, release) for release in case["results"])


def known() -> set[str]:
    """The runs that are known to differ, of the whole corpus; a list that only gets shorter."""
    return {line for line in DIFFERING.read_text().splitlines() if line and not line.startswith("#")}


# --- one run


def judge(run: Run) -> list[str]:
    """What differs in one run, in words; nothing where we agree."""
    judges = {"compile": judge_compile, "admitted": judge_admitted, "children": judge_children, "updates": judge_update, "live": judge_live}
    return judges[run.kind](run.case, run.release)


def judge_compile(case: Case, release: str) -> list[str]:
    want = case["results"][release]
    result = jc.compile_yaml(case["input"], bundled_runtimes=False, trainer_version=release, feature_gates=case.get("feature_gates", {}))
    ours = errors_of(result.diagnostics)
    accepted = want["stage"] == "ok"
    if accepted != (not ours):
        return [f"upstream: {want['stage']}, but we " + (f"refuse: {ours}" if ours else f"accept; they say {said_by(want['errors'])}")]
    if accepted:
        got = json.loads(json.dumps(result.objects))
        choices = [want["objects"], *want.get("alternatives", ())]
        return [] if any(same_objects(choice, got) for choice in choices) else ["other objects"]
    if not want["errors"] or want["stage"] in VERDICT_ONLY:
        return []
    theirs = said_by(want["errors"])
    paths, our_paths = {error["path"] or "" for error in want["errors"]}, {path for path, _ in ours}
    out = []
    # An error that upstream gives no path (what a webhook cannot decode) has one here: where it stands.
    if paths != our_paths and not ("" in paths and paths - {""} <= our_paths):
        out.append(f"other paths: theirs {sorted(paths)}, ours {sorted(our_paths)}")
    out += [
        f"not said: {path}: {message}"
        for path, message in theirs
        if not any(path in ("", our_path) and says(our_message, message) for our_path, our_message in ours)
    ]
    return out


def judge_admitted(case: Case, release: str) -> list[str]:
    profile = profile_of(release)
    want = case["results"][release]
    # Where upstream's own order is random, one of its results went on.
    choices = [[item for item in objects if item["kind"] == "JobSet"] for objects in (want["objects"], *want.get("alternatives", ()))]
    out = []
    for number, answer in enumerate(case["jobset"][release]):
        if not any(admitted_form(jobsets[number], profile) == answer["defaulted"] for jobsets in choices):
            out.append("other form after defaults")
        got = [{**child.manifest, **({"waits": True} if child.waits else {})} for child in expand(answer["defaulted"], profile)]
        if got != (answer["children"] or []):
            out.append("other children")
    return out


def judge_children(case: Case, release: str) -> list[str]:
    want = case["results"][release]
    diagnostics = jc.compile_yaml(case["input"], bundled_runtimes=False, trainer_version=release).diagnostics
    if errors_of(diagnostics):
        return [f"refused before its Jobs are made: {errors_of(diagnostics)}"]
    ours = [diagnostic.message for diagnostic in diagnostics if diagnostic.stage == "children"]
    if bool(ours) != bool(want["refused"] or want.get("pod_refused")):
        return [f"we say {ours}; they say {want}"]
    text = "\n".join(ours)
    wanted = [f"{error['path']}: {error['message']}" for error in [*want["errors"], *want.get("pod_errors", ())]]
    return [f"not said: {message}" for message in wanted if message not in text]


def judge_update(case: Case, release: str) -> list[str]:
    want = case["results"][release]
    ours = update_errors(case, release)
    if bool(ours) != (want["stage"] != "ok"):
        return [f"upstream: {want['stage']} {said_by(want.get('errors', ()))}, ours: {ours}"]
    return [
        f"not said: {path}: {message}"
        for path, message in said_by(want.get("errors", ()))
        if not any((path in ("", at) or path in text) and message in text for at, text in ours)
    ]


def judge_live(case: Case, release: str) -> list[str]:
    want = case["results"][release]
    ours = update_errors(case, release) if "was" in case else errors_of(jc.compile_yaml(case["input"], trainer_version=release).diagnostics)
    if bool(ours) != want["refused"]:
        return [f"the server: {want['text']!r}, ours: {ours}"]
    # Of some refusals a controller logged no more than that there was one; and the server was not of the version that every release is built with.
    text = want["text"]
    said = not text or any((path and path in text) or message.rpartition("denied the request: ")[2] in text for path, message in ours)
    return [] if not ours or said else [f"the server: {want['text']!r}, ours: {ours}"]


def update_errors(case: Case, release: str) -> list[tuple[str, str]]:
    old, new = (read_text(case[key], f"{key}.yaml")[0] for key in ("was", "input"))
    found = check_update(old, new, Options(profile=profile_of(release), bundled_runtimes=False), tuple(case.get("active") or ()))
    # To the edit itself nobody says a word: there just is no JobSet afterwards.
    return errors_of(diagnostic for diagnostic in found if diagnostic.slug != "broken-runtime-kept")


def profile_of(release: str) -> Profile:
    profile = find(release)
    assert profile is not None
    return profile


def errors_of(diagnostics: Any) -> list[tuple[str, str]]:
    """(path, message) of the errors, but for what the Job and Pod APIs would say, which comes after all that is compared here."""
    return [(found.path or "", found.message) for found in diagnostics if found.severity == "error" and found.stage != "children"]


def said_by(errors: Any) -> list[tuple[str, str]]:
    """(path, message) of recorded errors that can be compared."""
    return [((error["path"] or "").replace("<nil>", ""), error["message"]) for error in errors if not error["message"].startswith(SILENT)]


def says(ours: str, theirs: str) -> bool:
    """Whether our message has theirs in it; of a list of problems, whose order is random in Go, every line."""
    head, mark, _ = theirs.partition(" errors:\n")
    return theirs in ours or bool(mark and head in ours and set(theirs.splitlines()) == set(ours.splitlines()))


def same(expected: Any, got: Any) -> bool:
    """Equal, where "<random>" stands for any text and {"$contains": [...]} for one with all these parts."""
    if expected == "<random>":
        return isinstance(got, str) and got != ""
    if isinstance(expected, dict):
        if set(expected) == {"$contains"}:
            return isinstance(got, str) and all(part in got for part in expected["$contains"])
        return isinstance(got, dict) and expected.keys() == got.keys() and all(same(value, got[key]) for key, value in expected.items())
    if isinstance(expected, list):
        return isinstance(got, list) and len(expected) == len(got) and all(map(same, expected, got))
    return type(expected) is type(got) and bool(expected == got)


def same_objects(expected: list[Any], got: list[Any]) -> bool:
    """Equal but for their order."""
    left = list(got)
    for want in expected:
        match = next((manifest for manifest in left if same(want, manifest)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


# --- all of them


def judged(run: Run) -> list[str]:
    """Like `judge`; a bug of ours is a difference too."""
    try:
        return judge(run)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare what we say with what upstream said.")
    parser.add_argument("--answers", type=pathlib.Path, default=answers.FOLDER, metavar="DIR")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--family", action="append")
    parser.add_argument("--release", action="append")
    parser.add_argument("--case", metavar="ID")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="print the first N runs that differ unexpectedly (20)")
    parser.add_argument("--forget", action="store_true", help="take the runs that agree from upstream/differing.txt")
    options = parser.parse_args(arguments)
    files = [(kind, file) for kind in options.kind or KINDS for file in answers.files(kind, options.answers)]
    runs = [
        run
        for kind, file in files
        for run in runs_of(kind, file)
        if (not options.family or run.case["family"] in options.family)
        and (not options.release or run.release in options.release)
        and (not options.case or run.case["id"] == options.case)
    ]
    if not runs:
        sys.exit("no such case")
    if options.case:
        for run in runs:
            print(f"# {run.name}: {run.case.get('why', '')}", run.case.get("was", ""), run.case["input"], sep="\n")
            print(f"# upstream\n{json.dumps(run.case['results'][run.release], indent=1)}\n# differs in", *judged(run), sep="\n")
        return 0
    expected = known()
    differing: dict[str, list[str]] = {}
    rows: collections.Counter[tuple[str, str]] = collections.Counter()
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for run, problems in zip(runs, pool.map(judged, runs, chunksize=16), strict=True):
            if problems:
                differing[run.name] = problems
            for row in (f"{run.kind} {run.case['family']}", run.kind, run.release, "all"):
                rows[row, "runs"] += 1
                rows[row, "agree"] += not problems
    for row in sorted({row for row, _ in rows}):
        print(f"{row:32}{rows[row, 'agree']:>8} of {rows[row, 'runs']}")
    unexpected = [name for name in differing if name not in expected]
    for name in unexpected[: options.show]:
        print(name, *(problem[:400] for problem in differing[name]), sep="\n    ")
    mended = expected & ({run.name for run in runs} - differing.keys())
    print(f"{len(unexpected)} runs differ unexpectedly; {len(mended)} of upstream/differing.txt agree by now")
    if options.forget and mended:
        DIFFERING.write_text("".join(line + "\n" for line in DIFFERING.read_text().splitlines() if line not in mended))
        mended = set()
    return 1 if unexpected or mended else 0


if __name__ == "__main__":
    sys.exit(main())
