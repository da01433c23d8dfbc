"""A survey as one HTML page. All texts of others go through autoescape and `inert.lines`: in the page they are text, whatever they are.

The page asks nobody for anything: its Content-Security-Policy allows the one style sheet and the one script in it, by their digests.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from zlib import compress

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from jobset_compiler import __version__
from jobset_compiler.diagnostics.inert import lines
from jobset_compiler.diagnostics.pages import page_of
from jobset_compiler.diagnostics.report import counted_as
from jobset_compiler.explain.text import counted_processes, gang, needed, waiting
from jobset_compiler.explain.words import came_from, listed, place_of
from jobset_compiler.report.picture import BOX_HEIGHT, BOX_WIDTH, GUTTER

if TYPE_CHECKING:
    from jobset_compiler.report.beside import PageLine, Text
    from jobset_compiler.report.picture import Picture
    from jobset_compiler.report.survey import Sheet, Survey

# So many TrainJobs stand in the page as they are, and can be read, searched and printed without its script. Of more each waits, packed, until
# somebody opens it, so that a page of a thousand opens at once.
UNPACKED = 20
# The playground of the site has the first two as well.
STYLES = ("palette.css", "picture.css", "page.css")
# So many are shown opened.
OPENED = 3


def to_html(found: Survey) -> str:
    """The whole page, UTF-8; the same bytes for the same survey."""
    environment = _environment()
    style, script = Markup().join(_asset(environment, name) for name in STYLES), _asset(environment, "page.js")
    job = environment.get_template("job.html.j2")
    packed = len(found.sheets) > UNPACKED
    return environment.get_template("page.html.j2").render(
        survey=found,
        policy=_policy(style, script),
        style=style,
        script=script,
        bodies=((sheet, (_packed if packed else Markup)(job.render(sheet=sheet))) for sheet in found.sheets),
        packed=packed,
        opened=len(found.sheets) <= OPENED,
        version=__version__,
    )


def to_svg(picture: Picture, name: str) -> str:
    """A picture by itself; name: for what is referred to in it, once in a page."""
    drawn: Any = _environment().get_template("picture.html.j2").module
    return str(drawn.picture(picture, name)).strip()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("jobset_compiler.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_inert,
    )
    environment.filters.update(words=came_from, counted=counted_as, gang=gang, needed=needed, processes=counted_processes, listed=listed)
    environment.filters.update(place=place_of, waiting=waiting)
    environment.globals.update(box_width=BOX_WIDTH, box_height=BOX_HEIGHT, gutter=GUTTER, address_of=address_of, page_of=page_of, ids=_ids)
    return environment


def _inert(value: Any) -> Any:
    """What may stand in the page: characters that would act, such as those that turn the direction of a text, become escapes."""
    return lines(value) if type(value) is str else value


def _asset(environment: Environment, name: str) -> Markup:
    """A part of the page that is ours, as it is."""
    assert environment.loader is not None
    return Markup(environment.loader.get_source(environment, name)[0])


def _policy(style: str, script: str) -> str:
    digests = [b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)]
    return f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; base-uri 'none'; form-action 'none'"


def _packed(text: str) -> Markup:
    """A part of the page for its script to unpack."""
    return Markup(b64encode(compress(text.encode())).decode())


def address_of(sheet: Sheet, file: str, line: int) -> str:
    """Where the page has a line of the input of a TrainJob; "" where it has not."""
    for text in _inputs(sheet):
        if text.file == file:
            for have in text.lines:
                if have.number == line:
                    return f"#j{sheet.number}{have.key}"
    return ""


def _inputs(sheet: Sheet) -> tuple[Text, ...]:
    if sheet.beside is not None:
        return sheet.beside.inputs
    return () if sheet.written is None else (sheet.written,)


def _ids(sheet: Sheet, line: PageLine) -> str:
    return " ".join(f"j{sheet.number}{other}" for other in line.others)
