"""The runtime webhooks: replicas and containers of ancestor jobs, the opt-out label, deprecation."""

from __future__ import annotations

import pytest

import jobset_compiler as jc
from tests.admission.rules.cases import ALL, Tree, compiled, job, refusals, runtime, trainjob

pytestmark = pytest.mark.usefixtures("whole_words")

REPLICAS = ("runtime-replicas", "spec.template.spec.replicatedJobs[0].replicas", "always must be 1")
OPT_OUT = {"trainer.kubeflow.org/webhook-validation": "disabled"}
DEPRECATED = {"trainer.kubeflow.org/support": "deprecated"}
KINDS = ("ClusterTrainingRuntime", "TrainingRuntime")


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("replicas", [0, 2])
def test_ancestor_jobs_have_one_replica(profile: str, kind: str, replicas: int) -> None:
    assert refusals(profile, runtime({**job("a", "trainer"), "replicas": replicas}, kind=kind)) == [REPLICAS]


@pytest.mark.parametrize("profile", ALL)
def test_other_jobs_and_one_replica_are_free(profile: str) -> None:
    jobs = [{**job("a"), "replicas": 3}, {**job("b", "evaluator"), "replicas": 2}, {**job("c", "trainer"), "replicas": 1}, job("d", "trainer")]
    assert refusals(profile, runtime(*jobs)) == []


@pytest.mark.parametrize("profile", ALL)
def test_only_2_0_looks_at_the_launcher(profile: str) -> None:
    assert refusals(profile, runtime({**job("launcher"), "replicas": 2})) == ([REPLICAS] if profile == "v2.0" else [])


def test_a_labelled_launcher_is_told_once() -> None:
    assert refusals("v2.0", runtime({**job("launcher", "trainer"), "replicas": 2})) == [REPLICAS]


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize("ancestor", ["trainer", "dataset-initializer", "model-initializer"])
def test_ancestor_jobs_have_their_container(profile: str, ancestor: str) -> None:
    other: list[Tree] = [{"name": "main", "image": "i"}]
    own = {"trainer": "node"}.get(ancestor, ancestor)
    expected = (
        "runtime-container-missing",
        "spec.template.spec.replicatedJobs[1].template.spec.template.spec.containers",
        f"must contain the required container for the ancestor: {ancestor}",
    )
    rt = runtime(job("x"), job("y", ancestor, containers=other, initContainers=[{"name": own, "image": "i"}]))
    assert refusals(profile, rt) == ([] if profile == "v2.0" else [expected])
    assert refusals(profile, runtime(job("x"), job("y", ancestor, containers=[*other, {"name": own, "image": "i"}]))) == []


def told(result: jc.Compilation) -> list[str]:
    """What the webhooks say: not our own advice, which comes with every runtime."""
    return [d.slug for d in result.diagnostics if not "JSC370" <= d.code <= "JSC399"]


@pytest.mark.parametrize("profile", ALL)
def test_the_opt_out_label_leaves_warnings(profile: str) -> None:
    result = compiled(profile, runtime({**job("a", "trainer"), "replicas": 2}, labels=OPT_OUT))
    slugs = told(result)
    if profile == "v2.3":
        assert result.ok and slugs == ["runtime-checks-skipped"]
        assert "always must be 1" in result.diagnostics[0].message
    else:
        assert not result.ok and slugs == ["runtime-replicas"]


def test_the_opt_out_label_alone_says_nothing() -> None:
    assert told(compiled("v2.3", runtime(labels=OPT_OUT))) == []


PAGES = {
    "v2.1": "https://www.kubeflow.org/docs/components/trainer/operator-guides/runtime/#runtime-deprecation-policy",
    "v2.2": "https://www.kubeflow.org/docs/components/trainer/operator-guides/runtime/#runtime-deprecation-policy",
    "v2.3": "https://trainer.kubeflow.org/en/latest/operator-guides/runtime.html#runtime-deprecation-policy",
}


@pytest.mark.parametrize("profile", ALL)
@pytest.mark.parametrize("kind", KINDS)
def test_deprecated_runtimes(profile: str, kind: str) -> None:
    reference = {"name": "rt", "kind": kind}
    result = compiled(profile, runtime(labels=DEPRECATED, kind=kind), {**trainjob(), "spec": {"runtimeRef": reference}})
    warning = 'ClusterTrainingRuntime "rt" is deprecated and will be removed in a future release of Kubeflow Trainer.'
    tail = f"{warning} See runtime deprecation policy: {PAGES.get(profile)}"
    warned = [d.message for d in result.diagnostics if d.severity == "warning" and "deprecat" in d.slug]
    assert result.ok
    assert warned == ([tail, f"Referenced {tail}"] if kind == "ClusterTrainingRuntime" and profile in PAGES else [])


def test_a_deprecated_runtime_that_opts_out_is_created_silently() -> None:
    assert told(compiled("v2.3", runtime(labels={**DEPRECATED, **OPT_OUT}))) == []


@pytest.mark.parametrize(
    ("containers", "hint"),
    [
        (["main"], "the container must be called node: rename main"),
        (["main", "side"], "the container must be called node: rename the main one"),
        ([], "add a container called node"),
    ],
)
def test_which_container_is_to_be_renamed(containers: list[str], hint: str) -> None:
    entry = job("node", "trainer")
    entry["template"]["spec"]["template"]["spec"]["containers"] = [{"name": name, "image": "i"} for name in containers]
    found = [d for d in compiled("v2.3", runtime(entry)).diagnostics if d.slug == "runtime-container-missing"]
    assert [d.hint for d in found] == [hint]
