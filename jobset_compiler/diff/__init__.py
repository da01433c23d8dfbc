"""What changes in the rendered objects between two inputs or two releases, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.diff.because import with_reasons
from jobset_compiler.diff.difference import Difference, masked, pair
from jobset_compiler.diff.side import Side, compile_side, text_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from jobset_compiler.request.options import Options

__all__ = ["Difference", "Side", "compare_sides", "compare_yaml", "compile_side"]


def compare_sides(before: Side, after: Side, *, after_each: Callable[[], object] = lambda: None) -> Difference:
    """The objects of two sides against each other, every changed field with its reasons. Contents of Secrets are hidden in it.

    after_each: called when the causes of one more TrainJob are found, which may take long.
    """
    return masked(with_reasons(pair(before, after), after_each=after_each))


def compare_yaml(
    before: str,
    after: str,
    *,
    before_version: str | None = None,
    after_version: str | None = None,
    before_jobset_version: str | None = None,
    after_jobset_version: str | None = None,
    bundled_runtimes: bool = True,
) -> Difference:
    """What changes between two texts, or between two releases when the texts are the same.

    Releases as in `compile_yaml` (ValueError for an unknown one); where one of JobSet is named, what JobSet makes of the objects is compared as well.
    Bad input never raises: its diagnostics are part of the sides.
    """
    from jobset_compiler.library.calls import resolve_profile
    from jobset_compiler.request.options import Options

    children = before_jobset_version is not None or after_jobset_version is not None

    def side(text: str, version: str | None, jobset: str | None, label: str) -> Side:
        options: Options = Options(profile=resolve_profile(version, jobset), bundled_runtimes=bundled_runtimes)
        return compile_side((text_source(text, "<input>"),), options, label)._replace(children=children)

    return compare_sides(side(before, before_version, before_jobset_version, "before"), side(after, after_version, after_jobset_version, "after"))
