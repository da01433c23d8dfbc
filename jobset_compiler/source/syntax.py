"""What a syntax error is likely to mean: the parser's words, with a slug and a hint taken from the text around it."""

from __future__ import annotations

import re

from jobset_compiler.source.findings import Finding


def explain(text: str, offset: int, context: int | None, problem: str) -> Finding:
    """The finding for a parser's complaint at `offset`; `context` is where the thing began that it was reading."""
    offset = min(offset, max(len(text) - 1, 0))
    start, line = _line_at(text, offset)
    cause = (
        _merge_conflict(text)
        or _markdown_fence(text)
        or _tab(text, offset)
        or _helm(text, offset, context)
        or _placeholder(start, line)
    )
    if cause is not None:
        slug, position, length, hint = cause
        return Finding(slug, problem, position, position + length, hint)
    if context is not None and "end of stream" in problem and text[context : context + 1] in ("'", '"'):
        quote = text[context]
        return Finding("yaml-syntax", problem, context, context + 1, f"The {quote} that opens here is never closed.")
    return Finding("yaml-syntax", problem, offset, offset + 1, _hint(text, offset, line, problem))


_Cause = tuple[str, int, int, str]


def _line_at(text: str, offset: int) -> tuple[int, str]:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return start, text[start : len(text) if end < 0 else end]


def _merge_conflict(text: str) -> _Cause | None:
    match = re.search(r"^(?:<{7}|>{7}|\|{7}) .*$|^={7}$", text, re.MULTILINE)
    if match is None:
        return None
    return "merge-conflict", match.start(), 7, "Resolve the merge conflict: this is one of git's conflict markers."


def _markdown_fence(text: str) -> _Cause | None:
    match = re.search(r"^[ ]{0,3}(?:```|~~~).*$", text, re.MULTILINE)
    if match is None:
        return None
    return "markdown-fence", match.start(), 3, "This is a Markdown code fence; keep only what stands inside."


def _tab(text: str, offset: int) -> _Cause | None:
    """A tab in the indentation of the line in question or of the one before it."""
    start, line = _line_at(text, offset)
    previous_start, previous = _line_at(text, start - 1) if start else (start, "")
    for where, candidate in ((start, line), (previous_start, previous)):
        indentation = candidate[: len(candidate) - len(candidate.lstrip(" \t"))]
        if "\t" in indentation and candidate.strip():
            position = where + indentation.index("\t")
            return "tab-indentation", position, 1, "YAML is indented with blanks; replace the tab."
    return None


def _helm(text: str, offset: int, context: int | None) -> _Cause | None:
    """`{{` on the line in question, on the one where the thing began, or as a statement of its own anywhere before."""
    for place in (offset, context):
        if place is not None:
            start, line = _line_at(text, place)
            if "{{" in line:
                return _template(start + line.index("{{"))
    match = re.search(r"^\s*\{\{", text[: offset + 1], re.MULTILINE)
    return None if match is None else _template(match.end() - 2)


_RENDER_FIRST = "This is a Helm template, not YAML yet: render it first (`helm template CHART | jobset-compiler`)."


def _template(position: int) -> _Cause:
    return "helm-template", position, 2, _RENDER_FIRST


def helm_template(position: int, message: str) -> Finding:
    """The finding for a template's braces that YAML could read, but not as anything that Kubernetes knows."""
    return Finding("helm-template", message, position, position + 2, _RENDER_FIRST)


_PLACEHOLDER = re.compile(r"\$\{[^}\s]*\}|(?<![\w.-])(?:@[\w.-]+@|%[\w.-]+%|%\([\w.-]+\)s)")


def find_placeholder(text: str) -> str | None:
    """The first piece of a text that some other tool should have replaced: `${VAR}`, `@VAR@`, `%VAR%`, `<VAR>`, `{{ }}`."""
    match = re.search(_PLACEHOLDER.pattern + r"|\{\{.*?\}\}|^<[\w .-]+>$|\$\([\w.-]+\)", text)
    return None if match is None else match.group()


def _placeholder(start: int, line: str) -> _Cause | None:
    match = _PLACEHOLDER.search(line)
    if match is None:
        return None
    hint = f"{match.group()} looks like a placeholder; let the tool it is meant for fill it in first, or put it in quotes."
    return "placeholder", start + match.start(), len(match.group()), hint


def _hint(text: str, offset: int, line: str, problem: str) -> str:
    start, _ = _line_at(text, offset)
    before = _line_at(text, start - 1)[1] if start else ""
    for candidate in (line, before):
        if re.match(r"^\s*(?:- +)*[\w./-]+:[^\s/:#]", candidate) and "could not find expected ':'" in problem:
            return f"A blank is missing after the colon: {candidate.strip()}"
    if "mapping values are not allowed" in problem:
        if re.match(r"^\s*(?:- +)*[\w./-]+: .*:(?:\s|$)", line):
            return "A value that contains `: ` needs quotes."
        if re.match(r"^\s*(?:- +)*[\w./-]+:[^\s/:#]", before):
            return f"A blank is missing after the colon: {before.strip()}"
        return "Check the indentation of this line and of the one before it."
    if "could not find expected ':'" in problem:
        return "A key needs `: ` after it, and text over several lines quotes or a block (`|`)."
    if "cannot start any token" in problem:
        return f"A value that starts with {text[offset : offset + 1]!r} needs quotes."
    if "did not find expected key" in problem or "'-' indicator" in problem:
        return "Check the indentation: this line fits no level above it."
    if "',' or '" in problem:
        return "A bracket or brace is not closed, or a comma is missing."
    return ""
