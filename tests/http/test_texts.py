# SPDX-License-Identifier: MIT
"""Arguments that are texts: well-formed UTF-8 (RFC 3629, section 4), unless octets="true"."""

import random
from pathlib import Path
from urllib.parse import quote_from_bytes

import pytest

from tests.compiler.support import error_of, make_app
from tests.conftest import seed_of_run
from tests.harness import Files, ask, engine_of, opened, saying
from tests.http.app_client import post
from whit_testbed.engine import Engine

TEXT = 'name="text" type="str" size="12" optional="true"'
RAW = 'name="raw" type="str" size="12" octets="true" optional="true"'
pytestmark = pytest.mark.xdist_group("texts")  # one image for both
TAILS = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF)  # between them no octet differs


def says(more: str = "", text: str = TEXT) -> Files:
    args = (text, more) if more else (text,)
    source = saying("out_str(args->text);", *args, handlers='doGet="say" doPost="say"', persistence="volatile")
    return {"say.c": source}


engine = engine_of({}, scope="module", variants={"texts alone": {"app": says()}, "beside octets": {"app": says(RAW)}})


def got(engine: Engine, text: bytes, name: str = "text") -> bytes | int:
    response = ask(engine, f"/say?{name}={quote_from_bytes(text)}")
    return response.body if response.status == 200 else response.status


def expected(text: bytes) -> bytes | int:
    try:
        text.decode()
    except UnicodeDecodeError:
        return 400
    return text if 0 not in text else 400


def test_each_first_octet_and_what_may_follow(engine: Engine) -> None:
    for first in (0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF):
        for second in TAILS:
            for more in (b"", b"\x80", b"\xbf\x80", b"\x80a", b"\x80\x80\x80"):
                text = bytes((first, second)) + more
                assert got(engine, text) == expected(text), text.hex()
    for octet in range(256):
        assert got(engine, bytes((octet,))) == expected(bytes((octet,))), hex(octet)


def test_random_octets(engine: Engine) -> None:
    draw = random.Random(seed_of_run())
    for _ in range(300):
        text = bytes(draw.choice((0x41, 0xC3, 0xE2, 0xED, 0xF0, *TAILS[1:])) for _ in range(draw.randrange(8)))
        assert got(engine, text) == expected(text), text.hex()
    for _ in range(100):
        text = chr(draw.choice((0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF))).encode()
        assert got(engine, text) == text


def test_a_form(engine: Engine) -> None:
    kind = "application/x-www-form-urlencoded"
    assert post(engine, "/say", kind, b"text=K%C3%BCche").body == "Küche".encode()
    assert post(engine, "/say", kind, b"text=K%FCche").status == 400
    assert post(engine, "/say", kind, b"text=K\xc3").status == 400


def test_any_octets_where_it_is_said_so() -> None:
    with opened(says(text=TEXT + ' octets="true"')) as engine:
        for text in (b"K\xfcche", b"\xff\xfe", b"\xed\xa0\x80", b"abc"):
            assert got(engine, text) == text
        assert got(engine, b"a\x00b") == 400


def test_octets_beside_a_text(engine: Engine) -> None:
    """An unknown argument is ignored, even if its octets are no UTF-8."""
    assert got(engine, b"\xff", "raw") == b""
    assert ask(engine, "/say?raw=%FF&text=%FF").status == 400
    assert ask(engine, "/say?text=%C3%BC&raw=%FF").body == b"\xc3\xbc"


def test_octets_of_what_is_no_text(tmp_path: Path) -> None:
    app = make_app(tmp_path / "app", says('name="n" type="int8" octets="true"'))
    assert error_of(app) == "say.c:6: argument 'n' is int8: expected octets with str only"
