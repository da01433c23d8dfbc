"""Text to plain JSON values with positions, with the meaning that kubectl and the API server give to YAML and JSON."""

from __future__ import annotations

from jobset_compiler.source.document import Document, SourceProblem
from jobset_compiler.source.reader import iter_documents, read_bytes, read_text

__all__ = ["Document", "SourceProblem", "iter_documents", "read_bytes", "read_text"]
