"""Differences of inputs that use what there is to tell of, in each form. Read the texts below `__snapshots__`; `--snapshot-update` writes them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from syrupy.assertion import SnapshotAssertion

from jobset_compiler import runtimes
from jobset_compiler.diff import compare_sides, compare_yaml, compile_side
from jobset_compiler.diff.because import with_reasons
from jobset_compiler.diff.difference import Difference
from jobset_compiler.diff.markdown import to_markdown
from jobset_compiler.diff.report import to_json
from jobset_compiler.diff.side import text_source
from jobset_compiler.diff.text import COLOURED, to_text
from jobset_compiler.diff.unified import to_unified
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from tests.explain.inputs import EVERYTHING, INPUTS, LAUNCHED, OF_2_2, PATCHED, RUNTIME, TRAINJOB, TUNED, WRAPPED, of_bundled

RELEASES = ("v2.0", "v2.1", "v2.2", "v2.3")


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def named(count: int, trainer: str = "{numNodes: 2}") -> str:
    """That many TrainJobs."""
    return "\n---\n".join(of_bundled("torch-distributed", trainer=trainer).replace("name: train", f"name: train{number}") for number in range(count))


BUNDLED_ALIKE = runtimes.text_of("v2.3", "torchtune-llama3.2-1b").replace("batch_size=1", "batch_size=2").replace("image: ", "image: mirror.example.com/")
DEPRECATED = f"""{RUNTIME.replace("owner: us", "trainer.kubeflow.org/support: deprecated")}\
  mlPolicy: {{torch: {{}}}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}
          spec: {{template: {{spec: {{containers: [{{name: node, image: i}}]}}}}}}
