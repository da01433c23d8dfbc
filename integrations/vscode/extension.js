// The client of `jobset-compiler lsp`: starts the server, and shows the objects behind the lens above a TrainJob.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const NAME = "jobset-compiler";
// The scheme of the texts that the server renders, and the request for one of them.
const SCHEME = "jobset-compiler";
const TEXT = "jobset-compiler/text";
// Milliseconds after the last keystroke until a text that is shown is asked for again.
const PAUSE = 300;

let client;

/** The command and the arguments of the server, from the settings. */
function commandOf(settings, folders) {
  const folder = folders && folders.length ? folders[0].uri.fsPath : "";
  const resolve = (text) => text.replace(/\$\{workspaceFolder\}/g, folder);
  return {
    command: resolve(settings.get("command")),
    args: ["lsp", ...settings.get("arguments").map(resolve)],
    options: folder ? { cwd: folder } : {},
  };
}

function makeClient() {
  const server = commandOf(vscode.workspace.getConfiguration(NAME), vscode.workspace.workspaceFolders);
  return new LanguageClient(NAME, NAME, server, {
    documentSelector: ["yaml", "json"].flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    initializationOptions: { virtualDocuments: true },
  });
}

async function start() {
  client = makeClient();
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `jobset-compiler does not start: ${error.message}. Is it installed (pip install 'jobset-compiler[lsp]'), and does jobset-compiler.command name it?`,
    );
  }
}

async function stop() {
  const stopped = client;
  client = undefined;
  if (stopped && stopped.isRunning()) await stopped.stop();
}

async function activate(context) {
  const changed = new vscode.EventEmitter();
  let pause;
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri) => (client ? (await client.sendRequest(TEXT, { uri: uri.toString() })).text : ""),
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.scheme === SCHEME) return;
      clearTimeout(pause);
      pause = setTimeout(() => {
        for (const document of vscode.workspace.textDocuments) if (document.uri.scheme === SCHEME) changed.fire(document.uri);
      }, PAUSE);
    }),
    vscode.commands.registerCommand("jobset-compiler.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration(`${NAME}.command`) && !event.affectsConfiguration(`${NAME}.arguments`)) return;
      await stop();
      await start();
    }),
    { dispose: () => clearTimeout(pause) },
  );
  await start();
}

module.exports = { activate, deactivate: stop, commandOf };
