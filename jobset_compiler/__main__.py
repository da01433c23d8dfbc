"""`python -m jobset_compiler`: the same as the command `jobset-compiler`."""

from __future__ import annotations


def main() -> int:
    """The console script: the command line, and quiet from the first import on if somebody presses Ctrl-C."""
    try:
        from jobset_compiler.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
