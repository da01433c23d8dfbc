"""What to say about a field that a model does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.admission.hints import LIKELY, MEANT, RENAMED, listed, near_name, same_letters
from jobset_compiler.models.spelling import attribute_name
from jobset_compiler.profiles import RELEASED

if TYPE_CHECKING:
    from jobset_compiler.kube.table import Struct


def unknown_field(name: str, struct: Struct, *, json_names: bool) -> str:
    """The message, with what was probably meant, as a JSON name or as an attribute."""
    hint = hint_for(name, struct)
    if not json_names:
        for known in struct.fields:
            hint = hint.replace(f" {known}?", f" {attribute_name(known)}?")
    return f"unknown field {name!r}" + (f"; {hint}" if hint else "")


def hint_for(name: str, struct: Struct) -> str:
    """Empty where nothing is near."""
    wanted = camel_case(name)
    known = RENAMED.get((struct.name, wanted)) or same_letters(name, struct)
    return (
        MEANT.get((struct.name, wanted))
        or (f"did you mean {known}?" if known else "")
        or other_releases(wanted, struct)
        or (f"did you mean {near}?" if (near := near_name(wanted, struct, LIKELY)) else "")
    )


def other_releases(json_name: str, struct: Struct) -> str:
    """Which other releases have the field."""
    known = []
    for profile in RELEASED:
        table = profile.types()
        if table.has(struct.name) and json_name in table.struct(struct.name).fields:
            known.append(profile.name)
    return f"{listed(tuple(known))} {'has' if len(known) == 1 else 'have'} it: jobset_compiler.models.{known[-1].replace('.', '_')}" if known else ""


def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
