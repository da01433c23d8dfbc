"""Builds the site into a folder that any web server can serve: python tools/build_site.py [--output build/site]

Needs `pip install -e '.[docs]'`. To look at it: python -m http.server --directory build/site
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build(output: Path) -> None:
    """The whole site. Whatever is in the folder is replaced; a link that leads nowhere stops it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(output)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site", help="default build/site")
    output: Path = parser.parse_args().output.resolve()
    build(output)
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
