"""Mistakes that type checkers have to find: each on a line with the mark, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jobset_compiler as jc
from jobset_compiler.models import Trainer, TrainJobSpec, v2_0

if TYPE_CHECKING:
    from collections.abc import Mapping


def wrong(body: Mapping[str, str], result: jc.Compilation) -> None:
    jc.compile_yml("")  # mistake
    jc.compile_objects(1)  # mistake
    jc.compile_yaml(body)  # mistake
    Trainer(num_node=2)  # mistake
    Trainer(num_nodes="2")  # mistake
    Trainer(command="python train.py")  # mistake
    TrainJobSpec(trainer=Trainer())  # mistake
    _ = jc.TrainJob(metadata={"name": "a"}).spec.trainer  # mistake
    v2_0.Trainer(num_proc_per_node=[1])  # mistake
    __ = v2_0.RuntimePatch  # mistake
    ___ = result.diagnostics[0].severity == "fatal"  # mistake
    version: jc.TrainerVersion = "v1.9"  # mistake
    result.origin_of(result.objects[0])  # mistake
    print(version, result.object)  # mistake
