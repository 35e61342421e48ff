# SPDX-License-Identifier: MIT
"""Sequence numbers are XTEA of address, port and period, under the secret that the port gives at the start."""

import struct
from collections.abc import Callable

import pytest

from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

MASK32, MASK64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
UNSCRAMBLE = pow(0x9E3779B1, -1, 1 << 32)  # cookie.c


def xtea(key: tuple[int, ...], x: int, y: int) -> tuple[int, int]:
    """Encrypts as its authors write it: 32 cycles."""
    total = 0
    for _ in range(32):
        x = x + (((y << 4 ^ y >> 5) + y) ^ (total + key[total & 3])) & MASK32
        total = total + 0x9E3779B9 & MASK32
        y = y + (((x << 4 ^ x >> 5) + x) ^ (total + key[total >> 11 & 3])) & MASK32
    return x, y


def secret(seed: int) -> tuple[int, ...]:
    """Returns the engine's first draw from the in-process port's entropy (SplitMix64)."""
    octets = bytearray()
    for _ in range(16):
        seed = seed + 0x9E3779B97F4A7C15 & MASK64
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK64
        octets.append(z >> 56)
    return struct.unpack("<4I", octets)


def test_the_hash_is_that_of_the_literature() -> None:
    key = (0x00010203, 0x04050607, 0x08090A0B, 0x0C0D0E0F)
    assert xtea(key, 0x41424344, 0x45464748) == (0x497DF3D0, 0x72612CB5)


@pytest.mark.parametrize("seed", [1, 7])
@pytest.mark.parametrize("period", [0, 1, 255])
def test_a_cookie_is_made_of_it(make_engine: Callable[..., Engine], seed: int, period: int) -> None:
    peer = Peer(make_engine(seed=seed, now_ms=period << 16), iss=0x12345678)
    peer.send("S", mss=1460)
    peer.expect("SA", ack=1, length=0)
    address = int.from_bytes(bytes([10, 0, 0, 2]), "big")
    low, high = xtea(secret(seed), address, peer.port << 16 | period)
    assert peer.irs is not None
    made_of = (peer.irs - low) * UNSCRAMBLE & MASK32 ^ high
    assert made_of & 0xFFFF == 0x5678  # the lower half of the peer's ISN
    assert made_of >> 16 == 0x3F  # for chunks of 32: zeros, parity 0, code of MSS_MAX
