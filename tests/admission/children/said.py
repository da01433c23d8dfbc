"""A JobSet with one Job around a few fields, and what the Job and Pod APIs say of it."""

from __future__ import annotations

from typing import Any

from jobset_compiler.admission.children import ChildRefusal, refused_children
from jobset_compiler.admission.jobset_defaults import with_webhook_defaults
from jobset_compiler.diagnostics.place import Path, format_path
from jobset_compiler.kube.table import Field
from jobset_compiler.profiles import NEWEST
from jobset_compiler.profiles.kubernetes import V1_36, Kubernetes, find_kubernetes

Tree = dict[str, Any]
POD = "spec.template.spec"
CONTAINER = f"{POD}.containers[0]"
INIT = f"{POD}.initContainers[0]"
SPEC = NEWEST.jobset_types().struct("jobset.JobSet").fields["spec"]
# Of a message that holds a long value.
SHOWN = 1200
# What the tests of a module with the fixture `whole_words` have heard so far.
HEARD: list[ChildRefusal] = []


def jobset_of(
    *,
    job: Tree | None = None,
    pod: Tree | None = None,
    container: Tree | None = None,
    init: Tree | None = None,
    meta: Tree | None = None,
    job_meta: Tree | None = None,
    **spec: Any,
) -> Tree:
    full: Tree = {"containers": [{"name": "c", "image": "i", **(container or {})}], **(pod or {})}
    if init is not None:
        full["initContainers"] = [{"name": "i", "image": "i", **init}]
    template = {"metadata": job_meta or {}, "spec": {"parallelism": 2, "completions": 2, **(job or {}), "template": {"metadata": meta or {}, "spec": full}}}
    return with_webhook_defaults({"metadata": {"name": "js"}, "spec": {"replicatedJobs": [{"name": "a", "replicas": 1, "template": template}], **spec}})


def stands(at: Path, value: Any, field: Field) -> bool:
    """Whether there is such a place in the value of a field: of what is not written, the types tell whether it could be."""
    if not at:
        return True
    step, below = at[0], at[1:]
    if field.kind == "list":
        assert field.elem is not None
        return isinstance(step, int) and value is not None and step < len(value) and stands(below, value[step], field.elem)
    inside = (field.struct.fields if field.kind == "struct" else {str(step): field.elem}).get(str(step))
    return inside is not None and stands(below, (value or {}).get(step), inside)


def refusals(jobset: Tree, kubernetes: Kubernetes = V1_36) -> list[ChildRefusal]:
    """What there is to say; all of it is about places that there are."""
    found = refused_children(jobset, NEWEST, kubernetes)
    for each in found:
        assert stands(each.at[1:], jobset["spec"], SPEC), format_path(each.at)
    HEARD.extend(found)
    return found


def whole(found: ChildRefusal) -> str:
    """A refusal with its place, all its words, and its advice."""
    message = found.message if len(found.message) <= SHOWN else f"{found.message[: SHOWN // 2]} ... {found.message[-SHOWN // 2 :]}"
    beside = [*([f"  hint: {found.hint}"] if found.hint else []), *([f"  meant: {found.meant}"] if found.meant else [])]
    return "\n".join([f"{found.stage} {found.code.slug} {format_path(found.at)}", f"  {message}", *beside])


def said(*, kubernetes: str = "1.36", **parts: Any) -> list[tuple[str, str]]:
    """(slug, message) about the one Job; of the message the beginning is left out, "Pod" alone stays where it is about the Pod."""
    judge = find_kubernetes(kubernetes)
    assert judge is not None
    out = []
    for refusal in refusals(jobset_of(**parts), judge):
        if "is taken with a warning" in refusal.message:
            continue  # of accepted Jobs: tests/admission/children/test_warned.py
        assert refusal.at[:4] == ("spec", "replicatedJobs", 0, "template")
        who, _, text = refusal.message.partition(" would be refused: ")
        assert who in ("Job js-a-0", "Pod js-a-0-0", "Pod js-a-0-xxxxx"), refusal.message
        out.append((refusal.code.slug, text if who == "Job js-a-0" else f"Pod {text}"))
    return out


def texts(**parts: Any) -> list[str]:
    return [text for _, text in said(**parts)]


def of_container(fields: Tree, **parts: Any) -> list[str]:
    """Faults of the container, without its path."""
    found = texts(container=fields, **parts)
    assert all(text.startswith(CONTAINER) for text in found), found
    return [text.removeprefix(f"{CONTAINER}.").removeprefix(f"{CONTAINER}: ") for text in found]


def of_pod(fields: Tree, **parts: Any) -> list[str]:
    """Faults of the pod's spec, without its path."""
    found = texts(pod=fields, **parts)
    assert all(text.startswith(POD) for text in found), found
    return [text.removeprefix(f"{POD}.").removeprefix(f"{POD}: ") for text in found]
