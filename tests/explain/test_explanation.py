"""What an explanation says, of every policy."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.explain import explanation
from jobset_compiler.explain.layout import lay_out
from jobset_compiler.explain.mermaid import flowchart, label
from jobset_compiler.explain.story import json_pointer
from jobset_compiler.explain.text import gang, names, story
from jobset_compiler.explain.words import field_of

API = "trainer.kubeflow.org/v1alpha1"
TRAINER_LABEL = "trainer.kubeflow.org/trainjob-ancestor-step"
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: mine}
spec:
  mlPolicy: {numNodes: 4, POLICY}
  podGroupPolicy: {coscheduling: {}}
  template:
    metadata: {labels: {team: a}, annotations: {note: b}}
    spec:
      replicatedJobs:
      - name: launcher
        template:
          spec: {template: {spec: {containers: [{name: node, image: i}]}}}
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            template:
              metadata: {labels: {pod: c}}
              spec: {schedulerName: s, containers: [{name: node, image: i, RESOURCES}]}
"""
GPUS = "resources: {limits: {cpu: 2, nvidia.com/gpu: 2}}"


def trainjob(runtime: str = "mine", **spec: Any) -> str:
    meta = {"name": "train", "labels": {"who": "me"}}
    return json.dumps({"apiVersion": API, "kind": "TrainJob", "metadata": meta, "spec": {"runtimeRef": {"name": runtime}, **spec}})


def mine(policy: str, resources: str = "resources: {}") -> str:
    return RUNTIME.replace("POLICY", policy).replace("RESOURCES", resources)


def told(*texts: str, profile: str = "v2.3") -> dict[str, Any]:
    result = jc.compile_yaml("\n---\n".join(texts), trainer_version=profile, file="in.yaml")
    assert result.ok, result.diagnostics
    return explanation(result.units[0])


def job_of(found: dict[str, Any], name: str = "node") -> dict[str, Any]:
    (job,) = [job for job in found["jobs"] if job["name"] == name]
    return dict(job)


def processes(found: dict[str, Any], name: str = "node") -> tuple[Any, str, list[str]]:
    """(value, per what, reasons)."""
    explained = job_of(found, name)["processes"]
    return explained["value"], explained["per"], [reason["text"] for reason in explained["because"]]


def test_torch_with_gpus_in_the_trainjob() -> None:
    found = told(mine("torch: {}"), trainjob(trainer={"resourcesPerNode": {"limits": {"nvidia.com/gpu": 4}}}))
    assert job_of(found)["gpusPerPod"] == 4
    assert processes(found) == (
        "auto",
        "pod",
        [
            "the TrainJob does not set numProcPerNode",
            "then it is auto",
            "the node's resources are the TrainJob's resourcesPerNode, whatever the runtime has",
            "it asks for 4 GPUs (nvidia.com/gpu: 4)",
            "auto: torchrun starts one process for each GPU that it sees, 4 as a rule",
        ],
    )
    assert job_of(found)["processes"]["because"][2]["path"] == "spec.trainer.resourcesPerNode"


@pytest.mark.parametrize(
    ("resources", "trainer", "value", "last"),
    [
        (GPUS, {}, "auto", "auto: torchrun starts one process for each GPU that it sees, 2 as a rule"),
        ("resources: {requests: {cpu: 3}}", {}, 3, "3: the number of CPUs, at least one"),
        ("resources: {}", {}, 1, "1: the number of CPUs, at least one"),
        (GPUS, {"numProcPerNode": 5}, 5, "5 processes in each pod"),
        # Memory alone hides the runtime's GPUs from the count (#3974).
        (GPUS, {"resourcesPerNode": {"requests": {"memory": "1Gi"}}}, 1, "1: the number of CPUs, at least one"),
    ],
)
def test_torch_without_being_told(resources: str, trainer: dict[str, Any], value: Any, last: str) -> None:
    found = processes(told(mine("torch: {}", resources), trainjob(trainer=trainer)))
    assert (found[0], found[2][-1]) == (value, last)


def test_torch_of_a_release_whose_runtime_may_say_it() -> None:
    found = told(mine("torch: {numProcPerNode: cpu}", GPUS), trainjob(trainer={}), profile="v2.1")
    assert processes(found)[0] == 2
    assert processes(found)[2][1] == "the runtime sets numProcPerNode: cpu"
    assert job_of(found)["processes"]["because"][1]["line"] == 5
    assert "neither does the runtime, so that it is auto there" in processes(told(mine("torch: {}"), trainjob(trainer={}), profile="v2.1"))[2]


