"""`fn`: a KRM function on standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobset_compiler.cli.arguments import UsageError, Verb
from jobset_compiler.cli.common import COMPILING, MESSAGES, policy_of, read_paths, settings_of
from jobset_compiler.source.files import STDIN

if TYPE_CHECKING:
    from typing import Any

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams

VERB = Verb(
    "fn",
    "be a KRM function: a ResourceList on standard input, a ResourceList on standard output",
    """
For kustomize (`kustomize build --enable-alpha-plugins --enable-exec`), kpt and other orchestrators. TrainJobs among the items give place to the objects that \
the controller would create, runtimes are left out, everything else stays as it is. What there is to say is in `results`, and on standard error.

functionConfig is a ConfigMap whose data has the settings, or an object of any other kind whose spec has them:

  trainerVersion: v2.3         release of Kubeflow Trainer
  jobsetVersion: "0.12"        release of JobSet in the cluster, where it is not the one that the release comes with
  mode: render                 or check: results only, items stay as they are
  form: admitted               with JobSet's defaults, so that it can be applied twice; or submitted: as the controller sends it
  secrets: true                false: leave out Secrets, such as the SSH keys of MPI jobs, whose placeholder no cluster takes
  withSnapshot: false          true: also the ConfigMap in which the controller keeps the runtime, from 2.3 on
  keepRuntimes: false          keep runtimes among the items
  bundledRuntimes: true        community runtimes may be used
  namespace: ""                of TrainJobs and runtimes that have none
  validate: strict             unknown and duplicate fields: strict, warn or ignore
  ignoreMissingRuntime: false  leave TrainJobs alone whose runtime is not among the items
  featureGates: {}             of the controller; text as in "TrainJobStatus=true" in a ConfigMap
  extensions: []               what is to act although no release of Trainer does it; "mpi-hydra, tensorflow" in a ConfigMap
  uid: ""                      of the TrainJob, where it has none
""",
    (*COMPILING, *MESSAGES),
    (("kustomize build --enable-alpha-plugins --enable-exec overlay/", "with the function named in overlay/kustomization.yaml"),),
)


def run(arguments: Arguments, streams: Streams) -> int:
    from jobset_compiler.cli import ERRORS, OK
    from jobset_compiler.diagnostics.settled import settle
    from jobset_compiler.diagnostics.text import COLOURED, PLAIN, render
    from jobset_compiler.emit.yaml import document
    from jobset_compiler.integrations.krm import transform

    settings = settings_of(arguments)
    policy, runtimes = policy_of(arguments, settings.config, errors_stand=True), read_paths((), settings, streams)
    outcome = transform(_read(streams), settings.options, policy, runtimes)
    streams.put(document(outcome.resource_list))
    style = COLOURED if streams.colour(arguments.get("--color", "auto")) else PLAIN
    for finding in outcome.findings:
        diagnostic = finding.diagnostic
        if diagnostic.is_error or (diagnostic.severity == "warning" and not arguments.has("--quiet")):
            streams.say_styled(render(settle(diagnostic), style))
    return ERRORS if outcome.failed else OK


def _read(streams: Streams) -> Any:
    """Standard input as one value. Raises UsageError for a terminal and for text that is no YAML."""
    if streams.stdin.isatty():
        raise UsageError("fn reads a ResourceList from standard input; an orchestrator such as kustomize gives it one")
    from jobset_compiler.source.complete import read_completely

    text = streams.stdin.read().decode("utf-8", "replace")
    value, _, fault = read_completely(text)
    if fault is not None:
        line = text.count("\n", 0, fault.start) + 1
        raise UsageError(f"{STDIN}:{line}: {fault.message}")
    return value
