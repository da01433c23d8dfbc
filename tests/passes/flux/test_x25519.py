from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobset_compiler.passes.flux.x25519 import multiply, public_key

KEYS = st.binary(min_size=32, max_size=32)
BASE = (9).to_bytes(32, "little")

# RFC 7748, section 5.2: scalar, u-coordinate, result
VECTORS = (
    (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    (
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ),
)
# RFC 7748, section 5.2: the scalar and u of one round are the result and scalar of the one before
ITERATED = {1: "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079", 1000: "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"}
# RFC 7748, section 6.1: private keys, public keys, shared secret
ALICE = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
ALICE_PUBLIC = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
BOB = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
BOB_PUBLIC = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
SHARED = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"


@pytest.mark.parametrize(("scalar", "point", "result"), VECTORS)
def test_vectors(scalar: str, point: str, result: str) -> None:
    assert multiply(bytes.fromhex(scalar), bytes.fromhex(point)).hex() == result


def test_iterated() -> None:
    scalar = point = BASE
    for round_ in range(1, 1001):
        scalar, point = multiply(scalar, point), scalar
        if round_ in ITERATED:
            assert scalar.hex() == ITERATED[round_]


def test_key_exchange() -> None:
    alice, bob = bytes.fromhex(ALICE), bytes.fromhex(BOB)
    assert (public_key(alice).hex(), public_key(bob).hex()) == (ALICE_PUBLIC, BOB_PUBLIC)
    assert multiply(alice, public_key(bob)).hex() == multiply(bob, public_key(alice)).hex() == SHARED


@settings(max_examples=25, deadline=None)
@given(KEYS, KEYS)
def test_both_sides_get_the_same_secret(one: bytes, other: bytes) -> None:
    assert multiply(one, public_key(other)) == multiply(other, public_key(one))


@settings(max_examples=25, deadline=None)
@given(KEYS)
def test_clamped_bits_do_not_matter(key: bytes) -> None:
    clamped = bytes([key[0] & 248, *key[1:31], (key[31] & 127) | 64])
    assert public_key(key) == public_key(clamped)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_only_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match=f"^an X25519 scalar has 32 bytes, not {length}$"):
        public_key(bytes(length))
