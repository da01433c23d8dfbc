"""What people who meet the library first see: names, help, signatures, results that print, compare and travel, and plain words for wrong arguments."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import pydoc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import jobset_compiler as jc
from jobset_compiler import testing
from jobset_compiler.diagnostics.codes.code import SEVERITIES
from jobset_compiler.emit.yaml import to_yaml
from jobset_compiler.profiles import NEWEST, PROFILES
from tests.golden.cases import all_cases

ROOT = Path(__file__).resolve().parents[2]
JOB = (ROOT / "examples" / "02-gpus-and-resources.yaml").read_text()
TRAINJOB: dict[str, Any] = {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "job"}}
TRAINJOB["spec"] = {"runtimeRef": {"name": "torch-distributed"}}


def test_dir_is_the_api() -> None:
    public = {name for name in dir(jc) if not name.startswith("_")}
    assert public >= {"compile_yaml", "compile_objects", "TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", "models", "Compilation", "Diagnostic"}
    assert all(getattr(jc, name) is not None for name in dir(jc))
    assert set(jc.__all__) <= set(dir(jc))
    with pytest.raises(AttributeError, match="'jobset_compiler' has no attribute 'compile'"):
        _ = jc.compile  # type: ignore[attr-defined]  # the point of the test


def test_a_star_import_is_light() -> None:
    code = "from jobset_compiler import *; import sys; assert compile_yaml and Facts; assert 'pydantic' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_help_shows_what_there_is_on_a_few_screens() -> None:
    text = pydoc.plain(pydoc.render_doc(jc))
    summary = text[: text.index("PACKAGE CONTENTS")]
    public = {name for name in dir(jc) if not name.startswith("_")}
    assert not {name for name in public if name not in summary}
    assert len(summary.splitlines()) < 50
    assert "BaseModel" not in text
    assert "Pass(name" not in text


@pytest.mark.parametrize("call", [jc.compile_yaml, jc.compile_objects, testing.assert_compiles], ids=lambda call: call.__name__)
def test_signatures_fit_on_a_screen(call: Any) -> None:
    assert len(str(inspect.signature(call))) < 480  # six lines of 80 columns
    assert call.__doc__


def test_the_words_for_type_checkers_are_those_in_use() -> None:
    assert get_args(jc.TrainerVersion) == tuple(profile.name for profile in PROFILES)
    assert get_args(jc.Severity) == SEVERITIES
    stages = get_args(jc.Stage)
    found = {diagnostic.stage for case in all_cases() for diagnostic in case.compile(case.releases[-1]).diagnostics}
    assert found <= set(stages)


def test_results_print_as_what_they_are() -> None:
    result = jc.compile_yaml(JOB, file="job.yaml")
    assert repr(result) == f"<Compilation {NEWEST.name} ok: JobSet ml-team/gpt-pretrain, 2 info>"
    assert str(result.diagnostics[0]).startswith("job.yaml:11:11: info JSC205: ClusterTrainingRuntime torch-distributed comes")
    assert repr(result.diagnostics[0]) == f"<Diagnostic {result.diagnostics[0]}>"
    origins = result.origin_of(result.objects[0], "spec.replicatedJobs[name=node].template.spec.parallelism")
    assert repr(origins[0]) == "Origin(kind='pass', by='sizing', note='written by the pass')"
    assert eval(repr(origins), {"Origin": jc.Origin}) == origins
    refused = jc.compile_objects([{**TRAINJOB, "spec": {}}])
    assert repr(refused) == f"<Compilation {NEWEST.name} refused: 1 error>"
    assert str(refused.diagnostics[0]) == "<object 0>: error JSC104: spec.runtimeRef: Required value"
    several = "\n---\n".join(JOB.replace("gpt-pretrain", f"job-{number}") for number in range(5))
    names = "JobSet ml-team/job-0, JobSet ml-team/job-1, JobSet ml-team/job-2, 2 more, "
    assert repr(jc.compile_yaml(several)).startswith(f"<Compilation {NEWEST.name} ok: {names}")
    assert repr(jc.compile_yaml("")) == f"<Compilation {NEWEST.name} ok: nothing>"


@pytest.mark.parametrize("case", all_cases()[::7], ids=lambda case: case.id)
def test_results_are_equal_and_travel(case: Any) -> None:
    release = case.releases[-1]
    result = case.compile(release)
    assert result == case.compile(release)
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
        assert other == result
        assert hash(other) == hash(result)
        assert other.to_yaml() == result.to_yaml()
        assert [(d.line, d.column, str(d)) for d in other.diagnostics] == [(d.line, d.column, str(d)) for d in result.diagnostics]
        assert other.podsets == result.podsets
        for manifest in result.objects:
            assert other.origin_of(manifest, "metadata.name") == result.origin_of(manifest, "metadata.name")
        for unit in result.units:
            job = unit.plan.job.document.value
            assert other.affected_by(job, "spec.runtimeRef") == result.affected_by(job, "spec.runtimeRef")
    for diagnostic in result.diagnostics:
        assert pickle.loads(pickle.dumps(diagnostic)) == diagnostic


def test_documents_of_one_name_are_asked_together() -> None:
    """Each may have fields that the other lacks; only what none has is an error."""
    plain = json.dumps(TRAINJOB)
    result = jc.compile_yaml(f"{plain}\n---\n{plain[:-2]}, trainer: {{numNodes: 3}}}}}}")
    assert len(result.units) == 2
    assert result.affected_by("TrainJob/job", "spec.trainer.numNodes")
    with pytest.raises(KeyError, match=r"has no spec\.trainer\.args"):
        result.affected_by("TrainJob/job", "spec.trainer.args")


def test_other_results_are_not_equal() -> None:
    result = jc.compile_yaml(JOB)
    assert result != jc.compile_yaml(JOB, trainer_version="v2.2")
    assert result != jc.compile_yaml("\n" + JOB), "the diagnostics stand on other lines"
    assert result != jc.compile_yaml(JOB.replace("gpt-pretrain", "another"))
    assert result != JOB
    assert result.diagnostics[0] != result.diagnostics[1]
    assert len({*result.diagnostics, *jc.compile_yaml(JOB).diagnostics}) == len(result.diagnostics)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (TRAINJOB, "compile_objects takes a list of objects, not dict; put it in a list: [it]"),
        (jc.TrainJob.from_dict(TRAINJOB), "compile_objects takes a list of objects, not TrainJob; put it in a list: [it]"),
        (JOB, "compile_objects takes a list of objects, not str; compile_yaml takes text"),
        (JOB.encode(), "compile_objects takes a list of objects, not bytes; compile_yaml takes text"),
        (None, "'NoneType' object is not iterable"),
    ],
    ids=["mapping", "model", "text", "bytes", "none"],
)
def test_one_object_is_no_list(wrong: Any, said: str) -> None:
    with pytest.raises(TypeError) as error:
        jc.compile_objects(wrong)
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (TRAINJOB, "compile_yaml takes text, not dict; compile_objects takes objects"),
        (JOB.encode(), "compile_yaml takes text, not bytes; decode them"),
        (Path("job.yaml"), f"compile_yaml takes text, not {type(Path()).__name__}; read it first"),
        ([TRAINJOB], "compile_yaml takes text, not list; compile_objects takes objects"),
        (None, "compile_yaml takes text, not NoneType"),
    ],
    ids=["mapping", "bytes", "path", "list", "none"],
)
def test_what_is_no_text(wrong: Any, said: str) -> None:
    with pytest.raises(TypeError) as error:
        jc.compile_yaml(wrong)
    assert str(error.value) == said


def test_arguments_of_an_update() -> None:
    assert jc.check_update(JOB, JOB).ok
    second = JOB.replace("name: ", "name: another-", 1)
    edited = jc.check_update(JOB, f"{JOB.replace('name: torch-distributed', 'name: nope')}---\n{second}")
    assert not edited.ok and {found.severity for found in edited.diagnostics} > {"error"}
    with pytest.raises(TypeError, match=r"^check_update takes text, not dict; compile_objects takes objects"):
        jc.check_update(TRAINJOB, JOB)  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(TypeError, match=r"^active takes a list of names: \['node'\]"):
        jc.check_update(JOB, JOB, active="node")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda wrong: jc.check_update(JOB, wrong), "check_update takes text, not bytes; decode them"),
        (lambda wrong: jc.check_update(JOB, JOB, active=wrong), "active takes a list of names: [b'node']"),
        (lambda wrong: jc.migrate(wrong), "migrate takes text, not bytes; decode them"),
        (lambda wrong: jc.migrate(JOB, extensions=wrong), "extensions takes a list of names: [b'node']"),
        (lambda wrong: jc.compile_yaml(JOB, extensions=wrong), "extensions takes a list of names: [b'node']"),
    ],
    ids=["update", "active", "migrate", "extensions of migrate", "extensions"],
)
def test_every_call_says_what_it_takes(call: Callable[[Any], object], said: str) -> None:
    with pytest.raises(TypeError) as error:
        call(b"node")
    assert str(error.value) == said


def test_one_name_is_no_list_of_names(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"^inputs takes a list of names: \['jobs'\]"):
        testing.assert_golden("jobs", tmp_path)
    with pytest.raises(TypeError, match=r"^runtimes takes a list of names: \['platform'\]"):
        testing.assert_golden(["jobs"], tmp_path, runtimes="platform")


def test_any_iterable_of_objects_will_do() -> None:
    expected = jc.compile_objects([TRAINJOB])
    assert expected.ok
    assert jc.compile_objects(iter([TRAINJOB])) == jc.compile_objects((TRAINJOB,)) == jc.compile_objects({1: TRAINJOB}.values()) == expected
    assert jc.compile_objects([TRAINJOB], passes=[], facts=None).trainer_version == NEWEST.name


# Run as a script of its own: processes that are spawned import it again.
EXECUTORS = """
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import jobset_compiler as jc

