"""The runtimes that passes bring: read and judged like those of the input, when a compile has such passes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from jobset_compiler.api.runtime import CLUSTER_KIND
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.codes.code import INFO
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.resolve.catalog import NONE_BROUGHT, BroughtRuntime
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.passes.api import Brings
    from jobset_compiler.request.options import Options
    from jobset_compiler.source.document import Document

    Read = Callable[[Document, Options], tuple[Runtime | None, list[Diagnostic]]]


def read_all(options: Options, read: Read) -> Mapping[str, BroughtRuntime]:
    """By name; of two of one name the first counts. read: what the server makes of a runtime, None where it refuses it."""
    if not options.bundled_runtimes:
        return NONE_BROUGHT
    found: dict[str, BroughtRuntime] = {}
    # All that a verdict on a runtime hangs on.
    asked = type(options)(profile=options.profile, passes=tuple(step for step in options.passes if step.admits))
    for step in options.passes:
        for item in step.brings:
            if item.name not in found:
                found[item.name] = _read(item, f"extension {step.extension}" if step.extension else f"pass {step.name}", asked, read)
    return found


@lru_cache(32)
def _read(item: Brings, by: str, options: Options, read: Read) -> BroughtRuntime:
    documents, problems = read_text(item.text, f"<{by}: {item.name}.yaml>")
    value = documents[0].value if len(documents) == 1 and not problems else None
    if not isinstance(value, dict) or value.get("kind") != CLUSTER_KIND or value.get("metadata", {}).get("name") != item.name:
        message = f"the text that {by} brings for {item.name} is no single {CLUSTER_KIND} of that name"
        return BroughtRuntime(None, by, (Diagnostic(codes.extensions.BROUGHT_RUNTIME_INVALID, message, stage="resolve"),))
    runtime, diagnostics = read(documents[0], options)
    return BroughtRuntime(
        runtime._replace(bundled=True) if runtime is not None else None, by, tuple(diagnostic for diagnostic in diagnostics if diagnostic.severity != INFO)
    )
