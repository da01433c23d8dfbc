"""What Kubernetes lets names, labels and metadata be, in its own words.

Every check is a pure function from a text to the messages about it; none means valid. Source: `util/validation`,
`api/validate/content` and `api/validation` of k8s.io/apimachinery 0.32 to 0.36. Lengths count bytes, as there.
The few texts that changed between those releases are in `Wording`, which the caller passes in.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from jobset_compiler.value import Frozen, Value

if TYPE_CHECKING:
    from jobset_compiler.diagnostics.place import Path


class NameProblem(Value):
    """What is wrong with metadata: the server's path, kind of error and message, the bad value, and where that stands if that is more exact."""

    __slots__ = ("at", "kind", "message", "path", "value")

    def __init__(self, path: "Path", kind: str, message: str, value: object, at: "Path" = ()) -> None:
        self.path: Final = path
        self.kind: Final = kind
        self.message: Final = message
        self.value: Final = value
        self.at: Final = at


INVALID: Final = "FieldValueInvalid"
REQUIRED: Final = "FieldValueRequired"
TOO_LONG: Final = "FieldValueTooLong"

LABEL_LENGTH: Final = 63
SUBDOMAIN_LENGTH: Final = 253
PORT_NAME_LENGTH: Final = 15
ANNOTATIONS_SIZE: Final = 256 * 1024

_DIGITS: Final = "0123456789"
_LOWER: Final = "abcdefghijklmnopqrstuvwxyz"
_LOWER_ALPHANUMERIC: Final = _LOWER + _DIGITS
_ALPHANUMERIC: Final = _LOWER.upper() + _LOWER + _DIGITS
_LABEL_CHARACTERS: Final = _ALPHANUMERIC + "-_."
_PATH_CHARACTERS: Final = _ALPHANUMERIC + "/-._~%!$&'()*+,;=:"
_PRINTABLE_BUT_EQUALS: Final = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "=")

_LABEL_PATTERN: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN_PATTERN: Final = rf"{_LABEL_PATTERN}(\.{_LABEL_PATTERN})*"
_KEY_PATTERN: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_PATH_PATTERN: Final = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"

_NOT_A_LABEL: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an "
    f"alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL_PATTERN}')"
)
_NOT_A_SUBDOMAIN: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end "
    f"with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN_PATTERN}')"
)
_LABEL_PATTERN_WITH_UNDERSCORE: Final = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_NOT_A_SUBDOMAIN_WITH_UNDERSCORE: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'example.com', regex used for validation is "
    rf"'{_LABEL_PATTERN_WITH_UNDERSCORE}(\.{_LABEL_PATTERN_WITH_UNDERSCORE})*')"
)
_NOT_A_DNS1035_LABEL: Final = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end "
    "with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')"
)
_NOT_A_KEY: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_KEY_PATTERN}')"
)
_NOT_A_LABEL_VALUE: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    f"'({_KEY_PATTERN})?')"
)
_NOT_A_RELAXED_ENV_NAME: Final = "a valid environment variable name must consist only of printable ASCII characters other than '='"
_NOT_A_CONFIG_KEY: Final = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or "
    "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)


class NameWording(Frozen):
    """The texts that depend on the Kubernetes libraries; the defaults are those of 0.35 and 0.36."""

    label_length_unit: str = "bytes"
    """What label keys and values are measured in: "characters" up to 0.34."""
    label_key: str = "a valid label key"
    """What a key with several slashes fails to be: "a qualified name" up to 0.34."""
    names_owner_fields: bool = False
    """Whether an empty field of an owner reference is named again in the message: up to 0.32."""

    def __hash__(self) -> int:
        return hash(self.label_key)


NEWEST_WORDING: Final = NameWording()


def is_dns1123_label(value: str) -> tuple[str, ...]:
    """Namespaces, container names."""
    messages = _length_messages(value, LABEL_LENGTH)
    if _is_label(value):
        return messages
    return (*messages, "must not contain dots" if _is_subdomain(value) else _NOT_A_LABEL)


def is_dns1123_subdomain(value: str) -> tuple[str, ...]:
    """Names of most objects."""
    messages = _length_messages(value, SUBDOMAIN_LENGTH)
    return messages if _is_subdomain(value) else (*messages, _NOT_A_SUBDOMAIN)


def is_dns1123_subdomain_with_underscore(value: str) -> tuple[str, ...]:
    """Search domains: each label may begin with an underscore, and have more inside."""
    messages = _length_messages(value, SUBDOMAIN_LENGTH)
    is_valid = all(_is_label(label.removeprefix("_").replace("_", "-")) for label in value.split("."))
    return messages if is_valid else (*messages, _NOT_A_SUBDOMAIN_WITH_UNDERSCORE)


