"""DNS, the hosts file, and IP addresses as Kubernetes reads them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobset_compiler.kube.addresses import LEADING_ZEROS, MAPPED, NO_ADDRESS, address_problems
from tests.admission.children.said import Tree, of_pod, said

pytestmark = pytest.mark.usefixtures("whole_words")


@pytest.mark.parametrize(
    ("pod", "fault"),
    [
        ({"dnsPolicy": "None"}, "dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"),
        ({"dnsPolicy": "None", "dnsConfig": {}}, "dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None"),
        ({"dnsPolicy": "x"}, 'dnsPolicy: Unsupported value: "x": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"'),
        (
            {"dnsConfig": {"nameservers": ["1.1.1.1"] * 4}},
            'dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.1","1.1.1.1","1.1.1.1"]: must not have more than 3',
        ),
        ({"dnsConfig": {"nameservers": ["a"]}}, f'dnsConfig.nameservers[0]: Invalid value: "a": {NO_ADDRESS}'),
        (
            {"dnsConfig": {"searches": ["a..b"]}},
            "dnsConfig.searches[0]: Invalid value: \"a..b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_'",
        ),
        ({"dnsConfig": {"options": [{"value": "1"}]}}, "dnsConfig.options[0]: Required value: must not be empty"),
        ({"hostAliases": [{"ip": "1.2.3"}]}, f'hostAliases[0].ip: Invalid value: "1.2.3": {NO_ADDRESS}'),
        ({"hostAliases": [{"ip": "::1", "hostnames": ["A"]}]}, 'hostAliases[0].hostnames[0]: Invalid value: "A": a lowercase RFC 1123 subdomain'),
        ({"hostname": "a.b"}, 'hostname: Invalid value: "a.b": must not contain dots'),
        ({"hostnameOverride": "a", "hostNetwork": True}, "hostnameOverride: Forbidden: may not be specified when hostNetwork is true"),
        ({"hostnameOverride": "a" * 64 + "."}, "hostnameOverride: Too long: may not be more than 64 bytes"),
        ({"serviceAccountName": "A"}, 'serviceAccountName: Invalid value: "A": a lowercase RFC 1123 subdomain'),
        ({"serviceAccount": "A"}, 'serviceAccountName: Invalid value: "A": a lowercase RFC 1123 subdomain'),
        ({"runtimeClassName": ""}, 'runtimeClassName: Invalid value: "": a lowercase RFC 1123 subdomain'),
        ({"priorityClassName": "A"}, 'priorityClassName: Invalid value: "A": a lowercase'),
        ({"preemptionPolicy": "x"}, 'preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never"'),
        ({"activeDeadlineSeconds": 0}, "activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"),
        ({"readinessGates": [{"conditionType": ""}]}, 'readinessGates[0].conditionType: Invalid value: "": name part must be non-empty'),
        ({"schedulingGates": [{"name": "a"}, {"name": "a"}]}, 'schedulingGates[1]: Duplicate value: "a"'),
        ({"ephemeralContainers": [{"name": "debug", "image": "i"}]}, "ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"),
    ],
)
def test_a_pod(pod: Tree, fault: str) -> None:
    assert of_pod(pod)[0].startswith(fault)


def test_searches_are_few_and_short() -> None:
    first, second = of_pod({"dnsConfig": {"searches": ["a" * 63] * 33}})
    assert first.endswith(": must not have more than 32 search paths")
    assert second.endswith(": must not have more than 2048 characters (including spaces) in the search list")


def test_searches_of_today_and_of_before() -> None:
    searches = {"dnsConfig": {"searches": ["_a.b_c.example.com.", "."]}}
    assert said(pod=searches) == []
    assert [text[:40] for text in of_pod(searches, kubernetes="1.32")] == [
        'dnsConfig.searches[0]: Invalid value: "_',
        'dnsConfig.searches[1]: Invalid value: ""',
    ]


def test_the_subdomain_is_the_jobsets() -> None:
    assert said(pod={"subdomain": "A"}) == [], "JobSet writes its own over it"
    (found,) = of_pod({"subdomain": "A"}, network={"enableDNSHostnames": False})
    assert found.startswith('subdomain: Invalid value: "A": a lowercase RFC 1123 label')


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("10.9.8.7", ()),
        ("010.1.1.1", (LEADING_ZEROS,)),
        ("1.2.3.256", (NO_ADDRESS,)),
        ("1.2.3", (NO_ADDRESS,)),
        ("", (NO_ADDRESS,)),
        ("::", ()),
        ("::ffff:1.2.3.4", (MAPPED,)),
        ("::ffff:0102:0304", (MAPPED,)),
        ("::1.2.3.04", (LEADING_ZEROS,)),
        ("00001::", (LEADING_ZEROS,)),
        ("fe80::1%eth0", (NO_ADDRESS,)),
        ("1::2::3", (NO_ADDRESS,)),
        ("1:2:3:4:5:6:7:8", ()),
        ("1:2:3:4:5:6:7::8", (NO_ADDRESS,)),
        ("1:2:3:4:5:6:7", (NO_ADDRESS,)),
        ("12345::", (NO_ADDRESS,)),
        (":1", (NO_ADDRESS,)),
        ("1.2.3.4::", (NO_ADDRESS,)),
    ],
)
def test_addresses(text: str, problems: tuple[str, ...]) -> None:
    assert address_problems(text, strict=True) == problems
    assert address_problems(text, strict=False) == tuple(text for text in problems if text == NO_ADDRESS)


@given(st.ip_addresses())
def test_every_address_is_one(address: IPv4Address | IPv6Address) -> None:
    is_mapped = isinstance(address, IPv6Address) and address.ipv4_mapped is not None
    assert address_problems(str(address), strict=True) == ((MAPPED,) if is_mapped else ())
    assert address_problems(address.exploded, strict=True) == ((MAPPED,) if is_mapped else ())
