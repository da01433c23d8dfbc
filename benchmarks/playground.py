"""How long the playground of the site takes until it answers first, and then at each keystroke.

    python tools/build_site.py && python benchmarks/playground.py [--site build/site] [--example 'own runtime'] [--keys 30]

Needs selenium, chromium and chromedriver. Served from this machine, every load with an empty cache. A first answer has 10 seconds, a keystroke (to the
objects and the findings) 200 ms. Waiting for a busy machine is part of it: what all processes of the browser computed is told beside it.
"""

from __future__ import annotations

import argparse
import functools
import os
import shutil
import statistics
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOADED, ANSWERED = 10.0, 0.2
TICKS = os.sysconf("SC_CLK_TCK")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def computed(root: int) -> float:
    """Seconds that a process and all below it have computed."""
    parents, times = {}, {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(status.parent.name)
        parents[process], times[process] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    below = {root}
    while more := {process for process, parent in parents.items() if parent in below} - below:
        below |= more
    return sum(times.get(process, 0.0) for process in below)


def idle(driver: Any) -> None:
    while driver.execute_script("return document.querySelector('main')?.getAttribute('aria-busy')") != "false":
        time.sleep(0.01)


def main() -> None:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.support.select import Select

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--example", default="own runtime")
    parser.add_argument("--keys", type=int, default=30)
    arguments = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(arguments.site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    service = webdriver.ChromeService(str(shutil.which("chromedriver")))
    driver = webdriver.Chrome(options=options, service=service)
    process: int = service.process.pid
    try:
        for _ in range(3):
            driver.get("about:blank")
            driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            start, before = time.perf_counter(), computed(process)
            driver.get(f"http://127.0.0.1:{server.server_port}/playground/")
            idle(driver)
            took = time.perf_counter() - start
            print(f"first answer {took:7.1f} s   {computed(process) - before:.1f} s computed   {'within' if took <= LOADED else 'over'} {LOADED:.0f} s")
        Select(driver.find_element("id", "example")).select_by_visible_text(arguments.example)
        idle(driver)
        driver.execute_script("document.getElementById('trainjob').shadowRoot.querySelector('.cm-content').focus(); performance.clearMarks()")
        for number in range(arguments.keys):
            ActionChains(driver).send_keys("\n#"[number % 2]).perform()
            idle(driver)
        marks = driver.execute_script("return performance.getEntriesByType('mark').map(mark => [mark.name, mark.startTime])")
        times = [(after[1] - mark[1]) / 1000 for mark, after in pairwise(marks) if (mark[0], after[0]) == ("typed", "shown")]
        worst = max(times)
        verdict = f"{'within' if worst <= ANSWERED else 'over'} {ANSWERED * 1000:.0f} ms"
        print(f"a keystroke  {statistics.median(times) * 1000:7.0f} ms  {worst * 1000:.0f} ms at worst   {verdict}")
    finally:
        driver.quit()
        server.shutdown()


if __name__ == "__main__":
    main()
