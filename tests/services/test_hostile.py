# SPDX-License-Identifier: MIT
"""A service refuses hostile input: the caller learns the mistake, and the function does not run."""

import json
import random
from typing import Any

import pytest

from tests.bodies.support import FORM, ask, pieces, posted
from tests.conftest import seed_of_run
from tests.http.test_spoilt import spoil
from tests.services.support import JSON, by_form, called, fault, got, result
from whit.wire.http import parse_response, request
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

U8 = "u8: expected a number from 0 to 255"
FINE = "i32: expected a number from -2.147483648 to 2.147483647"
TIME = "when: expected a time as 2026-11-23T15:48:10Z"
WRONG = [
    ('{"u8":256}', U8),
    ('{"u8":-1}', U8),
    ('{"u8":1.0}', U8),
    ('{"u8":1e2}', U8),
    ('{"u8":true}', U8),
    ('{"u8":"x"}', U8),
    ('{"u8":[1,[2,{"u8":3}]]}', U8),
    ('{"u8":{"u8":{"u8":1}}}', U8),
    ('{"u8":1,"u8":1}', f"given twice: {U8}"),
    ('{"u8":null,"u8":1}', f"given twice: {U8}"),
    ('{"u8":1,"on":0,"on":300,"u8":256}', "given twice: on: expected true or false"),
    ('{"i32":2.147483648}', FINE),
    (f'{{"text":"{"a" * 40}"}}', "text: expected at most 39 bytes of UTF-8"),
    (f'{{"octets":"{"A" * 32}"}}', "octets: expected at most 21 bytes in base64"),
    (f'{{"when":"2024-02-29T12:30:45.{"1" * 40}Z"}}', TIME),
]
BODY = {"reason": "expected one JSON object of single values"}
MALFORMED = [
    *("[]", "{", "}", '{"u8"}', '{"u8":}', '{"u8":1', '{"u8":1,}', "{} x", '{"u8":01}', "nul", '{"a":{}}'),
    *(
        '{"text":"\\u0000"}',
        '{"text":"\\ud800"}',
        '{"text":"\n"}',
        '{"u8":1}}',
        '{"on":tru}',
        '{"x":' + "[" * 200 + "}",
    ),
]


def calls(engine: Engine) -> int:
    """Returns the number of calls before this one; asking is a call too."""
    said = result(called(engine, "/every", {}))
    return int(said["calls"]) - 1


@pytest.mark.parametrize(("body", "reason"), WRONG)
def test_the_argument_is_named_and_nothing_runs(engine: Engine, body: str, reason: str) -> None:
    name = reason.removeprefix("given twice: ").partition(":")[0]
    told = {"code": "Sender", "argument": name, "reason": reason}
    assert fault(called(engine, "/every", body.encode())) == told
    assert calls(engine) == 0


@pytest.mark.parametrize("body", MALFORMED)
def test_what_is_no_object(engine: Engine, body: str) -> None:
    assert fault(called(engine, "/every", body.encode())) == {"code": "Sender", **BODY}
    assert (
        fault(called(engine, "/quiet", body.encode().replace(b"u8", b"u9").replace(b"text", b"t")))["code"] == "Sender"
    )
    assert calls(engine) == 0


def test_a_query_says_what_a_body_does(engine: Engine) -> None:
    for query, told in (
        ("u8=256", U8),
        ("u8=1&u8=1", f"given twice: {U8}"),
        ("u8=", U8),
        ("u8=1&u8", f"given twice: {U8}"),
    ):
        assert fault(got(engine, f"/every?{query}"))["reason"] == told
        assert by_form(engine, "/every", query.encode()).body.decode() == f"fault: {told}\n"
    assert fault(got(engine, "/nested"))["reason"] == "missing: points: expected a number from 0 to 255"
    assert fault(got(engine, "/nested?each=1"))["argument"] == "points"
    assert calls(engine) == 0


def test_the_connection_goes_on_after_a_fault(engine: Engine) -> None:
    octets = (
        posted("/every", b'{"u8":256}', JSON) + request("/plain") + posted("/every", b"u8=x", FORM) + request("/plain")
    )
    peers = pieces(engine, octets + request("/plain", "Connection: close"), [])
    assert peers.count(b"HTTP/1.1 200 ") == 3 and peers.count(b"HTTP/1.1 400 ") == 2
    assert b'{"ticks":3}' in peers


