"""What is written to be applied is applied twice: JobSet's rules of an update are played against the second `kubectl apply`."""

from __future__ import annotations

import shlex
from base64 import b64decode
from binascii import Error
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from jobset_compiler import runtimes
from jobset_compiler.admission.jobset_defaults import admitted_form
from jobset_compiler.admission.schema import admit_document
from jobset_compiler.admission.updates import refused_changes
from jobset_compiler.cli import VERBS, verb_of
from jobset_compiler.cli.help import OVERVIEW
from jobset_compiler.profiles import PROFILES, find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Here = Callable[..., Any]
    Tree = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))


def merged(live: Any, patch: Any) -> Any:
    """A JSON merge patch, which is what kubectl sends of a custom resource: lists are replaced as a whole."""
    if not isinstance(live, dict) or not isinstance(patch, dict):
        return patch
    out = {**live, **{key: merged(live.get(key), value) for key, value in patch.items() if value is not None}}
    return {key: value for key, value in out.items() if key not in patch or patch[key] is not None}


def second_apply(rendered: Tree, release: str) -> list[tuple[str, str, str]]:
    """What JobSet has against it: created first, then the same patched in. On an update only the schema fills in defaults."""
    profile = find(release)
    assert profile is not None
    stored = admitted_form(rendered, profile)
    updated = admit_document(merged(stored, rendered), "JobSet", profile).value
    return list(refused_changes(stored, updated, profile))


def jobsets(text: str) -> list[Tree]:
    return [manifest for manifest in yaml.safe_load_all(text) if manifest and manifest["kind"] == "JobSet"]


def to_apply(here: Here, text: str, *arguments: str) -> Iterator[tuple[str, list[Tree]]]:
    """(the way, its JobSets) of every way that output takes to a cluster."""
    yield "form", jobsets(here("render", "-", "--form", "admitted", *arguments, stdin=text).out)
    yield "pipe", jobsets(here("render", "--passthrough", "-", *arguments, stdin=text).out)
    assert here("render", "-", "--output-dir", "out", *arguments, stdin=text).code == 0
    yield "folder", [made for file in Path("out").rglob("jobset-*.yaml") for made in jobsets(file.read_text())]
    items = [item for item in yaml.safe_load_all(text) if item]
    resources = yaml.safe_dump({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items})
    out = yaml.safe_load(here("fn", *arguments, stdin=resources).out)
    yield "function", [item for item in out["items"] if item["kind"] == "JobSet"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_examples_can_be_applied_twice(here: Here, example: Path) -> None:
    for way, made in to_apply(here, example.read_text()):
        assert len(made) == 1, way
        assert second_apply(made[0], "v2.3") == [], way


@pytest.mark.parametrize("release", [profile.name for profile in PROFILES])
def test_bundled_runtimes_can_be_applied_twice(here: Here, job: str, release: str) -> None:
    names = runtimes.names(release)
    text = "---\n".join(job.replace("torch-distributed", name).replace("name: train", f"name: train-{number}") for number, name in enumerate(names))
    for way, made in to_apply(here, text, "--trainer-version", release):
        assert len(made) == len(names), way
        assert [second_apply(manifest, release) for manifest in made] == [[]] * len(names), way


def test_what_the_controller_submits_can_be_applied_once(here: Here, job: str) -> None:
    """Seen on live servers of all four releases."""
    (submitted,) = jobsets(here("render", "-", stdin=job).out)
    ((what, message, path),) = second_apply(submitted, "v2.3")
    assert what == "replicatedJobs[0].template.spec.template.spec.restartPolicy"
    assert message.endswith("field is immutable") and path == "spec.replicatedJobs"


def test_the_form_of_the_controller_on_request(here: Here, job: str) -> None:
    submitted = here("render", "-", stdin=job).out
    assert here("render", "--passthrough", "-", "--form", "submitted", stdin=job).out == submitted
    here("render", "-", "--output-dir", "out", "--form", "submitted", stdin=job)
    assert Path("out/default/train/jobset-train.yaml").read_text().endswith(submitted)
    config: Tree = {"kind": "JobSetCompiler", "spec": {"form": "submitted"}}
    resources = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [yaml.safe_load(job)], "functionConfig": config}
    assert yaml.safe_load(here("fn", stdin=yaml.safe_dump(resources)).out)["items"] == [yaml.safe_load(submitted)]
    config["spec"]["form"] = "applied"
    result = here("fn", stdin=yaml.safe_dump(resources))
    assert result.code == 1 and "form: is submitted or admitted, not 'applied'" in result.err


