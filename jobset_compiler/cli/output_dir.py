"""`render --output-dir`: a folder that holds one file an object, kept equal to what the input renders to.

Every file starts with `HEADER`. That line makes a file ours: without it a file is never replaced and never removed. Files of ours
that nothing renders to any more are removed; so the folder belongs to one set of inputs.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Arguments, UsageError
from jobset_compiler.cli.atomic import write_bytes
from jobset_compiler.cli.streams import Held
from jobset_compiler.cli.units import objects_of, units

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
        changed += 1
        held.put(_diff(os.path.join(root, path), _present(root, path), None))
    held.release(streams.stdout)
    return changed


def _files(count: int) -> str:
    return f"{count} file{'' if count == 1 else 's'}"


def _diff(path: str, have: bytes | None, want: bytes | None) -> str:
    from difflib import unified_diff

    old = "" if have is None else have.decode("utf-8", "replace")
    new = "" if want is None else want.decode("utf-8", "replace")
    return "".join(
        unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            "/dev/null" if have is None else path,
            "/dev/null" if want is None else path,
        )
    )


def _write(root: str, rendered: Rendered, streams: Streams, *, quiet: bool) -> None:
    stale = list(_stale(root, rendered))
    # All of them are looked at before the first is written: a foreign file in the way stops everything.
    pending = [path for path, data in rendered if _present(root, path) != data]
    for path, data in rendered:
        if path in pending:
            target = os.path.join(root, path)
            _make_folder(os.path.dirname(target))
            write_bytes(target, data)
    for path in stale:
        _remove(root, path)
    if not quiet:
        kept = sum(1 for _ in rendered) - len(pending)
        streams.say(f"{root}: {len(pending)} written, {kept} unchanged, {len(stale)} removed\n")


def _make_folder(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make folder {folder}: {error.strerror or error}") from None


def _present(root: str, path: str) -> bytes | None:
    """What the folder has at that path, None for nothing. Raises UsageError for what is not ours."""
    target = os.path.join(root, path)
    inside = os.path.realpath(target)
    if os.path.commonpath((inside, os.path.realpath(root))) != os.path.realpath(root):
        raise UsageError(f"{target} leads out of {root}; take the link away")
    try:
        with open(target, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"cannot read {target}: {error.strerror or error}") from None
    if not _is_ours(data):
        raise UsageError(f"{target} is in the way and was not written by jobset-compiler; nothing was changed")
    return data


def _is_ours(data: bytes) -> bool:
    return data.startswith(HEADER)


def _stale(root: str, rendered: Rendered) -> Iterator[str]:
    """Files of ours, at the depth at which we write, that nothing renders to any more; sorted."""
    for namespace in _folders(root):
        for job in _folders(os.path.join(root, namespace)):
            folder = os.path.join(namespace, job)
            for name in sorted(os.listdir(os.path.join(root, folder))):
                path = os.path.join(folder, name)
                target = os.path.join(root, path)
                if name.endswith(SUFFIX) and path not in rendered and os.path.isfile(target) and not os.path.islink(target):
                    with open(target, "rb") as file:
                        head = file.read(len(HEADER))
                    if _is_ours(head):
                        yield path


def _folders(root: str) -> list[str]:
    if not os.path.isdir(root):
        return []
    with os.scandir(root) as entries:
        return sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))


def _remove(root: str, path: str) -> None:
    """The file, and the folders above it that are empty then."""
    os.unlink(os.path.join(root, path))
    folder = os.path.dirname(path)
    while folder and not os.listdir(os.path.join(root, folder)):
        os.rmdir(os.path.join(root, folder))
        folder = os.path.dirname(folder)
