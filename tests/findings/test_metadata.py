"""Labels and annotations that somebody reads on pods or on the JobSet, on a TrainJob instead."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.diagnostics.codes import silent
from tests.passes.plans import compiled, job, runtime, trainjob

ON_PODS = (
    "sidecar.istio.io/inject",
    "traffic.sidecar.istio.io/excludeInboundPorts",
    "istio.io/rev",
    "linkerd.io/inject",
    "config.linkerd.io/skip-inbound-ports",
    "prometheus.io/scrape",
    "k8s.v1.cni.cncf.io/networks",
    "cluster-autoscaler.kubernetes.io/safe-to-evict",
    "karpenter.sh/do-not-disrupt",
    "vault.hashicorp.com/agent-inject",
    "gke-gcsfuse/volumes",
    "container.apparmor.security.beta.kubernetes.io/node",
)
ON_JOBSETS = ("alpha.jobset.sigs.k8s.io/exclusive-topology",)


def said(key: str, given: dict[str, Any], field: str = "annotations") -> list[str]:
    found = compiled(given, trainjob({}, metadata={field: {key: "x"}})).diagnostics
    assert all(each.at == ("metadata", field, key) for each in found if each.rule == silent.METADATA_STAYS)
    return [f"{each.message}; {each.hint}" for each in found if each.rule == silent.METADATA_STAYS]


@pytest.mark.parametrize("field", ["labels", "annotations"])
@pytest.mark.parametrize("key", [*ON_PODS, *ON_JOBSETS])
def test_who_reads_it_and_where_it_belongs(key: str, field: str) -> None:
    who, place = ("pods", "the pod template") if key in ON_PODS else ("the JobSet", "spec.template.metadata")
    (found,) = said(key, runtime({"torch": {}}), field)
    assert found == (
        f"{key} is read on {who}, and {field} of a TrainJob stay with the TrainJob; "
        f"write it into {place} of the runtime, or of a patch in the TrainJob"
    )


@pytest.mark.parametrize("key", ["istio.io/other", "example.com/prometheus.io/scrape", "jobset.sigs.k8s.io/x"])
def test_others_are_anybodys(key: str) -> None:
    assert said(key, runtime({"torch": {}})) == []


def test_what_the_runtime_has_as_well_is_read() -> None:
    of_pods = job()
    of_pods["template"]["spec"]["template"]["metadata"] = {"annotations": {ON_PODS[0]: "x"}}
    assert said(ON_PODS[0], runtime({"torch": {}}, of_pods)) == []
    assert said(ON_PODS[0], runtime({"torch": {}}, of_pods), "labels") != [], "it has the annotation"
    assert said(ON_JOBSETS[0], runtime({"torch": {}}, metadata={"annotations": {ON_JOBSETS[0]: "x"}})) == []
