# SPDX-License-Identifier: MIT
"""Vectors that others published, on this machine: Wycheproof's, and those of the RFCs."""

import ctypes
import hashlib
import hmac
import random
import re
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.crypto.built import KINDS, Aead, AeadKey, Sha1, Sha256, on_this_machine, room, vectors

# RFC 6979, A.2.5: key, and message to signature.
KEY_6979 = bytes.fromhex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
SIGNED_6979 = {
    b"sample": "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
    "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
    b"test": "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
    "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",
}
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@pytest.fixture(scope="module", params=KINDS)
def code(request):
    return on_this_machine(request.param)


def cut(octets, rng):
    """The same in pieces, some of them empty."""
    while octets:
        length = rng.choice((0, 1, 15, 16, 17, 63, 64, 65, 200))
        yield octets[:length]
        octets = octets[length:]


def test_sha256_in_any_split(code, seed):
    rng = random.Random(seed)
    for length in (*range(140), 1000, 65537):
        octets, sha, digest = rng.randbytes(length), Sha256(), room(32)
        code.whit_sha256_begin(sha)
        for piece in cut(octets, rng):
            code.whit_sha256_add(sha, piece, len(piece))
        code.whit_sha256_end(sha, digest)
        assert digest.raw == hashlib.sha256(octets).digest()


def test_sha1_in_any_split(code, seed):
    rng = random.Random(seed)
    for length in (*range(140), 1000, 65537):
        octets, sha, digest = rng.randbytes(length), Sha1(), room(20)
        code.whit_sha1_begin(sha)
        for piece in cut(octets, rng):
            code.whit_sha1_add(sha, piece, len(piece))
        code.whit_sha1_end(sha, digest)
        assert digest.raw == hashlib.sha1(octets).digest()


def test_hmac_of_every_length_of_key(code, seed):
    rng = random.Random(seed)
    for length in range(65):
        key, octets, sha, mac = rng.randbytes(length), rng.randbytes(length * 3), Sha256(), room(32)
        code.whit_hmac_begin(sha, key, length)
        code.whit_sha256_add(sha, octets, len(octets))
        code.whit_hmac_end(sha, key, length, mac)
        assert mac.raw == hmac.digest(key, octets, "sha256")


def test_the_result_of_hmac_may_take_the_place_of_its_key(code):
    key, sha = room(32), Sha256()
    code.whit_hmac_begin(sha, key, 32)
    code.whit_hmac_end(sha, key, 32, key)
    assert key.raw == hmac.digest(bytes(32), b"", "sha256")


def test_hkdf(code):
    checked = 0
    for _, test in vectors("hkdf_sha256"):
        key, salt, info = (bytes.fromhex(test[name]) for name in ("ikm", "salt", "info"))
        if test["size"] > 32 or len(salt) > 64:
            continue  # which the contract does not have
        secret, output = room(32), room(test["size"])
        code.whit_hkdf_extract(secret, salt, len(salt), key, len(key))
        code.whit_hkdf_expand(output, test["size"], secret, info, len(info))
        assert output.raw.hex() == test["okm"], test["comment"]
        checked += 1
    assert checked > 25


def test_x25519(code):
    checked = 0
    for _, test in vectors("x25519"):
        shared = room(32)
        good = code.whit_x25519(shared, bytes.fromhex(test["private"]), bytes.fromhex(test["public"]))
        assert shared.raw.hex() == test["shared"], test["comment"]
        assert good == (shared.raw != bytes(32))
        checked += 1
    assert checked > 500


def test_x25519_of_a_point_of_small_order_is_false(code):
    small = [test for _, test in vectors("x25519") if "ZeroSharedSecret" in test["flags"]]
    for test in small:
        assert not code.whit_x25519(room(32), bytes.fromhex(test["private"]), bytes.fromhex(test["public"]))
    assert len(small) > 10


def test_both_sides_of_x25519_get_the_same(code, seed):
    rng = random.Random(seed)
    secrets, points, shared = [rng.randbytes(32) for _ in "ab"], [room(32), room(32)], [room(32), room(32)]
    for secret, point in zip(secrets, points, strict=True):
        code.whit_x25519_public(point, secret)
    assert code.whit_x25519(shared[0], secrets[0], points[1]) and code.whit_x25519(shared[1], secrets[1], points[0])
    assert shared[0].raw == shared[1].raw


def run_aead(code, kind, step, key, data, octets, rng):
    """The text in pieces of any length, in place, and the tag."""
    aead, tag, text = Aead(), room(16), b""
    step, end = getattr(code, f"whit_{kind}_{step}"), getattr(code, f"whit_{kind}_end")
    getattr(code, f"whit_{kind}_begin")(aead, key, data, len(data))
    for piece in cut(octets, rng):
        there = ctypes.create_string_buffer(piece, len(piece) + 1)
        step(aead, key, there, there, len(piece))
        text += there.raw[: len(piece)]
    end(aead, key, tag)
    return text, tag.raw


