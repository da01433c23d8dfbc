"""Resources of containers and pods, claims, and resizing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.admission.children.resources import EQUAL_HINT, request_faults
from jobset_compiler.kube.quantity import Quantity
from tests.admission.children.said import Tree, of_container, of_pod, said

pytestmark = pytest.mark.usefixtures("whole_words")

GPU = "nvidia.com/gpu"


def of_resources(limits: Tree, requests: Tree, **more: object) -> list[str]:
    return [
        text.removeprefix("resources.").removeprefix("resources: ") for text in of_container({"resources": {"limits": limits, "requests": requests, **more}})
    ]


@pytest.mark.parametrize(
    ("limits", "requests", "faults"),
    [
        ({"cpu": "1"}, {"cpu": "1001m"}, ['requests: Invalid value: "1001m": must be less than or equal to cpu limit of 1']),
        ({GPU: "2"}, {GPU: "1"}, [f'requests: Invalid value: "1": must be equal to {GPU} limit of 2']),
        ({}, {GPU: "1"}, ["limits: Required value: Limit must be set for non overcommitable resources"]),
        ({GPU: "500m"}, {}, [f'limits[{GPU}]: Invalid value: "500m": must be an integer']),
        ({"memory": "-1"}, {}, ['limits[memory]: Invalid value: "-1": must be greater than or equal to 0']),
        (
            {"gpu": "1"},
            {},
            [
                'limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
                'limits[gpu]: Invalid value: "gpu": must be a standard resource for containers',
            ],
        ),
        ({"pods": "1"}, {}, ['limits[pods]: Invalid value: "pods": must be a standard resource for containers']),
        ({"requests.x/y": "1"}, {}, ['limits[requests.x/y]: Invalid value: "requests.x/y": doesn\'t follow extended resource name standard']),
        ({"hugepages-2Mi": "2Mi"}, {}, ["Forbidden: HugePages require cpu or memory"]),
        ({"hugepages-2Mi": "3Mi", "cpu": "1"}, {}, ['limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi']),
        ({"hugepages-x": "1", "cpu": "1"}, {}, ['limits[hugepages-x]: Invalid value: "1": 1 is not positive integer multiple of hugepages-x']),
        ({"hugepages-2Mi": "4Mi"}, {"hugepages-2Mi": "2Mi", "cpu": "1"}, ['requests: Invalid value: "2Mi": must be equal to hugepages-2Mi limit of 4Mi']),
    ],
)
def test_resources(limits: Tree, requests: Tree, faults: list[str]) -> None:
    assert of_resources(limits, requests) == faults


@pytest.mark.parametrize(
    ("name", "limit", "wanted", "said_of", "hint"),
    [
        ("cpu", None, "1", "", ""),
        ("ephemeral-storage", None, "1Gi", "", ""),
        ("cpu", "1", "1", "", ""),
        ("cpu", "2", "1", "", ""),
        ("cpu", "1", "1500m", 'Invalid value: "1500m": must be less than or equal to cpu limit of 1', "raise the limit or lower the request"),
        (GPU, "1", "1000m", "", ""),
        (GPU, "2", "1", f'Invalid value: "1": must be equal to {GPU} limit of 2', EQUAL_HINT),
        (GPU, "1", "2", f'Invalid value: "2": must be equal to {GPU} limit of 1', EQUAL_HINT),
        (GPU, None, "1", "Required value: Limit must be set for non overcommitable resources", f"set a limit of {GPU} equal to the request"),
    ],
)
def test_a_request_beside_its_limit(name: str, limit: str | None, wanted: str, said_of: str, hint: str) -> None:
    faults = [(found.text, found.hint, found.at) for found in request_faults(name, wanted, limit)]
    assert faults == ([(said_of, hint, ("requests", name))] if said_of else [])


# What API servers answered to Jobs with a limit of x.io/a.
@pytest.mark.parametrize(
    ("quantity", "printed"),
    [
        ("123456789012345678k", "123456789012345678k"),
        ("1501n", "1m"),
        ("1500u", "2m"),
        ("1.0000000001", "1001m"),
        ("9223372036854776", "9223372036854776"),
        ("10000000000000000", "10P"),
        ("9Pi", "9Pi"),
        ("9223372036855k", "9223372036855k"),
        ("1e-3", "1e-3"),
    ],
)
def test_no_integers_as_kubernetes_computes_them(quantity: str, printed: str) -> None:
    assert of_resources({"x.io/a": quantity}, {}) == [f'limits[x.io/a]: Invalid value: "{printed}": must be an integer']


@pytest.mark.parametrize(
    "quantity",
    [
        *("100E", "10E", "9E", "100P", "9Ei", "9223372036854775", "9223372036854775807", "9223372036854775808", "1e19", "1e16", "8Pi", "10000P"),
        "2000m",
        "1.5k",
        "00",
    ],
)
def test_integers_as_kubernetes_computes_them(quantity: str) -> None:
    assert of_resources({"x.io/a": quantity}, {}) == []


@given(st.integers(min_value=0, max_value=9_223_372_036_854_775), st.sampled_from(["", "e0", "000m"]))
def test_whole_numbers_that_fit_are_integers(number: int, suffix: str) -> None:
    text = f"{number}{suffix}"
    assert not Quantity.parse(text).rounded_up_to_milli().milli_value() % 1000


@given(st.from_regex(r"\A[0-9]{1,8}(\.[0-9]{1,11})?(n|u|m|k|Mi|Gi|e3)?\Z"))
def test_rounding_up_is_up_and_by_less_than_a_thousandth(text: str) -> None:
    quantity = Quantity.parse(text)
    rounded = quantity.rounded_up_to_milli()
    assert quantity <= rounded < quantity + Quantity.parse("1m")
    assert rounded.rounded_up_to_milli() == rounded


@pytest.mark.parametrize(("limit", "request_"), [("1", "1000m"), ("1Gi", "1073741824"), ("2", "1999999999n")])
def test_equal_quantities_in_other_words_are_equal(limit: str, request_: str) -> None:
    assert of_resources({GPU: limit, "cpu": "1"}, {GPU: request_}) == []


def test_overhead_is_said_like_limits() -> None:
    assert of_pod({"overhead": {"gpu": "1"}, "runtimeClassName": "kata"}) == [
        'overhead.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
        'overhead.limits[gpu]: Invalid value: "gpu": must be a standard resource for containers',
    ]


@pytest.mark.parametrize(
    ("claims", "faults"),
    [
        ([{"name": "x"}], ['[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims: a, b']),
        ([{"name": ""}], ["[0]: Required value"]),
        ([{"name": "a", "request": "R"}], ['[0].request: Invalid value: "R": a lowercase RFC 1123 label must']),
        ([{"name": "a", "request": "r"}, {"name": "a", "request": "r"}], ['[1]: Duplicate value: "a/r"']),
        ([{"name": "a", "request": "r"}, {"name": "a"}], ['[1]: Duplicate value: "a"']),
        ([{"name": "a"}, {"name": "a", "request": "r"}], ['[1]: Duplicate value: "a"']),
    ],
)
def test_claims_that_a_container_uses(claims: list[Tree], faults: list[str]) -> None:
    pod = {"resourceClaims": [{"name": "b", "resourceClaimName": "x"}, {"name": "a", "resourceClaimTemplateName": "y"}]}
    for text, fault in zip(of_container({"resources": {"claims": claims}}, pod=pod), faults, strict=True):
        assert text.startswith(f"resources.claims{fault}")


def test_a_claim_where_the_pod_has_none() -> None:
    assert of_container({"resources": {"claims": [{"name": "x"}]}}) == [
        'resources.claims[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims which is empty'
    ]


@pytest.mark.parametrize(
    ("claim", "fault"),
    [
        (
            {"name": "gpu"},
            '[0]: Invalid value: {"Name":"gpu","ResourceClaimName":null,"ResourceClaimTemplateName":null}: '
            "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
        ),
        (
            {"name": "gpu", "resourceClaimName": "c", "resourceClaimTemplateName": "t"},
            '[0]: Invalid value: {"Name":"gpu","ResourceClaimName":"c","ResourceClaimTemplateName":"t"}: '
            "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
        ),
        ({"name": "A", "resourceClaimName": "c"}, '[0].name: Invalid value: "A": a lowercase RFC 1123 label must'),
        ({"name": "a", "resourceClaimTemplateName": "B"}, '[0].resourceClaimTemplateName: Invalid value: "B": a lowercase'),
    ],
)
def test_claims_of_a_pod(claim: Tree, fault: str) -> None:
    (found,) = of_pod({"resourceClaims": [claim]})
    assert found.startswith(f"resourceClaims{fault}")


def test_resizing() -> None:
    policies = [
        {"resourceName": "gpu", "restartPolicy": "x"},
        {"resourceName": "cpu", "restartPolicy": "NotRequired"},
        {"resourceName": "cpu", "restartPolicy": "RestartContainer"},
    ]
    assert of_container({"resizePolicy": policies}, pod={"restartPolicy": "OnFailure"}) == [
        'resizePolicy: Unsupported value: "gpu": supported values: "cpu", "memory"',
        'resizePolicy: Unsupported value: "x": supported values: "NotRequired", "RestartContainer"',
        'resizePolicy[2]: Duplicate value: "cpu"',
    ]
    restarts = {"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]}
    never = {"restartPolicy": "Never"}
    (found,) = of_container(restarts, pod=never)
    assert found == "resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'"
    (found,) = of_container(restarts, pod=never, kubernetes="1.35")
    assert found == "resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when `restartPolicy` is 'Never'"


@pytest.mark.parametrize(
    ("resources", "faults"),
    [
        (
            {"limits": {"ephemeral-storage": "1Gi"}},
            ['resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"'],
        ),
        (
            {"claims": [{"name": "x"}]},
            ["resources.claims: Forbidden: claims may not be set for Resources at pod-level", 'resources.claims[0]: Not found: "x": must be'],
        ),
        ({"requests": {"cpu": "2"}}, ['resources.requests[cpu]: Invalid value: "2": must be greater than or equal to aggregate container requests of 3500m']),
        ({"limits": {"memory": "1Gi"}}, ['resources.containers[0][memory].limits: Invalid value: "2Gi": must be less than or equal to pod limits of 1Gi']),
        ({"limits": {"memory": "2Gi"}}, []),
        ({"limits": {"cpu": "4"}, "requests": {"cpu": "3500m"}}, []),
    ],
)
def test_a_pod_as_a_whole(resources: Tree, faults: list[str]) -> None:
    def needs(cpu: str) -> Tree:
        return {"resources": {"requests": {"cpu": cpu}}, "image": "i"}

    pod = {
        "resources": resources,
        "initContainers": [
            {"name": "first", **needs("1")},
            {"name": "sidecar", "restartPolicy": "Always", **needs("500m")},
            {"name": "last", **needs("3")},
        ],
    }
    found = of_pod(pod, container={"resources": {"limits": {"memory": "2Gi"}, "requests": {"cpu": "1"}}})
    for text, fault in zip(found, faults, strict=True):
        assert text.startswith(fault)


@pytest.mark.parametrize(("own", "enough"), [("2Mi", False), ("4Mi", True), ("6Mi", True)])
def test_huge_pages_of_a_pod_as_a_whole_are_those_of_all_containers(own: str, enough: bool) -> None:
    pages = {"hugepages-2Mi": "2Mi", "cpu": "1"}
    containers = [{"name": name, "image": "i", "resources": {"limits": pages}} for name in ("a", "b")]
    found = of_pod({"containers": containers, "resources": {"limits": {"hugepages-2Mi": own, "cpu": "2"}}})
    short = 'resources.limits[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container limits of 4Mi'
    assert found == ([] if enough else [short])


def test_a_pod_of_windows_has_no_resources_as_a_whole() -> None:
    assert of_pod({"os": {"name": "windows"}, "resources": {"limits": {"cpu": "1"}}}) == ["resources: Forbidden: may not be set for a windows pod"]
    assert of_pod({"os": {"name": "linux"}, "resources": {"limits": {"cpu": "1"}}}) == []


def starts(cpu: str, *, stays: bool = False) -> Tree:
    return {"image": "i", "resources": {"requests": {"cpu": cpu}}, **({"restartPolicy": "Always"} if stays else {})}


@pytest.mark.parametrize(
    ("first", "total"),
    [
        ([], "1"),
        ([starts("500m")], "1"),
        ([starts("3")], "3"),
        ([starts("2"), starts("3")], "3"),
        ([starts("3"), starts("2")], "3"),
        ([starts("500m", stays=True)], "1500m"),
        ([starts("500m", stays=True), starts("500m", stays=True)], "2"),
        ([starts("3", stays=True)], "4"),
        ([starts("3", stays=True), starts("500m")], "4"),
        ([starts("3", stays=True), starts("2")], "5"),
        ([starts("2"), starts("3", stays=True)], "4"),
        ([starts("5"), starts("3", stays=True)], "5"),
        ([starts("1", stays=True), starts("1", stays=True), starts("1")], "3"),
        ([starts("1", stays=True), starts("1", stays=True), starts("1500m")], "3500m"),
    ],
)
def test_what_containers_need_together(first: list[Tree], total: str) -> None:
    """All that run at a time, or the greatest need while they start one after the other; a sidecar stays beside those that start later."""
    pod = {"resources": {"requests": {"cpu": "1m"}}, "initContainers": [{"name": f"i{index}", **each} for index, each in enumerate(first)]}
    (found,) = of_pod(pod, container={"resources": {"requests": {"cpu": "1"}}})
    assert found == f'resources.requests[cpu]: Invalid value: "1m": must be greater than or equal to aggregate container requests of {total}'
    assert of_pod({**pod, "resources": {"requests": {"cpu": total}}}, container={"resources": {"requests": {"cpu": "1"}}}) == []


def test_what_is_wrong_with_resources_has_one_code() -> None:
    assert {slug for slug, _ in said(pod={"resources": {"claims": [{"name": "x"}]}}, container={"resources": {"limits": {"gpu": "1"}}})} == {
        "resources-refused"
    }
