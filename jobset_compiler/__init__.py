"""jobset_compiler: Kubeflow Trainer v2 TrainJobs and runtimes in, the JobSets that the controller would create out.

    import jobset_compiler as jc

    result = jc.compile_yaml(text, trainer_version="v2.3")
    print(result.to_yaml() if result.ok else result.diagnostics)

    job = jc.TrainJob(metadata={"name": "mnist"}, spec={"runtimeRef": {"name": "torch-distributed"}, "trainer": {"numNodes": 2}})
    print(jc.compile_objects([job]).to_yaml())

No cluster, no network, no side effects. Start reading at `jobset_compiler/pipeline.py`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jobset_compiler import models as models
    from jobset_compiler.diagnostics.diagnostic import Diagnostic as Diagnostic
    from jobset_compiler.library.calls import check_update as check_update
    from jobset_compiler.library.calls import compile_objects as compile_objects
    from jobset_compiler.library.calls import compile_yaml as compile_yaml
    from jobset_compiler.models import ClusterTrainingRuntime as ClusterTrainingRuntime
    from jobset_compiler.models import TrainingRuntime as TrainingRuntime
    from jobset_compiler.models import TrainJob as TrainJob
    from jobset_compiler.profiles import PROFILES as PROFILES
    from jobset_compiler.resolve.facts import Facts as Facts
    from jobset_compiler.result.compilation import Compilation as Compilation

__version__ = "0.1.0"
__all__ = [
    "compile_yaml",
    "compile_objects",
    "check_update",
    "TrainJob",
    "TrainingRuntime",
    "ClusterTrainingRuntime",
    "models",
    "Compilation",
    "Diagnostic",
    "Facts",
    "PROFILES",
    "__version__",
]

# Names are loaded when first used: `import jobset_compiler` by itself costs nothing.
_HOMES = {
    "compile_yaml": "jobset_compiler.library.calls",
    "compile_objects": "jobset_compiler.library.calls",
    "check_update": "jobset_compiler.library.calls",
    "TrainJob": "jobset_compiler.models",
    "TrainingRuntime": "jobset_compiler.models",
    "ClusterTrainingRuntime": "jobset_compiler.models",
    "models": "jobset_compiler.models",
    "Compilation": "jobset_compiler.result.compilation",
    "Diagnostic": "jobset_compiler.diagnostics.diagnostic",
    "Facts": "jobset_compiler.resolve.facts",
    "PROFILES": "jobset_compiler.profiles",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = __import__(home, fromlist=["__name__"])
    return module if home == f"{__name__}.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