def test_2_0_takes_one_for_a_list_that_is_missing() -> None:
    given = trainjob(trainer={"numProcPerNode": 4, "resourcesPerNode": {"limits": {"cpu": 8}}})
    value, _, because = processes(told(mine("torch: {}"), given, profile="v2.0"))
    assert (value, because[-1]) == (1, "1: this release takes 1 for a list of resources that is missing (#2407)")


def test_mpi_has_slots_a_host() -> None:
    value, per, because = processes(told(mine("mpi: {}", GPUS), trainjob(trainer={})))
    assert (value, per) == (2, "host")
    assert because[1:] == [
        "neither does the runtime, so that it is 1 there",
        "the node's resources are those of the runtime's container called node",
        "it asks for 2 GPUs (nvidia.com/gpu: 2)",
        "1 gives way to the number of GPUs",
        "slots=2 for every host in the host file",
    ]
    assert processes(told(mine("mpi: {}", GPUS), trainjob(trainer={"numProcPerNode": 7})))[0] == 7


def test_the_other_policies() -> None:
    assert processes(told(mine("xgboost: {}", GPUS), trainjob(trainer={"numNodes": 3})))[:2] == (6, "world")
    assert processes(told(mine("jax: {}"), trainjob(trainer={}))) == (1, "pod", ["JAX has one process a pod: JAX_NUM_PROCESSES 4"])
    assert processes(told(mine("flux: {numProcPerNode: 3}"), trainjob(trainer={"numNodes": 2})))[:2] == (3, "pod")
    for policy in ("torch: {}", "jax: {}", "xgboost: {}"):
        assert job_of(told(mine(policy), trainjob()))["processes"] is None, "nothing is injected without spec.trainer"
        assert job_of(told(mine(policy), trainjob(trainer={})), "launcher")["processes"] is None
    assert job_of(told(RUNTIME.replace(", POLICY", "").replace(", RESOURCES", ""), trainjob(trainer={})))["processes"] is None


def test_the_sum_behind_min_member() -> None:
    found = told(mine("mpi: {}", "resources: {requests: {cpu: 500m}}"), trainjob(trainer={"numNodes": 4}))
    assert found["gang"] == {
        "minMember": 5,
        "members": [{"job": "launcher", "pods": 1}, {"job": "node", "pods": 4}],
        "minResources": {"cpu": "2"},
    }
    assert gang(found["gang"]) == "launcher 1 + node 4 = minMember 5; minResources cpu 2"
    assert told(trainjob("torch-distributed"))["gang"] is None


def test_counts_requests_and_what_a_job_waits_for() -> None:
    found = told(trainjob("deepspeed-distributed", trainer={"numNodes": 3}))
    assert [(job["name"], job["pods"], job["role"]) for job in found["jobs"]] == [("node", 2, ""), ("launcher", 1, "trainer")]
    assert job_of(found, "launcher")["waitsFor"] == [{"job": "node", "status": "Ready"}]
    assert found["total"] == {"pods": 3, "requests": {}}
    assert job_of(found)["hosts"] == ["train-node-0-0.train", "train-node-0-1.train"]


def words(found: dict[str, Any], field: str) -> list[tuple[str, str, str]]:
    """(word, note of the pass, place) of the trainer's command line."""
    (node,) = [container for container in job_of(found)["containers"] if not container["init"]]
    return [(item["value"], item["origin"][0]["note"], item["origin"][-1]["path"]) for item in node[field]]


