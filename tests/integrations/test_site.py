"""The built site in a real Chromium: its pages, and the playground typed into, shared, driven by keyboard, judged by axe. `.ci/tools` builds it."""

from __future__ import annotations

import base64
import functools
import json
import os
import re
import threading
import zlib
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler.diagnostics.codes import all_codes
from jobset_compiler.profiles import NEWEST, PROFILES
from tests.hostile.test_text import JOB as HOSTILE
from tests.integrations.browser import PHONE, WIDE, Browser
from tests.report.test_page import MARKUP
from tests.report.test_survey import trainjob

if TYPE_CHECKING:
    from collections.abc import Iterator

TAB, CONTROL, END, HOME, LEFT, RIGHT, DOWN = "\ue004", "\ue009", "\ue010", "\ue011", "\ue012", "\ue014", "\ue015"
TABS = ("objects", "findings", "explanation", "picture", "releases")
NUMBERS = count()
JOB = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata:\n  name: train\nspec:\n  runtimeRef:\n    name: torch-distributed\n"
# What axe has against elements that the theme's own script makes: boxes around buttons that copy, and around what is wide and scrolls.
OF_THE_THEME = ("landmark-unique", "scrollable-region-focusable")
LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?([^\s\">]+)|<link\b[^>]*\brel=\"?(?:stylesheet|icon|preconnect|prefetch)\"?[^>]*>")


class Server(ThreadingHTTPServer):
    """The site at an origin of its own. hosts: what browsers called it; missing: paths that are not there."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.hosts: set[str] = set()
        self.missing: set[str] = set()
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(SimpleHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.hosts.add(self.headers["Host"])
        if self.path in self.server.missing:
            self.send_error(404)
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def folder() -> Path:
    places = (Path(place) / "site" for place in os.environ["PATH"].split(os.pathsep))
    found = next((place for place in places if (place / "playground" / "index.html").is_file()), None)
    if found is None:
        pytest.skip("the site is not on the PATH; .ci/tools FOLDER builds it")
    return found


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()
    assert server.hosts <= {f"127.0.0.1:{server.server_port}"}


class Playground:
    """The page, loaded once: another state comes by another fragment."""

    def __init__(self, browser: Browser, site: Server) -> None:
        self.browser = browser
        self.address = f"{site.address}playground/"
        self.load()

    def load(self, fragment: str = "") -> None:
        self.browser.look()
        self.browser.visit(self.address + fragment)
        self.wait()

    def wait(self) -> None:
        self.browser.until("document.querySelector('main').getAttribute('aria-busy') === 'false'")

    def show(self, trainjob: str, runtimes: str = "", release: str = NEWEST.name, tab: str = "objects") -> None:
        self.browser.run("location.hash = arguments[0]", fragment(trainjob, runtimes, release, tab))
        self.browser.until(
            "document.querySelector('#status').textContent.startsWith(arguments[0]) && document.querySelector('#tab-' + arguments[1]).ariaSelected === 'true'",
            release,
            tab,
        )
        self.wait()

    def text(self, editor: str) -> str:
        shown: str = self.browser.run(f"return [...{lines(editor)}].map(line => line.textContent).join('\\n')")
        return shown

    def write(self, editor: str, *keys: str, end: bool = True) -> None:
        """Types at the end of a text, or at its beginning."""
        self.browser.run("document.getElementById(arguments[0]).shadowRoot.querySelector('.cm-content').focus()", editor)
        self.browser.chord(CONTROL, END if end else HOME)
        self.browser.press(*keys)

    def open(self, tab: str) -> str:
        self.browser.element(f"#tab-{tab}").click()
        self.wait()
        shown: str = self.browser.element(f"#{tab}").text
        return shown

    @property
    def status(self) -> str:
        shown: str = self.browser.element("#status").text
        return shown


def lines(editor: str) -> str:
    return f"document.getElementById('{editor}').shadowRoot.querySelectorAll('.cm-line')"


def fragment(trainjob: str, runtimes: str = "", release: str = NEWEST.name, tab: str = "objects") -> str:
    """The state of a page, packed as the page does it; another one each time, since a browser tells the page of a fragment only if it is."""
    packer = zlib.compressobj(wbits=-15)
    state = json.dumps({"number": next(NUMBERS), "trainjob": trainjob, "runtimes": runtimes, "release": release, "tab": tab}).encode()
    return "#s=" + base64.urlsafe_b64encode(packer.compress(state) + packer.flush()).decode().rstrip("=")


@pytest.fixture(scope="module")
def playground(browser: Browser, site: Server) -> Playground:
    return Playground(browser, site)


def test_every_code_has_its_page(folder: Path) -> None:
    for code in all_codes():
        page = (folder / "codes" / code.code / "index.html").read_text()
        assert f"{code.code} {code.slug}" in page


def test_pages_ask_no_other_origin(folder: Path) -> None:
    pages = [page for page in folder.rglob("*.html") if page.name != "404.html"]
    assert len(pages) > len(all_codes())
    for page in pages:
        text = page.read_text()
        head = text.partition("<head>")[2].lstrip()
        assert re.match(r'<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; ', head), page
        loaded = [found[0] for found in LOADED.finditer(text)]
        assert loaded and not [tag for tag in loaded if "//" in tag], page
        assert " style=" not in text and " onclick=" not in text, page


@pytest.mark.parametrize("page", ["", "check/", "codes/JSC201/", "releases/"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_page(browser: Browser, site: Server, page: str, size: tuple[int, int]) -> None:
    browser.look(size, "dark")
    browser.visit(site.address + page)
    assert browser.until("getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'")
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out at the side"
    assert [one for one in browser.violations() if one[0] not in OF_THE_THEME] == []
    assert [entry for entry in browser.complaints() if not (isinstance(entry, str) and entry.startswith(site.address))] == []


def test_a_search_finds_a_code(browser: Browser, site: Server) -> None:
    browser.look()
    browser.visit(site.address)
    browser.run("document.querySelector('.md-search__input').focus()")
    browser.press("runtime-not-found")
    assert "codes/JSC201/" in browser.until("document.querySelector('.md-search-result__link')?.href")


def test_it_starts_from_the_image(playground: Playground) -> None:
    """What the browser would say of an image that it cannot use, it does not."""
    playground.browser.driver.get_log("browser")
    playground.load()
    assert playground.status.startswith(f"{NEWEST.name}: 1 TrainJob") and playground.browser.driver.get_log("browser") == []


def test_typing_shows_the_jobset(playground: Playground) -> None:
    playground.show(f"{JOB}  trainer:\n    numNodes: ")
    assert "parallelism: 1" in playground.text("output")
    playground.write("trainjob", "7")
    playground.browser.until(f"[...{lines('output')}].some(line => line.textContent.trim() === 'parallelism: 7')")
    playground.wait()
    assert playground.status == f"{NEWEST.name}: 1 TrainJob"
    playground.write("trainjob", "x")
    playground.browser.until("document.querySelector('#status').className === 'refused'")
    assert "Nothing is created: see the findings" in playground.open("objects")


def test_runtimes_have_a_text_of_their_own(playground: Playground) -> None:
    runtime = JOB.replace("TrainJob", "TrainingRuntime").partition("spec:")[0].replace("train\n", "mine\n") + "spec: {}\n"
    playground.show(JOB.replace("torch-distributed", "mine\n    kind: TrainingRuntime"), runtime)
    assert "runtimes.yaml:" in playground.open("findings")
    playground.browser.element("#findings .place").click()
    assert playground.browser.run("return document.activeElement.id") == "runtimes"


def test_another_release(playground: Playground) -> None:
    from selenium.webdriver.support.select import Select

    playground.show(JOB)
    choice = Select(playground.browser.element("#release"))
    assert [option.get_attribute("value") for option in choice.options] == [profile.name for profile in reversed(PROFILES)]
    assert "groupName" in playground.text("output")
    choice.select_by_value("v2.0")
    playground.browser.until("document.querySelector('#status').textContent.startsWith('v2.0: ')")
    playground.wait()
    assert "groupName" not in playground.text("output") and "parallelism" in playground.text("output")
    told = playground.open("releases")
    assert "default/train under the other releases" in told and "v2.3" in told and "differs" in told


def test_a_link_shows_the_same(playground: Playground) -> None:
    playground.show(f"{JOB}  trainer: {{numNodes: 3}}\n", "# näher 🚀\n", "v2.1", "explanation")
    playground.write("trainjob", "# typed")
    before = playground.browser.driver.current_url
    playground.browser.element("#share").click()
    playground.browser.until("location.href !== arguments[0]", before)
    link = playground.browser.until("document.querySelector('#status').textContent.startsWith('The link') && location.href")
    playground.load(link.removeprefix(playground.address))
    assert playground.text("trainjob").endswith("numNodes: 3}\n# typed") and playground.text("runtimes").startswith("# näher 🚀")
    assert playground.status.startswith("v2.1: ") and "3 pods" in playground.browser.element("#explanation").text


@pytest.mark.parametrize("damaged", ["#s=AAAA", "#s=", "#other", fragment("x" * 3_000_000), f"#s={base64.urlsafe_b64encode(b'{}').decode()}"])
def test_a_damaged_link_changes_nothing(playground: Playground, damaged: str) -> None:
    playground.show(JOB)
    playground.browser.run("location.hash = arguments[0]; return new Promise(done => setTimeout(done, 200))", damaged)
    playground.wait()
    assert playground.text("trainjob").startswith(JOB[:-1])


def test_findings_lead_to_the_line_and_are_mended(playground: Playground) -> None:
    playground.show(f"# 🚀\n{JOB}  trainer:\n    numNode: 2 # 🚀\n", tab="findings")
    assert "JSC103 unknown-field" in playground.browser.element("#findings").text
    assert playground.browser.run("return document.querySelector('#trainjob').shadowRoot.querySelector('.cm-lintRange-error').textContent") == "numNode"
    assert playground.browser.element("#findings article a").get_attribute("href").endswith("/codes/JSC103/")
    playground.browser.element("#findings .place").click()
    line = "document.querySelector('#trainjob').shadowRoot.querySelector('.cm-activeLine').textContent"
    assert playground.browser.run("return document.activeElement.id") == "trainjob" and "numNode" in playground.browser.until(line)
    playground.browser.element("#findings article > button").click()
    playground.browser.until("!document.querySelector('#findings .error')")
    assert playground.text("trainjob").endswith("    numNodes: 2 # 🚀\n")


def test_a_line_of_the_objects_leads_to_its_origin(playground: Playground) -> None:
    playground.show(f"{JOB}  trainer:\n    numNodes: 5\n")
    at = playground.text("output").split("\n").index("        parallelism: 5")
    playground.write("output", *(DOWN * at), end=False)
    playground.browser.until("document.querySelector('#origin').textContent.includes('numNodes')")
    playground.browser.element("#origin button").click()
    assert playground.browser.run("return document.activeElement.id") == "trainjob"
    assert "numNodes: 5" in playground.browser.until("document.querySelector('#trainjob').shadowRoot.querySelector('.cm-activeLine').textContent")


def test_an_example(playground: Playground) -> None:
    from selenium.webdriver.support.select import Select

    playground.show(JOB)
    Select(playground.browser.element("#example")).select_by_visible_text("own runtime")
    playground.browser.until(f"{lines('runtimes')}.length > 5")
    playground.wait()
    assert "TrainJob" in playground.status and "refused" not in playground.status
    assert "4 pods" in playground.open("picture") or playground.browser.element("#picture svg").is_displayed()


def test_by_keyboard(playground: Playground) -> None:
    playground.show(JOB)
    browser = playground.browser
    playground.write("trainjob", TAB)
    assert browser.run("return document.activeElement.id") == "runtimes"
    browser.press(TAB)
    assert browser.run("return document.activeElement.id") == "tab-objects"
    for key, tab in ((RIGHT, "findings"), (RIGHT, "explanation"), (LEFT, "findings"), (END, "releases"), (RIGHT, "objects")):
        browser.press(key)
        assert browser.run("return document.activeElement.id") == f"tab-{tab}" and browser.element(f"#{tab}").is_displayed()
    playground.wait()


def test_what_a_screen_reader_is_told(playground: Playground) -> None:
    playground.show(JOB, tab="picture")
    nodes = playground.browser.command("Accessibility.getFullAXTree")["nodes"]
    told = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]}
    assert {("textbox", "TrainJob, YAML"), ("textbox", "Runtimes, YAML"), ("tab", "Picture"), ("tabpanel", "Picture"), ("combobox", "Release")} <= told
    assert any(role == "image" and name.startswith("What TrainJob train runs") for role, name in told)
    assert any(role == "status" for role, _ in told)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_everybody_can_use_it(playground: Playground, scheme: str, size: tuple[int, int]) -> None:
    mistakes = f"{JOB}  trainer: {{numNodes: 3, resourcesPerNode: {{limits: {{nvidia.com/gpu: 2}}}}}}\n---\n{JOB}  trainer: {{numNode: 1}}\n"
    for tab in TABS:
        playground.show(mistakes, tab=tab)
        playground.browser.look(size, scheme)
        playground.browser.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        assert playground.browser.violations() == [], tab
        assert playground.browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"{tab}: nothing sticks out at the side"
    playground.browser.look()


@pytest.mark.parametrize("text", [HOSTILE, trainjob(image=MARKUP, command=[MARKUP], env=[{"name": "X", "value": MARKUP}]), trainjob(MARKUP)])
def test_hostile_texts_stay_text(playground: Playground, site: Server, text: str) -> None:
    browser = playground.browser
    for tab in TABS:
        playground.show(text, text, tab=tab)
        assert browser.run("return document.querySelectorAll('main img, main iframe, main script, main style, [onfocus], [onerror], [onload]').length") == 0
        inside = "[...document.querySelectorAll('.editor')].flatMap(host => [...host.shadowRoot.querySelectorAll('img:not(.cm-widgetBuffer), script')])"
        assert browser.run(f"return {inside}.length") == 0
    assert [entry for entry in browser.complaints() if not (isinstance(entry, str) and entry.startswith(site.address))] == []


def test_its_workers_can_ask_nobody_else(playground: Playground, site: Server) -> None:
    """The policy of the page is that of the worker, in which all of Python runs."""
    other = site.address.replace("127.0.0.1", "localhost")
    ask = (
        "const [url, done] = arguments;"
        "const text = `fetch(${JSON.stringify(url)}, {mode: 'no-cors'}).then(() => postMessage('sent'), () => postMessage('refused'))`;"
        "new Worker(URL.createObjectURL(new Blob([text], {type: 'text/javascript'}))).onmessage = ({data}) => done(data);"
    )
    assert playground.browser.driver.execute_async_script(ask, other) == "refused"
    playground.browser.driver.get_log("browser")


def test_without_its_files_it_says_so(playground: Playground, site: Server) -> None:
    site.missing.add("/playground/python.zip")
    playground.browser.command("Network.clearBrowserCache")
    try:
        playground.load()
        assert playground.status == "The compiler does not run here: Error: python.zip: 404"
    finally:
        site.missing.clear()
        playground.browser.driver.get_log("browser")
        playground.load()
