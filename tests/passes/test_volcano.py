from __future__ import annotations

import pytest

from jobset_compiler.passes.volcano import priority_class_names
from tests.passes.plans import compiled, edits, job, plan_of, runtime, step, the, trainjob

GROUP = "scheduling.k8s.io/group-name"


@pytest.mark.parametrize("profile", ["v2.1", "v2.2", "v2.3"])
def test_every_pod_template_is_annotated(profile: str) -> None:
    given = runtime({}, job(), job("other", None), gang={"volcano": {}})
    jobs = the(compiled(given, trainjob({}), profile), "JobSet")["spec"]["replicatedJobs"]
    assert [entry["template"]["spec"]["template"]["metadata"]["annotations"] for entry in jobs] == [{GROUP: "job"}] * 2


def test_nothing_with_coscheduling() -> None:
    assert edits(step("volcano"), plan_of(runtime({}, gang={"coscheduling": {}}), trainjob({}))) == []


def test_priority_classes_in_the_order_of_the_jobs() -> None:
    given = runtime({}, job(priorityClassName="low"), job("b", None), job("c", None, priorityClassName="high"), gang={"volcano": {}})
    assert priority_class_names(plan_of(given, trainjob({}))) == ("low", "high")
