"""Ports that overwrite each other (JSC801). Source: pkg/apply/apply.go of every release."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from jobset_compiler.api.runtime import pod_spec_of
from jobset_compiler.diagnostics import codes
from jobset_compiler.findings.words import container_path, listed, on_runtime
from jobset_compiler.passes.ports import final_ports
from jobset_compiler.resolve.plan import replicated_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.resolve.plan import Plan, PodContainer

Tree = dict[str, Any]


def _containers(job: Tree) -> Iterator[tuple[str, Tree]]:
    pod = pod_spec_of(job)
    for field in ("containers", "initContainers"):
        for container in pod.get(field) or ():
            yield field, container


def of_plan(plan: Plan) -> Iterator[Diagnostic]:
    for job, pods in zip(replicated_jobs(plan.template), plan.pod_sets, strict=True):
        states = (*pods.containers, *pods.init_containers)
        for (field, container), state in zip(_containers(job), states, strict=True):
            if "ports" in container:
                found = _problem(plan, container, state, init=field == "initContainers")
                if found is not None:
                    index, what = found
                    at = (*container_path(plan, pods.name, container["name"], field), "ports", index)
                    yield on_runtime(
                        plan,
                        codes.parity.PORTS_COLLAPSE,
                        f"container {container['name']} of {pods.name}: {what} (#3926)",
                        at,
                        "give every port of the container a name of its own, and leave 29500 to the controller",
                    )


def _problem(plan: Plan, container: Tree, state: PodContainer, *, init: bool) -> tuple[int, str] | None:
    """(index of the first port that suffers, what happens) or None when every port comes through as it was meant."""
    declared = tuple(container["ports"])
    final = final_ports(plan, container, state, init=init)
    keys = Counter(_key(port) for port in final)
    meant = dict.fromkeys(_key(port) for port in (*declared, *state.ports))
    numbers = {number for number, _ in keys}
    names = {port.get("name") for port in final}
    lost = [f"{number}/{protocol}" for number, protocol in meant if (number, protocol) not in keys and (protocol != "TCP" or number not in numbers)]
    twice = [f"{number}/{protocol}" for (number, protocol), count in keys.items() if count > 1]
    bare = [
        f"{field} {port[field]}"
        for port in declared
        for field in ("hostIP", "hostPort")
        if field in port and all(other.get(field) != port[field] for other in final if _key(other) == _key(port))
    ]
    nameless = [port["name"] for port in declared if "name" in port and port["name"] not in names]
    parts = []
    if lost:
        parts.append(f"port {listed(lost)} is lost" if len(lost) == 1 else f"ports {listed(lost)} are lost")
    if twice:
        parts.append(f"port{'s' * (len(twice) > 1)} {listed(twice)} {'is' if len(twice) == 1 else 'are'} written twice, which the server refuses")
    if nameless and not lost:
        parts.append(f"port name {listed(nameless)} is lost")
    if bare and not lost:
        parts.append(f"{listed(bare)} {'is' if len(bare) == 1 else 'are'} lost")
    if not parts:
        return None
    kept = {frozenset(port.items()) for port in final}
    index = next((index for index, port in enumerate(declared) if frozenset(port.items()) not in kept), 0)
    return index, " and ".join(parts)


def _key(port: Tree) -> tuple[int, str]:
    return port.get("containerPort", 0), port.get("protocol", "TCP")
