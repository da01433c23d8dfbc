"""X25519: the public key that belongs to 32 bytes of private key (RFC 7748, section 5).

Only for deriving a key that upstream derives from a public UID: plain integers, not constant time, no use for secrets.
"""

from __future__ import annotations

PRIME = 2**255 - 19
BASE_POINT = 9
A24 = 121665
KEY_LENGTH = 32


def public_key(private: bytes) -> bytes:
    """The public key of a private key, both 32 bytes, little-endian."""
    return multiply(private, BASE_POINT.to_bytes(KEY_LENGTH, "little"))


def multiply(scalar: bytes, point: bytes) -> bytes:
    """The u-coordinate of scalar times point: the Montgomery ladder over the bits of the clamped scalar."""
    k = _clamped(scalar)
    u = int.from_bytes(point, "little") % 2**255 % PRIME
    x2, z2, x3, z3 = 1, 0, u, 1
    swapped = 0
    for position in reversed(range(255)):
        bit = k >> position & 1
        if bit != swapped:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swapped = bit
        total, difference = x2 + z2, x2 - z2
        cross, other = (x3 - z3) * total % PRIME, (x3 + z3) * difference % PRIME
        total_squared, difference_squared = total * total % PRIME, difference * difference % PRIME
        gap = total_squared - difference_squared
        x2, z2 = total_squared * difference_squared % PRIME, gap * (total_squared + A24 * gap) % PRIME
        x3, z3 = (other + cross) ** 2 % PRIME, u * (other - cross) ** 2 % PRIME
    if swapped:
        x2, z2 = x3, z3
    return (x2 * pow(z2, PRIME - 2, PRIME) % PRIME).to_bytes(KEY_LENGTH, "little")


def _clamped(scalar: bytes) -> int:
    if len(scalar) != KEY_LENGTH:
        raise ValueError(f"an X25519 scalar has {KEY_LENGTH} bytes, not {len(scalar)}")
    number = int.from_bytes(scalar, "little")
    return (number & ~7 & (2**254 - 1)) | 2**254
