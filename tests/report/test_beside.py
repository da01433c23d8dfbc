"""The lines of a report: which of a file are shown, and what of them."""

from __future__ import annotations

from jobset_compiler.report.page import address_of
from tests.report.test_survey import one, surveyed

HEAD = """\
# above
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a, namespace: ml}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    numNodes: 2
    env:
    - name: HF_TOKEN
      # where it is from
      value: "hf_4711"
    - name: NOTE
      # between two
      # that are secret
      value: shown
      # and
      # more
    - name: DB_PASSWORD
      value: |
        first line
        second
    - {name: MODEL, value: small}

"""
LIST = """\
apiVersion: v1
kind: List
items:
- apiVersion: trainer.kubeflow.org/v1alpha1
  kind: TrainJob
  metadata: {name: a, namespace: ml}
  spec: {runtimeRef: {name: torch-distributed}}
- apiVersion: trainer.kubeflow.org/v1alpha1
  kind: TrainJob
  metadata: {name: b, namespace: ml}
  spec: {runtimeRef: {name: torch-distributed}}
"""


def shown(text: str, end: str = "\n") -> list[tuple[int, str]]:
    beside = one(text.replace("\n", end)).beside
    assert beside is not None
    return [(line.number, line.text) for line in beside.inputs[0].lines]


def test_the_lines_of_a_document_with_stars_for_what_is_secret() -> None:
    expected = HEAD.rstrip("\n").replace('"hf_4711"', "*********").replace("value: |", "value: *")
    for line in ("        first line", "        second"):
        expected = expected.replace(line, "*" * len(line))
    for end in ("\n", "\r\n"):
        assert shown(HEAD, end) == list(enumerate(expected.split("\n"), 1)), "blank lines at the end are left out"


def test_of_a_list_each_member_has_its_own_lines() -> None:
    lines = LIST.split("\n")
    first, second = surveyed(LIST).sheets
    for sheet, begin in ((first, 4), (second, 8)):
        assert sheet.beside is not None
        text = sheet.beside.inputs[0]
        assert [(line.number, line.text) for line in text.lines] == [(number, lines[number - 1]) for number in range(begin, begin + 4)]
        assert (text.title, text.file) == (f"TrainJob {sheet.name}", "0.yaml")


def test_where_the_page_has_a_line() -> None:
    accepted, refused = surveyed(HEAD, HEAD.replace("name: a,", "name: b,").replace("torch-distributed", "nope")).sheets
    assert address_of(accepted, "0.yaml", 8) == "#j1t8" and address_of(refused, "1.yaml", 8) == "#j2t8"
    for sheet, file, line in ((accepted, "0.yaml", 99), (accepted, "1.yaml", 8), (accepted, "", 1), (refused, "0.yaml", 8), (refused, "1.yaml", 0)):
        assert address_of(sheet, file, line) == ""
    assert address_of(refused._replace(written=None), "1.yaml", 8) == ""
