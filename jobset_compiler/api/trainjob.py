"""A TrainJob as the pipeline sees it: frozen, defaulted, with every override spelling decoded into one patch model."""

from typing import Any, Final

from jobset_compiler.diagnostics.place import Path
from jobset_compiler.source.document import Document
from jobset_compiler.value import Frozen, Value

GROUP = "trainer.kubeflow.org"
API_VERSION = "trainer.kubeflow.org/v1alpha1"
DEFAULT_NAMESPACE = "default"
MULTIKUEUE = "kueue.x-k8s.io/multikueue"


class RuntimeRef(Value):
    __slots__ = ("api_group", "kind", "name")

    def __init__(self, api_group: str, kind: str, name: str) -> None:
        self.api_group: Final = api_group
        self.kind: Final = kind
        self.name: Final = name


class Trainer(Frozen):
    """`spec.trainer`. None means absent: an empty command is not the same as none (it clears the runtime's)."""

    image: str | None = None
    command: tuple[str, ...] | None = None
    args: tuple[str, ...] | None = None
    env: tuple[dict[str, Any], ...] = ()
    num_nodes: int | None = None
    num_proc_per_node: int | str | None = None
    resources_per_node: dict[str, Any] | None = None


class InitializerSource(Value):
    """`spec.initializer.dataset` or `.model`; `secret` is the name in secretRef."""

    __slots__ = ("env", "secret", "storage_uri")

    def __init__(self, storage_uri: str | None, env: tuple[dict[str, Any], ...], secret: str | None) -> None:
        self.storage_uri: Final = storage_uri
        self.env: Final = env
        self.secret: Final = secret


class JobPatch(Value):
    """What one override says about one replicatedJob: a JobTemplateSpec-shaped tree and where it was written.

    `origin` leads to the part of the document that became `template` below `at`: for podSpecOverrides the tree is
    `{"spec": {"template": {"spec": ...}}}` and `at` is `("spec", "template", "spec")`.
    """

    __slots__ = ("at", "job", "origin", "template")

    def __init__(self, job: str, template: dict[str, Any] | None, at: Path, origin: Path) -> None:
        self.job: Final = job
        self.template: Final = template
        self.at: Final = at
        self.origin: Final = origin


class Patch(Frozen):
    """One override in document order; labels and annotations go to the JobSet's own metadata.

    Where it stands: `origin` the whole, `metadata_origin` what holds the labels and annotations, `spec_origin` what is a JobSetSpec
    (the whole, in spellings that have none).
    """

    manager: str
    labels: dict[str, str]
    annotations: dict[str, str]
    jobs: tuple[JobPatch, ...]
    origin: Path
    metadata_origin: Path
    spec_origin: Path


class TrainJob(Frozen):
    document: Document
    name: str
    namespace: str
    uid: str
    labels: dict[str, str]
    annotations: dict[str, str]
    runtime_ref: RuntimeRef
    trainer: Trainer | None
    dataset: InitializerSource | None
    model: InitializerSource | None
    patches: tuple[Patch, ...]
    suspend: bool | None
    managed_by: str
    active_deadline_seconds: int | None
    typed: dict[str, Any]


# What stands for the five random characters that the server appends to generateName.
GENERATED_SUFFIX = "xxxxx"
LONGEST_GENERATED_BASE = 58


def generated_name(base: str) -> str:
    """The name that a generateName comes to, with a fixed suffix in place of the server's random one; "" for none."""
    return base[:LONGEST_GENERATED_BASE] + GENERATED_SUFFIX if base else ""


def decode(document: Document, admitted: dict[str, Any], typed: dict[str, Any], override_field: str) -> TrainJob:
    """A TrainJob from its admitted value (pruned, defaulted) and its typed value (after the Go round trip).

    Both are needed: the typed value has canonical quantities, the admitted one still tells `command: []` from none.
    """
    meta = typed.get("metadata", {})
    spec = typed.get("spec", {})
    raw_spec = admitted.get("spec", {})
    ref = spec.get("runtimeRef", {})
    initializer = spec.get("initializer", {})
    return TrainJob(
        document=document,
        name=meta.get("name") or generated_name(meta.get("generateName", "")),
        namespace=meta.get("namespace") or DEFAULT_NAMESPACE,
        uid=meta.get("uid", ""),
        labels=meta.get("labels", {}),
        annotations=meta.get("annotations", {}),
        runtime_ref=RuntimeRef(ref.get("apiGroup", ""), ref.get("kind", ""), ref.get("name", "")),
        trainer=_trainer(spec["trainer"], raw_spec["trainer"]) if "trainer" in spec else None,
        dataset=_source(initializer.get("dataset")),
        model=_source(initializer.get("model")),
        patches=_patches(spec, override_field),
        suspend=spec.get("suspend"),
        managed_by=spec.get("managedBy", ""),
        active_deadline_seconds=spec.get("activeDeadlineSeconds"),
        typed=typed,
    )


