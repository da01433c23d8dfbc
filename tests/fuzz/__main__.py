"""Fuzz for a while, or one case again.

    python -m tests.fuzz --minutes 30            from a random seed on; what is found is printed, and written to a folder
    python -m tests.fuzz --seed 4711             one case again, with its text
    python -m tests.fuzz --seed 4711 --minimal   the same with as few lines as still show the fault
    python -m tests.fuzz --file found.yaml       everything that must hold, of this text

The exit code is 1 where anything was found.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "tools") not in sys.path:
    sys.path.append(str(ROOT / "tools"))

from tests.fuzz import grammar, oracle  # noqa: E402
from tests.fuzz.cases import Case, check, make  # noqa: E402

# Seconds after which a case counts as one that never ends.
PATIENCE = 30
# Every so many cases as many texts of the grammar go to kubectl.
BATCH = 200


class EndlessError(Exception):
    """A case takes too long."""


def fault_of(case: Case) -> BaseException | None:
    """What is wrong with the case."""
    with tempfile.TemporaryDirectory() as folder:
        signal.alarm(PATIENCE)
        try:
            check(case, Path(folder))
        except KeyboardInterrupt:
            raise
        except BaseException as fault:
            return fault
        finally:
            signal.alarm(0)
    return None


def kind_of(fault: BaseException) -> str:
    """Where it was raised, and as what: faults of one kind are told once."""
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if str(ROOT) in frame.filename]
    where = f"{Path(frames[-1].filename).relative_to(ROOT)}:{frames[-1].lineno}" if frames else "?"
    first = fault.args[0] if fault.args else ""
    said = first[0] if isinstance(first, tuple) and first else str(first)[:60]
    return f"{type(fault).__name__} at {where}: {said}"


def minimal(case: Case, kind: str) -> Case:
    """The case with as few lines, and in them as few letters, as still show a fault of that kind."""
    for separator in ("\n", ""):
        parts = case.text.split(separator) if separator else list(case.text)
        step = max(1, len(parts) // 2)
        while step and len(parts) < 3000:
            at = 0
            while at < len(parts):
                shorter = case._replace(text=separator.join(parts[:at] + parts[at + step :]))
                fault = fault_of(shorter)
                if fault is not None and kind_of(fault) == kind:
                    parts = parts[:at] + parts[at + step :]
                else:
                    at += step
            step //= 2
        case = case._replace(text=separator.join(parts))
    return case


def show(case: Case, fault: BaseException) -> None:
    sys.stdout.write(f"--- seed {case.seed} ({case.kind})\n{case.text!r}\n")
    sys.stdout.write("".join(traceback.format_exception(fault))[-6000:] + "\n")
    sys.stdout.flush()


def once(case: Case, *, shorten: bool) -> int:
    fault = fault_of(case)
    if fault is None:
        sys.stdout.write(f"--- seed {case.seed} ({case.kind})\n{case.text!r}\nNothing is wrong with it.\n")
        return 0
    if shorten:
        case = minimal(case, kind_of(fault))
        fault = fault_of(case) or fault
    show(case, fault)
    return 1


def compare_with_kubectl(seed: int) -> list[oracle.Difference]:
    """A batch of texts that begins at this seed."""
    names = {f"p{seed + index}": grammar.stream(random.Random(f"kubectl {seed + index}"), f"p{seed + index}") for index in range(BATCH)}
    with tempfile.TemporaryDirectory() as folder:
        return oracle.differences(names, Path(folder))


def campaign(seed: int, minutes: float, folder: Path) -> int:
    until = time.monotonic() + 60 * minutes
    made: Counter[str] = Counter()
    found: Counter[str] = Counter()
    sys.stdout.write(f"from seed {seed} on; findings go to {folder}\n")
    while time.monotonic() < until:
        case = make(seed)
        made[case.kind] += 1
        try:
            fault = fault_of(case)
        except KeyboardInterrupt:
            break
        if fault is not None:
            kind = kind_of(fault)
            found[kind] += 1
            if found[kind] == 1:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{seed}.yaml").write_bytes(case.text.encode())
                show(case, fault)
        seed += 1
        if sum(made.values()) % BATCH == 0 and oracle.find():
            made["kubectl"] += BATCH
            for difference in compare_with_kubectl(seed):
                found["kubectl"] += 1
                sys.stdout.write(f"--- kubectl reads something else: {difference.text!r}\n")
                sys.stdout.write(f"    kubectl {difference.kubectl!r}\n    ours    {difference.ours!r}\n")
            sys.stdout.flush()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(f"to seed {seed}: {sum(made.values())} cases ({dict(made)}), {memory} MiB; {sum(found.values())} faults of {len(found)} kinds\n")
    for kind, count in found.most_common():
        sys.stdout.write(f"{count:7} {kind}\n")
    return 1 if found else 0


def _endless(_signal: int, _frame: FrameType | None) -> None:
    raise EndlessError(f"more than {PATIENCE} s")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--from", type=int, dest="start", help="first seed of a campaign; default random")
    parser.add_argument("--seed", type=int, help="only this case")
    parser.add_argument("--file", type=Path, help="only this text")
    parser.add_argument("--minimal", action="store_true", help="with --seed or --file: as little text as possible")
    parser.add_argument("--into", type=Path, default=Path("fuzz-found"), help="folder of the texts that show a fault; default %(default)s")
    arguments = parser.parse_args()
    signal.signal(signal.SIGALRM, _endless)
    if arguments.file is not None:
        text = arguments.file.read_bytes().decode()
        return once(Case(arguments.seed or 0, "file", text, text), shorten=arguments.minimal)
    if arguments.seed is not None:
        return once(make(arguments.seed), shorten=arguments.minimal)
    return campaign(arguments.start if arguments.start is not None else random.randrange(10**9), arguments.minutes, arguments.into)


if __name__ == "__main__":
    sys.exit(main())
