"""What a compile can be asked to do differently: the release, and everything that the documents do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.profiles import NEWEST, Profile
from jobset_compiler.resolve.facts import NO_FACTS, Facts

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.passes.api import Pass


class Options(NamedTuple):
    """profile: the release; facts: what only a cluster knows; passes: in order, the built-in ones by default;
    namespace: for documents without one; strict: what the server only prunes is an error; problems: what is wrong with the
    options themselves (passes that could not be loaded), reported before anything else."""

    profile: Profile = NEWEST
    bundled_runtimes: bool = True
    facts: Facts = NO_FACTS
    passes: tuple[Pass, ...] = BUILTIN
    namespace: str = ""
    ignore_missing_runtime: bool = False
    strict: bool = False
    problems: tuple[Diagnostic, ...] = ()
