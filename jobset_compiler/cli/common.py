"""What the verbs that compile have in common: their options, and how these become Options, sources and a Report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from jobset_compiler.cli.arguments import Option, UsageError, near
from jobset_compiler.cli.streams import PROGRAM
from jobset_compiler.diagnostics.report import Policy, Subject
from jobset_compiler.diagnostics.text import TextWriter
from jobset_compiler.extensions import NAMES, with_extensions
from jobset_compiler.library.streaming import compile_stream
from jobset_compiler.profiles import JOBSETS, NEWEST, PROFILES, find, find_jobset
from jobset_compiler.profiles.kubernetes import MINORS, find_kubernetes
from jobset_compiler.request.options import Options
from jobset_compiler.request.plugins import Discovered, discover
from jobset_compiler.request.settings import Config
from jobset_compiler.resolve.facts import NO_FACTS
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.progress import Progress
    from jobset_compiler.cli.streams import Streams
    from jobset_compiler.diagnostics.diagnostic import Diagnostic
    from jobset_compiler.diagnostics.report import Report
    from jobset_compiler.dialects.wishes import Wishes
    from jobset_compiler.library.sources import Source
    from jobset_compiler.library.streaming import Step
    from jobset_compiler.profiles import Profile
    from jobset_compiler.profiles.kubernetes import Kubernetes
    from jobset_compiler.resolve.facts import Facts

VALIDATE = ("strict", "warn", "ignore")
FILENAME = Option(("-f", "--filename"), "file, folder or - to read, as kubectl has it; the same as PATH", "PATH", many=True, paths=True, is_word=True)
TRAINER_VERSION = Option(("--trainer-version",), f"release of Kubeflow Trainer to compile for; default {NEWEST.name}", "VERSION", offers="releases")
EXTENSION = Option(("--extension",), "what is to act although no release of Trainer does it", "NAME", choices=NAMES, many=True)
CONFIGURED = (
    Option(("--no-bundled-runtimes",), "use only runtimes that are given"),
    Option(("--exclude",), "leave out files of folders", "GLOB", many=True),
    Option(("--config",), "settings file instead of the nearest pyproject.toml or .jobset-compiler.yaml", "FILE", paths=True),
    Option(("--no-config",), "look for no settings file"),
)
COMPILING = (
    Option(("-r", "--runtime"), "file or folder with runtimes; TrainJobs in it are left alone", "PATH", many=True, paths=True),
    Option(("-n", "--namespace"), "namespace of documents that have none", "NAME"),
    TRAINER_VERSION,
    Option(("--jobset-version",), "release of JobSet in the cluster; default the one that the Trainer release comes with", "VERSION", offers="jobsets"),
    Option(
        ("--kubernetes-version",), "minor release of Kubernetes whose API judges Jobs and Pods; default that of the release", "VERSION", offers="kubernetes"
    ),
    Option(("--ignore-missing-runtime",), "leave TrainJobs alone whose runtime is not given"),
    Option(("--validate",), "unknown and duplicate fields: strict as kubectl apply (default), warn as a server, ignore", "HOW", choices=VALIDATE),
    Option(("--facts",), "YAML file with what only a cluster knows: uid, priorityClasses, ...", "FILE", paths=True),
    Option(("--feature-gate",), "feature gate of the controller, such as TrainJobStatus=true", "NAME=BOOL", many=True),
    Option(("--no-plugins",), "leave out passes of other distributions"),
    EXTENSION,
    Option(("--convert",), "compile documents of older APIs and spellings too, as migrate would rewrite them"),
    *CONFIGURED,
)
MESSAGES = (Option(("--color",), "colours in messages; default auto: on a terminal", "WHEN", choices=("auto", "always", "never")),)
FAIL_ON = Option(("--fail-on",), "from which severity on the exit code is 1; default error", "SEVERITY", choices=("error", "warning"))


class Settings(Value):
    """Options of the compile, and the project's settings."""

    __slots__ = ("config", "exclude", "options", "runtimes")

    def __init__(self, options: Options, config: Config, runtimes: tuple[str, ...], exclude: tuple[str, ...]) -> None:
        self.options: Final = options
        self.config: Final = config
        self.runtimes: Final = runtimes
        self.exclude: Final = exclude


