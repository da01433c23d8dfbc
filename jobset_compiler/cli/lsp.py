"""`lsp`: a language server on standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import COMPILING, kubernetes_of_name, policy_of, profile_of, settings_of

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.lsp.setup import Setup

VERB = Verb(
    "lsp",
    "language server: findings, hover, completion and more in your editor",
    """
An editor starts it, and talks to it over standard input and output; docs/editors.md has the recipes. It tells what check would, while you type; \
what a field means and what it comes to; and completes fields, values and names of the runtime. Texts that are open count before files. \
Settings come from the project's settings file nearest to the text; options here go before them. Runtimes are those of the workspace, of the \
settings, and the bundled ones. Documents of older APIs are judged as migrate would rewrite them.

Needs pygls: pip install 'jobset-compiler[lsp]'
""",
    (
        *(option for option in COMPILING if option.name != "--convert"),
        Option(("--stdio",), "said by some editors; nothing else is spoken over in any case"),
    ),
    (("jobset-compiler lsp", "as an editor starts it"), ("jobset-compiler lsp --trainer-version v2.2 -r platform/runtimes", "")),
)


def run(arguments: Arguments, streams: Streams) -> int:
    try:
        from jobset_compiler.lsp.server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise UsageError("the language server needs the package pygls: pip install 'jobset-compiler[lsp]'") from None
    import gc

    profile_of(arguments.get("--trainer-version"))  # an option that cannot be is told now, in the terminal; settings of a project are told in the editor
    kubernetes_of_name(arguments.get("--kubernetes-version"))
    if streams.stdin.isatty():
        raise UsageError("an editor starts the language server and talks to it; docs/editors.md has the recipes")
    # This process goes on for days, unlike others of this program; what has been imported by now stays, and need not be looked through.
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    return 0 if serve(lambda folder: _setup(arguments, folder), streams.stdin, streams.stdout) else 1


def _setup(arguments: Arguments, folder: str) -> Setup:
    from jobset_compiler.dialects.wishes import Wishes
    from jobset_compiler.lsp.setup import Setup, SetupError

    try:
        settings = settings_of(arguments, folder)
        policy = policy_of(arguments, settings.config, errors_stand=False)
    except UsageError as error:
        raise SetupError(str(error)) from None
    return Setup(settings.options._replace(convert=Wishes()), policy, settings.runtimes, settings.exclude)
