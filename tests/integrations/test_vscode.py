"""The extension for VS Code, as far as it can be tried without one: its manifest, its code with a stub of the editor, and the package that vsce makes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import jobset_compiler
from jobset_compiler.lsp.questions import CONTENT_REQUESTS
from jobset_compiler.lsp.rendered import SCHEME
from tests.lsp.conftest import JOB

FOLDER = Path(__file__).resolve().parents[2] / "integrations" / "vscode"
CODE = (FOLDER / "extension.js").read_text()
MANIFEST: dict[str, Any] = json.loads((FOLDER / "package.json").read_text())
CLIENT = FOLDER / "node_modules" / "vscode-languageclient"
NODE, VSCE = shutil.which("node"), FOLDER / "node_modules" / ".bin" / "vsce"
# Runs the extension with an editor that only takes note of what it is asked for.
STUB = """
const Module = require("module");
const told = { started: [], commands: {}, shown: [], requests: [], stopped: 0 };
const settings = { command: "${workspaceFolder}/.venv/bin/jobset-compiler", arguments: ["-r", "${workspaceFolder}/runtimes"] };
let provider, onConfiguration, fails = false;
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { server, options }); }
  async start() { if (fails) throw new Error("spawn ENOENT"); told.started.push({ server: this.server, options: this.options }); }
  isRunning() { return true; }
  async stop() { told.stopped += 1; }
  async sendRequest(method, params) { told.requests.push([method, params]); return { text: "kind: JobSet" }; }
}
class EventEmitter { constructor() { this.event = () => {}; } fire() {} dispose() {} }
const vscode = {
  EventEmitter,
  workspace: {
    workspaceFolders: [{ uri: { fsPath: "/work" } }],
    textDocuments: [],
    getConfiguration: () => ({ get: (name) => settings[name] }),
    registerTextDocumentContentProvider: (scheme, given) => { provider = given; told.scheme = scheme; return { dispose() {} }; },
    onDidChangeTextDocument: () => ({ dispose() {} }),
    onDidChangeConfiguration: (call) => { onConfiguration = call; return { dispose() {} }; },
  },
  commands: { registerCommand: (name, call) => { told.commands[name] = true; return { dispose() {} }; } },
  window: { showErrorMessage: (text) => told.shown.push(text) },
};
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
(async () => {
  const extension = require(process.argv[1]);
  const context = { subscriptions: [] };
  await extension.activate(context);
  told.text = await provider.provideTextDocumentContent({ toString: () => "jobset-compiler:/a/b.yaml" });
  await onConfiguration({ affectsConfiguration: (name) => name === "editor.fontSize" });
  await onConfiguration({ affectsConfiguration: (name) => name === "jobset-compiler.command" });
  fails = true;
  await onConfiguration({ affectsConfiguration: (name) => name === "jobset-compiler.arguments" });
  for (const each of context.subscriptions) each.dispose();
  await extension.deactivate();
  console.log(JSON.stringify(told));
})();
"""


def test_the_manifest_and_the_code_agree() -> None:
    assert MANIFEST["version"] == jobset_compiler.__version__ and (FOLDER / MANIFEST["main"]).is_file()
    contributed = {name.removeprefix("jobset-compiler.") for name in MANIFEST["contributes"]["configuration"]["properties"]}
    assert set(re.findall(r'settings\.get\("(\w+)"\)', CODE)) | {"trace.server"} == contributed
    for command in MANIFEST["contributes"]["commands"]:
        assert f'registerCommand("{command["command"]}"' in CODE
    named = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert {name.removeprefix("jobset-compiler.") for name in named} == {"command", "arguments"}
    readme = (FOLDER / "README.md").read_text()
    assert all(f"`jobset-compiler.{name}`" in readme for name in contributed)


def test_the_code_and_the_server_agree() -> None:
    assert f'SCHEME = "{SCHEME}"' in CODE
    assert re.search(r'TEXT = "(.*)"', CODE)[1] in CONTENT_REQUESTS  # type: ignore[index]


@pytest.mark.skipif(NODE is None, reason="node is not on the PATH")
def test_the_client_with_a_stub_of_the_editor() -> None:
    done = subprocess.run([str(NODE), "-e", STUB, str(FOLDER / "extension.js")], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["started"]) == 2 and told["stopped"] >= 2
    server = told["started"][0]["server"]
    assert server == {"command": "/work/.venv/bin/jobset-compiler", "args": ["lsp", "-r", "/work/runtimes"], "options": {"cwd": "/work"}}
    options = told["started"][0]["options"]
    assert options["initializationOptions"] == {"virtualDocuments": True}
    assert {(each["scheme"], each["language"]) for each in options["documentSelector"]} >= {("file", "yaml"), ("file", "json")}
    assert (told["scheme"], told["text"]) == (SCHEME, "kind: JobSet")
    assert told["requests"] == [["jobset-compiler/text", {"uri": "jobset-compiler:/a/b.yaml"}]]
    (message,) = told["shown"]
    assert "pip install 'jobset-compiler[lsp]'" in message


@pytest.mark.skipif(NODE is None or not CLIENT.exists(), reason="npm ci was not run in integrations/vscode")
def test_the_real_client_and_the_real_server(tmp_path: Path) -> None:
    program = tmp_path / "jobset-compiler"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{FOLDER.parents[1]}:$PYTHONPATH" exec "{sys.executable}" -m jobset_compiler "$@"\n')
    program.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    (work / ".git").mkdir()
    (work / ".jobset-compiler.yaml").write_text("validate: warn\n")
    (work / "job.yaml").write_text(f"{JOB}  unknown: 1\n")
    editor = Path(__file__).with_name("vscode_editor.js")
    done = subprocess.run(
        [str(NODE), str(editor), str(FOLDER / "extension.js"), str(program), str(work)], capture_output=True, text=True, check=False, timeout=90
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["shown"] == []
    ((code, place),) = told["diagnostics"]
    assert (code, place["line"]) == ("JSC103", JOB.count("\n"))
    assert "Number of training nodes" in told["hover"] and told["lens"] == "4 pods, 32 GPUs: show JobSet"
    assert told["scheme"] == SCHEME and [address.partition("?")[0] for address in told["opened"]] == ["jobset-compiler:/train.yaml"]
    assert "kind: JobSet" in told["text"]


@pytest.mark.skipif(not VSCE.exists(), reason="npm ci was not run in integrations/vscode")
def test_it_packs(tmp_path: Path) -> None:
    archive = tmp_path / "extension.vsix"
    done = subprocess.run(
        [str(VSCE), "package", "--allow-missing-repository", "--out", str(archive)], cwd=FOLDER, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(archive) as package:
        names = set(package.namelist())
        assert {"extension/extension.js", "extension/package.json", "extension/LICENSE.txt"} <= names
        assert "extension/node_modules/vscode-languageclient/node.js" in names
        assert not any("@vscode" in name or "test" in name for name in names if "node_modules" in name)
        packed = json.loads(package.read("extension/package.json"))
    assert packed["contributes"] == MANIFEST["contributes"]
