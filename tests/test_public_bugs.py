"""Wrong manifests from public reports (tests/data/public_bugs; the comment in each says where from): each gets a finding that names the cause
and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

import jobset_compiler as jc

DATA = Path(__file__).parent / "data" / "public_bugs"
NEWEST = "v2.3"
# file: release, code, severity, a part of the message (the cause), a part of the hint (the way out).
EXPECTED = {
    "ancestor_on_the_pod": (NEWEST, "JSC370", "warning", "is not read here", "move it to template.metadata.labels"),
    "both_gangs": (NEWEST, "JSC374", "warning", "two PodGroups for the same pods", "keep the one whose scheduler"),
    "course_runtime": (NEWEST, "JSC103", "warning", 'unknown field "spec.numNodes"', "it belongs in spec.mlPolicy"),
    "depends_on_as_strings": (NEWEST, "JSC105", "error", "must be of type object", "write {name: dataset-initializer}"),
    "gang_policy_on_trainjob": (NEWEST, "JSC103", "warning", 'unknown field "spec.podGroupPolicy"', "in the runtime: spec.podGroupPolicy"),
    "gpu_memory": (NEWEST, "JSC871", "warning", "nvidia.com/gpumem is counted as GPUs", "set spec.trainer.numProcPerNode"),
    "gpu_request_without_limit": (NEWEST, "JSC436", "error", "Limit must be set for non overcommitable", "set a limit of nvidia.com/gpu"),
    "half_the_gpus": (NEWEST, "JSC373", "warning", "1 of them stay idle", "write 2, or leave it out"),
    "jax_variables": (NEWEST, "JSC828", "warning", "JAX_NUM_PROCESSES replaces", "leave the variable to the controller"),
    "kai_without_queue": (NEWEST, "JSC376", "warning", "no label kai.scheduler/queue", "kai.scheduler/queue: ..."),
    "kueue_label_on_the_runtime": (NEWEST, "JSC375", "warning", "kueue.x-k8s.io/queue-name", "into the TrainJob's own metadata.labels"),
    "launcher_as_node": (NEWEST, "JSC820", "warning", "numNodes 1 makes two hosts", "without runLauncherAsNode"),
    "memory_only": (NEWEST, "JSC806", "warning", "only resourcesPerNode is counted", "repeat the runtime's resources here"),
    "mig": (NEWEST, "JSC805", "warning", "nvidia.com/mig-1g.5gb is not counted", "set spec.trainer.numProcPerNode"),
    "name_too_long": (NEWEST, "JSC109", "error", "no more than 63 characters", "cut 19 characters off"),
    "no_ancestor": (NEWEST, "JSC372", "warning", "no replicatedJob is labelled as the trainer", "on the replicatedJob node"),
    "no_trainer": (NEWEST, "JSC802", "warning", "no spec.trainer, so PET_* and port 29500 are not injected", "write trainer: {}"),
    "old_group": (NEWEST, "JSC102", "error", "no matches for kind", "write apiVersion: trainer.kubeflow.org/v1alpha1"),
    "old_names_of_fields": (NEWEST, "JSC103", "warning", 'unknown field "spec.datasetConfig"', "now it is spec.initializer.dataset"),
    "one_process": (NEWEST, "JSC804", "info", "one process per node", "declare the GPUs in resourcesPerNode"),
    "override_renamed": (NEWEST, "JSC103", "warning", 'unknown field "spec.podTemplateOverrides"', "v2.3 has runtimePatches"),
    "patch_for_an_unknown_job": (NEWEST, "JSC810", "warning", "the runtime has no replicatedJob nodes", "the runtime has node"),
    "patch_twice": (NEWEST, "JSC107", "error", "Duplicate value", "keep one of the two"),
    "placeholder": (NEWEST, "JSC105", "error", "numNodes of type int32", "${WORKER_COUNT} looks like a placeholder"),
    "policy_on_trainjob": (NEWEST, "JSC103", "warning", 'unknown field "spec.mlPolicy"', "in the runtime: spec.mlPolicy"),
    "pytorchjob": (NEWEST, "JSC601", "error", 'no matches for kind "PyTorchJob"', "jobset-compiler migrate"),
    "quoted_processes": (NEWEST, "JSC105", "error", "numProcPerNode of type int32", "write 1 without quotes"),
    "reserved_variables": (NEWEST, "JSC340", "error", "must not have reserved envs", "they follow from numNodes"),
    "resources_replaced": ("v2.2", "JSC807", "warning", "requests.cpu, requests.memory lost", "repeat the runtime's resources here"),
    "target_job_singular": ("v2.1", "JSC103", "warning", "targetJob", "did you mean targetJobs?"),
    "target_jobs_as_strings": ("v2.0", "JSC105", "error", "must be of type object", "write {name: trainer-node}"),
    "template_of_a_chart": (NEWEST, "JSC007", "error", "could not find expected ':'", "helm template"),
    "time_to_live": (NEWEST, "JSC377", "warning", "deleted 60 s after it finished", "delete finished TrainJobs"),
    "two_replicas": (NEWEST, "JSC356", "error", "always must be 1", "spec.mlPolicy.numNodes"),
    "unknown_scheme": (NEWEST, "JSC383", "warning", "not gs://bucket/data", "hf:// or s3://"),
    "version_of_the_runtime_ref": (NEWEST, "JSC103", "warning", 'unknown field "spec.runtimeRef.apiVersion"', "did you mean apiGroup?"),
    "wrong_kind": (NEWEST, "JSC102", "error", 'no matches for kind "TrainingJob"', "did you mean TrainJob?"),
    "wrong_kind_of_runtime": (NEWEST, "JSC201", "error", "not found", "write runtimeRef.kind: TrainingRuntime"),
    "wrong_nesting": (NEWEST, "JSC103", "warning", "template.spec.containers", "replicatedJobs[0].template.spec.template.spec"),
    "wrong_volume_name": (NEWEST, "JSC333", "error", "must have volumeMount with name - initializer", "name: initializer"),
}


def test_every_manifest_is_expected_and_cited() -> None:
    files = {file.stem: file for file in DATA.glob("*.yaml")}
    assert files.keys() == EXPECTED.keys()
    assert all(file.read_text().startswith("# ") for file in files.values())


@pytest.mark.parametrize("name", EXPECTED)
def test_the_finding_names_cause_and_way_out(name: str) -> None:
    release, code, severity, cause, way_out = EXPECTED[name]
    result = jc.compile_yaml((DATA / f"{name}.yaml").read_text(), trainer_version=release, file=f"{name}.yaml")
    found = [(d.severity, d.message, d.hint) for d in result.diagnostics if d.code == code]
    assert any(got == severity and cause in message and way_out in hint for got, message, hint in found), result.diagnostics
    assert all(d.line > 1 for d in result.diagnostics if d.code == code), "below the comment that cites the report"
    assert result.ok == (severity != "error" and not any(d.is_error for d in result.diagnostics))


@pytest.mark.parametrize("name", EXPECTED)
def test_little_else_is_said(name: str) -> None:
    """The finding does not drown: at most three errors and warnings about one manifest."""
    result = jc.compile_yaml((DATA / f"{name}.yaml").read_text(), trainer_version=EXPECTED[name][0])
    assert len([d for d in result.diagnostics if d.severity != "info"]) <= (4 if name == "old_names_of_fields" else 3)


def test_what_concerns_a_bundled_runtime_is_told_and_silenced_at_the_reference_to_it() -> None:
    """Nobody can open, or write a comment into, a file that comes with the compiler."""
    from jobset_compiler.diagnostics.report import Policy

    text = (DATA / "launcher_as_node.yaml").read_text()
    for comment in ("", "  # jobset-compiler: ignore open-mpi-5"):
        result = jc.compile_yaml(text.replace("name: deepspeed-distributed", f"name: deepspeed-distributed{comment}"), file="job.yaml")
        (found,) = [d for d in result.diagnostics if d.slug == "open-mpi-5"]
        assert (found.file, found.line, [note.span.file for note in found.notes]) == ("job.yaml", 8, ["<bundled v2.3/deepspeed-distributed.yaml>"])
        assert (Policy(verbose=True).judge(found) is None) == bool(comment)
