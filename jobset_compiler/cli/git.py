"""The files of a git revision as sources: read from the object database, with nothing checked out."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.cli.arguments import UsageError
from jobset_compiler.cli.inputs import is_excluded
from jobset_compiler.library.streaming import Source
from jobset_compiler.source.files import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WORKING_TREE = "working tree"


class Revisions(NamedTuple):
    """The two sides of a range; `after` is "" for the files as they are on disk."""

    before: str
    after: str


def revisions_of(text: str) -> Revisions:
    """`A..B`; `A...B`, from where B left A; `A`, against the working tree. Raises UsageError for a revision that does not exist."""
    if "..." in text:
        before, _, after = text.partition("...")
        after = after or "HEAD"
        _commit(before or "HEAD")
        _commit(after)
        base = _git(["merge-base", before or "HEAD", after], f"{text}: these revisions have no common ancestor")
        return Revisions(base.decode().strip(), after)
    before, dots, after = text.partition("..")
    after = (after or "HEAD") if dots else ""
    before = before or "HEAD"
    for revision in (before, after):
        if revision:
            _commit(revision)
    return Revisions(before, after)


def revision_of(text: str) -> str:
    """One revision. Raises UsageError for one that does not exist."""
    _commit(text)
    return text


def short(revision: str) -> str:
    """How a revision is called in a report: a full hash by its first characters."""
    return revision[:10] if len(revision) == 40 and not revision.strip("0123456789abcdef") else revision


def sources_at(revision: str, paths: Sequence[str], runtimes: Sequence[str], exclude: Sequence[str] = ()) -> list[Source]:
    """As `inputs.sources_of`, from a revision. A path that the revision does not have gives nothing: it may be new. Raises UsageError."""
    top = _git(["rev-parse", "--show-toplevel"], "this is no git repository").decode().rstrip("\n")
    found: dict[tuple[str, str], tuple[bool, bool]] = {}
    for group, runtimes_only in ((paths, False), (runtimes, True)):
        for path in group:
            for file, blob, from_folder in _files(top, revision, path, exclude):
                found.setdefault((file, blob), (from_folder, runtimes_only))
    texts = _blobs(top, [blob for _, blob in found])
    sources = [Source(file, _replayed(text), *flags) for ((file, _), flags), text in zip(found.items(), texts, strict=True)]
    return sorted(sources, key=lambda source: not source.runtimes_only)


def _replayed(text: bytes) -> Callable[[], Iterable[bytes]]:
    return lambda: (text,)


def _files(top: str, revision: str, path: str, exclude: Sequence[str]) -> list[tuple[str, str, bool]]:
    """(name as the user would write it, object, whether it was found in a folder)."""
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(top))
    if inside.split(os.sep)[0] == os.pardir:
        raise UsageError(f"{path} is outside of the git repository {top}")
    where = ["--", inside] if inside != os.curdir else []
    listing = _git(["ls-tree", "-r", "-z", "--full-tree", revision, *where], f"cannot list {path} in {revision}", top)
    found = []
    for entry in listing.decode("utf-8", "surrogateescape").split("\0"):
        if not entry:
            continue
        about, _, name = entry.partition("\t")
        mode, kind, blob = about.split(" ")
        if kind != "blob" or mode == "120000":
            continue
        if name == inside.replace(os.sep, "/"):
            found.append((path, blob, False))
            continue
        below = os.path.relpath(name, inside)
        shown = os.path.join(path, below)
        if not any(part.startswith(".") for part in below.split("/")) and name.endswith(SUFFIXES) and not is_excluded(shown, exclude):
            found.append((shown, blob, True))
    return found


def _blobs(top: str, blobs: Sequence[str]) -> list[bytes]:
    if not blobs:
        return []
    output = _git(["cat-file", "--batch"], "cannot read files from git", top, "".join(f"{blob}\n" for blob in blobs).encode())
    texts = []
    position = 0
    for _ in blobs:
        end = output.index(b"\n", position)
        size = int(output[position:end].split(b" ")[2])
        texts.append(output[end + 1 : end + 1 + size])
        position = end + 1 + size + 1
    return texts


def _commit(revision: str) -> None:
    missing = f"git has no revision {revision!r} here; a shallow clone may lack it (git fetch, or fetch-depth: 0 in GitHub Actions)"
    _git(["rev-parse", "--git-dir"], "this is no git repository")
    _git(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"], missing)


def _git(arguments: list[str], failure: str, folder: str = ".", stdin: bytes = b"") -> bytes:
    try:
        run = subprocess.run(["git", "-C", folder, *arguments], input=stdin, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"the command git is needed for this: {error.strerror or error}") from None
    if run.returncode:
        detail = run.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        raise UsageError(f"{failure}{f' ({detail})' if detail else ''}")
    return run.stdout
