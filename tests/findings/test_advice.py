"""Advice: each piece where it belongs, nowhere else, and never as an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler import findings, runtimes
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.pipeline import bundled_runtime, read_runtime
from jobset_compiler.profiles import PROFILES, find
from jobset_compiler.request.options import Options
from jobset_compiler.source.document import Document
from tests.admission.rules.cases import ALL, ANCESTOR, Tree, compiled, job, runtime, trainjob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic

FRAMEWORK = {"trainer.kubeflow.org/framework": "torch"}
TORCH: Tree = {"torch": {}}
MPI: Tree = {"mpi": {"sshAuthMountPath": "/home/mpiuser/.ssh"}}
PROBE = {"readinessProbe": {"tcpSocket": {"port": 2222}}}


def of_runtime(tree: Tree, profile: str = "v2.3") -> list[Diagnostic]:
    release = find(profile)
    assert release is not None
    found = read_runtime(Document.from_object(tree), Options(profile=release)).runtime
    assert found is not None
    return noted(advice(findings.of_runtime(found, release)))


def of_trainjob(profile: str, *objects: Tree) -> list[Diagnostic]:
    (unit,) = compiled(profile, *objects).units
    return noted(advice(findings.of_plan(unit.plan)))


SAID: dict[str, None] = {}


def noted(found: list[Diagnostic]) -> list[Diagnostic]:
    for each in found:
        SAID[f"{each.code} {each.severity} {format_path(each.at)}: {each.message}; {each.hint}"] = None
        SAID.update((f"    {format_path(note.at)}: {note.message}", None) for note in each.notes)
    return found


@pytest.fixture(autouse=True)
def words(snapshot: SnapshotAssertion) -> Iterator[None]:
    """All that is said in a test stands below `__snapshots__`, word for word; `--snapshot-update` writes it."""
    SAID.clear()
    yield
    if SAID:
        assert "\n".join(SAID) == snapshot


def advice(found: list[Diagnostic]) -> list[Diagnostic]:
    """Of the findings those of this block; the silent failures have tests of their own."""
    return [diagnostic for diagnostic in found if diagnostic.code < "JSC700"]


def told(found: list[Diagnostic]) -> list[tuple[str, tuple[str | int, ...]]]:
    assert all(diagnostic.severity in ("warning", "info") and diagnostic.hint and diagnostic.stage == "advice" for diagnostic in found)
    return [(diagnostic.slug, diagnostic.at) for diagnostic in found]


def labelled(*jobs: Tree, **options: Any) -> Tree:
    return runtime(*jobs, labels=FRAMEWORK, **options)


SHIPPED = [(release, name) for release in PROFILES for name in runtimes.names(release.name)]


@pytest.mark.parametrize(("release", "name"), SHIPPED, ids=lambda value: getattr(value, "name", value))
def test_the_shipped_runtimes_need_none(release: Any, name: str) -> None:
    found = told(findings.of_runtime(bundled_runtime(release, name), release))
    assert found == ([("framework-label-missing", ("metadata",))] if name == "mpi-distributed" else [])


JOBS = ("spec", "template", "spec", "replicatedJobs")
LABEL = ("metadata", "labels", ANCESTOR)


def with_pod_label(value: str = "trainer") -> Tree:
    tree = job("node")
    tree["template"]["spec"]["template"]["metadata"] = {"labels": {ANCESTOR: value}}
    return tree


@pytest.mark.parametrize(
    ("tree", "place"),
    [
        (labelled(with_pod_label(), policy=TORCH), (*JOBS, 0, "template", "spec", "template", *LABEL)),
        (labelled(job(), policy=TORCH, template={"metadata": {"labels": {ANCESTOR: "trainer"}}}), ("spec", "template", *LABEL)),
        (runtime(job(), policy=TORCH, labels={**FRAMEWORK, ANCESTOR: "trainer"}), LABEL),
    ],
    ids=["pod template", "JobSet", "runtime"],
)
def test_ancestor_label_in_the_wrong_place(tree: Tree, place: tuple[str | int, ...]) -> None:
    found = of_runtime(tree)
    assert told(found) == [("ancestor-label-misplaced", place)]
    assert found[0].hint == "move it to template.metadata.labels of the replicatedJob that is the trainer"


def test_ancestor_label_on_both_templates_is_fine() -> None:
    tree = with_pod_label()
    tree["template"]["metadata"] = {"labels": {ANCESTOR: "trainer"}}
    assert told(of_runtime(labelled(tree, policy=TORCH))) == []


def test_unknown_ancestor() -> None:
    found = of_runtime(labelled(job("node", "trainr"), policy=TORCH))
    assert told(found) == [("ancestor-unknown", (*JOBS, 0, "template", *LABEL))] and found[0].hint == "did you mean trainer?"


@pytest.mark.parametrize(
    ("policy", "lost"), [(TORCH, "mlPolicy and spec.trainer have no effect"), (MPI, "image, command, args and env of TrainJobs reach no container")]
)
def test_policy_without_trainer_job(policy: Tree, lost: str) -> None:
    found = of_runtime(labelled(job("node"), policy=policy))
    assert told(found) == [("no-trainer-job", ("spec", "mlPolicy"))]
    assert f"{lost}, unless a patch" in found[0].message
    assert told(of_runtime(labelled(job("node")))) == [], "without a policy nothing is promised"


def test_framework_label() -> None:
    (found,) = of_runtime(runtime(policy=TORCH))
    assert (found.slug, found.severity) == ("framework-label-missing", "info")
    assert found.hint == "metadata.labels: {trainer.kubeflow.org/framework: torch}"


def test_both_gang_policies() -> None:
    assert told(of_runtime(labelled(podGroupPolicy={"coscheduling": {}, "volcano": {}}))) == [("both-gang-policies", ("spec", "podGroupPolicy"))]
    for one in ("coscheduling", "volcano"):
        assert told(of_runtime(labelled(podGroupPolicy={one: {}}))) == []


@pytest.mark.parametrize(("profile", "ending"), [("v2.0", None), ("v2.1", "creates it again"), ("v2.2", "if it failed"), ("v2.3", "if it failed")])
def test_time_to_live_of_the_jobset(profile: str, ending: str | None) -> None:
    tree = labelled()
    tree["spec"]["template"]["spec"]["ttlSecondsAfterFinished"] = 60
    found = of_runtime(tree, profile)
    assert told(found) == ([("time-to-live", ("spec", "template", "spec", "ttlSecondsAfterFinished"))] if ending else [])
    assert all(diagnostic.message.endswith(ending or "") for diagnostic in found)


@pytest.mark.parametrize("several", [True, False])
def test_time_to_live_of_a_job(several: bool) -> None:
    short = job("dataset-initializer", "dataset-initializer", containers=[{"name": "dataset-initializer", "image": "i"}])
    short["template"]["spec"]["ttlSecondsAfterFinished"] = 60
    found = told(of_runtime(labelled(short, *([job("node", "trainer")] if several else []))))
    assert found == [("time-to-live", (*JOBS, 0, "template", "spec", "ttlSecondsAfterFinished"))]


def mpi(node: Tree, depends: str | None = None, **policy: Any) -> Tree:
    launcher = job("launcher", "trainer")
    if depends:
        launcher["dependsOn"] = [{"name": "node", "status": depends}]
    nodes = job("node", containers=[{"name": "node", "image": "i", "command": ["/usr/sbin/sshd"], **node}])
    return labelled(nodes, launcher, policy={"mpi": {**MPI["mpi"], **policy}})


@pytest.mark.parametrize(
    ("node", "depends", "expected"),
    [
        ({}, None, [("warning", (*JOBS, 1))]),
        (PROBE, None, []),
        (PROBE, "Ready", []),
        ({}, "Ready", [("info", (*JOBS, 0, "template", "spec", "template", "spec", "containers"))]),
        (PROBE, "Complete", [("warning", (*JOBS, 1, "dependsOn"))]),
        ({**PROBE, "command": ["prepare"]}, "Complete", []),
    ],
)
def test_mpi_launcher_waits(node: Tree, depends: str | None, expected: list[tuple[str, tuple[str | int, ...]]]) -> None:
    found = of_runtime(mpi(node, depends))
    assert {slug for slug, _ in told(found)} <= {"mpi-launcher-does-not-wait"}
    assert [(diagnostic.severity, diagnostic.at) for diagnostic in found] == expected


@pytest.mark.parametrize(
    ("path", "user", "wrong"), [("/root/.ssh", 1000, True), ("/root/.ssh", 0, False), ("/root/.ssh", None, False), ("/home/a/.ssh", 1000, False)]
)
def test_mpi_keys_are_in_the_users_folder(path: str, user: int | None, wrong: bool) -> None:
    node = {**PROBE, **({} if user is None else {"securityContext": {"runAsUser": user}})}
    found = told(of_runtime(mpi(node, sshAuthMountPath=path)))
    assert found == ([("mpi-key-folder", (*JOBS, 0, "template", "spec", "template", "spec", "containers", 0))] if wrong else [])


@pytest.mark.parametrize("field", ["publishNotReadyAddresses", "enableDNSHostnames"])
def test_mpi_hosts_resolve(field: str) -> None:
    for value in (True, False):
        tree = mpi(PROBE)
        tree["spec"]["template"]["spec"]["network"] = {field: value}
        assert told(of_runtime(tree)) == ([] if value else [("mpi-names-not-published", ("spec", "template", "spec", "network", field))])


@pytest.mark.parametrize("profile", ALL)
def test_mpi_variables_of_the_user_win_before_2_3(profile: str) -> None:
    objects = (mpi(PROBE), trainjob(trainer={"env": [{"name": "OMPI_MCA_plm_rsh_args", "value": "x"}]}))
    if profile == "v2.3":
        assert not compiled(profile, *objects).ok
    else:
        assert told(of_trainjob(profile, *objects)) == [("reserved-variable-wins", ("spec", "trainer", "env", 0, "name"))]


@pytest.mark.parametrize(
    ("processes", "limits", "wrong"),
    [
        (1, {"nvidia.com/gpu": 2}, "1 process on each node, which has 2 GPUs: 1 of them stay idle"),
        (4, {"nvidia.com/gpu": 1}, "4 processes on each node, which has 1 GPU: they share them"),
        (2, {"nvidia.com/gpu": 2}, ""),
        (2, {"cpu": 8}, ""),
        (2, {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 10}, ""),
        (None, {"nvidia.com/gpu": 2}, ""),
    ],
)
def test_gpus_and_processes(processes: int | None, limits: Tree, wrong: str) -> None:
    trainer = {"resourcesPerNode": {"limits": limits}, **({} if processes is None else {"numProcPerNode": processes})}
    found = of_trainjob("v2.3", runtime(policy=TORCH), trainjob(trainer=trainer))
    assert [diagnostic.message for diagnostic in found] == ([wrong] if wrong else [])
    assert told(of_trainjob("v2.3", runtime(policy={"jax": {}}), trainjob(trainer=trainer))) == [], "JAX drives all devices from one process"


QUEUE = {"kueue.x-k8s.io/queue-name": "q"}
PATCH = ("spec", "runtimePatches", 0, "trainingRuntimeSpec", "template")


def patch(**template: Any) -> Tree:
    return {"manager": "example.com/me", "trainingRuntimeSpec": {"template": template}}


def job_patch(template: Tree) -> Tree:
    return patch(spec={"replicatedJobs": [{"name": "node", "template": template}]})


@pytest.mark.parametrize(
    ("profile", "tree", "place"),
    [
        ("v2.3", trainjob(metadata={"annotations": QUEUE}), ("metadata", "annotations")),
        ("v2.0", trainjob(labels=QUEUE), ("spec", "labels")),
        ("v2.1", trainjob(annotations=QUEUE), ("spec", "annotations")),
        ("v2.3", trainjob(runtimePatches=[patch(metadata={"labels": QUEUE})]), (*PATCH, "metadata", "labels")),
        (
            "v2.3",
            trainjob(runtimePatches=[job_patch({"metadata": {"labels": QUEUE}})]),
            (*PATCH, "spec", "replicatedJobs", 0, "template", "metadata", "labels"),
        ),
        (
            "v2.3",
            trainjob(runtimePatches=[job_patch({"spec": {"template": {"metadata": {"labels": QUEUE}}}})]),
            (*PATCH, "spec", "replicatedJobs", 0, "template", "spec", "template", "metadata", "labels"),
        ),
        (
            "v2.1",
            trainjob(podTemplateOverrides=[{"targetJobs": [{"name": "node"}], "metadata": {"labels": QUEUE}}]),
            ("spec", "podTemplateOverrides", 0, "metadata", "labels"),
        ),
    ],
)
def test_kueue_labels_in_the_trainjob(profile: str, tree: Tree, place: tuple[str | int, ...]) -> None:
    at = (*place, "kueue.x-k8s.io/queue-name")
    assert told(of_trainjob(profile, runtime(), tree)) == [("kueue-label-misplaced", at)]
    value: Any = tree
    for step in at:
        value = value[step]
    assert value == "q", "the place is in the document"
    right = {**tree, "metadata": {**tree["metadata"], "labels": QUEUE}}
    releases = ("kueue-releases", ("metadata", "labels", "kueue.x-k8s.io/queue-name"))
    assert told(of_trainjob(profile, runtime(), right)) == [releases], "said twice does no harm"


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ("v2.0", "Kubeflow Trainer 2.0.1 needs Kueue 0.14.0:"),
        ("v2.1", "Kubeflow Trainer 2.1.0 needs Kueue 0.14.8 to 0.16:"),
        ("v2.2", "Kubeflow Trainer 2.2.1 needs Kueue 0.17 or newer:"),
        ("next", "the next Kubeflow Trainer needs Kueue 0.17 or newer:"),
    ],
)
def test_which_kueue(profile: str, words: str) -> None:
    (found,) = of_trainjob(profile, runtime(), trainjob(metadata={"labels": QUEUE}))
    assert found.slug == "kueue-releases" and found.message.startswith(words)
    assert of_trainjob(profile, runtime(), trainjob(metadata={"labels": {"kueue.x-k8s.io/queue": "q"}})) == []


def test_kueue_labels_in_the_runtime() -> None:
    pod = job("node", "trainer")
    pod["template"]["spec"]["template"]["metadata"] = {"labels": QUEUE}
    on_job = {**job("node"), "template": {**job("node")["template"], "metadata": {"labels": QUEUE}}}
    for tree in (runtime(labels=QUEUE), runtime(template={"metadata": {"labels": QUEUE}}), runtime(pod), runtime(on_job)):
        (found,) = of_trainjob("v2.3", tree, trainjob())
        assert (found.slug, found.at) == ("kueue-label-misplaced", ("metadata",))
        (note,) = found.notes
        assert note.at[-1] == "kueue.x-k8s.io/queue-name"


KAI = {"kai.scheduler/queue": "q"}


@pytest.mark.parametrize(
    ("metadata", "of_jobset", "pod_labels", "ending"),
    [
        ({}, {}, {}, "there is no label kai.scheduler/queue"),
        ({"annotations": KAI}, {}, {}, "kai.scheduler/queue is read from the labels of the TrainJob or of pods only"),
        ({}, {"labels": KAI}, {}, "kai.scheduler/queue is read from the labels of the TrainJob or of pods only"),
        ({}, {"annotations": KAI}, {}, "kai.scheduler/queue is read from the labels of the TrainJob or of pods only"),
        ({"labels": KAI}, {}, {}, ""),
        ({}, {}, KAI, ""),
    ],
)
def test_kai_queue(metadata: Tree, of_jobset: Tree, pod_labels: Tree, ending: str) -> None:
    node = job("node", "trainer", schedulerName="kai-scheduler")
    node["template"]["spec"]["template"]["metadata"] = {"labels": pod_labels}
    found = of_trainjob("v2.3", runtime(node, node | {"name": "b"}, template={"metadata": of_jobset}), trainjob(metadata=metadata))
    assert [diagnostic.message for diagnostic in found] == ([f"pods of node go to KAI's default queue: {ending}"] if ending else [])
    assert told(of_trainjob("v2.3", runtime(job("node", "trainer", schedulerName="other")), trainjob())) == []


@pytest.mark.parametrize(
    ("profile", "field", "uri", "wrong"),
    [
        ("v2.3", "dataset", "gs://a/b", True),
        ("v2.3", "dataset", "cache://a/b", False),
        ("v2.3", "model", "cache://a/b", True),
        ("v2.3", "model", "s3://a/b", False),
        ("v2.0", "model", "s3://a/b", True),
        ("v2.0", "dataset", "hf://a/b", False),
        ("v2.2", "dataset", "a/b", True),
    ],
)
@pytest.mark.parametrize("image", ["ghcr.io/kubeflow/trainer/{}-initializer:v2", "registry.example/own"])
def test_storage_schemes(profile: str, field: str, uri: str, wrong: bool, image: str) -> None:
    name = f"{field}-initializer"
    mounts = [{"name": "initializer", "mountPath": "/workspace"}]
    container = {"name": name, "image": image.format(field), "volumeMounts": mounts}
    init = job(name, name, containers=[container], volumes=[{"name": "initializer", "emptyDir": {}}])
    found = told(of_trainjob(profile, runtime(init), trainjob(initializer={field: {"storageUri": uri}})))
    assert found == ([("storage-scheme", ("spec", "initializer", field, "storageUri"))] if wrong and "kubeflow" in image else [])
