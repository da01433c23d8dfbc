"""The releases that a user asks for, and what there is to say about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.profiles import is_compared, is_compared_jobset, is_newer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.profiles import Profile


def about_release(name: str, profile: Profile, jobset: str = "") -> tuple[Diagnostic, ...]:
    """What there is to say about releases as the user wrote them ("" for the default): that there is none yet, that another patch release
    stands in, that the JobSet is not the one that the release of Trainer comes with.
    """
    told = [*_about_trainer(name, profile)] if name else []
    if jobset:
        if not is_compared_jobset(jobset, profile.jobset):
            told.append(_not_compared(f"JobSet {jobset}", profile.jobset.version, "that minor release"))
        told += _about_pair(profile)
    return tuple(told)


def _about_trainer(name: str, profile: Profile) -> Iterator[Diagnostic]:
    if not profile.is_released:
        from jobset_compiler.diagnostics import codes
        from jobset_compiler.diagnostics.diagnostic import Diagnostic

        yield Diagnostic(codes.resolve.NOT_RELEASED, f"{name} is not released: it is what upstream had merged when this was written", stage="resolve")
    elif not is_compared(name, profile):
        yield _not_compared(name, profile.trainer, profile.name)


def _not_compared(name: str, compared: str, release: str) -> Diagnostic:
    from jobset_compiler.diagnostics import codes
    from jobset_compiler.diagnostics.diagnostic import Diagnostic

    return Diagnostic(codes.resolve.RELEASE_NOT_COMPARED, f"{name} is judged as {compared}, the release of {release} that was compared", stage="resolve")


def _about_pair(profile: Profile) -> Iterator[Diagnostic]:
    if profile.is_paired:
        return
    from jobset_compiler.diagnostics import codes
    from jobset_compiler.diagnostics.diagnostic import Diagnostic

    than = "newer" if is_newer(profile.jobset, profile.comes_with) else "older"
    message = f"JobSet {profile.jobset.version} is {than} than {profile.comes_with.version}, which {profile.title} comes with and is tested with"
    yield Diagnostic(codes.resolve.JOBSET_NOT_PAIRED, message, stage="resolve")
