"""Write `upstream/answers/` from a folder of recorded answers: a sample small enough for the repository, or all of them.

    python tools/sample.py CORPUS                    # the sample, into upstream/answers
    python tools/sample.py CORPUS --check            # exit status 1 if upstream/answers is not that sample
    python tools/sample.py CORPUS --all --into DIR   # every answer, in the same layout

CORPUS holds `server/` (with `server/admitted/`), `updates/`, `children/` and `live/`, each with `*.jsonl.gz` files, as the
programs that `upstream/README.md` describes write them. What the lines mean is said there.

What is sampled: every case that a person wrote. Of generated cases, in the order of their files, each one that shows a trait
that no case before it showed (`traits`: a stage, an error, a field of an object, a field of an input, in a release), and each
of a fixed share of the rest. Same corpus, same sample.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pathlib
import re
import sys
from typing import TYPE_CHECKING, Any

import answers
from answers import read
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from answers import Case

LIMIT = 2_000_000
GENERATED = ("random-", "more-")
EVERY = 12  # of the generated cases that show nothing new, one in so many stays
PRIVATE_NUMBERS = re.compile(r"\s*\((?:Q\d+(?:, )?)+\)|\bQ\d+:\s*")

def text_of(cases: Iterable[Case]) -> str:
    return "".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n" for case in cases)


def cleaned(case: Case) -> Case:
    """Without the numbers and marks that only the makers of a corpus know."""
    out = {key: value for key, value in case.items() if key != "tags"}
    if "why" in out:
        out["why"] = PRIVATE_NUMBERS.sub("", out["why"]).strip()
    return out


# --- traits


def field_paths(value: Any, path: str = "") -> Iterator[str]:
    """Every field below a value: indexes left out, keys of maps of the user's own as `*`."""
    if isinstance(value, dict):
        for key, item in value.items():
            below = f"{path}.{key if isinstance(key, str) and re.fullmatch('[a-z][A-Za-z0-9]*', key) else '*'}"
            yield below
            yield from field_paths(item, below)
    elif isinstance(value, list):
        for item in value:
            yield from field_paths(item, f"{path}[]")


def pattern(text: str) -> str:
    """A message without what differs from input to input: quoted text, indexes, numbers."""
    return re.sub(r"\d+", "0", re.sub(r"\[[^\]]*\]", "[]", re.sub(r"\"[^\"]*\"|'[^']*'", "''", text)))


def traits(case: Case) -> set[tuple[str, ...]]:
    """What a case of `compile/` shows."""
    found: set[tuple[str, ...]] = set()
    inputs = {path for document in read_text(case["input"])[0] for path in field_paths(document.value)}
    for release, answer in case["results"].items():
        stage = answer["stage"]
        found.add((release, stage, case["family"]))
        for error in answer.get("errors") or ():
            found.add((release, stage, pattern(error["path"] or ""), pattern(error["message"])))
        for warning in answer.get("warnings") or ():
            found.add((release, "warning", pattern(str(warning))))
        for item in answer.get("objects") or ():
            found.update((release, item["kind"], path) for path in field_paths(item))
        if stage == "ok":
            found.update((release, "input", path) for path in inputs)
    return found


def admitted_traits(case: Case) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for release, jobsets in case["jobset"].items():
        for jobset in jobsets:
            found.update((release, "JobSet", path) for path in field_paths(jobset["defaulted"]))
            for child in jobset["children"] or ():
                found.update((release, child["kind"], path) for path in field_paths(child))
    return found


def children_traits(case: Case) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = {(case["family"],)}
    for release, answer in case["results"].items():
        for error in [*answer["errors"], *answer.get("pod_errors", ())]:
            found.add((release, pattern(error["path"]), pattern(error["message"])))
    return found


class Sampler:
    """Decides, case after case, which ones stay."""

    def __init__(self, everything: bool) -> None:
        self.everything = everything
        self.seen: set[tuple[str, ...]] = set()
        self.passed_over = 0

    def keeps(self, found: set[tuple[str, ...]], written: bool = False) -> bool:
        if written or self.everything or not found <= self.seen:
            self.seen |= found
            return True
        self.passed_over += 1
        return self.passed_over % EVERY == 0


# --- the files


def compile_files(corpus: pathlib.Path, everything: bool) -> Iterator[tuple[str, list[Case]]]:
    sampler = Sampler(everything)
    for file in sorted((corpus / "server").glob("*.jsonl.gz")):
        written = not file.name.startswith(GENERATED)
        cases = [cleaned(case) for case in read(file) if sampler.keeps(set() if everything else traits(case), written)]
        yield f"compile/{file.name}", cases


def admitted_files(corpus: pathlib.Path, everything: bool, wanted: dict[str, set[str]]) -> Iterator[tuple[str, list[Case]]]:
    """Only of accepted cases that `compile/` has: a line is read together with the one there."""
    sampler = Sampler(everything)
    for file in sorted((corpus / "server" / "admitted").glob("*.jsonl.gz")):
        cases = [case for case in read(file) if case["id"] in wanted[file.name] and any(case["jobset"].values())]
        for case in cases:
            for jobset in (jobset for jobsets in case["jobset"].values() for jobset in jobsets):
                prune_again(jobset["defaulted"] or {})
        yield f"admitted/{file.name}", [case for case in cases if sampler.keeps(set() if everything else admitted_traits(case))]


def prune_again(jobset: dict[str, Any]) -> None:
    """Takes out the null creation times of templates that old Go types write and a server prunes; some records were taken before it does."""
    for job in jobset.get("spec", {}).get("replicatedJobs") or ():
        template = job["template"]
        for metadata in (template.get("metadata", {}), template["spec"]["template"].get("metadata", {})):
            metadata.pop("creationTimestamp", None)


