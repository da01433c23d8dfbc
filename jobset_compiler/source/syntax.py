"""What a syntax error is likely to mean: the parser's words, at the place of the cause, with what to write instead.

A parser notices a fault where nothing fits any more, often a line later than where it was made. So the line in question is looked at and
the one before it, first for what is not YAML at all, then for what the complaint points to (`syntax_hints`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jobset_compiler.source import mending
from jobset_compiler.source.faults import TextFault
from jobset_compiler.source.syntax_hints import SyntaxCause, Trouble, by_complaint
from jobset_compiler.source.typography import curly_quote, odd_blank_in_line

if TYPE_CHECKING:
    from collections.abc import Callable


def explain(text: str, offset: int, context: int | None, problem: str) -> TextFault:
    """The fault for a parser's complaint at `offset`; `context` is where the thing began that it was reading."""
    trouble = Trouble.at(text, min(offset, max(len(text) - 1, 0)), context, problem)
    for look in _FOREIGN:
        cause = look(trouble)
        if cause is not None:
            return _fault(cause, problem)
    return _fault(by_complaint(trouble), problem)


def _fault(cause: SyntaxCause, problem: str) -> TextFault:
    return TextFault(cause.slug, problem, cause.start, cause.end, cause.hint, mendings=cause.mendings)


def _merge_conflict(trouble: Trouble) -> SyntaxCause | None:
    match = re.search(r"^(?:<{7}|>{7}|\|{7}) .*$|^={7}$", trouble.text, re.MULTILINE)
    if match is None:
        return None
    return SyntaxCause("merge-conflict", match.start(), match.start() + 7, "Resolve the merge conflict: this is one of git's conflict markers.")


def _markdown(trouble: Trouble) -> SyntaxCause | None:
    match = re.search(r"^[ ]{0,3}(```|~~~).*$", trouble.text, re.MULTILINE)
    if match is None:
        return None
    return SyntaxCause("markdown-fence", match.start(1), match.end(1), "This is a Markdown code fence; keep only what stands inside.")


def _shell(trouble: Trouble) -> SyntaxCause | None:
    """A here-document, a prompt, or the first line of a cell of a notebook."""
    match = re.search(r"^.*<<-? ?['\"]?(\w+)['\"]?.*$", trouble.text, re.MULTILINE)
    if match is not None and re.search(rf"^\s*{match[1]}$", trouble.text[match.end() :], re.MULTILINE):
        hint = f"This is a shell command; keep only what stands between it and the line {match[1]}."
        return SyntaxCause("yaml-syntax", match.start(), match.end(), hint)
    for start, line in trouble.lines:
        if re.match(r"\$ \S", line):
            return SyntaxCause("yaml-syntax", start, start + len(line), "This is a shell command; take the line away.")
        if re.match(r"%%[a-z]\w*\b", line):
            return SyntaxCause("yaml-syntax", start, start + len(line), "This is a command of a notebook; take the line away.")
    return None


def _markup(trouble: Trouble) -> SyntaxCause | None:
    for start, line in trouble.lines:
        match = re.match(r"\s*(</?(?:pre|code|div|p|html|body|span|br)\b[^>]*>)", line)
        if match is not None:
            return SyntaxCause("yaml-syntax", start + match.start(1), start + match.end(1), "This is HTML; take the tags away.")
    if trouble.line.startswith("> ") and trouble.text[trouble.start - 1 : trouble.start] in ("", "\n"):
        hint = "The > at the beginning of the lines comes from a quotation; take it away from all of them."
        return SyntaxCause("yaml-syntax", trouble.start, trouble.start + 1, hint)
    return None


def _patch(trouble: Trouble) -> SyntaxCause | None:
    """Lines that a diff has added."""
    lines = [line for line in trouble.text.splitlines() if line.strip()]
    if trouble.line.startswith(("+", "@@")) and len(lines) > 1 and sum(line.startswith(("+", "-", " ", "@@")) for line in lines) == len(lines):
        hint = "The + at the beginning of the lines comes from a diff; take it away from all of them."
        return SyntaxCause("yaml-syntax", trouble.start, trouble.start + 1, hint)
    return None


def _tab(trouble: Trouble) -> SyntaxCause | None:
    """A tab in the indentation, after a dash too."""
    for start, line in trouble.lines:
        match = re.match(r"[ \t]*(?:-[ \t]+)*", line)
        if match is not None and "\t" in match[0] and line.strip():
            position = start + match[0].index("\t")
            hint = "YAML is indented with blanks: write blanks instead of the tab."
            return SyntaxCause("tab-indentation", position, position + 1, hint, mending.tabs(trouble.text, position))
    return None


def _odd_blank(trouble: Trouble) -> SyntaxCause | None:
    for start, line in trouble.lines:
        match = odd_blank_in_line(line)
        if match is not None:
            position = start + match.position
            return SyntaxCause("yaml-syntax", position, position + 1, match.hint, mending.odd_blanks(trouble.text, position))
    return None


