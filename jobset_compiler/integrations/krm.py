"""A KRM function: a ResourceList in, a ResourceList out, for kustomize, kpt and whatever else speaks it.

Source: the functions specification of kustomize (cmd/config/docs/api-conventions/functions-spec.md). Items that are not ours stay as they are
and where they are; a TrainJob gives place to its objects, which carry its path and index annotations, so that they are written
where it was. What there is to say goes into `results`, by item, file and field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.admission.documents import TRAIN_JOB, kind_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.diagnostic import Diagnostic
from jobset_compiler.diagnostics.report import Policy
from jobset_compiler.extensions import with_extensions
from jobset_compiler.library.calls import resolve_profile
from jobset_compiler.library.sources import Reader, Source
from jobset_compiler.library.streaming import compile_stream
from jobset_compiler.result.forms import ADMITTED, FORMS, in_form
from jobset_compiler.source.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jobset_compiler.profiles import Profile
    from jobset_compiler.request.options import Options
    from jobset_compiler.source.reader import Found

Tree = dict[str, Any]
API_VERSION = "config.kubernetes.io/v1"
KIND = "ResourceList"
# Where an item came from, by the present and the former name of the annotation.
PATH = ("internal.config.kubernetes.io/path", "config.kubernetes.io/path")
INDEX = ("internal.config.kubernetes.io/index", "config.kubernetes.io/index")
RENDER, CHECK = "render", "check"


class FunctionConfig(NamedTuple):
    """What functionConfig says, on top of the options of the command line."""

    options: Options
    mode: str = RENDER
    keep_runtimes: bool = False
    form: str = ADMITTED
    secrets: bool = True
    with_snapshot: bool = False


class ItemDiagnostic(NamedTuple):
    """A diagnostic and the item that it is about, None for none."""

    diagnostic: Diagnostic
    item: Tree | None


class Transformed(NamedTuple):
    """resource_list: what goes to standard output; findings: the same as in its results."""

    resource_list: Tree
    findings: tuple[ItemDiagnostic, ...]

    @property
    def failed(self) -> bool:
        return any(finding.diagnostic.is_error for finding in self.findings)


def transform(
    resource_list: object,
    options: Options,
    policy: Policy = Policy(errors_stand=True),  # noqa: B008 (immutable)
    runtimes: Sequence[Source] = (),
) -> Transformed:
    """Compile the TrainJobs of a ResourceList; with an error in it the items stay as they are. The argument is not changed.

    runtimes: sources of runtimes besides the items.
    """
    wrong = _malformed(resource_list)
    if wrong or not isinstance(resource_list, dict):
        problem = Diagnostic(codes.output.RESOURCE_LIST_INVALID, wrong, stage="krm")
        return _finish({"apiVersion": API_VERSION, "kind": KIND, "items": []}, [ItemDiagnostic(problem, None)], policy)
    items: list[Any] = resource_list.get("items") or []
    settings, problems = settings_of(resource_list.get("functionConfig"), options)
    if problems:
        return _finish(resource_list, [ItemDiagnostic(problem, None) for problem in (*options.problems, *problems)], policy)
    findings: list[ItemDiagnostic] = []
    documents = [Document.from_object(item, _label(item, index), index) for index, item in enumerate(items)]
    reader = _Items(documents)
    item_of = {id(document): item for document, item in zip(documents, items, strict=True)}
    made: dict[int, list[Any]] = {}
    refused: set[int] = set()
    for step in compile_stream([*runtimes, *reader.sources], settings.options, reader):
        index = reader.index_of(step.source)
        here = None if index is None else items[index]
        findings += [ItemDiagnostic(diagnostic, item_of.get(id(diagnostic.document), here)) for diagnostic in step.diagnostics]
        kind = "" if step.document is None else kind_of(step.document.value)
        if index is None or step.document is None or not kind:
            continue
        objects = made.setdefault(index, [])
        if kind != TRAIN_JOB:
            objects += [step.document.value] if settings.keep_runtimes else []
        elif step.unit is None or any(diagnostic.is_error for diagnostic in step.diagnostics):
            refused.add(index)
        else:
            forms = in_form(step.unit, settings.form, secrets=settings.secrets, snapshot=settings.with_snapshot)
            objects += [_placed(manifest, items[index]) for manifest in forms]
    out = [each for index, item in enumerate(items) for each in (made[index] if index in made and index not in refused else [item])]
    outcome = _finish({**resource_list, "items": out}, findings, policy)
    if outcome.failed or settings.mode == CHECK:
        return outcome._replace(resource_list={**outcome.resource_list, "items": items})
    return outcome


class _Items(Reader):
    """The items of a ResourceList, each a source of its own, and files beside them; what has nothing to do with Trainer is nothing to complain of."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.sources = [Source(document.file, tuple, from_folder=True) for document in documents]
        self._documents = {id(source): (document,) for source, document in zip(self.sources, documents, strict=True)}
        self._indexes = {id(source): index for index, source in enumerate(self.sources)}

    def read(self, source: Source, *, only_runtimes: bool = False) -> Iterable[Found]:
        return self._documents.get(id(source)) or super().read(source, only_runtimes=only_runtimes)

    def index_of(self, source: Source | None) -> int | None:
        return self._indexes.get(id(source))


