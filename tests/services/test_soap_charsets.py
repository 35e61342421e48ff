# SPDX-License-Identifier: MIT
"""SOAP messages in ISO-8859-1 and US-ASCII: the declaration, the precedence of two declarations (RFC 7303), and values
in UTF-8."""

from pathlib import Path

import pytest
from lxml import etree

from tests.bodies.support import ask, pieces, posted
from tests.harness import engine_of, opened
from tests.services.described import with_soap
from tests.services.soap import calling, envelope, fault, texts
from tests.xml.support import MALFORMED, WELL, lxml_tree, scan, tree_of
from whit.compiler import compile_application
from whit.wire.http import Response, parse_response
from whit_testbed.engine import Engine

TEXT = "äÿ\xa0\x80é"
REASON = "expected characters of XML in UTF-8, ISO-8859-1 or US-ASCII"


# A host reads forms in parts as well, and has the log.
VARIANTS = {"device": {"log": False, "form_data": False}, "host": {"log": True, "form_data": True}}
device = engine_of(with_soap, scope="module", variants=VARIANTS, services__charsets=True)


def message(text: str, charset: str, declared: str = "") -> bytes:
    begin = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    return begin.encode() + envelope(calling("every", f"<text>{text}</text>")).decode().encode(charset)


def sent(engine: Engine, octets: bytes, parameters: str) -> Response:
    return ask(engine, posted("/device", octets, f"Content-Type: text/xml{parameters}"))


SPELLED = [
    "; charset=iso-8859-1",
    ';charset="ISO-8859-1"',
    "; action=urn:x/y ;\tCharSet=Iso-8859-1; x=y",
    "; charset=iso-8859-1;",
]


@pytest.mark.parametrize("parameters", SPELLED)
def test_content_type(device: Engine, parameters: str) -> None:
    assert texts(sent(device, message(TEXT, "latin-1"), parameters))["text"] == TEXT


@pytest.mark.parametrize("declared", ["ISO-8859-1", "iso-8859-1"])
def test_the_declaration(device: Engine, declared: str) -> None:
    assert texts(sent(device, message(TEXT, "latin-1", declared), ""))["text"] == TEXT
    assert texts(sent(device, message("a&#xe4;", "ascii", "US-ASCII"), ""))["text"] == "aä"
    assert texts(sent(device, message(TEXT, "utf-8", "utf-8"), ""))["text"] == TEXT


def test_content_type_wins(device: Engine) -> None:
    """RFC 7303 section 3.2. A byte order mark is above both (section 3.3)."""
    for declared in ("utf-8", "iso-8859-1", "us-ascii", "utf-16", "koi8-r"):
        for charset in ("utf-8", "iso-8859-1"):
            octets = message(TEXT, charset, declared)
            assert texts(sent(device, octets, f"; charset={charset}"))["text"] == TEXT, (declared, charset)
    mark = b"\xef\xbb\xbf"
    assert texts(sent(device, mark + message(TEXT, "utf-8", "iso-8859-1"), ""))["text"] == TEXT
    assert texts(sent(device, mark + message(TEXT, "utf-8"), "; charset=iso-8859-1"))["text"] == TEXT


@pytest.mark.parametrize("parameters", ["; charset=us-ascii", ""])
def test_octets_that_ascii_does_not_have(device: Engine, parameters: str) -> None:
    said = fault(sent(device, message("ä", "utf-8", "us-ascii"), parameters))
    assert said.code == "Client" and said.reason.startswith(REASON)


@pytest.mark.parametrize("charset", ["utf-16", "windows-1252", "latin-1", "iso-8859-15", "iso-8859-", "x", ""])
def test_others_are_refused(device: Engine, charset: str) -> None:
    response = sent(device, message("a", "ascii"), f"; charset={charset}")
    assert (response.status, response.field("connection")) == (415, "close")
    if device.take_log():
        sent(device, message("a", "ascii"), f"; charset={charset}")
        assert device.take_log() == "POST /device 415 Content-Type: expected charset=utf-8, iso-8859-1 or us-ascii\n"
    said = fault(sent(device, message("a", "ascii", charset or "y"), ""), body_is_why=False)
    assert said.reason.startswith(REASON)


def test_a_message_does_not_say_it_for_the_next(device: Engine) -> None:
    assert texts(sent(device, message(TEXT, "latin-1"), "; charset=iso-8859-1"))["text"] == TEXT
    assert texts(sent(device, message(TEXT, "utf-8"), ""))["text"] == TEXT


def test_characters_take_their_octets_in_utf_8(device: Engine) -> None:
    """A text holds 39 of them."""
    assert texts(sent(device, message("ä" * 19 + "b", "latin-1"), SPELLED[0]))["text"] == "ä" * 19 + "b"
    assert "at most 39" in fault(sent(device, message("ä" * 20, "latin-1"), SPELLED[0])).reason


def test_cut_at_every_octet(device: Engine) -> None:
    octets = posted("/device", message(TEXT, "latin-1", "utf-8"), "Content-Type: text/xml; charset=iso-8859-1")
    for cut in range(1, len(octets), 2):
        said = parse_response(pieces(device, octets, [cut], port=20000 + cut), "POST")
        assert texts(said)["text"] == TEXT, cut
    every = parse_response(pieces(device, octets, list(range(1, len(octets))), port=19000), "POST")
    assert texts(every)["text"] == TEXT


DOCUMENTS = [
    "<ä é='ü'>ß<!-- þ --><![CDATA[ÿ]]></ä>",
    "<a ä='1' b='&amp;ä'>]ä]]ä</a>",
    "<a>\r\n\xa0\x85\x9f</a>",
    "<µ/>",
    "<a×/>",
    "<÷a/>",
]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_scanner_against_lxml(document: str) -> None:
    octets = b"<?xml version='1.0' encoding='ISO-8859-1'?>" + document.encode("latin-1")
    for step in (1, 2, 3, 1 << 20):
        found = scan(octets, step, step)
        try:
            expected = lxml_tree(octets)
        except etree.XMLSyntaxError:
            assert found.why == MALFORMED
            continue
        assert found.why == WELL
        assert tree_of(found) == expected


def test_without_the_setting(tmp_path: Path) -> None:
    app = with_soap(tmp_path / "services")
    with opened(app, services__charsets=False) as engine:
        assert texts(sent(engine, message(TEXT, "utf-8"), "; charset=utf-8"))["text"] == TEXT
        said = fault(sent(engine, message(TEXT, "latin-1"), "; charset=iso-8859-1"))
        assert said.reason.startswith("expected characters of XML in UTF-8, octet ")


@pytest.mark.parametrize(
    ("host", "given", "on"), [(False, None, 0), (True, None, 1), (True, False, 0), (False, True, 1)]
)
def test_hosts_have_it(tmp_path: Path, host: bool, given: bool | None, on: int) -> None:
    overrides = {} if given is None else {"services.charsets": given}
    compile_application(with_soap(tmp_path / "services"), tmp_path / "out", host=host, overrides=overrides)
    assert f"#define WHIT_HAS_CHARSETS {on} " in (tmp_path / "out" / "whit_limits.h").read_text()