def _curly_quote(trouble: Trouble) -> SyntaxCause | None:
    for start, line in trouble.lines:
        match = re.match(r"\s*(?:- +)*(?:[\w./-]+: +)?", line)
        position = 0 if match is None else match.end()
        hint = curly_quote(line[position:])
        if hint:
            end = start + len(re.sub(r"\s+#.*$", "", line).rstrip())
            return SyntaxCause("yaml-syntax", start + position, start + position + 1, hint, mending.curly_quotes(trouble.text, start + position, end))
    return None


def _template(trouble: Trouble) -> SyntaxCause | None:
    """`{{` or `{%` on the line in question, on the one where the thing began, or as a statement of its own anywhere before."""
    for place in (trouble.offset, trouble.context):
        if place is not None:
            start, line = trouble.line_at(place)
            match = re.search(r"\{\{|\{%", line)
            if match is not None:
                return _render_first(start + match.start(), match[0])
    match = re.search(r"^\s*(\{\{|\{%|<%)", trouble.text[: trouble.offset + 1], re.MULTILINE)
    return None if match is None else _render_first(match.start(1), match[1])


_RENDER_FIRST = "This is a Helm template, not YAML yet: render it first (`helm template CHART | jobset-compiler`)."


def _render_first(position: int, opening: str) -> SyntaxCause:
    hint = _RENDER_FIRST if opening == "{{" else "This is a template, not YAML yet: compile what the tool that fills it in writes."
    return SyntaxCause("helm-template", position, position + 2, hint)


def helm_template(position: int, message: str) -> TextFault:
    """The fault for a template's braces that YAML could read, but not as anything that Kubernetes knows."""
    return TextFault("helm-template", message, position, position + 2, _RENDER_FIRST)


# What may stand anywhere in a line, and what is only one where nothing else stands in its line.
_ANYWHERE = re.compile(r"\$\{[^}\s]*\}|(?<![\w.-])(?:@[\w.-]+@|%[\w.-]+%|%\([\w.-]+\)s)")
_ALONE = re.compile(r"(?:- +)*(<[\w .:/-]+>|\$\([\w.-]+\)|\$\w+|<%.*%>|__\w+__|TODO|FIXME|XXX|CHANGE_?ME|REPLACE_?ME)")
_LEFT_OUT = re.compile(r"(?:- +)*(\.\.\.|…|\[\.\.\.\]|\[…\])")


def find_placeholder(text: str) -> str | None:
    """The first piece of a text that some other tool should have replaced: `${VAR}`, `@VAR@`, `%VAR%`, `<VAR>`, `{{ }}`."""
    match = re.search(_ANYWHERE.pattern + r"|\{\{.*?\}\}|^<[\w .-]+>$|\$\([\w.-]+\)", text)
    return None if match is None else match.group()


def stands_for_something(text: str) -> str:
    """What to say about a whole value that is there for another one; empty for any other value."""
    if _LEFT_OUT.fullmatch(text):
        return f"{text} stands for something that was left out: write it out"
    found = find_placeholder(text) or (text if _ALONE.fullmatch(text) else None)
    return f"{found} looks like a placeholder: compile what the tool that fills it in writes" if found else ""


def _left_out(trouble: Trouble) -> SyntaxCause | None:
    for start, line in trouble.lines:
        match = _LEFT_OUT.fullmatch(line.strip())
        if match is not None:
            position = start + line.index(match[1])
            hint = f"{match[1]} stands for something that was left out: write it out, or take the line away."
            return SyntaxCause("placeholder", position, position + len(match[1]), hint)
    return None


def _placeholder(trouble: Trouble) -> SyntaxCause | None:
    match = _ANYWHERE.search(trouble.line)
    if match is not None:
        hint = f"{match.group()} looks like a placeholder; let the tool it is meant for fill it in first, or put it in quotes."
        return SyntaxCause("placeholder", trouble.start + match.start(), trouble.start + match.end(), hint)
    for start, line in trouble.lines:
        stripped = line.strip()
        match = _ALONE.fullmatch(stripped) or _ANYWHERE.fullmatch(stripped)
        if match is not None:
            piece = match[match.lastindex or 0]
            position = start + line.index(piece)
            hint = f"{piece} looks like a placeholder, alone on its line: let the tool it is meant for fill it in first, or take the line away."
            return SyntaxCause("placeholder", position, position + len(piece), hint)
    return None


_DASHES = "\u2013\u2014"


def _separator(trouble: Trouble) -> SyntaxCause | None:
    for start, line in trouble.lines:
        stripped = line.strip()
        if stripped and not stripped.strip("-=_*" + _DASHES) and (len(stripped) > 1 or stripped in _DASHES):
            position = start + line.index(stripped)
            hint = "Documents are separated by a line that is just ---, at its very beginning."
            dashes = not stripped.strip("-" + _DASHES)
            mendings = mending.instead("write ---", start, position + len(stripped), "---", safe=dashes)
            return SyntaxCause("document-separator", position, position + len(stripped), hint, mendings)
    return None


_FOREIGN: tuple[Callable[[Trouble], SyntaxCause | None], ...] = (
    _merge_conflict,
    _markdown,
    _shell,
    _markup,
    _patch,
    _tab,
    _odd_blank,
    _curly_quote,
    _template,
    _left_out,
    _placeholder,
    _separator,
)