def _malformed(value: object) -> str:
    """Why a value is no ResourceList; "" for one that is."""
    if not isinstance(value, dict) or value.get("kind") != KIND or not isinstance(value.get("items") or [], list):
        return "the input is no ResourceList with a list of items"
    return "" if isinstance(value.get("results") or [], list) else "results of the ResourceList is no list"


def _finish(resource_list: Tree, findings: Sequence[ItemDiagnostic], policy: Policy) -> Transformed:
    judged = []
    for finding in findings:
        diagnostic = policy.judge(finding.diagnostic)
        if diagnostic is not None and policy.tells(diagnostic.severity):
            judged.append(finding._replace(diagnostic=diagnostic))
    results = [*(resource_list.get("results") or []), *map(result_of, judged)]
    out = {"apiVersion": API_VERSION, "kind": KIND, **{key: resource_list[key] for key in resource_list if key != "results"}}
    return Transformed({**out, "results": results} if results else out, tuple(judged))


def result_of(finding: ItemDiagnostic) -> Tree:
    """One entry of `results`."""
    diagnostic, item = finding
    text = f"{diagnostic.message} ({diagnostic.hint})" if diagnostic.hint else diagnostic.message
    result: Tree = {"message": text, "severity": diagnostic.severity, "tags": {"code": diagnostic.code, "slug": diagnostic.slug}}
    if item is not None:
        meta: Any = item.get("metadata") if isinstance(item.get("metadata"), dict) else {}
        reference = {"apiVersion": item.get("apiVersion"), "kind": item.get("kind"), "namespace": meta.get("namespace"), "name": meta.get("name")}
        result["resourceRef"] = {key: value for key, value in reference.items() if isinstance(value, str) and value}
        path = diagnostic.path
        if path and path != "<nil>":
            result["field"] = {"path": path}
        file = _annotation(item, PATH)
        if file:
            index = _annotation(item, INDEX)
            result["file"] = {"path": file, **({"index": int(index)} if _is_index(index) else {})}
    return result


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def settings_of(config: object, options: Options) -> tuple[FunctionConfig, list[Diagnostic]]:
    """functionConfig over the options: of a ConfigMap its data, of any other kind its spec."""
    if config is None:
        return FunctionConfig(options), []
    if not isinstance(config, dict):
        return FunctionConfig(options), [_wrong("functionConfig is no object")]
    given = config.get("data" if config.get("kind") == "ConfigMap" else "spec") or {}
    if not isinstance(given, dict):
        return FunctionConfig(options), [_wrong("the settings of functionConfig are no mapping")]
    settings, problems = FunctionConfig(options), []
    for name in sorted(given, key=lambda name: list(_SETTERS).index(name) if name in _SETTERS else -1):  # a JobSet is one for a release
        value = given[name]
        setter = _SETTERS.get(name)
        if setter is None:
            problems.append(_unknown(str(name)))
            continue
        try:
            settings = setter(settings, value)
        except ValueError as error:
            problems.append(_wrong(f"{name}: {error}"))
    return settings, problems


def _unknown(name: str) -> Diagnostic:
    from difflib import get_close_matches

    near = get_close_matches(name, list(_SETTERS), n=1)
    return _wrong(f"there is no setting {name!r}", f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(_SETTERS))}")


