"""The same guided by coverage, for those who have `atheris` (it is no dependency of the tests).

    pip install atheris
    python -m tests.fuzz.with_atheris FOLDER -max_total_time=600      # FOLDER keeps what has reached something new
    python -m tests.fuzz.with_atheris FOLDER/crash-...                # one text again

atheris knows bytes; half of its changes are therefore ours, which know lines and tokens of YAML.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["jobset_compiler"]):
    import jobset_compiler.pipeline as _pipeline  # noqa: F401
    from tests.fuzz.cases import Case, check, well_formed
    from tests.fuzz.corpus import texts
    from tests.fuzz.mutate import mutate


def one(data: bytes) -> None:
    text = well_formed(data.decode("utf-8", "ignore"))
    with tempfile.TemporaryDirectory() as folder:
        check(Case(len(data), "atheris", text, texts()[len(data) % len(texts())]), Path(folder))


def change(data: bytes, most: int, seed: int) -> bytes:
    rng = Random(seed)
    if rng.random() < 0.5:
        return bytes(atheris.Mutate(data, most))
    text = data.decode("utf-8", "ignore") or rng.choice(texts())
    return mutate(text, rng.choice(texts()), rng).encode("utf-8", "ignore")[:most]


if __name__ == "__main__":
    atheris.Setup(sys.argv, one, custom_mutator=change)
    atheris.Fuzz()
