"""The extractor on a made-up release: a checkout and modules of a few lines each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import extract
import facts
from go_types import GoError
from tests.tools.checkout import checkout, edit


def found(folder: Path) -> dict[str, Any]:
    trainer, modules = checkout(folder)
    return extract.extract(trainer, "v9.9.0", modules)


def test_types(tmp_path: Path) -> None:
    types = found(tmp_path)[facts.TYPES]
    assert types["tag"] == "v9.9.0"
    assert types["modules"] == {"k8s.io/api": "v0.99.1", "k8s.io/apimachinery": "v0.99.1", "sigs.k8s.io/jobset": "v0.99.0"}
    assert types["roots"]["TrainJob"] == "trainer/v1alpha1.TrainJob"
    assert "PodGroup.volcano" not in types["roots"]
    assert types["types"]["trainer/v1alpha1.TrainJobSpec"] == [
        {"go": "Nodes", "json": "nodes", "type": "int32", "ptr": True, "omitempty": True},
        {"go": "Limits", "json": "limits", "type": {"key": "core/v1.ResourceName", "map": "Quantity"}, "omitempty": True},
        {"go": "Port", "json": "port", "type": "IntOrString"},
        {"go": "Mode", "json": "mode", "type": {"named": "trainer/v1alpha1.Mode", "scalar": "string"}, "omitzero": True},
        {"go": "Env", "json": "env", "type": {"list": "#core/v1.EnvVar"}, "omitempty": True, "patchStrategy": "merge", "patchMergeKey": "name"},
        {"go": "Data", "json": "data", "type": "bytes"},
        {"go": "Base", "type": "#trainer/v1alpha1.Base", "inline": True},
        {"go": "Nested", "json": "nested", "type": "#trainer/v1alpha1.TrainJobSpec", "ptr": True, "omitempty": True},
    ]
    assert types["types"]["trainer/v1alpha1.Base"] == [{"go": "Id", "json": "Id", "type": "int64"}]
    assert types["namedScalars"] == {"core/v1.ResourceName": "string", "trainer/v1alpha1.Mode": "string"}


def test_crds(tmp_path: Path) -> None:
    crds = found(tmp_path)[facts.CRDS]
    assert crds["trainer"] == "v9.9.0"
    assert crds["jobset"] == "v0.99.0"
    fields = crds["schemas"]["TrainJob"]["properties"]["spec"]["properties"]
    assert fields["nodes"] == {"type": "integer", "format": "int32", "minimum": 1}
    assert fields["description"] == {"type": "string"}, "a field may be called description"


def test_the_tag_of_a_checkout(tmp_path: Path) -> None:
    trainer, modules = checkout(tmp_path)
    with pytest.raises(GoError, match="which tag"):
        extract.extract(trainer, "", modules)
    (trainer / "VERSION").write_text("v9.9.1\n")
    assert extract.extract(trainer, "", modules)[facts.CRDS]["trainer"] == "v9.9.1"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("trainer/pkg/apis/trainer/v1alpha1/types.go", "Port intstr.IntOrString", "Port chan int", "TrainJobSpec.Port: a type that JSON does not have"),
        ("trainer/pkg/apis/trainer/v1alpha1/types.go", "Nested *TrainJobSpec", "Nested *Gone", "declares no type Gone"),
        ("trainer/manifests/base/crds/trainer.kubeflow.org_clustertrainingruntimes.yaml", "type: object", "type: array", "ClusterTrainingRuntime differ"),
        ("trainer/go.mod", "sigs.k8s.io/jobset v0.99.0", "", "no module of go.mod has this package"),
        ("trainer/go.mod", "module", "// module", "no go.mod; is it a checkout of kubeflow/trainer?"),
    ],
)
def test_sources_that_do_not_fit(tmp_path: Path, file: str, old: str, new: str, words: str) -> None:
    trainer, modules = checkout(tmp_path)
    edit(tmp_path / file, old, new)
    with pytest.raises(GoError, match=re.escape(words)):
        extract.extract(trainer, "v9.9.0", modules)


def test_a_missing_module_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    trainer, _ = checkout(tmp_path)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "cache"))
    with pytest.raises(SystemExit, match="go mod download k8s"):
        extract.main(["v9.9", "--trainer", str(trainer), "--tag", "v9.9.0"])
    with pytest.raises(SystemExit, match=r"no go\.mod"):
        extract.main(["v9.9", "--trainer", str(tmp_path / "nothing")])
    capsys.readouterr()


def test_modules_of_the_module_cache_and_replaced_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer, modules = checkout(tmp_path)
    cache = tmp_path / "cache"
    monkeypatch.setenv("GOMODCACHE", str(cache))
    for path, folder in modules.items():
        name = "example.com/!my/jobset@v1.0.0" if path.endswith("jobset") else f"{path}@v0.99.1"
        (cache / name).parent.mkdir(parents=True, exist_ok=True)
        folder.rename(cache / name)
    with (trainer / "go.mod").open("a") as go_mod:
        go_mod.write("\nreplace sigs.k8s.io/jobset => example.com/My/jobset v1.0.0\n")
    assert extract.extract(trainer, "v9.9.0")[facts.TYPES]["modules"]["sigs.k8s.io/jobset"] == "v1.0.0"


def test_check_tells_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    trainer, modules = checkout(tmp_path)
    monkeypatch.setattr(facts, "UPSTREAM", tmp_path / "upstream")
    arguments = ["v9.9", "--trainer", str(trainer), "--tag", "v9.9.0", *(f"--module={path}={folder}" for path, folder in modules.items())]
    assert extract.main(arguments) == 0
    assert facts.releases() == ["v9.9"]
    assert extract.main([*arguments, "--check"]) == 0
    edit(trainer / "pkg/apis/trainer/v1alpha1/types.go", 'json:"nodes,omitempty"', 'json:"nodes"')
    capsys.readouterr()
    assert extract.main([*arguments, "--check"]) == 1
    assert "types types.trainer/v1alpha1.TrainJobSpec[0].omitempty: recorded True, found None\n1 differences\n" in capsys.readouterr().out


def test_recorded_facts_name_their_sources() -> None:
    """The table of upstream/README.md is that of the facts."""
    rows = [line for line in (facts.UPSTREAM / "README.md").read_text().splitlines() if line.startswith(("| v", "| next"))]
    assert len(rows) == len(facts.releases())
    for row, release in zip(rows, facts.releases(), strict=True):
        types, crds = facts.load(release, facts.TYPES), facts.load(release, facts.CRDS)
        modules = types["modules"]
        shown = [release, types["tag"], crds["jobset"], modules["k8s.io/api"], modules["sigs.k8s.io/scheduler-plugins"], modules.get("volcano.sh/apis", "")]
        assert [cell.strip() for cell in row.strip("|").split("|")] == shown
        assert types["tag"] == crds["trainer"]
        assert modules["sigs.k8s.io/jobset"] == crds["jobset"]
