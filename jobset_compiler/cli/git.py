"""The files of a git revision as sources: read from the object database, with nothing checked out.

The repository may be somebody else's, its configuration included. Only commands that read objects are run, revisions are looked up
once and named by their hashes from then on, and git is told to fetch nothing, to run nothing, and to take paths for what they are.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from jobset_compiler.cli.arguments import UsageError
from jobset_compiler.library.sources import Source
from jobset_compiler.source.files import SUFFIXES, is_excluded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WORKING_TREE = "working tree"
HARDENED = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    # What a configuration can make git run, and a repository inside of this one.
    *(
        word
        for setting in (
            "core.fsmonitor=false",
            "core.hooksPath=/dev/null",
            "core.attributesFile=/dev/null",
            "core.sshCommand=false",
            "core.askPass=",
            "core.alternateRefsCommand=",
            "credential.helper=",
            "protocol.allow=never",
            "gc.auto=0",
            "maintenance.auto=false",
            "safe.bareRepository=explicit",
        )
        for word in ("-c", setting)
    ),
)
# Objects that a partial clone has left with its server stay there: no lazy fetch, by whatever transport.
ENVIRONMENT = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


class Revision(NamedTuple):
    """`name` is what the user calls it, `commit` its hash."""

    name: str
    commit: str


class Revisions(NamedTuple):
    """The two sides of a range; `after` is None for the files as they are on disk."""

    before: Revision
    after: Revision | None


def revisions_of(text: str) -> Revisions:
    """`A..B`; `A...B`, from where B left A; `A`, against the working tree. Raises UsageError for a revision that does not exist."""
    if "..." in text:
        before, _, after = text.partition("...")
        after = after or "HEAD"
        left, right = revision_of(before or "HEAD"), revision_of(after)
        base = _git(["merge-base", left.commit, right.commit], f"{text}: these revisions have no common ancestor").decode().strip()
        return Revisions(Revision(base, base), right)
    before, dots, after = text.partition("..")
    after = (after or "HEAD") if dots else ""
    return Revisions(revision_of(before or "HEAD"), revision_of(after) if after else None)


def revision_of(text: str) -> Revision:
    """One revision. Raises UsageError for one that does not exist."""
    missing = f"git has no revision {text!r} here; a shallow clone may lack it (git fetch, or fetch-depth: 0 in GitHub Actions)"
    _git(["rev-parse", "--git-dir"], "this is no git repository")
    found = _git(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{text}^{{commit}}"], missing)
    return Revision(text, found.decode().strip())


def short(revision: Revision | None) -> str:
    """How a revision is called in a report: a full hash by its first characters."""
    if revision is None:
        return WORKING_TREE
    name = revision.name
    return name[:10] if len(name) == 40 and not name.strip("0123456789abcdef") else name


def sources_at(revision: Revision, paths: Sequence[str], runtimes: Sequence[str], exclude: Sequence[str] = ()) -> list[Source]:
    """As `inputs.sources_of`, from a revision. A path that the revision does not have gives nothing: it may be new. Raises UsageError."""
    top = os.fsdecode(_git(["rev-parse", "--show-toplevel"], "this is no git repository")).rstrip("\n")
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


def _files(top: str, revision: Revision, path: str, exclude: Sequence[str]) -> list[tuple[str, str, bool]]:
    """(name as the user would write it, object, whether it was found in a folder)."""
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(top))
    if inside.split(os.sep)[0] == os.pardir:
        raise UsageError(f"{path} is outside of the git repository {top}")
    where = [inside] if inside != os.curdir else []
    listing = _git(["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", revision.commit, *where], f"cannot list {path} in {revision.name}", top)
    found = []
    for entry in os.fsdecode(listing).split("\0"):
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
        about = output[position:end].split(b" ")
        if len(about) != 3:
            gone = os.fsdecode(output[position:end])
            raise UsageError(f"git does not have all files of that revision ({gone}); a partial clone may lack them (git fetch --refetch)")
        size = int(about[2])
        texts.append(output[end + 1 : end + 1 + size])
        position = end + 1 + size + 1
    return texts


def _git(arguments: list[str], failure: str, folder: str = ".", stdin: bytes = b"") -> bytes:
    try:
        run = subprocess.run(["git", *HARDENED, "-C", folder, *arguments], input=stdin, capture_output=True, check=False, env={**os.environ, **ENVIRONMENT})
    except OSError as error:
        raise UsageError(f"the command git is needed for this: {error.strerror or error}") from None
    if run.returncode:
        detail = run.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        raise UsageError(f"{failure}{f' ({detail})' if detail else ''}")
    return run.stdout
