"""Add a release of Kubeflow Trainer: everything but what it does differently, which people decide.

    python tools/new_release.py v2.4 --trainer CHECKOUT     # CHECKOUT: kubeflow/trainer at the tag, `go mod download` done
    python tools/new_release.py v2.4                        # goes on from facts that upstream/v2.4/ has already

It extracts the facts, adds a profile that is so far like the one before, makes the type table, the JSON Schemas, the types of the
models and the pages that list releases, copies the community runtimes with the tags of the release, and says what is left to do.
It may be run again, after it has stopped or when the facts have changed: what people have written since stays.
A release only adds: no file of an older one changes. The whole recipe is in README.md, "Add a release".
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML

import extract
import facts
import type_table

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "jobset_compiler"
CATALOGUE = PACKAGE / "profiles" / "catalogue.py"
PROFILE = PACKAGE / "profiles" / "profile.py"
JOBSETS = PACKAGE / "profiles" / "jobset.py"
RUNTIMES = PACKAGE / "runtimes"
LEFT = """
What is left to do for {release}:

1. Read jobset_compiler/kube/tables/{module}.py: it lists what changed in the types since {before}; defaults and limits act from there by themselves. A new
   field needs a sentence in schemas/descriptions/trainer.py, and where something reads it, its place in api/trainjob.py or api/runtime.py; where it may reach
   nothing, findings/trainer.py tells so (JSC870). What goes into a container or a pod and has no edit yet: CONTRIBUTING.md, "A kind of edit".
   An ML policy that is new: README.md, "Add a policy". Then run this program again.
2. profiles/features.py, profiles/catalogue.py: each behaviour that differs is a Feature that {constant} adds or drops, or, where it is
   JobSet's, its release in profiles/jobset.py; then consult it in the one module that owns the behaviour. NEXT derives from {constant} now: what it
   added and {constant} has goes there. Its facts are older than {release}, so that its table takes back what {release} brought: extract them anew from
   upstream's main branch (`python tools/extract.py next --trainer CHECKOUT --tag next`, upstream/README.md names the commit), then run this program again.
3. runtimes/{release}/: mend the differences listed above, if any, and their comments. A runtime that is new is a file there, with its name and a sentence
   in runtimes/__init__.py; the digests of them all go to tests/runtimes/test_bundled.py, which says what they are made of.
4. Goldens: one per behaviour that shows both sides, with a line in tests/golden/features.py. In the others `releases:` says how far their claim goes:
   `python -m pytest tests/golden --snapshot-update` adds {release} where that is up to `next`; read what it wrote. The claims that {release} keeps too:
   `grep -L '^evidence: ran upstream' golden/*/*.yaml | xargs sed -i '/^releases:/{{s/[.][.] {before}$/.. {release}/;t;s/{before}$/{before} .. {release}/}}'`,
   then the same; a text that {release} does not share with {before} is a behaviour that differs, and needs its reason. Those with the evidence
   `ran upstream` wait for the answers of {release} (5).
5. upstream/answers/: what {release} answered, see upstream/README.md; then `python tools/compare.py --release {release}`.
6. CHANGELOG.md, and `UPDATE_DOCS=1 python -m pytest tests/docs` for the pages. Then `python -m pytest`: what still fails expects {before} to be the
   newest, in a hint, a default or a path; read it, it is what users will notice.
"""


class Release:
    """The name of a release in its spellings, and the one before it."""

    def __init__(self, name: str, before: str) -> None:
        self.name, self.before = name, before
        self.module = name.replace(".", "_")
        self.constant, self.constant_before = self.module.upper(), before.replace(".", "_").upper()
        types, crds = facts.load(name, facts.TYPES), facts.load(name, facts.CRDS)
        self.modules: dict[str, str] = types["modules"]
        self.tag, self.jobset = types["tag"], crds["jobset"]
        self.tag_before = facts.load(before, facts.TYPES)["tag"]

    @property
    def jobset_constant(self) -> str:
        """JOBSET_0_13 of profiles/jobset.py, for v0.13.0."""
        return "JOBSET_" + "_".join(self.jobset.removeprefix("v").split(".")[:2])

    @property
    def kubernetes(self) -> str:
        """The minor version that the Kubernetes libraries belong to: v0.36.2 -> 1.36."""
        return "1." + self.modules["k8s.io/api"].split(".")[1]


def insert(file: pathlib.Path, after: str, text: str) -> None:
    """Adds text behind the last match of a pattern."""
    content = file.read_text(encoding="utf-8")
    matches = list(re.finditer(after, content, re.MULTILINE | re.DOTALL))
    if not matches:
        sys.exit(f"new_release: {file} does not look as expected: nothing matches {after!r}")
    end = matches[-1].end()
    file.write_text(content[:end] + text + content[end:], encoding="utf-8")


def add_jobset(release: Release) -> None:
    """The release of JobSet, so far like the one before, unless an earlier release of Trainer came with the very same."""
    version, content = release.jobset.removeprefix("v"), JOBSETS.read_text(encoding="utf-8")
    if f'"{version}"' in content:
        return
    if f"{release.jobset_constant} = " in content:
        sys.exit(f"new_release: {JOBSETS.name} has another {release.jobset_constant} than {version}; give one of them a name with its patch number")
    last = re.findall(r"^(JOBSET_\d+_\d+) = ", content, re.MULTILINE)[-1]
    derived = f'{release.jobset_constant} = {last}.derive("{version}", table="{release.name}", add=(), drop=())\n'
    insert(JOBSETS, rf"^{last} = [^\n]*\([^\n]*\)\n|^{last} = .*?^\)\n", derived)
    insert(JOBSETS, rf"^JOBSETS = \([^)]*?{last}", f", {release.jobset_constant}")
    insert(CATALOGUE, rf"^from jobset_compiler\.profiles\.jobset import [^\n]*{last}", f", {release.jobset_constant}")


def add_profile(release: Release) -> None:
    if f"{release.constant} = " in CATALOGUE.read_text(encoding="utf-8"):
        return
    derived = f"""{release.constant} = {release.constant_before}.derive(
    "{release.name}",
    trainer="{release.tag.removeprefix("v")}",
    jobset={release.jobset_constant},
    kubernetes="{release.kubernetes}",
    add=(),
    drop=(),
)

