"""`migrate` and `--convert`: where the texts go, exit codes, and that nothing is written with an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from jobset_compiler.cli import migrate
from jobset_compiler.cli.arguments import parse
from jobset_compiler.diagnostics import addresses
from jobset_compiler.dialects.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Here = Callable[..., Any]

OLD = """\
# the first job
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: mnist
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: pytorch
            image: registry.example/mnist:1
            command: [torchrun, train.py]
            resources: {limits: {nvidia.com/gpu: 1}}
"""
BAD = OLD.replace("name: pytorch", "name: other").replace("name: mnist", "name: bad")
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"
OTHER = "a: b\n"


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    """A folder with a job that can be migrated, one that cannot, and a file that has nothing to do with either."""
    folder = tmp_path / "jobs"
    (folder / "deep").mkdir(parents=True)
    (folder / "good.yaml").write_text(OLD + "---\n" + SERVICE)
    (folder / "deep" / "bad.yaml").write_text(BAD)
    (folder / "other.yaml").write_text(OTHER)
    return folder


def test_a_pipe(here: Here) -> None:
    code, out, err = here("migrate", "-", stdin=OLD + "---\n" + SERVICE)
    assert code == 0 and err.count("info") == err.count("JSC614") == 1
    assert out.startswith("# the first job\n# Was PyTorchJob mnist of kubeflow.org/v1.\n") and out.endswith("---\n" + SERVICE)
    assert here("migrate", "-", stdin=out) == (0, out, "")


def test_every_wish_is_an_option() -> None:
    """Each for itself, and all at once."""
    said = {
        "v1_env": ("--no-v1-env",),
        "manager": ("--manager", "example.com/me"),
        "gang": ("--gang", "volcano"),
        "use": ("--use", "worker"),
        "native": ("--native",),
        "trainer_fields": ("--trainer-fields",),
        "keep_ttl": ("--keep-ttl",),
        "keep_backoff": ("--keep-backoff",),
        "keep_success_policy": ("--keep-success-policy",),
    }

    def wished(*argv: str) -> Wishes:
        return migrate._wishes(parse(migrate.VERB, list(argv)))

    def value(name: str) -> object:
        return said[name][1] if len(said[name]) > 1 else name != "v1_env"

    assert wished() == Wishes() and {*said, "runtime"} == set(Wishes.__annotations__)
    for name, argv in said.items():
        assert wished(*argv) == Wishes()._replace(**{name: value(name)}), name
    assert wished(*(word for argv in said.values() for word in argv)) == Wishes()._replace(**{name: value(name) for name in said})
    assert wished("--runtime", "TrainingRuntime/mine") == Wishes(runtime="TrainingRuntime/mine")


def test_quiet_says_nothing_of_what_was_written(here: Here, jobs: Path) -> None:
    said = [line for line in here("migrate", "jobs/good.yaml", "--output-dir", "out").err.splitlines() if "JSC" not in line]
    assert said[-1] == "migrated jobs/good.yaml to out/good.yaml"
    assert "migrated" not in here("migrate", "jobs/good.yaml", "--write", "-q").err
    assert (jobs / "good.yaml").read_text() == (jobs.parent / "out" / "good.yaml").read_text() != OLD


@pytest.mark.parametrize("role", ["master", "worker"])
def test_whose_pods_all_nodes_get(here: Here, role: str) -> None:
    container = "{containers: [{name: pytorch, image: IMAGE, command: [torchrun, train.py]}]}"
    both = OLD[: OLD.index("    Worker:")] + "".join(
        f"    {name}: {{replicas: 1, template: {{spec: {container.replace('IMAGE', name.lower())}}}}}\n" for name in ("Master", "Worker")
    )
    code, out, err = here("migrate", "-", "--use", role, stdin=both)
    assert code == 0, err
    assert f"image: {role}\n" in out


def test_a_release_that_is_not_released_is_said(here: Here) -> None:
    assert "not-released" in here("migrate", "-", "--trainer-version", "next", stdin=OLD).err


@pytest.mark.parametrize("runtime", ["ClusterTrainingRuntime/", "a/b/c", "/"])
def test_what_is_no_name_of_a_runtime(here: Here, runtime: str) -> None:
    code, out, err = here("migrate", "-", "--runtime", runtime, stdin=OLD)
    assert (code, out) == (2, "") and f"--runtime is NAME or KIND/NAME, not {runtime!r}" in err


def test_only_of_what_is_rewritten_it_is_said_that_it_is_refused(here: Here, job: str) -> None:
    refused = job + "  trainer: {numNodes: x}\n"
    code, out, err = here("migrate", "-", stdin=f"{OLD}---\n{refused}")
    assert (code, out) == (1, "") and "JSC105 wrong-type" in err and "refuses what this" not in err
    code, _, err = here("migrate", "-", stdin=OLD.replace("name: mnist", f"name: {'m' * 60}"))
    assert code == 1 and "refuses what this PyTorchJob becomes" in err


def test_with_an_error_nothing_is_on_standard_output(here: Here) -> None:
    code, out, err = here("migrate", "-", stdin=OLD + "---\n" + BAD)
    assert (code, out) == (1, "") and "JSC603" in err


def test_files_are_one_stream(here: Here, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(OLD.replace("name: mnist", f"name: {name}").rstrip("\n"))
    code, out, _ = here("migrate", "a.yaml", "b.yaml")
    assert code == 0 and out.count("\n---\n") == 1
    assert here("render", "-", stdin=out).code == 0


def test_in_place_only_what_can_be_migrated_is_written(here: Here, jobs: Path) -> None:
    code, out, err = here("migrate", "jobs", "--write")
    assert (code, out) == (1, "")
    assert "migrated jobs/good.yaml\n" in err and "not written: jobs/deep/bad.yaml\n" in err
    assert (jobs / "good.yaml").read_text().endswith("---\n" + SERVICE) and "PyTorchJob mnist of" in (jobs / "good.yaml").read_text()
    assert (jobs / "deep" / "bad.yaml").read_text() == BAD and (jobs / "other.yaml").read_text() == OTHER
    assert not list(jobs.rglob("*.partial"))
    code, _, err = here("migrate", "jobs/good.yaml", "--write")
    assert (code, err) == (0, "")


def test_beside_the_old_files(here: Here, jobs: Path, tmp_path: Path) -> None:
    (jobs / "deep" / "bad.yaml").write_text(OLD)
    code, _, err = here("migrate", "jobs", "--output-dir", "out")
    assert code == 0 and "migrated jobs/deep/bad.yaml to out/deep/bad.yaml\n" in err
    assert sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.yaml")) == ["deep/bad.yaml", "good.yaml"]
    assert here("render", "out").code == 0
    assert (jobs / "good.yaml").read_text() == OLD + "---\n" + SERVICE


def test_check_names_what_would_change(here: Here, jobs: Path) -> None:
    (jobs / "deep" / "bad.yaml").unlink()
    code, out, _ = here("migrate", "jobs", "--check")
    assert (code, out) == (3, "jobs/good.yaml\n") and (jobs / "good.yaml").read_text().startswith(OLD)
    here("migrate", "jobs", "--write")
    assert here("migrate", "jobs", "--check") == (0, "", "")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("jobs", "--write", "--check"), "exclude each other"),
        (("-", "--write"), "standard input has no file"),
        (("jobs", "--runtime", "a/b/c"), "NAME or KIND/NAME"),
        (("jobs", "--runtime", "a", "--gang", "volcano"), "leave one of them out"),
        (("jobs", "--use", "chief"), "--use is one of master, worker"),
        (("jobs/good.yaml", "jobs/deep/good.yaml", "--output-dir", "out"), "have one name"),
    ],
)
def test_usage(here: Here, jobs: Path, argv: tuple[str, ...], message: str) -> None:
    (jobs / "deep" / "good.yaml").write_text(OLD)
    code, out, err = here("migrate", *argv, stdin=OLD)
    assert (code, out) == (2, "") and message in err


def test_a_file_that_is_not_there(here: Here) -> None:
    code, out, err = here("migrate", "nowhere.yaml")
    assert (code, out) == (2, "") and "JSC001" in err


def test_wishes_reach_the_documents(here: Here) -> None:
    assert "name: mine" in here("migrate", "-", "--runtime", "mine", stdin=OLD).out
    assert "PYTHONUNBUFFERED" not in here("migrate", "-", "--no-v1-env", stdin=OLD).out
    assert "backoffLimit: 2147483647" in here("migrate", "-", "--keep-backoff", stdin=OLD).out
    assert "volcano: {}" in here("migrate", "-", "--gang", "volcano", stdin=OLD).out
    assert "numProcPerNode: auto" not in here("migrate", "-", "--trainer-version", "v2.0", stdin=OLD).out


@pytest.mark.parametrize("verb", ["render", "check", "explain", "expand"])
def test_old_documents_are_errors_unless_converted(here: Here, verb: str) -> None:
    code, out, err = here(verb, "-", stdin=OLD)
    said = out if verb == "check" else err
    assert code == 1 and "JSC601" in said and "migrate" in said and "--convert" in said
    code, out, _ = here(verb, "-", "--convert", stdin=OLD)
    assert code == 0 and (verb == "check" or "mnist" in out)


def test_a_folder_with_old_documents(here: Here, jobs: Path) -> None:
    (jobs / "deep" / "bad.yaml").unlink()
    assert "JSC601" in here("check", "jobs").out
    code, out, err = here("render", "jobs", "--convert")
    assert code == 0 and out.count("kind: JobSet") == 1, err


def test_origins_are_lines_of_the_old_document(here: Here, tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text(OLD)
    code, out, _ = here("explain", "old.yaml", "--convert", "-o", "json")
    job = json.loads(out)["trainJobs"][0]["jobs"][0]
    (container,) = job["containers"]
    origin = container["image"]["origin"]
    assert code == 0
    placed = [(each["path"], each["line"]) for each in origin if each["line"]]
    assert ("spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].image", 14) in placed
    for each in placed_in(json.loads(out), "old.yaml"):
        addresses.resolve(yaml.safe_load(OLD), addresses.parse(each["path"]))  # KeyError for a path of the new document


def placed_in(tree: Any, file: str) -> Iterator[dict[str, Any]]:
    """Everything in an explanation that names a path of that file."""
    if isinstance(tree, dict):
        if tree.get("file") == file and tree.get("path"):
            yield tree
        for value in tree.values():
            yield from placed_in(value, file)
    elif isinstance(tree, list):
        for item in tree:
            yield from placed_in(item, file)


def test_a_difference_between_old_and_new_form_is_none(here: Here, tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text(OLD)
    (tmp_path / "new.yaml").write_text(here("migrate", "old.yaml").out)
    assert here("diff", "old.yaml", "new.yaml", "--convert").code == 0


def test_runtimes_beside_the_documents(here: Here, tmp_path: Path, runtime: str, job: str) -> None:
    (tmp_path / "runtime.yaml").write_text(runtime)
    code, out, err = here("migrate", "-", "--runtime", "mine", "-r", "runtime.yaml", stdin=OLD)
    assert code == 0 and "kind: ClusterTrainingRuntime" not in out, err
    asked = job.replace("torch-distributed", "mine") + '  trainer: {numProcPerNode: "2", env: [{name: PET_NNODES, value: "1"}]}\n'
    refused = here("migrate", "-", "-r", "runtime.yaml", stdin=asked)
    assert refused.code == 1 and "PET_NNODES" in refused.err, "what is written is judged with the runtime that it is for"
    assert here("migrate", "-", stdin=asked).code == 0
    (tmp_path / "broken.yaml").write_text("kind: TrainingRuntime\na: [\n")
    assert here("migrate", "-", "-r", "broken.yaml", stdin=asked).code == 1


def test_a_render_that_did_not_ask_imports_no_dialect(process: Any, tmp_path: Path, job: str) -> None:
    code = (
        "import sys, jobset_compiler as jc; jc.compile_yaml(sys.stdin.read());"
        "print([m for m in sys.modules if m.startswith('jobset_compiler.dialects.') and m.split('.')[2] not in ('known', 'wishes', 'results')])"
    )
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-c", code], input=job, capture_output=True, text=True, env=process.environment(), check=True)
    assert done.stdout == "[]\n"


SAYING = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: rt
spec:
  mlPolicy:
    torch:
      numProcPerNode: 4
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: "registry.example/train:1"}]}}}
"""
ASKING = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: job
spec:
  runtimeRef:
    name: rt
  trainer:
    numNodes: 2
