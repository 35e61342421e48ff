# SPDX-License-Identifier: MIT
"""Hostile SOAP messages: a fault names the place, the function does not run, and no memory stays in use."""

import random

import pytest

from tests.bodies.support import pieces, posted
from tests.conftest import seed_of_run
from tests.harness import engine_of
from tests.services.described import with_soap
from tests.services.soap import SOAP_11, SOAP_12, XSI, Fault, calling, envelope, fault, sent, texts
from whit_testbed.engine import Engine

device = engine_of(with_soap, scope="module")


def calls(engine: Engine) -> int:
    """Returns the number of calls, including this one."""
    return int(texts(sent(engine, envelope(calling("every", ""))))["calls"])


U8 = "u8: expected a number from 0 to 255"
I8 = "i8: expected a number from -12.8 to 12.7"
WRONG = [
    ("<u8>256</u8>", U8),
    ("<u8>-1</u8>", U8),
    ("<u8>1.0</u8>", U8),
    ("<u8>1 2</u8>", U8),
    ("<u8>+-1</u8>", U8),
    ("<u8></u8>", U8),
    ("<u8>.5</u8>", U8),
    ("<u8>-.5</u8>", U8),
    *((f"<i8>{one}</i8>", I8) for one in (".", "+.", "-.", "-", "..5", ".-5", "-+5", "--.5", "+ 5", "- 5", ". 5")),
    ("<u8/>", U8),
    ("<u8>1</u8><u8>1</u8>", f"given twice: {U8}"),
    ("<on>yes</on>", "on: expected true or false"),
    ("<on>TRUE</on>", "on: expected true or false"),
    ("<on/>", "on: expected true or false"),
    ("<unit>x</unit>", "unit: expected c, f or k"),
    ("<unit> c</unit>", "unit: expected c, f or k"),
    (f"<text>{'a' * 40}</text>", "text: expected at most 39 bytes of UTF-8"),
    ("<octets>AA*=</octets>", "octets: expected at most 21 bytes in base64"),
    ("<when>today</when>", "when: expected a time as 2026-11-23T15:48:10Z"),
]


@pytest.mark.parametrize(("arguments", "reason"), WRONG)
def test_arguments(device: Engine, arguments: str, reason: str) -> None:
    before = calls(device)
    assert fault(sent(device, envelope(calling("every", arguments)))) == Fault("Client", reason)
    assert fault(sent(device, envelope(calling("every", arguments), SOAP_12)), SOAP_12) == Fault("Sender", reason)
    assert calls(device) == before + 1


EVERY = calling("every", "<u8>7</u8>")
MORE = [
    ("<u9>1</u9>", "the operation has no such argument"),
    ('<x:u8 xmlns:x="urn:other">1</x:u8>', "the operation has no such argument"),
    ("text", "expected arguments of single values"),
    ("<u8><u8>1</u8></u8>", "expected arguments of single values"),
    ("<u8>1</u8></every><every>", "expected an Envelope with a Body that calls one operation"),
    ("<u8>1</u9>", "another element is open"),
    ("<u8>&a;</u8>", "this entity is not taken"),
    ("<u8 a='' a=''>1</u8>", "an attribute is given twice"),
    ("<u8 a:b=''>1</u8>", "a prefix has no namespace"),
    ("<text>\x01</text>", "expected characters of XML in UTF-8"),
    ("<?php?>", "a DOCTYPE or processing instruction is not taken"),
    ("<u8>1</u8", "XML is not well-formed"),
    ("<a>" * 20, "the operation has no such argument"),
]
MESSAGES = [
    (b"", "it ends too early"),
    (b"{}", "XML is not well-formed"),
    (b"<a/>", "expected an Envelope with a Body that calls one operation"),
    (envelope(EVERY)[:-1], "it ends too early"),
    (envelope(EVERY) + b"x", "XML is not well-formed"),
    (envelope(EVERY) * 2, "XML is not well-formed"),
    (envelope(""), "expected an Envelope with a Body that calls one operation"),
    (f'<s:Envelope xmlns:s="{SOAP_11}"/>'.encode(), "expected an Envelope with a Body that calls one operation"),
    (f'<s:Envelope xmlns:s="{SOAP_11}"><s:Header/></s:Envelope>'.encode(), "expected an Envelope with a Body"),
    (envelope("text"), "expected an Envelope with a Body that calls one operation"),
    (envelope(EVERY + EVERY), "expected an Envelope with a Body that calls one operation"),
    (envelope("<every/>"), "the service has no such operation"),
    (envelope(calling("Every", "")), "the service has no such operation"),
    (envelope(calling("every", "", "urn:whit:devic")), "the service has no such operation"),
    (envelope(calling("every", "", "urn:whit:device2")), "the service has no such operation"),
    (envelope(EVERY).replace(b"s:Body", b"s:body"), "expected an Envelope with a Body that calls one operation"),
    (envelope(EVERY).replace(b"<s:Body>", b"<s:Body/><s:Body>"), "expected an Envelope"),
    (envelope(EVERY, header="<s:Header/><s:Header/>"), "expected an Envelope"),
    (envelope(EVERY).replace(b"</s:Body>", b"</s:Body><s:Header/>"), "expected an Envelope"),
    (
        b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>" + envelope(EVERY),
        "a DOCTYPE or processing instruction",
    ),
    (
        envelope(EVERY, header="<s:Header>" + "<a>" * 100000),
        "too many elements in one another, attributes or namespaces",
    ),
    (envelope(EVERY).replace(b"<u8", b"<u8 " + b" ".join(b"a%d=''" % i for i in range(99))), "too many elements"),
    (envelope(EVERY).decode().encode("utf-16"), "expected characters of XML in UTF-8"),
    (b"<?xml version='1.0' encoding='latin-1'?>" + envelope(EVERY), "expected characters of XML in UTF-8"),
    (envelope(calling("every", "<text>\xe4</text>")).replace("\xe4".encode(), b"\xe4"), "expected characters of XML"),
]


