"""Placeholders that nobody will fill in, in images, URIs and values; images of a form that no kubelet reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.when import has_signs
from jobset_compiler.findings.words import JOBS, POD, TRAINER_SPEC, in_runtime, on_trainjob
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.api.runtime import Runtime
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile
    from jobset_compiler.resolve.plan import Plan

WORD = r"(?i:CHANGE[_-]?ME|REPLACE[_-]?ME|FILL[_-]?ME|TO[_-]?DO|FIXME|YOUR[_-][\w-]+|INSERT[_-][\w-]+)"
# Part of a text; an image may have none of these at all.
IN_IMAGES = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)|\$[A-Za-z_]\w*|\{\{.*?\}\}|<[^<>]*>|%[A-Za-z_]+%|^" + WORD + r"(?=$|[:/@])|(?<=[:/])" + WORD + "(?=$|[:/])")
IN_TEXTS = re.compile(r"\$\{[A-Za-z_]\w*\}|\{\{[^{}]*\}\}|^<[A-Za-z][\w .-]*>$|^" + WORD + "$")
# Programs and free text, in which such signs mean something.
NOT_SEARCHED = frozenset({"command", "args", "annotations"})
IMAGE_HINT = "write registry/repository:tag, or registry/repository@sha256:..."
# reference.go of distribution: a host with capitals and a port, components in lower case, a tag, a digest.
COMPONENT = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
IMAGE = re.compile(
    rf"(?:(?:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*|\[[0-9a-fA-F:]+\])(?::\d+)?/)?{COMPONENT}(?:/{COMPONENT})*(?::\w[\w.-]{{0,127}})?(?:@[A-Za-z0-9+._-]+:[0-9a-fA-F]{{32,}})?"
)
HINT = "write the value itself: Kubernetes fills in nothing here"


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    document = plan.job.document
    if not document.text or has_signs(document.text):
        for at, found in _placeholders(document.value.get("spec"), ("spec",)):
            yield on_trainjob(plan, codes.silent.PLACEHOLDER_LEFT, f"{found} stays as it is", at, _hint(at, found))
    image = plan.job.trainer.image if plan.job.trainer is not None else None
    if image is not None and (problem := _image_problem(image)):
        yield on_trainjob(plan, codes.silent.IMAGE_UNREADABLE, problem, (*TRAINER_SPEC, "image"), IMAGE_HINT)


def of_runtime(runtime: Runtime, profile: Profile) -> Iterator[Diagnostic]:
    document = runtime.document
    if not document.text or has_signs(document.text):
        for at, found in _placeholders(document.value.get("spec"), ("spec",)):
            yield in_runtime(runtime, codes.silent.PLACEHOLDER_LEFT, f"{found} stays as it is", at, _hint(at, found))
    for index, job in enumerate(replicated_jobs(runtime.template)):
        pod = pod_spec_of(job)
        for field in ("initContainers", "containers"):
            for place, container in enumerate(pod.get(field) or ()):
                if problem := _image_problem(container.get("image", "")):
                    yield in_runtime(runtime, codes.silent.IMAGE_UNREADABLE, problem, (*JOBS, index, *POD, field, place, "image"), IMAGE_HINT)


def _hint(at: Path, found: str) -> str:
    """In the value of a variable there is something that Kubernetes fills in, spelled otherwise."""
    if at[-1] == "value" and found.startswith("${"):
        return f"write $({found[2:-1]}) for a variable of the container that comes before this one, or the value itself"
    return HINT


def _image_problem(image: str) -> str:
    """What no image can have, "" for others and for those with a placeholder; blanks around it are the Pod API's to refuse."""
    name = image.strip()
    if not name or IMAGE.fullmatch(name) or IN_IMAGES.search(name):
        return ""
    if "://" in name:
        return f"{name} begins with {name.partition('://')[0]}://, which images have not"
    if len(name.split()) > 1:
        return f"{name} has blanks in it"
    repository = re.split(r"[@:](?=[^/]*$)", name)[0]
    if any(part != part.lower() for part in repository.split("/")[1:] or [repository]):
        return f"{repository} has capitals: repositories are in lower case"
    return f"{name} has no tag behind its colon" if name.endswith(":") else f"{name} is no name of an image"


def _placeholders(value: Any, at: Path) -> Iterator[tuple[Path, str]]:
    """Where one stands, and what it is."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in NOT_SEARCHED:
                yield from _placeholders(item, (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _placeholders(item, (*at, index))
    elif isinstance(value, str):
        found = (IN_IMAGES if at[-1] == "image" else IN_TEXTS).search(value)
        if found:
            yield at, found[0]
