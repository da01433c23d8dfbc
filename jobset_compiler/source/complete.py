"""The complete lane: any YAML document's text to its value, with every rule and whatever there is to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.source.compose import compose
from jobset_compiler.source.findings import Finding
from jobset_compiler.source.syntax import helm_template
from jobset_compiler.source.values import Decoded, decode

if TYPE_CHECKING:
    from jobset_compiler.source.events import Parser


def read_completely(text: str, parser: Parser | None = None) -> Decoded:
    """The value of the first YAML document of a text and what was found on the way; `parser` is one of `events`."""
    root, rest, fault = compose(text, parser)
    if fault is not None:
        return Decoded(None, (), fault)
    if root is None:
        return Decoded(None)
    decoded = decode(root)
    fault = decoded.fault
    if fault is not None:
        # `{{ x }}` is a mapping with a mapping as its key, so that no grammar complains.
        if fault.slug == "bad-key" and "{{" in text[max(fault.start - 1, 0) : fault.start + 2]:
            return decoded._replace(fault=helm_template(text.index("{{", max(fault.start - 1, 0)), fault.message))
        return decoded
    if rest >= 0:
        hint = "A document starts with `---` on a line of its own."
        ignored = Finding("ignored-text", "text after the end of the document is not read", rest, rest + 1, hint)
        decoded = decoded._replace(findings=(*decoded.findings, ignored))
    return decoded