"""


def test_what_a_runtime_beside_them_says_is_written_into_trainjobs(here: Here, tmp_path: Path) -> None:
    (tmp_path / "runtime.yaml").write_text(SAYING)
    code, out, err = here("migrate", "-", "-r", "runtime.yaml", stdin=ASKING)
    assert (code, err) == (0, "")
    assert out == ASKING + "    numProcPerNode: 4  # said by the runtime before\n"
    assert (tmp_path / "runtime.yaml").read_text() == SAYING
    again = here("migrate", "-", "-r", "runtime.yaml", stdin=out)
    assert (again.code, again.out) == (0, out), "once is enough"
    for untouched in (ASKING.replace("numNodes: 2", "numProcPerNode: 2"), ASKING.replace("name: rt", "name: other"), ASKING.partition("  trainer:")[0]):
        assert here("migrate", "-", "-r", "runtime.yaml", stdin=untouched).out == untouched
    earlier = here("migrate", "-", "-r", "runtime.yaml", "--trainer-version", "v2.1", stdin=ASKING)
    assert earlier.out == ASKING, "the runtime may still say it"


def test_runtimes_that_cannot_be_read_are_told(here: Here, tmp_path: Path) -> None:
    """Whatever stands in them; and what is no runtime beside them is passed over."""
    (tmp_path / "bad.yaml").write_text("foo: [\n")
    refused = here("migrate", "-", "-r", "bad.yaml", stdin=ASKING)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("bad.yaml:1:7: error JSC004")
    (tmp_path / "good.yaml").write_text(f"kind: ConfigMap\nmetadata: {{name: c}}\n---\n{SAYING}---\n{ASKING.replace('name: job', 'name: other')}")
    assert here("migrate", "-", "-r", "good.yaml", stdin=ASKING) == (0, ASKING + "    numProcPerNode: 4  # said by the runtime before\n", "")
