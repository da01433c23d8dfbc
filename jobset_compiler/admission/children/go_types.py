"""How the API server prints its own types where a message holds a whole struct: as JSON with the names of the Go fields, all of them.

Source: the types of pkg/apis/core and pkg/apis/batch, which have no JSON names.
"""

from __future__ import annotations

from typing import Any

from jobset_compiler.kube.structural.errors import go_json_in_order

Tree = dict[str, Any]
# The fields of a Go type in its order: the Go name, the API's name, and the type of a struct (or of a list of them) behind it.
GoType = tuple[tuple[str, str, "GoType | None"], ...]


def plain(*names: str) -> GoType:
    """Fields whose Go name is the API's with a capital letter."""
    return tuple((name[0].upper() + name[1:], name, None) for name in names)


RESOURCE_CLAIM = plain("name", "resourceClaimName", "resourceClaimTemplateName")
PROFILE = plain("type", "localhostProfile")
CAPABILITIES = plain("add", "drop")
WINDOWS_OPTIONS: GoType = (
    ("GMSACredentialSpecName", "gmsaCredentialSpecName", None),
    ("GMSACredentialSpec", "gmsaCredentialSpec", None),
    *plain("runAsUserName", "hostProcess"),
)
SECURITY_CONTEXT: GoType = (
    ("Capabilities", "capabilities", CAPABILITIES),
    *plain("privileged"),
    ("SELinuxOptions", "seLinuxOptions", plain("user", "role", "type", "level")),
    ("WindowsOptions", "windowsOptions", WINDOWS_OPTIONS),
    *plain("runAsUser", "runAsGroup", "runAsNonRoot", "readOnlyRootFilesystem", "allowPrivilegeEscalation", "procMount"),
    ("SeccompProfile", "seccompProfile", PROFILE),
    ("AppArmorProfile", "appArmorProfile", PROFILE),
)
SUCCESS_POLICY: GoType = (("Rules", "rules", plain("succeededIndexes", "succeededCount")),)
# Strings that are no pointers are "" where they are not set, not null.
NEVER_NULL = frozenset({"name", "user", "role", "type", "level"})


def printed(value: Tree, of: GoType) -> str:
    """A struct as the server prints it."""
    return go_json_in_order(_struct(value, of))


def printed_selector(value: Tree) -> str:
    """A selector of labels, whose type is the API's own: with its names, and without what is empty."""
    labels, expressions = value.get("matchLabels"), value.get("matchExpressions")
    out: Tree = {}
    if labels:
        out["matchLabels"] = dict(sorted(labels.items()))
    if expressions:
        out["matchExpressions"] = [{name: item[name] for name in ("key", "operator", "values") if item.get(name)} for item in expressions]
    return go_json_in_order(out)


def _struct(value: Tree, of: GoType) -> Tree:
    return {go_name: _member(value.get(name), name, nested) for go_name, name, nested in of}


def _member(value: Any, name: str, nested: GoType | None) -> Any:
    if value is None:
        return "" if name in NEVER_NULL else None
    if nested is None:
        return value
    return [_struct(item, nested) for item in value] if isinstance(value, list) else _struct(value, nested)
