# SPDX-License-Identifier: MIT
"""Signed replies, compared with lxml's canonical forms and OpenSSL's ECDSA. Third-party programs verify them, with each
signed bit changed."""

import base64
import hashlib
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from lxml import etree

from tests.bodies.support import ask, posted
from tests.harness import engine_of, opened
from tests.tls.host import KEY, identity
from tests.wss.host import NOW, WSSE, at
from tests.wss.signing import DS, EXC, SHA256, SOAP11, SOAP12, by_id, canonical, envelope, sign
from tests.wss.test_called import TYPES, code
from whit.paths import ROOT
from whit.wire.http import Response
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "replies"
REFUSED = (
    *(AssertionError, AttributeError, InvalidSignature, StopIteration, TypeError, ValueError, SyntaxError),
    etree.LxmlError,
)


def signing(app: Path = APP, *, key: bytes = b"", **settings: object) -> Engine:
    """Starts an engine that signs its replies."""
    files = {"services__certificate": str(identity().certificate), "services__key": str(KEY)}
    return opened(app, unix_s=NOW, key=key or identity().key, **files, **settings)


engine = engine_of(APP, start=signing)


def message(level: int | str, soap: str = SOAP11) -> bytes:
    return sign(envelope(soap=soap, body=f'<d:get xmlns:d="urn:whit:device"><d:level>{level}</d:level></d:get>'))


def called(engine: Engine, octets: bytes, soap: str = SOAP11) -> Response:
    return ask(engine, posted("/device", octets, f"Content-Type: {TYPES[soap]}"))


def signature_of(root: etree._Element) -> bytes:
    return base64.b64decode(root.findtext(f".//{{{DS}}}SignatureValue") or "")


def verify(octets: bytes, *, asked: bytes) -> etree._Element:
    """The Body, if the device signed it and its time for this message; else REFUSED."""
    root = etree.fromstring(octets)
    (info,) = root.iter(f"{{{DS}}}SignedInfo")
    parts = []
    for reference in info.iter(f"{{{DS}}}Reference"):
        assert reference.find(f".//{{{DS}}}Transform").get("Algorithm") == EXC
        assert reference.find(f"{{{DS}}}DigestMethod").get("Algorithm") == SHA256
        parts.append(by_id(root, reference.get("URI")[1:]))
        digest = base64.b64encode(hashlib.sha256(canonical(parts[-1])).digest()).decode()
        assert reference.findtext(f"{{{DS}}}DigestValue") == digest
    names = [etree.QName(part).localname for part in parts]
    assert names == ["Timestamp", "SignatureConfirmation", "Body"]
    assert parts[2].getparent() is root and {one.getparent().tag for one in parts[:2]} == {f"{{{WSSE}}}Security"}
    assert [child.text for child in parts[0]] in [[at(now), at(now + 300)] for now in (NOW, NOW + 1, NOW + 2)]
    assert base64.b64decode(parts[1].get("Value")) == signature_of(etree.fromstring(asked))
    octets = signature_of(root)
    assert len(octets) == 64
    der = utils.encode_dss_signature(int.from_bytes(octets[:32], "big"), int.from_bytes(octets[32:], "big"))
    certificate = x509.load_pem_x509_certificate(identity().certificate.read_bytes())
    key = certificate.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    key.verify(der, hashlib.sha256(canonical(info)).digest(), ec.ECDSA(utils.Prehashed(hashes.SHA256())))
    thumbprint = base64.b64encode(certificate.fingerprint(hashes.SHA1())).decode()
    assert root.findtext(f".//{{{DS}}}KeyInfo//{{{WSSE}}}KeyIdentifier") == thumbprint
    return parts[2]


def values(body: etree._Element) -> list[str | None]:
    return [child.text for child in body[0]]


@pytest.mark.parametrize("soap", [SOAP11, SOAP12], ids=["1.1", "1.2"])
def test_results(engine: Engine, soap: str) -> None:
    """Results contain texts that canonical forms spell differently, and an enum without its word."""
    for level, kind in ((6, "on"), (7, "off"), (8, None)):
        asked = message(level, soap)
        response = called(engine, asked, soap)
        assert response.status == 200
        body = verify(response.body, asked=asked)
        assert values(body) == [str(level), str(level - 5), '<a> & "b"\r\n\tc\N{REPLACEMENT CHARACTER} é', kind]
        assert (kind is None) == (b"nil" in response.body)


@pytest.mark.parametrize("soap", [SOAP11, SOAP12], ids=["1.1", "1.2"])
@pytest.mark.parametrize(
    ("level", "reason"),
    [(99, '99 is <too> much & "loud"'), (98, "the function failed"), ("x", "level: expected a number from 0 to 255")],
    ids=["fault", "failed", "argument"],
)
def test_faults(engine: Engine, level: int | str, reason: str, soap: str) -> None:
    asked = message(level, soap)
    response = called(engine, asked, soap)
    assert response.status == 500
    body = verify(response.body, asked=asked)
    assert reason in "".join(body.itertext())
    assert len(list(body.iter("detail"))) == (soap == SOAP11)  # the Body was the reason: SOAP 1.1 section 4.4


def test_what_is_not_admitted_gets_a_fault_that_is_not_signed(engine: Engine) -> None:
    asked = message(5)
    assert called(engine, asked).status == 200
    for octets, fault in ((asked, "FailedAuthentication"), (message(6).replace(b"level>6", b"level>7"), "FailedCheck")):
        told = called(engine, octets)
        assert code(told) == f"{{{WSSE}}}{fault}"
        assert b"Signature" not in told.body and b"detail" not in told.body


def test_no_nonce_comes_twice(engine: Engine) -> None:
    """The first halves of signatures, of the same message on devices that are just started too."""
    asked = message(5)
    found = [signature_of(etree.fromstring(called(engine, message(level)).body)) for level in range(8)]
    for seed in (1, 2):
        with signing(seed=seed) as other:
            found.append(signature_of(etree.fromstring(called(other, asked).body)))
    assert len({signature[:32] for signature in found}) == len(found)


def test_without_a_key() -> None:
    """The device has no key: the function does not run."""
    with signing(key=bytes([255]) * 32) as engine:
        told = called(engine, message(5))
        assert told.status == 500 and b"the device has no key" in told.body and b"s:Server" in told.body


def test_every_bit(engine: Engine) -> None:
    """The caller detects each changed bit of a reply, or reads the same values."""
    asked = message(7)
    octets = called(engine, asked).body
    wanted = values(verify(octets, asked=asked))
    for place in range(len(octets)):
        for bit in range(8):
            changed = octets[:place] + bytes((octets[place] ^ 1 << bit,)) + octets[place + 1 :]
            try:
                body = verify(changed, asked=asked)
            except REFUSED:
                continue
            assert values(body) == wanted, (place, bit)
            assert changed.index(b"<s:Body") == octets.index(b"<s:Body"), "beside what is signed"


def test_a_small_buffer_is_told_of() -> None:
    from whit.errors import WhitError

    with pytest.raises(WhitError, match=r"buffer is 4096: expected at least \d+ for signed replies of SOAP of device"):
        signing(buffer=4096)
