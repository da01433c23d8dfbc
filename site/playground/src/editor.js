// Editors for YAML. They live in a shadow root: there their styles are sheets of the document object and need no exception in the policy of the page.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// A change that nobody typed.
const quiet = Annotation.define();

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--dim)", fontStyle: "italic" },
  { tag: [tags.meta, tags.keyword, tags.labelName, tags.typeName], color: "var(--code-mark)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--ground)" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--dim)", backgroundColor: "var(--panel)", borderRight: "1px solid var(--rule)" },
  ".cm-activeLine": { backgroundColor: "var(--active)" },
  ".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "var(--active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selected)" },
  ".cm-selectionMatch": { backgroundColor: "var(--far)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--panel)", border: "1px solid var(--rule)", maxWidth: "40rem" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { color: "var(--ground)", backgroundColor: "var(--link)" },
  ".cm-lintRange-error": underlined("--error"),
  ".cm-lintRange-warning": underlined("--warning"),
  ".cm-lintRange-info": underlined("--info"),
});

function underlined(colour) {
  return { backgroundImage: "none", textDecoration: `underline wavy var(${colour})`, textUnderlineOffset: "3px", textDecorationSkipInk: "none" };
}

export class Editor {
  // label: for screen readers; changed(), moved(): what is to be told, readOnly: to look at only.
  constructor(host, label, { readOnly = false, changed, moved } = {}) {
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host { display: block; min-height: 0; overflow: hidden; }");
    root.adoptedStyleSheets = [sheet];
    this.view = new EditorView({
      root,
      parent: root,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        highlightSpecialChars(),
        drawSelection(),
        history(),
        indentOnInput(),
        highlightSelectionMatches(),
        search({ top: true }),
        yaml(),
        syntaxHighlighting(highlighting),
        look,
        readOnly ? EditorState.readOnly.of(true) : lintGutter(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && update.transactions.some((one) => !one.annotation(quiet))) changed?.();
          if (update.selectionSet) moved?.();
        }),
      ],
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // The number of the line with the cursor.
  get line() {
    const { doc, selection } = this.view.state;
    return doc.lineAt(selection.main.head).number;
  }

  // Another text; what is the same at both ends stays, and with it cursor and scrolling.
  show(text) {
    const had = this.text;
    let start = 0;
    while (start < had.length && had[start] === text[start]) start++;
    let end = 0;
    while (end < Math.min(had.length, text.length) - start && had.at(-1 - end) === text.at(-1 - end)) end++;
    if (start === had.length && had.length === text.length) return;
    this.view.dispatch({
      changes: { from: start, to: had.length - end, insert: text.slice(start, text.length - end) },
      annotations: quiet.of(true),
    });
  }

  // Findings of this text underlined, with what mends them to choose.
  mark(findings) {
    const { doc } = this.view.state;
    const marks = findings.map((finding) => {
      const from = this.#offset(finding.line, finding.column);
      const to = finding.end_line ? this.#offset(finding.end_line, finding.end_column) : from;
      return {
        from,
        to: Math.max(to, Math.min(from + 1, doc.length)),
        severity: finding.severity,
        message: `${finding.code} ${finding.slug}: ${finding.message}${finding.hint ? `\n${finding.hint}` : ""}`,
        actions: finding.fixes.filter((fix) => fix.edits.every((edit) => edit.file === finding.file)).map((fix) => ({ name: fix.title, apply: () => this.mend(fix) })),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks.sort((one, other) => one.from - other.from)));
  }

  mend(fix) {
    const starts = offsets(this.text);
    this.view.dispatch({ changes: fix.edits.map((edit) => ({ from: starts(edit.from), to: starts(edit.to), insert: edit.text })) });
  }

  goTo(line, column = 1) {
    const at = this.#offset(line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  // Lines and columns count from 1 and in code points, the editor in UTF-16.
  #offset(line, column) {
    const { doc } = this.view.state;
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return found.from + Math.min(offsets(found.text)(column - 1), found.length);
  }
}

// A function from an offset in code points to one in UTF-16.
function offsets(text) {
  return (count) => {
    let at = 0;
    for (let left = count; left > 0 && at < text.length; left--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
    return at;
  };
}
