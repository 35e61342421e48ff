# SPDX-License-Identifier: MIT
"""Messages that are signed by RSA-2048, by a caller beside one of P-256."""

import base64
import random
import re

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.bodies.support import ask as asked
from tests.bodies.support import posted
from tests.harness import opened
from tests.wss import test_replies
from tests.wss.host import NOW, WSSE, Device
from tests.wss.signing import ECDSA, EXC, RSA, SHA256, SOAP11, envelope, rsa_key, sign
from tests.wss.test_called import TYPES, code
from tests.wss.test_called_signed import APP, level
from tests.wss.test_signed import ask

OCTETS = 256


def signed(number: int = 7) -> bytes:
    body = f'<d:get xmlns:d="urn:whit:device"><d:level>{number}</d:level></d:get>'
    return sign(envelope(body=body), signer=rsa_key())


def with_value(octets: bytes, value: bytes) -> bytes:
    return re.sub(rb"(<ds:SignatureValue>)[^<]*", lambda found: found[1] + value, octets)


@pytest.mark.parametrize("first", [False, True])
def test_taken_once(first: bool) -> None:
    device, octets = Device(), sign(envelope(), signer=rsa_key(), first=first)
    assert ask(device, octets) == ""
    assert ask(device, octets) == "failed"
    assert ask(Device(), octets, step=1, first=1) == ""
    value = re.search(rb"SignatureValue>([^<]*)", octets)
    assert value is not None
    lines = b"\n".join(value[1][at : at + 76] for at in range(0, len(value[1]), 76))  # as many write it
    assert ask(Device(), with_value(octets, lines)) == ""


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({"signer": 2048}, "check"),
        ({"signer": 1024}, "invalid"),
        ({"signer": rsa_key(), "methods": (EXC, ECDSA, SHA256)}, "invalid"),
        ({"methods": (EXC, RSA, SHA256)}, "invalid"),
        ({"signer": rsa_key(), "methods": (EXC, RSA.replace("256", "512"), SHA256)}, "algorithm"),
        ({"signer": rsa_key(), "digests": {"B-1": bytes(32)}}, "check"),
        ({"signer": rsa_key(), "ids": ["B-1"]}, "check"),
    ],
    ids=["another's key", "of 1024 bits", "said to be ECDSA", "ECDSA", "SHA-512", "a wrong digest", "Body alone"],
)
def test_refused(said: dict, fault: str) -> None:
    if isinstance(bits := said.get("signer"), int):
        said = {"signer": rsa.generate_private_key(65537, bits)}
    assert ask(Device(), sign(envelope(), **said)) == fault


@pytest.mark.parametrize("kind", ["P256", "RSA"])
def test_keys_of_one_kind(kind: str) -> None:
    device = Device(kinds=(kind,))
    assert ask(device, sign(envelope())) == ("" if kind == "P256" else "algorithm")
    assert ask(device, sign(envelope(), signer=rsa_key())) == ("" if kind == "RSA" else "algorithm")


@pytest.mark.parametrize("length", [0, 64, 255, 257, 258, 300, 3000])
def test_values_of_another_length(length: int) -> None:
    octets = with_value(sign(envelope(), signer=rsa_key()), base64.b64encode(bytes(length)))
    assert ask(Device(), octets) == "invalid"
    assert ask(Device(), with_value(octets, b"AAA=" * 90)) == "invalid"
    assert ask(Device(), with_value(octets, b"A" * 342)) == "invalid"


def test_numbers_that_are_none() -> None:
    octets, modulus = sign(envelope(), signer=rsa_key()), rsa_key().public_key().public_numbers().n
    for number in (0, 1, modulus - 1, modulus, (1 << 2048) - 1):
        value = base64.b64encode(number.to_bytes(OCTETS, "big"))
        assert ask(Device(), with_value(octets, value)) == "check"


def test_a_bit_of_each_octet() -> None:
    octets, device, rng = sign(envelope(), signer=rsa_key()), Device(), random.Random(2)
    for name in (b"wsu:Timestamp", b"s:Body", b"ds:SignedInfo", b"ds:SignatureValue"):
        pattern = b"<%s.*</%s>" % (name, name)
        span = re.search(pattern, octets, re.DOTALL)
        assert span is not None
        for place in range(span.start(), span.end()):
            wrong = bytearray(octets)
            wrong[place] ^= 1 << rng.randrange(8)
            assert ask(device, bytes(wrong)) != "", (place, octets[place : place + 1], wrong[place : place + 1])
    assert ask(device, octets) == ""


def test_an_image() -> None:
    """Callers of the image sign by ECDSA and by RSA."""
    with opened(APP, unix_s=NOW) as engine:
        request = posted("/device", signed(9), f"Content-Type: {TYPES[SOAP11]}")
        assert level(asked(engine, request)) == 9
        assert code(asked(engine, request)) == f"{{{WSSE}}}FailedAuthentication"
        wrong = posted("/device", signed(9).replace(b":level>9<", b":level>8<"), f"Content-Type: {TYPES[SOAP11]}")
        assert code(asked(engine, wrong)) == f"{{{WSSE}}}FailedCheck"
        other = posted("/device", signed(9).replace(b"rsa-sha256", b"rsa-sha512"), f"Content-Type: {TYPES[SOAP11]}")
        assert b"SHA-256, ECDSA with P-256 or RSA<" in asked(engine, other).body


def test_a_reply_confirms_it() -> None:
    with test_replies.signing() as engine:
        octets = signed(6)
        answer = test_replies.called(engine, octets)
        assert answer.status == 200
        body = test_replies.verify(answer.body, asked=octets)
        assert body.findtext(".//{urn:whit:device}level") == "6"
