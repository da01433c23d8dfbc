"""`schema`: the JSON Schema of a kind, for editors and validators."""

from __future__ import annotations

from jobset_compiler.cli.arguments import Option, UsageError, Verb, near
from jobset_compiler.cli.common import TRAINER_VERSION, profile_of
from jobset_compiler.lean import TYPE_CHECKING
from jobset_compiler.schemas import KINDS, schema_text

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
    (Option(("--lenient",), "allow unknown fields, as a server without strict validation does"), TRAINER_VERSION),
    (
        ("jobset-compiler schema TrainJob > trainjob.json", "for an editor"),
        ("jobset-compiler schema JobSet --trainer-version v2.1", "of the JobSet release behind Trainer 2.1"),
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
    streams.put(schema_text(kind, profile_of(arguments.get("--trainer-version")).name, strict=not arguments.has("--lenient")))
    return 0
