"""Threads that come at the same time, the first of a process: nothing that is made on first use is found before it is whole.

Such faults need two threads at one line, and chance gives that once in a thousand runs. So nothing here is left to chance.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"

# At the first visit of each line in those modules a copy of the process compiles the text, as another thread would that comes just then.
# What it finds half made is half made in its answer.
COPIES = """
import os, sys
from importlib import import_module
from pathlib import Path
from jobset_compiler.library.calls import compile_yaml

text = Path(sys.argv[1]).read_text()
WATCHED = tuple(sys.argv[2:])
seen, answers = set(), []

def answer():
    result = compile_yaml(text)
    return repr((result.to_yaml(), [str(diagnostic) for diagnostic in result.diagnostics]))

def of_a_copy(ask):
    reader, writer = os.pipe()
    if os.fork() == 0:
        sys.settrace(None)
        with open(writer, "w") as out:
            out.write(ask())
        os._exit(0)
    os.close(writer)
    with open(reader) as given:
        said = given.read()
    os.wait()
    return said

def trace(frame, event, argument):
    if not frame.f_code.co_filename.endswith(WATCHED):
        return None
    # What fills an object in does so for every one anew.
    filled = id(frame.f_locals.get("self")) if frame.f_code.co_name in ("learn", "root") else 0
    place = frame.f_code.co_filename, frame.f_lineno, filled
    if event == "line" and place not in seen:
        seen.add(place)
        answers.append((place, of_a_copy(answer)))
    return trace

# Modules have locks of their own: what they make is made before.
for name in of_a_copy(lambda: (answer(), " ".join(sys.modules))[1]).split():
    import_module(name)
sys.settrace(trace)
expected = answer()
sys.settrace(None)
assert len(answers) > 50, len(answers)
wrong = [place for place, given in answers if given != expected]
assert not wrong, wrong
"""

# Every name of the package by a thread of its own, each of which is sent away at every step of an import.
NAMES = """
import sys, time
from threading import Barrier, Thread
import jobset_compiler as jc

NAMES = [name for name in jc.__all__ if name != "__version__"]
gate, failed = Barrier(len(NAMES)), []

def trace(frame, event, argument):
    if frame.f_code.co_name not in ("_find_and_load", "_find_and_load_unlocked"):
        return None
    time.sleep(0.0002)
    return trace

def ask(name):
    gate.wait()
    sys.settrace(trace)
    try:
        getattr(jc, name)
    except BaseException as error:
        failed.append((name, repr(error)))

threads = [Thread(target=ask, args=(name,)) for name in NAMES]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failed, failed
"""

# In which order Python locks the modules of ours while each of the names, or modules, is the first that a process asks for. A package that imports a module of
# its own is locked before that module, unless somebody imports the module by its name: then Python locks that first, and where two threads do the one and
# the other, gives up. Names of the package are imported by one thread at a time, so that each is tried with modules only.
ORDERS = """
import os, sys
from importlib import import_module
import jobset_compiler as jc

def order_of(first):
    held, order = [], set()

    def profile(frame, event, argument):
        if frame.f_code.co_name == "_find_and_load" and "importlib" in frame.f_code.co_filename:
            if event == "call":
                order.update((lock, frame.f_locals["name"]) for lock in held)
                held.append(frame.f_locals["name"])
            elif event == "return":
                held.pop()

    sys.setprofile(profile)
    import_module(first) if "." in first else getattr(jc, first)
    sys.setprofile(None)
    return {(one, other) for one, other in order if one != other and one.startswith(jc.__name__) and other.startswith(jc.__name__)}

def in_a_copy(first):
    reader, writer = os.pipe()
    if os.fork() == 0:
        with open(writer, "w") as out:
            out.write(repr(order_of(first)))
        os._exit(0)
    os.close(writer)
    with open(reader) as given:
        said = given.read()
    os.wait()
    return eval(said)

modules = {first: in_a_copy(first) for first in sys.argv[1:]}
orders = modules | {first: in_a_copy(first) for first in dir(jc) if not first.startswith("__")}
assert all(modules.values()), [first for first, order in modules.items() if not order]
crossed = {(first, second, *pair) for first in modules for second in orders for pair in orders[first] if pair[::-1] in orders[second]}
assert not crossed, sorted(crossed)
"""

# Modules that pages and the help of the package name: whoever writes a program imports them by name.
BY_NAME = (
    *("models", "passes.api", "passes.registry", "resolve.plan", "diagnostics.diagnostic", "kube.quantity"),
    *("testing", "request.plugins", "integrations.sdk", "schemas"),
)

# Modules that keep what they have made. (`library/known.py` has a lock, which no copy of a process can wait for.)
KEEPERS = {
    "schema": ("kube/table.py", "structural/nodes.py"),
    "Go types": ("kube/retype.py", "kube/mutation.py", "admission/jobset_shortcut.py"),
    "texts": ("source/document.py", "source/line_places.py"),
}


def passes(script: str, *arguments: str) -> None:
    run = subprocess.run([sys.executable, "-c", script, *arguments], check=False, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr[-2000:]


@pytest.mark.parametrize("kept", KEEPERS)
def test_at_no_line_does_another_thread_find_something_half_made(kept: str) -> None:
    passes(COPIES, str(EXAMPLES / "03-own-runtime.yaml"), *KEEPERS[kept])


def test_all_names_can_be_asked_for_at_once() -> None:
    passes(NAMES)


def test_modules_that_are_imported_by_name_are_locked_in_one_order() -> None:
    passes(ORDERS, *(f"jobset_compiler.{name}" for name in BY_NAME))


# Eight threads whose first call is the first of the process.
AT_ONCE = """
import sys
from pathlib import Path
from threading import Barrier, Thread
import jobset_compiler as jc

texts = [Path(name).read_text() for name in sys.argv[1:]]
gate, answers = Barrier(8), []

def answer():
    results = [jc.compile_yaml(text, trainer_version=release) for text in texts for release in ("v2.1", "v2.3")]
    return [(result.to_yaml(), [str(diagnostic) for diagnostic in result.diagnostics]) for result in results]

def ask():
    gate.wait()
    try:
        answers.append(answer())
    except BaseException as error:
        answers.append(repr(error))

sys.setswitchinterval(1e-6)
threads = [Thread(target=ask) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
expected = answer()
assert answers == [expected] * 8, [given for given in answers if given != expected][:1]
"""


@pytest.mark.parametrize("name", ["03-own-runtime", "05-mpi", "08-coscheduling"])
def test_eight_threads_that_come_first_at_once_get_what_one_gets(name: str) -> None:
    passes(AT_ONCE, str(EXAMPLES / f"{name}.yaml"))
