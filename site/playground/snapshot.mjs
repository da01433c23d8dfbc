// Python with the compiler in it, started, as an image of its memory: node snapshot.mjs PYTHON.ZIP EXAMPLES.JSON TARGET. To load it takes browsers a third of the
// time of starting from nothing. An image fits the very Pyodide that made it, which package-lock.json pins.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const [archive, examples, target] = process.argv.slice(2);
const python = await loadPyodide({ _makeSnapshot: true });
const room = python.makeMemorySnapshot().length;
python.FS.writeFile("/playground.zip", readFileSync(archive));
python.runPython("import sys; sys.path.insert(0, '/playground.zip')");
// What answers need is imported now, by asking for each view once.
const [{ trainjob, runtimes }] = JSON.parse(readFileSync(examples));
python.FS.writeFile("/texts.json", JSON.stringify({ "trainjob.yaml": trainjob, "runtimes.yaml": runtimes }));
python.runPython(`
import gc, json
from jobset_compiler.playground import VIEWS, answer, releases
def ask():
    with open("/texts.json") as file:
        texts = json.load(file)
    release = next(one["name"] for one in json.loads(releases()) if one["newest"])
    for view in VIEWS:
        answer(json.dumps({"texts": texts, "release": release, "view": view}))
ask()
gc.collect()
`);
const image = python.makeMemorySnapshot();
if (image.length > room + 65536) throw new Error("The memory that Pyodide starts with is too small for the image: ask for fewer views here.");
writeFileSync(target, gzipSync(image, { level: 9 }));