@pytest.mark.parametrize(
    "body", ["text=%ff", "text=%c3", "text=a%ed%a0%80", "text=%f4%90%80%80", "text=%c0%80", "text=\xff"]
)
def test_forms_with_other_octets_than_utf8(engine: Engine, body: str) -> None:
    assert by_form(engine, "/every", body.encode("latin-1")).status == 400
    assert calls(engine) == 0


FULL: dict[str, Any] = {
    "u8": 7,
    "i8": -1.5,
    "text": 'ä"\\',
    "when": "2024-02-29T12:30:45Z",
    "octets": "AAEC",
    "unit": "k",
}


def test_cut_at_every_octet(engine: Engine) -> None:
    """A request in two segments is answered; one cut short is refused without running the function."""
    body = json.dumps(FULL).encode()
    octets = posted("/every", body, JSON)
    for cut in range(1, len(octets)):
        said = parse_response(pieces(engine, octets, [cut]), "POST")
        assert json.loads(said.body) | {"calls": 0} == json.loads(said.body) | FULL | {"calls": 0}
    before = calls(engine)
    for end in range(1, len(body)):
        assert fault(called(engine, "/every", body[:end])) == {"code": "Sender", **BODY}
    assert calls(engine) == before + 1


def test_wrong_at_every_octet(engine: Engine) -> None:
    """Any octet may be wrong: the answer is a result or a JSON fault, and the next request works."""
    rng = random.Random(seed_of_run())
    body = json.dumps(FULL, ensure_ascii=False).encode()
    for at in range(len(body)):
        spoilt = body[:at] + bytes([rng.randrange(256)]) + body[at + 1 :]
        answer = called(engine, "/every", spoilt)
        assert answer.status in (200, 400)
        told = json.loads(answer.body)
        assert ("fault" in told) == (answer.status == 400)
        try:
            json.loads(spoilt)
        except ValueError:
            assert answer.status == 400
    assert result(called(engine, "/every", FULL))["text"] == FULL["text"]


def test_random_octets(engine: Engine) -> None:
    rng = random.Random(seed_of_run() + 1)
    likely = [
        b'{"',
        b'"u8"',
        b":",
        b"1",
        b",",
        b"}",
        b"null",
        b'"text":"',
        b"\\u",
        b"\xc3",
        b"[",
        b'"when":',
        b" ",
        b"e",
        b".",
    ]
    for _ in range(300):
        octets = b"".join(
            rng.choice(likely) if rng.random() < 0.9 else rng.randbytes(1) for _ in range(rng.randrange(20))
        )
        for answer in (called(engine, "/every", octets), ask(engine, posted("/every", octets, FORM))):
            assert answer.status in (200, 400)
    assert result(called(engine, "/every", FULL))["u8"] == 7


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        (request("/every?u8=200&i8=1.5"), request("/every?u8=900&i8=9999"), b'"u8":200'),
        (request("/every?octets=TWFuTWFuTWE%3D"), request("/every?octets=QUJDREVGREU%3D"), b'"octets":"TWFuTWFuTWE="'),
        (request("/every?octets=TWFuTWFu"), request("/every?octets=TW**....."), b'"octets":"TWFuTWFu"'),
        (
            request("/every?when=2024-02-29T12:30:45.125%2B01:00"),
            request("/every?when=2024-02-29T12:30:45Z&u8=1&x=1234"),
            b'"when":"2024-02-29T11:30:45Z"',
        ),
    ],
)
def test_a_spoilt_segment_leaves_no_fault(engine: Engine, good: bytes, bad: bytes, said: bytes) -> None:
    """A segment with a wrong checksum leaves no error about arguments."""
    for cut in range(1, len(good)):
        peer = Peer(engine, port=41000 + cut)
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=good[:cut])
        peer.take_all()
        spoil(peer, seq=1 + cut, payload=bad[cut:] or b"x")
        peer.send("PA", seq=1 + cut, ack=1, payload=good[cut:])
        stream = b"".join(segment.payload for segment in peer.take_all())
        assert said in stream, (cut, stream)
        peer.send("R", seq=1 + len(good))
