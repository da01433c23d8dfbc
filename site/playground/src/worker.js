// The compiler: Python in a worker, so that the page stays quick whatever is typed. Everything comes from where the page comes from.

const base = new URL("./", import.meta.url);
let answer;

async function start() {
  const [{ loadPyodide }, archive] = await Promise.all([
    import(new URL("pyodide/pyodide.mjs", base).href),
    fetch(new URL("python.zip", base)).then((response) => {
      if (!response.ok) throw new Error(`python.zip: ${response.status}`);
      return response.arrayBuffer();
    }),
  ]);
  self.postMessage({ stage: "Starting Python" });
  const python = await loadPyodide({ indexURL: new URL("pyodide/", base).href });
  self.postMessage({ stage: "Starting the compiler" });
  python.unpackArchive(archive, "zip", { extractDir: "/playground" });
  python.runPython("import sys; sys.path.insert(0, '/playground')");
  const playground = python.pyimport("jobset_compiler.playground");
  answer = playground.answer;
  // What a first answer has to import is imported now.
  answer(JSON.stringify({ texts: { warm: "a: 1" }, release: JSON.parse(playground.releases())[0].name, view: "objects" }));
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
