"""The command line: `main` picks a verb, whose module is imported only then, and keeps the promises about streams and exit codes.

stdout carries only the product, stderr only messages. Exit codes, the same whatever the format: 0 fine, 1 errors in the input,
2 usage or unreadable input, 3 differences found, 70 a bug of ours, 130 interrupted, 141 nobody reads the output any more.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from jobset_compiler.cli.arguments import UsageError, parse
from jobset_compiler.cli.streams import PROGRAM, ClosedStream, OutputError, Streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobset_compiler.cli.arguments import Arguments, Verb

OK = 0
ERRORS = 1
USAGE = 2
DIFFERENCES = 3
BUG = 70
INTERRUPTED = 130
BROKEN_PIPE = 141

# In the order of the help. Each is a module of this package with VERB and run(arguments, streams).
VERBS = ("render", "check", "diff", "migrate", "explain", "expand", "report", "lsp", "runtimes", "releases", "passes", "codes", "schema", "fn", "completion")

# What other programs call it.
MEANT = {
    **dict.fromkeys(("validate", "lint", "vet", "verify", "test"), "check"),
    **dict.fromkeys(("apply", "create", "template", "build", "compile", "generate", "dry-run"), "render"),
    **dict.fromkeys(("convert", "upgrade"), "migrate"),
    **dict.fromkeys(("compare", "plan"), "diff"),
    "describe": "explain",
    "versions": "releases",
}


def main(argv: Sequence[str] | None = None, streams: Streams | None = None, program: str = PROGRAM) -> int:
    """Run the command line and return its exit code. Without arguments, as the console script calls it: those of the process, which ends here.

    program: what the user called the process by, which usage and messages say.
    """
    if argv is None and streams is None:
        import gc

        gc.set_threshold(100_000, 50, 50)  # next to nothing here is a cycle
        code = _main(sys.argv[1:], process_streams(program))
        # Taking the interpreter apart would take a tenth of the time of a small run; nothing is left to do.
        os._exit(code)
    code = _main(list(argv or ()), streams or process_streams(program))
    if code == BROKEN_PIPE and streams is None:
        _silence()
    return code


def _main(argv: list[str], streams: Streams) -> int:
    try:
        try:
            code = _guarded(argv, streams)
            streams.flush()
        except OutputError as error:
            _last_words(str(error), streams)
            return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return BROKEN_PIPE
    return code


def _last_words(text: str, streams: Streams) -> None:
    """Why the rest is missing, where that can still be said."""
    try:
        streams.say(f"{streams.program}: {text}\n")
        streams.stderr.flush()
    except (OutputError, OSError):
        pass


def process_streams(program: str = PROGRAM) -> Streams:
    """The streams of the process, of which any may be closed."""
    stdin = sys.stdin.buffer if sys.stdin is not None else cast("BinaryIO", ClosedStream("standard input"))
    if sys.stdout is None:
        stdout = cast("BinaryIO", ClosedStream("standard output"))
    elif isinstance(sys.stdout.buffer, io.RawIOBase):
        # PYTHONUNBUFFERED: such a stream may write less than it is given and say so only in its result.
        stdout = open(sys.stdout.fileno(), "wb", closefd=False)  # noqa: SIM115
    else:
        stdout = sys.stdout.buffer
    stderr = sys.stderr if sys.stderr is not None else cast("TextIO", ClosedStream("standard error"))
    return Streams(stdin, stdout, stderr, os.environ, program)


def _guarded(argv: list[str], streams: Streams) -> int:
    try:
        return run(argv, streams)
    except UsageError as error:
        from jobset_compiler.cli.help import called

        streams.say(f"{streams.program}: {called(str(error), streams.program)}\n")
        return USAGE
    except (KeyboardInterrupt, BrokenPipeError, OutputError):
        raise
    except OSError as error:
        # Of the machine, not of the program: a full disk for temporary files, a working directory that is gone.
        where = f"{error.filename}: " if error.filename else ""
        streams.say(f"{streams.program}: cannot go on: {where}{error.strerror or error}\n")
        return USAGE
    except MemoryError:
        streams.say("jobset-compiler: cannot go on: not enough memory\n")
        return USAGE
    except Exception as error:
        if streams.environment.get("JOBSET_COMPILER_DEBUG"):
            raise
        streams.say(_bug(error))
        return BUG


def run(argv: list[str], streams: Streams) -> int:
    """Pick the verb and run it. Raises UsageError."""
    name, rest = _verb_of(argv, streams)
    if name == "help":
        from jobset_compiler.cli.help import overview

        streams.put(overview([verb_of(verb) for verb in VERBS], streams.program))
        return OK
    if name == "version":
        from jobset_compiler import __version__

        streams.put(f"jobset-compiler {__version__}\n")
        return OK
    module = _module(name)
    verb: Verb = module.VERB
    try:
        arguments: Arguments = parse(verb, rest)
        if arguments.has("--help"):
            from jobset_compiler.cli.help import verb_help

            streams.put(verb_help(verb, streams.program))
            return OK
        if not arguments.has("--quiet"):
            streams = streams.with_progress()
        code: int = module.run(arguments, streams)
    except UsageError as error:
        raise UsageError(f"{error}\nTry: {PROGRAM} {name} --help") from None
    finally:
        streams.hide_progress()
    return code


def _verb_of(argv: list[str], streams: Streams) -> tuple[str, list[str]]:
    """The verb and what follows it. Without one it is render: for a pipe without arguments, for options and for paths."""
    if not argv:
        if streams.stdin.isatty():
            raise UsageError(f"nothing to do: give a command, or pipe manifests in\nTry: {PROGRAM} --help, or: {PROGRAM} render job.yaml")
        return "render", ["-"]
    first, rest = argv[0], argv[1:]
    if first in VERBS:
        return first, rest
    if first in ("-h", "--help", "help"):
        return (rest[0], ["--help"]) if rest and rest[0] in VERBS else ("help", [])
    if first in ("-V", "--version", "version"):
        return "version", []
    if first.startswith("-") or _is_path(first):
        return "render", argv
    from jobset_compiler.cli.arguments import near

    meant = f"; did you mean {MEANT[first]}?" if first in MEANT else near(first, VERBS)
    raise UsageError(f"unknown command {first!r}{meant}\nTry: {PROGRAM} --help")


def _is_path(argument: str) -> bool:
    return os.path.exists(argument) or argument.endswith((".yaml", ".yml", ".json"))


def verb_of(name: str) -> Verb:
    verb: Verb = _module(name).VERB
    return verb


def _module(name: str) -> Any:
    return __import__(f"{__name__}.{name}", fromlist=["VERB"])


def _silence() -> None:
    """Nobody reads stdout: what is still in its buffer must not raise when the interpreter ends."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())


def _bug(error: BaseException) -> str:
    import platform
    import traceback

    from jobset_compiler import __version__
    from jobset_compiler.diagnostics.codes.internal import INTERNAL_ERROR

    where = traceback.extract_tb(error.__traceback__)
    place = f" at {where[-1].filename.rpartition('jobset_compiler')[2].lstrip('/')}:{where[-1].lineno}" if where else ""
    notes = "".join(f"  {note}\n" for note in getattr(error, "__notes__", ()))
    return (
        f"jobset-compiler: {INTERNAL_ERROR.severity} {INTERNAL_ERROR.code} {INTERNAL_ERROR.slug}: {type(error).__name__}: {error}{place}\n{notes}"
        f"  This is a bug of jobset-compiler {__version__} (Python {platform.python_version()}), not of your input. Please report it with these lines\n"
        "  and, if you can, the input. JOBSET_COMPILER_DEBUG=1 shows the traceback.\n"
    )
