"""The KRM function, without and with the real kustomize."""

from __future__ import annotations

import io
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from jobset_compiler.cli import main
from jobset_compiler.cli.streams import Streams
from jobset_compiler.diagnostics.report import Policy
from jobset_compiler.dialects.wishes import Wishes
from jobset_compiler.integrations.krm import transform
from jobset_compiler.request.options import Options

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def item(**metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "train", "namespace": "ml", **metadata},
        "spec": {"runtimeRef": {"name": "torch-distributed"}, "trainer": {"numNodes": 2}},
    }


def without_nodes(**metadata: Any) -> dict[str, Any]:
    """One that gets a warning."""
    found = item(**metadata)
    found["spec"]["trainer"]["numNodes"] = 0
    return found


OTHER: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "annotations": {"config.kubernetes.io/path": "x.yaml"}}}


def resource_list(*items: Any, config: Any = None) -> dict[str, Any]:
    config = {} if config is None else {"functionConfig": config}
    return {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", **config, "items": list(items)}


def run(value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """(output, {slug: result})"""
    before = deepcopy(value)
    out = transform(value, Options()).resource_list
    assert value == before, "the input was changed"
    return out, {result["tags"]["slug"]: result for result in out.get("results", [])}


@pytest.mark.parametrize("items", [{}, {"items": None}])
def test_a_list_without_items_has_none_afterwards(items: dict[str, Any]) -> None:
    out = transform({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", **items}, Options())
    assert out.resource_list == {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": []}


@pytest.mark.parametrize(("release", "kinds"), [("v2.3", ["JobSet", "ConfigMap"]), ("v2.2", ["JobSet"])])
def test_the_snapshot_of_the_runtime_on_request(release: str, kinds: list[str]) -> None:
    for value in (True, "true"):
        config = {"kind": "Any", "spec": {"withSnapshot": value, "trainerVersion": release}}
        items = transform(resource_list(item(), config=config), Options()).resource_list["items"]
        assert [made["kind"] for made in items] == kinds
        assert [made["metadata"]["name"] for made in items[1:]] == ["train-runtime-snapshot"] * (len(kinds) - 1)


def test_a_trainjob_gives_place_to_its_objects_where_it_was() -> None:
    annotations = {"internal.config.kubernetes.io/path": "jobs/train.yaml", "internal.config.kubernetes.io/index": "1"}
    out, results = run(resource_list(OTHER, without_nodes(annotations=annotations), OTHER))
    assert [entry["kind"] for entry in out["items"]] == ["ConfigMap", "JobSet", "ConfigMap"]
    assert out["items"][0] == OTHER
    assert out["items"][1]["metadata"]["annotations"] == annotations
    assert results["no-nodes"]["severity"] == "warning"
    assert results["no-nodes"]["file"] == {"path": "jobs/train.yaml", "index": 1}


def test_annotations_are_only_those_that_say_where_it_was() -> None:
    out, _ = run(resource_list(item(annotations={"team": "a"})))
    assert "annotations" not in out["items"][0]["metadata"]


def test_errors_are_results_with_field_and_file_and_leave_the_items_alone() -> None:
    job = item(annotations={"config.kubernetes.io/path": "jobs/train.yaml"})
    job["spec"]["runtimeRef"]["name"] = "torch-distribute"
    value = resource_list(job, OTHER)
    out, results = run(value)
    assert out["items"] == value["items"]
    result = results["runtime-not-found"]
    assert result["severity"] == "error"
    assert result["field"]["path"] == "spec.RuntimeRef"
    assert result["file"]["path"] == "jobs/train.yaml"
    assert result["resourceRef"] == {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "namespace": "ml", "name": "train"}
    assert "did you mean torch-distributed?" in result["message"]


@pytest.mark.parametrize("form", ["ConfigMap", "JobSetCompiler"])
def test_settings_come_from_the_function_config(form: str) -> None:
    data = {"trainerVersion": "v2.0", "keepRuntimes": "true", "bundledRuntimes": "false", "featureGates": "TrainJobStatus=false"}
    runtime = {**yaml.safe_load((EXAMPLES / "08-coscheduling.yaml").read_text().split("---")[0]), "metadata": {"name": "torch-distributed"}}
    config = {"kind": form, "data" if form == "ConfigMap" else "spec": data}
    out, _ = run(resource_list(runtime, item(), config=config))
    assert [entry["kind"] for entry in out["items"]] == ["ClusterTrainingRuntime", "JobSet", "PodGroup"]
    assert "groupName" not in out["items"][1]["spec"]["replicatedJobs"][0], "v2.0 has no groups"


@pytest.mark.parametrize("order", [("trainerVersion", "jobsetVersion"), ("jobsetVersion", "trainerVersion")])
def test_another_jobset_whatever_comes_first(order: tuple[str, str]) -> None:
    versions = {"trainerVersion": "v2.0", "jobsetVersion": "0.10"}
    out, _ = run(resource_list(item(), config={"kind": "ConfigMap", "data": {name: versions[name] for name in order}}))
    assert out["items"][0]["spec"]["replicatedJobs"][0]["groupName"] == "default", "the newer JobSet fills it in"


def test_an_old_jobset_refuses() -> None:
    _, results = run(resource_list(item(), config={"kind": "ConfigMap", "data": {"jobsetVersion": "0.8.2"}}))
    assert "groupName: field not declared in schema" in results["jobset-undeclared-field"]["message"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"jobsetVersion": "0.9"}, "jobsetVersion: unknown JobSet release '0.9'; known: 0.8.2, 0.10.1, 0.11.1, 0.12.0"),
        ({"trainerVersio": "v2.0"}, "there is no setting 'trainerVersio' (did you mean trainerVersion?)"),
        ({"trainerVersion": "v9"}, "trainerVersion: unknown release 'v9'; known: v2.0, v2.1, v2.2, v2.3, next"),
        ({"validate": "yes"}, "validate: is strict, warn or ignore, not 'yes'"),
        ({"mode": "apply"}, "mode: is render or check, not 'apply'"),
        ({"namespace": 3}, "namespace: is text, not 3"),
        ({"extensions": "tensorflo"}, "extensions: unknown extension 'tensorflo'; known: mpi-hydra, open-mpi-5, tensorflow"),
        ({"extensions": [3]}, "extensions: is text, not 3"),
    ],
)
def test_wrong_settings_are_errors(data: dict[str, Any], message: str) -> None:
    value = resource_list(item(), config={"kind": "ConfigMap", "data": data})
    out, results = run(value)
    assert results["function-config-invalid"]["message"] == message
    assert out["items"] == value["items"]


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        ("x", "<item 1>"),
        ({"name": "a"}, "TrainJob a"),
        ({"name": "a", "namespace": "ml"}, "TrainJob ml/a"),
        ({"name": "a", "annotations": {"config.kubernetes.io/path": "jobs/a.yaml"}}, "jobs/a.yaml"),
        ({"name": "a", "annotations": {"config.kubernetes.io/path": 1}}, "TrainJob a"),
    ],
)
def test_how_an_item_is_called(metadata: Any, name: str) -> None:
    wrong = {**item(), "metadata": metadata, "spec": {"runtimeRef": {"name": "nope"}}}
    findings = transform(resource_list(OTHER, wrong), Options()).findings
    assert {finding.diagnostic.file for finding in findings} == {name}


