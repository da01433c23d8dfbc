"""What the Job and Pod APIs would refuse of the Jobs that a JobSet makes, after the JobSet itself was accepted.

Source: pkg/apis/batch/validation/validation.go and pkg/apis/core/validation/validation.go of Kubernetes 1.32 to 1.36, after the
defaults of pkg/apis/*/v1/defaults.go. A selection: each rule here is one that a real server enforces in all these releases, under default
feature gates; what JobSet's schema already guarantees (unique names of volumes, mount paths, variables) is not looked at again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.admission.jobset_webhook import COORDINATOR_LABEL, coordinator_endpoint
from jobset_compiler.diagnostics.codes import jobset as codes
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.kube.names import is_dns1123_label, is_domain_prefixed_path, is_qualified_name, is_valid_label_value, is_valid_port_name
from jobset_compiler.kube.quantity import Quantity
from jobset_compiler.kube.structural.finding import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jobset_compiler.diagnostics.codes.code import Code
    from jobset_compiler.diagnostics.place import Path

Tree = dict[str, Any]
POD: Path = ("spec", "template", "spec")
REQUIRED = "Required value"
MOST_INDEXED_PODS = 100_000
MOST_FAILURE_RULES = 20
COUNTS = ("parallelism", "completions", "backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes")
NEEDS_INDEXES = ("successPolicy", "backoffLimitPerIndex", "maxFailedIndexes")
PROTOCOLS = ("SCTP", "TCP", "UDP")
PULL_POLICIES = ("Always", "IfNotPresent", "Never")
NOT_IN_INIT_CONTAINERS = ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")
STANDARD_RESOURCES = frozenset({"cpu", "memory", "ephemeral-storage"})
HUGE_PAGES = "hugepages-"
VARIABLE_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
EQUAL_HINT = "devices and huge pages cannot be overcommitted: write the limit alone, and the request becomes equal to it"
# Volume sources, and the field of each that must not be empty.
NAMED_SOURCES = (
    ("persistentVolumeClaim", "claimName"),
    ("configMap", "name"),
    ("secret", "secretName"),
    ("hostPath", "path"),
    ("nfs", "server"),
)


class Job(NamedTuple):
    """The Jobs of a replicatedJob: `volumes` are the names that its containers may mount."""

    value: Tree
    spec: Tree
    pod: Tree
    pod_spec: Tree
    volumes: frozenset[str]


class Fault(NamedTuple):
    """path and text: the API server's for the Job, the text with the kind of error; at: the place, where the server's path is another."""

    path: Path
    text: str
    at: Path = ()
    hint: str = ""


class Refusal(NamedTuple):
    """at: in the JobSet."""

    code: Code
    message: str
    at: Path
    hint: str = ""


Faults = tuple[Fault, ...] | list[Fault]
NONE: tuple[Fault, ...] = ()


def refused_children(jobset: Tree) -> list[Refusal]:
    """What would be refused of the children of an accepted JobSet with its defaults, and what would never start."""
    out: list[Refusal] = []
    name, spec = jobset["metadata"].get("name", ""), jobset["spec"]
    claims = [template["metadata"]["name"] for policy in spec.get("volumeClaimPolicies", ()) for template in policy.get("templates", ())]
    for index, value in enumerate(spec.get("replicatedJobs", ())):
        at: Path = ("spec", "replicatedJobs", index)
        if "dependsOn" in value and any(target["name"] == value["name"] for target in value["dependsOn"]):
            message = f'replicatedJob "{value["name"]}" depends on itself, so that its Jobs are never created'
            out.append(Refusal(codes.DEPENDS_ON_ITSELF, message, (*at, "dependsOn")))
        for code, fault in faults(job_of(value, claims)):
            message = f"Job {name}-{value['name']}-0 would be refused: {format_path(fault.path)}: {fault.text}"
            out.append(Refusal(code, message, (*at, "template", *(fault.at or fault.path)), fault.hint))
    if "coordinator" in spec:
        endpoint = coordinator_endpoint(name, spec)
        for text in is_valid_label_value(endpoint):
            message = f'every Job of the JobSet would be refused: metadata.labels: {invalid(endpoint, text)} (label "{COORDINATOR_LABEL}")'
            out.append(Refusal(codes.JOB_REFUSED, message, ("spec", "coordinator")))
    return out


def job_of(value: Tree, claims: list[str]) -> Job:
    spec = value["template"]["spec"]
    pod = spec["template"]
    pod_spec = pod.get("spec", {})
    volumes = [volume["name"] for volume in pod_spec.get("volumes", ())]
    return Job(value, spec, pod, pod_spec, frozenset(volumes + claims))


def faults(job: Job) -> Iterator[tuple[Code, Fault]]:
    for code, check in JOB_RULES:
        found = check(job)
        if found:
            for fault in found:
                yield code, fault
    for field, rules in (("initContainers", INIT_CONTAINER_RULES), ("containers", CONTAINER_RULES)):
        for index, container in enumerate(job.pod_spec.get(field, ())):
            for code, check_container in rules:
                found = check_container(container, job)
                if found:
                    path = (*POD, field, index)
                    for fault in found:
                        yield code, fault._replace(path=path + fault.path, at=path + (fault.at or fault.path))


def invalid(value: object, text: str) -> str:
    return f"Invalid value: {shown(value)}: {text}"


def unsupported(value: str, supported: Iterable[str]) -> str:
    return f"Unsupported value: {shown(value)}: supported values: " + ", ".join(map(shown, supported))


# ------------------------------------------------------------------------------------------------- Jobs


def counts_are_legal(job: Job) -> Faults:
    spec, out = job.spec, []
    for name in COUNTS:
        count = spec.get(name)
        if count is not None and count < 0:
            out.append(Fault(("spec", name), invalid(count, "must be greater than or equal to 0")))
    if spec.get("completionMode") != "Indexed":
        mode = spec.get("completionMode", "NonIndexed")
        if mode != "NonIndexed":
            out.append(Fault(("spec", "completionMode"), unsupported(mode, ("Indexed", "NonIndexed"))))
        out.extend(Fault(("spec", name), invalid(spec[name], "requires indexed completion mode")) for name in NEEDS_INDEXES if name in spec)
        return out
    if "completions" not in spec and "parallelism" in spec:
        out.append(Fault(("spec", "completions"), f"{REQUIRED}: when completion mode is Indexed"))
    parallelism = spec.get("parallelism", 1)
    if parallelism > MOST_INDEXED_PODS:
        text = f"must be less than or equal to {MOST_INDEXED_PODS} when completion mode is Indexed"
        out.append(Fault(("spec", "parallelism"), invalid(parallelism, text)))
    if "maxFailedIndexes" in spec:
        if spec["maxFailedIndexes"] > spec.get("completions", 1):
            out.append(Fault(("spec", "maxFailedIndexes"), invalid(spec["maxFailedIndexes"], "must be less than or equal to completions")))
        if "backoffLimitPerIndex" not in spec:
            out.append(Fault(("spec", "backoffLimitPerIndex"), f"{REQUIRED}: when maxFailedIndexes is specified"))
    return out


def manager_is_a_path(job: Job) -> Faults:
    manager = job.spec.get("managedBy")
    if manager is None:
        return NONE
    path = ("spec", "managedBy")
    out = [Fault(path, invalid(part, text) if text else REQUIRED) for _, text, part in is_domain_prefixed_path(manager)]
    if len(manager.encode()) > 63:
        out.append(Fault(path, "Too long: may not be more than 63 bytes"))
    return out


def pods_restart_as_jobs_can(job: Job) -> Faults:
    policy, path = job.pod_spec.get("restartPolicy"), (*POD, "restartPolicy")
    if policy == "Never" or (policy == "OnFailure" and "podFailurePolicy" not in job.spec):
        return NONE
    if policy == "OnFailure":
        hint = "write restartPolicy: Never into the pod spec (JobSet fills in OnFailure where there is none)"
        text = invalid(policy, 'only "Never" is supported when podFailurePolicy is specified')
        return (Fault(path, text, ("spec", "podFailurePolicy"), hint),)
    if policy and policy != "Always":
        return (Fault(path, unsupported(policy, ("OnFailure", "Never"))),)
    return (Fault(path, f'{REQUIRED}: valid values: "OnFailure", "Never"', hint="pods of Jobs end: write OnFailure or Never"),)


def failure_rules_are_few(job: Job) -> Faults:
    count = len(job.spec.get("podFailurePolicy", {}).get("rules") or ())
    if count <= MOST_FAILURE_RULES:
        return NONE
    return (Fault(("spec", "podFailurePolicy", "rules"), f"Too many: {count}: must have at most {MOST_FAILURE_RULES} items"),)


def selector_fits(job: Job) -> Faults:
    selector = job.spec.get("selector")
    if selector is None:
        return (Fault(("spec", "selector"), REQUIRED),) if job.spec.get("manualSelector") else NONE
    labels = job.pod.get("metadata", {}).get("labels", {})
    for key, value in selector.get("matchLabels", {}).items():
        # Labels that JobSet or Kubernetes adds are not known here.
        if labels.get(key) != value and not key.startswith(("jobset.sigs.k8s.io/", "batch.kubernetes.io/", "job-name", "controller-uid")):
            text = f"{shown(labels)}: `selector` does not match template `labels`"
            return (Fault(("spec", "template", "metadata", "labels"), f"Invalid value: {text}"),)
    return NONE


def labels_are_labels(job: Job) -> Faults:
    out: list[Fault] = []
    for path, at, labels in (
        (("metadata", "labels"), ("metadata", "labels"), job.value["template"].get("metadata", {}).get("labels")),
        (("spec", "template", "labels"), ("spec", "template", "metadata", "labels"), job.pod.get("metadata", {}).get("labels")),
        ((*POD, "nodeSelector"), (*POD, "nodeSelector"), job.pod_spec.get("nodeSelector")),
    ):
        if labels:
            for key, value in labels.items():
                texts = label_texts(key, value)
                if texts:
                    out.extend(Fault(path, text, (*at, key)) for text in texts)
    return out


@lru_cache(maxsize=1024)
def label_texts(key: str, value: str) -> tuple[str, ...]:
    """What is wrong with a label. The same few labels come with every TrainJob."""
    return (
        *(invalid(key, text) for text in is_qualified_name(key)),
        *(invalid(value, text) for text in is_valid_label_value(value)),
    )


def volumes_are_sources(job: Job) -> Faults:
    volumes = job.pod_spec.get("volumes")
    if not volumes:
        return NONE
    out: list[Fault] = []
    for index, volume in enumerate(volumes):
        name, path = volume["name"], (*POD, "volumes", index)
        texts = name_texts(name)
        if texts:
            out.extend(Fault((*path, "name"), text) for text in texts)
        # A volume without a source is an emptyDir.
        if len(volume) > 2:
            second = [source for source in volume if source != "name"][1]
            out.append(Fault((*path, second), "Forbidden: may not specify more than 1 volume type"))
        for source, field in NAMED_SOURCES:
            if source in volume and not volume[source].get(field):
                out.append(Fault((*path, source, field), REQUIRED))
    return out


@lru_cache(maxsize=1024)
def name_texts(name: str) -> tuple[str, ...]:
    """What is wrong with the name of a container or volume. The same few come with every TrainJob of a runtime."""
    return tuple(invalid(name, text) for text in is_dns1123_label(name)) if name else (REQUIRED,)


def container_names_are_unique(job: Job) -> Faults:
    """Between containers and init containers; each list for itself is a map by name."""
    init = job.pod_spec.get("initContainers")
    if not init:
        return NONE
    taken = {container["name"] for container in job.pod_spec.get("containers", ())}
    return [
        Fault((*POD, "initContainers", index, "name"), f'Duplicate value: "{container["name"]}"')
        for index, container in enumerate(init)
        if container["name"] in taken
    ]


JOB_RULES: tuple[tuple[Code, Callable[[Job], Faults]], ...] = (
    (codes.JOB_REFUSED, counts_are_legal),
    (codes.JOB_REFUSED, manager_is_a_path),
    (codes.JOB_REFUSED, failure_rules_are_few),
    (codes.SELECTOR_REFUSED, selector_fits),
    (codes.POD_REFUSED, pods_restart_as_jobs_can),
    (codes.POD_REFUSED, labels_are_labels),
    (codes.POD_REFUSED, container_names_are_unique),
    (codes.VOLUME_REFUSED, volumes_are_sources),
)


# ------------------------------------------------------------------------------------------- containers


def image_and_name(container: Tree, job: Job) -> Faults:
    out: list[Fault] = []
    name, image, pull = container["name"], container.get("image"), container.get("imagePullPolicy")
    texts = name_texts(name)
    if texts:
        out.extend(Fault(("name",), text) for text in texts)
    if not image:
        out.append(Fault(("image",), REQUIRED, hint="give the container an image, in the runtime or (container node) in spec.trainer.image"))
    elif image[0].isspace() or image[-1].isspace():
        out.append(Fault(("image",), invalid(image, "must not have leading or trailing whitespace")))
    if pull is not None and pull not in PULL_POLICIES:
        out.append(Fault(("imagePullPolicy",), unsupported(pull, PULL_POLICIES)))
    return out


def variables_have_one_source(container: Tree, job: Job) -> Faults:
    out: list[Fault] = []
    for index, variable in enumerate(container.get("env", ())):
        name: str = variable["name"]
        if not (name and name.isascii() and name.isprintable() and "=" not in name):
            text = invalid(name, "a valid environment variable name must consist only of printable ASCII characters other than '='")
            out.append(Fault(("env", index, "name"), text if name else REQUIRED))
        if "valueFrom" in variable:
            out.extend(source_faults(variable, ("env", index, "valueFrom")))
    for index, source in enumerate(container.get("envFrom", ())):
        path = ("envFrom", index)
        refs = [field for field in ("configMapRef", "secretRef") if field in source]
        if len(refs) != 1:
            text = "may not have more than one field specified at a time" if refs else "must specify one of: `configMapRef` or `secretRef`"
            out.append(Fault(path, invalid("", text)))
        out.extend(Fault((*path, field, "name"), REQUIRED) for field in refs if not source[field].get("name"))
    return out


def source_faults(variable: Tree, path: Path) -> Iterator[Fault]:
    source = variable["valueFrom"]
    known = [field for field in VARIABLE_SOURCES if field in source]
    if variable.get("value"):
        yield Fault(path, invalid("", "may not be specified when `value` is not empty"))
    elif len(known) > 1:
        yield Fault(path, invalid("", "may not have more than one field specified at a time"))
    elif not known:
        yield Fault(path, invalid("", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`"))
    for field in ("configMapKeyRef", "secretKeyRef"):
        if field in source:
            for part in ("name", "key"):
                if not source[field].get(part):
                    yield Fault((*path, field, part), REQUIRED)


def mounts_have_volumes(container: Tree, job: Job) -> Faults:
    out: list[Fault] = []
    for index, mount in enumerate(container.get("volumeMounts", ())):
        name, path = mount["name"], ("volumeMounts", index)
        if name not in job.volumes:
            hint = f"the pod has the volumes {', '.join(sorted(job.volumes))}" if job.volumes else "the pod has no volumes"
            out.append(Fault((*path, "name"), f"Not found: {shown(name)}" if name else REQUIRED, hint=hint))
        if not mount["mountPath"]:
            out.append(Fault((*path, "mountPath"), REQUIRED))
        sub_path = mount.get("subPath", "")
        if sub_path and ".." in sub_path.split("/"):
            out.append(Fault((*path, "subPath"), invalid(sub_path, "must not contain '..'")))
        if sub_path and mount.get("subPathExpr"):
            out.append(Fault((*path, "subPathExpr"), invalid(mount["subPathExpr"], "subPathExpr and subPath are mutually exclusive")))
    return out


def resources_add_up(container: Tree, job: Job) -> Faults:
    resources = container.get("resources")
    if not resources:
        return NONE
    limits, requests = resources.get("limits", {}), resources.get("requests", {})
    out: list[Fault] = []
    for side, quantities in (("limits", limits), ("requests", requests)):
        for name, text in quantities.items():
            if name not in STANDARD_RESOURCES or text[0] == "-":
                out.extend(Fault(("resources", side, name), fault) for fault in resource_faults(name, text))
    for name, text in requests.items():
        limit = limits.get(name)
        if limit is None:
            if not can_be_overcommitted(name):
                text = f"{REQUIRED}: Limit must be set for non overcommitable resources"
                out.append(Fault(("resources", "limits"), text, ("resources", "requests", name), f"set a limit of {name} equal to the request"))
        elif limit != text:
            wanted, most = Quantity.parse(text), Quantity.parse(limit)
            if wanted != most and not can_be_overcommitted(name):
                message = invalid(text, f"must be equal to {name} limit of {limit}")
                out.append(Fault(("resources", "requests"), message, ("resources", "requests", name), EQUAL_HINT))
            elif wanted > most:
                message = invalid(text, f"must be less than or equal to {name} limit of {limit}")
                out.append(Fault(("resources", "requests"), message, ("resources", "requests", name), "raise the limit or lower the request"))
    names = {*limits, *requests}
    if any(name.startswith(HUGE_PAGES) for name in names) and names.isdisjoint({"cpu", "memory"}):
        out.append(Fault(("resources",), "Forbidden: HugePages require cpu or memory"))
    return out


def resource_faults(name: str, text: str) -> Iterator[str]:
    yield from resource_name_texts(name)
    if text[0] == "-":
        yield invalid(text, "must be greater than or equal to 0")
    if is_extended(name) and not text.isdigit():
        quantity = Quantity.parse(text)
        if quantity != Quantity.of(quantity.ceil()):
            yield invalid(text, "must be an integer")


@lru_cache(maxsize=256)
def resource_name_texts(name: str) -> tuple[str, ...]:
    """What is wrong with the name of a resource. Few resources have names of their own."""
    texts = tuple(invalid(name, problem) for problem in is_qualified_name(name))
    if "/" not in name and name not in STANDARD_RESOURCES and not name.startswith(HUGE_PAGES):
        return (*texts, invalid(name, "must be a standard resource for containers"))
    return texts


def is_extended(name: str) -> bool:
    """A resource of a device plugin: with a domain, which is not Kubernetes' own."""
    return "/" in name and "kubernetes.io/" not in name and not name.startswith("requests.")


