"""What holds of every verb and format of the command, whatever it is given."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.cli.conftest import Result, run_here
from tests.fuzz.compiling import RELEASES, VALIDATE
from tests.hostile.output import commands, raw_controls

IMAGE = "spec.replicatedJobs[name=node].template.spec.template.spec.containers[name=node].image"
# `{}` is the text, `{old}` another one.
CHECKS = tuple(("check", "{}", "--format", name) for name in ("text", "json", "sarif", "junit", "github"))
VERBS: tuple[tuple[str, ...], ...] = (
    *CHECKS,
    ("check", "{}", "--color", "always", "--fail-on", "warning"),
    ("check", "--was", "{old}", "{}", "--format", "json"),
    *(("render", "{}", "-o", name) for name in ("yaml", "json", "name")),
    ("render", "{}", "--form", "admitted"),
    ("render", "{}", "--passthrough"),
    ("render", "{}", "--no-secrets", "--ignore-missing-runtime"),
    ("render", "{}", "--output-dir", "out"),
    ("render", "{}", "--output-dir", "out", "--check"),
    ("render", "{}", "--output-dir", "out", "--update"),
    *(("expand", "{}", "-o", name) for name in ("yaml", "json", "name")),
    ("expand", "{}", "--now"),
    *(("explain", "{}", *rest) for rest in ((), ("-o", "json"), ("--names",), ("--ignore-differences",))),
    ("explain", "{}", "--field", IMAGE),
    ("explain", "{}", "-o", "json", "--field", "spec"),
    *(("diff", "{old}", "{}", "-o", name) for name in ("text", "unified", "json", "markdown")),
    *(("diff", "--from", "v2.0", "--to", "v2.3", "{}", "-o", name) for name in ("text", "unified", "json", "markdown")),
    ("check", "{}", "--convert"),
    ("render", "{}", "--convert", "--form", "admitted"),
    ("migrate", "{}"),
    ("report", "{}"),
    ("schema", "TrainJob", "--validate", "{}"),
    ("fn",),
)  # fmt: skip
# Their product is findings, which are told in the very case that something is refused.
TELLS = ("check", "explain", "diff", "fn", "schema", "report")
# Made of the values of the input, so that a line may be whatever the input has.
PLAIN = ("render", "expand", "fn", "migrate")


def check_commands(text: str, before: str, folder: Path, rng: Random, number: int = 4) -> None:
    """So many commands over a file with that text, in this process."""
    name = rng.choice(("job.yaml", "job.yaml", "a b.yaml", "::error::x.yaml", "\u202e\x1b[2Jé.yaml", "##[error]<img>`@x`.json"))
    was = os.getcwd()
    os.chdir(folder)
    try:
        for file, content in ((name, text), ("old.yaml", before)):
            Path(file).write_bytes(content.encode("utf-8", "surrogatepass"))
        for argv in rng.sample(VERBS, number):
            check_command(argv, name, text, rng)
        if rng.random() < 0.2:
            formats_agree(name)
        assert Path(name).read_bytes() == text.encode("utf-8", "surrogatepass"), "the input is changed"
    finally:
        os.chdir(was)


def check_command(argv: tuple[str, ...], name: str, text: str, rng: Random) -> None:
    verb = argv[0]
    stdin = rng.random() < 0.3 and "{old}" not in argv
    filled = ["-" if word == "{}" and stdin else f"./{name}" if word == "{}" else word.replace("{old}", "old.yaml") for word in argv]
    if verb not in ("schema", "fn"):
        filled += ["--validate", rng.choice(VALIDATE)]
        if "--from" not in argv:
            filled += ["--trainer-version", rng.choice(RELEASES)]
        if rng.random() < 0.2:
            filled += [rng.choice(("-v", "-q", "--no-bundled-runtimes", "--ignore-missing-runtime"))]
    result = run_here(*filled, stdin=text.encode("utf-8", "surrogatepass") if stdin or verb == "fn" else None)
    said = (" ".join(filled), result)
    assert result.code in (0, 1, 2, 3), ("exit code", *said)
    assert "JSC901" not in result.err and "Traceback" not in result.err, ("bug", *said)
    assert result.code != 3 or verb == "diff" or "--check" in filled or "--update" in filled, ("exit code 3", *said)
    assert not result.out or result.code in (0, 3) or (verb in TELLS and result.code == 1), ("stdout of a refusal", *said)
    colours = "--color" in filled
    # What is passed on byte for byte has what the input has.
    for stream in (result.err,) if verb == "migrate" or "--passthrough" in filled else (result.out, result.err):
        assert not raw_controls(_without_colours(stream) if colours else stream), ("raw control characters", *said)
    assert not commands(result.err), ("workflow command on stderr", *said)
    if "github" in filled:
        assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in result.out.splitlines()), ("annotations", *said)
    elif verb not in PLAIN:
        assert not commands(result.out), ("workflow command", *said)
    if result.out and result.code != 2:
        _reads_back(filled, result)


def _without_colours(text: str) -> str:
    for code in ("0", "1", "2", "31", "32", "33", "34", "35", "36", "1;31", "1;33", "1;36", "1;34"):
        text = text.replace(f"\x1b[{code}m", "")
    return text


def _reads_back(argv: list[str], result: Result) -> None:
    reader = READERS.get(next((word for word in argv if word in READERS), ""))
    if reader is not None:
        reader(result.out)


READERS: dict[str, Callable[[str], object]] = {"json": json.loads, "sarif": json.loads, "junit": ElementTree.fromstring}


def formats_agree(name: str) -> None:
    """Every format has the same exit code, and it says whether there is an error."""
    results = {argv[-1]: run_here(*(word.replace("{}", f"./{name}") for word in argv)) for argv in CHECKS}
    assert len({result.code for result in results.values()}) == 1, ("exit codes of the formats", results)
    code, out, _ = results["json"]
    if code in (0, 1):
        errors = [item for item in json.loads(out)["findings"] if item["severity"] == "error"]
        assert bool(errors) == (code == 1), ("errors and exit code", out)
        levels = [item.get("level") for run in json.loads(results["sarif"].out)["runs"] for item in run["results"]]
        assert levels.count("error") == len(errors), ("errors of SARIF", out)
