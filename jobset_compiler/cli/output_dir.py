"""`render --output-dir`: a folder that holds one file an object, kept equal to what the input renders to.

Every file starts with `HEADER`. That line makes a file ours: without it a file is never replaced and never removed. Files of ours
that nothing renders to any more are removed; so the folder belongs to one set of inputs.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

from jobset_compiler.cli.arguments import Arguments, UsageError
from jobset_compiler.cli.atomic import finished_name, replace
from jobset_compiler.cli.streams import Held, OutputError
from jobset_compiler.cli.units import objects_of, units
from jobset_compiler.diagnostics.inert import lines
from jobset_compiler.diagnostics.redaction import SECRET, has_credentials, has_secret, hidden_pair

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.cli.common import Settings
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.diagnostics.report import Report

HEADER = b"# Rendered by jobset-compiler. Do not edit: change the TrainJob or its runtime and render again.\n"
SUFFIX = ".yaml"
SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")
LONGEST = 200
DIFFERENCES = 3
ATTEMPTS = 20
NOT_OURS = b"\n"
# Names that Windows reserves whatever the suffix is.
RESERVED = frozenset(("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))))


def run(arguments: Arguments, settings: Settings, streams: Streams, report: Report) -> int:
    for option in ("--passthrough", "--output"):
        if arguments.has(option):
            raise UsageError(f"--output-dir and {option} exclude each other")
    root = arguments.get("--output-dir")
    if os.path.exists(root) and not os.path.isdir(root):
        raise UsageError(f"--output-dir {root} is not a folder")
    with Rendered() as rendered:
        _render(arguments, settings, streams, report, rendered)
        report.finish()
        if report.failed or report.unreadable:
            return report.exit_code
        if arguments.has("--check"):
            return _check(root, rendered, streams)
        if arguments.has("--update"):
            return _update(root, rendered, streams)
        _write(root, rendered, streams, quiet=arguments.has("--quiet"))
    return report.exit_code


def _render(arguments: Arguments, settings: Settings, streams: Streams, report: Report, rendered: Rendered) -> None:
    from jobset_compiler.emit.yaml import Emitter

    emitter = Emitter()
    for unit in units(arguments, settings, streams, report):
        folder = os.path.join(safe_name(unit.plan.job.namespace), safe_name(unit.plan.job.name))
        for manifest in objects_of(unit, arguments):
            kind, name = manifest["kind"], manifest["metadata"]["name"]
            path = os.path.join(folder, safe_name(f"{kind.lower()}-{name}") + SUFFIX)
            rendered.add(path, HEADER + emitter.document(manifest).encode("utf-8", "surrogateescape"))


def safe_name(name: str) -> str:
    """A name as one part of a path on any system: what is no letter of Kubernetes' names becomes %XX; never empty, "." or "..".

    Different names stay different, also where upper and lower case are one.
    """
    safe = "".join(character if character in SAFE else "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass")) for character in name)
    if not safe.strip(".") or safe[-1] == "." or safe.partition(".")[0] in RESERVED:
        safe = f"%{safe}"
    if len(safe) > LONGEST:
        from hashlib import sha256

        safe = f"{safe[:LONGEST]}%{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return safe


class Rendered:
    """Path -> bytes of everything rendered, held in one temporary file so that memory stays small. Of two with one path the later one counts."""

    def __init__(self) -> None:
        from tempfile import SpooledTemporaryFile

        self._places: dict[str, tuple[int, int]] = {}
        self._file = SpooledTemporaryFile(max_size=8 << 20)  # noqa: SIM115  # closed by __exit__
        self._end = 0

    def __enter__(self) -> Rendered:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, path: str, data: bytes) -> None:
        self._file.seek(self._end)
        self._file.write(data)
        self._places[path] = self._end, len(data)
        self._end += len(data)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, path: str) -> bool:
        return path in self._places

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        """In the order of the paths."""
        for path in sorted(self._places):
            start, length = self._places[path]
            self._file.seek(start)
            yield path, self._file.read(length)


def _check(root: str, rendered: Rendered, streams: Streams) -> int:
    changed = _show(root, rendered, streams)
    if changed:
        streams.say(f"{root} is not up to date: {_files(changed)} would change; run the same command without --check\n")
    return DIFFERENCES if changed else 0


def _update(root: str, rendered: Rendered, streams: Streams) -> int:
    changed = _show(root, rendered, streams)
    if changed:
        _write(root, rendered, streams, quiet=True)
        streams.say(f"{root} was not up to date: {_files(changed)} changed\n")
    return DIFFERENCES if changed else 0


def _show(root: str, rendered: Rendered, streams: Streams) -> int:
    """The difference between the folder and what was rendered, as a unified diff; in how many files."""
    changed = 0
    held = Held()  # until no foreign file has been found in the way
    for path, data in rendered:
        have = _present(root, path)
        if have != data:
            changed += 1
            held.put(_diff(os.path.join(root, path), have, data))
    for path in _stale(root, rendered):
        if finished_name(path):
            continue  # nobody's file
        changed += 1
        held.put(_diff(os.path.join(root, path), _present(root, path), None))
    held.release(streams)
    return changed


def _files(count: int) -> str:
    return f"{count} file{'' if count == 1 else 's'}"


def _diff(path: str, have: bytes | None, want: bytes | None) -> str:
    from difflib import unified_diff

    old, new = _shown(have, want)
    names = "/dev/null" if have is None else path, "/dev/null" if want is None else path
    return "".join(map(lines, unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), *names)))


def _shown(have: bytes | None, want: bytes | None) -> tuple[str, str]:
    """The texts as they may be shown: without what is secret in a Secret or a variable."""
    old, new = ("" if data is None else data.decode("utf-8", "replace") for data in (have, want))
    texts = old, new
    is_secret = any(map(has_secret, texts))
    if not is_secret and not any(map(has_credentials, texts)):
        return texts
    from jobset_compiler.emit.yaml import Emitter

    header = HEADER.decode()
    before = _tree(old), _tree(new)
    trees = hidden_pair(*before)
    if trees == before and not is_secret:
        return texts
    shown = ["" if tree is None else header + Emitter().document(tree) for tree in trees]
    if shown[0] == shown[1]:
        # Only the text differs, or it is no YAML any more.
        shown[0] = f"{header}# (hidden: the text that is there, which says the same or cannot be read)\n"
    return shown[0], shown[1]


def _tree(text: str) -> Any:
    """What a file of ours says; None for one that is not there, an empty Secret for one that cannot be read."""
    from jobset_compiler.source.reader import read_text

    if not text:
        return None
    documents, _ = read_text(text)
    return documents[0].value if len(documents) == 1 else {"kind": SECRET}


def _write(root: str, rendered: Rendered, streams: Streams, *, quiet: bool) -> None:
    stale = list(_stale(root, rendered))
    # All of them are looked at before the first is written: a foreign file in the way stops everything.
    pending = {path for path, data in rendered if _present(root, path) != data}
    for path, data in rendered:
        if path in pending:
            _write_file(os.path.join(root, path), data)
    for path in stale:
        _remove(root, path)
    if not quiet:
        streams.say(f"{root}: {len(pending)} written, {len(rendered) - len(pending)} unchanged, {len(stale)} removed\n")


def _write_file(target: str, data: bytes) -> None:
    """Raises OutputError where that cannot be done. Another run may remove a folder that is still empty, or take what this one has begun
    to write for what a killed one has left; it does so once."""
    for attempt in reversed(range(ATTEMPTS)):
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            replace(os.path.realpath(target), data)
            return
        except FileNotFoundError as error:
            if not attempt:
                raise OutputError(f"cannot write {target}: {error.strerror}") from None
        except OSError as error:
            raise OutputError(f"cannot write {target}: {error.strerror or error}") from None


def _present(root: str, path: str) -> bytes | None:
    """What the folder has at that path, None for nothing. Raises OutputError for what is not ours."""
    target = os.path.join(root, path)
    try:
        mode = _mode_of(target)
        if os.path.commonpath((os.path.realpath(target), os.path.realpath(root))) != os.path.realpath(root):
            raise OutputError(f"{target} leads out of {root}; take the link away")
        if mode is None:
            return None
        if not stat.S_ISREG(mode):
            raise OutputError(f"{target} is in the way and is no regular file; nothing was changed")
        with open(target, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OutputError(f"cannot read {target}: {error.strerror or error}") from None
    if not _is_ours(data):
        raise OutputError(f"{target} is in the way and was not written by jobset-compiler; nothing was changed")
    return data


def _mode_of(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _is_ours(data: bytes) -> bool:
    return data.startswith(HEADER)


def _stale(root: str, rendered: Rendered) -> Iterator[str]:
    """Files of ours, at the depth at which we write, that nothing renders to any more, and what killed runs have left; sorted."""
    for namespace in _members(root, folders=True):
        for job in _members(os.path.join(root, namespace), folders=True):
            folder = os.path.join(namespace, job)
            for name in _members(os.path.join(root, folder), folders=False):
                path = os.path.join(folder, name)
                if path not in rendered:
                    head = _head(os.path.join(root, path))
                    if (name.endswith(SUFFIX) and _is_ours(head)) or (finished_name(name).endswith(SUFFIX) and HEADER.startswith(head)):
                        yield path


def _members(folder: str, *, folders: bool) -> list[str]:
    """The names of the folders, or of the regular files, in a folder; sorted. Raises OutputError where it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if (entry.is_dir if folders else entry.is_file)(follow_symlinks=False))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise OutputError(f"cannot list {folder}: {error.strerror or error}") from None


def _head(file: str) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read(len(HEADER))
    except FileNotFoundError:
        return NOT_OURS  # another run has removed it
    except OSError as error:
        raise OutputError(f"cannot read {file}: {error.strerror or error}") from None


def _remove(root: str, path: str) -> None:
    """The file, and the folders above it that are empty then; another run may be quicker. Raises OutputError where that cannot be done."""
    target = os.path.join(root, path)
    try:
        os.unlink(target)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise OutputError(f"cannot remove {target}: {error.strerror or error}") from None
    folder = os.path.dirname(path)
    while folder:
        try:
            os.rmdir(os.path.join(root, folder))
        except OSError:
            return  # not empty, or gone
        folder = os.path.dirname(folder)