@pytest.mark.parametrize("other", ["x", 3, None, []])
def test_items_that_are_no_objects_are_left_where_they_are(other: Any) -> None:
    out, results = run(resource_list(other, item()))
    assert (out["items"][0], out["items"][1]["kind"], results) == (other, "JobSet", {})


@pytest.mark.parametrize(
    ("config", "message"),
    [("x", "functionConfig is no object"), ({"kind": "ConfigMap", "data": "x"}, "the settings of functionConfig are no mapping")],
)
def test_a_function_config_that_is_none(config: Any, message: str) -> None:
    assert run(resource_list(item(), config=config))[1]["function-config-invalid"]["message"] == message


def test_a_setting_like_no_other() -> None:
    (result,) = run(resource_list(item(), config={"kind": "X", "spec": {"zzz": 1}}))[1].values()
    assert result["message"].startswith("there is no setting 'zzz' (known are bundledRuntimes, extensions, featureGates, form, ")


@pytest.mark.parametrize("extensions", ["tensorflow, mpi-hydra", ["tensorflow"], "tensorflow,, ", " ,tensorflow"])
def test_extensions(extensions: object) -> None:
    value = item()
    value["spec"]["runtimeRef"]["name"] = "tensorflow-distributed"
    assert "runtime-not-found" in run(resource_list(value))[1]
    out, results = run(resource_list(value, config={"kind": "X", "spec": {"extensions": extensions}}))
    assert out["items"][0]["kind"] == "JobSet" and "written-by-extension" in results