def is_dns1035_label(value: str) -> tuple[str, ...]:
    """Names of services, and what TrainJobs and the Jobs of a JobSet may be called."""
    messages = _length_messages(value, LABEL_LENGTH)
    is_valid = _is_label(value) and value[0] not in _DIGITS
    return messages if is_valid else (*messages, _NOT_A_DNS1035_LABEL)


def is_qualified_name(value: str, wording: NameWording = NEWEST_WORDING) -> tuple[str, ...]:
    """Keys of labels, annotations (after lowering them), and finalizers: `[subdomain/]name`."""
    return _remembered(value, wording) if len(value) <= SUBDOMAIN_LENGTH else _key_messages(value, wording)


def _key_messages(value: str, wording: NameWording) -> tuple[str, ...]:
    prefix, slash, name = value.rpartition("/")
    if "/" in prefix:
        return (f"{wording.label_key} {_NOT_A_KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",)
    messages: tuple[str, ...] = ()
    if slash and not prefix:
        messages = ("prefix part must be non-empty",)
    elif slash:
        lengths = _length_messages(prefix, SUBDOMAIN_LENGTH, wording.label_length_unit)
        texts = lengths if _is_subdomain(prefix) else (*lengths, _NOT_A_SUBDOMAIN)
        messages = tuple(f"prefix part {text}" for text in texts)
    if not name:
        messages = (*messages, "name part must be non-empty")
    for text in _length_messages(name, LABEL_LENGTH, wording.label_length_unit):
        messages = (*messages, f"name part {text}")
    return messages if _is_key(name) else (*messages, f"name part {_NOT_A_KEY}")


# The same few keys stand in all manifests.
_remembered = lru_cache(maxsize=1024)(_key_messages)


def is_valid_label_value(value: str, wording: NameWording = NEWEST_WORDING) -> tuple[str, ...]:
    messages = _length_messages(value, LABEL_LENGTH, wording.label_length_unit)
    return messages if not value or _is_key(value) else (*messages, _NOT_A_LABEL_VALUE)


def is_domain_prefixed_path(value: str) -> tuple[tuple[str, str, str], ...]:
    """Names of managers, such as `acme.io/foo`: (error type, message, the part at fault) for each problem."""
    if not value:
        return ((REQUIRED, "", ""),)
    host, _, path = value.partition("/")
    if not host or not path:
        return ((INVALID, 'must be a domain-prefixed path (such as "acme.io/foo")', value),)
    problems = tuple((INVALID, message, host) for message in is_dns1123_subdomain(host))
    if path.strip(_PATH_CHARACTERS):
        problems = (*problems, (INVALID, f"Invalid path (regex used for validation is '{_PATH_PATTERN}')", path))
    return problems


def is_relaxed_env_var_name(value: str) -> tuple[str, ...]:
    """The rule with the feature gate RelaxedEnvironmentVariableValidation."""
    if not value:
        return ("environment variable name must be non-empty",)
    return (_NOT_A_RELAXED_ENV_NAME,) if value.strip(_PRINTABLE_BUT_EQUALS) else ()


def is_config_map_key(value: str) -> tuple[str, ...]:
    """Keys of ConfigMaps and Secrets."""
    messages = _length_messages(value, SUBDOMAIN_LENGTH)
    if not value or value.strip(_LABEL_CHARACTERS):
        messages = (*messages, _NOT_A_CONFIG_KEY)
    return (*messages, *_directory_messages(value))


def is_valid_port_name(value: str) -> tuple[str, ...]:
    messages = list(_length_messages(value, PORT_NAME_LENGTH))
    if not value or value.strip(_LOWER_ALPHANUMERIC + "-"):
        messages.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not any(letter in _LOWER for letter in value):
        messages.append("must contain at least one letter (a-z)")
    if "--" in value:
        messages.append("must not contain consecutive hyphens")
    if value[:1] == "-" or value[-1:] == "-":
        messages.append("must not begin or end with a hyphen")
    return tuple(messages)


