"""The picture of a TrainJob: a lane a replicatedJob, a box a pod, an arrow for each dependsOn. Where everything goes, in units of the drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jobset_compiler.api.runtime import DATASET_INITIALIZER, LAUNCHER, MODEL_INITIALIZER, NODE, TRAINER
from jobset_compiler.diagnostics.diagnostic import counted
from jobset_compiler.explain.names import host_of
from jobset_compiler.explain.text import waiting
from jobset_compiler.explain.words import PER, counted_pods

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jobset_compiler.objects.unit import Unit

Tree = dict[str, Any]
# Of a lane with more pods the first and the last are drawn, and how many lie between them.
SHOWN = 9
COLUMNS = 3
BOX_WIDTH, BOX_HEIGHT, GAP = 262, 78, 12
GUTTER, MARGIN, HEAD, LANE_GAP = 58, 12, 48, 22
WIDTH = GUTTER + 1 + 2 * MARGIN + COLUMNS * BOX_WIDTH + (COLUMNS - 1) * GAP
# Distance between arrows that run side by side, and how many do before they share a way.
ARROW_STEP, ARROW_WAYS = 11, 4
# Characters of a host name that fit into a box, and squares that stand for GPUs.
HOST_LENGTH, SQUARES = 33, 8
ROLES = {DATASET_INITIALIZER: "initializer", MODEL_INITIALIZER: "initializer", TRAINER: "trainer"}


class Box(NamedTuple):
    """A pod, or with `folded` that many pods for which there is no room. squares: one a GPU, left edges."""

    x: int
    y: int
    title: str
    host: str
    shown_host: str
    does: str
    squares: tuple[int, ...]
    folded: int


class Lane(NamedTuple):
    """A replicatedJob. role: "initializer", "trainer", "launcher" or "other", for colours; heading and note are said above its pods."""

    job: str
    role: str
    y: int
    height: int
    heading: str
    note: str
    boxes: tuple[Box, ...]


class Arrow(NamedTuple):
    """From the job that is waited for to the one that waits: a line, and the three corners of its head."""

    line: str
    head: str
    words: str


class Picture(NamedTuple):
    """title and description say in words what is drawn; left: where it begins, since room for arrows is not always needed."""

    left: int
    width: int
    height: int
    title: str
    description: str
    lanes: tuple[Lane, ...]
    arrows: tuple[Arrow, ...]


def picture_of(unit: Unit, told: Tree) -> Picture:
    """The picture of a compiled TrainJob, `told` being its explanation."""
    lanes: list[Lane] = []
    top = 0
    for job in in_order(told["jobs"]):
        lane = _lane(unit, job, told["policy"], top)
        lanes.append(lane)
        top += lane.height + LANE_GAP
    arrows = tuple(_arrows(told["jobs"], {lane.job: lane for lane in lanes}))
    title = f"What TrainJob {told['trainJob']['name']} runs: {counted_pods(told['total']['pods'])}"
    description = "; ".join([*(f"{lane.job}: {lane.heading}" for lane in lanes), *(arrow.words for arrow in arrows)])
    left = 0 if arrows else GUTTER - 1
    return Picture(left, WIDTH - left, max(top - LANE_GAP, 0), title, description, tuple(lanes), arrows)


def in_order(jobs: Sequence[Tree]) -> list[Tree]:
    """The jobs such that each stands below those that it waits for, else as the JobSet has them."""
    left, done, ordered = list(jobs), set[str](), list[Tree]()
    while left:
        # JobSet's webhook lets a job depend on earlier ones only, so that there is always one to take.
        job = next((job for job in left if all(target["job"] in done for target in job["waitsFor"])), left[0])
        left.remove(job)
        done.add(job["name"])
        ordered.append(job)
    return ordered


def _lane(unit: Unit, job: Tree, policy: str, top: int) -> Lane:
    boxes = tuple(_boxes(unit, job, top + HEAD))
    rows = (len(boxes) + COLUMNS - 1) // COLUMNS
    height = HEAD + rows * BOX_HEIGHT + max(rows - 1, 0) * GAP + MARGIN
    role = _role(job)
    parts = [counted_pods(job["pods"])]
    if job["replicas"] != 1:
        parts.append(f"{job['replicas']} Jobs")
    processes = job["processes"]
    if processes is not None and processes["per"] == "world":
        parts.append(f"{_processes(processes['value'])} {PER['world']}")
    if processes is not None:
        parts.append(policy)
    note = f"starts when {' and '.join(map(waiting, job['waitsFor']))}" if job["waitsFor"] else ""
    return Lane(job["name"], role, top, height, ", ".join(parts), note, boxes)


def _role(job: Tree) -> str:
    """Runtimes for MPI label the launcher as the trainer, and their nodes not at all: names say more."""
    names = {LAUNCHER: "launcher", NODE: "trainer"}
    return names.get(job["name"]) or ROLES.get(job["role"], "other")


def _boxes(unit: Unit, job: Tree, top: int) -> Iterator[Box]:
    count, jobset = job["pods"], unit.objects[0]
    numbers: list[int] = [*range(count)] if count <= SHOWN else [*range(SHOWN - 2), -1, count - 1]
    role, gpus, does = _role(job), job["gpusPerPod"] or 0, _does(job)
    # Ranks of MPI are of processes, which hosts have several of.
    what = "pod" if role != "trainer" else "host" if job["processes"] is not None and job["processes"]["per"] == "host" else "rank"
    for place, number in enumerate(numbers):
        x = GUTTER + MARGIN + place % COLUMNS * (BOX_WIDTH + GAP)
        y = top + place // COLUMNS * (BOX_HEIGHT + GAP)
        if number < 0:
            yield Box(x, y, f"… {count - SHOWN + 1:,} more", "", "", "", (), count - SHOWN + 1)
            continue
        replica, index = divmod(number, job["podsPerJob"])
        host = host_of(jobset, job["name"], replica, index) if job["hosts"] else ""
        title = f"{what} {index}" if job["replicas"] == 1 else f"job {replica}, {what} {index}"
        squares = tuple(x + BOX_WIDTH - MARGIN - 12 * (square + 1) for square in range(min(gpus, SQUARES)))
        yield Box(x, y, title, host, _short(host), does, squares, 0)


def _does(job: Tree) -> str:
    """What one pod has: "8 GPUs, 8 processes"."""
    parts, processes, gpus = [], job["processes"], job["gpusPerPod"]
    if gpus is not None:
        parts.append(f"{gpus} GPU{'' if gpus == 1 else 's'}")
    if processes is not None and processes["per"] == "pod":
        value = processes["value"]
        parts.append(_processes(value) if isinstance(value, int) else f"processes: {value}")
    elif processes is not None and processes["per"] == "host":
        parts.append(counted(processes["value"], "slot"))
    return ", ".join(parts) or "no GPU"


def _processes(count: int) -> str:
    return f"{count} process{'' if count == 1 else 'es'}"


def _short(host: str) -> str:
    """A host name that fits: its subdomain goes first, since all pods have it, and then the beginning, since the numbers are at the end."""
    if len(host) <= HOST_LENGTH:
        return host
    name = host.partition(".")[0]
    return f"{name}.…" if len(name) + 2 <= HOST_LENGTH else f"…{name[2 - HOST_LENGTH :]}…"


def _arrows(jobs: Sequence[Tree], lanes: dict[str, Lane]) -> Iterator[Arrow]:
    number = 0
    for job in jobs:
        for target in job["waitsFor"]:
            if target["job"] in lanes:
                below, above = lanes[job["name"]], lanes[target["job"]]
                x = GUTTER - ARROW_STEP * (number % ARROW_WAYS + 1) - 6
                # Several arrows into one lane end beneath each other.
                start, end = above.y + HEAD // 2 + 6, below.y + 12 + 7 * (number % ARROW_WAYS)
                line = f"M{GUTTER} {start} H{x + 5} Q{x} {start} {x} {start + 5} V{end - 5} Q{x} {end} {x + 5} {end} H{GUTTER - 7}"
                yield Arrow(line, f"{GUTTER},{end} {GUTTER - 8},{end - 4} {GUTTER - 8},{end + 4}", f"{job['name']} starts when {waiting(target)}")
                number += 1
