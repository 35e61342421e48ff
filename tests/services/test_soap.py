# SPDX-License-Identifier: MIT
"""Functions that SOAP calls: both versions, every type there and back, by hand and by zeep."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
import zeep
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.bodies.support import ask, chunked, pieces, posted
from tests.harness import engine_of, opened
from tests.services.described import files, with_soap
from tests.services.soap import (
    SOAP_11,
    SOAP_12,
    TYPES,
    XSI,
    Fault,
    calling,
    client,
    envelope,
    fault,
    result,
    sent,
    texts,
)
from tests.services.support import called
from tests.services.support import result as json_result
from tests.support import built
from whit.paths import ROOT
from whit.wire.http import parse_response, request
from whit_testbed.engine import Engine

VERSIONS = (SOAP_11, SOAP_12)
PORTS = ("deviceSoap11", "deviceSoap12")
FULL = "<u8>7</u8><i8>-1.5</i8><text>ä&lt;&quot;&amp;</text><unit>k</unit><octets>AAEC</octets><on>true</on>"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_soap(tmp_path_factory.mktemp("soap") / "services")


device = engine_of("app", scope="module")


@pytest.fixture(scope="module")
def wsdl(app: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("wsdl")
    (directory / "device.wsdl").write_bytes(files(app, directory / "out")["device.wsdl"])
    return directory / "device.wsdl"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_call(device: Engine, version: str) -> None:
    said = result(sent(device, envelope(calling("every", FULL), version), version), version)
    assert said.tag == "{urn:whit:device}everyResponse"
    told = {one.tag: one.text for one in said}
    assert told["{urn:whit:device}text"] == 'ä<"&'
    assert told["{urn:whit:device}i8"] == "-1.5" and told["{urn:whit:device}unit"] == "k"
    assert len(result(sent(device, envelope('<q:quiet xmlns:q="urn:whit:device"/>', version), version), version)) == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_the_envelope_tells_the_version(device: Engine, version: str) -> None:
    other = SOAP_12 if version == SOAP_11 else SOAP_11
    result(sent(device, envelope(calling("plain", ""), version), other), version)


@pytest.mark.parametrize("port", PORTS)
def test_zeep(device: Engine, wsdl: Path, port: str) -> None:
    service = client(device, wsdl, port)
    when = datetime(2024, 2, 29, 12, 30, 45, tzinfo=UTC)
    said = service.every(
        u8=255,
        u16=Decimal("65.535"),
        u32=2**32 - 1,
        i8=Decimal("-12.8"),
        i32=Decimal("-0.5"),
        on=True,
        unit="k",
        text=" <ä & \t\n> ",
        when=when,
        octets=bytes(range(20)),
    )
    assert (said.u8, said.u16, said.u32, said.i8) == (255, Decimal("65.535"), 2**32 - 1, Decimal("-12.8"))
    assert (said.i16, said.i32, said.on, said.unit) == (Decimal("-1.5"), Decimal("-0.5"), True, "k")
    assert (said.text, said.when, said.octets) == (" <ä & \t\n> ", when, bytes(range(20)))
    said = service.nested(points=2, each=3)
    assert said.squares == [0, 1, 4] and said.one.last is None
    assert [(point.x, point.names, point.inner.deep) for point in said.points] == [
        (Decimal("-0.3"), ["a0", "a1", "a2"], False),
        (Decimal("-0.2"), ["b0", "b1", "b2"], True),
    ]
    said = service.nested(points=0, each=0)
    assert said.squares == [] and said.points == []
    with pytest.raises(zeep.exceptions.Fault) as caught:
        service.nested(points=7, each=0)
    assert caught.value.message == 'at most "6" points\\'
    assert caught.value.code.partition(":")[2] == ("Client" if "11" in port else "Sender")
    assert (caught.value.detail is not None) == ("11" in port)


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_texts(device: Engine, text: str) -> None:
    """A text that XML can express arrives unchanged, except for line ends."""
    element = etree.Element("text")
    try:
        element.text = text
    except ValueError:
        return
    spelled = etree.tostring(element, encoding="unicode")
    assert texts(sent(device, envelope(calling("every", spelled))))["text"] == text.replace("\r\n", "\n")


SPELLED = [
    *(("i8", one, "-1.5") for one in ("-1.5", " -1.5\n", "-01.50", "&#45;1.5", "<!-- a -->-1.5", "<![CDATA[-1.5]]>")),
    *(("i8", one, "0.5") for one in ("+.5", ".5", "+0.5", "0.50000")),
    *(("i8", one, "-0.5") for one in ("-.5", " -.50 ", "<![CDATA[-]]>.5")),
    *(("i8", one, "5.0") for one in ("5.", "+5.")),
    *(("u8", one, "7") for one in ("7", "+7", " 7 ", "007", "\t7\r\n")),
    *(("on", one, "true") for one in ("1", "true", " true ")),
    *(("on", one, "false") for one in ("0", "false", "\n0")),
    ("octets", " AA\r\n EC ", "AAEC"),
    ("when", " 2024-02-29T14:30:45.25+02:00 ", "2024-02-29T12:30:45Z"),
    ("text", "  a ", "  a "),
    ("text", "", ""),
]


@pytest.mark.parametrize(("name", "spelled", "told"), SPELLED)
def test_spellings(device: Engine, name: str, spelled: str, told: str) -> None:
    assert texts(sent(device, envelope(calling("every", f"<{name}>{spelled}</{name}>"))))[name] == told


def test_each_value_begins_anew(device: Engine) -> None:
    told = texts(sent(device, envelope(calling("every", "<u8> 7 </u8><i8>+.5</i8>"))))
    assert (told["u8"], told["i8"]) == ("7", "0.5")


def test_nil_is_as_if_it_were_absent(device: Engine) -> None:
    nil = f'<i16 xmlns:i="{XSI}" i:nil="true"/><u8 xmlns:i="{XSI}" i:nil="false">3</u8><u16 nil="true">1</u16>'
    told = texts(sent(device, envelope(calling("every", nil))))
    assert (told["i16"], told["u8"], told["u16"]) == ("-1.50", "3", "1.000")
    missing = f'<points xmlns:i="{XSI}" i:nil="1"/><each>1</each>'
    said = fault(sent(device, envelope(calling("nested", missing))))
    assert said == Fault("Client", "missing: points: expected a number from 0 to 255")


def test_names(device: Engine) -> None:
    """Any prefix, any order, arguments without a namespace as well; xsi:type is passed over."""
    message = (
        f'<a:Envelope xmlns:a="{SOAP_11}" xmlns:c="urn:whit:device" xmlns:b="urn:whit:device">'
        f'<a:Header/><a:Body><b:nested xmlns:i="{XSI}" xmlns:x="http://www.w3.org/2001/XMLSchema">'
        '<c:each i:type="x:unsignedByte">1</c:each><points>0</points></b:nested></a:Body></a:Envelope>'
    )
    assert result(sent(device, message.encode()))[0].text == "0"


HEADERS = [
    ('<w:To xmlns:w="http://www.w3.org/2005/08/addressing">urn:x</w:To>', True),
    ('<w:To xmlns:w="urn:w" s:mustUnderstand="0"><a><b>text</b></a></w:To>', True),
    ('<w:To xmlns:w="urn:w" mustUnderstand="1"/>', True),
    ('<w:To xmlns:w="urn:w" s:mustUnderstand="1"/>', False),
    ('<w:To xmlns:w="urn:w" s:mustUnderstand="1" s:ROLE="urn:another"/>', True),
    ('<w:To xmlns:w="urn:w" s:ROLE="NEXT" s:mustUnderstand="true"/>', False),
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("header", "passes"), HEADERS)
def test_headers(device: Engine, version: str, header: str, passes: bool) -> None:
    """The engine understands no header; a mandatory one is a fault."""
    role = "actor" if version == SOAP_11 else "role"
    near = "http://schemas.xmlsoap.org/soap/actor/next" if version == SOAP_11 else f"{version}/role/next"
    header = f"<s:Header>{header.replace('ROLE', role).replace('NEXT', near)}</s:Header>"
    answer = sent(device, envelope(calling("plain", ""), version, header), version)
    if passes:
        result(answer, version)
    else:
        assert fault(answer, version, body_is_why=False).code == "MustUnderstand"


def test_faults_of_the_function(device: Engine) -> None:
    """fault() is the caller's, 0 the device's; both are 500, whatever status was chosen."""
    space = "urn:example:counter"
    for how, code, reason in (("badly", "Server", "the function failed"), ("refused", "Client", "not now")):
        message = envelope(calling("Add", f"<by>1</by><how>{how}</how>", space))
        assert fault(sent(device, message, path="/counter")) == Fault(code, reason)


def test_one_function_by_all_ways(device: Engine) -> None:
    message = envelope(calling("Add", "<by>1</by>", "urn:example:counter"))
    before = int(texts(sent(device, message, path="/counter"))["sum"])
    assert json_result(called(device, "/once", {"by": 1}))["sum"] == before + 1
    assert texts(sent(device, message, path="/counter"))["sum"] == str(before + 2)


def test_how_it_comes(device: Engine) -> None:
    """Chunked, after Expect, several on one connection."""
    message, kind = envelope(calling("every", FULL), SOAP_12), f"Content-Type: {TYPES[SOAP_12]}; action=urn:x"
    for size in (1, 7, 100):
        assert result(ask(device, chunked("/device", message, kind, size=size)), SOAP_12)[0].text == "7"
    octets = posted("/device", message, kind) * 3 + posted("/device", message, kind, "Connection: close")
    stream = pieces(device, octets, [])
    assert stream.count(b"HTTP/1.1 200 ") == 4
    asked = posted("/device", message, kind, "Expect: 100-continue", "Connection: close")
    assert pieces(device, asked, [len(asked) - len(message)]).startswith(b"HTTP/1.1 100 \r\n\r\nHTTP/1.1 200 ")


def test_cut_at_every_octet(device: Engine) -> None:
    message = b'<?xml version="1.0" encoding="UTF-8"?>\n' + envelope(calling("every", FULL))
    octets = posted("/device", message, "Content-Type: text/xml")
    for cut in range(1, len(octets), 3):
        said = parse_response(pieces(device, octets, [cut], port=20000 + cut), "POST")
        assert texts(said)["text"] == 'ä<"&', cut


def test_other_requests(device: Engine) -> None:
    message = envelope(calling("plain", ""))
    for kind in ("application/json", "application/x-www-form-urlencoded", "multipart/related; type=text/xml"):
        assert ask(device, posted("/device", message, f"Content-Type: {kind}")).status == 415
    assert ask(device, posted("/device", message)).status == 415
    assert ask(device, posted("/plain", message, "Content-Type: text/xml")).status == 415
    answer = ask(device, request("/device"))
    assert answer.status == 405 and dict(answer.fields)["allow"] == "POST, PUT"


@pytest.mark.parametrize("alone", [False, True], ids=["beside others", "nothing else"])
def test_by_soap_alone(tmp_path: Path, alone: bool) -> None:
    """No other way leads to the function. Where nothing else is generated, no code of other ways is in the image."""
    app = with_soap(tmp_path / "app")
    source = app / "plain.c"
    source.write_text(source.read_text().replace("soap json form", "soap"))
    for other in app.glob("*.c"):
        if alone and other != source:
            other.unlink()
    image = built(app)
    limits = (image.generated / "whit_limits.h").read_text()
    assert f"WHIT_HAS_SOAP_ALONE {int(alone)} " in limits
    with Engine(image.image) as engine:
        for octets in (
            request("/plain"),
            posted("/plain", b"{}", "Content-Type: application/json"),
            posted("/plain", b"{}", "Content-Type: application/x-www-form-urlencoded"),
            posted("/plain", b""),
            posted("/plain", b"", "Content-Type: application/json"),
            request("/plain?%7b&a=1"),
        ):
            assert ask(engine, octets).status in (405, 415), octets
        assert texts(sent(engine, envelope(calling("plain", "")), path="/device?a=%"))["ticks"] == "1"
        assert texts(sent(engine, envelope(calling("plain", ""))))["ticks"] == "2"


def test_the_least_buffer(tmp_path: Path) -> None:
    """apps/services as it is: its buffer leaves little room for the octets of a message."""
    app = with_soap(tmp_path / "app", ROOT / "apps" / "services")
    with opened(app) as engine:
        message = envelope(calling("echo", f"<text>{'ä' * 31}</text>", "urn:whit:thermostat"))
        for _ in range(3):
            assert texts(sent(engine, message, path="/thermostat"))["text"] == "ä" * 31
