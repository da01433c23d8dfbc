"""What the library says where the Job and Pod APIs would refuse what the controller submits."""

from __future__ import annotations

import pytest

import jobset_compiler as jc

TEXT = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train, namespace: team}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    numNodes: 2
    image: registry.example.com/team/train:1
    resourcesPerNode:
      requests: {cpu: 4}
      limits: {cpu: %s}
"""


def test_the_objects_are_what_the_controller_submits_also_where_its_jobs_are_refused() -> None:
    result, good = jc.compile_yaml(TEXT % 1), jc.compile_yaml(TEXT % 8)
    (error,) = (diagnostic for diagnostic in result.diagnostics if diagnostic.is_error)
    assert error.stage == "children" and error.message.startswith("Job train-node-0 would be refused: spec.template.spec.containers[0].resources.requests: ")
    assert error.path == "spec.trainer.resourcesPerNode.requests.cpu"
    assert not result.ok and result.is_submitted
    assert [item["kind"] for item in result.objects] == ["JobSet"] and result.to_yaml() == good.to_yaml().replace('cpu: "8"', 'cpu: "1"')
    assert good.ok and good.is_submitted


def test_errors_of_earlier_stages_leave_no_objects() -> None:
    result = jc.compile_yaml(TEXT.replace("numNodes: 2", "numNodes: two") % 1)
    assert not result.ok and not result.is_submitted and not result.objects


OVERRIDE = """\
  podTemplateOverrides:
  - targetJobs: [{name: node}]
    spec:
      tolerations: [{key: sla, operator: Gt, value: "95", effect: NoSchedule}]
"""


@pytest.mark.parametrize(("kubernetes", "operators"), [(None, '"Equal", "Exists"'), ("1.36", '"Equal", "Exists", "Lt", "Gt"')])
def test_another_kubernetes_has_other_words(kubernetes: str | None, operators: str) -> None:
    result = jc.compile_yaml(TEXT % 8 + OVERRIDE, trainer_version="v2.1", kubernetes=kubernetes)
    (error,) = (diagnostic for diagnostic in result.diagnostics if diagnostic.is_error)
    assert error.message.endswith(f'.operator: Unsupported value: "Gt": supported values: {operators}')


def test_an_unknown_kubernetes_raises() -> None:
    with pytest.raises(ValueError, match=r"^unknown Kubernetes release '1\.9'; known: 1\.32, 1\.33, 1\.34, 1\.35, 1\.36"):
        jc.compile_yaml(TEXT % 8, kubernetes="1.9")
