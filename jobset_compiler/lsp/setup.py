"""What a file is compiled with: the options and settings that hold for its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.diagnostics.report import Policy
from jobset_compiler.request.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable


class Setup(NamedTuple):
    """policy: which diagnostics are told; runtimes: files and folders with runtimes; exclude: patterns of files of the workspace to leave alone."""

    options: Options = Options()
    policy: Policy = Policy()
    runtimes: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class SetupError(Exception):
    """Settings that cannot be used; the message says why."""


if TYPE_CHECKING:
    Configure = Callable[[str], Setup]
    """The setup of a folder, "" for no folder. Raises SetupError."""
