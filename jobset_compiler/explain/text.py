"""An explanation as text for people: lines that `layout` wraps to a terminal.

    TrainJob ml/train  (job.yaml:1)
      release    Kubeflow Trainer 2.3.0, JobSet 0.12.0
      ...
      node (trainer): 2 pods
        pods       2                            <- sizing, numNodes, job.yaml:9

Behind the arrow stands where a value comes from: a line, or a pass of the compiler and the line on whose account it wrote the value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.expand.children import STATUS_WORDS
from jobset_compiler.explain.containers import env_value
from jobset_compiler.explain.layout import ADDED, BLANK, CHANGED, LOST, Line, heading
from jobset_compiler.explain.patched import ADDED as HAS_ADDED
from jobset_compiler.explain.patched import NOTHING, OVERRULED, REPLACED
from jobset_compiler.explain.settings import mount_in_words, toleration_in_words, volume_in_words
from jobset_compiler.explain.words import INDEX, PER, at_home, came_from, counted_pods, flow, listed, place_of, short
from jobset_compiler.provenance.origins import INPUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Tree = dict[str, Any]
ITEM = 2


def story(told: Tree, *, gitops: bool = False) -> Iterator[Line]:
    """Everything about one TrainJob. gitops: with the fields that a cluster fills in, as Argo CD takes them."""
    job = told["trainJob"]
    yield heading(f"TrainJob {job['namespace']}/{job['name']}  ({place_of(job)})")
    told = at_home(told, job["file"])
    yield from _head(told)
    yield from _patches(told["patches"])
    for entry in told["jobs"]:
        yield BLANK
        yield from _job(entry)
    yield from _section("labels and annotations, from the TrainJob down to the pods", labels(told))
    yield from _section("needed in the cluster", (Line(4, "-", needed(entry), room=ITEM) for entry in told["requirements"]))
    if gitops:
        pointers = (Line(4, text=entry["jsonPointer"], room=0) for entry in told["mutatedFields"])
        yield from _section("a cluster fills in (jsonPointers for ignoreDifferences of Argo CD)", pointers)


def _head(told: Tree) -> Iterator[Line]:
    job, release, runtime = told["trainJob"], told["release"], told["runtime"]
    other = "" if release["jobset"] == release["comesWith"] else f" (it comes with {release['comesWith']})"
    yield Line(2, "release", f"Kubeflow Trainer {release['trainer']}, JobSet {release['jobset']}{other}")
    where = "comes with jobset-compiler" if runtime["bundled"] else place_of(runtime)
    yield Line(2, "runtime", f"{runtime['kind']} {runtime['name']} ({where}), fingerprint {runtime['digest'].partition(':')[2][:12]}")
    if told["snapshot"] is not None:
        copy = f"{told['snapshot']['kind']} {told['snapshot']['name']}"
        yield Line(2, text=f"the cluster keeps a copy in {copy}: changing the runtime later does not change this TrainJob")
    yield Line(2, "policy", told["policy"] or "none: the containers run as the runtime has them")
    if told["extensions"]:
        yield Line(2, "extension", f"{', '.join(told['extensions'])}: no release of Trainer does so")
    yield Line(2, "creates", ", ".join(f"{made['kind']} {made['name']}" for made in told["objects"]))
    requests = told["total"]["requests"]
    yield Line(2, "in total", counted_pods(told["total"]["pods"]) + (f", requesting {listed(requests)}" if requests else ", no requests"))
    if told["gang"] is not None:
        yield Line(2, "gang", f"all pods start together or none does: {gang(told['gang'])}")
    if job["suspended"]:
        yield Line(2, "starts", "not before somebody, or a queue, sets suspend to false", came_from(job["resume"], "suspend"))
    yield from _sentences(2, "success", [told["success"]])
    yield from _sentences(2, "failure", told["failure"])


def _sentences(indent: int, label: str, sentences: list[Tree]) -> Iterator[Line]:
    for number, sentence in enumerate(sentences):
        yield Line(indent, "" if number else label, sentence["text"], came_from(sentence["origin"]))


def gang(group: Tree) -> str:
    """`launcher 1 + node 4 = minMember 5`."""
    total = " + ".join(f"{member['job']} {member['pods']}" for member in group["members"])
    resources = ", ".join(f"{name} {quantity}" for name, quantity in group["minResources"].items())
    return f"{total} = minMember {group['minMember']}" + (f"; minResources {resources}" if resources else "")


def _patches(patches: list[Tree]) -> Iterator[Line]:
    for patch in patches:
        yield BLANK
        name = f"the patch of {patch['manager']} does" if patch["manager"] else f"{patch['path']} does"
        yield heading(f"what {'spec.labels and spec.annotations do' if patch['path'] == 'spec' else name}", place_of(patch), 2)
        for change in patch["changes"]:
            yield _change(patch, change)
        if not patch["changes"]:
            yield Line(4, text="nothing that was not so before", room=0)


SIGNS = {HAS_ADDED: ("+", ADDED), NOTHING: ("!", LOST), OVERRULED: ("!", LOST)}


def _change(patch: Tree, change: Tree) -> Line:
    what, field = change["what"], change["path"].rpartition(".")[2]
    where, _, name = brief(change["path"]).rpartition(": ")
    value, was = (short(flow(change[side], field)) for side in ("value", "was"))
    whole = _in_words(name, change["value"]) or f"{name}: {value}"
    said = {
        HAS_ADDED: f"added {whole}",
        REPLACED: f"replaced {change['by'] or 'the runtime'}'s list {name}: {value} instead of {was}",
        OVERRULED: f"{whole} has no effect: {change['by']} has the last word",
        NOTHING: f"nothing comes of {whole}",
    }.get(what, f"changed {name} from {was} to {value}")
    said = f"{where}: {said}" if where else said
    sign, tone = SIGNS.get(what, ("~", CHANGED))
    return Line(4, sign, said, place_of({**patch, "line": change["line"]}), tone, ITEM)


def _in_words(field: str, value: Any) -> str:
    """An item of a list that a patch has added, as people speak of it; "" for what is told by its name and value."""
    kind = field.partition("[")[0]
    if not field.endswith("]") or not isinstance(value, dict):
        return ""
    match kind:
        case "volumes":
            return f"volume {value['name']}: {volume_in_words(value)}"
        case "volumeMounts":
            return f"mount {mount_in_words(value)}"
        case "tolerations":
            return f"toleration of {toleration_in_words(value)}"
        case "env":
            return f"variable {value['name']}={env_value(value)}"
    return ""


def brief(path: str) -> str:
    """A path of the JobSet without what is the same for all pods: "node, container node: image"."""
    start = "spec.replicatedJobs[name="
    if not path.startswith(start):
        return path
    name, _, rest = path.removeprefix(start).partition("]")
    rest = rest.removeprefix(".").removeprefix("template.")
    pod = "spec.template."
    if not rest.startswith(pod):
        return f"{name}, Job: {rest}" if rest else name
    rest = rest.removeprefix(pod).removeprefix("spec.")
    for kind, word in (("containers[name=", "container"), ("initContainers[name=", "init container")):
        if rest.startswith(kind):
            container, _, field = rest.removeprefix(kind).partition("]")
            return f"{name}, {word} {container}: {field.removeprefix('.')}" if field else f"{name}, {word} {container}"
    return f"{name}, pod: {rest}" if rest else f"{name}, pod"


def names(told: Tree) -> Iterator[Line]:
    """The table of names; what is too long is marked."""
    job = told["trainJob"]
    yield heading(f"TrainJob {job['namespace']}/{job['name']}")
    rows = []
    for entry in told["names"]:
        over = entry["length"] - entry["limit"]
        room = f"{over} too long" if over > 0 else f"{entry['length']} of {entry['limit']}"
        rows.append((entry["kind"], entry["name"], room, f"by {entry['madeBy']}" + (f"; {entry['note']}" if entry["note"] else ""), over > 0))
    first, second, third = (max((len(row[column]) for row in rows), default=0) for column in range(3))
    for kind, name, room, note, over in rows:
        yield Line(2, f"{kind:<{first}}  {name:<{second}}  {room:<{third}}", note, tone=LOST if over else "", room=first + second + third + 6)
    left = min((entry["limit"] - entry["length"] for entry in told["names"] if entry["limit"] == 63), default=0)
    yield Line(2, text=f"the TrainJob's name may be {left} characters longer" if left >= 0 else f"cut {-left} characters off the TrainJob's name", room=0)


def labels(told: Tree) -> Iterator[Line]:
    for entry in told["metadata"]:
        for place in entry["places"]:
            on = {"Pod": f"the pods of {place['job']}", "Job": f"the Jobs of {place['job']}"}.get(place["on"], f"the {place['on']}")
            said = f"{entry['key']}={short(str(place['value']))} on {on}"
            # Paths end in the key, which is there already.
            chain = [{**origin, "path": ""} if origin["kind"] == INPUT else origin for origin in place["origin"]]
            yield Line(4, entry["field"].removesuffix("s"), said, came_from(chain))


def _section(title: str, lines: Iterable[Line]) -> Iterator[Line]:
    listed = list(lines)
    if listed:
        yield BLANK
        yield heading(title, indent=2)
        yield from listed


def needed(entry: Tree) -> str:
    where = f"{entry['namespace']}/" if entry["namespace"] else ""
    return f"{entry['kind']} {where}{entry['name']}: {entry['why']}"


def _job(entry: Tree) -> Iterator[Line]:
    role = entry["role"] or "neither trainer nor initializer"
    times = f" ({entry['replicas']} jobs of {entry['podsPerJob']})" if entry["replicas"] != 1 else ""
    yield heading(f"{entry['name']} ({role}): {counted_pods(entry['pods'])}{times}", indent=2)
    yield Line(4, "pods", str(entry["podsPerJob"]), came_from(entry["origin"]))
    if entry["requests"]:
        yield Line(4, "requests", f"{listed(entry['requests'])} a pod" + (f"; {listed(entry['total'])} in all" if entry["pods"] != 1 else ""))
    if entry["processes"] is not None:
        yield from _processes(entry)
    if entry["waitsFor"]:
        yield Line(4, "waits", f"until {' and '.join(map(waiting, entry['waitsFor']))}")
    if entry["hosts"]:
        more = entry["pods"] - len(entry["hosts"])
        yield Line(4, "hosts", f"{', '.join(entry['hosts'])}" + (f" and {more} more" if more > 0 else ""))
    yield from _sentences(4, "failure", entry["failure"])
    yield from _settings(entry["settings"], 4)
    for container in entry["containers"]:
        yield heading(f"{'init ' if container['init'] else ''}container {container['name']}", indent=4)
        yield from _container(container)


NAMED = ("nodes", "tolerates", "volume", "resources", "ports")


def _settings(settings: list[Tree], indent: int) -> Iterator[Line]:
    """What has a word of its own, then the rest by the names of the fields."""
    last = ""
    for entry in sorted(settings, key=lambda entry: entry["field"] not in NAMED):
        field, text = entry["field"], short(entry["text"])
        label, text = (field, text) if field in NAMED else ("also", f"{field}: {text}")
        yield Line(indent, "" if label == last else label, text, came_from(entry["origin"], f"{field} {text}"))
        last = label


def _processes(entry: Tree) -> Iterator[Line]:
    found = entry["processes"]
    yield Line(4, "processes", counted_processes(entry))
    for reason in found["because"]:
        yield Line(6, "-", reason["text"], place_of(reason) if reason["line"] else "", room=ITEM)


def counted_processes(entry: Tree) -> str:
    """"4 a pod with 4 GPUs", of a job that processes are counted for."""
    found = entry["processes"]
    if isinstance(found["value"], str):
        gpus = f"{entry['gpusPerPod']} a pod, one for each GPU" if entry["gpusPerPod"] else "counted in each pod"
        return f"{found['value']} ({gpus})"
    gpus = f" with {entry['gpusPerPod']} GPU{'' if entry['gpusPerPod'] == 1 else 's'}" if entry["gpusPerPod"] is not None and found["per"] == "pod" else ""
    return f"{found['value']} {PER[found['per']]}{gpus}"


def waiting(target: Tree) -> str:
    """"model-initializer has completed", of an entry of waitsFor."""
    return f"{target['job']} {STATUS_WORDS.get(target['status'], target['status'])}"


def _container(container: Tree) -> Iterator[Line]:
    if "image" in container:
        yield Line(6, "image", short(container["image"]["value"]), came_from(container["image"]["origin"], "image"))
    for field in ("command", "args"):
        yield from _words(field, container.get(field, []))
    label = "env"
    for entry in container["env"]:
        value = "<number of the pod in its Job>" if entry["value"] == INDEX else short(entry["value"])
        yield Line(6, label, f"{entry['name']}={value}", came_from(entry["origin"], "env"))
        label = ""
    for source in container.get("envFrom", ()):
        prefix, _, of = source.partition("* ")
        yield Line(6, label, f"each key of {of}" + (f", as {prefix}..." if prefix else ""))
        label = ""
    label = "mounts"
    for mount in container["mounts"]:
        read_only = ", read-only" if mount["readOnly"] else ""
        yield Line(6, label, f"{mount['path']}: {mount['what'] or mount['volume']}{read_only}", came_from(mount["origin"], "volumeMounts"))
        label = ""
    yield from _settings(container["settings"], 6)


def _words(field: str, items: list[Tree]) -> Iterator[Line]:
    """A command line on one line where all of it has one origin, else a word a line."""
    if not items:
        return
    line = short(" ".join(_word(item["value"]) for item in items))
    if len({repr([_of_list(origin) for origin in item["origin"]]) for item in items}) == 1:
        yield Line(6, field, line, came_from(items[0]["origin"], field))
        return
    yield Line(6, field, line)
    for item in items:
        yield Line(8, "-", short(_word(item["value"])), came_from(item["origin"], field), room=ITEM)


def _of_list(origin: Tree) -> Tree:
    """The origin of the list that an item stands in."""
    return {**origin, "path": origin["path"].rpartition("[")[0] if origin["path"].endswith("]") else origin["path"], "line": 0, "column": 0}


def _word(word: str) -> str:
    return word if word and word.isprintable() and " " not in word else repr(word)
