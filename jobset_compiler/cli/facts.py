"""The facts file: what only a cluster knows, written down by somebody who does.

    uid: 5c2f8e0e-...                     # of the TrainJobs that have none
    priorityClasses: [high, low]          # all that exist
    certificateAuthority: |               # of the controller's webhook server
      -----BEGIN CERTIFICATE-----
    operatorNamespace: kubeflow-system
    featureGates: {TrainJobStatus: true}
    activeReplicatedJobs: [node]          # still running although suspended (for check --was)
    clusterDomain: cluster.local          # the domain of the cluster's Services
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.cli.arguments import UsageError, near
from jobset_compiler.resolve.facts import NO_FACTS
from jobset_compiler.source.files import read_file

if TYPE_CHECKING:
    from jobset_compiler.resolve.facts import Facts

TEXTS = {"uid": "uid", "certificateAuthority": "certificate_authority", "operatorNamespace": "operator_namespace", "clusterDomain": "cluster_domain"}
LISTS = {"priorityClasses": "priority_classes", "activeReplicatedJobs": "active_jobs"}
KEYS = (*TEXTS, *LISTS, "featureGates")


def facts_of(file: str) -> Facts:
    """The facts of a file. Raises UsageError for one that cannot be read or says something that is no fact."""
    documents, problems = read_file(file)
    for problem in problems:
        raise UsageError(f"{problem.span}: {problem.message}")
    value = documents[0].value if documents else {}
    if not isinstance(value, dict):
        raise UsageError(f"{file}: facts are a mapping with the keys {', '.join(KEYS)}")
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key not in KEYS:
            raise UsageError(f"{documents[0].locate_key((key,))}: unknown fact {key!r}; known: {', '.join(KEYS)}{near(key, KEYS)}")
        problem_place = documents[0].locate((key,))
        if key in TEXTS:
            if not isinstance(item, str):
                raise UsageError(f"{problem_place}: {key} is a string")
            found[TEXTS[key]] = item
        elif key in LISTS:
            if not isinstance(item, list) or not all(isinstance(name, str) for name in item):
                raise UsageError(f"{problem_place}: {key} is a list of names")
            found[LISTS[key]] = frozenset(item) if key == "priorityClasses" else tuple(item)
        else:
            if not isinstance(item, dict) or not all(isinstance(on, bool) for on in item.values()):
                raise UsageError(f"{problem_place}: {key} is a mapping of names to true and false")
            found["feature_gates"] = frozenset(gate for gate, on in item.items() if on)
    return NO_FACTS._replace(**found)
