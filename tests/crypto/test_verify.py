# SPDX-License-Identifier: MIT
"""Verification of P-256 signatures whose sums meet the point itself, its negative or nothing on their way. OpenSSL
judges them."""

import random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from tests.crypto.built import on_this_machine

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
Point = tuple[int, int] | None


@pytest.fixture(scope="module", params=["small", "wide", "without-avx2"])
def code(request):
    return on_this_machine(request.param)


def add(one: Point, other: Point) -> Point:
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % P == 0:
        return None
    if one == other:
        slope = (3 * one[0] ** 2 - 3) * pow(2 * one[1], -1, P)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P)
    x = (slope**2 - one[0] - other[0]) % P
    return x, (slope * (one[0] - x) - one[1]) % P


def times(scalar: int, point: Point) -> Point:
    total: Point = None
    for digit in bin(scalar % N)[2:]:
        total = add(total, total)
        if digit == "1":
            total = add(total, point)
    return total


def openssl_takes(signature: bytes, point: tuple[int, int], digest: bytes) -> bool:
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    key = ec.EllipticCurvePublicNumbers(*point, ec.SECP256R1()).public_key()
    try:
        key.verify(utils.encode_dss_signature(r, s), digest, ec.ECDSA(utils.Prehashed(hashes.SHA256())))
    except InvalidSignature:
        return False
    return True


def octets(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(32, "big") for number in numbers)


def judged(code, r: int, s: int, point: tuple[int, int], e: int) -> bool:
    """Returns the verdict, which must be OpenSSL's."""
    signature, digest = octets(r, s), octets(e)
    taken = bool(code.whit_p256_verify(signature, octets(*point), digest))
    assert taken == openssl_takes(signature, point, digest)
    return taken


SMALL = (1, 2, N - 1, (N + 1) // 2)


@pytest.mark.parametrize("key", SMALL, ids=["1", "2", "-1", "half"])
def test_sums_that_meet_themselves(code, key: int) -> None:
    """R = u G + v Q, where Q is a small multiple of G or of -G."""
    point = times(key, G)
    assert point is not None
    for u in (0, *SMALL):
        for v in SMALL:
            total = times(u + v * key, G)
            r = total[0] % N if total else 1
            s = r * pow(v, -1, N) % N
            assert judged(code, r, s, point, u * s % N) == (total is not None)


def test_an_x_above_the_order(code) -> None:
    """An x above the order occurs once in 2^32: the test makes a key for it."""
    x = next(x for x in range(N, P) if pow(x**3 - 3 * x + B, (P - 1) // 2, P) == 1)
    y = pow(x**3 - 3 * x + B, (P + 1) // 4, P)
    u, v = 12345, 67890
    point = times(pow(v, -1, N), add((x, y), times(N - u, G)))
    assert point is not None
    s = (x - N) * pow(v, -1, N) % N
    assert judged(code, x - N, s, point, u * s % N)
    assert not judged(code, x - N + 1, s, point, u * s % N)


def test_random_ones_and_each_with_a_bit_changed(code, seed) -> None:
    rng = random.Random(seed)
    for _ in range(8):
        key = rng.randrange(1, N)
        point, e = times(key, G), rng.getrandbits(256)
        assert point is not None
        signer = ec.derive_private_key(key, ec.SECP256R1())
        r, s = utils.decode_dss_signature(signer.sign(octets(e), ec.ECDSA(utils.Prehashed(hashes.SHA256()))))
        assert judged(code, r, s, point, e)
        bit = 1 << rng.randrange(256)
        assert not judged(code, r ^ bit, s, point, e)
        assert not judged(code, r, s ^ bit, point, e)
        assert not judged(code, r, s, point, e ^ bit)


@pytest.mark.parametrize("wrong", [0, N, 2**256 - 1], ids=["0", "n", "most"])
def test_numbers_out_of_range(code, wrong: int) -> None:
    for r, s in ((wrong, 1), (1, wrong)):
        assert not code.whit_p256_verify(octets(r, s), octets(*G), octets(1))


def test_points_that_are_none(code) -> None:
    for point in ((0, 0), (1, 1), (P, G[1]), (G[0], P - G[1] + 1), (G[0], P + 1)):
        assert not code.whit_p256_verify(octets(1, 1), octets(*point), octets(1))
