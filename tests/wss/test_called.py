# SPDX-License-Identifier: MIT
"""Secured operations of an image: authorized callers, once each; faults in both versions; no other way in."""

import os
import re

import pytest
from lxml import etree

from tests.bodies.support import ask, posted
from tests.harness import engine_of, opened
from tests.wss.host import NOW, WSSE, WSU, at, security, timestamp, token
from tests.wss.signing import SOAP11, SOAP12
from whit.paths import ROOT
from whit.wire.http import Response
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "secured"
os.environ["WHIT_TEST_PASSWORD"] = "secret"
TYPES = {SOAP11: "text/xml; charset=utf-8", SOAP12: "application/soap+xml; charset=utf-8"}


engine = engine_of(APP, unix_s=NOW)


def message(header: str = "", *, call: str = "token", soap: str = SOAP11, level: object = 7) -> bytes:
    body = f'<d:{call} xmlns:d="urn:whit:lamp"><d:level>{level}</d:level></d:{call}>'
    text = f'<s:Envelope xmlns:s="{soap}"><s:Header>{header}</s:Header><s:Body>{body}</s:Body></s:Envelope>'
    return text.encode()


def called(engine: Engine, octets: bytes, *, soap: str = SOAP11, target: str = "/lamp") -> Response:
    return ask(engine, posted(target, octets, f"Content-Type: {TYPES[soap]}"))


def calls(response: Response) -> int:
    """Returns the number of the call that the function answered."""
    assert response.status == 200, response
    return int(etree.fromstring(response.body).findtext(".//{urn:whit:lamp}calls") or 0)


def code(response: Response, soap: str = SOAP11) -> str:
    """Returns a fault's code as its namespace and name."""
    assert response.status == 500, response
    root = etree.fromstring(response.body)
    path = "faultcode" if soap == SOAP11 else f"{{{SOAP12}}}Subcode/{{{SOAP12}}}Value"
    found = root.find(f".//{path}")
    if found is None:
        found = root.find(f".//{{{SOAP12}}}Code/{{{SOAP12}}}Value")
    assert found is not None and found.text is not None
    prefix, _, name = found.text.partition(":")
    return f"{{{found.nsmap[prefix]}}}{name}"


@pytest.mark.parametrize("soap", [SOAP11, SOAP12])
def test_one_who_knows_the_password(engine: Engine, soap: str) -> None:
    for number in range(3):
        header = security(timestamp(), token(nonce=bytes([number])))
        assert calls(called(engine, message(header, soap=soap), soap=soap)) == number + 1


FAULTS = [
    ("no header", "", f"{{{WSSE}}}InvalidSecurity"),
    ("no token", security(timestamp()), f"{{{WSSE}}}InvalidSecurity"),
    ("wrong password", security(token(password="sesame")), f"{{{WSSE}}}FailedAuthentication"),
    ("in the clear", security(token(kind="")), f"{{{WSSE}}}UnsupportedSecurityToken"),
    ("old", security(token(created=at(NOW - 999))), f"{{{WSU}}}MessageExpired"),
    ("beside", "<other>" + security(token()) + "</other>", f"{{{WSSE}}}InvalidSecurity"),
]


@pytest.mark.parametrize("soap", [SOAP11, SOAP12])
@pytest.mark.parametrize(("header", "fault"), [one[1:] for one in FAULTS], ids=[one[0] for one in FAULTS])
def test_refused(engine: Engine, header: str, fault: str, soap: str) -> None:
    assert code(called(engine, message(header, soap=soap), soap=soap), soap) == fault
    assert calls(called(engine, message(security(token())))) == 1


def test_not_twice(engine: Engine) -> None:
    octets = message(security(token()))
    assert calls(called(engine, octets)) == 1
    assert code(called(engine, octets)) == f"{{{WSSE}}}FailedAuthentication"
    with opened(APP, unix_s=NOW, persistent=engine.persistent(4)) as restarted:
        assert code(called(restarted, octets)) == f"{{{WSU}}}MessageExpired"
        later = token(created=at(NOW + 60))
        assert code(called(restarted, message(security(later)))) == f"{{{WSU}}}MessageExpired"
    with opened(APP, unix_s=NOW + 65, persistent=engine.persistent(4)) as restarted:
        assert calls(called(restarted, message(security(token(created=at(NOW + 65)))))) == 1


def test_wrong_arguments_come_after_the_token(engine: Engine) -> None:
    told = called(engine, message(security(token(password="no")), level="x"))
    assert code(told) == f"{{{WSSE}}}FailedAuthentication"
    told = called(engine, message(security(token()), level="x"))
    assert code(told) == f"{{{SOAP11}}}Client" and b"level" in told.body


MUST = 's:mustUnderstand="1"'


@pytest.mark.parametrize("soap", [SOAP11, SOAP12])
def test_a_header_that_must_be_understood(engine: Engine, soap: str) -> None:
    """The header is understood for a secured function, and for no other."""
    header = security(token()).replace("<wsse:Security", f"<wsse:Security {MUST}", 1)
    assert calls(called(engine, message(header, soap=soap), soap=soap)) == 1
    assert code(called(engine, message(header, call="open", soap=soap), soap=soap), soap) == f"{{{soap}}}MustUnderstand"
    other = f'<x:y xmlns:x="urn:x" {MUST}/>' + security(token(nonce=b"b"))
    assert code(called(engine, message(other, soap=soap), soap=soap), soap) == f"{{{soap}}}MustUnderstand"
    assert calls(called(engine, message(security(token(nonce=b"c")), call="open", soap=soap), soap=soap)) == 1


def test_a_header_for_somebody_else(engine: Engine) -> None:
    role = 's:actor="urn:somebody"'
    header = security(token()).replace("<wsse:Security", f"<wsse:Security {role}", 1)
    assert code(called(engine, message(header))) == f"{{{WSSE}}}InvalidSecurity"
    own = security(token(nonce=b"own"))
    assert calls(called(engine, message(header + own))) == 1
    assert code(called(engine, message(own + own))) == f"{{{WSSE}}}InvalidSecurity"


WAYS = [
    ("application/json", b'{"level":1}'),
    ("application/x-www-form-urlencoded", b"level=1"),
    ("text/xml", message()),
    ("application/soap+xml", message(soap=SOAP12)),
    ("", b"level=1"),
    ("", b'{"level":1}'),
    ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="level"\r\n\r\n1\r\n--b--\r\n'),
]


@pytest.mark.parametrize("target", ["/token", "/lamp", "/token?level=1"])
@pytest.mark.parametrize(("kind", "body"), WAYS)
def test_no_other_way_in(engine: Engine, target: str, kind: str, body: bytes) -> None:
    told = ask(engine, posted(target, body, *([f"Content-Type: {kind}"] if kind else [])))
    assert told.status >= 400, told
    assert calls(called(engine, message(security(token())))) == 1


@pytest.mark.parametrize("target", ["/token", "/lamp", "/token?level=1", "/lamp?level=1"])
def test_no_get(engine: Engine, target: str) -> None:
    assert ask(engine, f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode()).status >= 400


def test_cut_at_every_octet(engine: Engine) -> None:
    octets = message(security(timestamp(), token()))
    for number in range(0, len(octets), 97):
        part = re.sub(b"level>7", b"level>%d" % (number % 9), octets)
        wrong = bytearray(part)
        del wrong[number]
        told = called(engine, bytes(wrong))
        assert told.status in (200, 500)
