"""How the time of a run grows with the input, for each thing that there can be much of (`dimensions.py`).

    python benchmarks/scaling.py [--sizes 1000 10000] [NAME ...]

For each dimension the CPU time at both sizes, of `render -v -`: reading, verdicts, findings, and the text of both; and the exponent, which
is 1 where time grows as the input does, 2 where it grows with its square. Short times say little. Exit status 1 if one that counts is
beyond 1.3.
"""

from __future__ import annotations

import argparse
import io
import math
import sys
import time

from dimensions import DIMENSIONS

from jobset_compiler.cli import main as command
from jobset_compiler.cli.streams import Streams

WORST = 1.3
# Seconds of the longer run below which an exponent is not judged.
SHORT = 0.2


def seconds(text: str) -> float:
    streams = Streams(io.BytesIO(text.encode()), io.BytesIO(), io.StringIO(), {})
    start = time.process_time()
    code = command(("render", "-v", "-"), streams)
    taken = time.process_time() - start
    if code not in (0, 1):
        raise SystemExit(f"render ended with {code}")
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="dimensions, all by default")
    parser.add_argument("--sizes", nargs=2, type=int, default=(1000, 10_000), metavar=("SMALL", "LARGE"))
    arguments = parser.parse_args()
    small, large = arguments.sizes
    seconds(DIMENSIONS["documents"](1))  # imports
    worst = 0.0
    print(f"{'':30} {small:>9,} {large:>9,}  exponent")
    for name in arguments.names or DIMENSIONS:
        times = [seconds(DIMENSIONS[name](size)) for size in (small, large)]
        exponent = math.log(times[1] / times[0]) / math.log(large / small)
        if times[1] > SHORT:
            worst = max(worst, exponent)
        print(f"{name:30} {times[0]:8.3f}s {times[1]:8.3f}s  {exponent:8.2f}", flush=True)
    return int(worst > WORST)


if __name__ == "__main__":
    sys.exit(main())
