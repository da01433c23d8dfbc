"""Puts the addresses of the project wherever they stand: python tools/addresses.py REPOSITORY [SITE] [--folder CHECKOUT]

The repository has placeholders, since a project does not know where it will be kept: in [project.urls] of pyproject.toml, which is what programs and the site
read (`jobset_compiler/diagnostics/pages.py`, `tools/site_pages.py`), and in snippets of pages that are there to be copied. `.ci/release` calls this on what it
builds; whoever keeps the project at one place may call it once and commit that. SITE is where the site is served; of a repository on GitHub it is known.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from urllib.parse import urlsplit

REPOSITORY, SITE = "https://jobset-compiler.invalid", "https://docs.jobset-compiler.invalid/"
# In snippets: the address, and what `uses:` of GitHub Actions calls a repository.
CLONED, USED = "https://github.com/example/jobset-compiler", "example/jobset-compiler@"
WHERE = ("pyproject.toml", "README.md", "docs", "integrations")
SUFFIXES = (".toml", ".md", ".json", ".yaml", ".yml")


def put(folder: Path, repository: str, site: str) -> list[Path]:
    """Puts the addresses into a checkout; the files that changed."""
    name = urlsplit(repository).path.strip("/")
    changed = []
    for file in files(folder):
        text = file.read_text(encoding="utf-8")
        filled = text.replace(SITE, f"{site.rstrip('/')}/").replace(REPOSITORY, repository).replace(CLONED, repository).replace(USED, f"{name}@")
        if filled != text:
            file.write_text(filled, encoding="utf-8")
            changed.append(file)
    return changed


def files(folder: Path) -> list[Path]:
    """The files that may have an address in them."""
    found = [folder / name for name in WHERE if (folder / name).is_file()]
    for name in WHERE:
        found += sorted(file for file in (folder / name).rglob("*") if file.suffix in SUFFIXES and "node_modules" not in file.parts)
    return found


def site_of(repository: str) -> str | None:
    """Where GitHub serves the pages of a repository; None for one that is elsewhere."""
    parts = urlsplit(repository)
    owner, _, name = parts.path.strip("/").partition("/")
    return f"https://{owner.lower()}.github.io/{name}/" if parts.netloc == "github.com" and name else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", metavar="REPOSITORY", help="address of the repository")
    parser.add_argument("site", metavar="SITE", nargs="?", help="address at which the site is served")
    parser.add_argument("--folder", type=Path, default=Path(__file__).resolve().parent.parent, help="checkout to put them into; default this one")
    arguments = parser.parse_args()
    repository = arguments.repository.rstrip("/").removesuffix(".git")
    site = arguments.site or site_of(repository)
    if not (site and all(urlsplit(address).scheme and urlsplit(address).netloc for address in (repository, site))):
        parser.error("REPOSITORY and SITE are addresses such as https://git.example.com/team/jobset-compiler; only on GitHub SITE is known")
    for file in put(arguments.folder, repository, site):
        print(file.relative_to(arguments.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
