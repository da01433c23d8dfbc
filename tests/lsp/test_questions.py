"""Every request of an editor, asked of a server in this process: what an answer consists of, and what there is none to."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types

import jobset_compiler as jc
from jobset_compiler.lsp.positions import Lines
from jobset_compiler.lsp.questions import CONTENT_REQUESTS, FIX_ALL, MIGRATE, SHOW_COMMAND
from jobset_compiler.lsp.server import make_server
from jobset_compiler.lsp.setup import Setup
from jobset_compiler.lsp.told import told
from tests.lsp.conftest import JOB, RUNTIME, at

URI, OTHER = "file:///there/a.yaml", "file:///there/b.yaml"
TEXT = types.TextDocumentIdentifier(URI)
NOT_OPEN = types.TextDocumentIdentifier("file:///there/closed.yaml")
WRONG = JOB.replace("numNodes: 4", "numNodes: '4'").replace("  trainer:", "  suspended: true\n  trainer:")
OLD = JOB.replace("  trainer:", "  labels: {a: b}\n  trainer:")
START = types.Range(types.Position(0, 0), types.Position(0, 0))


def asked(what: str, params: Any, **texts: str) -> Any:
    """The answer; `here` is the text of URI, `there` that of OTHER."""

    async def run() -> Any:
        server = make_server(lambda _: Setup(), delay=0)
        await server.session.look_around()
        for name, text in texts.items():
            server.session.put(URI if name == "here" else OTHER, 1, text)
        features = server.protocol.fm
        return await (features.commands.get(what) or features.features[what])(params)

    return asyncio.run(run())


def everywhere(text: str) -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))


def test_hover_marks_the_key_it_is_about() -> None:
    found = asked(types.TEXT_DOCUMENT_HOVER, types.HoverParams(TEXT, at(JOB, "numNodes", 2)), here=JOB)
    assert found.contents.kind == types.MarkupKind.Markdown and found.contents.value.startswith("`spec.trainer.numNodes` integer")
    assert found.range.start == at(JOB, "numNodes")
    assert asked(types.TEXT_DOCUMENT_HOVER, types.HoverParams(TEXT, types.Position(99, 0)), here=JOB) is None
    assert asked(types.TEXT_DOCUMENT_HOVER, types.HoverParams(NOT_OPEN, at(JOB, "numNodes")), here=JOB) is None


def test_proposals_come_in_our_order_and_take_the_place_of_what_is_written() -> None:
    text = JOB.replace("torch-distributed", "o")
    found = asked(types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(TEXT, at(text, "name: o", 7)), here=text, there=RUNTIME)
    assert found.is_incomplete is False
    assert [item.sort_text for item in found.items] == [f"{number:04}" for number in range(len(found.items))]
    ours = next(item for item in found.items if item.label == "ours")
    assert (ours.kind, ours.filter_text, ours.text_edit.new_text) == (types.CompletionItemKind.Reference, "ours", "ours")
    assert ours.text_edit.range == types.Range(at(text, "name: o", 6), at(text, "name: o", 7))
    assert ours.documentation is None and all(item.detail != "" for item in found.items)


@pytest.mark.parametrize(
    ("line", "kind"),
    [("  suspend: ", types.CompletionItemKind.EnumMember), ("  ", types.CompletionItemKind.Property)],
)
def test_the_kinds_of_proposals(line: str, kind: types.CompletionItemKind) -> None:
    text = f"{JOB}{line}"
    found = asked(types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(TEXT, types.Position(text.count("\n"), len(line))), here=text)
    assert found.items and {item.kind for item in found.items} == {kind}


def test_nothing_is_proposed_for_a_text_that_is_not_open() -> None:
    for document, place in ((NOT_OPEN, at(JOB, "name: torch", 6)), (TEXT, at(JOB, "nvidia.com/gpu: 8", 16))):
        found = asked(types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(document, place), here=JOB)
        assert (found.is_incomplete, found.items) == (False, [])


def test_names_lead_into_another_text_and_back() -> None:
    job = JOB.replace("torch-distributed", "ours")
    (found,) = asked(types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(TEXT, at(job, "name: ours", 7)), here=job, there=RUNTIME)
    assert (found.uri, found.range.start) == (OTHER, at(RUNTIME, "ours"))
    uses = {}
    for declaration in (True, False):
        params = types.ReferenceParams(types.ReferenceContext(declaration), types.TextDocumentIdentifier(OTHER), at(RUNTIME, "name: ours", 7))
        uses[declaration] = [place.uri for place in asked(types.TEXT_DOCUMENT_REFERENCES, params, here=job, there=RUNTIME)]
    assert uses == {True: [OTHER, URI], False: [URI]}
    for document, place in ((TEXT, at(job, "numNodes")), (NOT_OPEN, at(job, "name: ours", 7))):
        assert asked(types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(document, place), here=job) == []
        assert asked(types.TEXT_DOCUMENT_REFERENCES, types.ReferenceParams(types.ReferenceContext(True), document, place), here=job) == []


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, {"quickfix", FIX_ALL}),
        ([""], {"quickfix", FIX_ALL}),
        (["quickfix"], {"quickfix"}),
        ([types.CodeActionKind.QuickFix], {"quickfix"}),
        (["source"], {FIX_ALL}),
        (["source.fixAll"], {FIX_ALL}),
        ([FIX_ALL], {FIX_ALL}),
        (["source.fix"], set()),
        ([f"{FIX_ALL}.more"], set()),
        (["refactor", "quickfix"], {"quickfix"}),
        ([], set()),
    ],
)
def test_actions_of_the_kinds_that_are_asked_for(only: list[Any] | None, kinds: set[str]) -> None:
    found = asked(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionParams(TEXT, everywhere(WRONG), types.CodeActionContext([], only)), here=WRONG)
    assert {action.kind for action in found} == kinds


def test_what_an_action_says() -> None:
    whole = types.CodeActionParams(TEXT, everywhere(WRONG), types.CodeActionContext([], None))
    found = {action.title: action for action in asked(types.TEXT_DOCUMENT_CODE_ACTION, whole, here=WRONG)}
    unsafe, safe = found["Rename suspended to suspend"], found["Write 4 without quotes"]
    assert (unsafe.is_preferred, safe.is_preferred) == (True, True)
    assert [diagnostic.range.start for diagnostic in safe.diagnostics] == [at(WRONG, "numNodes: ", 10)]
    assert [edit.new_text for edit in found["Fix all that is safe to fix"].edit.changes[URI]] == ["suspend", "4"]
    elsewhere = types.CodeActionParams(TEXT, START, types.CodeActionContext([], None))
    assert [action.title for action in asked(types.TEXT_DOCUMENT_CODE_ACTION, elsewhere, here=WRONG)] == ["Fix all that is safe to fix"]
    assert asked(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionParams(NOT_OPEN, START, types.CodeActionContext([], None)), here=WRONG) == []


def test_migrate_is_offered_with_the_release_and_the_whole_text() -> None:
    text = OLD.replace("  trainer:", "  podSpecOverrides:\n  - targetJobs: [{name: node}]\n    nodeSelector: {a: b}\n  trainer:")
    found = asked(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionParams(TEXT, START, types.CodeActionContext([], ["source.migrate"])), here=text)
    assert [(action.title, action.kind) for action in found] == [(f"Rewrite for Kubeflow Trainer {Setup().options.profile.name} (migrate)", MIGRATE)]
    (edit,) = found[0].edit.changes[URI]
    assert (edit.range, edit.new_text) == (everywhere(text), jc.migrate(text).text)


def test_the_lens_and_both_ways_to_its_text() -> None:
    (lens, refused) = asked(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(TEXT), here=f"{JOB}---\n{JOB.replace('torch-distributed', 'nope')}")
    assert (lens.command.title, lens.command.command) == ("4 pods, 32 GPUs: show JobSet", SHOW_COMMAND)
    assert (refused.command.title, refused.command.command, refused.command.arguments) == ("refused: no JobSet", "", None)
    assert lens.range == types.Range(types.Position(0, 0), types.Position(0, 0)) and refused.range.start.line == JOB.count("\n") + 1
    (address,) = lens.command.arguments
    shown = asked(SHOW_COMMAND, address, here=JOB)
    assert {key: shown[key] for key in ("uri", "languageId")} == {"uri": address, "languageId": "yaml"}
    assert shown["text"].startswith("# What Kubeflow Trainer ") and "\nkind: JobSet\n" in shown["text"]
    params = types.TextDocumentContentParams(address)
    assert [asked(method, params, here=JOB) for method in CONTENT_REQUESTS] == [{"text": shown["text"]}] * 2
    assert asked(SHOW_COMMAND, address, there=JOB)["text"] == "# The file of this TrainJob is not open.\n"
    assert asked(SHOW_COMMAND, address, here=RUNTIME)["text"] == "# /there/a.yaml has no such TrainJob any more.\n"
    assert asked(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(NOT_OPEN), here=JOB) == []
    assert asked(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(NOT_OPEN), here=JOB) == []


def test_second_places_are_told_where_they_have_an_address() -> None:
    text = JOB.replace("  trainer:", "  trainer:\n    env:\n    - {name: PET_NNODES, value: a}\n    - {name: PET_NODE_RANK, value: b}")
    (reserved,) = [found for found in jc.compile_yaml(text).diagnostics if found.slug == "torch-reserved-env"]
    said = told(reserved, Lines(text, types.PositionEncodingKind.Utf16), lambda _: URI)
    assert said.related_information is not None
    assert [(each.location.uri, each.location.range.start.line) for each in said.related_information] == [(URI, at(text, "PET_NODE_RANK").line)]
    assert told(reserved, Lines(text, types.PositionEncodingKind.Utf16), lambda _: "").related_information is None
    assert said.message == f"{reserved.message}\n{reserved.hint}" and said.source == "jobset-compiler"
