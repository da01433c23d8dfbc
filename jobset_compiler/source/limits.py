"""Bounds of the reader, each far beyond what an API server stores (1.5 MiB a document, in practice 30 levels)."""

from __future__ import annotations

# Kubernetes itself stops at 10,000 levels; whatever walks a document recursively here must stay within Python's stack.
MAX_DEPTH = 256

# Characters of one document; a stream may be of any length.
MAX_DOCUMENT_LENGTH = 64 * 1024 * 1024

# kubectl looks this far for the `{` that makes a stream JSON.
JSON_GUESS_LENGTH = 4096

# Values of one object that comes without text: more do not fit into the 3 MiB that an API server takes.
MAX_VALUES = 1_000_000
