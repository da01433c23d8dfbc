"""Pruning, defaults and schema checks, by the type table alone."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import facts
from jobset_compiler.diagnostics.place import format_path
from jobset_compiler.kube.structural import SchemaVerdict, Wording, admit
from jobset_compiler.kube.structural.errors import field_error, go_json, shown
from jobset_compiler.kube.structural.misfit import is_date_time, is_whole, matches, type_complaint
from jobset_compiler.kube.structural.nodes import QUANTITY_PATTERN
from jobset_compiler.kube.table import Field, Struct, load

NEWEST = load("v2.3")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def runtime(**spec: Any) -> SchemaVerdict:
    return admit({"spec": spec}, NEWEST, "trainer.TrainingRuntime")


def container(**fields: Any) -> dict[str, Any]:
    pod = {"containers": [{"name": "node", **fields}]}
    job = {"name": "node", "template": {"spec": {"template": {"spec": pod}}}}
    return {"spec": {"template": {"spec": {"replicatedJobs": [job]}}}}


CONTAINER = "spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0]"


def findings_of(**fields: Any) -> list[tuple[str, str, str]]:
    """Findings on fields of a container: the path below it, type, message."""
    admitted = admit(container(**fields), NEWEST, "trainer.TrainingRuntime")
    return [
        (format_path(entry.path).removeprefix(CONTAINER + "."), entry.kind, entry.message.replace(CONTAINER, "C")) for entry in admitted.errors
    ]


def stored(**fields: Any) -> Any:
    value = admit(container(**fields), NEWEST, "trainer.TrainingRuntime").value
    return value["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["containers"][0]


def train_job(table: str = "v2.3", **spec: Any) -> SchemaVerdict:
    return admit({"spec": {"runtimeRef": {"name": "rt"}, **spec}}, load(table), "trainer.TrainJob")


# --- pruning


def test_an_unknown_field_goes_and_is_told_in_the_words_of_strict_validation() -> None:
    admitted = train_job(trainer={"image": "x", "foo": {"bar": 1}})
    assert admitted.value["spec"]["trainer"] == {"image": "x"}
    assert [(entry.path, entry.message) for entry in admitted.pruned] == [(("spec", "trainer", "foo"), 'unknown field "spec.trainer.foo"')]


def test_pruned_fields_come_sorted() -> None:
    messages = [entry.message for entry in train_job(z=1, a=1, trainer={"b": 1}).pruned]
    assert messages == ['unknown field "spec.a"', 'unknown field "spec.trainer.b"', 'unknown field "spec.z"']


def test_keys_of_string_maps_are_no_fields() -> None:
    admitted = train_job(trainer={"resourcesPerNode": {"limits": {"x.io/any": "1"}}})
    assert admitted.pruned == ()


def test_type_and_metadata_of_the_object_pass() -> None:
    document = {"apiVersion": "a/b", "kind": "C", "metadata": {"anything": None}}
    assert admit(document, NEWEST, "trainer.TrainingRuntime").value is document


def test_metadata_of_a_template_keeps_five_fields() -> None:
    metadata = {"name": "n", "namespace": "ns", "labels": {"a": "b"}, "annotations": {"c": "d"}, "finalizers": ["e"]}
    admitted = runtime(template={"metadata": {**metadata, "uid": "1", "creationTimestamp": None}})
    assert admitted.value["spec"]["template"]["metadata"] == metadata
    assert [entry.path[-1] for entry in admitted.pruned] == ["creationTimestamp", "uid"]


def test_a_map_where_a_list_belongs_loses_its_keys_and_is_refused() -> None:
    admitted = train_job(trainer={"args": {"a": 1}})
    assert admitted.value["spec"]["trainer"]["args"] == {}
    assert [entry.path for entry in admitted.pruned] == [("spec", "trainer", "args", "a")]
    assert [entry.message for entry in admitted.errors] == ['spec.trainer.args in body must be of type array: "object"']


def test_a_list_where_a_map_belongs_loses_the_fields_of_its_elements() -> None:
    admitted = train_job(trainer=[{"image": "x"}])
    assert [format_path(entry.path) for entry in admitted.pruned] == ["spec.trainer[0].image"]


# --- nulls and defaults


def test_a_null_field_is_dropped() -> None:
    assert "image" not in stored(image=None)


def test_a_null_field_with_a_default_is_defaulted() -> None:
    assert train_job(suspend=None).value["spec"]["suspend"] is False


def test_a_null_value_of_a_map_is_dropped() -> None:
    assert stored(resources={"limits": {"cpu": None, "memory": "1Gi"}})["resources"] == {"limits": {"memory": "1Gi"}}
    assert stored(resources={"limits": {"cpu": None, "memory": "1Gi", "a/b": None}})["resources"] == {"limits": {"memory": "1Gi"}}


def test_a_null_element_of_a_list_stays_and_is_refused() -> None:
    assert findings_of(args=["a", None]) == [("args[1]", "FieldValueTypeInvalid", 'C.args[1] in body must be of type string: "null"')]


def test_defaults_are_filled_in_below_parents_that_are_there() -> None:
    assert stored(ports=[{"containerPort": 80}])["ports"] == [{"containerPort": 80, "protocol": "TCP"}]
    assert "ports" not in stored()


def test_defaults_of_a_train_job() -> None:
    spec = train_job().value["spec"]
    assert spec["managedBy"] == "trainer.kubeflow.org/trainjob-controller"
    assert spec["suspend"] is False
    assert spec["runtimeRef"] == {"name": "rt", "apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime"}


@pytest.mark.parametrize(("release", "field"), [("v2.0", "podSpecOverrides"), ("v2.1", "podTemplateOverrides")])
def test_defaults_inside_overrides(release: str, field: str) -> None:
    volume = {"name": "v", "azureDisk": {"diskName": "d", "diskURI": "u"}}
    pod: dict[str, Any] = {"volumes": [volume]}
    override = {"targetJobs": [{"name": "node"}], **(pod if release == "v2.0" else {"spec": pod})}
    kept = train_job(release, **{field: [override]}).value["spec"][field][0]
    disk = (kept if release == "v2.0" else kept["spec"])["volumes"][0]["azureDisk"]
    assert disk == {"diskName": "d", "diskURI": "u", "fsType": "ext4", "readOnly": False}


def test_every_default_satisfies_the_schema_of_its_field() -> None:
    for release in ("v2.0", "v2.1", "v2.2", "v2.3"):
        table = load(release)
        for name in table.names():
            for field in table.struct(name).fields.values():
                if field.has_default:
                    assert type(field.default) in (str, bool, int)
                    assert not field.constraints.get("enum") or field.default in field.constraints["enum"]


# --- types


@pytest.mark.parametrize(
    ("fields", "path", "complaint"),
    [
        ({"image": 1}, "image", 'string: "integer"'),
        ({"image": 1.5}, "image", 'string: "number"'),
        ({"image": True}, "image", 'string: "boolean"'),
        ({"stdin": "yes"}, "stdin", 'boolean: "string"'),
        ({"args": "x"}, "args", 'array: "string"'),
        ({"env": [5]}, "env[0]", 'object: "integer"'),
        ({"resources": []}, "resources", 'object: "array"'),
        ({"resources": {"limits": {"cpu": [1]}}}, "resources.limits.cpu", 'integer,string: "array"'),
        ({"ports": [{"containerPort": "80"}]}, "ports[0].containerPort", 'integer: "string"'),
        ({"ports": [{"containerPort": 1.5}]}, "ports[0].containerPort", 'int32: "float64"'),
        ({"ports": [{"containerPort": True}]}, "ports[0].containerPort", 'int32: ""'),
    ],
)
def test_a_value_of_another_type(fields: dict[str, Any], path: str, complaint: str) -> None:
    assert (path, "FieldValueTypeInvalid", f"C.{path} in body must be of type {complaint}") in findings_of(**fields)


def test_up_to_k8s_1_34_integers_are_named_by_schema_type() -> None:
    older = admit(container(ports=[{"containerPort": 1.5}]), NEWEST, "trainer.TrainingRuntime", Wording(names_integer_formats=False))
    assert older.errors[0].message.endswith('must be of type integer: "number"')


def test_an_int_or_string_of_another_type_is_refused_twice() -> None:
    assert [message.rpartition(" type ")[2] for _, _, message in findings_of(resources={"limits": {"cpu": 0.5}})] == [
        'integer,string: "number"',
        'integer: "number"',
    ]


def test_an_integer_beyond_64_bits_is_a_number() -> None:
    assert findings_of(ports=[{"containerPort": 2**63}])[0][2].endswith('int32: "float64"')


def test_a_32_bit_overflow_is_no_matter_of_the_schema() -> None:
    assert findings_of(ports=[{"containerPort": 2**31}]) == []


@pytest.mark.parametrize(
    ("number", "expected"), [(1.0, True), (1.0000000001, True), (1.5, False), (-1.0, True), (2.0**60, False), (float("inf"), False)]
)
def test_which_floats_the_server_takes_for_integers(number: float, expected: bool) -> None:
    assert is_whole(number) is expected


# --- values


def test_a_required_field() -> None:
    assert findings_of(ports=[{}]) == [("ports[0].containerPort", "FieldValueRequired", "")]


def test_an_unknown_choice() -> None:
    policy = {"replicatedJobs": [], "startupPolicy": {"startupPolicyOrder": "Any"}}
    entry = runtime(template={"spec": policy}).errors[0]
    assert entry.text == 'spec.template.spec.startupPolicy.startupPolicyOrder: Unsupported value: "Any": supported values: "AnyOrder", "InOrder"'


def test_a_quantity_that_is_none() -> None:
    path = "resources.limits.memory"
    assert findings_of(resources={"limits": {"memory": "1 Gi"}}) == [(path, "FieldValueInvalid", f"C.{path} in body should match '{QUANTITY_PATTERN}'")]


@given(st.text(alphabet="0123456789.eE+-KMGik ", max_size=8))
def test_quantities_pass_as_the_pattern_says(text: str) -> None:
    assert (findings_of(resources={"limits": {"memory": text}}) == []) is matches(QUANTITY_PATTERN, text)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (
            {"activeDeadlineSeconds": 0},
            "spec.activeDeadlineSeconds: Invalid value: 0: spec.activeDeadlineSeconds in body should be greater than or equal to 1",
        ),
        ({"runtimeRef": {"name": ""}}, 'spec.runtimeRef.name: Invalid value: "": spec.runtimeRef.name in body should be at least 1 chars long'),
        ({"trainer": {"image": "x" * 501}}, "spec.trainer.image: Too long: may not be more than 500 bytes"),
        ({"trainer": {"args": ["x"] * 129}}, "spec.trainer.args: Too many: 129: must have at most 128 items"),
        (
            {"runtimePatches": [{"manager": "a.io/b", "time": "yesterday"}]},
            'spec.runtimePatches[0].time: Invalid value: "yesterday": spec.runtimePatches[0].time in body must be of type date-time: "yesterday"',
        ),
    ],
)
def test_limits(spec: dict[str, Any], text: str) -> None:
    assert [entry.text for entry in train_job(**spec).errors] == [text]


def test_an_object_with_too_few_properties_is_counted_after_pruning() -> None:
    assert runtime(foo=1).errors[0].text == "spec: Invalid value: 0: spec in body should have at least 1 properties"


def test_a_list_with_too_few_elements() -> None:
    target = {"jobName": "node", "containerNames": []}
    texts = [entry.text for entry in runtime(mlPolicy={"torch": {"envInjection": {"targets": [target]}}}).errors]
    path = "spec.mlPolicy.torch.envInjection.targets[0].containerNames"
    assert texts == [f"{path}: Invalid value: 0: {path} in body should have at least 1 items"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-29T10:00:00Z", True),
        ("2024-02-29t10:00:00.5+01:00", True),
        ("2023-02-29T10:00:00Z", False),
        ("2024-02-29T23:59:59Z", True),
        ("2024-02-29T24:00:00Z", False),
        ("2024-02-29T23:60:00Z", False),
        ("2024-02-29T23:59:60Z", False),
        ("2000-02-29T10:00:00Z", True),
        ("1900-02-29T10:00:00Z", False),
        ("2024-02-28T10:00:00Z", True),
        ("2024-02-30T10:00:00Z", False),
        ("2024-00-10T10:00:00Z", False),
        ("2024-12-31T10:00:00Z", True),
        ("2024-13-01T10:00:00Z", False),
        ("2024-01-00T10:00:00Z", False),
        ("2024-01-32T10:00:00Z", False),
        ("2024-04-31T10:00:00Z", False),
        ("2024-4-30T10:00:00Z", False),
        ("2024-04-30T10:00:00Zx", False),
        ("2024-02-29T10:00:00", False),
        ("2024-02-29", False),
        ("", False),
    ],
)
def test_date_times(text: str, expected: bool) -> None:
    assert is_date_time(text) is expected


# --- lists with keys


def test_of_equal_keys_the_second_is_refused() -> None:
    path = "env[1]"
    assert findings_of(env=[{"name": "A"}, {"name": "A"}, {"name": "A"}]) == [(path, "FieldValueDuplicate", "")]


def test_defaults_take_part_in_keys() -> None:
    ports = [{"containerPort": 80}, {"containerPort": 80, "protocol": "TCP"}]
    admitted = admit(container(ports=ports), NEWEST, "trainer.TrainingRuntime")
    assert [entry.shown for entry in admitted.errors] == ['{"containerPort":80,"protocol":"TCP"}']


def test_keys_of_different_types_differ() -> None:
    assert not any(kind == "FieldValueDuplicate" for _, kind, _ in findings_of(env=[{"name": 1}, {"name": True}]))


def test_an_element_without_fields_in_a_keyed_list() -> None:
    assert ("env[1]", "FieldValueInvalid", "must be an object for an array of list-type map") in findings_of(env=[{"name": "A"}, "A=1"])


def test_null_in_a_keyed_list_is_wrong_once() -> None:
    null = ("env[0]", "FieldValueTypeInvalid", 'C.env[0] in body must be of type object: "null"')
    assert findings_of(env=[None, {"name": "A"}]) == [null]
    assert findings_of(env=[None, {"name": "A"}, {"name": "A"}]) == [null, ("env[2]", "FieldValueDuplicate", "")]


def test_one_key_of_two_may_be_the_same() -> None:
    udp = {"containerPort": 80, "protocol": "UDP"}
    assert findings_of(ports=[{"containerPort": 80}, udp, {"containerPort": 81}]) == []
    assert findings_of(ports=[{"containerPort": 80}, udp, udp]) == [("ports[2]", "FieldValueDuplicate", "")]


@pytest.mark.parametrize(("seconds", "refused"), [(1, False), (2**31, False), (0, True), (-1, True)])
def test_a_number_may_be_the_least_one(seconds: int, refused: bool) -> None:
    message = "spec.activeDeadlineSeconds in body should be greater than or equal to 1"
    assert [entry.message for entry in train_job(activeDeadlineSeconds=seconds).errors] == [message] * refused


def test_a_set_with_a_repeated_element() -> None:
    target = {"jobName": "node", "containerNames": ["a", "b", "a"]}
    admitted = runtime(mlPolicy={"torch": {"envInjection": {"targets": [target]}}})
    assert [entry.text.rpartition("containerNames")[2] for entry in admitted.errors] == ['[2]: Duplicate value: "a"']


# --- printing


@pytest.mark.parametrize(
    ("value", "json_text", "go_text"),
    [
        ('a"b\n', '"a\\"b\\n"', '"a\\"b\\n"'),
        (None, "null", '"null"'),
        (1.5, "1.5", "1.5"),
        (True, "true", "true"),
        ({"b": 1, "a": "<"}, '{"a":"\\u003c","b":1}', 'map[string]interface {}{"a":"<", "b":1}'),
        ([1, None], "[1,null]", "[]interface {}{1, interface {}(nil)}"),
    ],
)
def test_bad_values_are_printed_as_the_release_does(value: Any, json_text: str, go_text: str) -> None:
    assert shown(value) == json_text
    assert shown(value, go_syntax=True) == go_text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("\a\b\f\n\r\t\v", r"\a\b\f\n\r\t\v"),
        ("\x00\x1f\x7f", r"\x00\x1f\x7f"),
        ("\x80\u00ad\u200b\uffff", r"\u0080\u00ad\u200b\uffff"),
        ("\U000e0001", r"\U000e0001"),
        ("\u00e9 \U0001f600", "\u00e9 \U0001f600"),
        ("\\", r"\\"),
    ],
)
def test_letters_that_nobody_sees_are_escaped(text: str, printed: str) -> None:
    assert shown(text) == f'"{printed}"'


def test_the_root_is_printed_as_nil() -> None:
    assert field_error((), "FieldValueInvalid", "no", "object").text == '<nil>: Invalid value: "object": no'


# --- whatever comes


@given(JSON)
def test_any_spec_gets_an_answer_and_stays_as_it_was(spec: Any) -> None:
    document = {"spec": spec}
    before = copy.deepcopy(document)
    for type_name in ("trainer.TrainJob", "trainer.TrainingRuntime", "jobset.JobSet"):
        admit(document, NEWEST, type_name)
    assert document == before


def values_of(field: Field, depth: int) -> st.SearchStrategy[Any]:
    """Values that mostly fit a field, with some that do not."""
    if field.kind == "struct":
        fitting: st.SearchStrategy[Any] = values_of_struct(field.struct, depth - 1)
    elif field.elem is not None:
        element = values_of(field.elem, depth - 1)
        fitting = st.lists(element, max_size=3) if field.kind == "list" else st.dictionaries(st.sampled_from(["a", "b"]), element, max_size=2)
    elif field.kind in ("int32", "int64", "int", "IntOrString", "Quantity"):
        fitting = st.integers(-1, 3) | st.sampled_from(["1", "500m"] if field.kind == "Quantity" else [2])
    else:
        fitting = st.booleans() if field.kind == "bool" else st.sampled_from(["a", "b", "All", "InOrder", "hf://x"])
    return st.one_of(fitting, fitting, fitting, JSON)


def values_of_struct(struct: Struct, depth: int) -> st.SearchStrategy[Any]:
    if depth <= 0:
        return st.just({})
    names = st.lists(st.sampled_from(sorted(struct.fields)), max_size=4, unique=True) if struct.fields else st.just([])
    return names.flatmap(lambda chosen: st.fixed_dictionaries({name: values_of(struct.fields[name], depth) for name in chosen}))


@given(st.deferred(lambda: values_of_struct(NEWEST.struct("trainer.TrainingRuntimeSpec"), 9)))
def test_what_was_stored_is_stored_unchanged_again(spec: Any) -> None:
    once = admit({"spec": spec}, NEWEST, "trainer.TrainingRuntime")
    twice = admit(once.value, NEWEST, "trainer.TrainingRuntime")
    assert twice.value is once.value
    assert twice.pruned == ()
    assert twice.errors == once.errors


@pytest.mark.parametrize(
    ("number", "complaints"),
    [(-1, ["should be greater than or equal to 0"]), (0, []), (100, []), (101, ["should be less than or equal to 100"])],
)
def test_a_number_may_be_as_large_and_as_small_as_its_limits(number: int, complaints: list[str]) -> None:
    admitted = admit({"status": {"trainerStatus": {"progressPercentage": number}}}, NEWEST, "trainer.TrainJob")
    errors = [error for error in admitted.errors if error.path and error.path[-1] == "progressPercentage"]
    assert [error.message.partition(" in body ")[2] for error in errors] == complaints


# --- the table and the CRDs say the same

TYPES_OF_SCHEMA = {
    "string": "string", "bool": "boolean", "int": "integer", "int32": "integer", "int64": "integer", "float64": "number", "bytes": "string",
    "Time": "string", "struct": "object", "list": "array", "map": "object", "IntOrString": None, "Quantity": None,
}  # fmt: skip
LIMITS = ("default", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties")


def differences(field: Field, schema: dict[str, Any], path: str) -> list[str]:
    out = []
    if schema.get("type") != TYPES_OF_SCHEMA[field.kind]:
        out.append(f"{path}: type {schema.get('type')}")
    if (field.kind == "Quantity") != (schema.get("pattern") == QUANTITY_PATTERN):
        out.append(f"{path}: quantity")
    if schema.get("format") != ({"int32": "int32", "int64": "int64"}.get(field.kind) or field.constraints.get("format")):
        out.append(f"{path}: format {schema.get('format')}")
    for key in LIMITS:
        limit = schema.get(key)
        if (tuple(limit) if isinstance(limit, list) else limit) != field.constraints.get(key):
            out.append(f"{path}: {key} {limit}")
    kind = schema.get("x-kubernetes-list-type")
    if (kind if kind in ("map", "set") else None) != field.constraints.get("list"):
        out.append(f"{path}: list {kind}")
    if tuple(schema.get("x-kubernetes-list-map-keys", ())) != field.constraints.get("keys", ()):
        out.append(f"{path}: keys")
    if [rule["message"] for rule in schema.get("x-kubernetes-validations", ())] != [message for _, message in field.constraints.get("rules", ())]:
        out.append(f"{path}: rules")
    if field.kind == "struct":
        out += struct_differences(field.struct, schema, path)
    elif field.elem is not None:
        out += differences(field.elem, schema["items" if field.kind == "list" else "additionalProperties"], f"{path}[]")
    return out


def struct_differences(struct: Struct, schema: dict[str, Any], path: str, passed: frozenset[str] = frozenset()) -> list[str]:
    properties = schema.get("properties", {}).keys() - passed
    out = [f"{path}: field {name}" for name in properties ^ (struct.fields.keys() - passed)]
    if set(schema.get("required", ())) != set(struct.required):
        out.append(f"{path}: required")
    for name in properties & struct.fields.keys():
        out += differences(struct.fields[name], schema["properties"][name], f"{path}.{name}")
    return out


@pytest.mark.parametrize("release", facts.releases())
def test_the_type_table_holds_what_the_crds_hold(release: str) -> None:
    schemas = facts.load(release, facts.CRDS)["schemas"]
    table = load(release)
    found = []
    for kind, name in (("TrainJob", "trainer.TrainJob"), ("TrainingRuntime", "trainer.TrainingRuntime"), ("JobSet", "jobset.JobSet")):
        found += struct_differences(table.struct(name), schemas[kind], kind, frozenset({"apiVersion", "kind", "metadata"}))
    pod = "JobSet.spec.replicatedJobs[].template.spec.template.spec"
    # Trainer 2.2 and the JobSet that it pins were built on two Kubernetes releases; the table is of Trainer's.
    known = [f"{pod}: field schedulingGroup", f"{pod}: field workloadRef"] if release == "v2.2" else []
    assert sorted(found) == known


def test_complaints_about_types_need_no_path() -> None:
    assert type_complaint("integer", "int32", 3) == ""
    assert type_complaint("string", "date-time", ["x"]) == ""  # so says the validator; the Go type refuses it later


def test_values_are_printed_with_the_escapes_of_go() -> None:
    printed = go_json({"b": ["x\u2028y\u2029z", "\b\f\x01&<>"], "a": None})
    assert printed == '{"a":null,"b":["x\\u2028y\\u2029z","\\b\\f\\u0001\\u0026\\u003c\\u003e"]}'
