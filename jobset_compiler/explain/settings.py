"""What a pod spec says beside its containers' images, commands and variables, in words: nodes, tolerations, volumes, and the rest by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.diagnostics.addresses import Keyed, leaves, resolve
from jobset_compiler.diagnostics.place import value_at
from jobset_compiler.expand.children import claim_name, claim_templates
from jobset_compiler.explain.origin import of_item, origin_at
from jobset_compiler.explain.words import flow, listed, mode
from jobset_compiler.provenance.origins import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jobset_compiler.diagnostics.addresses import Step
    from jobset_compiler.objects.unit import Unit

Tree = dict[str, Any]
# Told elsewhere: containers and mounts by themselves, restartPolicy with what happens when something fails.
TOLD_OF_POD = ("containers", "initContainers", "volumes", "nodeSelector", "tolerations", "restartPolicy")
TOLD_OF_CONTAINER = ("name", "image", "command", "args", "env", "envFrom", "volumeMounts")


def of_pod(unit: Unit, pod: Tree, base: tuple[Step, ...]) -> Iterator[Tree]:
    """{"field", "text", "origin"} of each setting; base: where the pod spec stands in the JobSet."""
    for key, value in pod.get("nodeSelector", {}).items():
        yield _setting(unit, "nodes", f"only with the label {key}={value}", (*base, "nodeSelector", key))
    for index, toleration in enumerate(pod.get("tolerations", ())):
        place: tuple[Step, ...] = (*base, "tolerations", index)
        chain = of_item(origin_at(unit, place[:-1]), origin_at(unit, place))
        yield {"field": "tolerates", "text": toleration_in_words(toleration), "origin": chain}
    yield from _others(unit, pod, base, TOLD_OF_POD)
    mounted = {mount["name"] for kind in ("initContainers", "containers") for container in pod.get(kind) or () for mount in container.get("volumeMounts", ())}
    for volume in pod.get("volumes", ()):
        if volume["name"] not in mounted:
            yield _setting(unit, "volume", f"{volume['name']}: {volume_in_words(volume)}; mounted nowhere", (*base, "volumes", Keyed("name", volume["name"])))


def of_container(unit: Unit, container: Tree, place: tuple[Step, ...]) -> list[Tree]:
    """The same of a container."""
    return list(_others(unit, container, place, TOLD_OF_CONTAINER))


def _others(unit: Unit, tree: Tree, base: tuple[Step, ...], told: tuple[str, ...]) -> Iterator[Tree]:
    for field, value in tree.items():
        if field not in told and value not in ({}, []):
            yield _setting(unit, field, WORDS[field](value) if field in WORDS else flow(value, field), (*base, field))


def _setting(unit: Unit, field: str, text: str, place: tuple[Step, ...]) -> Tree:
    return {"field": field, "text": text, "origin": _origin(unit, place)}


def _origin(unit: Unit, place: tuple[Step, ...]) -> list[Tree]:
    """The origin of a map or list, or where nobody wrote that as a whole, of the first thing in it."""
    chain = origin_at(unit, place)
    if any(origin["kind"] != DEFAULT for origin in chain):
        return chain
    jobset = unit.objects[0]
    start = resolve(jobset, place)
    return origin_at(unit, leaves(value_at(jobset, start), start)[0])


def resources_in_words(resources: Tree) -> str:
    """ "requests cpu 8, memory 32Gi; limits nvidia.com/gpu 1"."""
    told = [f"{kind} {listed(resources[kind])}" for kind in ("requests", "limits") if resources.get(kind)]
    return "; ".join([*told, *(f"{kind} {flow(value)}" for kind, value in resources.items() if kind not in ("requests", "limits"))])


def toleration_in_words(toleration: Tree) -> str:
    """ "nvidia.com/gpu, any value (NoSchedule)": the taints of nodes that the pod may run on all the same."""
    key, exists = toleration.get("key", ""), toleration.get("operator") == "Exists"
    operator = {"Lt": "<", "Gt": ">"}.get(toleration.get("operator", ""), "=")
    taint = ("every taint" if not key else f"taint {key}, any value") if exists else f"taint {key}{operator}{toleration.get('value', '')}"
    effect = f" ({toleration['effect']})" if toleration.get("effect") else ""
    seconds = toleration.get("tolerationSeconds")
    return f"{taint}{effect}" + (f" for {seconds} s" if seconds is not None else "")


def mounts_of(unit: Unit, pod: Tree, container: Tree, place: tuple[Step, ...]) -> list[Tree]:
    """{"path", "volume", "what", "readOnly", "origin"} of each mount of a container."""
    jobset = unit.objects[0]
    claims = {template["metadata"].get("name", ""): f"PersistentVolumeClaim {claim_name(jobset, template)}" for _, template in claim_templates(jobset)}
    known = claims | {volume["name"]: volume_in_words(volume) for volume in pod.get("volumes", ())}
    return [
        {
            "path": mount.get("mountPath", ""),
            "volume": mount["name"],
            "what": known.get(mount["name"], "") + _part(mount),
            "readOnly": bool(mount.get("readOnly")),
            "origin": origin_at(unit, (*place, "volumeMounts", index)),
        }
        for index, mount in enumerate(container.get("volumeMounts", ()))
    ]


def mount_in_words(mount: Tree) -> str:
    """ "/data of volume recordings, read-only"."""
    return f"{mount.get('mountPath', '')} of volume {mount['name']}{_part(mount)}{', read-only' if mount.get('readOnly') else ''}"


def _part(mount: Tree) -> str:
    inside = mount.get("subPath") or mount.get("subPathExpr")
    return f", {inside} in it" if inside else ""


def volume_in_words(volume: Tree) -> str:
    """ "Secret keys, key as id_rsa (0600)": what a volume is, file modes in octal."""
    ((kind, source),) = [(kind, source) for kind, source in volume.items() if kind != "name"][:1] or [("emptyDir", {})]
    source = source or {}
    match kind:
        case "persistentVolumeClaim":
            return f"PersistentVolumeClaim {source.get('claimName', '')}"
        case "secret":
            return f"Secret {source.get('secretName', '')}{_files(source)}"
        case "configMap":
            return f"ConfigMap {source.get('name', '')}{_files(source)}"
        case "hostPath":
            return f"{source.get('path', '')} of the node"
        case "emptyDir":
            where = " in memory" if source.get("medium") == "Memory" else ""
            return f"an empty folder{where}" + (f" of at most {source['sizeLimit']}" if source.get("sizeLimit") else "")
    return f"{kind} {flow(source, kind)}"


def ports_in_words(ports: list[Tree]) -> str:
    """ "29500, 8080 (http)"."""
    told = []
    for port in ports:
        protocol = f"/{port['protocol']}" if port.get("protocol") else ""
        told.append(f"{port.get('containerPort', '')}{protocol}" + (f" ({port['name']})" if port.get("name") else ""))
    return ", ".join(told)


WORDS: dict[str, Callable[[Any], str]] = {"resources": resources_in_words, "ports": ports_in_words}


def _files(source: Tree) -> str:
    parts = [f", all files {mode(source['defaultMode'])}"] if source.get("defaultMode") is not None else []
    for item in source.get("items", ()):
        octal = f" ({mode(item['mode'])})" if item.get("mode") is not None else ""
        parts.append(f", {item.get('key', '')} as {item.get('path', '')}{octal}")
    return "".join(parts) + (" if there is one" if source.get("optional") else "")