def settings_of(arguments: Arguments, folder: str = "") -> Settings:
    """From the command line, and from the settings file where that says nothing. folder: where that is looked for, by default where we are. Raises
    UsageError."""
    config = config_of(arguments, folder)
    facts = _facts(arguments.get("--facts") or config.facts)
    gates = dict(config.feature_gates) | dict(map(_gate, arguments.all("--feature-gate")))
    if gates:
        off = {gate for gate, on in gates.items() if not on}
        facts = facts._replace(feature_gates=(facts.feature_gates | gates.keys()) - off)
    plugins = Discovered() if arguments.has("--no-plugins") else discover()
    release = arguments.get("--trainer-version") or config.trainer_version
    jobset = arguments.get("--jobset-version") or config.jobset_version
    profile = with_jobset(profile_of(release), jobset)
    options = Options(
        profile=profile,
        kubernetes=kubernetes_of_name(arguments.get("--kubernetes-version") or config.kubernetes_version),
        bundled_runtimes=config.bundled_runtimes and not arguments.has("--no-bundled-runtimes"),
        facts=facts,
        namespace=arguments.get("--namespace") or config.namespace,
        ignore_missing_runtime=config.ignore_missing_runtime or arguments.has("--ignore-missing-runtime"),
        validate=arguments.get("--validate") or _validate(config),
        convert=_wishes() if arguments.has("--convert") else None,
        passes=with_extensions(plugins.passes, extensions_of(arguments, config)),
        problems=(*_about(release, profile, jobset), *plugins.diagnostics),
    )
    return Settings(options, config, (*config.runtimes, *arguments.all("--runtime")), (*config.exclude, *arguments.all("--exclude")))


def _wishes() -> Wishes:
    from jobset_compiler.dialects.wishes import Wishes

    return Wishes()


def extensions_of(arguments: Arguments, config: Config) -> tuple[str, ...]:
    """Those of the settings and those of the command line."""
    for name in config.extensions:
        if name not in NAMES:
            raise UsageError(f"{config.file}: unknown extension {name!r}; known: {', '.join(NAMES)}{near(name, NAMES)}")
    return (*config.extensions, *arguments.all("--extension"))


def _about(release: str, profile: Profile, jobset: str) -> tuple[Diagnostic, ...]:
    """What there is to say about releases that were named."""
    if not (release or jobset):
        return ()
    from jobset_compiler.request.releases import about_release

    return about_release(release, profile, jobset)


def _validate(config: Config) -> str:
    """As the settings have it, else as kubectl."""
    how = config.validate or VALIDATE[0]
    if how not in VALIDATE:
        raise UsageError(f"{config.file}: validate is one of {', '.join(VALIDATE)}, not {how!r}")
    return how


def config_of(arguments: Arguments, folder: str = "") -> Config:
    from jobset_compiler.request import settings as config

    file = arguments.get("--config")
    try:
        if file:
            return config.load(file)
        here = "" if arguments.has("--no-config") else folder or _working_directory()
        found = config.find(here) if here else ""
        return config.load_found(found) if found else Config()
    except config.ConfigError as error:
        raise UsageError(str(error)) from None