def compiled(job):
    text, release = job
    result = jc.compile_yaml(text, trainer_version=release)
    return result, result.to_yaml(), [str(diagnostic) for diagnostic in result.diagnostics], result.podsets

if __name__ == "__main__":
    texts = [path.read_text() for path in sorted(Path(sys.argv[1]).glob("*.yaml"))]
    jobs = [(text, profile.name) for text in texts for profile in jc.PROFILES]
    sys.setswitchinterval(1e-5)
    with ThreadPoolExecutor(8) as threads:
        by_threads = list(threads.map(compiled, jobs * 2))
    alone = [compiled(job) for job in jobs]
    assert by_threads == alone * 2
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as processes:
        assert list(processes.map(compiled, jobs, chunksize=4)) == alone
        whole = list(processes.map(jc.compile_yaml, texts))
    assert whole == [jc.compile_yaml(text) for text in texts]
"""


def test_eight_threads_and_four_processes_give_what_one_gives(tmp_path: Path) -> None:
    script = tmp_path / "executors.py"
    script.write_text(EXECUTORS)
    done = subprocess.run([sys.executable, str(script), str(ROOT / "examples")], check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_what_migrate_makes_can_be_had_in_canonical_form() -> None:
    spec = "{pytorchReplicaSpecs: {Worker: {template: {spec: {containers: [{name: pytorch, image: i}]}}}}}"
    migration = jc.migrate(f"apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {{name: a}} # mine\nspec: {spec}\n")
    assert migration.ok and len(migration.documents) == 1 and "# mine" in migration.text
    assert migration.to_yaml() == to_yaml(migration.documents)
    assert jc.migrate("a: [").to_yaml() == ""
    old = f"apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {{name: a}}\nspec: {spec}\n"
    with_error = jc.migrate(f"{old}---\n{old.replace('name: a', 'name: b').replace('name: pytorch', 'name: other')}")
    assert not with_error.ok and not with_error.changed and with_error.text == with_error.old and with_error.documents == ()
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"
    beside = jc.migrate(f"{JOB}\n---\n{service}---\n- a\n")
    assert [document["kind"] for document in beside.documents] == ["TrainJob"] and service in beside.text


def test_what_is_no_object_of_a_compilation_has_no_origin() -> None:
    result = jc.compile_yaml(JOB)
    other = copy.deepcopy(dict(result.objects[0]))
    other["metadata"] = {**other["metadata"], "name": "other"}
    assert result.origin_of(result.objects[0], "metadata.name")
    with pytest.raises(KeyError) as caught:
        result.origin_of(other, "metadata.name")
    assert caught.value.args == ("not an object of this compilation",)
