"""The calls of the library: text or Python objects in, a Compilation out; two texts in, the verdict on an update out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from jobset_compiler.dialects.wishes import Wishes
from jobset_compiler.extensions import with_extensions
from jobset_compiler.library import arguments
from jobset_compiler.library.known import RuntimeMemory
from jobset_compiler.passes.registry import BUILTIN
from jobset_compiler.pipeline import compile_documents
from jobset_compiler.profiles import JOBSETS, NEWEST, PROFILES, find, find_jobset
from jobset_compiler.profiles.kubernetes import MINORS, find_kubernetes
from jobset_compiler.request.options import Options
from jobset_compiler.resolve.facts import NO_FACTS
from jobset_compiler.source.diagnose import diagnose
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.passes.api import Pass
    from jobset_compiler.profiles import Profile, TrainerVersion
    from jobset_compiler.profiles.kubernetes import Kubernetes
    from jobset_compiler.resolve.facts import Facts
    from jobset_compiler.result.compilation import Compilation
    from jobset_compiler.result.update import Update

# What recent calls were passed; no call can be told from another by it.
RUNTIMES = RuntimeMemory()


def compile_yaml(
    text: str,
    *,
    trainer_version: TrainerVersion | str | None = None,
    jobset_version: str | None = None,
    kubernetes: str | None = None,
    bundled_runtimes: bool = True,
    facts: Facts | None = None,
    feature_gates: Mapping[str, bool] | None = None,
    passes: Sequence[Pass] | None = None,
    extensions: Sequence[str] = (),
    validate: Literal["warn", "strict", "ignore"] = "warn",
    convert: bool = False,
    file: str = "<input>",
) -> Compilation:
    """Compile YAML or JSON text with any number of documents.

    trainer_version: "v2.0" to "v2.3" (also "2.3", "2.3.0"), the newest by default; anything else raises ValueError.
    jobset_version: "0.8.2" to "0.12.0" (also "0.12", "latest"), the JobSet in the cluster: by default the one that the release comes with.
    kubernetes: "1.32" to "1.36", whose API server judges Jobs and Pods, that of the release by default; ValueError as well.
    validate: what becomes of unknown and duplicate fields, which a server drops: "warn" (as the API server), "strict" (errors, as kubectl),
    "ignore"; anything else raises ValueError.
    bundled_runtimes: whether the community runtimes of the release are there, beside those in the text.
    facts: what only a cluster knows; nothing by default. feature_gates: gates of the controller that are switched on.
    convert: documents of older APIs (PyTorchJob, MPIJob, kubeflow.org/v2alpha1, ...) are compiled as `migrate` would rewrite them.
    passes: those that act, in order; the built-in ones by default. extensions: what acts besides although no release of Trainer does it
    ("mpi-hydra", "open-mpi-5"); ValueError for others. file: what places in the text are called.

    Bad input never raises: it comes back as diagnostics, and then `objects` is empty, unless only Jobs
    and Pods would be refused (stage "children"). TypeError for what is no text.
    """
    arguments.text(text, "compile_yaml")
    options = _options(trainer_version, jobset_version, kubernetes, bundled_runtimes, facts, feature_gates, passes, extensions, validate, convert)
    documents, problems = read_text(text, file, earlier=RUNTIMES)
    if not problems:
        RUNTIMES.remember_texts(documents)
    return compile_documents(documents, diagnose(problems, validate), options, RUNTIMES.read_runtime)


def compile_objects(
    objects: Iterable[object],
    *,
    trainer_version: TrainerVersion | str | None = None,
    jobset_version: str | None = None,
    kubernetes: str | None = None,
    bundled_runtimes: bool = True,
    facts: Facts | None = None,
    feature_gates: Mapping[str, bool] | None = None,
    passes: Sequence[Pass] | None = None,
    extensions: Sequence[str] = (),
    validate: Literal["warn", "strict", "ignore"] = "warn",
    convert: bool = False,
) -> Compilation:
    """Compile Python objects: mappings, `TrainJob` and the other models, models that have model_dump() (pydantic) or to_dict()
    (Kubernetes clients).

    The objects are read, never changed. Arguments and results as `compile_yaml`. TypeError for one object in place of a list.
    """
    arguments.objects(objects, "compile_objects")
    options = _options(trainer_version, jobset_version, kubernetes, bundled_runtimes, facts, feature_gates, passes, extensions, validate, convert)
    from jobset_compiler.diagnostics.codes.source import BY_SLUG
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.source.objects import ObjectError

    documents, problems = [], []
    for index, item in enumerate(objects):
        file = f"<object {index}>"
        try:
            documents.append(Document.from_object(RUNTIMES.tree_of(item), file))
        except ObjectError as error:
            problems.append(Diagnostic(BY_SLUG[error.slug], str(error), document=Document.from_object(None, file), stage="source"))
    return compile_documents(documents, problems, options, RUNTIMES.read_runtime)


def check_update(
    was: str,
    text: str,
    *,
    trainer_version: TrainerVersion | str | None = None,
    jobset_version: str | None = None,
    kubernetes: str | None = None,
    bundled_runtimes: bool = True,
    facts: Facts | None = None,
    feature_gates: Mapping[str, bool] | None = None,
    passes: Sequence[Pass] | None = None,
    extensions: Sequence[str] = (),
    active: Iterable[str] = (),
    validate: Literal["warn", "strict", "ignore"] = "warn",
    was_file: str = "<was>",
    file: str = "<input>",
) -> Update:
    """What a cluster that has the documents of `was` says to those of `text`: which edits it refuses, which would have no effect.

    Documents belong together by kind, namespace and name; one without an earlier self is judged as a new object. active: replicatedJobs
    whose Jobs still run although their TrainJob is suspended. Further arguments as `compile_yaml`; bad input never raises, an argument of
    another type is a TypeError.
    """
    arguments.text(was, "check_update")
    arguments.text(text, "check_update")
    arguments.names(active, "active")
    from jobset_compiler.library import updates
    from jobset_compiler.result.update import Update

    options = _options(trainer_version, jobset_version, kubernetes, bundled_runtimes, facts, feature_gates, passes, extensions, validate)
    before, _ = read_text(was, was_file)
    documents, problems = read_text(text, file)
    return Update((*options.problems, *diagnose(problems, validate), *updates.check_update(list(before), list(documents), options, tuple(active))))


def _options(
    trainer_version: str | None,
    jobset_version: str | None,
    kubernetes: str | None,
    bundled_runtimes: bool,
    facts: Facts | None,
    feature_gates: Mapping[str, bool] | None,
    passes: Sequence[Pass] | None,
    extensions: Sequence[str],
    validate: Literal["warn", "strict", "ignore"] = "warn",
    convert: bool = False,
) -> Options:
    arguments.choices(trainer_version, jobset_version, facts, feature_gates, passes)
    arguments.names(extensions, "extensions")
    if validate not in ("strict", "warn", "ignore"):
        raise ValueError(f"validate is strict, warn or ignore, not {validate!r}")
    facts = NO_FACTS if facts is None else facts
    if feature_gates:
        facts = facts._replace(feature_gates=facts.feature_gates | {gate for gate, on in feature_gates.items() if on})
    profile = resolve_profile(trainer_version, jobset_version)
    problems: tuple[Diagnostic, ...] = ()
    if trainer_version or jobset_version:
        from jobset_compiler.request.releases import about_release

        problems = about_release(trainer_version or "", profile, jobset_version or "")
    return Options(
        profile=profile,
        bundled_runtimes=bundled_runtimes,
        facts=facts,
        passes=with_extensions(BUILTIN if passes is None else tuple(passes), extensions),
        validate=validate,
        kubernetes=None if kubernetes is None else resolve_kubernetes(kubernetes),
        convert=Wishes() if convert else None,
        problems=problems,
    )


def resolve_profile(name: str | None, jobset: str | None = None) -> Profile:
    """The profile of that name, the newest for None, with the JobSet of the other name, its own for None; ValueError with the known names."""
    profile = NEWEST if name is None else find(name)
    if profile is None:
        known: list[Any] = [profile.name for profile in PROFILES]
        raise ValueError(f"unknown release {name!r}; known: {', '.join(known)}")
    if jobset is None:
        return profile
    found = find_jobset(jobset)
    if found is None:
        raise ValueError(f"unknown JobSet release {jobset!r}; known: {', '.join(known.version for known in JOBSETS)}")
    return profile.with_jobset(found)


def resolve_kubernetes(name: str) -> Kubernetes:
    """The minor release of Kubernetes of that name; ValueError with the known names otherwise."""
    minor = find_kubernetes(name)
    if minor is None:
        raise ValueError(f"unknown Kubernetes release {name!r}; known: {', '.join(known.name for known in MINORS)}")
    return minor
