"""JobSet's own admission of what the controller submits: server-side apply, defaults, schema, webhook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan


def check(plan: Plan, jobset: dict[str, Any]) -> list[Diagnostic]:
    return []
