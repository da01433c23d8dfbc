"""A real Chromium, and what tests of pages do with it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDE, PHONE = (1280, 900), (360, 740)


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
        self.look(size, scheme)
        self.visit(file.as_uri() + fragment)

    def visit(self, address: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(address)

    def look(self, size: tuple[int, int] = WIDE, scheme: str = "light") -> None:
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=size is PHONE)

    def command(self, name: str, **arguments: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, text: str, *arguments: Any) -> Any:
        return self.driver.execute_script(text, *arguments)

    def until(self, text: str, *arguments: Any) -> Any:
        """What an expression gives as soon as it gives something; machines may be slow."""
        from selenium.webdriver.support.wait import WebDriverWait

        return WebDriverWait(self.driver, 90, poll_frequency=0.02).until(lambda _: self.run(f"return {text}", *arguments))

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, held: str, key: str) -> None:
        """One key while another is held."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).key_down(held).send_keys(key).key_up(held).perform()

    def element(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def marked(self) -> dict[str, list[str]]:
        """The texts of the lines that are marked, by how they are."""
        return {
            name: self.run("return [...document.querySelectorAll('.lines .' + arguments[0] + ' code')].map(line => line.textContent.trim())", name)
            for name in ("here", "near", "far")
        }

    def violations(self) -> list[Any]:
        """What axe has against the page."""
        self.run(script("axe.min.js"))
        options = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
        found = self.driver.execute_async_script("axe.run(document, arguments[0]).then(arguments[1])", options)
        return [(one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"]) for one in found["violations"]]

    def complaints(self) -> list[Any]:
        return [*self.driver.get_log("browser"), *self.run("return performance.getEntriesByType('resource').map(entry => entry.name)")]
