"""The table of types: what its rows say of a field, the order of a struct's fields, and more values for an enum."""

from __future__ import annotations

from typing import Any

import pytest

from jobset_compiler.kube.table import TypeTable, load

TABLE = load("v2.3")
MPI = "trainer.MPIMLPolicySource"


@pytest.mark.parametrize(
    ("struct", "name", "said"),
    [
        ("core.PodSpec", "containers", ("list", "[]core.Container", False, "name", "", "struct", "core.Container")),
        ("core.Container", "args", ("list", "[]string", False, None, "omitempty", "string", "string")),
        ("core.PodSpec", "nodeSelector", ("map", "{}string", False, None, "omitempty", "string", "string")),
        ("core.PodSpec", "securityContext", ("struct", "core.PodSecurityContext", True, None, "omitempty", None, None)),
        ("core.PodSpec", "hostNetwork", ("bool", "bool", False, None, "omitempty", None, None)),
        (MPI, "numProcPerNode", ("int32", "int32", True, None, "omitempty", None, None)),
    ],
)
def test_a_field_is_what_its_row_says(struct: str, name: str, said: tuple[Any, ...]) -> None:
    field = TABLE.struct(struct).fields[name]
    elem = field.elem
    assert (field.name, field.struct.name if field.kind == "struct" else None) == (name, field.type_name if field.kind == "struct" else None)
    assert (
        field.kind, field.type_name, field.pointer, field.merge_key, field.omit, elem and elem.kind, elem and elem.type_name
    ) == said  # fmt: skip


def test_required_fields_and_defaults() -> None:
    port = TABLE.struct("core.ContainerPort")
    assert port.required == ("containerPort",) and port.fields["containerPort"].required and not port.fields["hostPort"].required
    assert (port.fields["protocol"].has_default, port.fields["protocol"].default) == (True, "TCP")
    assert (port.fields["hostPort"].has_default, port.fields["hostPort"].default) == (False, None)
    assert TABLE.struct("core.EnvVar") is TABLE.struct("core.EnvVar")
    assert TABLE.struct("core.CSIVolumeSource").required == ("driver",)


def test_fields_come_in_the_order_of_the_type_and_others_go() -> None:
    variable = TABLE.struct("core.EnvVar")
    assert list(variable.in_order({"valueFrom": 1, "name": 2})) == ["name", "valueFrom"]
    assert variable.in_order({"valueFrom": 1, "other": 3, "name": 2}) == {"name": 2, "valueFrom": 1}
    assert list(variable.in_order({"valueFrom": 1, "other": 3, "name": 2})) == ["name", "valueFrom"]
    assert list(variable.in_order({"value": 1, "name": 2})) == ["name", "value"]
    assert variable.in_order({}) == {}


def test_an_enum_may_have_more_values() -> None:
    more = TABLE.admitting(((MPI, "mpiImplementation", ("MPICH", "Intel")),))
    given, wider = (dict(table.struct(MPI).fields["mpiImplementation"].constraints) for table in (TABLE, more))
    assert given["enum"] == ("OpenMPI", "") and wider == {**given, "enum": ("OpenMPI", "", "MPICH", "Intel")}
    assert more.release == "v2.3" and more.names() == TABLE.names()
    assert more.root_rules("trainer.TrainJob") == TABLE.root_rules("trainer.TrainJob") != ()
    assert [row for row in more.rows(MPI) if row[0] != "mpiImplementation"] == [row for row in TABLE.rows(MPI) if row[0] != "mpiImplementation"]
    assert more.rows("core.EnvVar") is not None and more.struct("core.EnvVar").required == ("name",)


def test_what_has_no_enum_is_left_alone() -> None:
    for struct, field in ((MPI, "numProcPerNode"), ("core.EnvVar", "value"), ("core.EnvVar", "none"), ("trainer.Nothing", "a")):
        more = TABLE.admitting(((struct, field, ("x",)),))
        assert more.names() == TABLE.names()
        assert all(more.rows(name) == TABLE.rows(name) for name in TABLE.names())
        assert not more.has("trainer.Nothing")


def test_types_without_rules_have_none() -> None:
    assert TABLE.root_rules("core.EnvVar") == () and load("v2.0").root_rules("trainer.TrainJob") == ()
    assert TABLE.has("core.EnvVar") and isinstance(load("next"), TypeTable) and load("next").release == "next"


def test_they_show_what_they_are() -> None:
    fields = TABLE.struct("core.PodSpec").fields
    assert repr(fields["securityContext"]) == "Field('securityContext', *core.PodSecurityContext)"
    assert repr(fields["hostNetwork"]) == "Field('hostNetwork', bool)"
    assert repr(TABLE.struct("core.EnvVar")) == "Struct('core.EnvVar')"
