"""The catalogue of diagnostic codes, one module a block.

0xx reading the source, 1xx types and schema, 2xx finding runtimes and merging, 3xx policies (301-329), Trainer's webhooks (330-359),
updates (360-369) and advice (370-389), 4xx JobSet and its children, 5xx output and integrations, 8xx parity notices (quirks of upstream
that are reproduced), 9xx internal.
"""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, INFO, SEVERITIES, WARNING, Code

__all__ = ["ERROR", "INFO", "SEVERITIES", "WARNING", "Code", "all_codes", "find"]

BLOCKS = ("source", "schema", "resolve", "policy", "webhook", "advice", "jobset", "output", "parity", "internal")


def all_codes() -> tuple[Code, ...]:
    """Every code, in order of number."""
    codes: list[Code] = []
    for block in BLOCKS:
        module = __import__(f"{__name__}.{block}", fromlist=["__name__"])
        codes.extend(value for value in vars(module).values() if isinstance(value, Code))
    return tuple(sorted(set(codes)))


def find(name: str) -> Code | None:
    """The code with that number ("JSC201") or slug ("runtime-not-found")."""
    return next((code for code in all_codes() if name.upper() == code.code or name == code.slug), None)