def test_check_says_everything_and_changes_nothing() -> None:
    value = resource_list(without_nodes(), config={"kind": "X", "spec": {"mode": "check"}})
    out, results = run(value)
    assert out["items"] == value["items"]
    assert "no-nodes" in results


NODE = {"spec": {"template": {"spec": {"containers": [{"name": "node", "image": "x"}]}}}}
RUNTIME: dict[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "ClusterTrainingRuntime",
    "metadata": {"name": "own"},
    "spec": {"template": {"spec": {"network": {"subdomain": "net"}, "replicatedJobs": [{"name": "node", "template": NODE}]}}},
}


def of_own(name: str) -> dict[str, Any]:
    return {**item(name=name), "spec": {"runtimeRef": {"name": "own"}}}


@pytest.mark.parametrize(
    ("items", "slug", "severity", "about"),
    [
        ([RUNTIME, of_own("a"), of_own("b")], "shared-subdomain", "warning", "own"),
        ([RUNTIME, RUNTIME, of_own("a")], "runtime-given-twice", "warning", "own"),
        ([item(), item()], "trainjob-given-twice", "warning", "train"),
        ([{**item(), "kind": "Trainjob"}], "no-match", "error", "train"),
        ([{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "old"}, "spec": {}}], "older-api", "error", "old"),
        ([{**item(), "apiVersion": "training.example.com/v1"}], "other-group", "info", "train"),
    ],
)
def test_what_concerns_several_items_or_other_kinds_is_said_as_everywhere(items: list[Any], slug: str, severity: str, about: str) -> None:
    out, results = run(resource_list(*items))
    assert results[slug]["severity"] == severity
    assert results[slug]["resourceRef"]["name"] == about
    assert (out["items"] == items) is (severity in ("error", "info"))


def test_older_apis_are_compiled_where_that_is_asked_for() -> None:
    containers = [{"name": "pytorch", "image": "registry.example/a:1", "command": ["torchrun", "a.py"]}]
    old = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "old"}}
    old["spec"] = {"pytorchReplicaSpecs": {"Worker": {"replicas": 2, "template": {"spec": {"containers": containers}}}}}
    outcome = transform(resource_list(old, OTHER), Options(convert=Wishes()))
    assert [made["kind"] for made in outcome.resource_list["items"]] == ["JobSet", "ConfigMap"]


