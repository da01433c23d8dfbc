"""What findings do not look at, since nothing can be there: with every such shortcut closed they say the same, of goldens and of upstream's sample."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import answers
import jobset_compiler as jc
from jobset_compiler.findings import endless, mounts, overwritten, resources, when, words
from tests.golden.cases import all_cases


class Anything:
    """Of names: one of them may be any."""

    def isdisjoint(self, _names: object) -> bool:
        return False


def closed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(words, "may_say", lambda _text, _words: True)
    patch.setattr(endless, "stands_in_runtime", lambda _text, _words: True)
    patch.setattr(mounts, "_is_usual", lambda _path: False)
    patch.setattr(overwritten, "_names_in", lambda _template: Anything())
    patch.setattr(resources, "COUNTED_AS_THEY_ARE", frozenset())
    patch.setattr(when, "has_signs", lambda _text: True)
    patch.setattr(when, "is_plain_image", lambda _image: False)
    patch.setattr(when, "QUEUES", ("",))


def inputs() -> Iterator[tuple[str, str, dict[str, bool]]]:
    """Texts with a release: the goldens, and of upstream's sample what has overrides and every fifth of the rest, the releases in turn."""
    for number, case in enumerate(all_cases()):
        yield case.text, case.releases[number % len(case.releases)], {}
    for number, answer in enumerate(answers.cases("compile")):
        releases = list(answer["results"])
        if number % 5 == 0 or "runtimePatches" in answer["input"]:
            yield answer["input"], releases[number % len(releases)], answer.get("feature_gates", {})


def test_shortcuts_say_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[str] = set()
    for text, release, gates in inputs():
        with monkeypatch.context() as patch:
            quick = jc.compile_yaml(text, trainer_version=release, feature_gates=gates).diagnostics
            closed(patch)
            assert jc.compile_yaml(text, trainer_version=release, feature_gates=gates).diagnostics == quick, text
        said.update(diagnostic.code for diagnostic in quick)
    assert {"JSC732", "JSC733", "JSC736"} <= said, "the inputs have something to say"


@pytest.mark.parametrize(
    ("text", "may"),
    [("a: b", False), ("", True), ("spec: {managedBy: x}", True), ("$patch: delete", True), ('"managed\\u0042y": x', True), ("managed: By", False)],
)
def test_a_word_stands_in_the_text_or_may(text: str, may: bool) -> None:
    assert words.may_say(text, ("managedBy", "suspend")) is may