def can_be_overcommitted(name: str) -> bool:
    return ("/" not in name or "kubernetes.io/" in name) and not name.startswith(HUGE_PAGES)


def ports_are_ports(container: Tree, job: Job) -> Faults:
    out: list[Fault] = []
    names: set[str] = set()
    for index, port in enumerate(container.get("ports", ())):
        path = ("ports", index)
        for field in ("containerPort", "hostPort"):
            number = port.get(field)
            if number and not 0 < number < 65536:
                out.append(Fault((*path, field), invalid(number, "must be between 1 and 65535, inclusive")))
        if not port.get("containerPort"):
            out.append(Fault((*path, "containerPort"), REQUIRED))
        name = port.get("name")
        if name:
            out.extend(Fault((*path, "name"), invalid(name, text)) for text in is_valid_port_name(name))
            if name in names:
                out.append(Fault((*path, "name"), f'Duplicate value: "{name}"'))
            names.add(name)
        protocol = port.get("protocol", "TCP")
        if protocol not in PROTOCOLS:
            out.append(Fault((*path, "protocol"), unsupported(protocol, PROTOCOLS)))
    return out


def init_containers_run_once(container: Tree, job: Job) -> Faults:
    policy = container.get("restartPolicy")
    if policy == "Always":
        return NONE
    out = [Fault(("restartPolicy",), unsupported(policy, ("Always",)))] if policy is not None else []
    text = "Forbidden: may not be set for init containers without restartPolicy=Always"
    out.extend(Fault((field,), text) for field in NOT_IN_INIT_CONTAINERS if field in container)
    return out


CONTAINER_RULES: tuple[tuple[Code, Callable[[Tree, Job], Faults]], ...] = (
    (codes.CONTAINER_REFUSED, image_and_name),
    (codes.ENV_REFUSED, variables_have_one_source),
    (codes.MOUNT_REFUSED, mounts_have_volumes),
    (codes.RESOURCES_REFUSED, resources_add_up),
    (codes.PORT_REFUSED, ports_are_ports),
)
INIT_CONTAINER_RULES = (*CONTAINER_RULES, (codes.CONTAINER_REFUSED, init_containers_run_once))
