"""What an editor offers to do: fixes, migrate, the lens with the JobSet behind it, the outline."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from lsprotocol import types

import jobset_compiler as jc
from jobset_compiler.profiles import NEWEST
from tests.lsp.conftest import JOB, RUNTIME, Editor, at

pytestmark = pytest.mark.asyncio(loop_scope="session")
PYTORCHJOB = """\
# keep me 🦊
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: old
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 3
      template:
        spec:
          containers:
          - name: pytorch
            image: registry.example.com/train:1 # und für
"""


async def offered(editor: Editor, uri: str, place: types.Range, only: list[str] | None = None) -> list[types.CodeAction]:
    context = types.CodeActionContext([], only=only)
    found = await editor.client.text_document_code_action_async(types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context))
    return [action for action in found or () if isinstance(action, types.CodeAction)]


def whole(text: str) -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))


def applied(text: str, uri: str, action: types.CodeAction) -> str:
    """As an editor does it, in UTF-16."""
    assert action.edit is not None and action.edit.changes is not None
    data = text.encode("utf-16-le")
    lines = [0, *(index + 2 for index in range(0, len(data), 2) if data[index : index + 2] == b"\n\0")]
    edits = sorted(action.edit.changes[uri], key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True)
    for edit in edits:
        start, end = (lines[place.line] + 2 * place.character for place in (edit.range.start, edit.range.end))
        data = data[:start] + edit.new_text.encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


async def test_a_fix_of_a_finding(editor: Editor) -> None:
    text = JOB.replace("numNodes", "numNode").replace("  trainer:", "  trainer: # 🦊🦊")
    uri = editor.open("fix.yaml", text)
    (fix,) = await offered(editor, uri, types.Range(at(text, "numNode"), at(text, "numNode", 3)), ["quickfix"])
    assert fix.diagnostics is not None and fix.diagnostics[0].code == "JSC103" and fix.title == "Rename numNode to numNodes"
    assert applied(text, uri, fix) == text.replace("numNode:", "numNodes:")
    assert await offered(editor, uri, types.Range(at(text, "kind"), at(text, "kind")), ["quickfix"]) == []


async def test_all_that_is_safe_at_once(editor: Editor) -> None:
    text = JOB.replace("numNodes: 4", "numNodes: '4'").replace("  trainer:", "  suspend: 'true'\n  trainer: # ü 🦊")
    uri = editor.open("all.yaml", text)
    actions = await offered(editor, uri, whole(text), ["source.fixAll"])
    assert [action.kind for action in actions] == ["source.fixAll.jobset-compiler"]
    assert applied(text, uri, actions[0]) == text.replace("'4'", "4").replace("'true'", "true")


async def test_migrate_rewrites_the_whole_text(editor: Editor) -> None:
    uri = editor.open("v1.yaml", PYTORCHJOB)
    (action,) = await offered(editor, uri, whole(PYTORCHJOB), ["source"])
    assert action.kind == "source.migrate.jobset-compiler" and NEWEST.name in action.title
    text = applied(PYTORCHJOB, uri, action)
    assert text == jc.migrate(PYTORCHJOB).text and "# keep me 🦊" in text
    editor.change(uri, 2, text)
    assert await offered(editor, uri, whole(text), ["source"]) == []


async def test_nothing_is_offered_where_nothing_is_wrong(editor: Editor) -> None:
    uri = editor.open("fine.yaml", JOB)
    assert await offered(editor, uri, whole(JOB)) == []
    assert await offered(editor, editor.uri("not-open.yaml"), whole(JOB)) == []


async def lenses(editor: Editor, uri: str) -> list[tuple[int, str, list[Any]]]:
    found = await editor.client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    return [(lens.range.start.line, lens.command.title, list(lens.command.arguments or ())) for lens in found or () if lens.command]


async def show(editor: Editor, address: str) -> Any:
    return await editor.client.workspace_execute_command_async(types.ExecuteCommandParams("jobset-compiler.showObjects", [address]))


async def test_the_lens_leads_to_the_jobset(editor: Editor) -> None:
    text = f"# 🦊\n---\n{JOB}---\n{JOB}---\n{JOB.replace('torch-distributed', 'nope')}"
    uri = editor.open("lens ü.yaml", text)
    first, second, refused = await lenses(editor, uri)
    assert (first[0], first[1]) == (2, "4 pods, 32 GPUs: show JobSet") and first[2] != second[2]
    assert (refused[1], refused[2]) == ("refused: no JobSet", [])
    shown = await show(editor, first[2][0])
    assert shown["text"].startswith(f"# What Kubeflow Trainer {NEWEST.trainer} submits for TrainJob train in lens ü.yaml.")
    (jobset,) = yaml.safe_load_all(shown["text"])
    assert jobset == jc.compile_yaml(JOB).objects[0]
    content = await editor.client.workspace_text_document_content_async(types.TextDocumentContentParams(first[2][0]))
    assert content.text == shown["text"]
    content = await editor.client.protocol.send_request_async("jobset-compiler/text", {"uri": first[2][0]})  # type: ignore[no-untyped-call]
    assert content.text == shown["text"]
    editor.change(uri, 2, text.replace("numNodes: 4", "numNodes: 5", 1))
    assert "parallelism: 5" in (await show(editor, first[2][0]))["text"]
    editor.change(uri, 3, text.replace("numNodes: 4", "numNodes: x", 1))
    assert "submits nothing" in (await show(editor, first[2][0]))["text"]
    editor.change(uri, 4, "a: 1\n")
    assert "no such TrainJob" in (await show(editor, first[2][0]))["text"]
    editor.close(uri)
    assert "not open" in (await show(editor, first[2][0]))["text"]


async def test_the_lens_of_a_trainjob_whose_runtime_is_refused(editor: Editor) -> None:
    runtime = RUNTIME.replace("name: ours", "name: bad").replace("numNodes: 2", "numNodes: two")
    uri = editor.open("refused.yaml", f"{JOB.replace('torch-distributed', 'bad')}---\n{runtime}")
    assert [title for _, title, _ in await lenses(editor, uri)] == ["no JobSet: its runtime is refused"]


async def test_secrets_are_hidden_behind_the_lens(editor: Editor) -> None:
    text = JOB + "    env:\n    - {name: HF_TOKEN, value: hf_abc123}\n"
    uri = editor.open("secret.yaml", text)
    ((_, _, (address,)),) = await lenses(editor, uri)
    shown = (await show(editor, address))["text"]
    assert "HF_TOKEN" in shown and "hf_abc123" not in shown
    text = JOB.replace("torch-distributed", "deepspeed-distributed").replace("        nvidia.com/gpu: 8\n", "        cpu: 1\n")
    uri = editor.open("mpi.yaml", text)
    ((_, _, (address,)),) = await lenses(editor, uri)
    assert "kind: Secret" in (await show(editor, address))["text"]


def tree(symbols: Any) -> dict[str, Any]:
    return {symbol.name: tree(symbol.children or ()) for symbol in symbols}


async def test_the_outline(editor: Editor) -> None:
    text = f"# ü\n{RUNTIME}---\na: {{b: c}}\n---\n{JOB}"
    uri = editor.open("outline.yaml", text)
    found = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(types.TextDocumentIdentifier(uri)))
    symbols = [symbol for symbol in found or () if isinstance(symbol, types.DocumentSymbol)]
    assert [(symbol.name, symbol.detail) for symbol in symbols] == [("ours", "ClusterTrainingRuntime"), ("train", "TrainJob")]
    jobs = tree(symbols)["ours"]["spec"]["template"]["spec"]["replicatedJobs"]
    assert [*jobs] == ["dataset-initializer", "node"]
    assert [*jobs["node"]["template"]["spec"]["template"]["spec"]["containers"]] == ["node"]
    for symbol in symbols:
        assert within(symbol)


def within(symbol: types.DocumentSymbol) -> bool:
    """The protocol asks that what is marked lies in the whole."""
    inner = contains(symbol.range, symbol.selection_range)
    return inner and all(contains(symbol.range, child.range) and within(child) for child in symbol.children or ())


def contains(outer: types.Range, inner: types.Range) -> bool:
    def key(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return key(outer.start) <= key(inner.start) and key(inner.end) <= key(outer.end)