def _trainer(typed: dict[str, Any], raw: dict[str, Any]) -> Trainer:
    command, args = raw.get("command"), raw.get("args")
    resources = typed.get("resourcesPerNode")
    if resources is not None:
        # An empty list of limits is not the same as none (see passes/nproc.py).
        empty: dict[str, Any] = {key: {} for key in ("limits", "requests") if key not in resources and raw["resourcesPerNode"].get(key) is not None}
        resources = {**resources, **empty} if empty else resources
    return Trainer(
        image=typed.get("image"),
        command=None if command is None else tuple(command),
        args=None if args is None else tuple(args),
        env=tuple(typed.get("env", ())),
        num_nodes=typed.get("numNodes"),
        num_proc_per_node=typed.get("numProcPerNode"),
        resources_per_node=resources,
    )


def _source(source: dict[str, Any] | None) -> InitializerSource | None:
    if source is None:
        return None
    secret = source.get("secretRef")
    return InitializerSource(
        storage_uri=source.get("storageUri"),
        env=tuple(source.get("env", ())),
        secret=None if secret is None else secret.get("name", ""),
    )


def _patches(spec: dict[str, Any], override_field: str) -> tuple[Patch, ...]:
    """The overrides in the order in which upstream applies them, whatever their spelling."""
    overrides = spec.get(override_field, ())
    spelling = {
        "podSpecOverrides": _pod_spec_override,
        "podTemplateOverrides": _pod_template_override,
        "runtimePatches": _runtime_patch,
    }[override_field]
    patches = tuple(spelling(override, ("spec", override_field, index)) for index, override in enumerate(overrides))
    labels, annotations = spec.get("labels", {}), spec.get("annotations", {})
    if labels or annotations:
        return (Patch("", labels, annotations, (), ("spec",), ("spec",), ("spec",)), *patches)
    return patches


def _pod_spec_override(override: dict[str, Any], origin: Path) -> Patch:
    pod = {key: value for key, value in override.items() if key != "targetJobs"}
    template = {"spec": {"template": {"spec": pod}}}
    jobs = tuple(JobPatch(job["name"], template, ("spec", "template", "spec"), origin) for job in override.get("targetJobs") or ())
    return Patch("", {}, {}, jobs, origin, origin, origin)


def _pod_template_override(override: dict[str, Any], origin: Path) -> Patch:
    pod: dict[str, Any] = {}
    metadata = {key: value for key, value in override.get("metadata", {}).items() if key in ("labels", "annotations")}
    if metadata:
        pod["metadata"] = metadata
    if "spec" in override:
        pod["spec"] = override["spec"]
    jobs = tuple(JobPatch(job["name"], {"spec": {"template": pod}}, ("spec", "template"), origin) for job in override.get("targetJobs") or ())
    return Patch("", {}, {}, jobs, origin, origin, origin)


def _runtime_patch(patch: dict[str, Any], origin: Path) -> Patch:
    template = patch.get("trainingRuntimeSpec", {}).get("template", {})
    metadata = template.get("metadata", {})
    below = (*origin, "trainingRuntimeSpec", "template")
    jobs = tuple(
        JobPatch(job["name"], job.get("template"), (), (*below, "spec", "replicatedJobs", index, "template"))
        for index, job in enumerate(template.get("spec", {}).get("replicatedJobs", ()))
    )
    return Patch(
        manager=patch.get("manager", ""),
        labels=metadata.get("labels", {}),
        annotations=metadata.get("annotations", {}),
        jobs=jobs,
        origin=origin,
        metadata_origin=(*below, "metadata"),
        spec_origin=(*below, "spec"),
    )
