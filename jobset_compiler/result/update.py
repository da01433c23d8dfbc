"""What a check of an update returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic


class Update(NamedTuple):
    """The verdict of a cluster on edited documents; diagnostics: everything there is to say, runtimes first, in the order of the input."""

    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether the cluster takes all of it, and JobSet what the controller then applies."""
        return not any(diagnostic.is_error for diagnostic in self.diagnostics)