def test_runtimes_of_the_command_line_and_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = tmp_path / "own.yaml"
    runtime.write_text(yaml.safe_dump(RUNTIME), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = yaml.safe_dump(resource_list(of_own("a"))).encode()
    assert fn(text)[0] == 1
    assert fn(text, "--no-config", "-r", str(runtime))[0] == 0
    (tmp_path / ".jobset-compiler.yaml").write_text("runtimes: [own.yaml]\n", encoding="utf-8")
    assert fn(text, "--no-plugins")[0] == 0


@pytest.mark.parametrize("value", [None, [], "x", {"kind": "List", "items": []}, {"kind": "ResourceList", "items": "x"}])
def test_what_is_no_resource_list_is_said(value: Any) -> None:
    out, results = run(value)
    assert list(results) == ["resource-list-invalid"]
    assert out["kind"] == "ResourceList"


def test_earlier_results_are_kept() -> None:
    earlier = {"message": "from before", "severity": "info"}
    out = transform({**resource_list(without_nodes()), "results": [earlier]}, Options()).resource_list
    assert out["results"][0] == earlier
    assert len(out["results"]) > 1


def fn(text: bytes, *options: str) -> tuple[int, str, str]:
    stdout, stderr = io.BytesIO(), io.StringIO()
    code = main(["fn", *(options or ("--no-config",))], Streams(io.BytesIO(text), stdout, stderr, {}))
    return code, stdout.getvalue().decode(), stderr.getvalue()


def test_the_command_reads_and_writes_yaml() -> None:
    code, out, _ = fn(yaml.safe_dump(resource_list(OTHER, item())).encode())
    assert code == 0
    assert [entry["kind"] for entry in yaml.safe_load(out)["items"]] == ["ConfigMap", "JobSet"]


def test_the_command_fails_with_a_list_that_holds_the_reason() -> None:
    job = item()
    del job["spec"]["runtimeRef"]
    code, out, err = fn(yaml.safe_dump(resource_list(job)).encode())
    assert code == 1
    assert [result["severity"] for result in yaml.safe_load(out)["results"]].count("error") == 1
    assert "TrainJob ml/train: error" in err


def test_text_that_is_no_yaml_is_placed() -> None:
    err = io.StringIO()
    assert main(["fn"], Streams(io.BytesIO(b"a: 1\nb: [\n"), io.BytesIO(), err, {})) == 2
    assert err.getvalue().startswith("jobset-compiler: <stdin>:2: did not find expected node content\n")


def test_text_that_is_no_yaml_is_a_usage_error() -> None:
    code, out, err = fn(b"kind: ResourceList\nitems: [\n")
    assert (code, out) == (2, "")
    assert "<stdin>:" in err


@pytest.mark.parametrize("wrong", ["x", {"kind": "ResourceList", "items": 3}])
def test_what_is_no_resource_list(wrong: Any) -> None:
    (finding,) = transform(wrong, Options()).findings
    assert (finding.diagnostic.stage, finding.diagnostic.slug, finding.item) == ("krm", "resource-list-invalid", None)


def test_an_item_that_is_refused_stays_where_errors_are_taken_for_less() -> None:
    wrong = item(name="wrong")
    wrong["spec"]["runtimeRef"]["name"] = "nothing"
    outcome = transform(resource_list(OTHER, wrong, item()), Options(), Policy(ignore=frozenset({"runtime-not-found"})))
    assert not outcome.failed
    items = [(made["kind"], made["metadata"]["name"]) for made in outcome.resource_list["items"]]
    assert items == [("ConfigMap", "x"), ("TrainJob", "wrong"), ("JobSet", "train")]


def test_a_result_without_a_field_names_none() -> None:
    _, results = run(resource_list(item(), item(), without_nodes(name="other")))
    assert results.keys() == {"trainjob-given-twice", "no-nodes"} and not any("field" in result for result in results.values())


def test_settings_that_are_unknown_are_told_first() -> None:
    config = {"kind": "Any", "spec": {"namespace": 3, "trainerVersion": 4, "nothing": 1, "jobsetVersion": 5}}
    findings = transform(resource_list(item(), config=config), Options()).findings
    assert [finding.diagnostic.message.partition(":")[0] for finding in findings] == [
        "there is no setting 'nothing'", "trainerVersion", "jobsetVersion", "namespace"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("gates", "on"),
    [("TrainJobStatus=true, B=false,", True), ("TrainJobStatus", True), ("TrainJobStatus=false", False), ({"TrainJobStatus": True}, True), ("", False)],
)
def test_feature_gates_of_a_config_map(gates: Any, on: bool) -> None:
    config = {"kind": "ConfigMap", "data": {"featureGates": gates}}
    items = transform(resource_list(item(), config=config), Options()).resource_list["items"]
    assert ("ConfigMap" in [made["kind"] for made in items]) is on


@pytest.mark.parametrize("other", [{"a": 1}, {"kind": "X"}, {"apiVersion": "v1"}, {}, "x", 3])
def test_what_has_nothing_to_do_with_trainer_is_nothing_to_complain_of(other: Any) -> None:
    outcome = transform(resource_list(other, item()), Options(), Policy(verbose=True))
    assert not outcome.failed and [made if made == other else made["kind"] for made in outcome.resource_list["items"]] == [other, "JobSet"]
    assert "documents-skipped" in {finding.diagnostic.slug for finding in outcome.findings}
