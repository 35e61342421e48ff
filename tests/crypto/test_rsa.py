# SPDX-License-Identifier: MIT
"""Verification of RSA-2048 signatures, here and on an emulated processor: all of Wycheproof's with our exponent, and
numbers at the limits of the multiplication."""

import ctypes
import hashlib
import random
import shutil
import subprocess
from functools import cache

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.crypto.built import GCM, KINDS, MADE, SOURCES, compile_with, on_this_machine, vectors
from tests.crypto.test_devices import HERE, record
from whit.compiler.services.signers import RSA_EXPONENT, montgomery
from whit.paths import ROOT

OCTETS = 256
of_each_kind = pytest.mark.parametrize("kind", KINDS)
PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")


def key_octets(modulus: int) -> bytes:
    """struct whit_rsa_key."""
    return b"".join(word.to_bytes(4, "little") for word in montgomery(modulus))


@cache
def public_numbers(der: str) -> rsa.RSAPublicNumbers:
    public = serialization.load_der_public_key(bytes.fromhex(der))
    assert isinstance(public, rsa.RSAPublicKey)
    return public.public_numbers()


@cache
def cases() -> list[tuple[int, bytes, bytes, bool]]:
    """A modulus, the signature, the digest, and whether it holds; other lengths the contract does not have."""
    found = []
    for group, test in vectors("rsa_signature_2048_sha256"):
        numbers, signature = public_numbers(group["publicKeyDer"]), bytes.fromhex(test["sig"])
        if numbers.e == RSA_EXPONENT and len(signature) == OCTETS:
            digest = hashlib.sha256(bytes.fromhex(test["msg"])).digest()
            found.append((numbers.n, signature, digest, test["result"] == "valid"))
    return found


def verify(modulus: int, signature: bytes, digest: bytes, kind: str) -> bool:
    key = (ctypes.c_uint32 * 129)(*montgomery(modulus))
    return bool(on_this_machine(kind).whit_rsa_verify(signature, key, digest))


@of_each_kind
def test_vectors(kind: str) -> None:
    """Signatures marked "acceptable" must fail: their DigestInfo is not DER."""
    found = cases()
    for modulus, signature, digest, holds in found:
        assert verify(modulus, signature, digest, kind) == holds
    assert len(found) > 200 and any(holds for *_, holds in found)


def root_of(number: int, private: rsa.RSAPrivateNumbers) -> bytes:
    """Returns the signature whose public operation gives `number` (RFC 8017, section 5.1.2)."""
    one, other = pow(number, private.dmp1, private.p), pow(number, private.dmq1, private.q)
    return (other + private.q * (private.iqmp * (one - other) % private.p)).to_bytes(OCTETS, "big")


def encoded(digest: bytes) -> bytes:
    return b"\0\1" + b"\xff" * (OCTETS - 3 - len(PREFIX) - 32) + b"\0" + PREFIX + digest


@pytest.fixture(scope="module")
def private() -> rsa.RSAPrivateNumbers:
    return rsa.generate_private_key(RSA_EXPONENT, 2048).private_numbers()


@of_each_kind
def test_each_octet_of_the_block_is_compared(private: rsa.RSAPrivateNumbers, kind: str) -> None:
    modulus, digest = private.public_numbers.n, hashlib.sha256(b"a").digest()
    for at in (-1, *range(0, 200, 40), *range(1, 4), *range(200, OCTETS, 4), *range(203, 207), 222, 223, OCTETS - 1):
        block = bytearray(encoded(digest))
        if at >= 0:
            block[at] ^= 0x10
        assert verify(modulus, root_of(int.from_bytes(block, "big"), private), digest, kind) == (at < 0)


@of_each_kind
def test_numbers_at_the_ends(private: rsa.RSAPrivateNumbers, kind: str) -> None:
    modulus, digest = private.public_numbers.n, hashlib.sha256(b"b").digest()
    good = int.from_bytes(root_of(int.from_bytes(encoded(digest), "big"), private), "big")
    assert verify(modulus, good.to_bytes(OCTETS, "big"), digest, kind)
    for other in (0, 1, modulus - 1, modulus, good + modulus, (1 << 2048) - 1, modulus - good):
        if other < 1 << 2048:
            assert not verify(modulus, other.to_bytes(OCTETS, "big"), digest, kind)


ENDS = [(1 << 2048) - 1, (1 << 2047) + 1, (1 << 2048) - (1 << 1024) - 1, (1 << 2048) - (1 << 2016) + 1]


@of_each_kind
@pytest.mark.parametrize("modulus", ENDS)
def test_any_modulus(modulus: int, seed: int, kind: str) -> None:
    """Words that are all ones or zeros."""
    code, rng = on_this_machine(kind), random.Random(seed)
    key = (ctypes.c_uint32 * 129)(*montgomery(modulus))
    for number in (0, 1, modulus - 1, modulus // 2, *(rng.randrange(modulus) for _ in range(20))):
        check, holds = (ctypes.c_uint32 * 200)(), ctypes.c_bool()
        assert code.whit_rsa_check_begin(check, number.to_bytes(OCTETS, "big"), key)
        steps = 1
        while not code.whit_rsa_check_step(check, key, bytes(32), ctypes.byref(holds)):
            steps += 1
        powered = sum(word << 32 * at for at, word in enumerate(check[64 * (1 + steps % 2) : 64 * (2 + steps % 2)]))
        assert steps == 18 and powered == pow(number, RSA_EXPONENT, modulus)


@pytest.mark.skipif(
    not (shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-system-arm")),
    reason="gcc-arm-none-eabi or qemu-system-arm is not installed",
)
def test_cortex_m() -> None:
    records, told, known = b"", "", None
    for modulus, signature, digest, holds in cases():
        if modulus != known:
            records += record("k", b"", b"", key_octets(modulus))
            known = modulus
        records += record("r", digest, b"", signature)
        told += f"{int(holds):02x}"
    header = MADE / "cortex_m_rsa" / "vectors.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(",".join(map(str, records)))
    script = ROOT / "ports" / "cortex_m" / "mps2_an385.ld"
    compiler = ("arm-none-eabi-gcc", "-Os", "-mcpu=cortex-m3", "-mthumb", "--specs=nano.specs", "-nostartfiles")
    words = (*compiler, "-T", str(script), f"-I{header.parent}", "-iquote", str(ROOT / "ports"))
    sources = (*SOURCES, GCM["small"], HERE / "device.c", HERE / "device_cortex_m.c")
    image = compile_with(words, "flat", sources, header.parent / "device.elf")
    emulator = ["qemu-system-arm", "-machine", "mps2-an385", "-nographic", "-monitor", "none", "-serial", "none"]
    semihosting = ["-semihosting-config", "enable=on,target=native", "-kernel", str(image)]
    done = subprocess.run([*emulator, *semihosting], capture_output=True, text=True, timeout=120)
    assert (done.stdout + done.stderr).split()[0] == told
