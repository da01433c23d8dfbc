from __future__ import annotations

from jobset_compiler.emit.names import to_names


def test_names_as_kubectl_prints_them() -> None:
    kinds = [
        ("jobset.x-k8s.io/v1alpha2", "JobSet"),
        ("scheduling.x-k8s.io/v1alpha1", "PodGroup"),
        ("scheduling.volcano.sh/v1beta1", "PodGroup"),
        ("v1", "ConfigMap"),
        ("v1", "Secret"),
    ]
    objects = [{"apiVersion": version, "kind": kind, "metadata": {"name": "train"}} for version, kind in kinds]
    assert to_names(objects) == (
        "jobset.jobset.x-k8s.io/train\n"
        "podgroup.scheduling.x-k8s.io/train\n"
        "podgroup.scheduling.volcano.sh/train\n"
        "configmap/train\n"
        "secret/train\n"
    )
    assert to_names([]) == ""
