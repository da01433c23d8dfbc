"""Builds the site into a folder that any web server can serve: python tools/build_site.py [--output build/site]

Needs `pip install -e '.[docs]'` and Node.js with npm, of which the playground is built: Pyodide and the editor come from npm at the versions of
site/playground/package-lock.json, what Python needs from this environment. To look at it: python -m http.server --directory build/site
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "site" / "playground"
TEMPLATES = ROOT / "jobset_compiler" / "report" / "templates"
# Distributions that the playground imports; what of them is compiled for this machine stays away, they do without.
NEEDED = ("ruamel.yaml", "Jinja2", "MarkupSafe")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
TRAIN_JOB = "\nkind: TrainJob\n"


def build(output: Path) -> None:
    """The whole site. Whatever is in the folder is replaced; a link that leads nowhere stops it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(output)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    playground(output / "playground")


def playground(folder: Path) -> None:
    """What the page of the playground loads, beside it."""
    npm("ci", "--no-audit", "--no-fund", "--silent")
    npm("run", "--silent", "build", "--", f"--outdir={folder}")
    modules = SOURCES / "node_modules"
    (folder / "pyodide").mkdir()
    for name in PYODIDE:
        shutil.copyfile(modules / "pyodide" / name, folder / "pyodide" / name)
    for style in (TEMPLATES / "palette.css", TEMPLATES / "picture.css", SOURCES / "playground.css"):
        shutil.copyfile(style, folder / style.name)
    (folder / "examples.json").write_text(json.dumps(examples(), ensure_ascii=False), encoding="utf-8")
    with tempfile.TemporaryDirectory() as code:
        collect(Path(code))
        subprocess.run(["node", str(SOURCES / "compile.mjs"), code], cwd=SOURCES, check=True)
        pack(Path(code), folder / "python.zip")
    made = [str(folder / name) for name in ("python.zip", "examples.json", "python.image")]
    subprocess.run(["node", str(SOURCES / "snapshot.mjs"), *made], cwd=SOURCES, check=True)
    (folder / "licences.txt").write_text(licences(modules), encoding="utf-8")


def npm(*arguments: str) -> None:
    program = shutil.which("npm")
    if program is None:
        sys.exit("the playground is built with npm, which is not here: install Node.js")
    subprocess.run([program, *arguments], cwd=SOURCES, check=True)


def collect(folder: Path) -> None:
    """Puts the package and what it needs into a folder, as they are imported."""
    shutil.copytree(ROOT / "jobset_compiler", folder / "jobset_compiler", ignore=shutil.ignore_patterns("__pycache__", "*.pyi"))
    for name in NEEDED:
        distribution = metadata.distribution(name)
        for file in distribution.files or ():
            if file.suffix == ".py" and ".." not in file.parts:
                target = folder / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(distribution.locate_file(file)), target)


def pack(folder: Path, archive: Path) -> None:
    """The folder as an archive: the same bytes for the same files."""
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            packed.writestr(ZipInfo(file.relative_to(folder).as_posix()), file.read_bytes(), ZIP_DEFLATED)


def examples() -> list[dict[str, str]]:
    """What there is to choose: the shipped examples, TrainJobs and runtimes apart, and one to mend."""
    found = []
    for file in (*sorted((ROOT / "examples").glob("*.yaml")), SOURCES / "mistakes.yaml"):
        title = file.stem.lstrip("0123456789-").replace("-", " ")
        documents = file.read_text(encoding="utf-8").split("\n---\n")
        jobs = [document for document in documents if TRAIN_JOB in document]
        others = [document for document in documents if TRAIN_JOB not in document]
        trainjob, runtimes = ("\n---\n".join(part.rstrip("\n") for part in parts) for parts in (jobs, others))
        found.append({"title": title, "trainjob": f"{trainjob}\n", "runtimes": f"{runtimes}\n" if runtimes else ""})
    return found


def licences(modules: Path) -> str:
    """The licences of what the playground is made of."""
    parts = []
    for file in sorted(modules.glob("**/package.json")):
        package = json.loads(file.read_text(encoding="utf-8"))
        if file.parent.parent.name in ("node_modules", *(path.name for path in modules.glob("@*"))) and "esbuild" not in file.parts and "name" in package:
            texts = [text.read_text(encoding="utf-8") for text in sorted(file.parent.glob("LICENSE*"))]
            parts.append("\n".join([f"{package['name']} {package['version']} (npm): {package.get('license')}", *texts]))
    for name in NEEDED:
        distribution = metadata.distribution(name)
        texts = [file.read_text(encoding="utf-8") for file in distribution.files or () if file.name.upper().startswith("LICEN")]
        parts.append("\n".join([f"{name} {distribution.version} (PyPI): {(distribution.metadata.get_all('License-Expression') or [''])[0]}", *texts]))
    return "\n\n----\n\n".join(["The compiler itself: Apache-2.0. Pyodide includes CPython (PSF-2.0).", *parts])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site", help="default build/site")
    output: Path = parser.parse_args().output.resolve()
    if find_spec("material") is None:
        sys.exit("the site is built with mkdocs-material, which is not here: pip install -e '.[docs]'")
    build(output)
    print(output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
