"""The objects of a TrainJob as they are written out: as the controller submits them, or as they can be applied again and again.

JobSet fills in its defaults only when a JobSet is created, and its webhook compares whole replicatedJobs when one is updated. A client-side
`kubectl apply` replaces lists as a whole, so that a JobSet without its defaults is refused the second time. Seen on live servers of every release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jobset_compiler.objects.unit import Unit

SUBMITTED: Final = "submitted"
ADMITTED: Final = "admitted"
FORMS = (SUBMITTED, ADMITTED)


def in_form(unit: Unit, form: str, *, secrets: bool = True, snapshot: bool = False) -> tuple[dict[str, Any], ...]:
    """The objects of a TrainJob that compiled without an error, the JobSet first.

    form: SUBMITTED, what the controller sends; ADMITTED, with JobSet's defaults, as a server stores it. secrets: whether Secrets are among them.
    snapshot: whether the ConfigMap with the runtime is, last, in releases that keep one.
    """
    objects = unit.objects
    if form == ADMITTED:
        from jobset_compiler.admission.jobset_defaults import admitted_form

        objects = (admitted_form(objects[0], unit.plan.profile), *objects[1:])
    if snapshot:
        from jobset_compiler.objects.snapshot import build, is_kept

        objects = (*objects, build(unit.plan)) if is_kept(unit.plan.profile) else objects
    return objects if secrets else tuple(manifest for manifest in objects if manifest["kind"] != "Secret")
