"""The environment of a pod as the kubelet makes it: $(NAME) is expanded from earlier variables, $$ is one $, unknown names stay as they are."""

from __future__ import annotations

import re
from typing import Any

REFERENCE = re.compile(r"\$(\$|\(([^()]*)\))")
FIELD = re.compile(r"metadata\.annotations\['(.+)'\]")


def environment(entries: list[dict[str, Any]], annotations: dict[str, str]) -> dict[str, str]:
    env: dict[str, str] = {}
    for entry in entries:
        if "value" in entry:
            env[entry["name"]] = REFERENCE.sub(lambda found: "$" if found[1] == "$" else env.get(found[2], found[0]), entry["value"])
        else:
            field = FIELD.fullmatch(entry["valueFrom"]["fieldRef"]["fieldPath"])
            assert field is not None
            env[entry["name"]] = annotations[field[1]]
    return env


def pod_environment(pod: dict[str, Any], index: int, container: str = "node") -> dict[str, str]:
    """Of one pod of a Job, by its index."""
    entries = next(item for item in pod["containers"] if item["name"] == container).get("env", [])
    return environment(entries, {"batch.kubernetes.io/job-completion-index": str(index)})
