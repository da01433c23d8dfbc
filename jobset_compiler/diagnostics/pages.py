"""Where the site has the page of a code.

The address of the site stands in one place, [project.urls] of pyproject.toml, and comes from there with the metadata of the installed package. It is
looked up when a page is asked for, not before: on the way to objects nobody asks.
"""

from __future__ import annotations

from functools import cache

PROJECT = "jobset-compiler"
LABEL = "Documentation"


@cache
def site() -> str:
    """The address of the site, with a slash at its end; "" for a copy of the package that was not installed and has no metadata."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata(PROJECT).get_all("Project-URL") or ()
    except PackageNotFoundError:
        return ""
    found = dict(url.split(", ", 1) for url in urls).get(LABEL, "")
    return f"{found.rstrip('/')}/" if found else ""


def page_of(code: str) -> str:
    """The address of the page about a code ("JSC201"), "" where that of the site is not known."""
    return f"{site()}codes/{code}/" if site() else ""
