"""Which small faults in the package does no test notice?

    python tools/mutants.py --sample 200                        # any 200 lines of the package, one fault in each
    python tools/mutants.py --sample 50 --seed 7 findings/mounts.py kube/
    python tools/mutants.py --lines build/lines.jsonl ...       # keep what the tests run, and use it again

Every test is run once, to see which lines it reaches (as long as the whole suite and half as long again; kept with --lines). A fault is then tried
in a fork of the process that has collected the tests: the function's code is exchanged, and the tests that reach the line run, the quickest first,
until one fails. What tests start as other processes has no faults, so that what only those would notice is shown as well.

Standard output has each fault that nobody noticed, and last how many were noticed. Some can not be: where both ways come to the same.
It needs an operating system with fork; run it as a user who may do little, since code with faults runs.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import json
import os
import pathlib
import pkgutil
import random
import select
import signal
import sys
import time
import warnings
from functools import partial
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import coverage
import pytest
from _pytest.runner import runtestprotocol

import faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from faults import Fault, Spot

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "jobset_compiler"
# These run type checkers, tools and programs of their own: none of them has the fault.
ELSEWHERE = ("tests/typing", "tests/integrations", "tests/tools", "tests/plugin_package")
NOTICED, UNNOTICED, UNREACHED, STOPPED = "noticed", "not noticed", "reached by no test", "not noticed in time"


class Reached(NamedTuple):
    """What a test ran: how long it took (seconds), and lines by file."""

    test: str
    seconds: float
    lines: dict[str, list[int]]


class Verdict(NamedTuple):
    """What came of a fault; tests: how many reach it."""

    fault: Fault
    word: str
    tests: int

    def __str__(self) -> str:
        spot = self.fault.spot
        tests = f", tests: {self.tests}" if self.tests else ""
        return f"{spot.file}:{spot.line}: {self.word}{tests}: {_brief(self.fault.before)}  ->  {_brief(self.fault.after)}"


def main(arguments: Sequence[str] | None = None, root: pathlib.Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help=f"files and folders of the package, as seen from {PACKAGE}/ (default: all)")
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="how many lines get a fault (default: 100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed is another sample")
    parser.add_argument("--lines", type=pathlib.Path, metavar="FILE", help="which test reaches which line: written where it is missing, read where it is there")
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help="how long the tests of one fault may take (default: 60)")
    options = parser.parse_args(arguments)
    sample = sample_of(root, options.paths, options.sample, options.seed)
    trial = partial(_try_all, root=root, sample=sample, lines=options.lines, seconds=options.seconds, tell=_teller())
    settings = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={root}"]
    return int(pytest.main([*settings, str(root / "tests")], plugins=[Collected(trial)]))


def sample_of(root: pathlib.Path, paths: Sequence[str], size: int, seed: int) -> list[Spot]:
    """Spots of that many lines, no two of one line."""
    found: list[Spot] = []
    for file in sorted((root / PACKAGE).rglob("*.py")):
        name = file.relative_to(root).as_posix()
        if not paths or any(name.startswith(f"{PACKAGE}/{path.removeprefix(f'{PACKAGE}/')}") for path in paths):
            found += faults.spots(name, file.read_text(encoding="utf-8"))
    random.Random(seed).shuffle(found)
    by_line = {(spot.file, spot.line): spot for spot in reversed(found)}
    return [spot for spot in found if by_line[spot.file, spot.line] is spot][:size]


class Collected:
    """A plugin of pytest that does something else with what was collected than to run it."""

    def __init__(self, trial: Callable[[pytest.Session], None]) -> None:
        self._trial = trial

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._trial(session)
        return True


def _try_all(
    session: pytest.Session, root: pathlib.Path, sample: Sequence[Spot], lines: pathlib.Path | None, seconds: float, tell: Callable[[str], None]
) -> None:
    items = {item.nodeid: item for item in session.items if not item.nodeid.startswith(ELSEWHERE)}
    reached = read(lines) if lines is not None and lines.exists() else measure(list(items.values()), root)
    if lines is not None and not lines.exists():
        lines.parent.mkdir(parents=True, exist_ok=True)
        lines.write_text("".join(f"{json.dumps(entry)}\n" for entry in reached), encoding="utf-8")
    exchange = Exchange(root)
    verdicts = []
    for spot in sample:
        fault = faults.fault_at(spot, root)
        if fault is None or not exchange.fits(fault):
            continue
        near = sorted((entry for entry in reached if entry.test in items and spot.line in entry.lines.get(spot.file, ())), key=lambda entry: entry.seconds)
        word = attempt([items[entry.test] for entry in near], partial(exchange.put, fault), seconds) if near else UNREACHED
        verdicts.append(Verdict(fault, word, len(near)))
        if word != NOTICED:
            tell(str(verdicts[-1]))
    noticed = sum(verdict.word == NOTICED for verdict in verdicts)
    tell(f"{noticed} of {len(verdicts)} noticed: {100 * noticed / max(len(verdicts), 1):.1f} %")


def measure(items: Sequence[pytest.Item], root: pathlib.Path) -> list[Reached]:
    """Runs every test; those that pass, with the lines of the package that they run. Files are as seen from the root."""
    reached = []
    tracer = coverage.Coverage(data_file=None, include=[str(root / PACKAGE / "*")], config_file=False)
    for number, item in enumerate(items):
        tracer.erase()
        tracer.start()
        start = time.monotonic()
        passed = passes(item, items[number + 1] if number + 1 < len(items) else None)
        took = time.monotonic() - start
        tracer.stop()
        data = tracer.get_data()
        lines = {pathlib.Path(file).relative_to(root).as_posix(): sorted(data.lines(file) or ()) for file in data.measured_files()}
        if passed:
            reached.append(Reached(item.nodeid, round(took, 4), lines))
    return reached


def read(lines: pathlib.Path) -> list[Reached]:
    return [Reached(*json.loads(line)) for line in lines.read_text(encoding="utf-8").splitlines()]


def passes(item: pytest.Item, following: pytest.Item | None = None) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


class Exchange:
    """The functions of the package, all imported, and what they remember."""

    def __init__(self, root: pathlib.Path) -> None:
        for module in pkgutil.walk_packages([str(root / PACKAGE)], f"{PACKAGE}."):
            importlib.import_module(module.name)
        self._functions: dict[Key, list[FunctionType]] = {}
        self._memories: list[Any] = []
        with warnings.catch_warnings(action="ignore"):
            gc.collect()
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType):
                self._functions.setdefault(_key(thing.__code__), []).append(thing)
            # Classes that are made once have to stay the same.
            elif hasattr(type(thing), "cache_clear") and str(thing.__module__).startswith(PACKAGE) and not thing.__module__.startswith(f"{PACKAGE}.models"):
                self._memories.append(thing)
        gc.freeze()

    def fits(self, fault: Fault) -> bool:
        """Whether the function is there, and with the fault asks for the same of what is around it: one without its `super()` does not."""
        exchanged = [(function.__code__, code) for key, code in _codes(fault.code).items() for function in self._functions.get(key, ())]
        return _key(fault.code) in self._functions and all(old.co_freevars == new.co_freevars for old, new in exchanged)

    def put(self, fault: Fault) -> None:
        """The function with the fault in place of the right one, and so the functions that it has made before; nothing is remembered."""
        for key, code in _codes(fault.code).items():
            for function in self._functions.get(key, ()):
                function.__code__ = code
        for memory in self._memories:
            memory.cache_clear()


Key = tuple[str, str, int]


def _codes(code: CodeType) -> dict[Key, CodeType]:
    """The code of a function and of those in it, but for several of one name in one line."""
    found: dict[Key, list[CodeType]] = {}
    for each in (code, *faults.codes_in(code)):
        found.setdefault(_key(each), []).append(each)
    return {key: codes[0] for key, codes in found.items() if len(codes) == 1}


def _key(code: CodeType) -> Key:
    return code.co_filename, code.co_name, code.co_firstlineno


def attempt(items: Iterable[pytest.Item], spoil: Callable[[], None], seconds: float) -> str:
    """What came of it, in a process of its own."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.write(theirs, _word(items, spoil, time.monotonic() + seconds).encode())
        os._exit(0)
    os.close(theirs)
    # A test that goes on for ever, or ends the process, has noticed something.
    ready, _, _ = select.select([ours], [], [], 2 * seconds)
    word = os.read(ours, 100).decode() if ready else ""
    os.close(ours)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return word or NOTICED


def _word(items: Iterable[pytest.Item], spoil: Callable[[], None], deadline: float) -> str:
    try:
        spoil()
        for item in items:
            if not passes(item):
                return NOTICED
            if time.monotonic() > deadline:
                return STOPPED
    except BaseException:
        return NOTICED
    return UNNOTICED


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:77]}..."


def _teller() -> Callable[[str], None]:
    """Prints to what standard output is now: pytest catches what is printed while tests are collected and run."""
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")

    def tell(line: str) -> None:
        print(line, file=stream, flush=True)

    return tell


if __name__ == "__main__":
    sys.exit(main())