def object_meta_problems(meta: dict[str, object], namespaced: bool, wording: NameWording = NEWEST_WORDING) -> tuple[NameProblem, ...]:
    """What the API server refuses in the `metadata` of a custom resource that is created (`ValidateObjectMeta`).

    Paths start with "metadata". Values of another type than Kubernetes' are passed over; decoding refuses those. The server
    itself fills in a missing namespace, drops that of a cluster-scoped object, and sets generation and managed fields: no
    problems arise there. A generated name is not checked, being random; its prefix is. Where the server's order is random
    (labels, annotations) ours is the document's.
    """
    problems: list[NameProblem] = []

    def add(field: str, messages: tuple[str, ...], value: object, *key: str) -> None:
        at = ("metadata", field, *key) if key else ()
        problems.extend(NameProblem(("metadata", field), INVALID, message, value, at) for message in messages)

    prefix, name, namespace = _text(meta, "generateName"), _text(meta, "name"), _text(meta, "namespace")
    if prefix and (messages := is_dns1123_subdomain(_without_final_dash(prefix))):
        add("generateName", messages, prefix)
    if name:
        if messages := is_dns1123_subdomain(name):
            add("name", messages, name)
    elif not prefix:
        problems.append(NameProblem(("metadata", "name"), REQUIRED, "name or generateName is required", ""))
    if namespaced and namespace and (messages := is_dns1123_label(namespace)):
        add("namespace", messages, namespace)

    for key, value in _texts(meta, "labels"):
        if messages := is_qualified_name(key, wording):
            add("labels", messages, key, key)
        if messages := is_valid_label_value(value, wording):
            add("labels", messages, value, key)

    size = 0
    for key, value in _texts(meta, "annotations"):
        if messages := is_qualified_name(lowered(key), wording):
            add("annotations", messages, key, key)
        size += _bytes_in(key) + _bytes_in(value)
    if size > ANNOTATIONS_SIZE:
        problems.append(NameProblem(("metadata", "annotations"), TOO_LONG, f"may not be more than {ANNOTATIONS_SIZE} bytes", ""))

    if "ownerReferences" in meta:
        problems.extend(_owner_problems(meta["ownerReferences"], wording))
    if "finalizers" in meta:
        problems.extend(_finalizer_problems(meta["finalizers"], wording))
    return tuple(problems)


def _owner_problems(owners: object, wording: NameWording) -> list[NameProblem]:
    if not isinstance(owners, list):
        return []
    path = ("metadata", "ownerReferences")
    problems: list[NameProblem] = []
    controller = ""
    for owner in owners:
        if not isinstance(owner, dict):
            continue
        api_version, kind, name = _text(owner, "apiVersion"), _text(owner, "kind"), _text(owner, "name")
        group, _, version = api_version.rpartition("/")
        if not version or "/" in group:
            problems.append(NameProblem((*path, "apiVersion"), INVALID, "version must not be empty", api_version))
        for field in ("kind", "name", "uid"):
            if not _text(owner, field):
                subject = f"{field} " if wording.names_owner_fields else ""
                problems.append(NameProblem((*path, field), INVALID, f"{subject}must not be empty", ""))
        if (group, version, kind) == ("", "v1", "Event"):
            problems.append(NameProblem(path, INVALID, "/v1, Kind=Event is disallowed from being an owner", owner))
        if owner.get("controller") is True:
            current = f"{kind}/{name}"
            if controller:
                message = f'Only one reference can have Controller set to true. Found "true" in references for {controller} and {current}'
                problems.append(NameProblem(path, INVALID, message, owners))
            else:
                controller = current
    return problems


def _finalizer_problems(finalizers: object, wording: NameWording) -> list[NameProblem]:
    if not isinstance(finalizers, list):
        return []
    path = ("metadata", "finalizers")
    problems: list[NameProblem] = [
        NameProblem(path, INVALID, message, finalizer)
        for finalizer in finalizers
        if isinstance(finalizer, str)
        for message in is_qualified_name(finalizer, wording)
    ]
    if "orphan" in finalizers and "foregroundDeletion" in finalizers:
        problems.append(NameProblem(path, INVALID, "finalizer orphan and foregroundDeletion cannot be both set", finalizers))
    return problems


def _is_label(value: str) -> bool:
    # Stripping the allowed characters leaves nothing exactly when there are no others.
    return bool(value) and not value.strip(_LOWER_ALPHANUMERIC + "-") and value[0] != "-" and value[-1] != "-"


def _is_subdomain(value: str) -> bool:
    return all(map(_is_label, value.split(".")))


def _is_key(value: str) -> bool:
    return bool(value) and not value.strip(_LABEL_CHARACTERS) and value[0] not in "-_." and value[-1] not in "-_."


def _bytes_in(value: str) -> int:
    return len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))


def _length_messages(value: str, most: int, unit: str = "characters") -> tuple[str, ...]:
    return (f"must be no more than {most} {unit}",) if _bytes_in(value) > most else ()


def _directory_messages(value: str) -> tuple[str, ...]:
    if not value.startswith(".."):
        return ("must not be '.'",) if value == "." else ()
    return ("must not be '..'",) if value == ".." else ("must not start with '..'",)


def _without_final_dash(prefix: str) -> str:
    # Kubernetes takes off two bytes where it means to replace one, so `a.-` passes.
    if len(prefix) < 2 or not prefix.endswith("-"):
        return prefix
    return prefix.encode("utf-8", "surrogatepass")[:-2].decode("utf-8", "replace") + "a"


def lowered(key: str) -> str:
    # One character for each, unlike str.lower, which makes two of `İ`.
    return key.lower() if key.isascii() else "".join(character.lower()[0] for character in key)


def _text(fields: dict[str, object], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _texts(fields: dict[str, object], key: str) -> list[tuple[str, str]]:
    values = fields.get(key)
    if not isinstance(values, dict):
        return []
    return [(name, value) for name, value in values.items() if isinstance(name, str) and isinstance(value, str)]
