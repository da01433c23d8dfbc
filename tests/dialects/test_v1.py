"""Jobs of the v1 operators become documents that compile and keep what they say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jobset_compiler as jc
from jobset_compiler.dialects.v1.kinds import KINDS

Tree = dict[str, Any]
RELEASES = ("v2.0", "v2.1", "v2.2", "v2.3")


def container(name: str, **more: Any) -> Tree:
    return {"name": name, "image": "registry.example/train:1", **more}


def replicas(count: int | None = None, *containers: Tree, restart: str = "", **pod: Any) -> Tree:
    role: Tree = {"template": {"spec": {"containers": list(containers), **pod}}}
    return {**({} if count is None else {"replicas": count}), **({"restartPolicy": restart} if restart else {}), **role}


def job(kind: str, roles: Tree, name: str = "job", version: str = "kubeflow.org/v1", **spec: Any) -> Tree:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "team-a"}, "spec": {KINDS[kind].field: roles, **spec}}


def migrated(tree: Tree, release: str = "v2.3", **wishes: Any) -> jc.Migration:
    from jobset_compiler.emit.yaml import to_yaml

    return jc.migrate(to_yaml((tree,)), trainer_version=release, wishes=jc.Wishes(**wishes))


def compiled(tree: Tree, release: str = "v2.3", **wishes: Any) -> Tree:
    """The JobSet of the migrated form."""
    migration = migrated(tree, release, **wishes)
    assert migration.ok, [str(diagnostic) for diagnostic in migration.diagnostics]
    result = jc.compile_yaml(migration.text, trainer_version=release)
    assert result.ok, result.diagnostics
    return result.objects[0]


def pods(jobset: Tree, name: str = "node") -> Tree:
    return next(entry["template"]["spec"] for entry in jobset["spec"]["replicatedJobs"] if entry["name"] == name)


def env(jobset: Tree, name: str = "node", index: int = 0) -> dict[str, Any]:
    return {entry["name"]: entry.get("value") for entry in pods(jobset, name)["template"]["spec"]["containers"][index].get("env", ())}


def codes(migration: jc.Migration) -> list[str]:
    return [diagnostic.slug for diagnostic in migration.diagnostics if diagnostic.severity != "info"]


# --- what every kind keeps

ENV: list[Tree] = [{"name": "A", "value": "1"}, {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]
RESOURCES = {"limits": {"nvidia.com/gpu": 2, "memory": "4Gi"}, "requests": {"cpu": "1500m"}}
VOLUMES: Tree = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}], "nodeSelector": {"zone": "a"}, "serviceAccountName": "trainer"}


def rich(name: str) -> Tree:
    mounts = [{"name": "data", "mountPath": "/data"}]
    return container(name, command=["python", "train.py"], args=["--epochs", "3"], env=ENV, resources=RESOURCES, volumeMounts=mounts)


ROLES = {
    "PyTorchJob": {"Master": 1, "Worker": 3},
    "TFJob": {"Chief": 1, "PS": 2, "Worker": 3},
    "MPIJob": {"Launcher": 1, "Worker": 3},
    "XGBoostJob": {"Master": 1, "Worker": 3},
    "JAXJob": {"Worker": 4},
    "PaddleJob": {"Worker": 4},
}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("kind", ROLES)
def test_image_command_env_resources_volumes_and_counts_are_kept(kind: str, release: str) -> None:
    name = KINDS[kind].container or "main"
    jobset = compiled(job(kind, {role: replicas(count, rich(name), **VOLUMES) for role, count in ROLES[kind].items()}), release)
    jobs = {entry["name"]: entry["template"]["spec"] for entry in jobset["spec"]["replicatedJobs"]}
    assert sum(spec["parallelism"] for spec in jobs.values()) == sum(ROLES[kind].values())
    for spec in jobs.values():
        pod = spec["template"]["spec"]
        kept = pod["containers"][0]
        assert (kept["image"], kept["command"], kept["args"]) == ("registry.example/train:1", ["python", "train.py"], ["--epochs", "3"])
        assert {"name": "A", "value": "1"} in kept["env"]
        assert next(entry for entry in kept["env"] if entry["name"] == "B")["valueFrom"] == ENV[1]["valueFrom"]
        assert kept["resources"] == {"limits": {"memory": "4Gi", "nvidia.com/gpu": "2"}, "requests": {"cpu": "1500m"}}
        assert {"name": "data", "mountPath": "/data"} in kept["volumeMounts"]
        assert VOLUMES["volumes"][0] in pod["volumes"]
        assert pod["nodeSelector"] == {"zone": "a"} and pod["serviceAccountName"] == "trainer"


NAMES = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=12)


@st.composite
def jobs(draw: st.DrawFn) -> Tree:
    kind = draw(st.sampled_from(sorted(ROLES)))
    name = KINDS[kind].container or "main"
    more: Tree = {}
    if draw(st.booleans()):
        more["command"] = ["torchrun", *draw(st.lists(WORDS, max_size=3))]
    if draw(st.booleans()):
        more["args"] = draw(st.lists(WORDS, min_size=1, max_size=3))
    if draw(st.booleans()):
        more["env"] = [{"name": f"V{index}", "value": value} for index, value in enumerate(draw(st.lists(WORDS, max_size=3)))]
    if draw(st.booleans()):
        more["imagePullPolicy"] = "Always"
    containers = [container(name, **more), *([container("side")] if draw(st.booleans()) else [])]
    restart = draw(st.sampled_from(("", "Never", "OnFailure")))
    counts = {role: 1 if role in ("Master", "Chief", "Launcher") else draw(st.integers(1, 4)) for role in ROLES[kind]}
    policy = draw(st.sampled_from(({}, {"suspend": True}, {"backoffLimit": 2}, {"cleanPodPolicy": "All", "ttlSecondsAfterFinished": 5})))
    return job(kind, {role: replicas(count, *containers, restart=restart) for role, count in counts.items()}, draw(NAMES), runPolicy=policy)


@settings(max_examples=60)
@given(jobs(), st.sampled_from(RELEASES))
def test_any_job_compiles_and_is_migrated_once(tree: Tree, release: str) -> None:
    migration = migrated(tree, release)
    assert migration.ok and migration.changed, migration.diagnostics
    again = jc.migrate(migration.text, trainer_version=release)
    assert not again.changed and again.documents == migration.documents
    text = jc.compile_yaml(migration.text, trainer_version=release)
    assert text.ok
    objects = jc.compile_objects([tree], trainer_version=release, convert=True)
    assert objects.objects == text.objects


# --- PyTorchJob

PYTORCH = container("pytorch", command=["python", "train.py"])


def test_the_master_is_a_node_and_rank_0() -> None:
    jobset = compiled(job("PyTorchJob", {"master": replicas(None, PYTORCH), "WORKER": replicas(2, PYTORCH)}))
    assert pods(jobset)["parallelism"] == 3
    variables = env(jobset)
    assert (variables["WORLD_SIZE"], variables["MASTER_ADDR"], variables["MASTER_PORT"]) == ("3", "job-node-0-0.job", "23456")


def test_without_a_master_there_are_no_ranks() -> None:
    assert not {"RANK", "WORLD_SIZE", "MASTER_ADDR"} & env(compiled(job("PyTorchJob", {"Worker": replicas(2, PYTORCH)}))).keys()


def test_without_v1_env_nothing_is_added() -> None:
    variables = env(compiled(job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, PYTORCH)}), v1_env=False))
    assert all(name.startswith("PET_") for name in variables)


GPUS = {"limits": {"nvidia.com/gpu": 4}}


@pytest.mark.parametrize(
    ("release", "given", "resources", "expected"),
    [
        ("v2.1", "4", {}, 4),
        ("v2.3", "4", {}, 4),
        ("v2.1", "auto", GPUS, None),
        ("v2.3", "auto", GPUS, None),
        ("v2.3", None, GPUS, None),
        ("v2.1", "gpu", GPUS, "gpu"),
        ("v2.3", "gpu", GPUS, None),
        ("v2.1", "cpu", {"requests": {"cpu": "3500m"}}, "cpu"),
        ("v2.3", "cpu", {"requests": {"cpu": "3500m"}}, 4),
        ("v2.3", "cpu", {"limits": {"cpu": 2}}, 2),
        ("v2.3", "cpu", {}, 1),
    ],
)
def test_processes_of_a_node(release: str, given: str | None, resources: Tree, expected: object) -> None:
    spec = {} if given is None else {"nprocPerNode": given}
    tree = job("PyTorchJob", {"Worker": replicas(1, container("pytorch", command=["torchrun", "t.py"], resources=resources))}, **spec)
    assert migrated(tree, release).documents[-1]["spec"]["trainer"].get("numProcPerNode") == expected


@pytest.mark.parametrize(("given", "warned"), [("auto", True), ("gpu", True), ("cpu", True), ("2", False)])
def test_processes_that_no_resources_tell_are_pointed_out(given: str, warned: bool) -> None:
    tree = job("PyTorchJob", {"Worker": replicas(1, container("pytorch", command=["torchrun", "t.py"]))}, nprocPerNode=given)
    assert ("processes-need-resources" in codes(migrated(tree))) is warned


ELASTIC = {"minReplicas": 1, "maxRestarts": 3, "rdzvConf": [{"key": "timeout", "value": "60"}]}
RENDEZVOUS = ["--nnodes=1:1", "--rdzv-backend=c10d", "--rdzv-endpoint=job-node-0-0.job:29500", "--rdzv-id=job", "--max-restarts=3", "--rdzv-conf=timeout=60"]


@pytest.mark.parametrize(
    ("command", "args", "expected"),
    [
        (["torchrun", "t.py"], None, (["torchrun", *RENDEZVOUS, "t.py"], None)),
        (["/opt/bin/torchrun"], ["t.py"], (["/opt/bin/torchrun", *RENDEZVOUS], ["t.py"])),
        (["python3", "-u", "-m", "torch.distributed.run"], ["t.py"], (["python3", "-u", "-m", "torch.distributed.run", *RENDEZVOUS], ["t.py"])),
        (["python", "-m"], ["torch.distributed.run", "t.py"], (["python", "-m"], ["torch.distributed.run", *RENDEZVOUS, "t.py"])),
        (["torchrun", "--max_restarts=1", "t.py"], None, (["torchrun", *RENDEZVOUS[:4], RENDEZVOUS[5], "--max_restarts=1", "t.py"], None)),
    ],
)
def test_torchrun_of_an_elastic_job_gets_its_options(command: list[str], args: list[str] | None, expected: object) -> None:
    words = {"command": command, **({"args": args} if args else {})}
    tree = job("PyTorchJob", {"Worker": replicas(2, container("pytorch", resources=GPUS, **words))}, elasticPolicy=ELASTIC)
    migration = migrated(tree)
    trainer = migration.documents[-1]["spec"]["trainer"]
    assert (trainer.get("command"), trainer.get("args")) == expected
    assert codes(migration) == ["elastic-becomes-fixed", "torchrun-flag"], "one of its two nodes is all that v1 waited for"


def test_an_elastic_job_that_starts_torchrun_itself_gets_variables() -> None:
    policy = {**ELASTIC, "standalone": True, "rdzvHost": "etcd", "rdzvPort": 2379, "rdzvBackend": "etcd-v2", "rdzvId": "x"}
    variables = env(compiled(job("PyTorchJob", {"Worker": replicas(2, container("pytorch", command=["sh", "run.sh"]))}, elasticPolicy=policy)))
    assert {name: variables[name] for name in variables if "RDZV" in name or name in ("PET_MAX_RESTARTS", "PET_STANDALONE")} == {
        "PET_RDZV_BACKEND": "etcd-v2",
        "PET_RDZV_ENDPOINT": "etcd:2379",
        "PET_RDZV_ID": "x",
        "PET_RDZV_CONF": "timeout=60",
        "PET_MAX_RESTARTS": "3",
        "PET_STANDALONE": "",
    }
    assert variables["PET_NNODES"] == "2"


def test_exit_codes_below_128_fail_the_job() -> None:
    spec = pods(compiled(job("PyTorchJob", {"Worker": replicas(1, PYTORCH, restart="ExitCode")})))
    assert spec["template"]["spec"]["restartPolicy"] == "Never"
    (rule,) = spec["podFailurePolicy"]["rules"]
    assert rule["onExitCodes"] == {"containerName": "node", "operator": "In", "values": list(range(1, 128))}


def test_the_master_may_decide_when_the_job_is_done() -> None:
    spec = pods(compiled(job("PyTorchJob", {"Master": replicas(1, PYTORCH), "Worker": replicas(1, PYTORCH)}), keep_success_policy=True))
    assert spec["successPolicy"] == {"rules": [{"succeededIndexes": "0"}]}


def test_an_exported_object_leaves_behind_what_its_server_added() -> None:
    tree = job("PyTorchJob", {"Worker": replicas(1, PYTORCH)})
    applied = "kubectl.kubernetes.io/last-applied-configuration"
    tree["metadata"] |= {"uid": "u", "resourceVersion": "7", "creationTimestamp": "2025-01-01T00:00:00Z", "annotations": {applied: "{}", "a": "b"}}
    tree["status"] = {"conditions": []}
    (document,) = migrated(tree).documents
    assert document["metadata"] == {"name": "job", "namespace": "team-a", "annotations": {"a": "b"}}
    assert "status" not in document


# --- gangs, and what else an operator was told


def test_a_gang_of_volcano_has_its_queue_and_priority() -> None:
    policy = {"schedulingPolicy": {"queue": "q", "priorityClass": "high", "minAvailable": 2, "minResources": {"cpu": 1}}}
    tree = job("PyTorchJob", {"Worker": replicas(2, PYTORCH)}, runPolicy=policy)
    result = jc.compile_yaml(migrated(tree, gang="volcano").text)
    jobset, group = result.objects
    assert group["kind"] == "PodGroup" and group["spec"]["queue"] == "q"
    pod = pods(jobset)["template"]["spec"]
    assert (pod["schedulerName"], pod["priorityClassName"]) == ("volcano", "high")


def test_multikueue_stays_and_the_operator_itself_goes() -> None:
    for by, expected in (("kueue.x-k8s.io/multikueue", "kueue.x-k8s.io/multikueue"), ("kubeflow.org/training-operator", None)):
        tree = job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}, runPolicy={"managedBy": by})
        assert migrated(tree).documents[-1]["spec"].get("managedBy") == expected


# --- MPIJob

MPI = container("main", command=["mpirun", "-n", "2", "a.out"])


def mpijob(version: str = "kubeflow.org/v2beta1", launcher: Tree = MPI, worker: Tree | None = None, workers: int = 2, **spec: Any) -> Tree:
    roles = {"Launcher": replicas(1, launcher), "Worker": replicas(workers, worker or container("main"))}
    return job("MPIJob", roles, "pi", version, **spec)


def hostfile(tree: Tree, release: str = "v2.3") -> list[str]:
    objects = jc.compile_yaml(migrated(tree, release).text, trainer_version=release).objects
    return str(next(each for each in objects if each["kind"] == "ConfigMap")["data"]["hostfile"]).splitlines()


@pytest.mark.parametrize("release", RELEASES)
def test_the_host_file_names_the_nodes(release: str) -> None:
    assert hostfile(mpijob(slotsPerWorker=3), release) == ["pi-node-0-0.pi slots=3", "pi-node-0-1.pi slots=3"]


def test_a_launcher_that_works_is_a_host_too() -> None:
    assert sorted(hostfile(mpijob(runLauncherAsWorker=True))) == ["pi-launcher-0-0.pi slots=1", "pi-node-0-0.pi slots=1", "pi-node-0-1.pi slots=1"]


def test_one_slot_stays_one_slot_beside_gpus() -> None:
    assert hostfile(mpijob(worker=container("main", resources=GPUS))) == ["pi-node-0-0.pi slots=1", "pi-node-0-1.pi slots=1"]


def test_nodes_of_the_training_operator_run_sshd() -> None:
    jobset = compiled(mpijob("kubeflow.org/v1", worker=container("main", command=["sleep"], args=["365d"])))
    kept = pods(jobset)["template"]["spec"]["containers"][0]
    assert kept["command"] == ["/usr/sbin/sshd", "-De"] and "args" not in kept


# name of the case: (document, slug of the error)
REFUSED: dict[str, tuple[Tree, str]] = {
    "no workers for MPI": (mpijob(workers=0), "no-equivalent"),
    "MPI without the role of workers": (job("MPIJob", {"Launcher": replicas(1, MPI)}), "no-equivalent"),
    "a script that finds hosts": (
        mpijob(launcher=container("main", args=["--host-discovery-script", "/etc/mpi/discover_hosts.sh"])),
        "no-equivalent",
    ),
    "MPICH": (mpijob(mpiImplementation="MPICH"), "mpi-implementation-needs-extension"),
    "an MPI that nobody has": (mpijob(mpiImplementation="other"), "refused-by-its-own-api"),
    "MPI without a launcher": (job("MPIJob", {"Worker": replicas(2, MPI)}), "refused-by-its-own-api"),
    "a role of MPI in other capitals": (job("MPIJob", {"launcher": replicas(1, MPI)}), "refused-by-its-own-api"),
    "XGBoost without a master": (job("XGBoostJob", {"Worker": replicas(1, container("xgboost"))}), "refused-by-its-own-api"),
    "JAX without a worker": (job("JAXJob", {"Worker": replicas(0, container("jax"))}), "refused-by-its-own-api"),
    "a chief and a master": (
        job("TFJob", {"Chief": replicas(1, container("tensorflow")), "Master": replicas(1, container("tensorflow"))}),
        "refused-by-its-own-api",
    ),
    "no role": (job("PyTorchJob", {}), "refused-by-its-own-api"),
    "a number of pods as text": (job("PyTorchJob", {"Worker": {"replicas": "2", **replicas(None, PYTORCH)}}), "refused-by-its-own-api"),
    "more pods than a number holds": (job("PyTorchJob", {"Worker": replicas(1 << 31, PYTORCH)}), "refused-by-its-own-api"),
    "a role twice": (job("PyTorchJob", {"Worker": replicas(2, PYTORCH), "worker": replicas(2, PYTORCH)}), "refused-by-its-own-api"),
    "elastic without a worker": (job("PyTorchJob", {"Master": replicas(1, PYTORCH)}, elasticPolicy={}), "refused-by-its-own-api"),
    "processes that nobody can count": (job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}, nprocPerNode="many"), "refused-by-its-own-api"),
    "two containers called node": (job("PyTorchJob", {"Worker": replicas(1, PYTORCH, container("node"))}), "no-equivalent"),
    "a version that it never had": (job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}, version="kubeflow.org/v2beta1"), "no-rules-for-it"),
    "a version that nobody has": (mpijob("kubeflow.org/v3"), "no-rules-for-it"),
    "a name that the server makes up": (
        {**job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}), "metadata": {"generateName": "x-"}},
        "no-equivalent",
    ),
    "no metadata": ({**job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}), "metadata": None}, "refused-by-its-own-api"),
    "an empty name": (job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}, ""), "refused-by-its-own-api"),
    "a list as spec": ({**job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}), "spec": []}, "refused-by-its-own-api"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_converted_is_refused(name: str) -> None:
    tree, slug = REFUSED[name]
    migration = migrated(tree)
    assert slug in [diagnostic.slug for diagnostic in migration.diagnostics if diagnostic.is_error]
    assert not migration.ok and not migration.changed and migration.documents == ()
    assert not jc.compile_objects([tree], convert=True).ok


def test_a_list_becomes_its_documents() -> None:
    tree = {"apiVersion": "v1", "kind": "List", "items": [job("PyTorchJob", {"Worker": replicas(1, PYTORCH)}), {"kind": "Service", "apiVersion": "v1"}]}
    migration = migrated(tree)
    assert migration.ok and [line for line in migration.text.splitlines() if line.startswith("kind:")] == ["kind: TrainJob", "kind: Service"]


def test_json_stays_json() -> None:
    import json

    text = json.dumps(job("MPIJob", {"Launcher": replicas(1, MPI), "Worker": replicas(1, MPI)}, version="kubeflow.org/v2beta1"))
    migration = jc.migrate(text)
    decoder = json.JSONDecoder()
    first, end = decoder.raw_decode(migration.text)
    second = json.loads(migration.text[end:])
    assert (first, second) == migration.documents and [first["kind"], second["kind"]] == ["TrainingRuntime", "TrainJob"]


@pytest.mark.parametrize("policy", ["AllWorkers", "", None])
def test_all_workers_of_a_tfjob_must_end_only_where_it_says_so(policy: str | None) -> None:
    rules = None if policy else {"rules": [{"succeededIndexes": "0"}]}
    tree = job("TFJob", {"Worker": replicas(2, container("tensorflow"))}, **({} if policy is None else {"successPolicy": policy}))
    jobset = compiled(tree)
    assert pods(jobset, "worker").get("successPolicy") == rules
    assert jobset["spec"]["successPolicy"]["targetReplicatedJobs"] == ["worker"]


def test_keys_of_selectors_and_drivers_may_be_called_as_fields_are() -> None:
    selector = {"matchLabels": {"template": "a", "env": "prod", "metadata": "b"}}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "labelSelector": selector}]}}
    volumes = [
        {"name": "v", "csi": {"driver": "a.example", "volumeAttributes": {"env": "x", "spec": "y"}}},
        {"name": "f", "flexVolume": {"driver": "a.example/b", "options": {"args": "z"}}},
    ]
    spec = pods(compiled(job("PyTorchJob", {"Worker": replicas(2, container("pytorch"), affinity=affinity, volumes=volumes)})))["template"]["spec"]
    assert (spec["affinity"], spec["volumes"]) == (affinity, volumes)


@pytest.mark.parametrize("kind", ["PyTorchJob", "XGBoostJob", "JAXJob"])
@pytest.mark.parametrize("release", RELEASES)
def test_claims_to_devices_are_kept(kind: str, release: str) -> None:
    resources = {"requests": {"cpu": "4"}, "claims": [{"name": "gpu"}]}
    pod = replicas(1, container(KINDS[kind].container, resources=resources), resourceClaims=[{"name": "gpu", "resourceClaimName": "shared"}])
    spec = pods(compiled(job(kind, {"Worker" if kind == "JAXJob" else "Master": pod}), release))["template"]["spec"]
    assert spec["containers"][0]["resources"] == resources
    assert spec["resourceClaims"] == [{"name": "gpu", "resourceClaimName": "shared"}]


def test_a_volume_may_be_an_image() -> None:
    volumes = [{"name": "v", "image": {"reference": "registry.example/data:1"}}]
    mounted = container("jax", volumeMounts=[{"name": "v", "mountPath": "/data"}])
    assert pods(compiled(job("JAXJob", {"Worker": replicas(2, mounted, volumes=volumes)})))["template"]["spec"]["volumes"] == volumes


def test_an_old_name_is_pointed_out_where_it_stands() -> None:
    tree = job("PyTorchJob", {"Worker": replicas(2, container("pytorch", args=["--master", "job-worker-0"]))})
    for restart, above in (("OnFailure", "    args:"), ("Never", "                  args:")):
        tree["spec"]["pytorchReplicaSpecs"]["Worker"]["restartPolicy"] = restart
        lines = migrated(tree).text.split("\n")
        at = next(index for index, line in enumerate(lines) if "job-worker-0 is called job-node-0-0.job now" in line)
        assert lines[at + 1] == above


def test_a_comment_about_what_is_gone_stands_at_the_note_about_it() -> None:
    text = (
        "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: j}\nspec:\n  runPolicy:\n"
        "    # logs are read from the pods\n    cleanPodPolicy: None  # keep\n"
        "  pytorchReplicaSpecs:\n    Worker:\n      replicas: 3  # one for each rack\n"
        "      template: {spec: {containers: [{name: pytorch, image: a:1}]}}\n"
    )
    lines = [line.strip() for line in jc.migrate(text).text.split("\n")]
    at = lines.index("# logs are read from the pods")
    assert lines[at + 1] == "# keep" and lines[at + 2].startswith("# cleanPodPolicy None: ")
    assert "numNodes: 3  # one for each rack" in lines
