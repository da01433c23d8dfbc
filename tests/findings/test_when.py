"""The cheap questions: never no where the topic has something to say, and no for a plain TrainJob."""

from __future__ import annotations

import json
from typing import Any

import pytest

import jobset_compiler as jc
from jobset_compiler.findings import OF_PLANS, _module, placeholders, when
from tests.findings import test_quirks, test_silent
from tests.passes.plans import job, plan_of, runtime, trainjob

Tree = dict[str, Any]
INPUTS = [
    *((row.given, row.asked) for row in test_quirks.ROWS),
    *((given, asked) for _, given, asked in test_quirks.NEAR_MISSES),
    *((given, asked) for _, given, asked, _, _ in test_silent.ROWS),
    *((given, asked) for _, given, asked in test_silent.NEAR_MISSES),
]


@pytest.mark.parametrize("profile", ["v2.0", "v2.1", "v2.3"])
def test_no_only_where_the_topic_is_silent(profile: str) -> None:
    silent = 0
    for given, asked in INPUTS:
        text = "\n---\n".join(map(json.dumps, (given, asked)))
        for unit in jc.compile_yaml(text, trainer_version=profile, bundled_runtimes=False).units:
            for topic, concerns in OF_PLANS:
                if not concerns(unit.plan):
                    silent += 1
                    assert not list(_module(topic).of_plan(unit.plan)), (topic, given, asked)
    assert silent > len(INPUTS), "most topics have nothing to do with most inputs"


def test_few_topics_are_asked_about_a_plain_trainjob() -> None:
    text = "\n---\n".join(map(json.dumps, (runtime({}), trainjob())))
    (unit,) = jc.compile_yaml(text, bundled_runtimes=False).units
    assert [topic for topic, concerns in OF_PLANS if concerns(unit.plan)] == ["trainer", "jobs"]


PLACEHOLDERS = [
    *("a:${TAG}", "a:${}", "a:$(TAG)", "a:$TAG", "a:{{ tag }}", "<IMAGE>", "a/%TAG%"),
    *(f"{first}{between}{last}" for first, last in (("change", "me"), ("replace", "me"), ("fill", "me"), ("to", "do")) for between in ("", "-", "_")),
    *("FIXME", "your-image", "YOUR_IMAGE", "insert-image", "Insert_Image", "ghcr.io/your-team/a:1", "a:TODO"),
]


@pytest.mark.parametrize("image", [*PLACEHOLDERS, *map(str.upper, PLACEHOLDERS)])
def test_every_placeholder_has_a_sign(image: str) -> None:
    assert placeholders.IN_IMAGES.search(image)
    assert when.has_signs(f"image: {image}\n")


@pytest.mark.parametrize("text", ["", "image: registry.example/a:1\n", "name: tool\n", "{a: {b: 1}}", "a substitute, a filling and a change"])
def test_no_sign(text: str) -> None:
    assert not when.has_signs(text)


@pytest.mark.parametrize(
    ("image", "is_plain"),
    [
        ("a", True),
        ("ghcr.io/acme/train_a-b:v1.0", True),
        ("registry:5000/a", False),  # a port: the whole rule decides
        ("registry:5000/a:1", False),
        ("a:1:2", False),
        ("Acme/a", False),
        ("acme//a", False),
        ("a:", False),
        ("a b", False),
        ("ü", False),
        ("a@sha256:0", False),
        ("a" * 127, True),
        ("a" * 128, False),
        ("", False),
    ],
)
def test_plain_images(image: str, is_plain: bool) -> None:
    assert when.is_plain_image(image) is is_plain
    assert not is_plain or placeholders.IMAGE.fullmatch(image)


def test_ports() -> None:
    ports: list[Tree] = [{"name": "a", "image": "i", "ports": [{"containerPort": 1}]}]
    assert when.has_ports(plan_of(runtime({}, job(containers=ports)), trainjob()))
    assert when.has_ports(plan_of(runtime({}, job(initContainers=ports)), trainjob()))
    assert not when.has_ports(plan_of(runtime({}, job(initContainers=[{"name": "a", "image": "i"}])), trainjob()))
