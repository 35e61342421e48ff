# SPDX-License-Identifier: MIT
"""Signed operations of an image: whole messages, cut by segments, once; and changed messages."""

import pytest
from lxml import etree

from tests.bodies.support import ask, chunked, posted
from tests.harness import engine_of, opened
from tests.wss.host import NOW, WSSE, WSU, security, token
from tests.wss.signing import SOAP11, SOAP12, envelope, sign
from tests.wss.test_called import TYPES, code
from whit.paths import ROOT
from whit.wire.http import Response
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "signed"


engine = engine_of(APP, unix_s=NOW)


def signed(level: int = 7, *, soap: str = SOAP11, created: float = NOW) -> bytes:
    body = f'<d:get xmlns:d="urn:whit:device"><d:level>{level}</d:level></d:get>'
    return sign(envelope(soap=soap, created=created, body=body))


def called(engine: Engine, octets: bytes, *, soap: str = SOAP11) -> Response:
    return ask(engine, posted("/device", octets, f"Content-Type: {TYPES[soap]}"))


def level(response: Response) -> int:
    assert response.status == 200, response
    return int(etree.fromstring(response.body).findtext(".//{urn:whit:device}level") or 0)


@pytest.mark.parametrize("soap", [SOAP11, SOAP12])
def test_taken_once(engine: Engine, soap: str) -> None:
    octets = signed(9, soap=soap)
    assert level(called(engine, octets, soap=soap)) == 9
    assert code(called(engine, octets, soap=soap), soap) == f"{{{WSSE}}}FailedAuthentication"
    with opened(APP, unix_s=NOW, persistent=engine.persistent(4)) as restarted:
        assert code(called(restarted, octets, soap=soap), soap) == f"{{{WSU}}}MessageExpired"


def test_chunked(engine: Engine) -> None:
    request = chunked("/device", signed(8), f"Content-Type: {TYPES[SOAP11]}", size=37)
    assert level(ask(engine, request)) == 8


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        (b":level>7<", b":level>8<", "FailedCheck"),
        (b":level>7<", b":level> 7<", "FailedCheck"),
        (b"<ds:SignatureValue>", b"<ds:SignatureValue>\n", ""),
        (b"ecdsa-sha256", b"ecdsa-sha384", "UnsupportedAlgorithm"),
        (b"#B-1", b"#B-2", "FailedCheck"),
        (b"<wsu:Timestamp", b"<wsu:Timestamps", "document"),
    ],
)
def test_changed_on_the_way(engine: Engine, before: bytes, after: bytes, fault: str) -> None:
    told = called(engine, signed().replace(before, after))
    if fault == "":
        assert level(told) == 7
    elif fault == "document":
        assert code(told) == f"{{{SOAP11}}}Client"
    else:
        assert code(told) == f"{{{WSSE}}}{fault}"
    assert level(called(engine, signed(5))) == 5


def test_a_token_does_not_do(engine: Engine) -> None:
    body = '<d:get xmlns:d="urn:whit:device"><d:level>7</d:level></d:get>'
    text = f'<s:Envelope xmlns:s="{SOAP11}"><s:Header>{security(token())}</s:Header>'
    text += f"<s:Body>{body}</s:Body></s:Envelope>"
    assert code(called(engine, text.encode())) == f"{{{WSSE}}}InvalidSecurity"
