"""Typical slips in YAML itself: each is named at its own place, with what to write instead."""

from __future__ import annotations

import pytest

import jobset_compiler as jc
from jobset_compiler.source.events import pure_parser
from jobset_compiler.source.reader import read_text
from jobset_compiler.source.syntax import find_placeholder, stands_for_something

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: bert
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    numNodes: 2
    image: ghcr.io/me/bert:1
    command: [torchrun, train.py]
    env:
      - name: A
        value: b
    resourcesPerNode:
      limits:
        nvidia.com/gpu: 4
"""
NODES = "    numNodes: 2\n"
IMAGE = "    image: ghcr.io/me/bert:1\n"


def changed(*edits: str) -> str:
    """The job with some pieces replaced by others, given in pairs."""
    text = JOB
    for old, new in zip(edits[::2], edits[1::2], strict=True):
        assert old in text
        text = text.replace(old, new, 1)
    return text


def alone(line: str) -> str:
    return changed(NODES, f"{NODES}    {line}\n")


# What is in the file, the slug, line and column, and a part of the hint.
SLIPS: dict[str, tuple[str, str, tuple[int, int], str]] = {
    # Left for somebody to fill in.
    "shell variable alone": (alone("${EXTRA}"), "placeholder", (10, 5), "${EXTRA} looks like a placeholder, alone on its line"),
    "short variable alone": (alone("$EXTRA"), "placeholder", (10, 5), "$EXTRA looks like a placeholder"),
    "make variable alone": (alone("$(EXTRA)"), "placeholder", (10, 5), "$(EXTRA) looks like a placeholder"),
    "angle brackets alone": (alone("<your image here>"), "placeholder", (10, 5), "<your image here> looks like a placeholder"),
    "at signs alone": (alone("@EXTRA@"), "placeholder", (10, 5), "@EXTRA@ looks like a placeholder"),
    "percent signs alone": (alone("%EXTRA%"), "placeholder", (10, 5), "%EXTRA% looks like a placeholder"),
    "a word alone": (alone("TODO"), "placeholder", (10, 5), "TODO looks like a placeholder"),
    "at the end of the text": (JOB + "    ${EXTRA}\n", "placeholder", (18, 5), "${EXTRA} looks like a placeholder"),
    "template alone": (alone("{{- toYaml .Values.x | nindent 4 }}"), "helm-template", (10, 5), "helm template CHART"),
    "statement of another template": (alone("{% if x %}"), "helm-template", (10, 5), "This is a template, not YAML yet"),
    "template in a value": (changed("image: ghcr", "image: {{ .r }}ghcr"), "helm-template", (10, 12), "helm template CHART"),
    "template behind a value": (changed("value: b", 'value: "{{ x }}" {{ y }}'), "helm-template", (14, 17), "helm template CHART"),
    "template in a key": (changed("value: b", "value: b {{ x }}: c"), "helm-template", (14, 18), "helm template CHART"),
    "statement in a value": (changed("value: b", "value: {% x %}"), "helm-template", (14, 16), "This is a template, not YAML yet"),
    "dots": (alone("..."), "placeholder", (10, 5), "... stands for something that was left out: write it out"),
    "an ellipsis": (alone("\u2026"), "placeholder", (10, 5), "\u2026 stands for something that was left out"),
    "dots in brackets": (alone("[...]"), "placeholder", (10, 5), "[...] stands for something that was left out"),
    # From a page, a terminal, a mail.
    "fence": ("```yaml\n" + JOB + "```\n", "markdown-fence", (1, 1), "keep only what stands inside"),
    "fence of tildes": ("~~~\n" + JOB + "~~~\n", "markdown-fence", (1, 1), "Markdown code fence"),
    "fence after prose": ("# Title\n\nSome text.\n\n```yaml\n" + JOB + "```\n", "markdown-fence", (5, 1), "Markdown code fence"),
    "fence at the end": (JOB + "```\n", "markdown-fence", (18, 1), "Markdown code fence"),
    "here-document": ("cat <<EOF | kubectl apply -f -\n" + JOB + "EOF\n", "yaml-syntax", (1, 1), "keep only what stands between it and the line EOF"),
    "prompt": ("$ cat job.yaml\n" + JOB, "yaml-syntax", (1, 1), "shell command"),
    "diff": ("+" + JOB.replace("\n", "\n+"), "yaml-syntax", (18, 1), "comes from a diff"),
    "hunk of a diff": ("@@ -0,0 +1,17 @@\n+" + JOB.replace("\n", "\n+"), "yaml-syntax", (1, 1), "comes from a diff"),
    "hunks of a diff": ("+a: 1\n+\n@@ -1 +1 @@\n-b: 2\n c: 3\n", "yaml-syntax", (3, 1), "comes from a diff"),
    "notebook": ("%%writefile job.yaml\n" + JOB, "yaml-syntax", (1, 1), "command of a notebook"),
    "HTML": ("<pre>\n" + JOB + "</pre>\n", "yaml-syntax", (1, 1), "This is HTML"),
    "quotation": ("".join(f"> {line}\n" for line in JOB.split("\n")), "yaml-syntax", (1, 1), "take it away from all of them"),
    "prose": ("This is my job\n" + JOB, "yaml-syntax", (1, 1), "neither `key: value` nor `- item`"),
    "merge conflict": (alone("<<<<<<< HEAD").replace("    <<<", "<<<"), "merge-conflict", (10, 1), "Resolve the merge conflict"),
    # Characters that look like others.
    "no-break space in front": (changed("    image", "  \xa0 image"), "yaml-syntax", (10, 3), "U+00A0 (no-break space) is a letter to YAML"),
    "no-break space after a colon": (changed("image: ", "image:\xa0"), "yaml-syntax", (10, 11), "U+00A0"),
    "no-break space after a dash": (changed("- name", "-\xa0name"), "yaml-syntax", (13, 8), "U+00A0"),
    "ideographic spaces": (changed("    image", "\u3000\u3000image"), "yaml-syntax", (10, 1), "U+3000 (ideographic space)"),
    "tab in front": (changed("    image", "\timage"), "tab-indentation", (10, 1), "write blanks instead of the tab"),
    "tab after blanks": (changed("    image", "    \timage"), "tab-indentation", (10, 5), "write blanks instead of the tab"),
    "tab after a dash": (changed("- name", "-\tname"), "tab-indentation", (13, 8), "write blanks instead of the tab"),
    "curly quotes around a colon": (changed("value: b", "value: \u201ca: b\u201d"), "yaml-syntax", (14, 16), 'no quote. Write: "a: b"'),
    "single curly quotes": (changed("value: b", "value: \u2018a: b\u2019"), "yaml-syntax", (14, 16), "no quote. Write: 'a: b'"),
    "long dash for an item": (changed("- name", "\u2013 name"), "yaml-syntax", (13, 7), "begins with a minus sign and a blank: - name: A"),
    "bullet for an item": (changed("- name", "\u2022 name"), "yaml-syntax", (13, 7), "begins with a minus sign and a blank: - name: A"),
    # Quotes.
    "never closed": (changed("image: ", 'image: "'), "yaml-syntax", (10, 12), 'The " that opens here is never closed: put a " at the end'),
    "never closed, single": (changed("image: ", "image: '"), "yaml-syntax", (10, 12), "The ' that opens here is never closed"),
    "never closed, in brackets": (changed("[torchrun", '["torchrun'), "yaml-syntax", (11, 15), 'The " that opens here is never closed'),
    "never closed, around a key": (changed("image", '"image'), "yaml-syntax", (10, 5), 'The " that opens here is never closed'),
    "closed by a curly one": (changed("ghcr.io/me/bert:1", '"ghcr.io/me/bert:1\u201d'), "yaml-syntax", (10, 12), 'The " that opens here is never closed'),
    "closed by a later value": (changed("image: ", 'image: "', "value: b", 'value: "b"'), "yaml-syntax", (10, 12), "is closed only in line 14"),
    "closed by the next item": (changed("[torchrun, train.py]", '["torchrun, "train.py"]'), "yaml-syntax", (11, 15), "is closed only by the next one"),
    "text after it": (changed("value: b", 'value: "b" c'), "yaml-syntax", (14, 20), 'Text follows the closing "'),
    "apostrophe": (changed("value: b", "value: 'it's fine'"), "yaml-syntax", (14, 16), "is written twice: 'it''s fine'"),
    "backslash": (changed("value: b", 'value: "\\d+"'), "yaml-syntax", (14, 17), "write \\\\ for the character itself"),
    "star": (changed("value: b", "value: *.txt"), "yaml-syntax", (14, 16), 'needs quotes: "*.txt"'),
    "ampersand": (changed("value: b", "value: && echo"), "yaml-syntax", (14, 16), 'needs quotes: "&& echo"'),
    "at sign": (changed("value: b", "value: @home"), "yaml-syntax", (14, 16), 'needs quotes: "@home"'),
    "backtick": (changed("value: b", "value: `b`"), "yaml-syntax", (14, 16), 'needs quotes: "`b`"'),
    "colon": (changed("value: b", "value: a: b"), "yaml-syntax", (14, 16), 'needs quotes: value: "a: b"'),
    "colon and quotes": (changed("value: b", 'value: note: "b"'), "yaml-syntax", (14, 16), "needs quotes: value: 'note: \"b\"'"),
    "pipe": (changed("value: b", "value: | grep b"), "yaml-syntax", (14, 16), 'On one line: "| grep b"'),
    # Colons, dashes, brackets.
    "no blank after the colon": (changed("numNodes: 2", "numNodes:2"), "yaml-syntax", (9, 13), "A blank is missing after the colon: numNodes: 2"),
    "no blank after the colon of an item": (changed("name: A", "name:A"), "yaml-syntax", (13, 13), "A blank is missing after the colon: - name: A"),
    "equals sign": (changed("numNodes: 2", "numNodes=2"), "yaml-syntax", (9, 13), "no equals sign: numNodes: 2"),
    "no colon": (changed("numNodes: 2", "numNodes 2"), "yaml-syntax", (9, 5), "A colon is missing: numNodes: 2"),
    "no colon above": (changed("  trainer:", "  trainer"), "yaml-syntax", (8, 3), "A colon is missing: trainer:"),
    "no blank after the dash": (changed("- name", "-name"), "yaml-syntax", (13, 7), "A blank is missing after the dash: - name: A"),
    "two keys on a line": (changed("name: A\n        value: b", "name: A value: b"), "yaml-syntax", (13, 15), "put `value: b` on a line of its own"),
    "comment with slashes": (alone("// two"), "yaml-syntax", (10, 5), "A comment begins with #"),
    "open bracket": (changed("train.py]", "train.py"), "yaml-syntax", (11, 14), "The [ that opens here is not closed: put a ]"),
    "open brace": (changed("      limits:\n        nvidia.com/gpu: 4", "      limits: {nvidia.com/gpu: 4"), "yaml-syntax", (16, 15), "put a }"),
    "no comma": (changed("[torchrun, train.py]", '["torchrun" "train.py"]'), "yaml-syntax", (11, 26), "A comma is missing here"),
    "bracket too many": (changed("train.py]", "train.py]]"), "yaml-syntax", (11, 34), "There is one ] too many"),
    "comment in JSON": ('{\n  // job\n  "kind": "TrainJob"\n}\n', "yaml-syntax", (2, 3), "no comments with //"),
    # Indentation.
    "too far in": (changed("    image", "     image"), "yaml-syntax", (10, 6), "`image` is indented by 5, `numNodes` above it by 4"),
    "not far enough": (changed("    numNodes", "  numNodes"), "yaml-syntax", (10, 5), "`image` is indented by 4, `numNodes` above it by 2"),
    "between two levels": (changed("    image", "   image"), "yaml-syntax", (10, 4), "indented by 3, which fits no line above: indent it by 0, 2 or 4"),
    "item's key too far out": (changed("        value", "       value"), "yaml-syntax", (14, 8), "indent it by 0, 2, 4, 6 or 8"),
    # Separators.
    "no separator": (JOB + JOB, "missing-separator", (18, 1), "Write --- on a line of its own before this one"),
    "no separator, other order": (JOB + "kind: ConfigMap\napiVersion: v1\n", "missing-separator", (18, 1), "Write --- on a line of its own"),
    "two dashes": (JOB + "--\n" + JOB, "document-separator", (18, 1), "a line that is just ---"),
    "a long dash": (JOB + "\u2014\n" + JOB, "document-separator", (18, 1), "a line that is just ---"),
    "equals signs": (JOB + "=====\n" + JOB, "document-separator", (18, 1), "a line that is just ---"),
    "indented dashes": (JOB + " ---\n" + JOB, "document-separator", (18, 2), "at its very beginning"),
    "four dashes": (JOB + "----\n" + JOB, "document-separator", (18, 1), "A separator is just `---`"),
}


@pytest.mark.parametrize(("text", "slug", "place", "hint"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_named(text: str, slug: str, place: tuple[int, int], hint: str) -> None:
    problem, *_ = read_text(text)[1]
    assert (problem.slug, (problem.span.line, problem.span.column)) == (slug, place)
    assert hint in problem.hint
    assert problem.is_error


@pytest.mark.parametrize("text", [text for text, *_ in SLIPS.values()], ids=SLIPS)
def test_a_slip_is_one_in_the_pure_parser_too(text: str) -> None:
    problem, *_ = read_text(text, parser=pure_parser)[1]
    assert problem.is_error
    assert problem.hint


# What YAML takes, although it means something else: the slug, line and column, and what is written instead.
STRANGE: dict[str, tuple[str, str, tuple[int, int], str]] = {
    "curly quotes": (changed("train.py]", "\u201ctrain.py\u201d]"), "curly-quotes", (11, 25), 'Write: "train.py"'),
    "curly quotes around a key": (changed("image:", "\u201cimage\u201d:"), "curly-quotes", (10, 5), 'Write: "image"'),
    "curly quotes torn apart": (changed("train.py]", "\u201ca, b\u201d]"), "curly-quotes", (11, 25), 'Write " instead.'),
    "no-break space in front of a key": (changed("    image", "    \xa0image"), "odd-blank", (10, 5), "write an ordinary blank"),
    "no-break space at the end": (changed("numNodes: 2", "numNodes: 2\xa0"), "odd-blank", (9, 16), "write an ordinary blank"),
    "no-break space in an item": (changed("[torchrun, train.py]", "[torchrun, name:\xa0x]"), "odd-blank", (11, 30), "U+00A0"),
    "zero-width space": (changed("torchrun", "torch\u200brun"), "odd-blank", (11, 20), "U+200B (zero width space)"),
    "dots at the left": (changed(NODES, "...\n" + NODES), "ignored-text", (10, 5), "The ... before it ends the document"),
}


@pytest.mark.parametrize(("text", "slug", "place", "hint"), STRANGE.values(), ids=STRANGE)
def test_what_looks_like_something_else_is_pointed_out(text: str, slug: str, place: tuple[int, int], hint: str) -> None:
    documents, problems = read_text(text)
    assert len(documents) == 1
    (problem,) = problems
    assert (problem.slug, (problem.span.line, problem.span.column)) == (slug, place)
    assert hint in problem.hint
    assert not problem.is_error


MEANT = ["it\u2019s fine", '"\u201cquoted\u201d"', "'a\xa0'", "a\xa0b", "caf\u00e9", '"a \u200b b"', "|\n          \u201ca\u201d \xa0"]


@pytest.mark.parametrize("value", MEANT)
def test_what_is_meant_so_is_not(value: str) -> None:
    assert not read_text(changed("value: b", f"value: {value}"))[1]


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("...", "... stands for something that was left out: write it out"),
        ("\u2026", "\u2026 stands for something that was left out: write it out"),
        ("[...]", "[...] stands for something that was left out: write it out"),
        ("${TRAINER}", "${TRAINER} looks like a placeholder: compile what the tool that fills it in writes"),
        ("<trainer>", "<trainer> looks like a placeholder: compile what the tool that fills it in writes"),
        ("TODO", "TODO looks like a placeholder: compile what the tool that fills it in writes"),
    ],
)
def test_a_value_that_stands_for_another(value: str, hint: str) -> None:
    result = jc.compile_yaml(JOB[: JOB.index("  trainer:\n")] + f"  trainer:\n    {value}\n")
    assert [diagnostic.hint for diagnostic in result.diagnostics if diagnostic.is_error] == [hint]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a ${B_C} d", "${B_C}"),
        ("a-${B}${C}", "${B}"),
        ("${A B}", None),
        ("@A.b-c@/d", "@A.b-c@"),
        ("a@b.example@c", None),
        ("%A%", "%A%"),
        ("100%-50%", None),
        ("%(a)s.d", "%(a)s"),
        ("a {{ .B }} c", "{{ .B }}"),
        ("{{ a", None),
        ("<your image: here>", None),
        ("<your-image here.1>", "<your-image here.1>"),
        ("a <b>", None),
        ("a$(B)", "$(B)"),
        ("$(a b)", None),
        ("XX", None),
        ("", None),
    ],
)
def test_a_placeholder_is_found(text: str, found: str | None) -> None:
    assert find_placeholder(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("__IMAGE__", "__IMAGE__"),
        ("- <http://b/c>", "- <http://b/c>"),
        ("$A", "$A"),
        ("$A b", ""),
        ("<%= a %>", "<%= a %>"),
        ("FIXME", "FIXME"),
        ("XXX", "XXX"),
        ("CHANGEME", "CHANGEME"),
        ("REPLACE_ME", "REPLACE_ME"),
        ("TODO b", ""),
        ("a-${B}", "${B}"),
        ("a", ""),
        ("", ""),
    ],
)
def test_a_value_that_is_one_says_so(text: str, found: str) -> None:
    assert stands_for_something(text) == (f"{found} looks like a placeholder: compile what the tool that fills it in writes" if found else "")


def test_front_matter_of_a_page() -> None:
    result = jc.compile_yaml("---\ntitle: My job\ndate: 2026-01-01\n---\n" + JOB)
    assert [(d.slug, d.line, d.hint) for d in result.diagnostics if d.is_error] == [
        ("not-an-object", 2, "this looks like the front matter of a Markdown page: keep only the manifests")
    ]


def test_a_diff_that_reads_as_yaml_is_named() -> None:
    (problem,) = jc.compile_yaml("+" + JOB.rstrip().replace("\n", "\n+")).diagnostics
    assert problem.slug == "not-an-object" and "comes from a diff" in problem.hint



def test_the_words_are_the_parsers() -> None:
    (problem,) = read_text(changed("numNodes: 2", "numNodes:2"))[1]
    assert problem.message == "mapping values are not allowed in this context"


PIECES = ["{{", "${", "'", '"', "[", "}", ": ", ":", "- ", "-", "\n", "\n  ", "\t", "*", "&", "|", ">", "...", "---", "\xa0", "\u201c", "<x>", "=", "//", "#"]


@pytest.mark.parametrize("seed", range(20))
def test_any_fault_has_a_place(seed: int) -> None:
    from random import Random

    random = Random(seed)
    for _ in range(40):
        position = random.randrange(len(JOB))
        text = JOB[:position] + "".join(random.choices(PIECES, k=random.randint(1, 4))) + JOB[position + random.randint(0, 3) :]
        for problem in read_text(text)[1]:
            assert 1 <= problem.span.line <= text.count("\n") + 1
            assert (problem.span.line, problem.span.column) <= (problem.span.end_line, problem.span.end_column)
