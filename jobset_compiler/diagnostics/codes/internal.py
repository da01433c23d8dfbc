"""9xx: our own bugs, and those of third-party passes."""

from __future__ import annotations

from jobset_compiler.diagnostics.codes.code import ERROR, Code

INTERNAL_ERROR = Code(
    "JSC901",
    "internal-error",
    ERROR,
    "The compiler failed on this input.",
    "This is a bug of jobset-compiler, not of the input. Please report it with the input that caused it.",
)