def test_every_word_of_a_torchtune_command_has_its_origin() -> None:
    trainer = {"command": ["tune", "run"], "args": ["epochs=1"], "resourcesPerNode": {"limits": {"nvidia.com/gpu": 2}}}
    found = told(trainjob("torchtune-llama3.2-1b", trainer=trainer))
    command = "spec.template.spec.replicatedJobs[2].template.spec.template.spec.containers[0].command"
    assert words(found, "command") == [
        ("tune", "kept", "spec.trainer.command[0]"),
        ("run", "kept", "spec.trainer.command[1]"),
        ("--rdzv_endpoint=train-node-0-0.train:29500", "several nodes or devices meet at the first node", ""),
        ("full_finetune_distributed", "recipe for 1 node, processes a node: auto", ""),
        ("--config", "", ""),
        ("llama3_2/1B_full", "model by the runtime's name torchtune-llama3.2-1b, variant of the recipe", ""),
        ("output_dir=/workspace/output", "kept from the runtime's command", f"{command}[9]"),
        ("tokenizer.path=/workspace/model/original/tokenizer.model", "kept from the runtime's command", f"{command}[10]"),
        ("checkpointer.checkpoint_dir=/workspace/model", "kept from the runtime's command", f"{command}[11]"),
    ]
    assert words(found, "args") == [("epochs=1", "written by the pass", "spec.trainer.args[0]")]
    text = "\n".join(lay_out(story(found), 120))
    assert re.search(r"^        - tune +<- line 1$", text, re.MULTILINE)
    assert re.search(r"^        - llama3_2/1B_full +<- torchtune \(model by the runtime's name", text, re.MULTILINE)


def test_flux_says_what_it_wraps() -> None:
    found = told(mine("flux: {}"), trainjob(trainer={"numNodes": 2, "command": ["a", "b"]}))
    assert words(found, "command") == [(word, "wraps the TrainJob's command", "") for word in ("/bin/bash", "/etc/flux-config/entrypoint.sh", "a b")]
    init, node = job_of(found)["containers"]
    assert (init["name"], init["init"], node["init"]) == ("flux-installer", True, False)


