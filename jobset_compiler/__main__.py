"""`python -m jobset_compiler`: the same as the command `jobset-compiler`."""

from __future__ import annotations

import sys

from jobset_compiler.cli import main

if __name__ == "__main__":
    sys.exit(main())
