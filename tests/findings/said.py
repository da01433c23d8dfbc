"""What is said of an input, release by release, as a text that one can read."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from jobset_compiler.diagnostics.place import format_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.diagnostic import Diagnostic

# Small runtimes would all get it.
IGNORED = frozenset({"framework-label-missing"})


def text_of(found: Iterable[Diagnostic]) -> str:
    """Code, severity and place of each in a line, below it message, hint and notes; "nothing" where there is none."""
    lines = []
    for told in found:
        if told.slug not in IGNORED:
            lines += [f"{told.code} {told.severity} {format_path(told.at)}", f"    {told.message}", f"    {told.hint}"]
            lines += [f"    {format_path(note.at)}: {note.message}" for note in told.notes]
    return "\n".join(lines) or "nothing"


def by_release(find: Callable[[str], Iterable[Diagnostic]], releases: Sequence[str]) -> str:
    """What `find` finds in each release; neighbours that say the same share one text."""
    texts = [(release, text_of(find(release))) for release in releases]
    return "\n".join(f"in {', '.join(release for release, _ in same)}:\n{text}" for text, same in groupby(texts, key=lambda pair: pair[1]))


def ids(codes: Iterable[Code]) -> list[str]:
    """The slug of each code, numbered where it comes again: a row more renames none of the others."""
    seen: Counter[str] = Counter()
    names = []
    for code in codes:
        seen[code.slug] += 1
        names.append(f"{code.slug}-{seen[code.slug]}")
    return names