def test_variables_with_their_origin() -> None:
    secret = {"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
    found = told(mine("torch: {}"), trainjob(trainer={"numNodes": 2, "env": [secret]}))
    (node,) = job_of(found)["containers"]
    env = {entry["name"]: entry for entry in node["env"]}
    assert env["TOKEN"]["value"] == "<secretKey s/k>"
    assert [origin["path"] for origin in env["TOKEN"]["origin"]] == ["", "spec.trainer.env[0]"]
    assert (env["PET_NNODES"]["value"], env["PET_NNODES"]["origin"][0]["by"]) == ("2", "torch")
    assert env["PET_MASTER_ADDR"]["origin"][1]["path"] == "metadata.name"
    assert env["PET_NODE_RANK"]["value"].startswith("<field metadata.annotations")


def test_a_key_with_dots_is_one_name() -> None:
    text = mine("torch: {}").replace("schedulerName: s", "nodeSelector: {node.kubernetes.io/pool: b}")
    (line,) = [line for line in story(told(text, trainjob())) if line.label == "nodes"]
    assert line.text == "only with the label node.kubernetes.io/pool=b" and line.origin == "line 20"
    assert field_of("spec.trainer.resourcesPerNode.limits.nvidia.com/gpu") == "nvidia.com/gpu"
    assert field_of("spec.trainer.env[0]") == "env"


def test_where_labels_and_annotations_land() -> None:
    found = told(mine("torch: {}"), trainjob(trainer={}))
    table = {(entry["field"], entry["key"]): [(place["on"], place["job"]) for place in entry["places"]] for entry in found["metadata"]}
    assert table == {
        ("labels", "who"): [("TrainJob", "")],
        ("labels", "team"): [("JobSet", "")],
        ("labels", "pod"): [("Pod", "node")],
        ("labels", TRAINER_LABEL): [("Job", "node")],
        ("labels", "scheduling.x-k8s.io/pod-group"): [("Pod", "launcher"), ("Pod", "node")],
        ("annotations", "note"): [("JobSet", "")],
    }
    (team,) = [entry for entry in found["metadata"] if entry["key"] == "team"]
    assert (team["places"][0]["origin"][0]["file"], team["places"][0]["origin"][0]["line"]) == ("in.yaml", 8)


def test_names_with_their_length() -> None:
    found = told(trainjob("deepspeed-distributed", trainer={"numNodes": 3}))
    rows = {(entry["kind"], entry["name"]) for entry in found["names"]}
    assert rows == {
        ("JobSet", "train"),
        ("Secret", "train-mpi-ssh-auth"),
        ("ConfigMap", "train-runtime-snapshot"),
        ("ConfigMap", "train-mpi-hostfile"),
        ("Service", "train"),
        ("Job", "train-node-0"),
        ("Pod", "train-node-0-1-xxxxx"),
        ("host name", "train-node-0-1.train"),
        ("Job", "train-launcher-0"),
        ("Pod", "train-launcher-0-0-xxxxx"),
        ("host name", "train-launcher-0-0.train"),
    }
    assert all(entry["length"] == len(entry["name"]) for entry in found["names"])
    text = list(lay_out(names(found)))
    assert text[-1] == "  the TrainJob's name may be 39 characters longer"
    entry = {**found["names"][0], "name": "n", "madeBy": "X", "note": ""}
    for length, limit, room, last in (
        (62, 63, "62 of 63", "the TrainJob's name may be 1 characters longer"),
        (63, 63, "63 of 63", "the TrainJob's name may be 0 characters longer"),
        (64, 63, "1 too long", "cut 1 characters off the TrainJob's name"),
        (70, 63, "7 too long", "cut 7 characters off the TrainJob's name"),
        (254, 253, "1 too long", "the TrainJob's name may be 0 characters longer"),
    ):
        _, row, end = lay_out(names({**found, "names": [{**entry, "length": length, "limit": limit}]}))
        assert (row, end) == (f"  JobSet  n  {room}  by X", f"  {last}")


def test_pods_that_have_no_host_names() -> None:
    given = mine("torch: {}")
    unnumbered = given.replace("          spec:\n            template:", "          spec:\n            completionMode: NonIndexed\n            template:")
    no_names = given.replace("      replicatedJobs:", "      network: {enableDNSHostnames: false}\n      replicatedJobs:")
    for text, pod in ((unnumbered, "train-node-0-xxxxx"), (no_names, "train-node-0-2-xxxxx")):
        assert text != given
        found = told(text, trainjob(trainer={"numNodes": 3}))
        rows = [(entry["kind"], entry["name"]) for entry in found["names"]]
        assert ("Pod", pod) in rows and not any(kind == "host name" and "node" in name for kind, name in rows)
        assert job_of(found)["hosts"] == []


def test_the_digest_is_of_what_a_runtime_means() -> None:
    """Defaults that a cluster filled in, comments and status make no difference; a field does."""
    plain = mine("torch: {}")
    stored = plain.replace("metadata: {name: mine}", "metadata: {name: mine, uid: u, creationTimestamp: '2026-01-01T00:00:00Z'}  # from a cluster")
    defaulted = stored.replace("- name: node\n", "- name: node\n        replicas: 1\n")
    digests = [told(text, trainjob(trainer={}))["runtime"]["digest"] for text in (plain, stored, defaulted, plain.replace("team: a", "team: b"))]
    assert digests[0] == digests[1] == digests[2] != digests[3]
    assert digests[0].startswith("sha256:") and len(digests[0]) == 71


def test_fields_that_a_cluster_fills_in() -> None:
    found = told(trainjob("torch-distributed"))
    assert {"path": "spec.runtimeRef.kind", "jsonPointer": "/spec/runtimeRef/kind"} in found["mutatedFields"]
    assert json_pointer(("a", "b/c~d", 0)) == "/a/b~1c~0d/0"


@pytest.mark.parametrize("profile", ["v2.0", "v2.1", "v2.2", "v2.3"])
def test_every_bundled_runtime_can_be_told(profile: str) -> None:
    from jobset_compiler import runtimes

    count = 0
    for name in runtimes.names(profile):
        result = jc.compile_yaml(trainjob(name, trainer={"numNodes": 1}), trainer_version=profile)
        for unit in result.units:
            found = explanation(unit)
            assert json.loads(json.dumps(found)) == found
            for width in (80, 120):
                for line in lay_out(story(found, gitops=True), width):
                    assert line == line.rstrip() and (len(line) <= width or " " not in line.strip().removeprefix("<- "))
            count += 1
    assert count > 3


def test_a_flowchart() -> None:
    text = (Path(__file__).resolve().parents[2] / "examples" / "04-initializers.yaml").read_text()
    lines = list(flowchart([told(text), told(trainjob("torch-distributed"))]))
    assert lines[0] == "flowchart LR" and lines.count("  end") == 2
    assert '    t0j0 -->|"has completed"| t0j2' in lines
    assert [line for line in lines if line.startswith('    t1j0["node<br/>1 pod')]


@pytest.mark.parametrize("text", ['a"]', "a<br/>b", "end", "a\nb", "#quot;", "`x`", "a --> b", "%%{init}%%", "\u202e"])
def test_a_label_of_a_flowchart_is_nothing_but_text(text: str) -> None:
    shown = label(text)
    assert not set(shown) & set('"<>`%\n\u202e[]{}|()') and shown != "end"
