"""`schema`: the JSON Schema of a kind, for editors and validators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jobset_compiler.cli.arguments import Option, UsageError, Verb, near
from jobset_compiler.cli.common import TRAINER_VERSION, profile_of
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.diagnostics.redaction import hidden
from jobset_compiler.schemas import KINDS, json_schema, schema_text
from jobset_compiler.source.diagnose import diagnose
from jobset_compiler.source.files import read_files

if TYPE_CHECKING:
    from jobset_compiler.cli.arguments import Arguments
    from jobset_compiler.cli.streams import Streams

VERB = Verb(
    "schema",
    "print the JSON Schema (2020-12) of a kind",
    f"""
What the API server checks when an object is created, as far as JSON Schema can say it: types, required fields, enums, limits; unknown fields are errors. \
Kinds: {", ".join(KINDS)}.

An editor with the YAML language server uses it with a first line such as

  # yaml-language-server: $schema=trainjob.json
""",
    (
        Option(("--lenient",), "allow unknown fields, as a server without strict validation does"),
        Option(("--validate",), "check the documents of that kind in PATH against it instead of printing it", "PATH", many=True, paths=True),
        TRAINER_VERSION,
    ),
    (
        ("jobset-compiler schema TrainJob > trainjob.json", "for an editor"),
        ("jobset-compiler schema JobSet --trainer-version v2.1", "of the JobSet release behind Trainer 2.1"),
        ("jobset-compiler render job.yaml | jobset-compiler schema JobSet --validate -", "what an editor or a validator would say"),
    ),
    takes="KIND",
    least=1,
    most=1,
    words=tuple(KINDS),
)


def run(arguments: Arguments, streams: Streams) -> int:
    wanted = arguments.words[0]
    kind = next((kind for kind in KINDS if kind.lower() == wanted.lower()), None)
    if kind is None:
        raise UsageError(f"no schema of {wanted!r}{near(wanted, tuple(KINDS))}; known: {', '.join(KINDS)}")
    profile, strict = profile_of(arguments.get("--trainer-version")).name, not arguments.has("--lenient")
    if arguments.has("--validate"):
        return _validate(kind, json_schema(kind, profile, strict=strict), arguments, streams)
    streams.put(schema_text(kind, profile, strict=strict))
    return 0


def _validate(kind: str, schema: dict[str, Any], arguments: Arguments, streams: Streams) -> int:
    """Says at which place each document of that kind differs from the schema. `check` says far more; this is for the schema itself."""
    from jsonschema import Draft202012Validator

    documents, problems = read_files(arguments.all("--validate"), streams.stdin)
    for problem in diagnose(problems):
        streams.say(f"{problem.span}: {problem.message}\n")
    wanted = [document for document in documents if isinstance(document.value, dict) and document.value.get("kind") == kind]
    validator = Draft202012Validator(schema)
    faults = 0
    for document in wanted:
        for fault in sorted(validator.iter_errors(hidden(document.value)), key=lambda fault: [str(step) for step in fault.absolute_path]):
            where = tuple(fault.absolute_path)
            faults += 1
            streams.say(f"{document.locate(where)}: {format_path(where) if where else kind}: {fault.message}\n")
    if not arguments.has("--quiet"):
        streams.say(f"{len(wanted)} {kind} {'document' if len(wanted) == 1 else 'documents'}, {faults or 'no'} {'fault' if faults == 1 else 'faults'}\n")
    if any(problem.slug == "unreadable" for problem in problems):
        return 2
    return 1 if faults or any(problem.is_error for problem in problems) else 0
