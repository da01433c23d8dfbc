"""For the tests of your own repository: golden manifests, refusals, and what a pass has to keep.

    from jobset_compiler import testing

    def test_rendered_manifests() -> None:
        testing.assert_golden(["jobs"], "rendered", runtimes=["platform/runtimes"], trainer_version="v2.3")

Every function raises AssertionError with a report that says what to do, so that any test runner will do. Nothing here is imported
by the compiler.
"""

from __future__ import annotations

import io
import os
from copy import deepcopy
from itertools import islice, permutations
from typing import TYPE_CHECKING, Any

from jobset_compiler.library import arguments
from jobset_compiler.library.calls import compile_objects, compile_yaml
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.request.plugins import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.passes.api import Pass
    from jobset_compiler.resolve.plan import Plan
    from jobset_compiler.result.compilation import Compilation

    PathLike = str | os.PathLike[str]

# Set to anything to have `assert_golden` write what it would compare.
UPDATE = "UPDATE_GOLDEN"


def assert_golden(
    inputs: Sequence[PathLike],
    golden: PathLike,
    *,
    trainer_version: str | None = None,
    runtimes: Sequence[PathLike] = (),
    bundled_runtimes: bool = True,
    update: bool | None = None,
) -> None:
    """The inputs (files and folders) render to exactly what the folder `golden` holds.

    The folder is the one that `jobset-compiler render INPUTS --output-dir GOLDEN` writes. With update=True, by default where the
    environment variable UPDATE_GOLDEN is set, it is written instead. The report is a unified diff, or what is wrong with the inputs.
    """
    arguments.names(inputs, "inputs")
    arguments.names(runtimes, "runtimes")
    from jobset_compiler.cli import DIFFERENCES, main
    from jobset_compiler.cli.streams import Streams

    update = bool(os.environ.get(UPDATE)) if update is None else update
    argv = ["render", "--output-dir", os.fspath(golden), "--no-config", "--quiet", *([] if update else ["--check"])]
    argv += [] if trainer_version is None else ["--trainer-version", trainer_version]
    argv += [] if bundled_runtimes else ["--no-bundled-runtimes"]
    argv += [argument for runtime in runtimes for argument in ("--runtime", os.fspath(runtime))]
    stdout, stderr = io.BytesIO(), io.StringIO()
    code = main([*argv, "--", *(os.fspath(path) for path in inputs)], Streams(io.BytesIO(), stdout, stderr, {}))
    if code == DIFFERENCES:
        raise AssertionError(
            f"{stdout.getvalue().decode()}\n{os.fspath(golden)} is not what the inputs render to; {UPDATE}=1 writes it anew, then read the diff"
        )
    if code:
        raise AssertionError(stderr.getvalue())


def assert_compiles(
    source: str | Iterable[object], *, trainer_version: str | None = None, bundled_runtimes: bool = True, passes: Sequence[Pass] | None = None
) -> Compilation:
    """The compilation of a text or of objects, which has no error; the report is that of `jobset-compiler check`."""
    result = _compile(source, trainer_version, bundled_runtimes, passes)
    if not result.ok:
        raise AssertionError(_told(result))
    return result


def assert_refused(
    source: str | Iterable[object], code: str, *, path: str | None = None, trainer_version: str | None = None, bundled_runtimes: bool = True
) -> Diagnostic:
    """The error of that code ("JSC201" or "runtime-not-found"), at that path where one is given; the report says what was found."""
    result = _compile(source, trainer_version, bundled_runtimes, BUILTIN)
    for diagnostic in result.diagnostics:
        if diagnostic.is_error and code in (diagnostic.code, diagnostic.slug) and path in (None, diagnostic.path):
            return diagnostic
    where = f" at {path}" if path else ""
    raise AssertionError(f"no error {code}{where}; there is:\n{_told(result) or 'nothing'}")


