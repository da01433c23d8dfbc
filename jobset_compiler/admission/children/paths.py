"""Paths in volumes and on nodes.

Source: validateLocalDescendingPath, ValidateLocalNonReservedPath and validatePathNoBacksteps in pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.children.faults import NONE, Faults, fault, invalid

if TYPE_CHECKING:
    from jobset_compiler.admission.children.checks import PodScope

FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive"


def no_way_up(path: str, scope: PodScope) -> Faults:
    return (fault(invalid(path, "must not contain '..'")),) if ".." in path.split("/") else NONE


def descending(path: str, scope: PodScope) -> Faults:
    """Relative, and not out of its folder."""
    absolute = (fault(invalid(path, "must be a relative path")),) if path.startswith("/") else ()
    return (*absolute, *no_way_up(path, scope))


def in_volume(path: str, scope: PodScope) -> Faults:
    """A file that Kubernetes writes into a volume, where names that begin with two dots are its own."""
    reserved = path.startswith("..") and not path.startswith("../")
    return (*descending(path, scope), *((fault(invalid(path, "must not start with '..'")),) if reserved else ()))


def file_mode(mode: int, scope: PodScope) -> Faults:
    return NONE if 0 <= mode <= 0o777 else (fault(invalid(mode, FILE_MODE)),)
