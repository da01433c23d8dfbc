"""How the controller writes an environment variable of the TrainJob (its conversion to an apply configuration).

Source: pkg/apply/apply.go of every release; the losses are JSC851 (fileKeyRef) and fieldRef.apiVersion.
"""

from __future__ import annotations

from typing import Any


def applied(entry: dict[str, Any]) -> dict[str, Any]:
    """A typed EnvVar of the TrainJob as it reaches the container: `value` always present, apiVersion and fileKeyRef lost. The usual one is as it was."""
    source = entry.get("valueFrom")
    if source is None:
        return entry if "value" in entry and len(entry) == 2 else {"name": entry["name"], "value": entry.get("value", "")}
    out: dict[str, Any] = {}
    if "fieldRef" in source:
        out["fieldRef"] = {"fieldPath": source["fieldRef"]["fieldPath"]}
    if "resourceFieldRef" in source:
        ref = source["resourceFieldRef"]
        out["resourceFieldRef"] = {"containerName": ref.get("containerName", ""), "resource": ref["resource"], "divisor": ref.get("divisor", "0")}
    for key in ("configMapKeyRef", "secretKeyRef"):
        if key in source:
            ref = source[key]
            out[key] = {"name": ref.get("name", ""), "key": ref["key"]}
            if "optional" in ref:
                out[key]["optional"] = ref["optional"]
    return {"name": entry["name"], "valueFrom": out}
