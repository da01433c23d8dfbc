"""How quickly the language server answers a keystroke in a file of 300 lines.

    python benchmarks/editor.py [--keystrokes 200] [--lines 300]

A server in a process of its own, spoken to over its standard input and output as an editor does it. A keystroke changes the text, then something is asked:
completion, or hover, which needs the text to be compiled; of diagnostics it is the time until they are there, less the pause that the server makes on
purpose. All of it stands beside a request that the server refuses at once, which is the cost of the connection, and the time that the server computed is
told as well, since a busy machine adds to the rest. A keystroke has 50 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from cold_start import environment

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
LIMIT = 0.05
URI = "file:///bench/jobs.yaml"
DELAY = 0.15  # jobset_compiler.lsp.server.DELAY, which takes long to import


class Editor:
    """A client that waits for each answer."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "jobset_compiler", "lsp", "--no-config"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment())
        self.number = 0

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
        data = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        self.send(method, params, self.number)
        while (message := self.receive()).get("id") != self.number:
            pass
        return message

    def computed(self) -> float:
        """Seconds of processor time so far, 0 where the system does not tell."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def published(self, version: int) -> Any:
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == version:
                return message["params"]["diagnostics"]


def text_of(lines: int) -> str:
    """The shipped examples one after another, with names of their own, until there are enough lines."""
    files = sorted(EXAMPLES.glob("*.yaml"))
    text, number = "", 0
    while text.count("\n") < lines:
        piece = files[number % len(files)].read_text()
        text += ("---\n" if text else "") + (piece.replace("\n  name: ", f"\n  name: n{number}-", 1) if number >= len(files) else piece)
        number += 1
    return text


def told(name: str, seconds: list[float], base: float) -> None:
    seconds = sorted(seconds)
    middle, late = seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.95)]
    verdict = "within" if late <= LIMIT else "over"
    print(f"{name:<12} p50 {middle * 1000:6.1f} ms   p95 {late * 1000:6.1f} ms   {late / base:5.1f} x a refused request   {verdict} {LIMIT * 1000:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keystrokes", type=int, default=200)
    parser.add_argument("--lines", type=int, default=300)
    arguments = parser.parse_args()
    text = text_of(arguments.lines)
    editor = Editor()
    editor.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    editor.send("initialized", {})
    editor.send("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "yaml", "version": 0, "text": text}})
    found = editor.published(0)
    print(f"{text.count(chr(10))} lines, {text.count('kind: TrainJob')} TrainJobs, {len(found)} findings; {arguments.keystrokes} keystrokes")
    at = text.index("numNodes: ") + len("numNodes: ")
    head, tail = text[:at], text[at:].lstrip("0123456789")
    line = head.count("\n")
    hover = {"textDocument": {"uri": URI}, "position": {"line": line, "character": 6}}
    complete = {"textDocument": {"uri": URI}, "position": {"line": line + 1, "character": 4}}
    times: dict[str, list[float]] = {name: [] for name in ("refused", "completion", "hover", "diagnostics")}
    before = editor.computed()
    for version in range(1, arguments.keystrokes + 1):
        changed = f"{head}{version % 9 + 1}{tail}"
        start = time.perf_counter()
        editor.ask("jobset-compiler/noSuchRequest", {})
        times["refused"].append(time.perf_counter() - start)
        start = time.perf_counter()
        changes = {"textDocument": {"uri": URI, "version": version}, "contentChanges": [{"text": changed}]}
        editor.send("textDocument/didChange", changes)
        if version % 2:
            # As an editor does it: completion while somebody types, hover once they stop.
            assert editor.ask("textDocument/completion", complete)["result"]["items"]
            times["completion"].append(time.perf_counter() - start)
            begun = time.perf_counter()
            editor.send("textDocument/didChange", changes)
            assert editor.ask("textDocument/hover", hover)["result"]
            times["hover"].append(time.perf_counter() - begun)
            editor.published(version)
        else:
            editor.published(version)
            times["diagnostics"].append(time.perf_counter() - start - DELAY)
    base = sorted(times["refused"])[len(times["refused"]) // 2]
    for name in ("completion", "hover", "diagnostics"):
        told(name, times[name], base)
    compiles = 1.5 * arguments.keystrokes
    print(f"computed     {(editor.computed() - before) / compiles * 1000:6.1f} ms for each text that is compiled, all requests and answers with it")
    editor.ask("shutdown", None)
    editor.send("exit", None)
    editor.process.wait()


if __name__ == "__main__":
    main()
