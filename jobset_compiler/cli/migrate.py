"""`migrate`: documents of older APIs and of older spellings in, documents of the chosen release out, with comments."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import (
    CONFIGURED,
    EXTENSION,
    FAIL_ON,
    FILENAME,
    MESSAGES,
    TRAINER_VERSION,
    Settings,
    messages,
    paths_of,
    policy_of,
    read_paths,
    settings_of,
)
from jobset_compiler.diagnostics.report import Report
from jobset_compiler.dialects.wishes import GANGS, MANAGER, Wishes

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.library.migration import Migration
    from jobset_compiler.library.sources import Source
    from jobset_compiler.source.document import Document

VERB = Verb(
    "migrate",
    "rewrite jobs of the v1 operators, previews and older spellings for a release of Trainer v2",
    """
Reads files, folders and standard input (-), and writes them to standard output with every document of an older API or spelling rewritten for the \
release: PyTorchJob, TFJob, MPIJob, XGBoostJob, JAXJob and PaddleJob of kubeflow.org/v1, MPIJob of kubeflow.org/v2beta1, the previews \
kubeflow.org/v2alpha1 and trainer.kubeflow.org/v2alpha1, ome.io/v1beta1, and documents of ours in the words of an earlier \
release. Everything else stays byte for byte. \
Comments say what could not be carried over or means something else now; the same is said on standard error, with the lines of the old document.

What comes out is compiled before it is written. If a document cannot be migrated, or the release refuses what it becomes, the exit code is 1 and nothing is \
written: to standard output nothing at all, with --write and --output-dir nothing of that file. Migrating twice changes nothing more.
""",
    (
        FILENAME,
        TRAINER_VERSION,
        Option(("--write",), "rewrite the files themselves"),
        Option(("--output-dir",), "write the files below this folder instead of standard output", "DIR", paths=True),
        Option(("--check",), "write nothing; name the files that would change, and exit with 3 if there are any"),
        Option(("--runtime",), "aim at this runtime, which exists already (NAME or KIND/NAME), instead of choosing or writing one", "NAME", offers="runtimes"),
        Option(("--use",), "whose pods all nodes get where master and workers differ", "ROLE", choices=("master", "worker")),
        Option(("--no-v1-env",), "leave out the variables that the v1 operator set (RANK, WORLD_SIZE, MASTER_ADDR, TF_CONFIG, ...)"),
        Option(("--trainer-fields",), "image, command, args and env into spec.trainer too where a runtime is written"),
        Option(("--keep-success-policy",), "the job is done when the master is, as in v1"),
        Option(("--keep-backoff",), "retry for ever where backoffLimit is not set, as in v1"),
        Option(("--keep-ttl",), "keep ttlSecondsAfterFinished, which deletes the JobSet only"),
        Option(("--gang",), "the scheduler of gangs, which v1 was told by an option of its operator; default none", "SCHEDULER", choices=GANGS),
        Option(("--native",), "XGBoost through the runtime of the release and DMLC_* instead of v1's variables"),
        EXTENSION,
        Option(("--manager",), f"manager of the runtimePatches that are written; default {MANAGER}", "NAME"),
        Option(("-r", "--runtimes"), "file or folder with runtimes that the documents refer to; they stay as they are", "PATH", many=True, paths=True),
        *CONFIGURED,
        FAIL_ON,
        *MESSAGES,
    ),
    (
        ("jobset-compiler migrate pytorchjob.yaml", "one file, to read what becomes of it"),
        ("jobset-compiler migrate jobs/ --write", "a folder, in place"),
        ("jobset-compiler migrate jobs/ --check", "is there anything left to migrate?"),
        ("jobset-compiler migrate jobs/ --output-dir v2/ --trainer-version v2.2", "beside the old files, for another release"),
        ("jobset-compiler migrate job.yaml --runtime torch-distributed", "over a runtime that the cluster has"),
        ("kustomize build . | jobset-compiler migrate - | kubectl apply -f -", "in the middle of a pipe"),
    ),
    takes="[PATH... | -]",
    most=-1,
)
_OUTPUTS = ("--write", "--output-dir", "--check")


def run(arguments: Arguments, streams: Streams) -> int:
    from jobset_compiler.cli.output_dir import DIFFERENCES
    from jobset_compiler.library.migration import migrate_texts

    if sum(map(arguments.has, _OUTPUTS)) > 1:
        raise UsageError(f"{', '.join(_OUTPUTS)} exclude each other")
    settings = settings_of(arguments)
    options = settings.options._replace(convert=_wishes(arguments))
    settings = Settings(options, settings.config, (*settings.config.runtimes, *arguments.all("--runtimes")), settings.exclude)
    report = Report(policy_of(arguments, settings.config, errors_stand=True), (messages(arguments, streams),))
    paths = paths_of(arguments, streams)
    if "-" in paths and (arguments.has("--write") or arguments.has("--output-dir")):
        raise UsageError("standard input has no file to write: leave out --write and --output-dir, and redirect standard output")
    sources = read_paths(paths, settings, streams)
    texts = [(source.file, text) for source in sources if not source.runtimes_only and (text := _text_of(source, report)) is not None]
    migrations = migrate_texts(texts, settings.options, _runtimes(sources, report))
    report.add(settings.options.problems)
    for migration in migrations:
        report.add(migration.diagnostics)
    report.finish()
    if arguments.has("--check"):
        if report.failed:
            return report.exit_code
        return DIFFERENCES if _check(migrations, streams) else report.exit_code
    if arguments.has("--write") or arguments.has("--output-dir"):
        _write(migrations, arguments, streams)
    elif not report.failed:
        _put(migrations, streams)
    return report.exit_code


def _wishes(arguments: Arguments) -> Wishes:
    runtime, gang = arguments.get("--runtime"), arguments.get("--gang", GANGS[0])
    if runtime and gang != GANGS[0]:
        raise UsageError("--gang is written into a runtime, and --runtime names one that exists: leave one of them out")
    if runtime.count("/") > 1 or (runtime and not runtime.rpartition("/")[2]):
        raise UsageError(f"--runtime is NAME or KIND/NAME, not {runtime!r}")
    return Wishes(
        v1_env=not arguments.has("--no-v1-env"),
        runtime=runtime,
        manager=arguments.get("--manager", MANAGER),
        gang=gang,
        use=arguments.get("--use"),
        native=arguments.has("--native"),
        trainer_fields=arguments.has("--trainer-fields"),
        keep_ttl=arguments.has("--keep-ttl"),
        keep_backoff=arguments.has("--keep-backoff"),
        keep_success_policy=arguments.has("--keep-success-policy"),
    )


def _text_of(source: Source, report: Report) -> str | None:
    """The text of a source; None where it cannot be read, which is reported, or where a folder's file has nothing to do with us."""
    from jobset_compiler.library.sources import may_be_ours
    from jobset_compiler.source.decode import decode_blocks
    from jobset_compiler.source.diagnose import diagnose
    from jobset_compiler.source.files import unreadable

    try:
        text = "".join(decode_blocks(source.blocks()))
    except OSError as error:
        report.add(diagnose((unreadable(source.file, error),)))
        return None
    return None if source.from_folder and not may_be_ours(text) else text


