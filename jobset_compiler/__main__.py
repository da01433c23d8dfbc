"""`python -m jobset_compiler`: the same as the command `jobset-compiler`; and that command as a plugin of kubectl."""

from __future__ import annotations


def main() -> int:
    """The console script: the command line, and quiet from the first import on if somebody presses Ctrl-C."""
    try:
        from jobset_compiler.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


def kubectl() -> int:
    """The same as `kubectl trainjob`: kubectl calls a program of the name kubectl-trainjob."""
    try:
        from jobset_compiler.cli import main as run

        return run(program="kubectl trainjob")
    except KeyboardInterrupt:
        return 130


def kubectl_complete() -> int:
    """kubectl calls kubectl_complete-trainjob with the words after `kubectl trainjob`, the one at the cursor last."""
    import sys

    try:
        from jobset_compiler.cli.candidates import for_kubectl

        sys.stdout.write(for_kubectl(sys.argv[1:]))
    except (KeyboardInterrupt, BrokenPipeError):
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