@pytest.mark.parametrize("runtime", ["deepspeed-distributed", "mpi-distributed"])
def test_a_placeholder_is_refused_by_every_cluster(here: Here, job: str, runtime: str) -> None:
    """The API server decodes the data of a Secret from base64 and refuses what is none; a Secret that it took could not be mended."""
    mpi = job.replace("torch-distributed", runtime)
    release = () if runtime != "mpi-distributed" else ("--trainer-version", "v2.0")
    (secret,) = [manifest for manifest in yaml.safe_load_all(here("render", "-", *release, stdin=mpi).out) if manifest["kind"] == "Secret"]
    for text in secret["data"].values():
        assert text.startswith("PLACEHOLDER, not a key: ")
        with pytest.raises(Error):
            b64decode(text, validate=True)
    said = here("check", "-", "-v", "--format", "json", *release, stdin=mpi).out
    assert "ssh-key-placeholder" in said and "--no-secrets" in said and "that no cluster takes" in said


@pytest.mark.parametrize("arguments", [(), ("--passthrough",), ("-o", "json"), ("-o", "name")])
def test_secrets_are_left_out_on_request(here: Here, job: str, arguments: tuple[str, ...]) -> None:
    mpi = job.replace("torch-distributed", "deepspeed-distributed")
    assert "ecret" in here("render", "-", *arguments, stdin=mpi).out.replace("secret:", "").replace("secretName", "")
    out = here("render", "-", "--no-secrets", *arguments, stdin=mpi).out
    assert "kind: Secret" not in out and '"Secret"' not in out and "secret/" not in out and out.lower().count("configmap")


def test_secrets_are_left_out_of_folders_and_functions_on_request(here: Here, job: str) -> None:
    mpi = job.replace("torch-distributed", "deepspeed-distributed")
    here("render", "-", "--output-dir", "out", stdin=mpi)
    assert list(Path("out").rglob("secret-*.yaml"))
    here("render", "-", "--output-dir", "out", "--no-secrets", stdin=mpi)
    assert not list(Path("out").rglob("secret-*.yaml"))
    for value, kinds in ((True, ["JobSet", "Secret", "ConfigMap"]), (False, ["JobSet", "ConfigMap"])):
        config = {"kind": "JobSetCompiler", "spec": {"secrets": value}}
        resources = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [yaml.safe_load(mpi)], "functionConfig": config}
        assert [item["kind"] for item in yaml.safe_load(here("fn", stdin=yaml.safe_dump(resources)).out)["items"]] == kinds


def pipes() -> Iterator[tuple[str, str]]:
    """(where, the pipe) of everything shown that sends output to a cluster."""
    pages = [ROOT / "README.md", ROOT / "action.yml", *(ROOT / "docs").glob("*.md"), *(file for file in (ROOT / "integrations").rglob("*") if file.is_file())]
    texts = {str(file.relative_to(ROOT)): file.read_text() for file in pages}
    texts["help"] = OVERVIEW
    for name in VERBS:
        texts[name] = "\n".join((verb_of(name).text, *(command for command, _ in verb_of(name).examples)))
    for where, text in texts.items():
        for line in text.splitlines():
            for shown in line.split("`") if "`" in line else [line]:
                if "jobset-compiler" in shown and "| kubectl" in shown.replace("#", ""):
                    yield where, shown


def test_every_pipe_that_is_shown_works_twice() -> None:
    found = list(pipes())
    assert len(found) >= 5
    for where, shown in found:
        kubectl = shlex.split(shown[shown.rindex("kubectl") :])
        if "jobset-compiler migrate" in shown:
            continue  # TrainJobs, which nothing writes defaults into
        again = "--server-side" in kubectl or "--form admitted" in shown or "--passthrough" in shown
        assert again, f"{where}: {shown}"
