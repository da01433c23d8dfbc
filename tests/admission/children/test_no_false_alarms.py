"""What is right gets no finding: the bundled runtimes of every release, by any API server that we know."""

from __future__ import annotations

import pytest

from jobset_compiler import compile_objects, runtimes
from jobset_compiler.profiles import PROFILES
from jobset_compiler.profiles.kubernetes import MINORS


@pytest.mark.parametrize("kubernetes", [minor.name for minor in MINORS])
@pytest.mark.parametrize("release", [profile.name for profile in PROFILES])
def test_bundled_runtimes(release: str, kubernetes: str) -> None:
    for name in runtimes.names(release):
        spec = {"runtimeRef": {"name": name}, "trainer": {"image": "i"}}
        job = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "job", "namespace": "team"}, "spec": spec}
        result = compile_objects([job], trainer_version=release, kubernetes=kubernetes)
        assert result.objects and [each.message for each in result.diagnostics if each.stage in ("children", "plugins")] == [], name
