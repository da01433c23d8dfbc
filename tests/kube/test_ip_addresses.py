"""IP addresses as the API server reads them: what the strict reader says, and what the one that takes leading zeros says."""

from __future__ import annotations

import pytest

from jobset_compiler.kube.addresses import LEADING_ZEROS, MAPPED, NO_ADDRESS, address_problems

FINE = (
    "0.0.0.0",
    "255.255.255.255",
    "0.10.200.99",
    "::ffff",
    "1::",
    "::ffff:ffff",
    "ABCD:ef01::ffff",
    "1:2:3:4:5:6:1.2.3.4",
    "::1.2.3.4",
    "::fffe:1.2.3.4",
    "::1:ffff:1.2.3.4",
    "1::ffff:1.2.3.4",
    "::ffff:1:1.2.3.4",
    "1:2:3:4:5:6::8",
    "1::3:4:5:6:7:8",
    "0:0:0:0:0:0:0:0",
    "0:0:0:0:ffff:0:0:0",
)
NONE = (
    "256.0.0.0",
    "0.0.0.1000",
    "1.2.3.4.5",
    "1..2.3",
    ".1.2.3",
    "1.2.3.",
    "1.2.3.a",
    "1.2.3.\u0664",
    "+1.2.3.4",
    "1.2.3.4:1",
    "::1.2.3.256",
    "::1.2.3",
    ":",
    ":::",
    "1:",
    "1::2:",
    "::1:",
    "::g",
    "g::",
    "1:g:3:4:5:6:7:8",
    "::10000",
    "10000::",
    "1:10000:3:4:5:6:7:8",
    "1::3:1.2.3.4:5",
    "1.2.3.4::1",
    "1:2:3:4:5:1.2.3.4",
    "1:2:3:4:5:6:7:1.2.3.4",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8",
    "1:2::3:1.2.3.4.5",
)
ZEROS = ("01.2.3.4", "1.2.3.00", "1.2.3.0000001", "::01.2.3.4", "::ffff:1.2.3.04", "00001::ffff", "::00000", "00000::1.2.3.4")
IN_IPV6 = ("::ffff:0.0.0.0", "::FFFF:1.2.3.4", "0:0:0:0:0:ffff:1:2", "::ffff:0:0", "0::ffff:1.2.3.4")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, ()) for text in FINE),
        *((text, (NO_ADDRESS,)) for text in NONE),
        *((text, (LEADING_ZEROS,)) for text in ZEROS),
        *((text, (MAPPED,)) for text in IN_IPV6),
    ],
)
def test_what_is_said_of_an_address(text: str, said: tuple[str, ...]) -> None:
    assert address_problems(text, strict=True) == said
    assert address_problems(text, strict=False) == (said if said == (NO_ADDRESS,) else ())
