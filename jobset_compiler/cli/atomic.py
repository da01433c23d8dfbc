"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from jobset_compiler.cli.streams import OutputError

PARTIAL = ".partial"


def write_text(path: str, text: str) -> None:
    """Write a file by way of another one next to it. Raises OutputError where that cannot be done."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        if _is_special(path):
            # A device or a pipe is written to, not replaced.
            with open(path, "wb") as stream:
                stream.write(data)
            return
        target = os.path.realpath(path)
        folder, name = os.path.split(target)
        for other in os.listdir(folder):
            if finished_name(other) == name:
                unlink(os.path.join(folder, other))
        replace(target, data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from None


def replace(target: str, data: bytes) -> None:
    """Put a regular file in the place of another one or of none, with its permissions. Raises OSError, FileNotFoundError also where another
    run has taken the folder or the unfinished file away."""
    # Nobody can guess the name, and so nobody can have put a link there.
    partial = f"{target}.{int.from_bytes(os.urandom(6), 'big')}{PARTIAL}"
    try:
        with open(partial, "xb") as stream:
            stream.write(data)
        with suppress(FileNotFoundError):
            os.chmod(partial, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(partial, target)
    except BaseException:
        unlink(partial)
        raise


def finished_name(name: str) -> str:
    """The name that an unfinished file (`NAME.NUMBER.partial`, left by a run that was killed) was to have; "" for other files."""
    if not name.endswith(PARTIAL):
        return ""
    finished, _, number = name.removesuffix(PARTIAL).rpartition(".")
    return finished if number.isdecimal() else ""


def unlink(path: str) -> None:
    """Remove a file, if it is there and can be removed."""
    with suppress(OSError):
        os.unlink(path)


def _is_special(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
