"""The requests of an editor, each answered by the module that knows: places are counted as the protocol counts them here, and nowhere below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from jobset_compiler.diagnostics.inert import one_line
from jobset_compiler.lsp import actions, completion, marks, rendered
from jobset_compiler.lsp.cursor import cursor_at
from jobset_compiler.lsp.hover import hover
from jobset_compiler.lsp.outline import outline
from jobset_compiler.lsp.positions import Lines
from jobset_compiler.lsp.told import told

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pygls.lsp.server import LanguageServer

    from jobset_compiler.diagnostics.place import Edit, Span
    from jobset_compiler.lsp.analysis import Analysis
    from jobset_compiler.lsp.marks import Mark
    from jobset_compiler.lsp.session import Session
    from jobset_compiler.source.document import Document

SHOW_COMMAND = "jobset-compiler.showObjects"
# Of protocol 3.18, and the same for clients that speak an earlier one.
CONTENT_REQUESTS = (types.WORKSPACE_TEXT_DOCUMENT_CONTENT, "jobset-compiler/text")
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.jobset-compiler"
MIGRATE = "source.migrate.jobset-compiler"
ITEM_KINDS = {
    completion.FIELD: types.CompletionItemKind.Property,
    completion.VALUE: types.CompletionItemKind.EnumMember,
    completion.NAME: types.CompletionItemKind.Reference,
}


def answer_questions(server: LanguageServer, session: Session) -> None:
    """Registers all of them."""
    _about_places(server, session)
    _about_names(server, session)
    _about_texts(server, session)
    _about_objects(server, session)


def _about_places(server: LanguageServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovering(params: types.HoverParams) -> types.Hover | None:
        analysis = await session.analysis(params.text_document.uri)
        buffer = session.buffers.get(params.text_document.uri)
        if analysis is None or buffer is None:
            return None
        found = hover(analysis, analysis.lines.offset(params.position), session.around(buffer))
        if found is None:
            return None
        text, start, end = found
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), analysis.lines.range(start, end))

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[":", " "]))
    async def completing(params: types.CompletionParams) -> types.CompletionList:
        await session.looked()
        buffer = session.buffers.get(params.text_document.uri)
        if buffer is None:
            return types.CompletionList(False, [])
        lines = Lines(buffer.text, session.encoding)
        options = session.setup_of(buffer.file).options
        found = completion.complete(buffer.text, lines.offset(params.position), session.documents(buffer), options)
        if found is None:
            return types.CompletionList(False, [])
        place = lines.range(found.start, found.end)
        items = [
            types.CompletionItem(
                one_line(item.label),
                kind=ITEM_KINDS[item.kind],
                detail=one_line(item.detail) or None,
                documentation=item.documentation or None,
                sort_text=f"{number:04}",
                filter_text=item.label,
                text_edit=types.TextEdit(place, item.text),
            )
            for number, item in enumerate(found.items)
        ]
        return types.CompletionList(False, items)


def _about_names(server: LanguageServer, session: Session) -> None:
    def location(mark: Mark) -> types.Location | None:
        uri, document = session.uri_of(mark.document.file), mark.document
        if not uri:
            return None
        return types.Location(uri, _range_in(session, uri, document.locate(mark.path)))

    def locations(found: Iterable[Mark]) -> list[types.Location]:
        return [place for mark in found if (place := location(mark)) is not None]

    async def mark_at(uri: str, position: types.Position) -> tuple[Mark | None, list[Document]]:
        analysis = await session.analysis(uri)
        buffer = session.buffers.get(uri)
        if analysis is None or buffer is None:
            return None, []
        cursor = cursor_at(analysis.documents, analysis.lines, analysis.lines.offset(position))
        return (None if cursor is None else marks.mark_at(cursor.document, cursor.path)), session.documents(buffer)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        mark, documents = await mark_at(params.text_document.uri, params.position)
        if mark is None:
            return []
        return locations(marks.definitions(mark, documents, session.setup_of(mark.document.file).options))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        mark, documents = await mark_at(params.text_document.uri, params.position)
        return [] if mark is None else locations(marks.references(mark, documents, declaration=params.context.include_declaration))


def _range_in(session: Session, uri: str, span: Span) -> types.Range:
    """A place in a file that may be open or not."""
    buffer = session.buffers.get(uri)
    text = buffer.text if buffer is not None else session.text_of(uri)
    return Lines(text, session.encoding).range_of(span)


def _about_texts(server: LanguageServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        analysis = await session.analysis(params.text_document.uri)
        return [] if analysis is None else outline(analysis.documents, analysis.lines)

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL, MIGRATE]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    async def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        analysis = await session.analysis(uri)
        buffer = session.buffers.get(uri)
        if analysis is None or buffer is None:
            return []
        wanted = params.context.only
        found: list[types.CodeAction] = []
        if _is_wanted(types.CodeActionKind.QuickFix.value, wanted):
            found += _quick_fixes(analysis, uri, params.range, session)
        if _is_wanted(FIX_ALL, wanted):
            edits = actions.all_safe(analysis)
            if edits:
                found.append(types.CodeAction("Fix all that is safe to fix", FIX_ALL, edit=_edit(analysis, uri, edits)))
        if _is_wanted(MIGRATE, wanted):
            text = session.migrated(buffer, analysis)
            if text is not None:
                title = f"Rewrite for Kubeflow Trainer {analysis.setup.options.profile.name} (migrate)"
                found.append(types.CodeAction(title, MIGRATE, edit=types.WorkspaceEdit({uri: [types.TextEdit(analysis.lines.whole, text)]})))
        return found


def _is_wanted(kind: str, only: Iterable[Any] | None) -> bool:
    """Whether a client that asks for some kinds of actions gets this one."""
    return only is None or any(kind == (name := getattr(each, "value", each)) or name == "" or kind.startswith(f"{name}.") for each in only)


def _quick_fixes(analysis: Analysis, uri: str, place: types.Range, session: Session) -> list[types.CodeAction]:
    start, end = analysis.lines.offset(place.start), analysis.lines.offset(place.end)
    return [
        types.CodeAction(
            _sentence(one_line(repair.fix.title)),
            types.CodeActionKind.QuickFix,
            diagnostics=[told(repair.diagnostic, analysis.lines, session.uri_of)],
            is_preferred=repair.fix.safe,
            edit=_edit(analysis, uri, repair.fix.edits),
        )
        for repair in actions.repairs(analysis, start, end)
    ]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _edit(analysis: Analysis, uri: str, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    return types.WorkspaceEdit({uri: [types.TextEdit(analysis.lines.range_of(edit.span), edit.replacement) for edit in edits]})


def _about_objects(server: LanguageServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        analysis = await session.analysis(uri)
        if analysis is None:
            return []
        return [
            types.CodeLens(
                analysis.lines.range(lens.start, lens.start),
                types.Command(lens.title, SHOW_COMMAND if lens.address else "", arguments=[lens.address] if lens.address else None),
            )
            for lens in rendered.lenses(analysis, uri)
        ]

    async def text_of(address: str) -> str:
        uri = rendered.source_of(address, session.buffers)
        analysis = await session.analysis(uri)
        return "# The file of this TrainJob is not open.\n" if analysis is None else rendered.rendered(analysis, uri, address)

    @server.command(SHOW_COMMAND)
    async def show(address: str) -> dict[str, str]:
        """The text, for clients that show it themselves; those that know its scheme are asked to open it."""
        if session.opens_addresses:
            server.window_show_document(types.ShowDocumentParams(address, take_focus=True))
        return {"uri": address, "languageId": "yaml", "text": await text_of(address)}

    for method in CONTENT_REQUESTS:

        @server.feature(method)
        async def content(params: Any) -> dict[str, str]:
            return {"text": await text_of(params.uri)}
