"""What is secret is not shown: a report is read by more people, and kept longer, than the manifest that it is about.

Secret is what a v1 Secret has in `data` and `stringData`, and the value of an environment variable whose name says so (HF_TOKEN,
WANDB_API_KEY). Only the rendered objects themselves have it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Tree = dict[str, Any]
SECRET = "Secret"
CONTENTS = ("data", "stringData")
HIDDEN = "(hidden)"
HIDDEN_BEFORE, HIDDEN_AFTER = "(hidden: the one before)", "(hidden: the one after)"
# The last words of names of variables, as they are usual.
_CREDENTIALS = ("TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "CREDENTIALS", "APIKEY", "API_KEY", "ACCESS_KEY", "SECRET_KEY", "PRIVATE_KEY")


def is_credential(name: object) -> bool:
    """Whether a variable of that name holds something secret."""
    if not isinstance(name, str):
        return False
    name = name.upper()
    return any(name.endswith(word) and name[: -len(word)][-1:] in ("", "_") for word in _CREDENTIALS)


def hidden(value: Any) -> Any:
    """A copy of a tree (a manifest, or a part of one) in which what is secret is hidden."""
    return _hidden(value, None, HIDDEN)


def hidden_pair(before: Any, after: Any) -> tuple[Any, Any]:
    """Two versions of a tree likewise, so that one can still see what is the same in both and what is not; None for a side without it."""
    if before is None or after is None:
        return hidden(before), hidden(after)
    old, new = _secrets_of(before), _secrets_of(after)
    if not old and not new:
        return before, after
    return _hidden(before, new, HIDDEN_BEFORE), _hidden(after, old, HIDDEN_AFTER)


def _hidden(value: Any, others: frozenset[tuple[str, str]] | None, word: str) -> Any:
    def shown(name: object, secret: object) -> str:
        return HIDDEN if others is None or (str(name), repr(secret)) in others else word

    if isinstance(value, list):
        return [_hidden(item, others, word) for item in value]
    if not isinstance(value, dict):
        return value
    out = {key: _hidden(item, others, word) for key, item in value.items()}
    for key, name, secret in _secret_fields(value):
        if name is None:
            out[key] = shown(key, secret)
        elif key in CONTENTS:
            out[key][name] = shown(name, secret)
        else:
            out[key] = shown(name, secret)
    return out


def _secret_fields(value: Tree) -> list[tuple[str, Any, Any]]:
    """(field, name, value) of what is secret right in a mapping; the name is None where the whole field is."""
    found: list[tuple[str, Any, Any]] = []
    if value.get("kind", SECRET if "apiVersion" in value else "") == SECRET or "stringData" in value:  # without a kind it might be one
        for field in CONTENTS:
            contents = value.get(field)
            if isinstance(contents, dict):
                found += [(field, name, secret) for name, secret in contents.items()]
            elif contents is not None:
                found.append((field, None, contents))
    if isinstance(value.get("value"), str) and is_credential(value.get("name")):
        found.append(("value", value["name"], value["value"]))
    return found


def secret_places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places in a tree of what `hidden` hides."""
    if isinstance(value, dict):
        for key, name, _ in _secret_fields(value):
            yield (*path, key, name) if key in CONTENTS and name is not None else (*path, key)
    if isinstance(value, (dict, list)):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from secret_places(item, (*path, step))


def _secrets_of(value: Any) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            found.update((str(field if name is None else name), repr(secret)) for field, name, secret in _secret_fields(item))
            pending += item.values()
        elif isinstance(item, list):
            pending += item
    return frozenset(found)


@lru_cache(maxsize=1)
def has_secret(text: str) -> bool:
    """Whether the text of a document may be that of a Secret. It need not be readable: what is wrong with it may be why it is looked at."""
    if SECRET not in text and "stringData" not in text:
        return False
    import re

    return re.search(r"\bSecret\b|\bstringData\b", text) is not None


def shown_line(text: str, line: str, around: Sequence[str]) -> str:
    """A line of the text of a document as it may be quoted, "" for one that may not; `around` are the lines before and after it.

    Characters of a value become "*", so that columns stay what they are.
    """
    if has_secret(text):
        return ""
    if line.rstrip("\r\n") in _continued_secrets(text):
        content = line.strip()
        return line.replace(content, "*" * len(content), 1)
    return masked_line(line, around)


def masked_line(line: str, around: Sequence[str]) -> str:
    """A line of a text that is no Secret, with the value of a variable whose name says that it is secret as "*"."""
    import re

    # What people write for a variable: `TOKEN: x`, `TOKEN=x`.
    line = re.sub(
        r"\b([A-Z][A-Z0-9_]+)([ \t]*[=:][ \t]*)([^\s,}\]#][^,}\]#\r\n]*)",
        lambda found: found[1] + found[2] + "*" * len(found[3]) if is_credential(found[1]) else found[0],
        line,
    )
    if "value" not in line:
        return line

    def names_credential(text: str) -> bool:
        return any(map(is_credential, re.findall(r"""\bname["']?\s*:\s*["']?(\w+)""", text)))

    # A mapping in braces has its own name; of one in lines that stands on another line.
    nearby = names_credential("\n".join((*around, line)))
    parts = re.split(r"(\{[^{}]*)", line)
    for index, part in enumerate(parts):
        if "value" in part and (names_credential(part) if part.startswith("{") and "name" in part else nearby):
            parts[index] = re.sub(r"""(\bvalue["']?\s*:\s*)("(?:[^"\\]|\\.)*"?|'[^']*'?|[^,}\]#]+)""", lambda found: found[1] + "*" * len(found[2]), part)
    return "".join(parts)


def without(words: str, line: str, shown: str) -> str:
    """Words about a line (a hint, a message) without what is masked in it as it is shown."""
    import re

    for masked in re.finditer(r"\*+", shown):
        secret = line[masked.start() : masked.end()].strip(" \"'*&!")  # the parser takes the first letter for an anchor's
        if secret:
            words = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, words)
    return words


def has_credentials(text: str) -> bool:
    """Whether there may be a variable in the text whose value is hidden."""
    upper = text.upper()
    return any(word in upper for word in _CREDENTIALS)


@lru_cache(maxsize=1)
def _continued_secrets(text: str) -> frozenset[str]:
    """The lines of values of several lines (blocks, quotes that go on) of variables that hold something secret.

    The text need not be readable: such a value goes on until something that looks like an item or a field."""
    if not has_credentials(text):
        return frozenset()
    import re

    found: set[str] = set()
    lines = text.splitlines()
    for index, line in enumerate(lines):
        value = re.search(r"""\bvalue["']?\s*:\s*(.*)""", line)
        if value is None or not _goes_on(value[1]):
            continue
        end = index + 1
        while end < len(lines) and not re.match(r"""\s*(-\s|-?\s*["']?[A-Za-z]+["']?\s*:)""", lines[end]):
            end += 1
        names = "\n".join((*lines[max(index - 2, 0) : index + 1], *lines[end : end + 2]))
        if any(map(is_credential, re.findall(r"""\bname["']?\s*:\s*["']?(\w+)""", names))):
            found.update(lines[index + 1 : end])
    return frozenset(found)


def _goes_on(value: str) -> bool:
    """Whether what stands behind `value:` does not end on its line, or may not."""
    return not value or value[0] in "|>#" or (value[0] in "\"'" and value.count(value[0]) % 2 == 1) or value[0] not in "\"'[{"
