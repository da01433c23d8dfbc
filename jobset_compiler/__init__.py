"""Kubeflow Trainer v2 TrainJobs and runtimes in, the JobSets that the controller would create out: no cluster, no network.

    import jobset_compiler as jc

    result = jc.compile_yaml(open("job.yaml").read(), trainer_version="v2.3")
    print(result.to_yaml() if result.ok else "\\n".join(map(str, result.diagnostics)))

Compile

    compile_yaml(text)             text with any number of documents, TrainJobs and runtimes
    compile_objects([...])         mappings, models of this package, models of the Kubernetes clients
    check_update(was, text)        what a cluster that has `was` says to `text`
    migrate(text)                  jobs of the v1 operators, previews and older spellings, rewritten

Write (pydantic models, loaded when first used; try help(jobset_compiler.TrainJob))

    TrainJob, TrainingRuntime, ClusterTrainingRuntime      of the newest release
    models                         everything below them, and other releases: models.Trainer, models.v2_1.TrainJob

Read a result

    Compilation                    .ok .objects .diagnostics .podsets .requirements .to_yaml() .to_json()
                                   .origin_of(object, path) .affected_by(document, path)
    Update                         .ok .diagnostics
    Migration                      .ok .text .documents .diagnostics
    Diagnostic                     .code .severity .message .path .file .line .hint
    Origin, Effect                 where a value comes from, what a line of the input comes to
    PodSetSummary, Requirement     what will run, what only a cluster has

Choose

    TrainerVersion, PROFILES       the releases: "v2.0" to "v2.3"
    Facts                          what only a cluster knows, for the argument `facts`
    Wishes                         what `migrate` is to do differently
    Severity, Stage                the words that diagnostics use, for type checkers

The guide is docs/python.md. Contributors start reading at `jobset_compiler/pipeline.py`.
"""

from __future__ import annotations

from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jobset_compiler import models as models
    from jobset_compiler.diagnostics.codes.code import Severity as Severity
    from jobset_compiler.diagnostics.diagnostic import Diagnostic as Diagnostic
    from jobset_compiler.diagnostics.diagnostic import Stage as Stage
    from jobset_compiler.dialects.wishes import Wishes as Wishes
    from jobset_compiler.library.calls import check_update as check_update
    from jobset_compiler.library.calls import compile_objects as compile_objects
    from jobset_compiler.library.calls import compile_yaml as compile_yaml
    from jobset_compiler.library.migration import Migration as Migration
    from jobset_compiler.library.migration import migrate as migrate
    from jobset_compiler.models import ClusterTrainingRuntime as ClusterTrainingRuntime
    from jobset_compiler.models import TrainingRuntime as TrainingRuntime
    from jobset_compiler.models import TrainJob as TrainJob
    from jobset_compiler.profiles import PROFILES as PROFILES
    from jobset_compiler.profiles import TrainerVersion as TrainerVersion
    from jobset_compiler.provenance.effects import Effect as Effect
    from jobset_compiler.provenance.origins import Origin as Origin
    from jobset_compiler.resolve.facts import Facts as Facts
    from jobset_compiler.result.compilation import Compilation as Compilation
    from jobset_compiler.result.podsets import PodSetSummary as PodSetSummary
    from jobset_compiler.result.requirements import Requirement as Requirement
    from jobset_compiler.result.update import Update as Update

__version__ = "0.1.0"

# Names are loaded when first used: `import jobset_compiler` by itself costs nothing. One thread does so at a time: Python gives up (with a
# _DeadlockError) where one imports a package that needs a module of its own, and another that module, which needs its package.
_IMPORTING = RLock()
_HOMES = {
    "compile_yaml": "jobset_compiler.library.calls",
    "compile_objects": "jobset_compiler.library.calls",
    "check_update": "jobset_compiler.library.calls",
    "migrate": "jobset_compiler.library.migration",
    "Compilation": "jobset_compiler.result.compilation",
    "Update": "jobset_compiler.result.update",
    "Migration": "jobset_compiler.library.migration",
    "Diagnostic": "jobset_compiler.diagnostics.diagnostic",
    "Origin": "jobset_compiler.provenance.origins",
    "Effect": "jobset_compiler.provenance.effects",
    "PodSetSummary": "jobset_compiler.result.podsets",
    "Requirement": "jobset_compiler.result.requirements",
    "Wishes": "jobset_compiler.dialects.wishes",
    "Facts": "jobset_compiler.resolve.facts",
    "PROFILES": "jobset_compiler.profiles",
    "TrainerVersion": "jobset_compiler.profiles",
    "Severity": "jobset_compiler.diagnostics.codes.code",
    "Stage": "jobset_compiler.diagnostics.diagnostic",
    "models": "jobset_compiler.models",
    "TrainJob": "jobset_compiler.models",
    "TrainingRuntime": "jobset_compiler.models",
    "ClusterTrainingRuntime": "jobset_compiler.models",
}
# What `import *` and `help` show in full: all but the models, which bring pydantic and its hundred methods.
__all__ = [
    "compile_yaml",
    "compile_objects",
    "check_update",
    "migrate",
    "Compilation",
    "Update",
    "Migration",
    "Diagnostic",
    "Origin",
    "Effect",
    "PodSetSummary",
    "Requirement",
    "Wishes",
    "Facts",
    "PROFILES",
    "TrainerVersion",
    "Severity",
    "Stage",
    "__version__",
]


if not TYPE_CHECKING:  # checkers would take any name for one of ours

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        with _IMPORTING:
            module = __import__(home, fromlist=["__name__"])
        return module if home == f"{__name__}.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__all__", "__doc__", "__file__", "__name__", "__version__"])
