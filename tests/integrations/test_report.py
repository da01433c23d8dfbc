"""The page of `report` in a real Chromium: looked through, clicked, driven by keyboard, judged by axe. Mermaid by Mermaid itself."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.diff import compare_yaml
from jobset_compiler.diff.markdown import to_markdown
from jobset_compiler.explain import explanation
from jobset_compiler.explain.mermaid import flowchart, label
from jobset_compiler.report import to_html
from tests.hostile.test_text import JOB as HOSTILE
from tests.report.test_page import MARKUP
from tests.report.test_survey import EXAMPLES, surveyed, trainjob

if TYPE_CHECKING:
    from collections.abc import Iterator

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDE, PHONE = (1280, 900), (360, 740)
REFUSED = trainjob("refused", runtime="no-such")


def program(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"{names[0]} is not on the PATH")
    return found


def script(name: str) -> str:
    """A library that `.ci/tools` has put on the PATH."""
    files = (Path(folder) / name for folder in os.environ["PATH"].split(os.pathsep))
    found = next((file for file in files if file.is_file()), None)
    if found is None:
        pytest.skip(f"{name} is not on the PATH; .ci/tools FOLDER installs it")
    return found.read_text()


class Browser:
    """A Chromium with one page at a time."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver = driver
        self._folder = folder

    def open(self, page: str, size: tuple[int, int] = WIDE, scheme: str = "light", fragment: str = "") -> None:
        file = self._folder / "page.html"
        file.write_text(page)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=size is PHONE)
        self.driver.get("about:blank")
        self.driver.get(file.as_uri() + fragment)

    def command(self, name: str, **arguments: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, text: str, *arguments: Any) -> Any:
        return self.driver.execute_script(text, *arguments)

    def until(self, text: str) -> Any:
        """What an expression gives as soon as it gives something."""
        from selenium.webdriver.support.wait import WebDriverWait

        return WebDriverWait(self.driver, 20, poll_frequency=0.02).until(lambda _: self.run(f"return {text}"))

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def element(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def marked(self) -> dict[str, list[str]]:
        """The texts of the lines that are marked, by how they are."""
        return {
            name: self.run("return [...document.querySelectorAll('.lines .' + arguments[0] + ' code')].map(line => line.textContent.trim())", name)
            for name in ("here", "near", "far")
        }

    def complaints(self) -> list[Any]:
        return [*self.driver.get_log("browser"), *self.run("return performance.getEntriesByType('resource').map(entry => entry.name)")]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    webdriver = pytest.importorskip("selenium.webdriver", exc_type=ImportError)
    options = webdriver.ChromeOptions()
    options.binary_location = program(*BROWSERS)
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(program("chromedriver")))
    driver.set_script_timeout(120)
    yield Browser(driver, tmp_path_factory.mktemp("report"))
    driver.quit()


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
    assert "spec.trainer.numNodes" in browser.element(".told").text
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
    axe = script("axe.min.js")
    browser.open(small, size, scheme)
    browser.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
    browser.run(axe)
    options = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    found = browser.driver.execute_async_script("axe.run(document, arguments[0]).then(arguments[1])", options)
    assert [(one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"]) for one in found["violations"]] == []
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
