// As much of VS Code as the extension and the real vscode-languageclient need to talk to the real server:
//   node vscode_editor.js EXTENSION SERVER FOLDER
// Opens FOLDER/job.yaml, asks as an editor would, and prints what came of it as JSON.
"use strict";
const fs = require("fs");
const Module = require("module");

const [extension, server, folder] = process.argv.slice(2);
const told = { shown: [], diagnostics: [], opened: [] };

class Disposable {
  static from() { return new Disposable(); }
  dispose() {}
}
class Uri {
  static parse(text) { return Object.assign(new Uri(), { text, scheme: text.split(":")[0], fsPath: decodeURIComponent(text.replace("file://", "")) }); }
  static file(path) { return Uri.parse(`file://${path}`); }
  toString() { return this.text; }
}
class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range { constructor(startLine, startCharacter, endLine, endCharacter) { this.start = new Position(startLine, startCharacter); this.end = new Position(endLine, endCharacter); } }
class EventEmitter { constructor() { this.event = () => new Disposable(); } fire() {} dispose() {} }
class MarkdownString { constructor(value) { this.value = value; } }
class Hover { constructor(contents, range) { Object.assign(this, { contents, range }); } }
class CodeLens { constructor(range) { this.range = range; } }
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class CancellationTokenSource { constructor() { this.token = token; } cancel() {} dispose() {} }
const token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() };

// What is registered with the editor, by the function that registered it; everything else that is asked of it is taken note of and does nothing.
const registered = {};
const part = (known) => new Proxy(known, {
  get: (target, name) => {
    if (name in target || typeof name === "symbol" || name === "then") return target[name]; // none of it is a promise
    return (...given) => { registered[name] = given; return new Disposable(); };
  },
});
const kind = () => ({ append: kind, value: "kind", contains: () => false });
const text = fs.readFileSync(`${folder}/job.yaml`, "utf8");
const job = { uri: Uri.file(`${folder}/job.yaml`), languageId: "yaml", version: 1, getText: () => text, isClosed: false };
const commands = {};
const workspaceFolder = { uri: Uri.file(folder), name: "work", index: 0 };
const settings = { command: server, arguments: [] };
const known = {
  version: "1.90.0", env: { language: "en", appName: "stub" }, extensions: { all: [], getExtension: () => undefined },
  Disposable, Uri, Position, Range, EventEmitter, MarkdownString, Hover, CodeLens, Diagnostic, CancellationTokenSource,
  CodeActionKind: new Proxy({}, { get: kind }),
  workspace: part({
    workspaceFolders: [workspaceFolder], textDocuments: [job], notebookDocuments: [], isTrusted: true,
    getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise, inspect: () => undefined }),
    getWorkspaceFolder: () => workspaceFolder,
    createFileSystemWatcher: () => ({ onDidCreate: () => new Disposable(), onDidChange: () => new Disposable(), onDidDelete: () => new Disposable(), dispose() {} }),
  }),
  window: part({
    activeTextEditor: { document: job }, visibleTextEditors: [{ document: job }], visibleNotebookEditors: [],
    tabGroups: { all: [], onDidChangeTabs: () => new Disposable(), onDidChangeTabGroups: () => new Disposable() },
    createOutputChannel: () => part({}),
    showErrorMessage: async (message) => { told.shown.push(message); },
    showTextDocument: async (uri) => { told.opened.push(uri.toString()); },
  }),
  languages: part({
    match: () => 10,
    createDiagnosticCollection: () => part({ set: (uri, found) => { told.diagnostics = found.map((each) => [each.code?.value ?? each.code, each.range.start]); } }),
  }),
  commands: part({ registerCommand: (name, call) => { commands[name] = call; return new Disposable(); } }),
};
const plain = (name) => ({ [name]: class { constructor(...given) { this.given = given; } } })[name];
const vscode = new Proxy(known, {
  get: (target, name) => {
    if (typeof name === "symbol") return undefined;
    // A class to extend, or an enumeration whose members are their names.
    return (target[name] ??= new Proxy(plain(name), { get: (inner, member) => (member in inner ? inner[member] : String(member)) }));
  },
});

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const until = async (what, condition) => {
  for (let left = 400; !condition(); left -= 1) {
    if (!left) throw new Error(`waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
};
(async () => {
  const { activate, deactivate } = require(extension);
  await activate({ subscriptions: [] });
  await until("providers", () => registered.registerHoverProvider && registered.registerCodeLensProvider);
  const line = text.split("\n").findIndex((each) => each.includes("numNodes"));
  told.hover = (await registered.registerHoverProvider[1].provideHover(job, new Position(line, 6), token)).contents.value;
  await until("diagnostics", () => told.diagnostics.length);
  const [lens] = await registered.registerCodeLensProvider[1].provideCodeLenses(job, token);
  told.lens = lens.command.title;
  await commands[lens.command.command](...lens.command.arguments);
  await until("the objects", () => told.opened.length);
  const [scheme, provider] = registered.registerTextDocumentContentProvider;
  told.scheme = scheme;
  told.text = await provider.provideTextDocumentContent(Uri.parse(told.opened[0]));
  await deactivate();
  console.log(JSON.stringify(told));
  process.exit(0);
})().catch((error) => { console.error(error, told); process.exit(1); });
