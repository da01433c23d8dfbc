"""Tools of other projects: found on the PATH, else the test is skipped and says so. `.ci/tools FOLDER` installs them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.integrations.browser import BROWSERS, Browser, program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which `jobset-compiler` is this source tree's, and the home is empty."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    command = bin_folder / "jobset-compiler"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m jobset_compiler "$@"\n')
    command.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HELM_", "XDG_", "ARGOCD_", "GIT_"))}
    # Behind ours the interpreter's own folder, where pip puts pre-commit.
    path = os.pathsep.join((str(bin_folder), str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**kept, "PATH": path, "HOME": str(home)}


@pytest.fixture
def run(environment: dict[str, str]) -> Callable[..., Result]:
    """Run a program; the test is skipped where there is none."""

    def run_program(*argv: str, cwd: Path, stdin: str = "", check: bool = False, **variables: str) -> Result:
        program = shutil.which(argv[0], path=environment["PATH"]) if "/" not in argv[0] else argv[0]
        if program is None:
            pytest.skip(f"{argv[0]} is not on the PATH; .ci/tools FOLDER installs it")
        done = subprocess.run(
            [program, *argv[1:]], cwd=cwd, input=stdin, capture_output=True, text=True, env={**environment, **variables}, check=False, timeout=300
        )
        assert not check or done.returncode == 0, f"{' '.join(argv)}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        return Result(done.returncode, done.stdout, done.stderr)

    return run_program


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    webdriver = pytest.importorskip("selenium.webdriver", exc_type=ImportError)
    options = webdriver.ChromeOptions()
    options.binary_location = program(*BROWSERS)
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(program("chromedriver")))
    driver.set_script_timeout(120)
    yield Browser(driver, tmp_path_factory.mktemp("pages"))
    driver.quit()