"""
MORE_NODES = ("numNodes: 4\n", "numNodes: 6\n")
LOGGER = EVERYTHING[EVERYTHING.index("      - name: logger") : EVERYTHING.index("      - name: node\n")]
REFERRING = "[{name: A, value: x}, {name: B, value: $(A)}]"
PAIRS: dict[str, tuple[str, str]] = {
    "more nodes": (EVERYTHING, replaced(EVERYTHING, MORE_NODES)),
    "other resources": (EVERYTHING, replaced(EVERYTHING, ("memory: 64Gi", "memory: 32Gi"), ("limits: {cpu: 16", "limits: {cpu: 24"))),
    "no resources": (EVERYTHING, EVERYTHING[: EVERYTHING.index("    resourcesPerNode")]),
    "a job is gone": (
        EVERYTHING,
        replaced(EVERYTHING, (LOGGER, ""), ("        dependsOn: [{name: logger, status: Ready}]\n", ""), ("[node, logger]", "[node]")),
    ),
    "a job comes": (replaced(EVERYTHING, (LOGGER, ""), ("        dependsOn: [{name: logger, status: Ready}]\n", ""), ("[node, logger]", "[node]")), EVERYTHING),
    "it waits for more": (EVERYTHING, replaced(EVERYTHING, ("status: Ready", "status: Complete"))),
    "no gang": (EVERYTHING, replaced(EVERYTHING, ("  podGroupPolicy: {volcano: {}}\n", ""))),
    "another gang": (EVERYTHING, replaced(EVERYTHING, ("{volcano: {}}", "{coscheduling: {}}"))),
    "modes, mounts and tolerations": (
        EVERYTHING,
        replaced(EVERYTHING, ("defaultMode: 256", "defaultMode: 420"), ("subPath: ssh", "subPath: keys"), ("key: spot", "key: cheap")),
    ),
    "labels of all kinds": (
        EVERYTHING,
        replaced(EVERYTHING, ("team: a", "team: b"), ("part: node", "part: main"), ("part: log", "part: logs"), ("who: me", "who: you")),
    ),
    "images": (EVERYTHING, replaced(EVERYTHING, ("mine:2", "mine:3"), ("fetch:1", "fetched:1"), ("side:1", "side@sha256:" + "0" * 64))),
    "restarts": (EVERYTHING, replaced(EVERYTHING, ("maxRestarts: 3", "maxRestarts: 4"), ("BlockingRecreate", "Recreate"), ("name: preempted", "name: lost"))),
    "the order of rules": (
        EVERYTHING,
        replaced(
            EVERYTHING,
            (
                "{name: preempted, action: RestartJobSetAndIgnoreMaxRestarts, onJobFailureReasons: [PodFailurePolicy]}",
                "{name: x, action: FailJobSet, targetReplicatedJobs: [node]}",
            ),
        ),
    ),
    "suspend and names": (EVERYTHING, replaced(EVERYTHING, ("suspend: true", "suspend: false"))),
    "another namespace": (EVERYTHING, replaced(EVERYTHING, ("namespace: ml", "namespace: lab"))),
    "variables in another order": (
        replaced(WRAPPED, ('[{name: A, value: "1"}]', REFERRING)),
        replaced(WRAPPED, ('[{name: A, value: "1"}]', "[{name: B, value: $(A)}, {name: A, value: x}]")),
    ),
    "words of a long command": (
        replaced(LAUNCHED, ("[mpirun, b]", f"[mpirun, {', '.join(f'--flag-{number}' for number in range(30))}]")),
        replaced(LAUNCHED, ("[mpirun, b]", f"[mpirun, {', '.join(f'--flag-{number + number // 12}' for number in range(30))}]")),
    ),
    "a launcher and its hosts": (LAUNCHED, replaced(LAUNCHED, ("numProcPerNode: 2", "numProcPerNode: 3"), ("numNodes: 4", "numNodes: 5"))),
    "patches come": (PATCHED, PATCHED + OF_2_2),
    "patches go": (PATCHED + OF_2_2, PATCHED),
    "a patch says otherwise": (
        PATCHED + OF_2_2,
        PATCHED + replaced(OF_2_2, ("serviceAccountName: second", "serviceAccountName: third"), ("key: spot", "key: gpu")),
    ),
    "another runtime": (of_bundled("torch-distributed", trainer="{}"), of_bundled("jax-distributed", trainer="{}")),
    "another policy": (EVERYTHING, replaced(EVERYTHING, ("torch: {}", "jax: {}"))),
    "fourteen TrainJobs": (named(14), named(14, "{numNodes: 3}")),
    "ten of which nine change": (named(9) + "\n---\n" + TUNED, named(9, "{numNodes: 3}") + "\n---\n" + TUNED),
    "the same name twice": (f"{TUNED}---\n{TUNED}", f"{TUNED}---\n{replaced(TUNED, ('epochs=1', 'epochs=2'))}"),
    "a generated name": (
        replaced(TUNED, ("name: train", "generateName: train-")),
        replaced(TUNED, ("name: train", "generateName: train-"), ("epochs=1", "epochs=2")),
    ),
    "refused on both sides": (replaced(TUNED, ("numNodes: 1", "numNodes: 2")), replaced(TUNED, ("numNodes: 1", "numNodes: 3"))),
    "refused after, with a warning": (
        DEPRECATED + TRAINJOB + "  trainer: {numNodes: 1}\n",
        DEPRECATED + TRAINJOB + "  trainer: {numNodes: 2, numProcPerNode: 2, env: [{name: PET_NNODES, value: x}]}\n",
    ),
    "refused before": (replaced(TUNED, ("numNodes: 1", "numNodes: 2")), TUNED),
    "only after": ("", TUNED),
    "a finding comes": (
        EVERYTHING,
        replaced(EVERYTHING, ("restartPolicy: Never\n                serviceAccountName: runner", "restartPolicy: Never\n                hostNetwork: true")),
    ),
    "a secret variable": (replaced(WRAPPED, ("name: A", "name: HF_TOKEN")), replaced(WRAPPED, ("name: A", "name: HF_TOKEN"), ('value: "1"', 'value: "2"'))),
    "a runtime of one's own in place of the bundled one": (TUNED, f"{BUNDLED_ALIKE}---\n{TUNED}"),
    "a variable comes before one that changes": (
        replaced(WRAPPED, ('[{name: A, value: "1"}]', "[{name: A, value: x}, {name: B, value: x}]")),
        replaced(WRAPPED, ('[{name: A, value: "1"}]', "[{name: C, value: x}, {name: A, value: x}, {name: B, value: y}]")),
    ),
    "a secret variable in another order": (
        replaced(WRAPPED, ('[{name: A, value: "1"}]', "[{name: HF_TOKEN, value: s}, {name: A, value: x}, {name: B, value: $(A)}]")),
        replaced(WRAPPED, ('[{name: A, value: "1"}]', "[{name: B, value: $(A)}, {name: HF_TOKEN, value: s}, {name: A, value: x}]")),
    ),
    "one of two would do beside a third": (
        of_bundled("torchtune-llama3.2-1b", trainer="{command: [a], resourcesPerNode: {limits: {cpu: 1}, requests: {cpu: 1}}}"),
        of_bundled(
            "torchtune-llama3.2-1b",
            trainer="{command: [tune, run], numProcPerNode: 2, resourcesPerNode: {limits: {cpu: 1, a/gpu: 2}, requests: {cpu: 1, a/gpu: 2}}}",
        ),
    ),
    "nothing": (EVERYTHING, EVERYTHING + "# a comment\n"),
}


@pytest.mark.parametrize("name", ["more nodes", "another runtime", "a job comes", "patches come"])
def test_where_nothing_may_be_tried(name: str, snapshot: SnapshotAssertion) -> None:
    """What provenance knows is told, and of the rest where the new value comes from."""
    difference = with_reasons(compare_yaml(*PAIRS[name], before_version="v2.2", after_version="v2.3"), budget=0)
    assert to_text(difference) == snapshot


def shown(difference: Difference) -> str:
    return f"--- text\n{to_text(difference)}--- markdown\n{to_markdown(difference)}"


@pytest.mark.parametrize("name", PAIRS)
def test_two_inputs(name: str, snapshot: SnapshotAssertion) -> None:
    assert shown(compare_yaml(*PAIRS[name], before_version="v2.3", after_version="v2.3")) == snapshot


@pytest.mark.parametrize("name", ["the same name twice", "refused before", "variables in another order", "a job is gone", "no gang"])
def test_two_inputs_for_programs(name: str, snapshot: SnapshotAssertion) -> None:
    difference = compare_yaml(*PAIRS[name], before_version="v2.3", after_version="v2.3")
    assert f"--- json\n{to_json(difference)}--- unified\n{to_unified(difference)}" == snapshot


OF_ALL = {
    name: text
    for name, (text, _, _) in INPUTS.items()
    if name in ("everything that a pod can say", "a launcher that is a node", "a tuning recipe", "flux", "three patches")
}


@pytest.mark.parametrize(("before", "after"), [*pairwise(RELEASES), ("v2.3", "v2.0"), ("v2.3", "next")])
@pytest.mark.parametrize("name", OF_ALL)
def test_two_releases(name: str, before: str, after: str, snapshot: SnapshotAssertion) -> None:
    assert to_text(compare_yaml(OF_ALL[name], OF_ALL[name], before_version=before, after_version=after)) == snapshot


@pytest.mark.parametrize(("before", "after"), [("0.8", "0.12"), ("0.12", "0.11"), (None, "0.11")])
def test_two_releases_of_jobset(before: str | None, after: str, snapshot: SnapshotAssertion) -> None:
    difference = compare_yaml(LAUNCHED, LAUNCHED, before_version="v2.3", after_version="v2.3", before_jobset_version=before, after_jobset_version=after)
    assert shown(difference) == snapshot


@pytest.mark.parametrize("width", [40, 60, 72, 100])
def test_lines_are_wrapped_and_coloured(width: int, snapshot: SnapshotAssertion) -> None:
    before = of_bundled("torch-distributed", trainer="{image: a:1, args: [a, b]}") + "---\n" + TUNED
    after = (
        of_bundled("torch-distributed", trainer=f"{{image: a:2, args: [a, '{'word ' * 30}'], env: [{{name: A, value: x}}]}}")
        + "---\n"
        + replaced(TUNED, ("name: train", "name: new"))
    )
    text = to_text(compare_yaml(before, after), COLOURED, width)
    assert text.replace("\x1b", "ESC") == snapshot


@pytest.mark.parametrize("limit", [100, 900, 1500, 2500, 4000, 60_000])
def test_a_comment_of_at_most_so_many_characters(limit: int, snapshot: SnapshotAssertion) -> None:
    difference = compare_yaml(EVERYTHING, replaced(EVERYTHING, MORE_NODES, ("team: a", "team: b"), ("mine:2", "mine:3"), ("part: node", "part: main")))
    text = to_markdown(difference, limit)
    assert len(text) <= max(limit, 100)
    assert text == snapshot


def test_two_releases_for_patch(snapshot: SnapshotAssertion) -> None:
    """A behaviour of a release stands on no line."""
    assert to_unified(compare_yaml(LAUNCHED, LAUNCHED, before_version="v2.2", after_version="v2.3")) == snapshot


def test_a_cause_for_which_there_is_no_room_hides_none_behind_it(snapshot: SnapshotAssertion) -> None:
    before, after = PAIRS["words of a long command"]
    difference = compare_yaml(before, replaced(after, ("numProcPerNode: 2", "numProcPerNode: 3"), ("numNodes: 4", "numNodes: 5")))
    assert to_markdown(difference, 1900) == snapshot


def test_a_place_with_a_long_name_stands_on_lines_of_its_own(snapshot: SnapshotAssertion) -> None:
    release = find("v2.3")
    assert release is not None
    file = "clusters/the name of a cluster/teams/a-name-of-a-team-that-is-longer-than-most-others/jobs/train.yaml"
    texts = (LAUNCHED, replaced(LAUNCHED, ("numProcPerNode: 2", "numProcPerNode: 3"), ("name: A", "name: B")))
    sides = [compile_side([text_source(text, file)], Options(profile=release), label) for label, text in zip(("one", "other"), texts, strict=True)]
    difference = compare_sides(*sides)
    assert "\n\n".join(to_text(difference, width=width) for width in (24, 60, 80)) == snapshot


def test_without_warnings(snapshot: SnapshotAssertion) -> None:
    name = "refused before"
    difference = compare_yaml(*PAIRS[name], before_version="v2.3", after_version="v2.3").quiet()
    assert shown(difference) == snapshot
