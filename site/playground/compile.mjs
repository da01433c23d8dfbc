// Compiles the Python files of a folder for the Python that will run them, in place: node compile.mjs FOLDER. Browsers then need not do it at every visit.

import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.mountNodeFS("/code", process.argv[2]);
python.runPython(`
import compileall, os
assert compileall.compile_dir("/code", quiet=1, legacy=True, stripdir="/code", optimize=0)
for folder, _, files in os.walk("/code"):
    for file in files:
        if file.endswith(".py"):
            os.remove(os.path.join(folder, file))
`);
