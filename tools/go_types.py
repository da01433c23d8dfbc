"""Type declarations of Go packages, read from their sources: as much of the language as API types are written in.

`package(folder)` -> the declared types by name. A type is a tuple:

    ("scalar", "int32")    ("ref", import path, name)    ("ptr", T)    ("list", T)    ("map", K, V)    ("struct", (Field, ...))    ("other",)

Only `type` declarations are read; functions, constants and variables are passed over. What a type cannot be made of here (channels,
functions, interfaces) is "other".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pathlib

Type = tuple[Any, ...]

TOKEN = re.compile(
    r"""(?P<skip>[ \t\r]+|//[^\n]*)
      | (?P<comment>/\*.*?\*/)
      | (?P<newline>\n)
      | (?P<text>"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*')
      | (?P<name>[^\W\d]\w*)
      | (?P<number>\d[\w.]*)
      | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
SCALARS = frozenset(
    "bool string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 byte rune error any".split()  # noqa: SIM905
)
OPENING = {"(": ")", "[": "]", "{": "}"}


class Field(NamedTuple):
    """One field of a struct; an embedded one has the name of its type."""

    name: str
    type: Type
    tag: str
    embedded: bool


class GoError(Exception):
    """Go that is not understood, with the file and line."""


def package(folder: pathlib.Path) -> dict[str, Type]:
    """The types that a package declares, as an ordinary build has them: no tests, no files that ask for a build tag."""
    out: dict[str, Type] = {}
    for file in sorted(folder.glob("*.go")):
        text = file.read_text(encoding="utf-8")
        if not file.name.endswith("_test.go") and not re.search(r"^//go:build (?!!)", text, re.MULTILINE):
            out.update(Source(text, str(file)).types())
    if not out:
        raise GoError(f"{folder}: no Go package with types")
    return out


class Source:
    """One file, token after token."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.line = 1
        self.tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in TOKEN.finditer(text):
            kind, token = match.lastgroup or "", match.group()
            if kind not in ("skip", "comment"):
                self.tokens.append((kind, token, line))
            line += token.count("\n")
        self.tokens.append(("end", "", line))
        self.at = 0
        self.imports: dict[str, str] = {}

    # --- tokens

    def peek(self) -> str:
        return self.tokens[self.at][1]

    def kind(self) -> str:
        return self.tokens[self.at][0]

    def next(self) -> str:
        token = self.tokens[self.at][1]
        if self.kind() == "end":
            raise self.error("unexpected end")
        self.at += 1
        return token

    def take(self, token: str) -> None:
        if self.peek() != token:
            raise self.error(f"expected {token!r}, not {self.peek()!r}")
        self.at += 1

    def skip_ends(self) -> None:
        while self.peek() in ("\n", ";"):
            self.at += 1

    def skip_group(self) -> None:
        """Past what a bracket opens."""
        closing = [OPENING[self.next()]]
        while closing:
            token = self.next()
            if self.tokens[self.at - 1][0] != "mark":
                continue
            if token in OPENING:
                closing.append(OPENING[token])
            elif token == closing[-1]:
                closing.pop()

    def error(self, text: str) -> GoError:
        return GoError(f"{self.name}:{self.tokens[self.at][2]}: {text}")

    # --- declarations

    def types(self) -> dict[str, Type]:
        out: dict[str, Type] = {}
        while self.kind() != "end":
            token = self.peek()
            if token == "import" and self.kind() == "name":
                self.next()
                self.group(self.import_line)
            elif token == "type" and self.kind() == "name":
                self.next()
                self.group(lambda: out.update([self.declaration()]))
            elif token in OPENING and self.kind() == "mark":
                self.skip_group()
            else:
                self.next()
        return out

    def group(self, read: Any) -> None:
        """One declaration, or several in parentheses."""
        if self.peek() != "(":
            read()
            return
        self.next()
        self.skip_ends()
        while self.peek() != ")":
            read()
            self.skip_ends()
        self.next()

    def import_line(self) -> None:
        alias = self.next() if self.kind() != "text" else ""
        path = self.next()[1:-1]
        parts = path.split("/")
        names = [alias] if alias else [parts[-1]]
        if not alias and len(parts) > 1 and re.fullmatch(r"v\d+", parts[-1]):
            names.append(parts[-2])  # the version of a module, or of an API group: only the package itself knows
        self.imports.update(dict.fromkeys(names, path))

    def declaration(self) -> tuple[str, Type]:
        name = self.next()
        if self.peek() == "=":
            self.next()
        return name, self.type()

    def type(self) -> Type:
        if self.kind() == "name":
            return self.named()
        token = self.peek()
        if token == "*":
            self.next()
            return ("ptr", self.type())
        if token == "(":
            self.next()
            inner = self.type()
            self.take(")")
            return inner
        if token == "[":
            self.skip_group()
            return ("list", self.type())
        raise self.error(f"no type begins with {token!r}")

    def named(self) -> Type:
        name = self.next()
        if name == "map":
            self.take("[")
            key = self.type()
            self.take("]")
            return ("map", key, self.type())
        if name == "struct":
            return ("struct", self.fields())
        if name in ("interface", "func", "chan"):
            return self.other()
        if self.peek() == ".":
            self.next()
            if name not in self.imports:
                raise self.error(f"no package {name!r} is imported")
            found: Type = ("ref", self.imports[name], self.next())
            return self.other() if self.peek() == "[" else found
        if self.peek() == "[":
            return self.other()  # generic
        return ("scalar", name) if name in SCALARS else ("ref", "", name)

    def other(self) -> Type:
        """Past the rest of a type that no field of an API has."""
        while self.kind() not in ("newline", "end", "text"):
            if self.peek() in OPENING:
                self.skip_group()
            elif self.peek() in (")", "}", ";", ","):
                break
            else:
                self.next()
        return ("other",)

    def fields(self) -> tuple[Field, ...]:
        self.take("{")
        out: list[Field] = []
        self.skip_ends()
        while self.peek() != "}":
            out += self.field()
            self.skip_ends()
        self.next()
        return tuple(out)

    def field(self) -> list[Field]:
        if self.kind() == "end":
            raise self.error("unexpected end")
        following = self.tokens[self.at + 1]
        if self.peek() == "*" or following[1] in (".", "\n", ";", "}") or following[0] == "text":
            type_ = self.type()
            target = type_[1] if type_[0] == "ptr" else type_
            return [Field(target[-1], type_, self.tag(), True)]
        names = [self.next()]
        while self.peek() == ",":
            self.next()
            names.append(self.next())
        type_ = self.type()
        tag = self.tag()
        return [Field(name, type_, tag, False) for name in names]

    def tag(self) -> str:
        return self.next()[1:-1] if self.kind() == "text" else ""


def tag_values(tag: str) -> dict[str, str]:
    """The keys of a struct tag: `json:"name,omitempty" patchStrategy:"merge"`."""
    return dict(re.findall(r'(\w+):"((?:\\.|[^"\\])*)"', tag))