def children_cases(corpus: pathlib.Path, everything: bool) -> list[Case]:
    sampler = Sampler(everything)
    return [case for file in sorted((corpus / "children").glob("*.jsonl.gz")) for case in read(file) if sampler.keeps(children_traits(case))]


def update_cases(corpus: pathlib.Path) -> list[Case]:
    return [cleaned(case) for file in sorted((corpus / "updates").glob("*.jsonl.gz")) for case in read(file)]


def live_cases(corpus: pathlib.Path) -> list[Case]:
    """Of the records of a live control plane what can be asked again without one: single requests, and edits of live objects."""
    out: list[Case] = []
    for file in sorted((corpus / "live").glob("*-types.jsonl.gz")):
        for number, record in enumerate(read(file)):
            answer = {"refused": record["code"] >= 400, "text": spoken(record["response"].get("message", ""))}
            out.append({"id": f"live/types/{number}", "family": "types", "input": record["input"], "results": {record["release"]: answer}})
    for file in sorted((corpus / "live").glob("*-manual.jsonl.gz")):
        records = list(read(file))
        runtime = next((record["input"].split("\n---\n")[0] for record in records if record["name"] == "L1-plain"), "")
        for record in records:
            if "agree" in record and "code" in record:
                errors = logged(record.get("errors") or [])
                answer = {"refused": record["code"] >= 400 or bool(errors), "text": words([spoken(record["server"]), *errors])}
                name = f"live/requests/{record['release']}/{record['name'].partition('-')[2]}"
                document = f"{runtime}\n---\n{record['input']}"
                out.append({"id": name, "family": "requests", "input": document, "results": {record["release"]: answer}})
    for file in sorted((corpus / "live").glob("*-updates.jsonl.gz")):
        for record in read(file):
            if any(request["rc"] for request in record["create"]) or any("unknown field" in request["err"] for request in record["update"]):
                continue  # was never created, or edited into what only a strict client refuses
            statuses = ((record.get("jobset_before") or {}).get("status") or {}).get("replicatedJobsStatus", ())
            errors = [spoken(request["err"]) for request in record["update"] if request["rc"]] + logged(record["reconcile_errors"])
            answer = {"refused": bool(errors), "text": words(errors)}
            out.append(
                {
                    "id": f"live/updates/{record['release']}/{record['name']}",
                    "family": "updates",
                    "was": record["old"],
                    "input": record["new"],
                    "active": [status["name"] for status in statuses if status["active"]],
                    "results": {record["release"]: answer},
                }
            )
    return out


def spoken(text: str) -> str:
    """What a server said, without the patches and whole objects that clients and servers print around it."""
    text = text.rpartition("denied the request: ")[2]
    return re.sub(r"Invalid value: (?:\[|\{|\\?\"\{|\[\]).*: (?=\w)", "Invalid value: ...: ", text, flags=re.DOTALL)


def logged(errors: list[str]) -> list[str]:
    """What a controller logged, each line once, without what is gone at its next try: that the JobSet it makes is not there yet."""
    lines = dict.fromkeys(spoken(line) for error in errors for line in error.splitlines())
    return [line for line in lines if not re.fullmatch(r'JobSet\.jobset\.x-k8s\.io "[^"]*" not found', line)]


def words(texts: list[str]) -> str:
    """What was said; of some refusals no more than that there was one."""
    return "\n".join(text for text in texts if text != "created" and not text.startswith("unknown (patch "))


def files(corpus: pathlib.Path, everything: bool) -> dict[str, str]:
    """Every file below `upstream/answers/` with its text."""
    out: dict[str, str] = {}
    wanted: dict[str, set[str]] = {}
    for name, cases in compile_files(corpus, everything):
        out[name] = text_of(cases)
        wanted[pathlib.Path(name).name] = {case["id"] for case in cases if any(answer["stage"] == "ok" for answer in case["results"].values())}
    for name, cases in admitted_files(corpus, everything, wanted):
        if cases:
            out[name] = text_of(cases)
    out["updates.jsonl.gz"] = text_of(update_cases(corpus))
    out["children.jsonl.gz"] = text_of(children_cases(corpus, everything))
    out["live.jsonl.gz"] = text_of(live_cases(corpus))
    return out


def content(file: pathlib.Path) -> str:
    return gzip.decompress(file.read_bytes()).decode() if file.is_file() else ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write upstream/answers from a folder of recorded answers.")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    parser.add_argument("--all", action="store_true", help="every answer, not a sample")
    parser.add_argument("--into", type=pathlib.Path, default=answers.UPSTREAM / "answers", metavar="DIR")
    options = parser.parse_args(arguments)
    wanted = files(options.corpus, options.all)
    present = {file.relative_to(options.into).as_posix() for file in options.into.rglob("*.jsonl.gz")}
    stale = sorted(name for name, text in wanted.items() if content(options.into / name) != text) + sorted(present - wanted.keys())
    for name in stale:
        print(f"{name} differs" if options.check else name)
        file = options.into / name
        if not options.check and name in wanted:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(gzip.compress(wanted[name].encode(), 9, mtime=0))
        elif not options.check:
            file.unlink()
    size = sum(file.stat().st_size for file in options.into.rglob("*.jsonl.gz"))
    print(f"{sum(text.count(chr(10)) for text in wanted.values())} cases, {size:,} bytes in {options.into}")
    if not options.all and size > LIMIT:
        sys.exit(f"more than {LIMIT:,} bytes: raise EVERY")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
