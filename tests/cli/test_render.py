"""render: inputs, outputs, and what is written when something is wrong."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jobset_compiler import compile_yaml
from jobset_compiler.source.reader import read_text

if TYPE_CHECKING:
    from collections.abc import Callable

    Here = Callable[..., Any]


def names(output: str) -> list[str]:
    return [document.value["metadata"]["name"] for document in read_text(output)[0]]


def test_yaml_is_what_the_library_gives(here: Here, job: str) -> None:
    assert here("render", "-q", "-", stdin=job) == (0, compile_yaml(job).to_yaml(), "")


def test_json_of_one_object_and_of_several(here: Here, job: str) -> None:
    two = f"{job}---\n{job.replace('name: train', 'name: other')}"
    assert here("render", "-q", "-o", "json", "-", stdin=job).out == compile_yaml(job).to_json()
    assert here("render", "-q", "-o", "json", "-", stdin=two).out == compile_yaml(two).to_json()
    assert [item["metadata"]["name"] for item in json.loads(compile_yaml(two).to_json())["items"]] == ["train", "other"]


def test_json_of_nothing_is_an_empty_list(here: Here) -> None:
    assert json.loads(here("render", "-o", "json", "-", stdin="").out) == {"apiVersion": "v1", "kind": "List", "items": []}


def test_names(here: Here, job: str) -> None:
    assert here("render", "-q", "-o", "name", "-", stdin=job).out == "jobset.jobset.x-k8s.io/train\n"


def test_nothing_in_nothing_out(here: Here) -> None:
    assert here("render", "-", stdin="") == (0, "", "")


def test_files_folders_and_standard_input_in_the_order_given(here: Here, job: str, tmp_path: Path) -> None:
    for path in ("b/2.yaml", "b/1.yml", "b/c/3.json", "b/a/4.yaml", "z.yaml"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        named = job.replace("name: train", f"name: job-{Path(path).stem}")
        (tmp_path / path).write_text(json.dumps(read_text(named)[0][0].value) if path.endswith("json") else named)
    (tmp_path / "b" / "readme.txt").write_text("no: yaml: here")
    (tmp_path / "b" / ".hidden.yaml").write_text("no: yaml: here")
    (tmp_path / "b" / ".git").mkdir()
    (tmp_path / "b" / ".git" / "5.yaml").write_text(job)
    result = here("render", "z.yaml", "-", "b", stdin=job)
    assert names(result.out) == ["job-z", "train", "job-1", "job-2", "job-4", "job-3"]


def test_a_file_is_read_once_however_often_it_is_named(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(job)
    assert names(here("render", "job.yaml", ".", "./job.yaml").out) == ["train"]


def test_a_link_to_a_folder_inside_a_folder_is_not_followed(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "job.yaml").write_text(job)
    (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
    assert names(here("render", "a").out) == ["train"]


def test_in_a_folder_only_what_concerns_trainer_must_be_readable(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(job)
    (tmp_path / "values.yaml").write_text("replicas: 1\n")
    (tmp_path / "chart.yaml").write_text("{{ if .Values.x }}\na: b\n{{ end }}\n")
    (tmp_path / "kustomization.yaml").write_text("# TrainJobs of the team\nresources:\n- job.yaml\n")
    assert names(here("render", ".").out) == ["train"]
    assert here("render", "values.yaml").code == 1
    (tmp_path / "template.yaml").write_text("kind: TrainJob\nspec: {{ .Values.spec }}\n")
    code, out, err = here("render", ".")
    assert (code, out) == (1, "")
    assert err.startswith("template.yaml:2:7: error JSC007 helm-template: ")


def test_excluded_files_of_a_folder(here: Here, job: str, tmp_path: Path) -> None:
    for path in ("a/job.yaml", "charts/x/job.yaml", "b.yaml"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(job.replace("name: train", f"name: {path.replace('/', '-')[:-5]}"))
    assert names(here("render", ".", "--exclude", "charts/**", "--exclude", "b.*").out) == ["a-job"]
    assert names(here("render", "b.yaml", "--exclude", "b.*").out) == ["b"]


def test_runtimes_from_files_folders_and_the_input_itself(here: Here, job_of_mine: str, runtime: str, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(job_of_mine)
    (tmp_path / "runtimes").mkdir()
    (tmp_path / "runtimes" / "mine.yaml").write_text(runtime)
    (tmp_path / "runtimes" / "job.yaml").write_text(job_of_mine.replace("train-mine", "left-alone"))
    assert here("render", "job.yaml").code == 1
    for options in (["-r", "runtimes"], ["--runtime", "runtimes/mine.yaml"], ["-r", "runtimes", "-r", "runtimes/mine.yaml"]):
        assert names(here("render", "job.yaml", *options).out) == ["train-mine"]
    # After the TrainJob, in the same stream or in a later file.
    assert names(here("render", "-", stdin=f"{job_of_mine}---\n{runtime}").out) == ["train-mine"]
    assert names(here("render", "job.yaml", "runtimes/mine.yaml").out) == ["train-mine"]


def test_what_is_wrong_with_a_given_runtime_is_said_at_its_place(here: Here, job_of_mine: str, runtime: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(runtime.replace("numNodes: 2", "numNodes: many"))
    code, out, err = here("render", "-", "-r", "mine.yaml", stdin=job_of_mine)
    assert (code, out) == (1, "")
    assert err.startswith("mine.yaml:9:15: error ")
    assert "not found" not in err


def test_a_runtime_of_the_input_hides_the_bundled_one(here: Here, job: str, runtime: str) -> None:
    result = here("render", "-", stdin=f"{runtime.replace('name: mine', 'name: torch-distributed')}---\n{job}")
    assert "example.com/image" in result.out
    assert "JSC204" in result.err


def test_no_bundled_runtimes(here: Here, job: str) -> None:
    code, out, err = here("render", "-", "--no-bundled-runtimes", stdin=job)
    assert (code, out) == (1, "")
    assert "JSC201 runtime-not-found" in err


def test_a_missing_runtime_can_be_ignored(here: Here, job: str, job_of_mine: str) -> None:
    result = here("render", "-", "--ignore-missing-runtime", stdin=f"{job_of_mine}---\n{job}")
    assert result.code == 0
    assert names(result.out) == ["train"]


def test_namespace_of_documents_that_have_none(here: Here, job: str) -> None:
    given = job.replace("name: train\n", "name: train\n  namespace: own\n")
    result = here("render", "-", "-n", "team", stdin=f"{job}---\n{given}")
    assert [document.value["metadata"]["namespace"] for document in read_text(result.out)[0]] == ["team", "own"]


@pytest.mark.parametrize("spelling", ["v2", "2.3.x", "v2.3-rc1", "2.3.0.1", "newest", "v9.9"])
def test_other_spellings_of_a_release_are_refused(here: Here, job: str, spelling: str) -> None:
    code, out, err = here("render", "-", "--trainer-version", spelling, stdin=job)
    assert (code, out) == (2, "") and f"unknown trainer version '{spelling}'" in err


def test_a_patch_release_that_was_not_compared_is_said(here: Here, job: str) -> None:
    code, out, err = here("render", "-", "--trainer-version", "2.3.9", stdin=job)
    assert code == 0 and out == compile_yaml(job).to_yaml()
    assert "info JSC213 release-not-compared: 2.3.9 is judged as 2.3.0" in err
    assert [d.code for d in compile_yaml(job, trainer_version="2.2.0").diagnostics if d.slug == "release-not-compared"] == ["JSC213"]
    assert "JSC213" not in here("render", "-", "--trainer-version", "latest", stdin=job).err


def test_trainer_version(here: Here, job: str) -> None:
    for spelling in ("v2.1", "2.1", "2.1.0", "V2.1", " v2.1"):
        assert here("render", "-q", "-", "--trainer-version", spelling, stdin=job).out == compile_yaml(job, trainer_version="v2.1").to_yaml()


@pytest.mark.parametrize("extra", ["  unknown: 1\n", "  suspend: true\n  suspend: false\n"], ids=["unknown", "duplicate"])
def test_fields_that_a_server_drops_are_errors_as_with_kubectl(here: Here, job: str, extra: str) -> None:
    code, out, err = here("render", "-", stdin=job + extra)
    assert (code, out) == (1, "") and "error JSC" in err
    assert here("render", "-", "--validate", "strict", stdin=job + extra).code == 1
    code, out, err = here("render", "-", "--validate", "warn", stdin=job + extra)
    assert code == 0 and out and "warning JSC" in err
    code, out, err = here("render", "-", "--validate", "ignore", stdin=job + extra)
    assert code == 0 and out and "JSC103" not in err and "JSC021" not in err


def test_the_words_are_those_of_kubectl(here: Here, job: str) -> None:
    err = here("render", "-", stdin=job + "  unknown: 1\n").err
    assert 'error JSC103 unknown-field: strict decoding error: unknown field "spec.unknown"' in err


def test_fail_on_warning(here: Here, job: str) -> None:
    text = job + "  unknown: 1\n"
    code, out, err = here("render", "-", "--validate", "warn", "--fail-on", "warning", stdin=text)
    assert (code, out) == (1, "")
    assert "warning JSC103" in err


def test_one_wrong_trainjob_keeps_all_from_being_written_and_hides_no_other_fault(here: Here, job: str) -> None:
    wrong = job.replace("torch-distributed", "nothing")
    broken = job.replace("runtimeRef", "runtimeReff")
    code, out, err = here("render", "-", stdin=f"{job}---\n{wrong}---\n{broken}")
    assert (code, out) == (1, "")
    assert "JSC201" in err
    assert "<stdin>:22:3: error JSC103" in err
    assert err.count(": error ") == 3


def test_an_error_cannot_be_ignored_where_objects_are_wanted(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / ".jobset-compiler.yaml").write_text("ignore: [runtime-not-found]\n")
    assert here("render", "-", stdin=job.replace("torch-distributed", "nothing")).code == 1


def test_facts(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "facts.yaml").write_text("uid: 5c2f8e0e\nfeatureGates: {TrainJobStatus: true}\noperatorNamespace: operators\n")
    out = here("render", "-", "--facts", "facts.yaml", stdin=job).out
    assert "uid: 5c2f8e0e" in out
    assert "operators.svc" in out
    assert "operators.svc" not in here("render", "-", "--facts", "facts.yaml", "--feature-gate", "TrainJobStatus=false", stdin=job).out
    assert "KUBEFLOW_TRAINER" in here("render", "-", "--feature-gate=TrainJobStatus=true", stdin=job).out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uuid: x\n", "facts.yaml:1:1: unknown fact 'uuid'; known: uid"),
        ("uid: 1\n", "facts.yaml:1:6: uid is a string"),
        ("priorityClasses: high\n", "facts.yaml:1:18: priorityClasses is a list of names"),
        ("featureGates: {A: 1}\n", "featureGates is a mapping of names to true and false"),
        ("- uid\n", "facts are a mapping"),
        ("uid: [\n", "facts.yaml:"),
    ],
)
def test_wrong_facts(here: Here, job: str, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "facts.yaml").write_text(text)
    code, out, err = here("render", "-", "--facts", "facts.yaml", stdin=job)
    assert (code, out) == (2, "")
    assert message in err


def test_admitted_form_has_the_defaults_of_jobset(here: Here, job: str) -> None:
    assert "enableDNSHostnames" not in here("render", "-", stdin=job).out
    assert "enableDNSHostnames: true" in here("render", "-", "--form", "admitted", stdin=job).out


def test_ssh_key_of_a_file(here: Here, job: str, tmp_path: Path) -> None:
    text = job.replace("torch-distributed", "deepspeed-distributed")
    assert "PLACEHOLDER, not a key" in here("render", "-", stdin=text).out
    (tmp_path / "key").write_text("-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n")
    (tmp_path / "key.pub").write_text("ecdsa-sha2-nistp521 AAAA\n")
    out = here("render", "-", "--ssh-key", "key", stdin=text).out
    assert "UExBQ0VIT0xERVI" not in out
    assert "ZWNkc2Etc2hhMi1uaXN0cDUyMSBBQUFBCg==" in out
    (tmp_path / "key.pub").write_text((tmp_path / "key").read_text())
    code, _, err = here("render", "-", "--ssh-key", "key", stdin=text)
    assert code == 2
    assert "no public key" in err


def test_generated_ssh_keys_differ_and_need_a_package(here: Here, job: str) -> None:
    text = job.replace("torch-distributed", "deepspeed-distributed")
    first = here("render", "-", "--generate-ssh-keys", stdin=text)
    if first.code == 2:
        assert "cryptography" in first.err
    else:
        assert first.out != here("render", "-", "--generate-ssh-keys", stdin=text).out


def test_an_unreadable_input_is_2_and_the_others_are_looked_at(here: Here, job: str, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(job.replace("torch-distributed", "nothing"))
    code, out, err = here("render", "missing.yaml", "job.yaml")
    assert (code, out) == (2, "")
    assert "missing.yaml: error JSC001 unreadable: No such file or directory" in err
    assert "JSC201" in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_read_once_and_used_twice(here: Here, job_of_mine: str, runtime: str, tmp_path: Path) -> None:
    """A shell's <(helm template ...) cannot be read a second time."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    writer = threading.Thread(target=pipe.write_text, args=(f"{job_of_mine}---\n{runtime}",))
    writer.start()
    assert names(here("render", str(pipe)).out) == ["train-mine"]
    writer.join()