@pytest.mark.parametrize(("kind", "name", "least"), [("aead", "chacha20_poly1305", 250), ("gcm", "aes_gcm", 60)])
def test_sealed_and_opened_in_any_split(code, kind, name, least, seed):
    rng, checked = random.Random(seed), 0
    for group, test in vectors(name):
        if group["ivSize"] != 96 or group["keySize"] != {"aead": 256, "gcm": 128}[kind]:
            continue
        fields = {name: bytes.fromhex(test[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")}
        key = AeadKey(tuple(fields["key"]), tuple(fields["iv"]))
        text, tag = run_aead(code, kind, "open", key, fields["aad"], fields["ct"], rng)
        assert (tag == fields["tag"]) == (test["result"] == "valid")
        if test["result"] == "valid":
            assert text == fields["msg"]
            sealed = run_aead(code, kind, "seal", key, fields["aad"], fields["msg"], rng)
            assert sealed == (fields["ct"], fields["tag"])
        checked += 1
    assert checked > least


@pytest.mark.parametrize("length", [1, 4000, 65_535])
def test_long_texts_by_aes(code, length, seed):
    """Texts longer than those of the vectors agree with another implementation."""
    rng = random.Random(seed + length)
    key, nonce, text, data = rng.randbytes(16), rng.randbytes(12), rng.randbytes(length), rng.randbytes(5)
    sealed = run_aead(code, "gcm", "seal", AeadKey(tuple(key), tuple(nonce)), data, text, rng)
    assert b"".join(sealed) == AESGCM(key).encrypt(nonce, text, data)


def test_p256_signs_as_rfc_6979_says(code):
    for message, signature in SIGNED_6979.items():
        made = room(64)
        assert code.whit_p256_sign(made, KEY_6979, hashlib.sha256(message).digest())
        assert made.raw.hex().upper() == signature


@pytest.mark.parametrize("key", [0, ORDER, ORDER + 1, 2**256 - 1])
def test_p256_takes_no_key_that_is_no_scalar(code, key):
    assert not code.whit_p256_sign(room(64), key.to_bytes(32, "big"), bytes(32))


def der(signature):
    """ECDSA-Sig-Value of RFC 3279."""
    numbers = [signature[at : at + 32].lstrip(b"\0") or b"\0" for at in (0, 32)]
    numbers = [b"\0" + number if number[0] > 127 else number for number in numbers]
    body = b"".join(bytes((2, len(number))) + number for number in numbers)
    return bytes((0x30, len(body))) + body


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_takes_the_signatures(code, tmp_path, seed):
    rng = random.Random(seed)
    pem, digest, signature = tmp_path / "key.pem", tmp_path / "digest", tmp_path / "signature"
    for number in range(4):
        subprocess.run(["openssl", "ecparam", "-genkey", "-noout", "-name", "prime256v1", "-out", pem], check=True)
        shown = subprocess.run(["openssl", "ec", "-in", pem, "-text", "-noout"], capture_output=True, text=True).stdout
        key = re.sub(r"[^0-9a-f]", "", re.search(r"priv:([0-9a-f:\s]+)", shown)[1])[-64:]
        digest.write_bytes(b"\xff" * 32 if number == 0 else rng.randbytes(32))  # the first is above the order
        made = room(64)
        assert code.whit_p256_sign(made, bytes.fromhex(key.zfill(64)), digest.read_bytes())
        signature.write_bytes(der(made.raw))
        verify = ["openssl", "pkeyutl", "-verify", "-inkey", pem, "-in", digest, "-sigfile", signature]
        assert subprocess.run(verify, capture_output=True).returncode == 0


def test_p256_verifies(code):
    """Covers halves of a signature that are zero or the order or more, and a sum of points at infinity."""
    checked = 0
    for group, test in vectors("ecdsa_secp256r1_sha256_p1363"):
        signature = bytes.fromhex(test["sig"])
        if len(signature) != 64:
            continue  # which the contract does not have
        point = bytes.fromhex(group["publicKey"]["uncompressed"])[1:]
        good = code.whit_p256_verify(signature, point, hashlib.sha256(bytes.fromhex(test["msg"])).digest())
        assert good == (test["result"] == "valid"), test["comment"]
        checked += 1
    assert checked > 200


def test_equal_looks_at_every_octet(code, seed):
    octets = random.Random(seed).randbytes(32)
    assert code.whit_equal(octets, octets, 32)
    for at in range(32):
        other = bytearray(octets)
        other[at] ^= 1 << at % 8
        assert not code.whit_equal(octets, bytes(other), 32)
