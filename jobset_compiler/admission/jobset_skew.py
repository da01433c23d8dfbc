"""What to do where the JobSet in the cluster does not know what the release of Trainer submits: hints, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.hints import field_at
from jobset_compiler.admission.jobset_apply import undeclared_fields
from jobset_compiler.profiles import JOBSETS, is_newer

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles import Profile

KIND = "JobSet"


def undeclared_hint(path: Path, profile: Profile) -> str:
    """About a field of the submitted JobSet that the one in the cluster does not declare."""
    name, lack = str(path[-1]), f"JobSet {profile.jobset.version} does not have it"
    wanted = next((jobset for jobset in (profile.comes_with, *JOBSETS) if declares(path, profile.with_jobset(jobset))), None)
    if wanted is None:
        return f"leave {name} out: {lack}"
    which = f"JobSet {wanted.version}" + (f", which {profile.title} comes with" if wanted == profile.comes_with else " or newer")
    field = field_at(profile.types(), KIND, path)
    if field is not None and field.has_default:
        return f"install {which}: {lack}, and the runtime's defaults write it into every JobSet"
    return f"leave {name} out, or install {which}: {lack}"


def refused_value_hint(path: Path, profile: Profile) -> str:
    """About a value that the schema of the JobSet in the cluster refuses; "" where that is not an older one than the release comes with."""
    if not is_newer(profile.comes_with, profile.jobset):
        return ""
    return f"JobSet {profile.jobset.version} may be too old for {path[-1]}: {profile.title} comes with {profile.comes_with.version}"


def declares(path: Path, profile: Profile) -> bool:
    """Whether the JobSet in the cluster has the field."""
    undeclared = {field for _, field in undeclared_fields(profile)}
    return field_at(profile.jobset_types(), KIND, path) is not None and undeclared.isdisjoint(map(str, path))
