"""The recipe of README.md for a new release: the program of its first step, on a copy of the repository, with the facts of `next`."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from jobset_compiler.profiles import NEWEST

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("jobset_compiler", "tools", "upstream", "schemas", "docs/releases.md", "README.md")
BEFORE = NEWEST.name
NEW = f"v2.{int(BEFORE.rpartition('.')[2]) + 1}"
OF_OLDER = (
    f"jobset_compiler/kube/tables/{BEFORE.replace('.', '_')}.py",
    f"schemas/{BEFORE}/trainjob.json",
    f"jobset_compiler/runtimes/{BEFORE}/torch-distributed.yaml",
)


def copied(to: Path) -> Path:
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__", "answers"))
        elif source.is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to / name)
    return to


def write_facts(repository: Path) -> None:
    """Those of `next`, by the names of a release, with a JobSet of its own."""
    (repository / "upstream" / NEW).mkdir()
    for what in ("types", "crds"):
        facts = json.loads(gzip.decompress((repository / "upstream" / "next" / f"{what}.json.gz").read_bytes()))
        changes = {"types": {"tag": f"{NEW}.0"}, "crds": {"trainer": f"{NEW}.0", "jobset": "v0.13.0"}}[what]
        (repository / "upstream" / NEW / f"{what}.json.gz").write_bytes(gzip.compress(json.dumps({**facts, **changes}).encode(), mtime=0))


def attempt(repository: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    return subprocess.run([sys.executable, *argv], cwd=repository, env=environment, capture_output=True, text=True, check=False)


def run(repository: Path, *argv: str) -> str:
    done = attempt(repository, *argv)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def texts_of(repository: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in repository.rglob("*") if file.is_file() and file.suffix != ".pyc"}


def test_the_first_step_adds_a_release_and_says_what_is_left(tmp_path: Path) -> None:
    repository = copied(tmp_path)
    write_facts(repository)
    before = {name: (repository / name).read_bytes() for name in OF_OLDER}
    told = run(repository, "tools/new_release.py", NEW)
    assert f"What is left to do for {NEW}" in told and f"kube/tables/{NEW.replace('.', '_')}.py: it lists what changed in the types since {BEFORE}" in told
    assert {name: (repository / name).read_bytes() for name in OF_OLDER} == before, "a release only adds"
    listed = run(repository, "-m", "jobset_compiler", "releases")
    assert f"{NEW} (default)\n" in listed and "JobSet                 0.13.0" in listed
    runtimes = run(repository, "-m", "jobset_compiler", "runtimes", "--trainer-version", NEW)
    assert "torch-distributed" in runtimes
    program = f"from jobset_compiler.profiles import *; n = find('next'); print(find('{NEW}').jobset.table, find_jobset('0.13').version, n.is_released)"
    assert run(repository, "-c", program) == f"{NEW} 0.13.0 False\n"
    job = repository / "job.yaml"
    spec = {"runtimeRef": {"name": "torch-distributed"}, "trainer": {"numNodes": 2}}
    job.write_text(json.dumps({"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "j"}, "spec": spec}))
    for release in (BEFORE, NEW, "next"):
        assert "parallelism: 2" in run(repository, "-m", "jobset_compiler", "render", "--no-config", "--trainer-version", release, str(job))
    made = texts_of(repository)
    run(repository, "tools/new_release.py", NEW)
    assert texts_of(repository) == made, "what is there stays"


def test_a_rule_that_nobody_has_written_stops_it_before_it_has_written_anything(tmp_path: Path) -> None:
    repository = copied(tmp_path)
    write_facts(repository)
    file = repository / "upstream" / NEW / "crds.json.gz"
    crds = json.loads(gzip.decompress(file.read_bytes()))
    rules = [{"rule": "self.startsWith('/')", "message": "name must be absolute"}, {"rule": "self != ''", "message": "name must not be empty"}]
    crds["schemas"]["TrainJob"]["properties"]["spec"]["properties"]["runtimeRef"]["properties"]["name"]["x-kubernetes-validations"] = rules
    file.write_bytes(gzip.compress(json.dumps(crds).encode(), mtime=0))
    before = texts_of(repository)
    done = attempt(repository, "tools/new_release.py", NEW)
    assert done.returncode == 1 and texts_of(repository) == before
    for words in (*(f"{rule['rule']}  ({rule['message']})" for rule in rules), "RULES", "PREDICATES", "KEYWORDS", "then run this again"):
        assert words in done.stderr
    table = repository / "tools" / "type_table.py"
    names = '    "must be absolute": "absolute",\n    "not be empty": "storage-uri",\n'
    table.write_text(table.read_text().replace("\nRULES = {\n", "\nRULES = {\n" + names))
    assert attempt(repository, "tools/new_release.py", NEW).stderr.endswith("\n    self.startsWith('/')  (name must be absolute)  named absolute\n")


def test_an_older_release_is_refused(tmp_path: Path) -> None:
    done = attempt(copied(tmp_path), "tools/new_release.py", "v2.0")
    assert done.returncode == 1 and f"{BEFORE} is newer than v2.0" in done.stderr


def test_a_checkout_of_another_release_is_refused(tmp_path: Path) -> None:
    repository = copied(tmp_path)
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "VERSION").write_text(f"{BEFORE}.7\n")
    command = [sys.executable, "tools/new_release.py", NEW, "--trainer", str(checkout)]
    done = subprocess.run(command, cwd=repository, env={**os.environ, "PYTHONPATH": str(repository)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f"is at {BEFORE}.7 (its file VERSION, or git), which is no {NEW}; say --tag if that is wrong" in done.stderr
    assert not (repository / "upstream" / NEW).exists()