@pytest.mark.parametrize(
    ("message", "reason"), [*((envelope(calling("every", inner)), why) for inner, why in MORE), *MESSAGES]
)
def test_messages(device: Engine, message: bytes, reason: str) -> None:
    """The fault gives the number of octets read."""
    before = calls(device)
    said = fault(sent(device, message[:60000]), body_is_why=None)
    assert said.code == "Client" and said.reason.startswith(reason), said
    read = message[: int(said.reason.rpartition(", octet ")[2])]
    in_body = b"<s:Body" in read and b"</s:Body>" not in read
    calls_nothing = "a Body that calls one operation" in said.reason and b"<s:Body></s:Body>" in read
    assert said.detail == (in_body or calls_nothing)
    assert calls(device) == before + 1


def test_versions(device: Engine) -> None:
    said = fault(sent(device, envelope(calling("plain", ""), "urn:soap")), body_is_why=False)
    assert said.code == "VersionMismatch" and said.reason.startswith("expected SOAP 1.1 or 1.2")
    mixed = envelope(calling("plain", ""), SOAP_12).replace(b"<s:Body", f'<s:Body xmlns:s="{SOAP_11}"'.encode())
    assert fault(sent(device, mixed), SOAP_12).code == "Sender"


def test_long_messages(device: Engine) -> None:
    """Headers, names, values and comments of any length pass; a body that is too long is refused."""
    long = "x" * 9000
    header = f'<s:Header><{long} xmlns="urn:{long}" {long}="{long}">{long}<!-- {long} --></{long}></s:Header>'
    assert texts(sent(device, envelope(calling("plain", ""), header=header)))["ticks"]
    gsoap = "".join(f' xmlns:n{index}="http://www.example.org/{index}/{"n" * 25}"' for index in range(13))
    message = envelope(calling("every", "<u8>9</u8>")).replace(b"<s:Envelope", b"<s:Envelope" + gsoap.encode())
    assert texts(sent(device, message))["u8"] == "9"
    assert sent(device, envelope(" " * 70000)).status == 413


def test_spoilt_octets(device: Engine) -> None:
    """Any octet may be wrong: the answer is a result or a fault, no memory stays in use, and the next call works."""
    rng = random.Random(seed_of_run())
    message = envelope(calling("every", f'<text>ä</text><u8 xmlns:i="{XSI}" i:nil="true"/><unit>k</unit>'))
    for at in range(len(message)):
        spoilt = message[:at] + bytes([rng.randrange(256)]) + message[at + 1 :]
        answer = sent(device, spoilt)
        if answer.status != 200:
            assert b"Fault>" in answer.body and answer.status == 500
    for _ in range(200):
        parts = [message[rng.randrange(len(message)) :][: rng.randrange(1, 80)] for _ in range(rng.randrange(1, 8))]
        assert sent(device, b"".join(parts)).status in (200, 500)
    assert texts(sent(device, envelope(calling("every", "<u8>3</u8>"))))["u8"] == "3"


def test_ended_at_every_octet(device: Engine) -> None:
    message = envelope(calling("every", "<u8>7</u8>"))
    before = calls(device)
    for end in range(0, len(message), 3):
        said = fault(sent(device, message[:end]), body_is_why=None)
        assert said.code in ("Client", "VersionMismatch")
        assert said.detail == (b"<s:Body>" in message[:end] and b"</s:Body>" not in message[:end])
    assert calls(device) == before + 1


def test_the_connection_goes_on(device: Engine) -> None:
    wrong, right = envelope(calling("every", "<u9/>")), envelope(calling("plain", ""))
    octets = b"".join(posted("/device", one, "Content-Type: text/xml") for one in (wrong, right, wrong))
    stream = pieces(device, octets + posted("/device", right, "Content-Type: text/xml", "Connection: close"), [])
    assert [stream.count(b"HTTP/1.1 %d " % status) for status in (200, 500)] == [2, 2]