GARBAGE: dict[str, tuple[bytes, str]] = {
    "binary": (bytes(range(256)) * 4, "<stdin>:"),
    "compressed": (b"\x1f\x8b\x08\x00" + b"\xff\xfe\x00\x80" * 50, "<stdin>:"),
    "UTF-16 without its mark": ("kind: TrainJob\n".encode("utf-16-le"), "<stdin>:1:"),
    "a page of HTML": (b"<!DOCTYPE html>\n<html><body>404: not found</body></html>\n", "<stdin>:"),
    "a template": (b"{{- if .Values.train }}\nkind: TrainJob\n{{- end }}\n", "<stdin>:1:"),
    "half a document": (b"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nspec: {trainer: [\n", "<stdin>:"),
    "cut JSON": (b'{"kind": "TrainJob", "spec": {"trainer"', "<stdin>:1:"),
    "text": (b"just some words\n", "<stdin>:1:"),
    "a list": (b"- a\n- b\n", "<stdin>:1:"),
    "a number": (b"42\n", "<stdin>:1:"),
    "tabs": (b"kind: TrainJob\n\tmetadata:\n", "<stdin>:2:"),
    "a bomb of aliases": (
        b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(b"%c: &%c [%s]\n" % (c + 1, c + 1, b",".join([b"*%c" % c] * 9)) for c in range(97, 108)),
        "<stdin>:",
    ),
    "deep brackets": (b"a: " + b"[" * 5000, "<stdin>:1:"),
    "deep JSON": (b'{"a":' * 5000, "<stdin>:1:"),
    "a spec that is a list": (b"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a}\nspec: []\n", "<stdin>:4:"),
    "metadata that is text": (b"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: a\nspec: {runtimeRef: {name: a}}\n", "<stdin>:3:"),
    "nothing but a kind": (b"kind: TrainJob\n", "<stdin>:1:"),
    "a key that is a mapping": (b"? {a: b}\n: c\n", "<stdin>:1:"),
    "merge conflict": (b"<<<<<<< HEAD\nkind: TrainJob\n=======\nkind: Job\n>>>>>>> main\n", "<stdin>:1:"),
}


@pytest.mark.parametrize("verb", ["render", "check"])
@pytest.mark.parametrize(("data", "place"), GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_refused_with_a_place(here: Here, data: bytes, place: str, verb: str) -> None:
    code, out, err = here(verb, "-", stdin=data)
    assert code in (1, 2)
    said = out if verb == "check" else err
    assert place in said
    assert "Traceback" not in out + err
    assert "internal error" not in out + err
    if verb == "render":
        assert out == ""


def test_messages_show_nothing_that_a_terminal_would_act_on(here: Here, job: str) -> None:
    _, _, err = here("render", "-", stdin=job + '  "\\e]0;title\\a": 1\n')
    assert "\x1b" not in err
    assert "\a" not in err
