"""What a diagnostic code is. Severity is data here and can be changed by the user; it is not part of the code's spelling."""

from typing import Final, Literal, NamedTuple

Severity = Literal["error", "warning", "info"]
"""How bad it is: it will not run; it runs, but hardly as meant; worth knowing once."""

ERROR: Final = "error"
WARNING: Final = "warning"
INFO: Final = "info"
SEVERITIES: Final = (ERROR, WARNING, INFO)


class Code(NamedTuple):
    """code: "JSC201"; slug: its name in words; title: one line; text: what it means, why it happens, what to do.

    asked: told only to those who ask for it (`-v`), since valid input gets it as well and nothing is to be done.
    """

    code: str
    slug: str
    severity: Severity
    title: str
    text: str
    asked: bool = False
