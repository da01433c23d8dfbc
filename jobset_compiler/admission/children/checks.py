"""The vocabulary of the rules: what a check is, and how checks of parts make the check of a whole.

A check looks at one value and answers with faults whose paths begin there; it never knows where the value stands. Tables of fields are
followed in the API server's order, and only for the fields that are present: what is not written costs one look.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from jobset_compiler.admission.children.faults import NONE, Fault, Faults, invalid, required, under, unsupported
from jobset_compiler.kube import names
from jobset_compiler.profiles.kubernetes import WORDS_SAY_BYTES
from jobset_compiler.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jobset_compiler.diagnostics.place import Path
    from jobset_compiler.profiles.kubernetes import Kubernetes

Tree = dict[str, Any]
NOT_NEGATIVE = "must be greater than or equal to 0"
NOT_POSITIVE = "must be greater than zero"
MOST_OF_32_BITS = 2**31 - 1
DEFAULT_GRACE_PERIOD = 30
CONTAINERS = ("initContainers", "containers", "ephemeralContainers")
ALWAYS = "Always"


class PodScope(Value):
    """What the rules of one pod look at besides the value before them.

    pod: its spec; volumes: the sources of its volumes without fault, by name; is_pod: it is a Pod (with the defaults of Pods), not the template of a Job.
    """

    __slots__ = ("is_pod", "kubernetes", "pod", "volumes")

    def __init__(self, kubernetes: Kubernetes, pod: Tree, volumes: dict[str, Tree], is_pod: bool = False) -> None:
        self.kubernetes: Final = kubernetes
        self.pod: Final = pod
        self.volumes: Final = volumes
        self.is_pod: Final = is_pod

    @property
    def grace_period(self) -> int:
        period: int = self.pod.get("terminationGracePeriodSeconds", DEFAULT_GRACE_PERIOD)
        return period

    @property
    def has_host_users(self) -> bool:
        return self.pod.get("hostUsers") is not False

    @property
    def restart_policy(self) -> str:
        policy: str = self.pod.get("restartPolicy") or "Always"
        return policy

    @property
    def claims(self) -> tuple[str, ...]:
        return tuple(claim["name"] for claim in self.pod.get("resourceClaims") or () if claim.get("name"))


Check = Callable[[Any, PodScope], Faults]


def elsewhere(module: str, name: str) -> Check:
    """A check of another module of this package, which is loaded when a value first calls for it: most pods have few of the fields that there are."""

    def check(value: Any, scope: PodScope) -> Faults:
        return loaded(module, name)(value, scope)

    return check


@cache
def loaded(module: str, name: str) -> Check:
    check: Check = getattr(import_module(f"jobset_compiler.admission.children.{module}"), name)
    return check


class Whole(Value):
    """A check of a struct, which the presence of any of some fields calls for. Its paths begin at the struct."""

    __slots__ = ("check", "names")

    def __init__(self, names: tuple[str, ...], check: Check) -> None:
        self.names: Final = names
        self.check: Final = check


# Fields of a struct with the checks of their values, and checks of the whole between them.
Rows = tuple[tuple[str, Check] | Whole, ...]


def whole(check: Check, *names: str) -> Whole:
    return Whole(names, check)


def fields(*rows: tuple[str, Check] | Whole) -> Check:
    """The checks of a struct's fields, each where the field is there; what they find comes in the order of the rows."""
    table: dict[str, list[tuple[int, bool, Check]]] = {}
    for rank, row in enumerate(rows):
        is_whole = isinstance(row, Whole)
        names, check_row = (row.names, row.check) if isinstance(row, Whole) else ((row[0],), row[1])
        for name in names:
            table.setdefault(name, []).append((rank, is_whole, check_row))

    def check(value: Tree, scope: PodScope) -> Faults:
        out: dict[int, Faults] = {}
        for name in value:
            if name in table:
                for rank, is_whole, check_part in table[name]:
                    found = check_part(value if is_whole else value[name], scope)
                    if found:
                        out[rank] = found if is_whole else under(found, name)
        return [fault for rank in sorted(out) for fault in out[rank]] if out else NONE

    return check


def every(check_item: Check) -> Check:
    """Each item of a list."""

    def check(value: list[Any], scope: PodScope) -> Faults:
        out: Faults = NONE
        for index, item in enumerate(value or ()):
            found = check_item(item, scope)
            if found:
                out = [*out, *(fault.under(index) for fault in found)]
        return out

    return check


