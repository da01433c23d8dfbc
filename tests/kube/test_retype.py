"""The Go round trip: what Go answered, what upstream's API servers answered, and laws."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobset_compiler.kube.merge import merge
from jobset_compiler.kube.retype import TypedParts, has_unset, read_and_written, retype, to_apply_configuration
from jobset_compiler.kube.scalars import ScalarError, normalized_base64, normalized_time
from jobset_compiler.kube.table import load
from tests.kube.typed_values import values

TABLE = load("v2.3")
LAWS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def recorded_answers() -> list[dict[str, Any]]:
    lines = (Path(__file__).parent / "data" / "retype.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[1:]]


ANSWERS = recorded_answers()


def without_creation_timestamps(value: Any) -> Any:
    """What Kubernetes up to 0.33 writes into every template, and our table does not have."""
    if isinstance(value, dict):
        return {key: without_creation_timestamps(item) for key, item in value.items() if (key, item) != ("creationTimestamp", None)}
    return [without_creation_timestamps(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("row", [row for row in ANSWERS if "result" in row], ids=lambda row: f"{row['release']} {row['type']}")
def test_what_go_wrote(row: dict[str, Any]) -> None:
    typed, problems = retype(row["value"], load(row["release"]), row["type"])
    assert problems == ()
    assert json.dumps(without_creation_timestamps(typed)) == json.dumps(without_creation_timestamps(row["result"]))


@pytest.mark.parametrize("row", [row for row in ANSWERS if "error" in row], ids=lambda row: row["error"])
def test_what_go_refused(row: dict[str, Any]) -> None:
    _, problems = retype(row["value"], load(row["release"]), row["type"])
    assert problems[0].message == row["error"]


@pytest.mark.parametrize("row", [row for row in ANSWERS if "applied" in row], ids=lambda row: row["release"])
def test_what_the_controller_submitted(row: dict[str, Any]) -> None:
    table = load(row["release"])
    typed, _ = retype(row["value"], table, row["type"])
    assert json.dumps(to_apply_configuration(typed, table, row["type"])) == json.dumps(row["applied"])


def container(**fields: Any) -> dict[str, Any]:
    return {"containers": [{"name": "node", **fields}]}


def test_zero_values_go_unless_a_pointer_holds_them() -> None:
    job = {
        "backoffLimit": 0,
        "suspend": False,
        "template": {"spec": {"hostNetwork": False, **container(image="", stdin=False, securityContext={"privileged": False})}},
    }
    typed, _ = retype(job, TABLE, "batch.JobSpec")
    assert typed == {
        "backoffLimit": 0,
        "template": {"metadata": {}, "spec": {"containers": [{"name": "node", "resources": {}, "securityContext": {"privileged": False}}]}},
        "suspend": False,
    }


def test_a_divisor_that_nobody_wrote() -> None:
    env = [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}]
    typed, _ = retype(container(env=env), TABLE, "core.PodSpec")
    assert isinstance(typed, dict)
    assert typed["containers"][0]["env"][0]["valueFrom"] == {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "0"}}


def test_claim_templates_stay_typed_in_apply_configurations() -> None:
    spec = {"volumeClaimPolicies": [{"templates": [{"metadata": {"name": "data"}, "spec": {"accessModes": []}}]}]}
    typed, _ = retype(spec, TABLE, "jobset.JobSetSpec")
    expected = {"volumeClaimPolicies": [{"templates": [{"metadata": {"name": "data"}, "spec": {"resources": {}}, "status": {}}]}]}
    assert to_apply_configuration(typed, TABLE, "jobset.JobSetSpec") == expected


def test_lists_without_omitempty_are_null_until_they_are_applied() -> None:
    typed, _ = retype({"volumes": [{"name": "v", "projected": {}}]}, TABLE, "core.PodSpec")
    assert typed == {"volumes": [{"name": "v", "projected": {"sources": None}}], "containers": None}
    assert to_apply_configuration(typed, TABLE, "core.PodSpec") == {"volumes": [{"name": "v", "projected": {}}]}


def test_null_items_and_values_become_zero_values() -> None:
    typed, _ = retype({"nodeSelector": {"b": None, "a": "x"}, "overhead": {"cpu": None}, "containers": [None]}, TABLE, "core.PodSpec")
    assert typed == {"containers": [{"name": "", "resources": {}}], "nodeSelector": {"a": "x", "b": ""}, "overhead": {"cpu": "0"}}


def test_whole_floats_are_numbers_as_the_server_stores_them() -> None:
    typed, problems = retype({"parallelism": 3.0}, TABLE, "batch.JobSpec")
    assert problems == ()
    assert isinstance(typed, dict)
    assert typed["parallelism"] == 3
    assert isinstance(typed["parallelism"], int)


# The messages of API servers of every release, from their conformance answers.
@pytest.mark.parametrize(
    ("type_name", "path", "value", "message"),
    [
        (
            "trainer.TrainJob",
            ("spec", "trainer", "numNodes"),
            2147483648,
            "json: cannot unmarshal number 2147483648 into Go struct field Trainer.spec.trainer.numNodes of type int32",
        ),
        (
            "trainer.ClusterTrainingRuntime",
            ("spec", "template", "spec", "replicatedJobs", 0, "replicas"),
            -2147483649,
            "json: cannot unmarshal number -2147483649 into Go struct field ReplicatedJob.spec.template.spec.replicatedJobs.replicas of type int32",
        ),
        (
            "trainer.ClusterTrainingRuntime",
            ("spec", "template", "spec", "replicatedJobs", 0, "template", "spec", "template", "spec", "initContainers", 0, "readinessProbe", "httpGet", "port"),
            -2147483649,
            "json: cannot unmarshal number -2147483649 into Go struct field HTTPGetAction.spec.template.spec.replicatedJobs.template.spec"
            ".template.spec.initContainers.readinessProbe.ProbeHandler.httpGet.port of type int32",
        ),
        ("trainer.TrainJob", (), [], "json: cannot unmarshal array into Go value of type v1alpha1.TrainJob"),
        ("core.PodSpec", ("nodeSelector", "disk"), 5, "json: cannot unmarshal number into Go struct field PodSpec.nodeSelector of type string"),
        ("core.PodSpec", ("containers",), {}, "json: cannot unmarshal object into Go struct field PodSpec.containers of type []v1.Container"),
    ],
)
def test_messages(type_name: str, path: tuple[str | int, ...], value: Any, message: str) -> None:
    document = value
    for step in reversed(path):
        document = [document] if isinstance(step, int) else {step: document}
    (problem,) = retype(document, TABLE, type_name)[1]
    assert (problem.path, problem.message) == (path, message)


def test_the_first_problem_is_the_one_go_reports() -> None:
    spec = {**container(resources={"limits": {"cpu": "1K"}}, args="x"), "activeDeadlineSeconds": 1.5}
    _, problems = retype(spec, TABLE, "core.PodSpec")
    # Go stops at a bad quantity; other mistakes it skips, and names the first of them in the order of the keys.
    assert [problem.path for problem in problems] == [
        ("containers", 0, "resources", "limits", "cpu"),
        ("activeDeadlineSeconds",),
        ("containers", 0, "args"),
    ]


def test_a_value_that_is_not_typed_has_no_apply_configuration() -> None:
    with pytest.raises(ValueError, match=r"PodSpec\.hostname of type string"):
        to_apply_configuration({"hostname": 5}, TABLE, "core.PodSpec")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-29T23:30:00-02:00", "2024-03-01T01:30:00Z"),
        ("2023-12-31T23:00:00.25-05:30", "2024-01-01T04:30:00Z"),
        ("2024-01-01T00:30:00+24:60", "2023-12-30T23:30:00Z"),
        ("0001-01-01T00:00:00Z", None),
        ("0001-01-01T00:00:00.5Z", "0001-01-01T00:00:00Z"),
        ("2024-03-01T5:30:00Z", "2024-03-01T05:30:00Z"),
    ],
)
def test_times(text: str, expected: str | None) -> None:
    assert normalized_time(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'),
        ("2024-13-01T00:00:00Z", 'parsing time "2024-13-01T00:00:00Z": month out of range'),
        ("2023-02-29T00:00:00Z", 'parsing time "2023-02-29T00:00:00Z": day out of range'),
        ("2024-01-01", 'parsing time "2024-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'),
        ("2024-01-01T00:00:00Zz", 'parsing time "2024-01-01T00:00:00Zz": extra text: "z"'),
        ("2024-01-01T00:00:00+25:00", 'parsing time "2024-01-01T00:00:00+25:00": time zone offset hour out of range'),
        ("2024-01-01T00:00:00ü", 'parsing time "2024-01-01T00:00:00\\xc3\\xbc" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xc3\\xbc" as "Z07:00"'),
    ],
)
def test_texts_that_are_no_times(text: str, message: str) -> None:
    with pytest.raises(ScalarError) as caught:
        normalized_time(text)
    assert str(caught.value) == message


def test_bytes_are_written_anew() -> None:
    assert [normalized_base64(text) for text in ("aGk=", "aGl=", "YW\nJj\r", "")] == ["aGk=", "aGk=", "YWJj", ""]


@pytest.mark.parametrize(("text", "place"), [("a", 0), ("aG k=", 2), ("Y===", 1), ("aGk=x", 4), ("aG=", 3), ("aGk", 0)])
def test_texts_that_are_not_base64(text: str, place: int) -> None:
    with pytest.raises(ScalarError, match=f"^illegal base64 data at input byte {place}$"):
        normalized_base64(text)


@pytest.mark.parametrize("type_name", ["jobset.JobSetSpec", "core.PodTemplateSpec"])
@LAWS
@given(data=st.data())
def test_twice_is_once(type_name: str, data: st.DataObject) -> None:
    value = data.draw(values(TABLE, type_name, nulls=True))
    before = copy.deepcopy(value)
    typed, problems = retype(value, TABLE, type_name)
    assert problems == ()
    assert value == before
    again, problems = retype(typed, TABLE, type_name)
    assert problems == ()
    assert json.dumps(again) == json.dumps(typed)
    applied = to_apply_configuration(typed, TABLE, type_name)
    assert json.dumps(to_apply_configuration(value, TABLE, type_name)) == json.dumps(applied)
    assert json.dumps(to_apply_configuration(applied, TABLE, type_name)) == json.dumps(applied)


@LAWS
@given(data=st.data())
def test_nothing_is_shared_with_the_input(data: st.DataObject) -> None:
    value = data.draw(values(TABLE, "jobset.JobSetSpec"))
    typed, _ = retype(value, TABLE, "jobset.JobSetSpec")
    assert not containers_of(value) & containers_of(typed)


@LAWS
@given(data=st.data())
def test_what_was_typed_before_is_taken_as_it_is(data: st.DataObject) -> None:
    """A typed value with a patch merged into it: the same comes out, and what the patch left alone is shared."""
    typed, _ = retype(data.draw(values(TABLE, "jobset.JobSetSpec", nulls=True)), TABLE, "jobset.JobSetSpec")
    merged = merge(typed, data.draw(values(TABLE, "jobset.JobSetSpec")), TABLE, "jobset.JobSetSpec")
    parts = TypedParts(typed)
    assert parts.known == containers_of(typed)
    anew = read_and_written(merged, TABLE, "jobset.JobSetSpec", parts.known)
    assert (json.dumps(anew.value), anew.problems) == (json.dumps(retype(merged, TABLE, "jobset.JobSetSpec")[0]), ())
    assert containers_of(anew.value) & parts.known == containers_of(merged) & parts.known
    assert anew.has_unset or has_unset(typed) or not has_unset(anew.value)
    assert has_unset(anew.value) or json.dumps(to_apply_configuration(anew.value, TABLE, "jobset.JobSetSpec")) == json.dumps(anew.value)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_copy_knows_the_parts_of_what_it_is_copied_with(copied: Callable[[Any], Any]) -> None:
    value = {"a": [{"b": []}], "c": 1}
    parts = TypedParts(value)
    again, other = copied((value, parts))
    assert other.known == containers_of(again) != parts.known
    assert other == parts


@pytest.mark.parametrize(
    ("value", "unset"),
    [
        ({}, False),
        ([], True),
        ({"a": {}}, False),
        ({"a": None}, True),
        ({"a": []}, True),
        ({"a": [{"b": {"c": [1, None]}}]}, True),
        ({"a": [0, "", False]}, False),
    ],
)
def test_what_is_unset(value: Any, unset: bool) -> None:
    assert has_unset(value) is unset


@LAWS
@given(data=st.data())
def test_a_reading_knows_what_is_unset(data: st.DataObject) -> None:
    """Without a further look at what came out of it."""
    typed = read_and_written(data.draw(values(TABLE, "jobset.JobSetSpec", nulls=True)), TABLE, "jobset.JobSetSpec")
    assert typed.has_unset is has_unset(typed.value)
    assert not read_and_written(typed.value, TABLE, "jobset.JobSetSpec", TypedParts(typed.value).known).has_unset


@pytest.mark.parametrize(
    ("value", "unset"),
    [
        ({}, True),  # containers
        ({"containers": []}, True),
        ({"containers": [{"name": "a"}]}, False),
        ({"containers": [{"name": "a", "args": []}]}, False),  # which Go leaves out
        ({"containers": [{"name": "a"}], "tolerations": [None]}, False),
        ({"containers": [{"name": "a"}], "volumes": [{"name": "v", "projected": {}}]}, True),
        ({"containers": [{"name": "a"}], "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {}}}}, True),
    ],
)
def test_what_is_unset_in_a_pod(value: Any, unset: bool) -> None:
    assert read_and_written(value, TABLE, "core.PodSpec").has_unset is unset


def test_a_time_that_nobody_wrote_is_no_unset_value() -> None:
    typed = read_and_written({"metadata": {"name": "one"}, "spec": {"runtimeRef": {"name": "r"}}}, TABLE, "trainer.TrainJob")
    assert not typed.has_unset
    assert not typed.problems


def containers_of(value: Any) -> set[int]:
    if not isinstance(value, dict | list):
        return set()
    inner = value.values() if isinstance(value, dict) else value
    return {id(value)}.union(*(containers_of(item) for item in inner))


@LAWS
@given(data=st.data())
def test_fields_come_in_gos_order_whatever_was_read_before(data: st.DataObject) -> None:
    """A converter knows the sets of keys that it has met: one it has not met comes to the same, and so does one in another order."""
    value = data.draw(values(TABLE, "core.PodSpec"))
    typed = retype(value, TABLE, "core.PodSpec")
    assert json.dumps(typed) == json.dumps(retype(dict(reversed(value.items())), TABLE, "core.PodSpec"))
    known = [name for name in TABLE.struct("core.PodSpec").fields if name in typed[0]]
    assert list(typed[0]) == known
    assert typed == retype({"unknown": 1, **value}, TABLE, "core.PodSpec")


@given(st.permutations(["name", "image", "command", "env", "resources", "stdin"]))
def test_a_struct_puts_the_keys_of_its_values_in_order(names: list[str]) -> None:
    ordered = TABLE.struct("core.Container").in_order({name: place for place, name in enumerate(names)})
    assert list(ordered) == ["name", "image", "command", "env", "resources", "stdin"]
    assert ordered == {name: place for place, name in enumerate(names)}


def test_a_struct_has_no_place_for_a_key_that_it_lacks() -> None:
    assert TABLE.struct("core.Container").in_order({"images": 1, "image": 2, "name": 3}) == {"name": 3, "image": 2}


@pytest.mark.parametrize(
    ("value", "kept", "said"),
    [
        ("http", "http", ""),
        (80, 80, ""),
        (2.0, 2, ""),
        (2**31 - 1, 2**31 - 1, ""),
        (-(2**31), -(2**31), ""),
        (2**31, 0, "number 2147483648"),
        (-(2**31) - 1, 0, "number -2147483649"),
        (2147483648.0, 0, "number 2147483648"),
        (1.5, 0, "number 1.5"),
        (True, 0, "bool"),
        ([], 0, "array"),
        ({}, 0, "object"),
    ],
)
def test_a_port_is_a_name_or_a_number_of_32_bits(value: Any, kept: Any, said: str) -> None:
    written, problems = retype({"port": value}, TABLE, "core.HTTPGetAction")
    assert written == {"port": kept} and type(written["port"]) is type(kept)
    place = "Go struct field HTTPGetAction.port of type int32"
    assert [problem.message for problem in problems] == ([f"json: cannot unmarshal {said} into {place}"] if said else [])
