"""An explanation as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.expand.children import STATUS_WORDS
from jobset_compiler.explain.origin import in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

Tree = dict[str, Any]
# Where origins begin, and how much of a value is shown.
WIDTH, SHOWN = 56, 100
PER = {"pod": "a pod", "host": "a host", "world": "in all"}


def story(told: Tree) -> Iterator[str]:
    """Everything, a line at a time."""
    job, release, runtime = told["trainJob"], told["release"], told["runtime"]
    yield f"TrainJob {job['namespace']}/{job['name']}  ({place_of(job)})"
    other = "" if release["jobset"] == release["comesWith"] else f" (it comes with {release['comesWith']})"
    yield f"  release   Kubeflow Trainer {release['trainer']}, JobSet {release['jobset']}{other}"
    yield f"  runtime   {runtime['kind']} {runtime['name']}  ({'comes with the compiler' if runtime['bundled'] else place_of(runtime)})"
    yield f"            digest {runtime['digest'][:19]} of what it says"
    yield f"  policy    {told['policy'] or 'none: the containers run as the runtime has them'}"
    if told["extensions"]:
        yield f"  extension {', '.join(told['extensions'])}: no release of Trainer does so"
    yield "  creates   " + ", ".join(f"{made['kind']} {made['name']}" for made in told["objects"])
    if told["snapshot"] is not None:
        yield f"  keeps     the runtime as it is then in {told['snapshot']['kind']} {told['snapshot']['name']}: later edits of it change nothing"
    yield f"  in total  {counted_pods(told['total']['pods'])}{_requesting(told['total']['requests'])}"
    if told["gang"] is not None:
        yield f"  gang      {gang(told['gang'])}"
    if job["suspended"]:
        yield "  suspended: nothing starts before somebody (or a queue) resumes it"
    for entry in told["jobs"]:
        yield ""
        yield from _job(entry)
    yield from _section("labels and annotations, from the TrainJob down to the pods:", labels(told))
    yield from _section("needs in the cluster:", (needed(entry) for entry in told["requirements"]))
    yield from _section("a cluster fills in (jsonPointers for ignoreDifferences of Argo CD):", (entry["jsonPointer"] for entry in told["mutatedFields"]))


def gang(group: Tree) -> str:
    """`launcher 1 + node 4 = minMember 5`."""
    total = " + ".join(f"{member['job']} {member['pods']}" for member in group["members"])
    resources = ", ".join(f"{name} {quantity}" for name, quantity in group["minResources"].items())
    return f"{total} = minMember {group['minMember']}" + (f"; minResources {resources}" if resources else "")


def names(told: Tree) -> Iterator[str]:
    """The table of names; what is too long is marked."""
    job = told["trainJob"]
    yield f"TrainJob {job['namespace']}/{job['name']}"
    rows = []
    for entry in told["names"]:
        over = entry["length"] - entry["limit"]
        room = f"{over} too long" if over > 0 else f"{entry['length']} of {entry['limit']}"
        rows.append((entry["kind"], entry["name"], room, f"by {entry['madeBy']}" + (f"; {entry['note']}" if entry["note"] else "")))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        yield "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)) + f"  {row[3]}"
    left = min((entry["limit"] - entry["length"] for entry in told["names"] if entry["limit"] == 63), default=0)
    yield f"  the TrainJob's name may be {left} characters longer" if left >= 0 else f"  cut {-left} characters off the TrainJob's name"


def labels(told: Tree) -> Iterator[str]:
    for entry in told["metadata"]:
        for place in entry["places"]:
            on = f"{place['on']} {place['job']}".strip()
            left = f"{entry['field'].removesuffix('s'):<11} {entry['key']}={place['value']} on {on}"
            # Paths end in the key, which is there already.
            yield _with_origin(left, [{**origin, "path": ""} for origin in place["origin"]], 0)


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    listed = list(lines)
    if listed:
        yield ""
        yield f"  {title}"
        yield from (f"    {line}" for line in listed)


def needed(entry: Tree) -> str:
    where = f"{entry['namespace']}/" if entry["namespace"] else ""
    return f"{entry['kind']} {where}{entry['name']}: {entry['why']}"


def _job(entry: Tree) -> Iterator[str]:
    role = entry["role"] or "no role: neither trainer nor initializer"
    times = f" ({entry['replicas']} jobs of {entry['podsPerJob']})" if entry["replicas"] != 1 else ""
    yield f"  {entry['name']} ({role}): {counted_pods(entry['pods'])}{times}"
    yield _with_origin(f"pods      {entry['podsPerJob']}", entry["origin"], 4)
    if entry["requests"]:
        yield f"    requests  {listed(entry['requests'])} a pod" + (f"; {listed(entry['total'])} in all" if entry["pods"] != 1 else "")
    if entry["processes"] is not None:
        yield from _processes(entry)
    if entry["waitsFor"]:
        yield f"    waits until {' and '.join(map(waiting, entry['waitsFor']))}"
    if entry["hosts"]:
        more = entry["pods"] - len(entry["hosts"])
        yield f"    hosts     {', '.join(entry['hosts'])}" + (f" and {more} more" if more > 0 else "")
    for container in entry["containers"]:
        yield f"    {'init ' if container['init'] else ''}container {container['name']}"
        yield from _container(container)


def _processes(entry: Tree) -> Iterator[str]:
    found = entry["processes"]
    yield f"    processes {counted_processes(entry)}"
    for reason in found["because"]:
        where = f"  ({place_of(reason)}{' ' + reason['path'] if reason['path'] else ''})" if reason["line"] else ""
        yield f"      - {reason['text']}{where}"


def counted_processes(entry: Tree) -> str:
    """"4 a pod with 4 GPUs", of a job that processes are counted for."""
    found = entry["processes"]
    gpus = f" with {entry['gpusPerPod']} GPU{'' if entry['gpusPerPod'] == 1 else 's'}" if entry["gpusPerPod"] is not None and found["per"] == "pod" else ""
    return f"{found['value']} {PER[found['per']]}{gpus}"


def waiting(target: Tree) -> str:
    """"model-initializer has completed", of an entry of waitsFor."""
    return f"{target['job']} {STATUS_WORDS.get(target['status'], target['status'])}"


def _container(container: Tree) -> Iterator[str]:
    if "image" in container:
        yield _with_origin(f"image     {_short(container['image']['value'])}", container["image"]["origin"], 6)
    for field in ("command", "args"):
        yield from _words(field, container.get(field, []))
    for entry in container["env"]:
        yield _with_origin(f"env {entry['name']} {_short(entry['value'])}".rstrip(), entry["origin"], 6)
    for source in container.get("envFrom", ()):
        yield f"      env {source}"


def _words(field: str, items: list[Tree]) -> Iterator[str]:
    """A command line on one line where all of it has one origin, else a word a line."""
    if not items:
        return
    line = f"{field:<9} {_short(' '.join(_word(item['value']) for item in items))}"
    if len({repr([_of_list(origin) for origin in item["origin"]]) for item in items}) == 1:
        first = items[0]["origin"]
        yield _with_origin(line, [{**origin, "path": _of_list(origin)["path"]} for origin in first], 6)
        return
    yield f"      {line}"
    for item in items:
        yield _with_origin(f"- {_short(_word(item['value']))}", item["origin"], 8)


def _of_list(origin: Tree) -> Tree:
    """The origin of the list that an item stands in."""
    return {**origin, "path": origin["path"].rpartition("[")[0] if origin["path"].endswith("]") else origin["path"], "line": 0, "column": 0}


def _with_origin(left: str, chain: list[Tree], pad: int) -> str:
    came = in_words(chain)
    left = " " * pad + left
    return f"{left:<{WIDTH}}  <- {came}" if came else left


def _word(word: str) -> str:
    return word if word and word.isprintable() and " " not in word else repr(word)


def _short(value: str) -> str:
    line = value.replace("\n", "\\n")
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."


def place_of(place: Tree) -> str:
    return f"{place['file']}:{place['line']}" if place["line"] else str(place["file"])


def counted_pods(count: int) -> str:
    return f"{count} pod{'' if count == 1 else 's'}"


def _requesting(requests: dict[str, str]) -> str:
    return f" requesting {listed(requests)}" if requests else ", no requests"


def listed(requests: dict[str, str]) -> str:
    return ", ".join(f"{name} {quantity}" for name, quantity in requests.items())