def _wrong(message: str, hint: str = "") -> Diagnostic:
    return Diagnostic(codes.output.FUNCTION_CONFIG_INVALID, message, stage="krm", hint=hint)


def _one_of(value: object, choices: tuple[str, ...]) -> str:
    if value in choices:
        return str(value)
    raise ValueError(f"is {', '.join(choices[:-1])} or {choices[-1]}, not {value!r}")


def _boolean(value: object) -> bool:
    # Everything in the data of a ConfigMap is text.
    if isinstance(value, bool) or value in ("true", "false"):
        return value in (True, "true")
    raise ValueError(f"is true or false, not {value!r}")


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"is text, not {value!r}")


def _names(value: object) -> list[str]:
    if isinstance(value, list):
        return [_text(name) for name in value]
    return [name.strip() for name in _text(value).split(",") if name.strip()]


def _gates(value: object) -> frozenset[str]:
    if isinstance(value, dict):
        return frozenset(name for name, on in value.items() if _boolean(on))
    pairs = [pair.strip().partition("=") for pair in _text(value).split(",") if pair.strip()]
    return frozenset(name for name, _, on in pairs if _boolean(on or "true"))


_SETTERS: dict[str, Callable[[FunctionConfig, object], FunctionConfig]] = {
    "trainerVersion": lambda settings, value: _with(settings, profile=_release(settings, _text(value))),
    "jobsetVersion": lambda settings, value: _with(settings, profile=resolve_profile(settings.options.profile.name, _text(value))),
    "bundledRuntimes": lambda settings, value: _with(settings, bundled_runtimes=_boolean(value)),
    "namespace": lambda settings, value: _with(settings, namespace=_text(value)),
    "validate": lambda settings, value: _with(settings, validate=_one_of(value, ("strict", "warn", "ignore"))),
    "ignoreMissingRuntime": lambda settings, value: _with(settings, ignore_missing_runtime=_boolean(value)),
    "featureGates": lambda settings, value: _with(settings, facts=settings.options.facts._replace(feature_gates=_gates(value))),
    "extensions": lambda settings, value: _with(settings, passes=with_extensions(settings.options.passes, _names(value))),
    "uid": lambda settings, value: _with(settings, facts=settings.options.facts._replace(uid=_text(value))),
    "keepRuntimes": lambda settings, value: settings._replace(keep_runtimes=_boolean(value)),
    "mode": lambda settings, value: settings._replace(mode=_one_of(value, (RENDER, CHECK))),
    "form": lambda settings, value: settings._replace(form=_one_of(value, FORMS)),
    "secrets": lambda settings, value: settings._replace(secrets=_boolean(value)),
    "withSnapshot": lambda settings, value: settings._replace(with_snapshot=_boolean(value)),
}


def _release(settings: FunctionConfig, name: str) -> Profile:
    """The release of that name, with the JobSet that the command line says."""
    said, profile = settings.options.profile, resolve_profile(name)
    return profile if said.is_paired else profile.with_jobset(said.jobset)


def _with(settings: FunctionConfig, **changes: Any) -> FunctionConfig:
    return settings._replace(options=settings.options._replace(**changes))


def _placed(manifest: Tree, item: Tree) -> Tree:
    """An object with the annotations that say in which file, and as which document of it, the TrainJob was."""
    kept = {name: value for name in (*PATH, *INDEX) if (value := _annotation(item, (name,)))}
    if not kept:
        return manifest
    meta = manifest["metadata"]
    return {**manifest, "metadata": {**meta, "annotations": {**(meta.get("annotations") or {}), **kept}}}


def _label(item: object, index: int) -> str:
    """How an item is called in messages: by its file, else by its kind and name."""
    if isinstance(item, dict):
        meta: Any = item.get("metadata")
        if isinstance(meta, dict):
            name = "/".join(str(part) for part in (meta.get("namespace"), meta.get("name")) if part)
            return _annotation(item, PATH) or f"{item.get('kind')} {name}"
    return f"<item {index}>"


def _annotation(item: Tree, names: Iterable[str]) -> str:
    meta = item.get("metadata")
    annotations = meta.get("annotations") if isinstance(meta, dict) else None
    for name in names:
        value = annotations.get(name) if isinstance(annotations, dict) else None
        if isinstance(value, str):
            return value
    return ""
