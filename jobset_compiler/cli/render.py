"""`render`: TrainJobs and runtimes in, the objects that the controller would submit out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import Option, UsageError, Verb
from jobset_compiler.cli.common import COMPILING, FAIL_ON, FILENAME, MESSAGES, Settings, messages, policy_of, settings_of
from jobset_compiler.cli.streams import Held
from jobset_compiler.cli.units import SHEETS, objects_of, units
from jobset_compiler.diagnostics import codes
from jobset_compiler.diagnostics.report import Report
from jobset_compiler.result.forms import FORMS

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.resolve.facts import Facts

VERB = Verb(
    "render",
    "compile TrainJobs into the objects that the controller would submit",
    """
Reads files, folders (their .yaml, .yml and .json files, recursively, in sorted order) and standard input (-), and writes JobSets, PodGroups, ConfigMaps \
and Secrets to standard output. Documents of other kinds are left out, or kept with --passthrough.

Runtimes are looked for among all inputs, then in -r, then among the community runtimes that come with the compiler. If anything is wrong with the input, \
nothing is written and the exit code is 1; messages go to standard error.

Standard output has what the controller submits. Applied by kubectl as it stands that works once: JobSet fills in defaults when a JobSet is created and then \
refuses to have them taken away. To apply it again, say --form admitted, or `kubectl apply --server-side`. What goes into a folder (--output-dir) or on \
through a pipe (--passthrough) has the admitted form from the start. The SSH Secret of an MPI job holds a placeholder that every cluster refuses: give \
--ssh-key, or leave it out with --no-secrets where the cluster has one.
""",
    (
        Option(("-o", "--output"), "form of the output; default yaml", "FORMAT", choices=("yaml", "json", "name")),
        Option(("--output-dir",), "write NAMESPACE/TRAINJOB/KIND-NAME.yaml below this folder instead of standard output", "DIR", paths=True),
        Option(("--check",), "with --output-dir: write nothing, show what is out of date and exit with 3"),
        Option(("--update",), "with --output-dir: bring it up to date, show what changed and exit with 3 if anything did (for hooks)"),
        Option(("--passthrough",), "keep all other documents, byte for byte and in place; runtimes are left out"),
        Option(("--keep-runtimes",), "with --passthrough: keep runtimes too"),
        Option(
            ("--form",),
            "as submitted by the controller, or admitted: with JobSet's own defaults; default admitted with --output-dir and --passthrough, else submitted",
            "FORM",
            choices=FORMS,
        ),
        Option(("--no-secrets",), "leave out Secrets, such as the SSH keys of MPI jobs: whose placeholder no cluster takes"),
        Option(("--with-snapshot",), "also the ConfigMap in which the controller keeps the runtime (2.3), as far as it can be known"),
        Option(("--ssh-key",), "private key for the SSH Secret of MPI jobs; the public one is read from FILE.pub", "FILE", paths=True),
        Option(("--generate-ssh-keys",), "make a new key pair for them (needs the package cryptography)"),
        FILENAME,
        *COMPILING,
        FAIL_ON,
        *MESSAGES,
    ),
    (
        ("jobset-compiler render job.yaml", "one TrainJob, with the community runtimes of the newest release"),
        ("jobset-compiler render jobs/ -r platform/runtimes/", "a folder, with your own runtimes"),
        ("jobset-compiler render job.yaml --trainer-version v2.1", "as an older release would do it"),
        ("kustomize build . | jobset-compiler render --passthrough -", "in the middle of a pipe"),
        ("jobset-compiler render jobs/ --output-dir out/", "one file an object"),
        ("jobset-compiler render jobs/ --output-dir out/ --check", "is out/ up to date?"),
        ("jobset-compiler render job.yaml --form admitted | kubectl apply -f -", "to a cluster; kubectl diff likewise"),
        ("jobset-compiler render job.yaml | kubectl apply --server-side -f -", "the same in the form of the controller"),
    ),
    takes="[PATH... | -]",
    most=-1,
)


def run(arguments: Arguments, streams: Streams) -> int:
    settings = settings_of(arguments)
    options = settings.options._replace(facts=_with_ssh_keys(settings.options.facts, arguments))
    settings = Settings(options, settings.config, settings.runtimes, settings.exclude)
    policy = policy_of(arguments, settings.config, errors_stand=True)
    if arguments.has("--passthrough"):
        policy = policy._replace(ignore=policy.ignore | {codes.resolve.DOCUMENTS_SKIPPED.code})  # they are not
    report = Report(policy, (messages(arguments, streams),))
    for option in ("--check", "--update"):
        if arguments.has(option) and not arguments.get("--output-dir"):
            raise UsageError(f"{option} needs --output-dir: the folder to compare with")
    if arguments.get("--output-dir"):
        from jobset_compiler.cli.output_dir import run as render_to_folder

        return render_to_folder(arguments, settings, streams, report)
    if arguments.has("--passthrough"):
        from jobset_compiler.cli.passthrough import run as pass_through

        return pass_through(arguments, settings, streams, report)

    held = Held()
    sheet = SHEETS[arguments.get("--output", "yaml")](held)
    for unit in units(arguments, settings, streams, report):
        for manifest in objects_of(unit, arguments):
            sheet.add(manifest)
    report.finish()
    if report.failed:
        held.close()
        return report.exit_code
    sheet.finish()
    held.release(streams)
    return report.exit_code


def _with_ssh_keys(facts: Facts, arguments: Arguments) -> Facts:
    if arguments.get("--ssh-key") and arguments.has("--generate-ssh-keys"):
        raise UsageError("--ssh-key and --generate-ssh-keys exclude each other")
    if arguments.get("--ssh-key"):
        from jobset_compiler.cli.ssh_keys import read_keys

        return facts._replace(ssh_keys=read_keys(arguments.get("--ssh-key")))
    if arguments.has("--generate-ssh-keys"):
        from jobset_compiler.cli.ssh_keys import generate_keys

        return facts._replace(ssh_keys=generate_keys())
    return facts
