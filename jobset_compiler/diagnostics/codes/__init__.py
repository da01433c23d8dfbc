"""The catalogue of diagnostic codes, one module a block.

0xx reading the source, 1xx types and schema, 2xx finding runtimes and merging, 3xx policies (301-329), Trainer's webhooks (330-359,
390-399), updates (360-369) and advice (370-389), 4xx JobSet and its children, 5xx output and integrations, 6xx documents of other APIs (601-649) and
extensions (650-699), 7xx what is accepted and then silent, 8xx parity notices (quirks of upstream that are reproduced), 9xx internal.

`codes.webhook.RESERVED_TORCH_ENV` is how a code is named: a block is imported when something is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from jobset_compiler.diagnostics.codes import advice as advice
    from jobset_compiler.diagnostics.codes import dialects as dialects
    from jobset_compiler.diagnostics.codes import extensions as extensions
    from jobset_compiler.diagnostics.codes import internal as internal
    from jobset_compiler.diagnostics.codes import jobset as jobset
    from jobset_compiler.diagnostics.codes import output as output
    from jobset_compiler.diagnostics.codes import parity as parity
    from jobset_compiler.diagnostics.codes import policy as policy
    from jobset_compiler.diagnostics.codes import resolve as resolve
    from jobset_compiler.diagnostics.codes import schema as schema
    from jobset_compiler.diagnostics.codes import silent as silent
    from jobset_compiler.diagnostics.codes import source as source
    from jobset_compiler.diagnostics.codes import webhook as webhook
    from jobset_compiler.diagnostics.codes.code import Code

BLOCKS = ("source", "schema", "resolve", "policy", "webhook", "advice", "jobset", "output", "dialects", "extensions", "silent", "parity", "internal")
TITLES = {
    "source": "Reading the text (0xx)",
    "schema": "Types and schema of the API server (1xx)",
    "resolve": "Finding runtimes, and what only a cluster knows (2xx)",
    "policy": "Policies and passes (301-329)",
    "webhook": "Trainer's webhooks (330-359, 390-399) and updates (360-369)",
    "advice": "Advice that no server gives (370-389)",
    "jobset": "JobSet's own admission, and its Jobs and pods (4xx)",
    "output": "Output and integrations (5xx)",
    "dialects": "Documents of other APIs (601-649)",
    "extensions": "Extensions, and what passes bring (650-699)",
    "silent": "Accepted, and then without effect or with another (7xx)",
    "parity": "Quirks of the controller that are reproduced (8xx)",
    "internal": "Bugs of the compiler (9xx)",
}


def __getattr__(name: str) -> ModuleType:
    """A block, when it is first asked for."""
    if name not in BLOCKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _block(name)


def _block(name: str) -> ModuleType:
    module: ModuleType = __import__(f"{__name__}.{name}", fromlist=["__name__"])
    return module


def all_codes() -> tuple[Code, ...]:
    """Every code, in order of number."""
    return tuple(sorted({code for block in BLOCKS for code in of_block(block)}, key=_number))


def of_block(block: str) -> tuple[Code, ...]:
    """The codes of one module of the catalogue, in order of number."""
    from jobset_compiler.diagnostics.codes.code import Code

    return tuple(sorted({value for value in vars(_block(block)).values() if isinstance(value, Code)}, key=_number))


def _number(code: Code) -> str:
    return code.code


def find(name: str) -> Code | None:
    """The code with that number ("JSC201") or slug ("runtime-not-found")."""
    return next((code for code in all_codes() if name.upper() == code.code or name == code.slug), None)
