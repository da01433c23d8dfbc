"""A diagnostic by itself: what it says of itself, what others are made of it, and when two are the same."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.diagnostics.addresses import Keyed, keyed, leaves, parse, resolve, text
from jobset_compiler.diagnostics.codes.code import ERROR, INFO, WARNING, Code, Severity
from jobset_compiler.diagnostics.diagnostic import Diagnostic, Note, counted
from jobset_compiler.diagnostics.fix import replace
from jobset_compiler.diagnostics.inert import code, json_text, lines, markdown, one_line, well_formed
from jobset_compiler.diagnostics.place import Key, Span, format_path, value_at
from jobset_compiler.diagnostics.report import Policy, Summary, by_place, counted_as
from jobset_compiler.diagnostics.settled import settle
from jobset_compiler.diagnostics.statistics import StatisticsText
from jobset_compiler.source.document import Document
from jobset_compiler.source.reader import read_text

RULE = Code("JSC123", "a-code", WARNING, "Title.", "Text.")
ASKED = Code("JSC124", "b-code", INFO, "Title.", "Text.", asked=True)
HERE, THERE = (read_text("a: 1\nb: {c: 'x'}\n", file)[0][0] for file in ("here.yaml", "there.yaml"))
WHOLE: dict[str, Any] = {
    "document": HERE,
    "at": ("b", "c"),
    "path": "spec.b",
    "hint": "hint",
    "stage": "schema",
    "notes": (Note("note", THERE, ("a",)),),
    "subject": ("TrainJob", "ns", "name"),
    "remedies": (replace(("b", "c"), "y", safe=True),),
}


def whole(**changes: Any) -> Diagnostic:
    return Diagnostic(RULE, "message", **{**WHOLE, **changes})


def told(found: Diagnostic) -> dict[str, Any]:
    names = ("code", "slug", "severity", "message", "path", "hint", "stage", "object_kind", "namespace", "name", "notes", "remedies", "at", "on_key")
    return {name: getattr(found, name) for name in names} | {"span": str(found.span), "document": found.document}


def test_what_it_says_of_itself() -> None:
    found = whole()
    assert told(found) == {
        "code": "JSC123",
        "slug": "a-code",
        "severity": WARNING,
        "message": "message",
        "path": "spec.b",
        "hint": "hint",
        "stage": "schema",
        "object_kind": "TrainJob",
        "namespace": "ns",
        "name": "name",
        "notes": WHOLE["notes"],
        "remedies": WHOLE["remedies"],
        "at": ("b", "c"),
        "on_key": False,
        "span": "here.yaml:2:8",
        "document": HERE,
    }
    assert (found.file, found.line, found.column) == ("here.yaml", 2, 8)
    assert str(found) == "here.yaml:2:8: warning JSC123: spec.b: message" and repr(found) == f"<Diagnostic {found}>"
    assert str(whole(path="")) == "here.yaml:2:8: warning JSC123: message"
    assert str(whole(on_key=True).span) == "here.yaml:2:5"
    assert str(Diagnostic(RULE, "m")) == ": warning JSC123: m" and Diagnostic(RULE, "m").fixes == ()
    assert [fix.title for fix in found.fixes] == ["write y"] and whole(document=None).fixes == ()


@pytest.mark.parametrize(
    ("severity", "stage", "error", "prevents"),
    [(ERROR, "schema", True, True), (ERROR, "children", True, False), (WARNING, "schema", False, False), (INFO, "children", False, False)],
)
def test_what_stands_in_the_way(severity: Severity, stage: Any, error: bool, prevents: bool) -> None:
    found = whole(severity=severity, stage=stage)
    assert (found.is_error, found.prevents_objects) == (error, prevents)


@pytest.mark.parametrize("span", [None, Span("x", 1, 1, 1, 2)])
def test_others_that_are_made_of_it(span: Span | None) -> None:
    found = whole(span=span, on_key=True)
    before = told(found)
    assert told(found.with_severity(ERROR)) == {**before, "severity": ERROR}
    assert told(found.with_hint("h")) == {**before, "hint": "h"}
    more = (Note("more", None, ()),)
    assert told(found.with_notes(more)) == {**before, "notes": (*WHOLE["notes"], *more)}
    assert told(found) == before, "it stays what it was"


def test_the_same_finding_about_another_document() -> None:
    third = read_text("a: 1\n", "third.yaml")[0][0]
    notes = (Note("mine", HERE, ("a",)), Note("other", third, ("a",)))
    moved = whole(notes=notes).moved(HERE, THERE)
    assert moved.document is THERE and [(note.message, note.document, note.at) for note in moved.notes] == [("mine", THERE, ("a",)), ("other", third, ("a",))]
    assert whole(document=third, notes=notes).moved(HERE, THERE).document is third


def test_the_same_finding_seen_from_elsewhere() -> None:
    found = whole(on_key=True, span=Span("x", 1, 1, 1, 2), notes=(Note("a", THERE, ("a",)), Note("b", None, ()))).seen_from(THERE, ("a", 0))
    assert (found.document, found.at, found.path, found.on_key, found.remedies, found.file) == (THERE, ("a", 0), "a[0]", False, (), "there.yaml")
    assert [(note.message, note.document, note.at) for note in found.notes] == [("it stands here", HERE, ("b", "c")), ("b", None, ())]


@pytest.mark.parametrize(
    "changes",
    [
        {"document": THERE},
        {"at": ("a",)},
        {"path": "x"},
        {"hint": "x"},
        {"stage": "decode"},
        {"notes": ()},
        {"notes": (Note("note", HERE, ("a",)),)},
        {"subject": ("TrainJob", "ns", "other")},
        {"severity": ERROR},
        {"span": Span("here.yaml", 2, 8, 2, 12)},
    ],
)
def test_what_makes_two_of_them_different(changes: dict[str, Any]) -> None:
    assert whole() == whole() and hash(whole()) == hash(whole()) and whole() == whole(remedies=())
    assert whole() != whole(**changes)
    assert whole() != Diagnostic(RULE, "other", **WHOLE) and whole() != "message"


# What the policy makes of it, and in what order


@pytest.mark.parametrize(
    ("policy", "rule", "severity"),
    [
        (Policy(), RULE, WARNING),
        (Policy(), ASKED, None),
        (Policy(verbose=True), ASKED, INFO),
        (Policy(warn_on=frozenset({"JSC124"})), ASKED, WARNING),
        (Policy(warn_on=frozenset({"JSC123"}), error_on=frozenset({"a-code"})), RULE, ERROR),
        (Policy(ignore=frozenset({"a-code"}), error_on=frozenset({"a-code"})), RULE, None),
        (Policy(warn_on=frozenset({"JSC999"}), error_on=frozenset({"JSC999"}), ignore=frozenset({"JSC999"})), RULE, WARNING),
    ],
)
def test_what_the_policy_makes_of_it(policy: Policy, rule: Code, severity: str | None) -> None:
    judged = policy.judge(Diagnostic(rule, "m"))
    assert (None if judged is None else judged.severity) == severity


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("a: 1 # jobset-compiler: ignore JSC123\n", True),
        ("a: 1 # jobset-compiler: ignore a-code, JSC9\n", True),
        ("# jobset-compiler: ignore JSC9 JSC123 # why\na: 1\n", True),
        ("  # jobset-compiler: ignore JSC123\na: 1\n", True),
        ("a: 1 # jobset-compiler: ignore JSC9 # JSC123\n", False),
        ("b: 1 # jobset-compiler: ignore JSC123\na: 1\n", False),
        ("# jobset-compiler: ignore JSC123\n\na: 1\n", False),
        ("a: 1\n# jobset-compiler: ignore JSC123\n", False),
        ("a: 1 # jobset-compiler: JSC123\n", False),
    ],
)
def test_comments_that_silence(text: str, silent: bool) -> None:
    found = Diagnostic(RULE, "m", document=read_text(text)[0][0], at=("a",))
    assert (Policy().judge(found) is None) is silent
    error = found.with_severity(ERROR)
    assert Policy(errors_stand=True).judge(error) is error


@pytest.mark.parametrize(("least", "told_of"), [("info", "error warning info"), ("warning", "error warning"), ("error", "error")])
def test_the_least_that_is_told_of(least: str, told_of: str) -> None:
    assert [severity for severity in ("error", "warning", "info") if Policy(least=least).tells(severity)] == told_of.split()


def test_by_place_then_code_and_each_once() -> None:
    def at(file: str, line: int, column: int, message: str = "m", rule: Code = RULE, path: str = "") -> Diagnostic:
        return Diagnostic(rule, message, span=Span(file, line, column, line, column), path=path)

    found = [at("b", 1, 1), at("a", 2, 1), at("a", 1, 2), at("a", 1, 1, rule=ASKED), at("a", 1, 1), at("a", 1, 1, "other")]
    found += [at("a", 1, 1), at("a", 1, 1, path="p")]
    assert [(each.file, each.line, each.column, each.code, each.message, each.path) for each in by_place(found)] == [
        ("a", 1, 1, "JSC123", "m", ""),
        ("a", 1, 1, "JSC123", "other", ""),
        ("a", 1, 1, "JSC123", "m", "p"),
        ("a", 1, 1, "JSC124", "m", ""),
        ("a", 1, 2, "JSC123", "m", ""),
        ("a", 2, 1, "JSC123", "m", ""),
        ("b", 1, 1, "JSC123", "m", ""),
    ]


def test_numbers_with_their_nouns() -> None:
    assert [counted(number, "pod") for number in range(3)] == ["0 pods", "1 pod", "2 pods"]
    assert [counted_as(number, "pod") for number in range(3)] == ["", "1 pod", "2 pods"]


# As it is settled


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({}, "spec.b", "message"),
        ({"path": ""}, "b.c", "message"),
        ({"path": "", "at": ()}, "", "message"),
        ({"stage": "jobset", "path": "spec.x"}, "b.c", "spec.x: message"),
        ({"stage": "jobset", "path": "b.c"}, "b.c", "message"),
        ({"stage": "jobset", "path": "<nil>"}, "b.c", "message"),
        ({"stage": "jobset", "path": "mess"}, "b.c", "message"),
        ({"stage": "jobset", "path": ""}, "b.c", "message"),
        ({"stage": "jobset", "path": "spec.x", "at": ()}, "spec.x", "message"),
    ],
)
def test_paths_of_what_nobody_has_written_stand_in_the_message(changes: dict[str, Any], path: str, message: str) -> None:
    found = settle(whole(**changes))
    assert (found.path, found.message) == (path, message)


def test_what_is_secret_is_hidden_and_cannot_be_mended_from_there() -> None:
    secret = read_text("- name: API_TOKEN\n  value: 'abc'\n")[0][0]
    remedies = (replace((0, "value"), "y", safe=True),)
    found = settle(Diagnostic(RULE, "abc is wrong", hint="not abc", document=secret, at=(0, "value"), remedies=remedies))
    assert (found.message, found.hint, found.source, found.fixes) == ("(hidden) is wrong", "not (hidden)", "  value: *****", ())
    assert settle(whole()).fixes != () and settle(whole()).source == "b: {c: 'x'}"


def test_tabs_of_an_excerpt_are_blanks() -> None:
    document = Document.from_object({}, "x", 0)
    found = settle(Diagnostic(RULE, "m", document=document))._replace(source="a:\tb\tc", line=1, column=4, end_line=1, end_column=5)
    assert found.excerpt == ("a: ", "b", " c")
    assert found._replace(end_line=2, end_column=1).excerpt == ("a: ", "b c", "")
    assert found._replace(end_column=4).excerpt == ("a: ", "b", " c")


def test_statistics_line_up() -> None:
    parts: list[str] = []
    writer = StatisticsText(parts.append)
    for rule, times in ((ASKED, 10), (RULE, 2), (Code("JSC200", "another-code", ERROR, "", ""), 2)):
        for _ in range(times):
            writer.add(Diagnostic(rule, "m"))
    writer.finish(Summary(2, 2, 10))
    assert "".join(parts) == (
        "10  info     JSC124  b-code\n 2  warning  JSC123  a-code\n 2  error    JSC200  another-code\n"
        "no TrainJobs or runtimes: 2 errors, 2 warnings\n"
    )


# Paths and addresses


@pytest.mark.parametrize(
    ("path", "shown"),
    [((), "<nil>"), (("a",), "a"), (("a", 0, "b"), "a[0].b"), ((0, "a"), "[0].a"), (("limits", Key("x/y"), "z"), "limits[x/y].z"), (("a", ""), "a.")],
)
def test_paths_as_the_server_prints_them(path: tuple[Any, ...], shown: str) -> None:
    assert format_path(path) == shown


def test_a_value_at_a_path() -> None:
    tree = {"a": [{"b": 1}]}
    assert value_at(tree, ("a", 0, "b")) == 1 and value_at(tree, ()) is tree
    assert [value_at(tree, path) for path in (("x",), ("a", 1), ("a", "b"), ("a", 0, "b", "c"))] == [None] * 4


def test_a_span_without_a_line_is_its_file() -> None:
    assert str(Span("a", 2, 3, 2, 4)) == "a:2:3" and str(Span("a", 0, 0, 0, 0)) == "a"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("spec.", "'spec.' ends with a dot"),
        ("spec..x", "empty step in 'spec..x'"),
        (".spec", "empty step in '.spec'"),
        ("spec[0", "no closing bracket in 'spec[0'"),
        ('spec["a]', "no closing bracket in 'spec[\"a]'"),
    ],
)
def test_what_is_wrong_with_an_address(address: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse(address)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("address", "steps"),
    [
        ("a[0].b", ("a", 0, "b")),
        ("a[0][1]", ("a", 0, 1)),
        ("a[k=v].b", ("a", Keyed("k", "v"), "b")),
        ("a[k=v=w]", ("a", Keyed("k", "v=w"))),
        ("a[k=]", ("a", Keyed("k", ""))),
        ("a[x/y=z]", ("a", "x/y=z")),
        ("a[b.c/d]", ("a", "b.c/d")),
        ('a["b]"]', ("a", "b]")),
        ('a["0"]', ("a", "0")),
        ("[0]", (0,)),
    ],
)
def test_steps_of_an_address(address: str, steps: tuple[Any, ...]) -> None:
    assert parse(address) == steps


def test_which_step_is_not_there() -> None:
    tree = {"a": [{"name": "x"}, 3, {"name": 4}]}
    for steps, message in (
        (("a", Keyed("name", "y")), "no item with name=y"),
        (("a", 3), "no 3"),
        (("b",), "no b"),
        (("a", "b"), "no b"),
        ((0,), "no 0"),
        ((Keyed("name", "x"),), "no Keyed(field='name', value='x')"),
    ):
        with pytest.raises(KeyError) as caught:
            resolve(tree, steps)
        assert caught.value.args == (message,)
    assert resolve(tree, ("a", Keyed("name", "4"), "name")) == ("a", 2, "name")


def test_items_by_the_first_key_that_tells_them_apart() -> None:
    tree = [{"name": "a", "key": "k"}, {"name": "a", "mountPath": "/m"}, {"name": ["a"], "containerPort": 80}, {"key": "k", "uid": "u"}, 3, {"x": 1}]
    found = [keyed(tree, (index,))[0] for index in range(len(tree))]
    assert found == [0, Keyed("mountPath", "/m"), Keyed("containerPort", "80"), Keyed("uid", "u"), 4, 5]


@pytest.mark.parametrize(
    ("steps", "shown"),
    [((), ""), (("a", "b"), "a.b"), (("a", 0, Keyed("k", "v"), "b"), "a[0][k=v].b"), (("a.b",), '["a.b"]'), (("a_b-c$",), "a_b-c$"), (("a", "ü"), "a.ü")],
)
def test_addresses_of_steps(steps: tuple[Any, ...], shown: str) -> None:
    assert text(steps) == shown


def test_leaves_of_a_tree() -> None:
    assert leaves({"a": [1, {}, []], "b": {"c": None}}) == [("a", 0), ("a", 1), ("a", 2), ("b", "c")]
    assert leaves({}) == leaves(1) == leaves([]) == [()]


# Text that is only text


@pytest.mark.parametrize(
    ("given", "shown"),
    [("a b", "a b"), ("a\nb", "a\\nb"), ("a\tb", "a\\tb"), ("\x1b", "\\x1b"), ("\u202e", "\\u202e"), ("\udcff", "\\udcff"), ("ü🦊", "ü🦊")],
)
def test_one_line(given: str, shown: str) -> None:
    assert one_line(given) == shown


def test_lines_and_tabs_stay() -> None:
    assert lines("a\tb\n\x1bc\r\n") == "a\tb\n\\x1bc\\r\n" and lines("a") == "a"


@pytest.mark.parametrize(("given", "shown"), [("a", "a"), ("\udcff", "\\udcff"), ("\ud83e", "\\ud83e"), ("ü", "ü")])
def test_text_with_halves_of_characters(given: str, shown: str) -> None:
    assert well_formed(given) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"a": "ü"}, '{"a": "ü"}'),
        ("\u202e", '"\\u202e"'),
        ("\U000e0001", '"\\udb40\\udc01"'),
        ("\ud800", '"\\\\ud800"'),
        ("##[x]", '"\\u0023#[x]"'),
        ("## x", '"## x"'),
    ],
)
def test_json_that_is_safe_to_print(value: Any, shown: str) -> None:
    assert json_text(value) == shown


def test_json_with_line_breaks() -> None:
    assert json_text({"a": ["\x7f"]}, 2) == '{\n  "a": [\n    "\\u007f"\n  ]\n}'


@pytest.mark.parametrize(
    ("given", "shown"),
    [("a", "`a`"), ("", "` `"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("a``b`c", "``` a``b`c ```"), ("a\nb", "`a\\nb`")],
)
def test_code_spans(given: str, shown: str) -> None:
    assert code(given) == shown


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a_b c", "a_b c"),
        ("_a_", "&#95;a&#95;"),
        ("<b>&amp;", "&#60;b&#62;&#38;&#8203;amp;"),
        ("*a* [b](c) | ~ \\ `d`", "&#42;a&#42; &#91;b&#93;(c) &#124; &#126; &#92; &#96;d&#96;"),
        ("@me #1 $x !y", "@&#8203;me &#35;&#8203;1 &#36;&#8203;x !&#8203;y"),
        ("http://a www.b.c mailto:x GH-1 gh-2", "http:&#8203;//a www&#8203;.b.c mailto:&#8203;x GH-&#8203;1 gh-&#8203;2"),
        ("- a", "&#45; a"),
        ("  + a", "  &#43; a"),
        ("= a - b", "&#61; a - b"),
        ("12. a", "12&#46; a"),
        ("1) a 2) b", "1&#41; a 2) b"),
    ],
)
def test_text_in_markdown(given: str, shown: str) -> None:
    assert markdown(given) == shown
