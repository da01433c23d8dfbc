"""How long a report of many TrainJobs takes to write, how large it is, and how long Chromium takes to open it.

    python benchmarks/report.py [--size 1000]

The TrainJobs are the shipped examples over and over, with names of their own. Opening needs selenium, chromium and chromedriver; what is told is the time
until the page is loaded, and how much of it the page's own thread computed (the rest is waiting for the machine). A page of 1,000 has 3 seconds.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cold_start import environment

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.yaml"))
LIMIT = 3.0


def stream(size: int) -> str:
    """So many TrainJobs, and the runtimes that they need once each."""
    documents = [document for file in EXAMPLES for document in re.split(r"(?m)^---\n", file.read_text())]
    jobs = [document for document in documents if "kind: TrainJob\n" in document]
    runtimes = [document for document in documents if document not in jobs]
    named = (re.sub(r"(?m)^  name: (\S+)$", rf"  name: \g<1>-{number}", jobs[number % len(jobs)], count=1) for number in range(size))
    return "---\n".join((*runtimes, *named))


def opened(file: Path) -> tuple[float, float]:
    """Seconds until the page is loaded, and of them those that its main thread computed."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(shutil.which("chromedriver"))))
    try:
        driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        driver.get(file.as_uri())
        metrics = {metric["name"]: metric["value"] for metric in driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
        loaded = driver.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd")
        return loaded / 1000, metrics["TaskDuration"]
    finally:
        driver.quit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1000)
    size = parser.parse_args().size
    with tempfile.TemporaryDirectory() as folder:
        source, page = Path(folder) / "jobs.yaml", Path(folder) / "report.html"
        source.write_text(stream(size))
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "jobset_compiler", "report", str(source), "--quiet", "-o", str(page)], env=environment(), check=True)
        print(f"written   {time.perf_counter() - start:6.1f} s   {page.stat().st_size / 1e6:.1f} MB   {size} TrainJobs")
        if not (shutil.which("chromium") and shutil.which("chromedriver")):
            print("not opened: there is no chromium or chromedriver here")
            return
        loaded, computed = opened(page)
        print(f"opened    {loaded:6.1f} s   {computed:.1f} s of it computed   {'within' if loaded <= LIMIT else 'over'} {LIMIT:.0f} s")


if __name__ == "__main__":
    main()
