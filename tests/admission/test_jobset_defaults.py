"""The JobSet after its own admission: schema defaults, webhook defaults, Go's round trip."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from jobset_compiler.admission.jobset_defaults import admitted_form, with_webhook_defaults
from jobset_compiler.profiles import PROFILES, Profile

Tree = dict[str, Any]


def jobset(*jobs: Tree, **spec: Any) -> Tree:
    meta = {"name": "js", "namespace": "ns"}
    return {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": meta, "spec": {"replicatedJobs": list(jobs), **spec}}


def replicated(spec: Tree | None = None, pod: Tree | None = None) -> Tree:
    template = {"metadata": {}, "spec": {**(spec or {}), "template": {"metadata": {}, "spec": {"containers": [{"name": "c", "image": "i"}], **(pod or {})}}}}
    return {"name": "a", "template": template}


def newest(manifest: Tree) -> Tree:
    return admitted_form(manifest, PROFILES[-1])


def test_everything_that_is_filled_in() -> None:
    before = jobset(
        replicated(), failurePolicy={"rules": [{"name": "r", "action": "FailJobSet"}, {"name": "", "action": "FailJobSet"}]}, volumeClaimPolicies=[{}]
    )
    untouched = deepcopy(before)
    spec = newest(before)["spec"]
    assert before == untouched
    assert spec["network"] == {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    assert (spec["successPolicy"], spec["startupPolicy"]) == ({"operator": "All"}, {"startupPolicyOrder": "AnyOrder"})
    assert spec["failurePolicy"]["restartStrategy"] == "Recreate"
    assert [rule["name"] for rule in spec["failurePolicy"]["rules"]] == ["r", "failurePolicyRule1"]
    assert spec["volumeClaimPolicies"] == [{"retentionPolicy": {"whenDeleted": "Delete"}}]
    (job,) = spec["replicatedJobs"]
    assert (job["replicas"], job["groupName"]) == (1, "default")
    assert job["template"]["spec"]["completionMode"] == "Indexed"
    pod = job["template"]["spec"]["template"]["spec"]
    assert pod == {"containers": [{"name": "c", "image": "i", "resources": {}}], "restartPolicy": "OnFailure"}


def test_nothing_that_is_set_is_changed() -> None:
    network = {"enableDNSHostnames": False, "publishNotReadyAddresses": False, "subdomain": "s"}
    given = jobset(
        {**replicated({"completionMode": "NonIndexed"}, {"restartPolicy": "Never"}), "replicas": 0},
        network=network,
        successPolicy={"operator": "Any"},
        startupPolicy={"startupPolicyOrder": "InOrder"},
        volumeClaimPolicies=[{"retentionPolicy": {"whenDeleted": "Retain"}}],
    )
    spec = newest(given)["spec"]
    for key in ("network", "successPolicy", "startupPolicy", "volumeClaimPolicies"):
        assert spec[key] == given["spec"][key]
    (job,) = spec["replicatedJobs"]
    assert job["replicas"] == 0, "an explicit zero survives the webhook's patch"
    assert job["template"]["spec"]["completionMode"] == "NonIndexed"
    assert job["template"]["spec"]["template"]["spec"]["restartPolicy"] == "Never"


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_groups_and_creation_times_by_release(profile: Profile) -> None:
    """Groups came with JobSet 0.9; Go writes a null creation time up to Kubernetes 0.33."""
    stored = admitted_form(jobset(replicated()), profile)
    assert ("groupName" in stored["spec"]["replicatedJobs"][0]) == (profile.name != "v2.0")
    assert ("creationTimestamp" in stored["metadata"]) == (profile.name == "v2.0")
    assert "status" not in stored


def test_webhook_defaults_share_what_has_them() -> None:
    done = with_webhook_defaults(jobset(replicated()))
    again = with_webhook_defaults(done)
    assert again == done
    assert again["spec"]["replicatedJobs"][0] is done["spec"]["replicatedJobs"][0]

