"""`expand` and `render --form admitted`: one controller further."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

from jobset_compiler.expand.of_objects import UID

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Here = Callable[..., Any]

LAUNCHER = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: mpi}
spec:
  runtimeRef: {name: deepspeed-distributed}
  trainer: {numNodes: 3}
"""


def test_the_children_of_the_jobset(here: Here, job: str) -> None:
    code, out, _ = here("expand", stdin=job)
    batch, service = yaml.safe_load_all(out)
    assert code == 0
    assert (batch["apiVersion"], batch["kind"], batch["metadata"]["name"]) == ("batch/v1", "Job", "train-node-0")
    assert (service["kind"], service["metadata"]["name"], service["spec"]["clusterIP"]) == ("Service", "train", "None")
    assert batch["spec"]["template"]["spec"]["subdomain"] == "train"


def test_the_uid_that_only_a_server_knows_is_a_placeholder(here: Here, job: str) -> None:
    batch, service = yaml.safe_load_all(here("expand", "-", stdin=job).out)
    for manifest in (batch, service):
        (owner,) = manifest["metadata"]["ownerReferences"]
        assert (owner["kind"], owner["name"], owner["uid"]) == ("JobSet", "train", UID)
    for metadata in (batch["metadata"], batch["spec"]["template"]["metadata"]):
        assert metadata["labels"]["jobset.sigs.k8s.io/jobset-uid"] == UID
    assert "jobset.sigs.k8s.io/jobset-uid" not in here("expand", "-", "--trainer-version", "v2.0", stdin=job).out, "0.8 has no such label"


def test_what_waits_is_marked_and_can_be_left_out(here: Here) -> None:
    code, out, err = here("expand", "-", stdin=LAUNCHER)
    documents = out.split("---\n")
    assert code == 0
    assert [text.startswith("# waits until node is ready (dependsOn)\n") for text in documents] == [False, True, False]
    assert "name: mpi-launcher-0" in documents[1]
    assert "  Job mpi-node-0: 2 pods\n  Job mpi-launcher-0: 1 pod, waits until node is ready (dependsOn)\n" in err
    assert here("expand", "-", "--now", "-o", "name", stdin=LAUNCHER).out == "job.batch/mpi-node-0\nservice/mpi\n"


def test_the_summary_counts_jobs_and_pods_on_standard_error(here: Here) -> None:
    suspended = LAUNCHER + "  suspend: true\n"
    err = here("expand", "-", stdin=suspended).err
    assert "\nTrainJob default/mpi: 2 Jobs, 3 pods, 1 Service\n  suspended: the Jobs are there, their pods only when it is resumed\n" in f"\n{err}"
    assert here("expand", "-", "-q", stdin=suspended).err == ""
    none = here("expand", "-", stdin=LAUNCHER.replace("deepspeed-distributed", "torch-distributed").replace("numNodes: 3", "numNodes: 0"))
    assert none.err.splitlines()[-2:] == ["TrainJob default/mpi: 1 Job, 1 Service", "  Job mpi-node-0: no pods"]


def test_startup_in_order_waits_for_the_first(here: Here, runtime: str, job_of_mine: str) -> None:
    second = "      - name: side\n        template: {spec: {template: {spec: {containers: [{name: c, image: i}]}}}}\n"
    ordered = runtime + second + "      startupPolicy: {startupPolicyOrder: InOrder}\n"
    code, out, err = here("expand", "-", stdin=f"{ordered}---\n{job_of_mine}")
    assert code == 0 and "# waits until node has started (startupPolicy)\n" in out
    assert "Job train-mine-side-0: 1 pod, waits until node has started (startupPolicy)" in err


def test_another_manager_makes_nothing_of_it(here: Here, runtime: str, job_of_mine: str) -> None:
    code, out, err = here("expand", "-", stdin=f"{runtime}      managedBy: acme.io/other\n---\n{job_of_mine}")
    assert (code, out) == (0, "")
    assert "TrainJob default/train-mine: nothing\n  its JobSet is managed by acme.io/other" in err


def test_claims_are_among_the_children(here: Here) -> None:
    tune = LAUNCHER.replace("deepspeed-distributed", "torchtune-llama3.2-1b").replace("  trainer: {numNodes: 3}\n", "")
    code, out, err = here("expand", "-", "-o", "json", stdin=tune)
    assert code == 0
    children = json.loads(out)["items"]
    claims = [child for child in children if child["kind"] == "PersistentVolumeClaim"]
    assert len(claims) == 1 and "1 PersistentVolumeClaim" in err
    names = {volume.get("persistentVolumeClaim", {}).get("claimName") for child in children if child["kind"] == "Job" for volume in _volumes(child)}
    assert claims[0]["metadata"]["name"] in names


def _volumes(child: dict[str, Any]) -> list[dict[str, Any]]:
    volumes: list[dict[str, Any]] = child["spec"]["template"]["spec"].get("volumes", [])
    return volumes


def test_errors_leave_standard_output_empty(here: Here, job: str) -> None:
    code, out, err = here("expand", "-", stdin=f"{job}---\n{job.replace('torch-distributed', 'nope')}")
    assert (code, out) == (1, "") and "runtime-not-found" in err and "Job train-node-0" not in err


def test_the_admitted_form_has_the_defaults_of_jobset(here: Here, tmp_path: Path, job: str) -> None:
    submitted, admitted = (yaml.safe_load(here("render", "-", *form, stdin=job).out) for form in ((), ("--form", "admitted")))
    assert "successPolicy" not in submitted["spec"]
    assert admitted["spec"]["successPolicy"] == {"operator": "All"}
    assert admitted["spec"]["startupPolicy"] == {"startupPolicyOrder": "AnyOrder"}
    assert admitted["spec"]["replicatedJobs"][0]["template"]["spec"]["completionMode"] == "Indexed"
    assert here("render", "-", "--form", "submitted", stdin=job) == here("render", "-", stdin=job)
    assert here("render", "-", "--form", "admitted", "--output-dir", "out", stdin=job).code == 0
    (written,) = tmp_path.glob("out/**/*.yaml")
    assert yaml.safe_load(written.read_text())["spec"]["successPolicy"] == {"operator": "All"}


def test_what_stays_behind_is_told_where_a_job_is_refused(here: Here, runtime: str, job_of_mine: str) -> None:
    refused = runtime.replace("                containers:", "                serviceAccountName: My_SA\n                containers:")
    assert refused != runtime
    code, out, err = here("expand", "-", stdin=f"{refused}---\n{job_of_mine}")
    assert (code, out) == (1, "")
    assert "\nTrainJob default/train-mine: admitted, but does not run\n  refused: Job train-mine-node-0\n  made before, and left: " in f"\n{err}"
    assert "JobSet train-mine, Service train-mine\n" in err
    assert "made before" not in here("expand", "-", "-q", stdin=f"{refused}---\n{job_of_mine}").err
