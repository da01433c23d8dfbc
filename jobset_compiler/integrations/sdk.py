"""What the Kubeflow SDK would create: `TrainerClient.train(...)` without a cluster.

    from jobset_compiler.integrations.sdk import Preview

    preview = Preview(namespace="ml-team")
    preview.client.train(runtime="torch-distributed", trainer=CustomTrainer(func=train, num_nodes=4))
    print(preview.compile().to_yaml())

The client is the SDK's own, with its Kubernetes backend; only the API server behind it is replaced: it has the runtimes that were
given and the community runtimes of the release, and it remembers what is created. Needs the package `kubeflow` (0.5); any other
call than those of train, list_runtimes and get_runtime raises an error that says so.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jobset_compiler import runtimes as bundled
from jobset_compiler.api.runtime import CLUSTER_KIND, NAMESPACED_KIND
from jobset_compiler.api.trainjob import DEFAULT_NAMESPACE
from jobset_compiler.library import arguments
from jobset_compiler.library.calls import compile_objects, resolve_profile
from jobset_compiler.source.objects import as_tree
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jobset_compiler.profiles import TrainerVersion
    from jobset_compiler.result.compilation import Compilation

Tree = dict[str, Any]
PLURALS = {"clustertrainingruntimes": CLUSTER_KIND, "trainingruntimes": NAMESPACED_KIND}


class Preview:
    """client: a `kubeflow.trainer.TrainerClient`; trainjobs: what its calls of train() created, in order."""

    def __init__(
        self,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        runtimes: Iterable[object] = (),
        trainer_version: TrainerVersion | str | None = None,
        bundled_runtimes: bool = True,
    ) -> None:
        """runtimes: mappings or models; trainer_version: the release, the newest by default (ValueError for an unknown one).

        ImportError where the SDK is not installed.
        """
        arguments.objects(runtimes, "runtimes")
        self.trainer_version = resolve_profile(trainer_version).name
        self.bundled_runtimes = bundled_runtimes
        self.runtimes: list[Tree] = [as_tree(runtime) for runtime in runtimes]
        self.trainjobs: list[Tree] = []
        self.client = _client(_ApiServer(self, namespace), namespace)

    def compile(self) -> Compilation:
        """The objects that the controller would create for everything that was submitted so far."""
        return compile_objects([*self.runtimes, *self.trainjobs], trainer_version=self.trainer_version, bundled_runtimes=self.bundled_runtimes)


def _client(server: _ApiServer, namespace: str) -> Any:
    # Neither class is made by its own __init__, which looks for a kubeconfig and asks a cluster for its version.
    trainer = import_module("kubeflow.trainer")
    backends = import_module("kubeflow.trainer.backends.kubernetes.backend")
    backend = backends.KubernetesBackend.__new__(backends.KubernetesBackend)
    backend.custom_api = server
    backend.core_api = server
    backend.namespace = namespace
    client = trainer.TrainerClient.__new__(trainer.TrainerClient)
    client.backend = backend
    return client


class _ApiServer:
    """As much of `CustomObjectsApi` as it takes to submit a TrainJob."""

    def __init__(self, preview: Preview, namespace: str) -> None:
        self._preview = preview
        self._namespace = namespace

    def get_cluster_custom_object(self, group: str, version: str, plural: str, name: str, **_: Any) -> _Answer:
        return _Answer(self._find(plural, name))

    def get_namespaced_custom_object(self, group: str, version: str, namespace: str, plural: str, name: str, **_: Any) -> _Answer:
        return _Answer(self._find(plural, name))

    def list_cluster_custom_object(self, group: str, version: str, plural: str, **_: Any) -> _Answer:
        return _Answer(self._list(plural))

    def list_namespaced_custom_object(self, group: str, version: str, namespace: str, plural: str, **_: Any) -> _Answer:
        return _Answer(self._list(plural))

    def create_namespaced_custom_object(self, group: str, version: str, namespace: str, plural: str, body: object, **_: Any) -> Tree:
        trainjob: Tree = as_tree(body)
        trainjob["metadata"] = {**trainjob.get("metadata", {}), "namespace": namespace}
        self._preview.trainjobs.append(trainjob)
        return trainjob

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(f"a preview submits TrainJobs and knows runtimes; {name} needs a cluster")

    def _find(self, plural: str, name: str) -> Tree | Exception:
        for runtime in self._runtimes(plural):
            if runtime["metadata"]["name"] == name:
                return runtime
        not_found: Exception = import_module("kubernetes.client").ApiException(status=404, reason=f"no {plural} {name}")
        return not_found

    def _list(self, plural: str) -> Tree:
        if plural not in PLURALS:
            raise NotImplementedError(f"a preview submits TrainJobs and knows runtimes; listing {plural} needs a cluster")
        return {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": f"{PLURALS[plural]}List", "metadata": {}, "items": self._runtimes(plural)}

    def _runtimes(self, plural: str) -> list[Tree]:
        """Those given, and the bundled ones that they do not hide."""
        kind = PLURALS[plural]
        found = [runtime for runtime in self._preview.runtimes if runtime.get("kind") == kind]
        found = [runtime for runtime in found if kind == CLUSTER_KIND or runtime["metadata"].get("namespace", DEFAULT_NAMESPACE) == self._namespace]
        if kind == CLUSTER_KIND and self._preview.bundled_runtimes:
            given = {runtime["metadata"]["name"] for runtime in found}
            release = self._preview.trainer_version
            for name in bundled.names(release):
                if name not in given:
                    found.append(read_text(bundled.text_of(release, name))[0][0].value)
        return found


class _Answer:
    """What an asynchronous call returns: a thread whose result is there at once."""

    def __init__(self, value: Tree | Exception) -> None:
        self._value = value

    def get(self, timeout: object = None) -> Tree:
        if isinstance(self._value, Exception):
            raise self._value
        return self._value