"""
    insert(CATALOGUE, rf"^{release.constant_before} = .*?^\)\n\n", derived)
    insert(CATALOGUE, rf"^PROFILES = \(.*?^    {release.constant_before},\n", f"    {release.constant},\n")
    insert(PROFILE, rf'^TrainerVersion = Literal\[.*?"{re.escape(release.before)}"', f', "{release.name}"')
    content = CATALOGUE.read_text(encoding="utf-8")
    CATALOGUE.write_text(content.replace(f"NEXT = {release.constant_before}.derive(", f"NEXT = {release.constant}.derive("), encoding="utf-8")


def add_runtimes(release: Release) -> None:
    """Copies those of the release before, with the tags of this one."""
    if (RUNTIMES / release.name).is_dir():
        return
    files = sorted((RUNTIMES / release.before).glob("*.yaml"), key=lambda file: file.stem)
    (RUNTIMES / release.name).mkdir()
    for file in files:
        text = file.read_text(encoding="utf-8").replace(release.tag_before.removeprefix("v"), release.tag.removeprefix("v"))
        (RUNTIMES / release.name / file.name).write_text(text, encoding="utf-8")
    names = "".join(f'            "{file.stem}",\n' for file in files)
    insert(RUNTIMES / "__init__.py", rf'^        "{re.escape(release.before)}": \(\n.*?^        \),\n', f'        "{release.name}": (\n{names}        ),\n')


def runtime_differences(checkout: pathlib.Path, release: Release) -> list[str]:
    """What upstream's manifests have otherwise than ours; tags and labels that its overlays add do not count."""
    theirs: dict[str, Any] = {}
    for file in sorted((checkout / "manifests" / "base" / "runtimes").rglob("*.yaml")):
        for document in YAML(typ="safe").load_all(file):
            if isinstance(document, dict) and document.get("kind") == "ClusterTrainingRuntime":
                theirs[document["metadata"]["name"]] = document["spec"]
    out = []
    ours = {file.stem: YAML(typ="safe").load(file)["spec"] for file in (RUNTIMES / release.name).glob("*.yaml")}
    for name in sorted(theirs.keys() | ours.keys()):
        if name not in ours or name not in theirs:
            out.append(f"{name}: only {'upstream' if name in theirs else 'here'}")
        else:
            found = extract.differences(untagged(theirs[name], release.tag), untagged(ours[name], release.tag))
            out += [f"{name}: {line.replace('recorded', 'upstream').replace('found', 'here')}" for line in found]
    return out


def untagged(value: Any, tag: str) -> Any:
    """Without the tag of the release behind images."""
    if isinstance(value, dict):
        return {key: untagged(item, tag) for key, item in value.items()}
    if isinstance(value, list):
        return [untagged(item, tag) for item in value]
    return value.removesuffix(f":{tag}") if isinstance(value, str) else value


def add_to_pages(release: Release) -> None:
    """The tables of releases that stand in prose."""
    if f"\n| {release.name} " in (ROOT / "README.md").read_text(encoding="utf-8"):
        return
    modules = [release.modules.get(module, "") for module in ("k8s.io/api", extract.SCHEDULER_PLUGINS, extract.VOLCANO)]
    row = " | ".join([release.name, release.tag, release.jobset, *modules]).rstrip()
    insert(ROOT / "upstream" / "README.md", r"^\| v\d[^\n]*\n", f"| {row} |\n")
    before = [line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if line.startswith(f"| {release.before} ")][-1]
    spelling = before.split("|")[-2].strip()
    versions = " | ".join(text.removeprefix("v") for text in (release.tag, release.jobset, release.kubernetes))
    insert(ROOT / "README.md", r"^\| v\d[^\n]*\n", f"| {release.name} | {versions} | {spelling} |\n")


