# SPDX-License-Identifier: MIT
"""A JSON object as the arguments of a doPost (RFC 8259)."""

import json
import random

import pytest

from tests.bodies.support import FORM, ask, body_of, chunked, pieces, posted
from tests.bodies.test_image import found, symbols
from tests.conftest import seed_of_run
from tests.harness import engine_of, opened
from tests.support import parsed
from whit.paths import ROOT
from whit_testbed.engine import Engine

APP = ROOT / "tests" / "apps" / "json"
JSON = "Content-Type: application/json"
FULL = b'{"octet": 7, "low": -2147483648, "on": true, "mode": "slow", "text": "a\\u00e4\\n+&=%41"}'
SAID = "7 -2147483648 on 0 [aä\n+&=%41]".encode()


engine = engine_of(APP)


def said(engine: Engine, body: bytes, target: str = "/set") -> bytes:
    return body_of(engine, posted(target, body, JSON))


def status(engine: Engine, body: bytes, target: str = "/set") -> int:
    return ask(engine, posted(target, body, JSON)).status


def test_every_type(engine: Engine) -> None:
    assert said(engine, FULL) == SAID
    assert said(engine, b'{"octet":1}') == b"1 -7 off 1 []"
    assert said(engine, b'\t{\r\n"octet" :\n 0 , "on": false}\n ') == b"0 -7 off 1 []"
    assert body_of(engine, posted("/set", b'{"octet":2}', JSON.upper() + "; charset=utf-8")) == b"2 -7 off 1 []"
    assert body_of(engine, chunked("/set", FULL, JSON, size=3)) == SAID
    assert body_of(engine, posted("/set", b"octet=3", FORM)) == b"3 -7 off 1 []"


def test_numbers_as_strings_as_a_form_has_them(engine: Engine) -> None:
    assert said(engine, b'{"octet":"12","low":"-3","on":"1"}') == b"12 -3 on 1 []"


def test_null_is_absent(engine: Engine) -> None:
    assert said(engine, b'{"octet":9,"low":null,"on":null,"mode":null,"text":null}') == b"9 -7 off 1 []"
    assert status(engine, b'{"octet":null}') == 400
    assert status(engine, b'{"octet":1,"low":null,"low":2}') == 400


def test_what_is_not_declared_is_passed_over(engine: Engine) -> None:
    more = b'{"":0,"octets":"\\ud83d\\ude00","x":-0.5e+10,"y":[' + b"]"
    assert status(engine, more) == 400
    assert said(engine, b'{"":0,"octets":"\\ud83d\\ude00","x":-0.5e+10,"y":null,"octet":5}') == b"5 -7 off 1 []"
    assert said(engine, b'{"a":1,"b":"x"}', "/any") == b"taken"
    assert said(engine, b"{}", "/any") == b"taken"
    assert said(engine, b"", "/any") == said(engine, b" {}", "/any") == said(engine, b"\r\n\t {\n}", "/any") == b"taken"
    assert status(engine, b"{} x", "/any") == status(engine, b'{"a":{}}', "/any") == 400