def all_of(*checks: Check) -> Check:
    """Several checks of one value, one after the other."""

    def check(value: Any, scope: PodScope) -> Faults:
        out: Faults = NONE
        for check_one in checks:
            found = check_one(value, scope)
            if found:
                out = [*out, *found]
        return out

    return check


def needs(*fields_of_it: str, text: str = "") -> Check:
    """Fields of a struct that must be there and not empty."""

    def check(value: Tree, scope: PodScope) -> Faults:
        return missing(value, *fields_of_it, text=text)

    return check


def missing(value: Tree, *fields_of_it: str, text: str = "") -> Faults:
    for field in fields_of_it:
        if not value.get(field):
            return [Fault((name,), required(text)) for name in fields_of_it if not value.get(name)]
    return NONE


def one_of(*supported: str, if_empty: str | None = None) -> Check:
    """A string of an enumeration, whose values are named in this order.

    if_empty: the text of the server where it is empty; None: an empty string is just no such value.
    """

    def check(value: str, scope: PodScope) -> Faults:
        if value in supported:
            return NONE
        if not value and if_empty is not None:
            return (Fault((), if_empty),)
        return (Fault((), unsupported(value, supported)),)

    return check


def reads(validate: Callable[[str], tuple[str, ...]]) -> Check:
    """A string that a format of Kubernetes' takes (see `kube.names`)."""

    def check(value: str, scope: PodScope) -> Faults:
        return [Fault((), invalid(value, text)) for text in validate(value)]

    return check


def if_given(check_value: Check) -> Check:
    """A check of what is not empty."""

    def check(value: Any, scope: PodScope) -> Faults:
        return check_value(value, scope) if value else NONE

    return check


def not_negative(value: int, scope: PodScope) -> Faults:
    return (Fault((), invalid(value, NOT_NEGATIVE)),) if value < 0 else NONE


def positive(value: int, scope: PodScope) -> Faults:
    return (Fault((), invalid(value, NOT_POSITIVE)),) if value <= 0 else NONE


def between(low: int, high: int, said_low: int | None = None) -> Check:
    """said_low: the lower end as the server says it, where it lets more pass."""
    text = f"must be between {low if said_low is None else said_low} and {high}, inclusive"

    def check(value: int, scope: PodScope) -> Faults:
        return NONE if low <= value <= high else (Fault((), invalid(value, text)),)

    return check


port_number = between(1, 65535)
identity = between(0, MOST_OF_32_BITS)
label_name_of_pod = reads(names.is_dns1123_label)
object_name = reads(names.is_dns1123_subdomain)


@cache
def wording(kubernetes: Kubernetes) -> names.NameWording:
    return names.NEWEST_WORDING if kubernetes.has(WORDS_SAY_BYTES) else names.NameWording("characters", "a qualified name")


def qualified_name(value: str, scope: PodScope) -> Faults:
    return [Fault((), invalid(value, text)) for text in names.is_qualified_name(value, wording(scope.kubernetes))]


def label_value(value: str, scope: PodScope) -> Faults:
    return [Fault((), invalid(value, text)) for text in names.is_valid_label_value(value, wording(scope.kubernetes))]


def labels(value: dict[str, str], scope: PodScope) -> Faults:
    """A map of labels. The API's path is that of the map, the place that of the label."""
    out: Faults = NONE
    for key, item in value.items():
        texts = label_texts(key, item, scope.kubernetes)
        if texts:
            out = [*out, *(Fault((), text, (key,)) for text in texts)]
    return out


@lru_cache(maxsize=1024)
def label_texts(key: str, value: str, kubernetes: Kubernetes) -> tuple[str, ...]:
    """What is wrong with a label. The same few labels come with every TrainJob."""
    words = wording(kubernetes)
    return (
        *(invalid(key, text) for text in names.is_qualified_name(key, words)),
        *(invalid(value, text) for text in names.is_valid_label_value(value, words)),
    )


@lru_cache(maxsize=1024)
def name_texts(name: str) -> tuple[str, ...]:
    """What is wrong with the name of a container or volume. The same few come with every TrainJob of a runtime."""
    return tuple(invalid(name, text) for text in names.is_dns1123_label(name)) if name else (required(),)


def containers_of(pod: Tree) -> Iterator[tuple[Path, Tree]]:
    """All containers with their paths, those that run first before the others."""
    for field in CONTAINERS:
        for index, container in enumerate(pod.get(field) or ()):
            yield (field, index), container