def _runtimes(sources: list[Source], report: Report) -> list[Document]:
    from jobset_compiler.admission.documents import may_be_runtime
    from jobset_compiler.library.sources import read
    from jobset_compiler.source.diagnose import diagnose
    from jobset_compiler.source.document import Document

    found: list[Document] = []
    for source in sources:
        for item in read(source) if source.runtimes_only else ():
            if not isinstance(item, Document):
                report.add(diagnose((item,)))
            elif may_be_runtime(item.text):
                found.append(item)
    return found


def _check(migrations: list[Migration], streams: Streams) -> bool:
    """Names the files that would change."""
    changed = [migration for migration in migrations if migration.changed]
    for migration in changed:
        streams.put(f"{migration.file}\n")
    return bool(changed)


def _put(migrations: list[Migration], streams: Streams) -> None:
    """All texts as one stream of documents."""
    before = ""
    for text in filter(None, (migration.text for migration in migrations)):
        if before and not before.endswith("\n"):
            streams.put("\n")
        if before and not text.startswith("---"):
            streams.put("---\n")
        streams.put(text)
        before = text


def _write(migrations: list[Migration], arguments: Arguments, streams: Streams) -> None:
    """Each text that has no errors into its file: the old one, or one below the folder."""
    from jobset_compiler.cli.atomic import write_text

    root = arguments.get("--output-dir")
    targets = {migration.file: os.path.join(root, _below(migration.file, arguments.words)) if root else migration.file for migration in migrations}
    if len(set(targets.values())) < len(targets):
        raise UsageError("two of the files have one name below --output-dir: migrate them into different folders")
    for migration in migrations:
        target = targets[migration.file]
        if migration.ok and (root or migration.changed):
            if root:
                _make_folder(os.path.dirname(target))
            write_text(target, migration.text)
            if not arguments.has("--quiet"):
                streams.say(f"{'migrated' if migration.changed else 'copied'} {migration.file}{f' to {target}' if root else ''}\n")
        elif not migration.ok:
            streams.say(f"not written: {migration.file}\n")


def _below(file: str, given: tuple[str, ...]) -> str:
    """The path of a file below the folder that was given, else its name."""
    for path in given:
        if os.path.isdir(path):
            relative = os.path.relpath(file, path)
            if not relative.startswith(os.pardir):
                return relative
    return os.path.basename(file)


def _make_folder(folder: str) -> None:
    try:
        os.makedirs(folder or os.curdir, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make folder {folder}: {error.strerror or error}") from None

