// The compiler: Python in a worker, so that the page stays quick whatever is typed. Everything comes from where the page comes from.

const base = new URL("./", import.meta.url);
const ARCHIVE = "/playground.zip";
let answer;

async function load(name) {
  const response = await fetch(new URL(name, base));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

// Python as it was when its image was made, or else, slower, from nothing.
async function startPython({ loadPyodide }, image) {
  const indexURL = new URL("pyodide/", base).href;
  try {
    return await loadPyodide({ indexURL, _loadSnapshot: image });
  } catch (error) {
    console.warn("the image of Python does not fit here", error);
    return loadPyodide({ indexURL });
  }
}

async function start() {
  const [pyodide, archive, image] = await Promise.all([
    import(new URL("pyodide/pyodide.mjs", base).href),
    load("python.zip").then((response) => response.arrayBuffer()),
    load("python.image").then((response) => new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()),
  ]);
  self.postMessage({ stage: "Starting Python" });
  const python = await startPython(pyodide, new Uint8Array(image));
  self.postMessage({ stage: "Starting the compiler" });
  python.FS.writeFile(ARCHIVE, new Uint8Array(archive));
  python.runPython(`import sys; "${ARCHIVE}" in sys.path or sys.path.insert(0, "${ARCHIVE}")`);
  const playground = python.pyimport("jobset_compiler.playground");
  answer = playground.answer;
  self.postMessage({ releases: JSON.parse(playground.releases()) });
}

self.onmessage = ({ data: { id, request } }) => {
  try {
    self.postMessage({ id, answer: JSON.parse(answer(JSON.stringify(request))) });
  } catch (error) {
    self.postMessage({ id, failure: String(error) });
  }
};

start().catch((error) => self.postMessage({ failure: String(error) }));
