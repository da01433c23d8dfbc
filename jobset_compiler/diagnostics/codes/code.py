"""What a diagnostic code is. Severity is data here and can be changed by the user; it is not part of the code's spelling."""

from __future__ import annotations

from typing import Final, Literal

from jobset_compiler.value import Value

Severity = Literal["error", "warning", "info"]
"""How bad it is: it will not run; it runs, but hardly as meant; worth knowing once."""

ERROR: Final = "error"
WARNING: Final = "warning"
INFO: Final = "info"
SEVERITIES: Final = (ERROR, WARNING, INFO)


class Code(Value):
    """code: "JSC201"; slug: its name in words; title: one line; text: what it means, why it happens, what to do.

    asked: told only to those who ask for it (`-v`), since valid input gets it as well and nothing is to be done.
    """

    __slots__ = ("asked", "code", "severity", "slug", "text", "title")

    def __init__(self, code: str, slug: str, severity: Severity, title: str, text: str, asked: bool = False) -> None:
        self.code: Final = code
        self.slug: Final = slug
        self.severity: Final = severity
        self.title: Final = title
        self.text: Final = text
        self.asked: Final = asked
