"""What the API server does with one document before any webhook: decode, prune, default, validate, CEL.

Source: apiextensions-apiserver, pkg/apiserver/customresource_handler.go (order of decoding, pruning, defaulting) and
pkg/registry/customresource (PrepareForCreate, Validate).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from jobset_compiler.admission.cel import rule_errors
from jobset_compiler.kube import names
from jobset_compiler.kube.structural import BLOCKING, FieldError, Pruned, SchemaVerdict, Wording, admit, field_error, validate_mutated
from jobset_compiler.profiles import features

if TYPE_CHECKING:
    from jobset_compiler.kube.retype import DecodeProblem
    from jobset_compiler.kube.table import TypeTable
    from jobset_compiler.passes.api import Admits
    from jobset_compiler.profiles import Profile

TYPES = {
    "TrainJob": "trainer.TrainJob",
    "TrainingRuntime": "trainer.TrainingRuntime",
    "ClusterTrainingRuntime": "trainer.TrainingRuntime",
    "JobSet": "jobset.JobSet",
}
CLUSTER_SCOPED = frozenset({"ClusterTrainingRuntime"})
PLAIN_METADATA = frozenset({"name", "namespace", "uid"})
STRING_MAPS = frozenset({"labels", "annotations"})


def table_of(kind: str, profile: Profile, admits: tuple[Admits, ...] = ()) -> TypeTable:
    """The type table behind the schema of a kind: JobSets are judged by the JobSet that is there, everything else by the release of Trainer."""
    if kind == "JobSet":
        return profile.jobset_types()
    return admitting(profile, admits) if admits else profile.types()


def admit_document(
    value: dict[str, Any], kind: str, profile: Profile, old: dict[str, Any] | None = None, admits: tuple[Admits, ...] = ()
) -> SchemaVerdict:
    """A document of that kind as the API server of a release would store it, or why it refuses it.

    `old` is the object before an update: then the rules about changes apply, and faults of what stays the same do not. `admits`: values
    that are let through although the release's schema does not list them.
    An error of kind "Decode" stands alone: no further rule was looked at. What Go refuses although the schema lets it pass is for `kube.retype` to say.
    The status of a new object is dropped, as the server does.
    """
    type_name = TYPES[kind]
    table = table_of(kind, profile, admits)
    wording = schema_wording(profile)
    metadata, pruned, problem = decode_metadata(value.get("metadata", {}), table)
    if problem:
        return SchemaVerdict(value, (), (FieldError((), "Decode", problem.message, at=("metadata", *problem.path)),))
    if "metadata" in value and metadata is not value["metadata"]:
        value = {**value, "metadata": metadata}
    status_pruned: tuple[Pruned, ...] = ()
    if "status" in value and table.struct(type_name).fields.get("status") is not None:
        # Status passes through decoding, which tells unknown fields, and is gone before validation.
        status_pruned = admit({"status": value["status"]}, table, type_name, wording).pruned
        value = {key: item for key, item in value.items() if key != "status"}
    admitted = admit(value, table, type_name, wording)
    pruned += tuple(sorted(status_pruned + admitted.pruned, key=lambda entry: entry.message))
    errors = metadata_errors(metadata, kind, profile) + admitted.errors
    if old is not None:
        before = admit_document(old, kind, profile).value
        return admitted._replace(pruned=pruned, errors=update_errors(before, admitted, errors, kind, profile))
    if admitted.rules and not is_blocked(errors):
        errors += rule_errors(admitted.rules, profile)
    return SchemaVerdict(admitted.value, pruned, errors)


@lru_cache(8)
def admitting(profile: Profile, admits: tuple[Admits, ...]) -> TypeTable:
    """The types of a release with the values that passes admit; a compile has one such set of passes."""
    return profile.types().admitting(tuple((entry.struct, entry.field, entry.values) for entry in admits))


def validate_mutated_document(value: dict[str, Any], kind: str, profile: Profile, before: dict[str, Any] | None = None) -> SchemaVerdict:
    """Schema and CEL of an object as a mutating webhook has written it; `before`: what the server has of it so far, for an update."""
    admitted = validate_mutated(value, table_of(kind, profile), TYPES[kind], schema_wording(profile))
    errors = metadata_errors(value.get("metadata", {}), kind, profile) + admitted.errors
    if before is not None:
        errors = update_errors(before, admitted, errors, kind, profile)
    elif admitted.rules and not is_blocked(errors):
        errors += rule_errors(admitted.rules, profile)
    return admitted._replace(errors=errors)


def update_errors(before: dict[str, Any], admitted: SchemaVerdict, errors: tuple[FieldError, ...], kind: str, profile: Profile) -> tuple[FieldError, ...]:
    """What stands against an update: faults of parts that stay as they were are forgiven, changes have rules of their own."""
    from jobset_compiler.admission.changes import not_ratcheted, transition_errors

    struct = table_of(kind, profile).struct(TYPES[kind])
    after = admitted.value
    errors = not_ratcheted(errors, before, after, struct)
    if not is_blocked(errors):
        errors += not_ratcheted(rule_errors(admitted.rules, profile), before, after, struct)
        errors += transition_errors(before, after, struct, profile)
    return errors


def is_blocked(errors: tuple[FieldError, ...]) -> bool:
    """Whether the server skips all CEL rules on account of these errors."""
    return any(entry.kind in BLOCKING for entry in errors)


def metadata_errors(metadata: dict[str, Any], kind: str, profile: Profile) -> tuple[FieldError, ...]:
    if not names.object_meta_problems(metadata, kind not in CLUSTER_SCOPED):
        return ()
    problems = names.object_meta_problems(metadata, kind not in CLUSTER_SCOPED, names_wording(profile))
    go_syntax = schema_wording(profile).values_as_go_syntax
    return tuple(field_error(found.path, found.kind, found.message, found.value, go_syntax, found.at) for found in problems)


@cache
def schema_wording(profile: Profile) -> Wording:
    """The words of schema errors of the Kubernetes libraries behind a release."""
    return Wording(profile.has(features.VALUES_AS_GO_SYNTAX), profile.has(features.INTEGER_FORMATS_NAMED), profile.has(features.BRANCHES_CHECKED))


@cache
def names_wording(profile: Profile) -> names.NameWording:
    """The words about names and labels of the Kubernetes libraries behind a release."""
    owners = profile.has(features.OWNER_FIELDS_NAMED)
    if profile.has(features.LABELS_MEASURED_IN_BYTES):
        return names.NameWording(names_owner_fields=owners)
    return names.NameWording("characters", "a qualified name", owners)


def decode_metadata(metadata: Any, table: TypeTable) -> tuple[dict[str, Any], tuple[Pruned, ...], DecodeProblem | None]:
    """Root metadata after its round trip through the Go type: (metadata, unknown fields, decode error)."""
    if isinstance(metadata, dict) and is_plain(metadata):
        return metadata, (), None
    if metadata is None:  # Go reads it as metadata without fields
        return {}, (), None
    from jobset_compiler.kube.retype import retype

    typed, problems = retype(metadata, table, "meta.ObjectMeta")
    if problems:
        return {}, (), problems[0]
    unknown = admit(metadata, table, "meta.ObjectMeta").pruned
    pruned = tuple(Pruned(("metadata", *entry.path), f'unknown field "metadata.{entry.message[15:]}') for entry in unknown)
    return {name: item for name, item in typed.items() if item is not None}, pruned, None


def is_plain(metadata: dict[str, Any]) -> bool:
    """Whether decoding and encoding again would change nothing, for the usual fields."""
    for key, item in metadata.items():
        if key in PLAIN_METADATA:
            if type(item) is not str or not item:
                return False
        elif key in STRING_MAPS and type(item) is dict and item:
            for text in item.values():
                if type(text) is not str:
                    return False
        else:
            return False
    return True
