"""The page: one file, no requests, texts of others stay text."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from jobset_compiler.diagnostics.codes import all_codes
from jobset_compiler.diagnostics.pages import page_of
from jobset_compiler.report import to_html
from jobset_compiler.report.page import OPENED, UNPACKED
from tests.hostile.output import raw_controls
from tests.hostile.test_text import JOB as HOSTILE
from tests.hostile.test_text import REFUSED
from tests.report.test_survey import surveyed, trainjob

if TYPE_CHECKING:
    from collections.abc import Callable

MARKUP = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"' onfocus=alert(3) {{ 7*7 }}"
PAGES = {page_of(code.code) for code in all_codes()}
VOID = {"meta", "input", "rect", "path", "polygon", "br"}


class Tree(HTMLParser):
    """The elements of a page with their attributes; complains of those that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def check(page: str) -> Tree:
    """What holds of every page."""
    tree = Tree(page)
    (policy,) = [attributes["content"] for tag, attributes in tree.elements if attributes.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    ids = [attributes["id"] for _, attributes in tree.elements if "id" in attributes]
    assert len(ids) == len(set(ids)), "an id is there once"
    for tag, attributes in tree.elements:
        assert not {name for name in attributes if name.startswith("on") or name in ("style", "src", "action")}, (tag, attributes)
        target = attributes.get("href")
        # It leads to itself and, by a click, to the pages of codes.
        assert target is None or (target[0] == "#" and target[1:] in ids) or target in PAGES, target
        for other in (attributes.get("data-to", "") + " " + attributes.get("aria-labelledby", "")).split():
            assert other in ids
    assert not raw_controls(page)
    return tree


def test_a_page() -> None:
    found = surveyed(trainjob("a", numNodes=300), trainjob("b", runtime="no-such"))
    page = to_html(found)
    tree = check(page)
    assert page == to_html(surveyed(trainjob("a", numNodes=300), trainjob("b", runtime="no-such"))), "the same bytes for the same input"
    assert [tag for tag, _ in tree.elements].count("details") >= 2
    assert "rank 299" in page and "did you mean" not in page and "JSC201" in page
    assert page.startswith("<!doctype html>")


def test_nothing_in_it() -> None:
    page = to_html(surveyed("a: 1\n"))
    check(page)
    assert "There is no TrainJob in the input." in page
    assert "syntax" in to_html(surveyed("a: [\n"))


def test_of_many_trainjobs_each_is_packed() -> None:
    def page(count: int) -> str:
        return to_html(surveyed("\n---\n".join(trainjob(f"train-{number}") for number in range(count))))

    packed = re.compile(r'<script type="application/octet-stream">([^<]*)</script>')
    text = page(UNPACKED + 1)
    tree = check(text)
    bodies = packed.findall(text)
    assert len(bodies) == UNPACKED + 1 and not packed.findall(page(UNPACKED)) and UNPACKED > OPENED
    body = zlib.decompress(base64.b64decode(bodies[-1])).decode()
    inner = Tree(body)
    assert f"train-{UNPACKED}-node-0-0" in body
    outer = {attributes["id"] for _, attributes in tree.elements if "id" in attributes}
    assert not outer & {attributes["id"] for _, attributes in inner.elements if "id" in attributes}
    assert not [attributes for tag, attributes in tree.elements if tag == "details" and "open" in attributes], "of many none is open"


@pytest.mark.parametrize("count", [1, OPENED, OPENED + 1])
def test_a_few_trainjobs_are_open(count: int) -> None:
    tree = check(to_html(surveyed("\n---\n".join(trainjob(f"train-{number}") for number in range(count)))))
    opened = [tag for tag, attributes in tree.elements if tag == "details" and "open" in attributes]
    assert len(opened) == (count if count <= OPENED else 0)


@pytest.mark.parametrize("case", ["accepted", *REFUSED])
def test_hostile_names_and_values_stay_text(case: str) -> None:
    check(to_html(surveyed(REFUSED.get(case, HOSTILE))))


def places() -> dict[str, Callable[[str], str]]:
    return {
        "an image": lambda evil: trainjob(image=evil),
        "a variable": lambda evil: trainjob(env=[{"name": "X", "value": evil}]),
        "a word": lambda evil: trainjob(command=[evil], args=[evil]),
        "a name": lambda evil: trainjob(evil),
        "a runtime": lambda evil: trainjob(runtime=evil),
        "a quantity": lambda evil: trainjob(resourcesPerNode={"limits": {evil: evil}}),
        "an annotation": lambda evil: trainjob().replace('"namespace"', f'"annotations": {{"x/y": {quoted(evil)}}}, "namespace"'),
    }


def quoted(text: str) -> str:
    import json

    return json.dumps(text)


@pytest.mark.parametrize("place", places())
def test_markup_stays_text(place: str) -> None:
    plain, evil = (places()[place](text) for text in ("x", MARKUP))
    tree = check(to_html(surveyed(evil)))
    tags = {tag for tag, _ in tree.elements}
    assert "img" not in tags and [tag for tag, _ in tree.elements].count("script") == 1
    assert any("onerror=alert(2)" in text for text in tree.texts), "it is told"
    assert "49" not in {text.strip() for text in tree.texts}
    assert tags <= {tag for tag, _ in check(to_html(surveyed(plain))).elements} | {"mark", "pre", "dl", "dt", "dd", "ul", "li", "a", "details", "summary"}


def test_a_page_ends_with_a_line_break() -> None:
    assert to_html(surveyed(trainjob())).endswith("</html>\n")
