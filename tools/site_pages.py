"""What makes a site of README.md, docs/ and the catalogue of codes: hooks of MkDocs (`hooks:` in mkdocs.yml).

The texts stay as a forge shows them; only where the site differs they are rewritten: links to files that are not pages lead to the repository, the info
strings of fences, which say how the tests run a block, lose what is for the tests. Each code gets a page with the shortest golden that raises it. The
addresses are those of pyproject.toml.
"""

from __future__ import annotations

import re
import tomllib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import normpath
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from jobset_compiler.cli.codes import escaped
from jobset_compiler.cli.help import paragraphs
from jobset_compiler.diagnostics.codes import all_codes

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

    from jobset_compiler.diagnostics.codes.code import Code

ROOT = Path(__file__).resolve().parent.parent
# The page whose template is not one of the theme.
PLAYGROUND = "playground.html"
# Pages that stand outside of docs/, by the file of the repository.
BESIDE = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "SECURITY.md": "SECURITY.md", "CHANGELOG.md": "CHANGELOG.md"}
# A link that leads somewhere in the repository; what is code is passed over.
LINK = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)$|`[^`\n]*`|\]\((?!https?:|#|mailto:)(?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^(`{3,})(\w+)((?: \w+=\S+)+)$", re.MULTILINE)
# What the theme leaves out for screen readers.
ACCESSIBLE = (
    (
        '<div class="md-search" data-md-component="search" role="dialog">',
        '<div class="md-search" data-md-component="search" role="dialog" aria-label="Search">',
    ),
    ("<th></th>", "<td></td>"),
)
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
# Of a golden: "# input.yaml:22:17: error JSC412 dependency-target: ...", or "# info JSC804 ..." at the end.
RAISED = re.compile(r"^# (?:input\.yaml\S* )?(?:error|warning|info) (JSC\d{3}) ", re.MULTILINE)


def urls() -> dict[str, str]:
    """The addresses of the project, as pyproject.toml has them."""
    found: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    return found


def on_config(config: MkDocsConfig) -> None:
    config.site_url = urls()["Documentation"]
    config.copyright = f'<a href="{urls()["Homepage"]}">Source</a>, Apache-2.0. Nothing here asks another origin for anything.'


def on_files(files: Files, config: MkDocsConfig) -> None:
    for source, page in BESIDE.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    examples = _examples()
    for code in all_codes():
        files.append(File.generated(config, f"codes/{code.code}.md", content=code_page(code, examples.get(code.code))))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The text of a page with its links and fences as the site needs them."""
    name = page.file.src_uri
    if name == "codes.md":
        page.meta["search"] = {"exclude": True}  # each of them is found by its own page
    origin = next((source for source, target in BESIDE.items() if target == name), f"docs/{name}")

    def link(found: re.Match[str]) -> str:
        if not found["target"]:
            return found[0]
        target = normpath(f"{origin.rpartition('/')[0] or '.'}/{found['target']}")
        anchor = found["anchor"] or ""
        inside = BESIDE.get(target) or target.removeprefix("docs/")
        if files.get_file_from_path(inside) is not None and (target in BESIDE or target.startswith("docs/")):
            return f"]({'../' * name.count('/')}{inside}{anchor})"
        assert (ROOT / target).exists(), f"{origin} links to {target}, which is not there"
        return f"]({urls()['Homepage']}/{'tree' if (ROOT / target).is_dir() else 'blob'}/main/{target}{anchor})"

    return FENCE.sub(_fence, LINK.sub(link, markdown))


def _fence(found: re.Match[str]) -> str:
    settings = dict(setting.split("=", 1) for setting in found[3].split())
    title = f' title="{settings["file"]}"' if "file" in settings else ""
    return f"{found[1]}{found[2]}{title}"


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """The page for everybody, with a policy by which browsers hold it to what it promises."""
    for part, better in ACCESSIBLE:
        output = output.replace(part, better)
    return output.replace(
        '<meta charset="utf-8">',
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy(output, runs_python=page.meta.get("template") == PLAYGROUND)}">',
        1,
    )


def policy(html: str, *, runs_python: bool) -> str:
    """The Content-Security-Policy of a page: this origin, the scripts that stand in the page itself, and WebAssembly where Python runs."""
    digests = dict.fromkeys(b64encode(sha256(text.encode()).digest()).decode() for text in INLINE_SCRIPT.findall(html))
    scripts = " ".join(["'self'", *(["'wasm-unsafe-eval'"] if runs_python else ()), *(f"'sha256-{digest}'" for digest in digests)])
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
        "worker-src 'self' blob:; base-uri 'none'; form-action 'none'"
    )


def code_page(code: Code, example: Path | None) -> str:
    """The page of a code: what the catalogue says, and what raises it."""
    parts = [f"# {code.code} {code.slug}\n\n*{code.severity}*: {code.title}\n\n{paragraphs(escaped(code.text))}"]
    if example is not None:
        text = example.read_text(encoding="utf-8")
        why = text.partition("\n")[0].removeprefix("why: ").strip("\"'")
        name = example.relative_to(ROOT).as_posix()
        parts.append(
            f"\n## For example\n\n{escaped(why)} From [{name}](../../{name}):\n\n{_block('yaml', _input(text))}\n{_block('text', _raised(text, code.code))}"
        )
    parts.append(f"\nOn the command line: `jobset-compiler codes explain {code.code}`. [All codes](../codes.md#{code.code.lower()}-{code.slug})\n")
    return "".join(parts)


def _block(language: str, text: str) -> str:
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return f"{fence}{language}\n{text}{fence}\n"


@cache
def _examples() -> dict[str, Path]:
    """For each code the golden with the least input that raises it."""
    found: dict[str, tuple[int, Path]] = {}
    for file in sorted((ROOT / "golden").rglob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        size = len(_input(text))
        for code in dict.fromkeys(RAISED.findall(text)) if size else ():
            if code not in found or size < found[code][0]:
                found[code] = size, file
    return {code: file for code, (_, file) in found.items()}


def _input(text: str) -> str:
    """The documents of a golden, "" where they are quoted in its head."""
    after = text.partition("\n--- # INPUT\n")[2]
    return re.split(r"^--- # (?:EXPECTED|DIAGNOSTICS)", after, maxsplit=1, flags=re.MULTILINE)[0]


def _raised(text: str, code: str) -> str:
    """What a golden says of a code under the newest release that raises it: its line, and the indented ones below."""
    told = [part.partition("\n--- # ")[0].partition("\n")[2] for part in text.split("\n--- # DIAGNOSTICS ")[1:]]
    newest = next(part for part in reversed(told) if code in RAISED.findall(part))
    lines: list[str] = []
    mine = False
    for line in newest.splitlines():
        if RAISED.match(line) is not None:
            mine = RAISED.findall(line) == [code]
        if mine:
            lines.append(f"{line.removeprefix('#').removeprefix(' ')}\n")
    return "".join(lines)
