"""The recipe of docs/editors.md in a real Neovim: what it shows, completes, follows and opens."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import JOB, ROOT, RUNTIME

NVIM = shutil.which("nvim")
pytestmark = pytest.mark.skipif(NVIM is None, reason="nvim is not on the PATH")
BLOCKS = [part.partition("```")[0] for part in (ROOT / "docs" / "editors.md").read_text().split("```lua\n")[1:]]
START = next(block for block in BLOCKS if "start_client" in block)
LENS = next(block for block in BLOCKS if "showObjects" in block)
# Runs in the editor; what it finds out goes to a file.
SESSION = """
local told = {}
local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then error("waited in vain for " .. what) end
end
local function at(line, column) return { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } } end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 30000)
  for _, answer in pairs(answers or {}) do return answer.result end
end
local ok, problem = pcall(function()
  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)[1]
  told.found = { code = found.code, message = found.message, line = found.lnum, from = found.col, to = found.end_col }
  local number = vim.fn.search("nope") - 1
  told.completion = {}
  for _, item in ipairs(ask("textDocument/completion", at(number, 11)).items) do table.insert(told.completion, item.label) end
  vim.api.nvim_buf_set_lines(0, number, number + 1, false, { "    name: ours # 🦊" })
  wait("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
  local nodes = vim.fn.search("numNodes") - 1
  told.hover = ask("textDocument/hover", at(nodes, 6)).contents.value
  vim.lsp.codelens.refresh()
  local lenses
  wait("a lens", function() lenses = vim.lsp.codelens.get(0); return #lenses > 0 end)
  told.lens = lenses[1].command.title
  vim.api.nvim_win_set_cursor(0, { lenses[1].range.start.line + 1, 0 })
  local windows = #vim.api.nvim_list_wins()
  vim.lsp.codelens.run()
  wait("the JobSet", function() return #vim.api.nvim_list_wins() > windows end)
  told.jobset = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
  told.modifiable = vim.bo.modifiable
  vim.cmd("quit")
  vim.api.nvim_win_set_cursor(0, { number + 1, 12 })
  vim.lsp.buf.definition()
  wait("the runtime", function() return vim.fn.expand("%:t") == "ours.yaml" end)
  told.definition = vim.api.nvim_get_current_line()
end)
told.problem = not ok and tostring(problem) or nil
local file = io.open(vim.env.TOLD, "w")
file:write(vim.json and vim.json.encode(told) or vim.fn.json_encode(told))
file:close()
vim.cmd("qall!")
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("neovim")
    work = folder / "work"
    (work / "runtimes").mkdir(parents=True)
    (work / ".git").mkdir()
    (work / "runtimes" / "ours.yaml").write_text(RUNTIME)
    (work / "job.yaml").write_text(JOB.replace("name: torch-distributed", "name: nope # für 🦊"))
    (folder / "init.lua").write_text(f"{START}\n{LENS}")
    (folder / "session.lua").write_text(SESSION)
    program = folder / "bin" / "jobset-compiler"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}:$PYTHONPATH" exec "{sys.executable}" -m jobset_compiler "$@"\n')
    program.chmod(0o755)
    homes = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment = {**os.environ, **homes, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "TOLD": str(folder / "told.json")}
    command = [str(NVIM), "--headless", "-n", "-u", str(folder / "init.lua"), "job.yaml", "-c", f"luafile {folder / 'session.lua'}"]
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, timeout=120, check=False)
    file = Path(environment["TOLD"])
    assert file.exists(), done.stderr
    found: dict[str, Any] = json.loads(file.read_text())
    assert "problem" not in found, (found, done.stderr)
    return found


def test_diagnostics_at_their_place(told: dict[str, Any]) -> None:
    assert told["found"] | {"message": ""} == {"code": "JSC201", "message": "", "line": 6, "from": 10, "to": 14}
    assert '"nope" not found' in told["found"]["message"]


def test_completion_hover_and_definition(told: dict[str, Any]) -> None:
    assert {"ours", "torch-distributed"} <= set(told["completion"])
    assert "**4 pods** of `node`" in told["hover"]
    assert told["definition"] == "  name: ours"


def test_the_lens_opens_the_jobset(told: dict[str, Any]) -> None:
    assert told["lens"] == "5 pods, 32 GPUs: show JobSet"
    assert "kind: JobSet" in told["jobset"] and told["modifiable"] is False
