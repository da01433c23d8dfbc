"""Write `schemas/<release>/<kind>.json` from the type tables and the descriptions.

    python tools/json_schemas.py            # write them
    python tools/json_schemas.py --check    # exit status 1 if a file is not up to date

The schemas themselves are made by `jobset_compiler.schemas`; this only writes files.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

from jobset_compiler.profiles import PROFILES
from jobset_compiler.schemas import KINDS, schema_text

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "schemas"


def files() -> dict[pathlib.Path, str]:
    """Every file of the folder with the text that it should have."""
    return {SCHEMAS / profile.name / f"{kind.lower()}.json": schema_text(kind, profile.name) for profile in PROFILES for kind in KINDS}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the JSON Schemas.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is not up to date")
    check = parser.parse_args(arguments).check
    wanted = files()
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    stale += [path for path in SCHEMAS.rglob("*.json") if path not in wanted]
    for path in stale:
        print(f"{path.relative_to(SCHEMAS.parent)} is not up to date" if check else f"{path.relative_to(SCHEMAS.parent)}")
        if not check and path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
        elif not check:
            path.unlink()
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