TEXTS = [
    ('"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'),
    ('"\\u0001\\u007f\\u0080\\u07FF"', "\x01\x7f\x80\u07ff"),
    ('"\\u0800\\uffff\\ud800\\udc00"', "\u0800\uffff\U00010000"),
    ('"\\uDBFF\\uDFFF\\ud83d\\uDE00"', "\U0010ffff\U0001f600"),
    ('"\x7fä\u0800\U0001f600"', "\x7fä\u0800\U0001f600"),
    ('"\ud7ff\ue000\U00010000"', "\ud7ff\ue000\U00010000"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_strings(engine: Engine, text: str, expected: str) -> None:
    assert json.loads(text) == expected
    assert said(engine, f'{{"octet":1,"text":{text}}}'.encode()) == f"1 -7 off 1 [{expected}]".encode()
    assert status(engine, f'{{"octet":1,{text}:1}}'.encode()) == 200


@pytest.mark.parametrize("parameter", ["boundary=a", "boundary=abc; charset=utf-8", "x=y"])
def test_parameters_of_the_media_type_change_nothing(engine: Engine, parameter: str) -> None:
    octets = posted("/set", b'{"octet":1,"text":"\\u0041"}', f"{JSON}; {parameter}")
    assert body_of(engine, octets) == b"1 -7 off 1 [A]"


BAD_STRINGS = [
    rb"\u0000",
    rb"\x41",
    rb"\u12",
    rb"\u12g4",
    rb"\ud800",
    rb"\ud800x",
    rb"\ud800\n",
    rb"\ud800\u0041",
    rb"\ud800\ud800",
    rb"\udc00",
    b"a\nb",
    b"\0",
    b"\x1f",
    b"\x80",
    b"\xc0\x80",
    b"\xc1\xbf",
    b"\xc3",
    b"\xc3(",
    b"\xe0\x9f\xbf",
    b"\xed\xa0\x80",
    b"\xf0\x8f\xbf\xbf",
    b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80",
    b"\xff",
    b"\xe2\x82",
    "x".encode("utf-16"),
]


@pytest.mark.parametrize("text", BAD_STRINGS)
def test_strings_that_are_malformed(engine: Engine, text: bytes) -> None:
    assert status(engine, b'{"octet":1,"text":"' + text + b'"}') == 400
    assert status(engine, b'{"octet":1,"x":"' + text + b'"}') == 400
    assert status(engine, b'{"octet":1,"' + text + b'":1}') == 400
    assert said(engine, FULL) == SAID


WRONG = [
    b"",
    b" ",
    b"7",
    b'"octet"',
    b"[]",
    b"[1]",
    b"null",
    b"\xef\xbb\xbf{}",
    b"{",
    b'{"octet":1',
    b'{"octet":1}}',
    b'{"octet":1},',
    b'{"octet":1,}',
    b'{,"octet":1}',
    b'{"octet"}',
    b'{"octet":}',
    b'{"octet" 1}',
    b"{octet:1}",
    b"{'octet':1}",
    b'{"octet":1;}',
    b'{"octet":01}',
    b'{"octet":-}',
    b'{"octet":+1}',
    b'{"octet":.5}',
    b'{"octet":1.}',
    b'{"octet":1e}',
    b'{"octet":1e+}',
    b'{"octet":1.0}',
    b'{"octet":1e1}',
    b'{"octet":0x1}',
    b'{"octet":1 2}',
    b'{"octet":256}',
    b'{"octet":-1}',
    b'{"octet":4294967297}',
    b'{"octet":true}',
    b'{"octet":[]}',
    b'{"octet":{}}',
    b'{"octet":""}',
    b'{"octet":"1x"}',
    b'{"octet":1,"octet":1}',
    b"{}",
    b'{"octet":1,"on":2}',
    b'{"octet":1,"on":"yes"}',
    b'{"octet":1,"on":tru}',
    b'{"octet":1,"on":truex}',
    b'{"octet":1,"on":TRUE}',
    b'{"octet":1,"mode":0}',
    b'{"octet":1,"mode":"medium"}',
    b'{"octet":1,"mode":false}',
    b'{"octet":1,"text":1}',
    b'{"octet":1,"text":"1234567890123456"}',
    b'{"octet":1,"text":["a"]}',
    b'{"octet":1,"x":[]}',
    b'{"octet":1,"x":{}}',
    b'{"octet":1,"x":00}',
    b'{"octet":1,"x":nul}',
    b'{"octet":1,"x":NaN}',
    b'{"octet":1,"x":-x}',
    b'{"octet":1,"x":1:2}',
    b'{"octet":1,"x":1/2}',
    b'{"octet":1 /* */}',
]


@pytest.mark.parametrize("body", WRONG)
def test_what_is_refused(engine: Engine, body: bytes) -> None:
    response = ask(engine, posted("/set", body, JSON))
    assert (response.status, response.field("connection")) == (400, "close")
    assert said(engine, FULL) == SAID


@pytest.mark.parametrize("body", [b" ", b"\r\n", b"\t  \n"])
def test_blanks_alone_are_no_object(engine: Engine, body: bytes) -> None:
    """RFC 8259 section 2; a body without an octet is an object without members."""
    assert status(engine, body, "/any") == 400
    assert ask(engine, chunked("/any", body, JSON, size=1)).status == 400


@pytest.mark.parametrize("kind", ["application/jso", "application/json5", "text/json", "application/x-json"])
def test_other_types(engine: Engine, kind: str) -> None:
    assert ask(engine, posted("/set", FULL, f"Content-Type: {kind}")).status == 415


def test_cut_at_every_octet(engine: Engine) -> None:
    octets = posted("/set", FULL, JSON)
    for at in range(len(octets) - len(FULL), len(octets)):
        assert parsed(pieces(engine, octets, [at], port=40000 + at), "POST").body == SAID
    every = list(range(len(octets) - len(FULL), len(octets)))
    assert parsed(pieces(engine, octets, every, port=39000), "POST").body == SAID


def accepts(body: bytes) -> bool:
    """True if Python's reader accepts the body as a flat object, with names and values as /any takes them."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert not any(isinstance(value, (dict, list)) for _, value in pairs)
        return dict(pairs)

    def no(text: str) -> object:
        raise ValueError(text)

    try:
        found = json.loads(body.decode(), object_pairs_hook=once, parse_constant=no)
        text = json.dumps(found, ensure_ascii=False).encode()  # lone surrogates cannot be encoded
    except (ValueError, AssertionError):
        return False
    return isinstance(found, dict) and b"\\u0000" not in text and body[:1] != b"\xef"


def test_like_another_reader(engine: Engine) -> None:
    """Corrupted objects are accepted exactly where Python accepts them."""
    rng = random.Random(seed_of_run())
    good = (
        b'{"a\\u00e4": -10.5e3, "b" : "\\ud83d\\ude00\xc3\xa4\xe2\x82\xac", "c":[], "d":false,"e":null ,"f":0}'.replace(
            b"[]", b"true"
        )
    )
    alphabet = b'{}[]",:\\ud8c0e+-.19tfn \n\x80\xc3\xe2\0'
    taken = 0
    for _ in range(700):
        body = bytearray(good)
        for _ in range(rng.randrange(1, 3)):
            at = rng.randrange(len(body))
            body[at : at + rng.randrange(3)] = bytes(rng.choices(alphabet, k=rng.randrange(3)))
        expected = accepts(bytes(body))
        taken += expected
        assert (status(engine, bytes(body), "/any") == 200) == expected, bytes(body)
    assert 50 < taken < 650


REASONS = [
    (b'{"octet":1,"on":2}', "on: expected"),
    (b'{"octet":1,"octet":1}', "given twice: octet"),
    (b"{}", "missing: octet"),
    (b'{"octet":null}', "missing: octet"),
    (b'{"octet":1,"text":[1]}', "text: expected"),
    (b'{"octet":1,"mode":3}', "mode: expected"),
    (b'{"octet":1,"x":"\x80"}', "the JSON is malformed: expected one object"),
    (b'{"octet":1', "the JSON is malformed"),
]


def test_the_log_names_the_argument() -> None:
    with opened(APP, log=True) as engine:
        for body, reason in REASONS:
            assert status(engine, body) == 400
            assert f"POST /set 400 {reason}" in engine.take_log()


def test_nothing_of_it_where_nobody_takes_it() -> None:
    assert len(found(r"json_\w+", symbols(APP))) >= 2
    assert found(r"json_\w+|argument_null", symbols(ROOT / "tests" / "apps" / "bodies")) == []
