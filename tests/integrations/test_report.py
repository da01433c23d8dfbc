"""The page of `report` in a real Chromium: looked through, clicked, driven by keyboard, judged by axe. Mermaid by Mermaid itself."""

from __future__ import annotations

import json
import re

import pytest

from jobset_compiler.diff import compare_yaml
from jobset_compiler.diff.markdown import to_markdown
from jobset_compiler.explain import explanation
from jobset_compiler.explain.mermaid import flowchart, label
from jobset_compiler.report import to_html
from tests.hostile.test_text import JOB as HOSTILE
from tests.integrations.browser import PHONE, WIDE, Browser, script
from tests.report.test_page import MARKUP
from tests.report.test_survey import EXAMPLES, surveyed, trainjob

REFUSED = trainjob("refused", runtime="no-such")


@pytest.fixture(scope="module")
def page() -> str:
    """Every shipped example, and one that is refused."""
    return to_html(surveyed(*(file.read_text() for file in EXAMPLES), REFUSED))


@pytest.fixture(scope="module")
def small() -> str:
    """A TrainJob with all that there can be to say of one, and one that is refused."""
    return to_html(surveyed(trainjob(numNodes=2, image="i", env=[{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]), REFUSED))


def line_with(text: str, side: str) -> str:
    return f"[...document.querySelectorAll('.{side} .lines li')].find(line => line.textContent.includes({json.dumps(text)}))"


def test_a_click_marks_what_belongs_together(browser: Browser, small: str) -> None:
    browser.open(small)
    browser.run(f"return {line_with('parallelism', 'output')}.querySelector('a')").click()
    marked = browser.marked()
    assert marked["here"] == ["parallelism: 2"] and [re.sub(r"\W", "", line) for line in marked["near"]] == ["numNodes2"]
    assert "numNodes" in browser.element(".told").text
    browser.run(f"return {line_with('numNodes', 'input')}.querySelector('a')").click()
    marked = browser.marked()
    assert marked["near"] == ["parallelism: 2"] and "completions: 2" in marked["far"]
    browser.press("\ue00c")  # Escape
    browser.run("document.querySelector('h1').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
    assert not any(browser.marked().values())
    assert browser.complaints() == []


def test_pointing_at_a_line_marks_too(browser: Browser, small: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    browser.open(small)
    line = browser.run(
        f"const line = {line_with('image: i', 'output')}; line.scrollIntoView({{block: 'center', behavior: 'instant'}}); return line.querySelector('code')"
    )
    ActionChains(browser.driver).move_to_element(line).perform()
    assert browser.until("document.querySelector('.lines .here code').textContent.trim()") == "image: i"
    assert [line for line in browser.marked()["near"] if "image" in line]
    ActionChains(browser.driver).move_to_element(browser.element(".told")).perform()
    browser.until("!document.querySelector('.lines .here')")


def test_by_keyboard(browser: Browser, small: str) -> None:
    browser.open(small)
    stops = browser.run("return [...document.querySelectorAll('.pane a.n')].filter(link => link.tabIndex >= 0).length")
    assert stops == 2, "one stop of the tab key for each side"
    browser.run("document.querySelector('.output a.n').focus()")
    for _ in range(4):
        browser.press("\ue015")  # down
    here = browser.run("return document.activeElement.closest('li').textContent")
    assert browser.marked()["here"] == [re.sub(r"^\d+", "", here).strip()]
    browser.press("\ue012")  # left: to the other side
    assert browser.run("return !!document.activeElement.closest('.input')")
    browser.press("\ue013")  # up
    assert browser.run("return document.activeElement.matches('.input a.n')")
    browser.run("document.querySelector('.skip').focus()")
    assert browser.element(".skip").is_displayed()
    browser.press("\ue007")  # enter
    assert browser.run("return location.hash") == "#overview"


def test_many_unpack_when_they_are_opened(browser: Browser) -> None:
    many = to_html(surveyed("\n---\n".join(trainjob(f"train-{number}", numNodes=2) for number in range(25))))
    browser.open(many)
    assert browser.run("return document.querySelectorAll('.pane').length") == 0
    browser.element("#job-7 summary").click()
    browser.until("document.querySelector('#job-7 .pane')")
    browser.run(f"return {line_with('parallelism', 'output')}.querySelector('a')").click()
    assert browser.marked()["near"]
    browser.run("document.querySelector('#trainjobs a[href=\"#job-9\"]').click()")
    browser.until("document.querySelector('#job-9 details').open && document.querySelector('#job-9 .pane')")
    browser.element("#filter").send_keys("train-2 fine")
    assert browser.until("document.getElementById('filtered').textContent") == "6 of 25"
    line = browser.run("return document.querySelector('#job-9 .output li[data-to]').id")
    browser.open(many, fragment=f"#{line}")
    browser.until(f"document.getElementById('{line}')?.matches('.here')")
    assert browser.complaints() == []


def test_without_its_script(browser: Browser, small: str) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(small)
        assert "JSC201" in browser.element("body").text and not browser.element(".filter").is_displayed()
        link = browser.element(".output a.n")
        link.click()
        assert browser.driver.current_url.endswith(link.get_attribute("href").partition("#")[2])
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_it_is_printed_whole(browser: Browser, page: str) -> None:
    browser.open(page)
    browser.run("window.seen = []; addEventListener('beforeprint', () => seen.push(document.querySelectorAll('details:not([open])').length))")
    closed = browser.run("return document.querySelectorAll('details:not([open])').length")
    assert closed and len(browser.command("Page.printToPDF")["data"]) > 100_000
    assert browser.run("return seen") == [0]
    browser.until(f"document.querySelectorAll('details:not([open])').length === {closed}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_everybody_can_use_it(browser: Browser, small: str, scheme: str, size: tuple[int, int]) -> None:
    browser.open(small, size, scheme)
    browser.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
    assert browser.violations() == []
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out at the side"


def test_what_a_screen_reader_is_told(browser: Browser, page: str) -> None:
    browser.open(page)
    browser.run("document.querySelector('#job-4 details').open = true")
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    told = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    roles = {role for role, _ in told}
    assert {"main", "banner", "heading", "table", "region", "searchbox"} <= roles
    assert ("heading", "Overview") in told and any(role == "image" and name.startswith("What TrainJob") for role, name in told)
    (drawn,) = [node for node in nodes if not node["ignored"] and node["role"]["value"] == "image"]
    assert "node starts when dataset-initializer has completed" in drawn["description"]["value"]


@pytest.mark.parametrize("text", [HOSTILE, trainjob(image=MARKUP, command=[MARKUP], env=[{"name": "X", "value": MARKUP}]), trainjob(MARKUP)])
def test_hostile_texts_stay_text(browser: Browser, text: str) -> None:
    browser.open(to_html(surveyed(text)))
    assert browser.run("return document.querySelectorAll('img, [onfocus], [onerror], iframe, main script').length") == 0
    assert browser.complaints() == []


def test_mermaid_takes_it(browser: Browser) -> None:
    mermaid = script("mermaid.min.js")
    texts = ["\n".join(flowchart(explanation(job.unit) for job in surveyed(*(file.read_text() for file in EXAMPLES)).side.jobs if job.unit))]
    before, after = trainjob(numNodes=2), trainjob(numNodes=4) + "\n---\n" + trainjob("other")
    texts += re.findall(r"```mermaid\n(.*?)```", to_markdown(compare_yaml(before, after)), re.DOTALL)
    texts += [f'flowchart LR\n  a["{label(evil)}"]' for evil in (MARKUP, 'a"] --> b', "end", "`md`", "%%{init: {}}%%", "#quot;", "1. x", "- x")]
    browser.open("<!doctype html><title>x</title>")
    browser.run("const it = document.createElement('script'); it.textContent = arguments[0]; document.head.append(it)", mermaid)
    for text in texts:
        drawn = browser.driver.execute_async_script(
            "const done = arguments[1]; mermaid.render('drawn', arguments[0]).then(made => done(made.svg), error => done(String(error)))", text
        )
        assert drawn.startswith("<svg"), (text, drawn)
        assert "<img" not in drawn and "onerror" not in re.sub(r">[^<]*<", "><", drawn)
    assert len(texts) == 10