def assert_pure(step: Pass, source: str | Iterable[object], *, trainer_version: str | None = None, bundled_runtimes: bool = True) -> None:
    """A pass is a function of the Plan: run twice it gives the same, and it leaves the Plan as it was.

    source: TrainJobs and runtimes to which the pass applies; AssertionError where it applies to none of them.
    """
    plans = _plans(step, source, trainer_version, bundled_runtimes)
    applied = False
    for plan in plans:
        before = _copied(plan)
        if step.when(plan) != step.when(plan):
            raise AssertionError(f"pass {step.name}: `when` does not answer the same for one Plan")
        if step.when(plan):
            applied = True
            first, second = (list(map(_identity, step.run(plan))) for _ in range(2))
            if first != second:
                raise AssertionError(f"pass {step.name} gives something else when it is run again:\n{first}\n{second}")
        if _copied(plan) != before:
            raise AssertionError(f"pass {step.name} changed the Plan that it was given")
    if not applied:
        raise AssertionError(f"pass {step.name} applies to none of the TrainJobs")


def assert_order_free(
    passes: Sequence[Pass], source: str | Iterable[object], *, trainer_version: str | None = None, bundled_runtimes: bool = True, limit: int = 120
) -> None:
    """Passes of one stage give the same objects in whatever order they act; at most `limit` orders are tried."""
    expected: tuple[Any, ...] | None = None
    for order in islice(permutations(passes), limit):
        # Names are how passes of one stage are put in order: new names in front of the old ones give any order.
        renamed = [step._replace(name=f"{index:03}.{step.name}", overrides=_renamed(step, order)) for index, step in enumerate(order)]
        result = _compile(source, trainer_version, bundled_runtimes, in_order(BUILTIN, renamed))
        if not result.ok:
            raise AssertionError(f"in the order {', '.join(step.name for step in order)}:\n{_told(result)}")
        if expected is None:
            expected = result.objects
        elif expected != result.objects:
            raise AssertionError(f"the order {', '.join(step.name for step in order)} gives other objects than {', '.join(step.name for step in passes)}")


def _renamed(step: Pass, order: Sequence[Pass]) -> frozenset[str]:
    names = {other.name: f"{index:03}.{other.name}" for index, other in enumerate(order)}
    return frozenset(names.get(name, name) for name in step.overrides)


def _copied(plan: Plan) -> tuple[object, ...]:
    """All that a pass could change: the Plan, and the values of its documents, which are not copied themselves, nor is the record of origins."""
    documents = (plan.job.document, plan.runtime.document)
    memo = {id(kept): kept for kept in (*documents, plan.record)}
    return (deepcopy(plan, memo), *(deepcopy(document.value) for document in documents))


def _plans(step: Pass, source: str | Iterable[object], trainer_version: str | None, bundled_runtimes: bool) -> list[Plan]:
    """The Plans as the pass finds them: after all that act before it."""
    earlier = []
    for other in in_order(BUILTIN, (step,)):
        if other.name == step.name:
            break
        earlier.append(other)
    result = _compile(source, trainer_version, bundled_runtimes, tuple(earlier))
    if not result.ok:
        raise AssertionError(_told(result))
    return [unit.plan for unit in result.units]


def _identity(item: object) -> object:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic

    return (item.code, item.severity, item.path, item.message) if isinstance(item, Diagnostic) else item


def _compile(source: str | Iterable[object], trainer_version: str | None, bundled_runtimes: bool, passes: Sequence[Pass] | None) -> Compilation:
    if isinstance(source, str):
        return compile_yaml(source, trainer_version=trainer_version, bundled_runtimes=bundled_runtimes, passes=passes)
    return compile_objects(source, trainer_version=trainer_version, bundled_runtimes=bundled_runtimes, passes=passes)


def _told(result: Compilation) -> str:
    from jobset_compiler.diagnostics.settled import settle
    from jobset_compiler.diagnostics.text import render

    return "".join(render(settle(diagnostic)) for diagnostic in result.diagnostics if diagnostic.severity != "info")
