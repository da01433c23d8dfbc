"""What the playground is told: views of the library's result, as JSON; bad texts are findings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import jobset_compiler as jc
from jobset_compiler.playground import VIEWS, answer, releases
from jobset_compiler.profiles import NEWEST, PROFILES
from tests.hostile.test_text import JOB as HOSTILE
from tests.report.test_page import MARKUP
from tests.report.test_survey import EXAMPLES, trainjob

SVG = "{http://www.w3.org/2000/svg}"


def ask(text: str, view: str = "findings", release: str = NEWEST.name, runtimes: str = "", number: int = 0) -> dict[str, Any]:
    texts = {"trainjob.yaml": text, "runtimes.yaml": runtimes}
    answered: dict[str, Any] = json.loads(answer(json.dumps({"texts": texts, "release": release, "view": view, "object": number})))
    return answered


def test_releases() -> None:
    listed = json.loads(releases())
    assert [one["name"] for one in listed] == [profile.name for profile in reversed(PROFILES)]
    assert [one["name"] for one in listed if one["newest"]] == [NEWEST.name]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_objects_are_those_of_render(file: Path) -> None:
    text = file.read_text()
    told = ask(text, "objects")
    written = jc.compile_yaml(text).to_yaml()
    assert (told["view"]["text"], told["trainjobs"], told["refused"]) == (written, 1, 0)
    objects = written.split("---\n")
    origins = [ask(text, "origins", number=number)["view"]["lines"] for number in range(len(objects) + 1)]
    assert [len(lines) for lines in origins] == [*(one.count("\n") for one in objects), 0]
    assert any(line and line["file"] == "trainjob.yaml" for line in origins[0])


def test_a_line_leads_to_the_text_that_it_comes_from() -> None:
    job = trainjob(numNodes=3)
    written, lines = (ask(job, view)["view"] for view in ("objects", "origins"))
    at = written["text"].split("\n").index("        parallelism: 3")
    origin = lines["lines"][at]
    assert origin["file"] == "trainjob.yaml" and "numNodes" in job.split("\n")[origin["line"] - 1]
    assert "numNodes, trainjob.yaml:13" in origin["words"]


def test_objects_are_counted_through_all_trainjobs() -> None:
    one, two = trainjob("a", "deepspeed-distributed"), trainjob("b", numNodes=2)
    both = f"{one}\n---\n{two}"
    count = len(jc.compile_yaml(one).objects)
    for number in range(count + 1):
        alone = ask(one, "origins", number=number) if number < count else ask(two, "origins")
        lines = ask(both, "origins", number=number)["view"]["lines"]
        assert [line and line["words"].partition(".yaml:")[0] for line in lines] == [
            line and line["words"].partition(".yaml:")[0] for line in alone["view"]["lines"]
        ]
    assert ask(both, "origins", number=count + 1)["view"] == {"lines": []}


def test_without_a_number_the_origins_are_those_of_the_first_object() -> None:
    request = {"texts": {"trainjob.yaml": trainjob(runtime="deepspeed-distributed")}, "release": NEWEST.name, "view": "origins"}
    first, second = (json.loads(answer(json.dumps({**request, "object": number}))) for number in (0, 1))
    assert json.loads(answer(json.dumps(request))) == first != second


def test_a_runtime_of_its_own_text() -> None:
    runtime, job = Path(EXAMPLES[0].parent, "03-own-runtime.yaml").read_text().split("---\n")
    told = ask(job, "origins", runtimes=runtime)
    assert told["findings"] == ask(job, "objects", runtimes=runtime)["findings"]
    assert {line["file"] for line in told["view"]["lines"] if line} == {"trainjob.yaml", "runtimes.yaml", ""}
    assert [one["code"] for one in ask(job)["findings"]] == ["JSC201"]


def test_explanation_and_picture() -> None:
    two = trainjob("a", numNodes=2) + "\n---\n" + trainjob("b")
    text = ask(two, "explanation")["view"]["text"]
    assert text.startswith("TrainJob ml/a") and "\n\nTrainJob ml/b" in text
    assert text.partition("\n\nTrainJob ml/b")[0] == ask(trainjob("a", numNodes=2), "explanation")["view"]["text"]
    pictures = ask(two, "picture")["view"]["pictures"]
    roots = [ElementTree.fromstring(one["svg"]) for one in pictures]
    assert [root.tag for root in roots] == [f"{SVG}svg"] * 2
    ids = [element.get("id") for root in roots for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids)) == 4


def test_the_other_releases() -> None:
    told = ask(trainjob(numNodes=2), "releases")["view"]
    (job,) = told["jobs"]
    assert told["here"] == NEWEST.name and job["trainjob"] == "ml/train"
    assert [one["release"] for one in job["releases"]] == [profile.name for profile in PROFILES if profile is not NEWEST]
    (old,) = [one for one in job["releases"] if one["release"] == "v2.0"]
    assert old["state"] == "differs" and all(change["why"] and change["effects"] for change in old["changes"])
    assert [one["state"] for one in ask(trainjob(runtime="no-such"), "releases")["view"]["jobs"]] == []


def test_findings_have_places_and_ways_to_mend() -> None:
    text = trainjob(numNode=2)
    told = ask(text, "objects")
    (finding,) = told["findings"]
    assert (finding["code"], finding["file"], told["refused"], told["view"]["text"]) == ("JSC103", "trainjob.yaml", 1, "")
    assert text.split("\n")[finding["line"] - 1].find('"numNode"') == finding["column"] - 1
    (fix,) = finding["fixes"]
    (edit,) = fix["edits"]
    assert fix == {
        "title": "rename numNode to numNodes",
        "safe": True,
        "edits": [{"file": "trainjob.yaml", "from": edit["from"], "to": edit["from"] + 9, "text": '"numNodes"'}],
    }
    assert ask(text[: edit["from"]] + edit["text"] + text[edit["to"] :])["findings"] == ask(trainjob(numNodes=2))["findings"]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", ["", "a: [", "\0", "\ud800", "a: &a [*a]", "{}", "---\n---\n", HOSTILE, trainjob(MARKUP), trainjob(image=MARKUP)])
def test_whatever_is_typed_is_answered(text: str, view: str) -> None:
    for one in (ask(text, view), ask("", view, runtimes=text)):
        assert one["trainjobs"] >= one["refused"]
    for picture in ask(text, "picture")["view"]["pictures"]:
        tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(picture["svg"]).iter()}
        assert tags <= {"svg", "title", "desc", "g", "rect", "text", "tspan", "path", "polygon"}


@pytest.mark.parametrize(("release", "view"), [("v9", "objects"), (NEWEST.name, "no-such")])
def test_what_the_page_never_asks(release: str, view: str) -> None:
    with pytest.raises(ValueError, match=r"^no such"):
        ask("", view, release)
