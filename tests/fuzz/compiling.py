"""What holds of the compile of any text, by the calls of the library."""

from __future__ import annotations

import io
import json
import pickle
from copy import deepcopy
from random import Random
from typing import Any

import yaml
from ruamel.yaml import YAML

import jobset_compiler as jc
from jobset_compiler.diagnostics import addresses
from jobset_compiler.pipeline import compile_documents
from jobset_compiler.profiles import find
from jobset_compiler.request.options import Options
from jobset_compiler.request.releases import about_release
from jobset_compiler.source.diagnose import diagnose
from jobset_compiler.source.reader import read_text
from tests.fuzz.reading import FILE, is_inside, paths_of

RELEASES = tuple(profile.name for profile in jc.PROFILES)
VALIDATE = ("warn", "strict", "ignore")
_ASKED = 12  # fields of one object whose origin is asked for


def check_compile(text: str, before: str, rng: Random) -> None:
    """before: another text, of which this one may be an update."""
    release = rng.choice(RELEASES)
    validate: Any = rng.choice(VALIDATE)
    result = jc.compile_yaml(text, trainer_version=release, validate=validate, file=FILE)
    for diagnostic in result.diagnostics:
        spans_are_inside(diagnostic, text)
    assert result == jc.compile_yaml(text, trainer_version=release, validate=validate, file=FILE), "twice the same"
    assert result == without_memory(text, release, validate), "what calls have learnt changes nothing"
    objects = result.objects
    if objects:
        readers_agree(result)
        every_field_has_an_origin(result, rng)
    assert bool(result.podsets) <= bool(objects)
    assert result.requirements is not None and repr(result)
    from_objects(text, release, validate, result)
    inputs_come_to_something(text, result, rng)
    if rng.random() < 0.2:
        assert pickle.loads(pickle.dumps(result)) == result, "pickled"
        update = jc.check_update(before, text, trainer_version=release, validate=validate, file=FILE, was_file="before.yaml")
        for diagnostic in update.diagnostics:
            spans_are_inside(diagnostic, text if diagnostic.file == FILE else before)


def without_memory(text: str, release: str, validate: str) -> jc.Compilation:
    profile = find(release)
    assert profile is not None
    documents, problems = read_text(text, FILE)
    return compile_documents(documents, diagnose(problems, validate), Options(profile=profile, validate=validate, problems=about_release(release, profile)))


def spans_are_inside(diagnostic: jc.Diagnostic, text: str) -> None:
    assert diagnostic.message and str(diagnostic) and hash(diagnostic) is not None
    if not diagnostic.file.startswith("<bundled"):
        assert is_inside(diagnostic.span, text), ("span", diagnostic, diagnostic.span)
    for note in diagnostic.notes:
        assert note.span.file != diagnostic.file or is_inside(note.span, text), ("span of a note", diagnostic, note.span)


def readers_agree(result: jc.Compilation) -> None:
    """Our reader, PyYAML by libyaml and ruamel.yaml's own scanner read the output as what it was written from."""
    text = result.to_yaml()
    objects = json.loads(json.dumps(result.objects))
    assert [document.value for document in read_text(text)[0]] == objects, "our reader"
    assert list(yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))) == objects, "PyYAML"
    assert list(YAML(typ="safe", pure=True).load_all(io.StringIO(text))) == objects, "ruamel.yaml"
    loaded = json.loads(result.to_json())
    assert (loaded["items"] if loaded["kind"] == "List" else [loaded]) == objects, "JSON"


def every_field_has_an_origin(result: jc.Compilation, rng: Random) -> None:
    identities = [(manifest["kind"], manifest["metadata"]["namespace"], manifest["metadata"]["name"]) for manifest in result.objects]
    for manifest in result.objects:
        leaves = list(addresses.leaves(manifest))
        for leaf in rng.sample(leaves, min(_ASKED, len(leaves))):
            address = addresses.text(addresses.keyed(manifest, leaf))
            if len(set(identities)) == len(identities):
                assert result.origin_of(manifest, address), ("no origin", address)


def from_objects(text: str, release: str, validate: Any, result: jc.Compilation) -> None:
    documents = [document.value for document in read_text(text)[0]]
    before = deepcopy(documents)
    other = jc.compile_objects(documents, trainer_version=release, validate=validate)
    assert documents == before, "the input is changed"
    if result.is_submitted:
        assert other.is_submitted and list(other.objects) == list(result.objects), ("objects and text", other.diagnostics)
    assert str(other.diagnostics)


def inputs_come_to_something(text: str, result: jc.Compilation, rng: Random) -> None:
    for unit in result.units[:2]:
        document = unit.plan.job.document
        paths = [path for path in paths_of(document.value, 200) if path and "absent" not in path]
        for path in rng.sample(paths, min(3, len(paths))):
            assert result.affected_by(document.value, addresses.text(addresses.keyed(document.value, path))) is not None