def _working_directory() -> str:
    """Where settings are looked for; "" where somebody has removed the folder under us."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def profile_of(name: str) -> Profile:
    if not name:
        return NEWEST
    profile = find(name)
    if profile is None:
        known = tuple(known.name for known in PROFILES)
        raise UsageError(f"unknown trainer version {name!r}; known: {', '.join(known)}{near(name, known)}")
    return profile


def with_jobset(profile: Profile, name: str) -> Profile:
    """The release of Trainer with the JobSet of that name, its own for ""."""
    if not name:
        return profile
    jobset = find_jobset(name)
    if jobset is None:
        known = tuple(known.version for known in JOBSETS)
        raise UsageError(f"unknown JobSet version {name!r}; known: {', '.join(known)}{near(name, known)}")
    return profile.with_jobset(jobset)


def kubernetes_of_name(name: str) -> Kubernetes | None:
    """None: that of the release."""
    if not name:
        return None
    minor = find_kubernetes(name)
    if minor is None:
        known = tuple(known.name for known in MINORS)
        raise UsageError(f"unknown Kubernetes version {name!r}; known: {', '.join(known)}{near(name, known)}")
    return minor


def _gate(text: str) -> tuple[str, bool]:
    name, equals, value = text.partition("=")
    if not name or not equals or value.lower() not in ("true", "false"):
        raise UsageError(f"--feature-gate is NAME=true or NAME=false, not {text!r}")
    return name, value.lower() == "true"


def _facts(file: str) -> Facts:
    if not file:
        return NO_FACTS
    from jobset_compiler.cli.facts import facts_of

    return facts_of(file)


def paths_of(arguments: Arguments, streams: Streams) -> tuple[str, ...]:
    """The inputs: those given, else standard input if something is piped in. Raises UsageError for none at all."""
    for word in arguments.words:
        if word.startswith(("https://", "http://")):
            raise UsageError(f"{word} is not fetched, as no connection is ever opened: pipe it in, as in `curl -sSL URL | {PROGRAM} check -`")
    if arguments.words:
        return arguments.words
    if streams.stdin.isatty():
        raise UsageError("no input: give files, folders, or - for standard input")
    return ("-",)


def sources_of(arguments: Arguments, settings: Settings, streams: Streams) -> list[Source]:
    return read_paths(paths_of(arguments, streams), settings, streams)


def read_paths(paths: Sequence[str], settings: Settings, streams: Streams) -> list[Source]:
    """The sources of these paths and of the runtimes that were given."""
    from jobset_compiler.cli import inputs

    sources = inputs.sources_of(paths, settings.runtimes, streams.stdin, settings.exclude)
    return streams.progress.watched(sources) if streams.progress is not None else sources


def policy_of(arguments: Arguments, config: Config, *, errors_stand: bool) -> Policy:
    """What is taken how seriously. Raises UsageError for a code that does not exist."""
    chosen = {name: (*given, *arguments.all(f"--{name}")) for name, given in _severities(config)}
    if any(chosen.values()):
        from jobset_compiler.diagnostics.codes import all_codes

        codes = all_codes()
        known = {name: code.code for code in codes for name in (code.code, code.slug)}
        for name, given in chosen.items():
            for code in given:
                if code not in known:
                    raise UsageError(f"--{name}: unknown code {code!r}{near(code, tuple(known))}")
    fail_on = arguments.get("--fail-on") or config.fail_on or "error"
    if fail_on not in FAIL_ON.choices:
        raise UsageError(f"{config.file}: fail-on is one of {', '.join(FAIL_ON.choices)}, not {fail_on!r}")
    return Policy(
        ignore=frozenset(chosen["ignore"]),
        error_on=frozenset(chosen["error-on"]),
        warn_on=frozenset(chosen["warn-on"]),
        fail_on=fail_on,
        errors_stand=errors_stand,
        least="error" if arguments.has("--quiet") else "info",
        verbose=arguments.has("--verbose"),
    )


def _severities(config: Config) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ("ignore", config.ignore), ("error-on", config.error_on), ("warn-on", config.warn_on)


def messages(arguments: Arguments, streams: Streams, *, summary: bool = False) -> TextWriter:
    """What writes diagnostics to standard error, for people."""
    choice = arguments.get("--color", "auto")
    return TextWriter(streams.say_styled, colour=streams.colour(choice), links=streams.links(choice), quiet=arguments.has("--quiet"), summary=summary)


class Tally:
    """What was looked at, counted while the steps of a compile go by, and told to the progress if that is shown."""

    def __init__(self, progress: Progress | None = None) -> None:
        self.progress = progress
        self.documents = 0
        self.trainjobs = 0
        self.runtimes = 0


def compile_reported(sources: list[Source], options: Options, report: Report, tally: Tally) -> Iterator[Step]:
    """The steps of a compile, each after its diagnostics went to the report."""
    from jobset_compiler.admission.documents import TRAIN_JOB, kind_of
    from jobset_compiler.admission.subject import subject_of

    for step in compile_stream(sources, options):
        document = step.document
        if document is not None:
            tally.documents += 1
            kind = kind_of(document.value)
            if kind:
                if kind == TRAIN_JOB:
                    tally.trainjobs += 1
                    if tally.progress is not None:
                        tally.progress.trainjob()
                else:
                    tally.runtimes += 1
                report.subject(Subject(document.file, *subject_of(document)))
        if step.diagnostics:
            report.add(step.diagnostics)
        yield step