def unwritten_rules(name: str) -> list[str]:
    """The CEL rules of a release that have no name yet, or a name that is not explained in both places."""
    program = "from jobset_compiler.admission.cel import PREDICATES as a; from jobset_compiler.schemas.rules import KEYWORDS as b; print(*a, '/', *b)"
    predicates, keywords = (part.split() for part in run("-c", program).split(" / "))
    out = set()
    for rule, message in rules_in(facts.load(name, facts.CRDS)["schemas"]):
        slug = type_table.slug_of({"rule": rule, "message": message})
        # Rules on changes ask nothing of one object, and those on a name are said by schemas/metadata.py.
        if slug is None or slug not in (*predicates, "immutable") or slug not in (*keywords, "name-is-dns-1035", "name-length"):
            out.add(f"{rule}  ({message}){f'  named {slug}' if slug else ''}")
    return sorted(out)


def changed_rules(release: Release) -> list[str]:
    """The CEL rules that the release before has not in these very words: a rule is known by its message, what it asks stands in admission/cel.py."""
    before, now = ({*rules_in(facts.load(name, facts.CRDS)["schemas"])} for name in (release.before, release.name))
    return sorted(f"{rule}  ({message})" for rule, message in now - before)


def rules_in(schema: Any) -> Iterator[tuple[str, str]]:
    """The rules of a schema and of all below it, with their messages."""
    for key, below in schema.items() if isinstance(schema, dict) else enumerate(schema if isinstance(schema, list) else ()):
        if key == "x-kubernetes-validations":
            yield from ((rule["rule"], rule.get("message", "")) for rule in below)
        else:
            yield from rules_in(below)


def run(*arguments: str) -> str:
    """One of our own programs, on this repository; -> what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"new_release: {' '.join(arguments)} failed; what was written so far stays")
    return done.stdout


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Add a release of Kubeflow Trainer, up to its behaviour.")
    parser.add_argument("release", help="v2.4")
    parser.add_argument("--trainer", type=pathlib.Path, metavar="CHECKOUT", help="kubeflow/trainer at the tag of the release")
    parser.add_argument("--tag", default="", help="that tag, where the checkout does not say it")
    parser.add_argument("--module", action="append", default=[], metavar="PATH=FOLDER", help="where the sources of a module are")
    options = parser.parse_args(arguments)
    name: str = options.release
    if not re.fullmatch(r"v\d+\.\d+", name):
        sys.exit(f"new_release: a release is called like v2.4, not {name}")
    if name in facts.released()[:-1]:
        sys.exit(f"new_release: {facts.released()[-1]} is newer than {name}; only a newest release can be added")
    before = [known for known in facts.released() if known != name][-1]
    if options.trainer:
        tag = options.tag or extract.tag_of(options.trainer)
        if not tag.startswith(f"{name}."):
            sys.exit(f"new_release: {options.trainer} is at {tag or 'no tag'} (its file VERSION, or git), which is no {name}; say --tag if that is wrong")
        details = ["--tag", options.tag, *(f"--module={module}" for module in options.module)]
        print(run("tools/extract.py", name, "--trainer", str(options.trainer), *details), end="")
    elif name not in facts.releases():
        sys.exit(f"new_release: upstream/{name}/ has no facts yet; say --trainer CHECKOUT")
    if facts.released()[-1] != name:
        sys.exit(f"new_release: {facts.released()[-1]} is newer than {name}; only a newest release can be added")
    unwritten = unwritten_rules(name)
    if unwritten:
        sys.exit("\n    ".join((f"new_release: CEL rules that nobody has written yet; {type_table.NAME_IT}; then run this again:", *unwritten)))
    release = Release(name, before)
    add_jobset(release)
    add_profile(release)
    print(run("tools/type_table.py"), end="")
    add_runtimes(release)
    print(run("tools/json_schemas.py"), end="")
    print(run("tools/model_stub.py"), end="")
    (ROOT / "docs" / "releases.md").write_text(run("-m", "jobset_compiler", "releases", "-o", "markdown"), encoding="utf-8")
    add_to_pages(release)
    if options.trainer:
        print("\nCommunity runtimes that are not upstream's:", *(runtime_differences(options.trainer, release) or ["none"]), sep="\n    ")
    print("\nCEL rules that are new or read otherwise:", *(changed_rules(release) or ["none"]), sep="\n    ")
    print(LEFT.format(release=name, before=before, module=release.module, constant=release.constant), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
