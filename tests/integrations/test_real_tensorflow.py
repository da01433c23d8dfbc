"""TF_CONFIG of rendered pods, read by TensorFlow's own resolver. Not run by default: `pytest -m slow`, with tensorflow-cpu installed here, or in the
environment of the interpreter that TENSORFLOW_PYTHON names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.extensions.kubelet import pod_environment
from tests.passes.plans import compiled, job, runtime, trainjob

pytestmark = pytest.mark.slow
PYTHON = os.environ.get("TENSORFLOW_PYTHON", sys.executable)
# All pods in one process, since the import takes most of the time.
READ = """
import json, os, sys
import tensorflow as tf
told = []
for config in json.load(sys.stdin):
    os.environ["TF_CONFIG"] = config
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    told.append([resolver.cluster_spec().as_dict(), resolver.task_type, resolver.task_id])
print(json.dumps(told))
"""


def read(configs: list[str]) -> list[Any]:
    """(cluster, type, index) of each TF_CONFIG, as TensorFlow has them."""
    if subprocess.run([PYTHON, "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('tensorflow') is None)"], check=False).returncode:
        pytest.skip("tensorflow is not installed; TENSORFLOW_PYTHON names an interpreter that has it")
    quiet = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run([PYTHON, "-c", READ], input=json.dumps(configs), capture_output=True, text=True, check=False, env=quiet, timeout=300)
    assert done.returncode == 0, done.stderr
    told: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_tensorflow_reads_every_role() -> None:
    jobs = (job(), job("chief", None), job("ps", None, spec={"parallelism": 2}), job("evaluator", None))
    given = runtime({"numNodes": 3}, *jobs, successPolicy={"operator": "All", "targetReplicatedJobs": ["chief"]})
    given["metadata"]["labels"] = {"trainer.kubeflow.org/framework": "tensorflow"}
    result = compiled(given, trainjob({}), extensions=("tensorflow",))
    assert result.ok, result.diagnostics
    pods = [
        (entry["name"], index, pod_environment(entry["template"]["spec"]["template"]["spec"], index)["TF_CONFIG"])
        for entry in result.objects[0]["spec"]["replicatedJobs"]
        for index in range(entry["template"]["spec"]["parallelism"])
    ]
    cluster = {
        "chief": ["job-chief-0-0.job:2222"],
        "ps": [f"job-ps-0-{index}.job:2222" for index in range(2)],
        "worker": [f"job-node-0-{index}.job:2222" for index in range(3)],
    }
    assert read([config for _, _, config in pods]) == [[cluster, "worker" if name == "node" else name, index] for name, index, _ in pods]
