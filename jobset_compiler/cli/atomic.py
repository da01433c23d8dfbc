"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os

from jobset_compiler.cli.arguments import UsageError


def write_text(path: str, text: str) -> None:
    """Write a file by way of another one next to it. Raises UsageError where that cannot be done."""
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


def write_bytes(path: str, data: bytes) -> None:
    # A device or a pipe is written to, not replaced.
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    target = os.path.realpath(path)
    partial = f"{target}.{os.getpid()}.partial"
    try:
        with open(partial, "xb") as stream:
            stream.write(data)
        if os.path.exists(target):
            os.chmod(partial, os.stat(target).st_mode & 0o7777)
        os.replace(partial, target)
    except OSError as error:
        if os.path.exists(partial):
            os.unlink(partial)
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
