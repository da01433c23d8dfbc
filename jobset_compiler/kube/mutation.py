"""What a server has of an object that a mutating webhook has changed.

The webhook reads the object into its Go types, changes it, writes it as JSON and answers with a patch from what it was sent to that
(controller-runtime; removals are dropped since 0.20, so that explicit zero values survive). What it touched has therefore been through
Go's types: fields without `omitempty` that nobody wrote are there, as "" or, lists and pointers, as null. The server validates that,
and there a null is a value of the wrong type, while the nulls of a request are dropped before anybody looks.
"""

from __future__ import annotations

from typing import Any


def patched(sent: Any, written: Any) -> Any:
    """The object that was sent with what the webhook wrote laid over it, key by key and item by item; what only `sent` has stays."""
    if isinstance(sent, dict) and isinstance(written, dict):
        return {**sent, **{key: patched(sent[key], item) if key in sent else item for key, item in written.items()}}
    if isinstance(sent, list) and isinstance(written, list) and len(sent) == len(written):
        return [patched(*pair) for pair in zip(sent, written, strict=True)]
    return written
