# SPDX-License-Identifier: MIT
"""json_errors in app.toml: a device names the wrong argument in JSON, with the text of the request log."""

import json
from collections.abc import Iterator

import pytest

from tests.bodies.support import BOUNDARY, FORM, MULTIPART, finished, pieces, posted
from tests.conftest import seed_of_run
from tests.harness import ask, engine_of, opened
from tests.https.secured import Secured, started
from tests.support import exchange, parsed
from whit.paths import ROOT
from whit.wire.http import Response, request
from whit.wire.packet import Flags
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

APP = ROOT / "tests" / "apps" / "wrong"
TYPE = "Content-Type: application/json"
ACCEPT = "Accept: application/json"
NUMBER = "octet: expected a number from 0 to 255"


engine = engine_of(APP)


host = engine_of(APP, log=True)  # the request log knows the reason


def error_of(response: Response) -> str:
    assert response.status == 400
    assert response.field("content-type") == "application/json"
    assert response.field("cache-control") == "no-store"
    assert response.field("connection") == "close"
    assert len(response.body) == int(response.field("content-length") or 0)
    found = json.loads(response.body)
    assert set(found) == {"error"}
    return str(found["error"])


def multipart(fields: dict[str, str]) -> bytes:
    head = b'--%b\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n'
    parts = b"".join(head % (BOUNDARY, name.encode(), value.encode()) for name, value in fields.items())
    return parts + b"--" + BOUNDARY + b"--\r\n"


WRONG: list[dict[str, str]] = [
    {"octet": "256"},
    {"octet": ""},
    {"octet": "x"},
    {"octet": "-1"},
    {},
    {"low": "1"},
    {"octet": "1", "low": "32768"},
    {"octet": "1", "low": "-"},
    {"octet": "1", "on": "2"},
    {"octet": "1", "mode": "slo"},
    {"octet": "1", "mode": "slower"},
    {"octet": "1", "text": "123456"},
    {"octet": "1", "text": "123456789"},
    {"low": "99999", "octet": "256"},
]


def query(fields: dict[str, str]) -> str:
    return "&".join(f"{name}={value}" for name, value in fields.items())


def calls(fields: dict[str, str], target: str) -> Iterator[bytes]:
    """Each way in which a resource is called."""
    if target == "/json":
        yield request(f"/json?{query(fields)}", ACCEPT)
        yield request(f"/json?{query(fields)}", ACCEPT, method="HEAD")
        yield posted("/json", query(fields).encode(), FORM, ACCEPT)
        yield posted("/json", multipart(fields), MULTIPART, ACCEPT)
    yield posted(target, json.dumps(fields).encode(), TYPE)
    yield posted(target, json.dumps(fields).encode(), TYPE, method="PUT")


@pytest.mark.parametrize("target", ["/json", "/text"])
@pytest.mark.parametrize("fields", WRONG, ids=query)
def test_the_words_are_those_of_hosts(engine: Engine, host: Engine, fields: dict[str, str], target: str) -> None:
    for octets in calls(fields, target):
        response, expected = ask(engine, octets), ask(host, octets)
        assert (response.status, response.body) == (expected.status, expected.body)
        if octets.startswith(b"HEAD"):
            assert response.raw.endswith(b"\r\n\r\n")
        else:
            error_of(response)


def test_kinds(engine: Engine) -> None:
    assert ask(engine, request("/json?octet=256")).body == b'{"error":"octet: expected a number from 0 to 255"}\n'
    assert error_of(ask(engine, request("/json"))) == f"missing: {NUMBER}"
    assert error_of(ask(engine, request("/json?octet=1&octet=1"))) == f"given twice: {NUMBER}"
    assert error_of(ask(engine, posted("/text", b'{"octet":1,"octet":1}', TYPE))) == f"given twice: {NUMBER}"
    assert error_of(ask(engine, request("/json?octet=1&text=123456"))) == "text: expected at most 5 bytes of UTF-8"
    assert error_of(ask(engine, request("/json?octet=1&text=%ff"))) == "text: expected at most 5 bytes of UTF-8"
    assert error_of(ask(engine, request("/json?octet=1&on=yes"))) == "on: expected true or false"


@pytest.mark.parametrize("value", ["300", "-1", "1.5", "1e2", "true", "[]", "{}", "null", '"x"', '""'])
def test_values_of_json(engine: Engine, host: Engine, value: str) -> None:
    octets = posted("/text", b'{"octet":%b}' % value.encode(), TYPE)
    assert error_of(ask(engine, octets)) == error_of(ask(host, octets))


def test_in_the_path(engine: Engine) -> None:
    number = "id: expected a number from 0 to 65535"
    assert error_of(ask(engine, request("/items/65536"))) == number
    assert error_of(ask(engine, request("/items/"))) == number
    assert error_of(ask(engine, request("/items"))) == f"missing: {number}"
    assert error_of(ask(engine, request("/items/1?id=1"))) == f"given twice: {number}"
    assert ask(engine, request("/items/1/1")).status == 404
    assert ask(engine, request("/items/7")).body == b"7"


EMPTY = [
    request("/plain?octet=256"),
    request("/text?octet=256"),
    request("/text?octet=256", ACCEPT),
    posted("/plain", b"octet=256", FORM),
    posted("/text", b"octet=256", FORM),
    posted("/text", multipart({"octet": "256"}), MULTIPART),
    posted("/json", b"{", TYPE),
    request("/json?octet=%"),
    request("/json?octet=1", method="GET\t"),
]


@pytest.mark.parametrize("octets", EMPTY)
def test_others_are_empty(engine: Engine, octets: bytes) -> None:
    response = ask(engine, octets)
    assert (response.status, response.body, response.field("content-type")) == (400, b"", None)


def test_what_is_right(engine: Engine) -> None:
    assert ask(engine, request("/json?octet=255&mode=slow&text=12345")).body == b'{"octet":255}'
    assert ask(engine, posted("/text", b'{"octet":255,"low":null}', TYPE)).body == b"255"


def test_without_the_setting() -> None:
    with opened(APP, json_errors=False) as engine:
        for octets in (request("/json?octet=256"), posted("/text", b'{"octet":256}', TYPE)):
            response = ask(engine, octets)
            assert (response.status, response.body) == (400, b"")


def test_for_head_the_head_alone(engine: Engine) -> None:
    whole = ask(engine, request("/json?octet=256"))
    head = ask(engine, request("/json?octet=256", method="HEAD"))
    assert whole.body and head.raw == whole.raw[: len(whole.raw) - len(whole.body)]


CUT = [
    request("/json?octet=256"),
    request("/json"),
    request("/json?octet=1&octet=1&low=4"),
    request("/json?low=99999&octet=256", method="HEAD"),
    posted("/json", b"octet=1&mode=slo", FORM),
    posted("/text", b'{"octet": 1, "text": "123456"}', TYPE),
    posted("/text", b'{"low": 1}', TYPE),
]


@pytest.mark.parametrize("octets", CUT)
def test_cut_at_every_octet(engine: Engine, octets: bytes) -> None:
    method = octets.partition(b" ")[0].decode()
    whole = ask(engine, octets).raw
    for at in range(1, len(octets)):
        assert parsed(pieces(engine, octets, [at], port=40000 + at), method).raw == whole
    assert parsed(pieces(engine, octets, list(range(1, len(octets))), port=39000), method).raw == whole


@pytest.mark.parametrize("split", [1, 7, 100])
def test_pipelined(engine: Engine, split: int) -> None:
    """Requests before the wrong one are answered; its refusal is the connection's last response."""
    octets = request("/json?octet=7") + request("/items/8") + request("/json?octet=256") + request("/json?octet=9")
    client = exchange(engine, octets, "GET", "GET", "GET", "GET", split=split, for_s=60)
    first, second, third = client.responses
    assert (first.body, second.body, error_of(third)) == (b'{"octet":7}', b"8", NUMBER)
    assert client.ended


@pytest.mark.parametrize("run", range(6))
def test_over_a_wire_that_loses(engine: Engine, run: int) -> None:
    octets = posted("/text", b'{"octet": 1, "mode": "slower"}', TYPE) if run % 2 else request("/json?mode=x")
    whole = ask(engine, octets).raw
    lossy = Impairment(delay_us=5 * MS, loss=0.3, duplicate=0.1)
    net = Net(engine, up=lossy, down=lossy, seed=seed_of_run() + run)
    client = net.host().client()
    client.send(octets, octets.partition(b" ")[0].decode())
    finished(client)
    assert client.responses[0].raw == whole


chunked = engine_of(APP, variants={str(chunk): {"chunk": chunk} for chunk in (4, 32, 128)})


@pytest.mark.parametrize(("mss", "wnd"), [(88, 65535), (100, 65535), (256, 65535), (1460, 65535), (1460, 40)])
def test_retransmitted_from_every_octet(chunked: Engine, mss: int, wnd: int) -> None:
    """The error is generated again, not kept. A peer that has acknowledged a part gets the rest, for any MSS and
    window."""
    engine = chunked
    octets = request("/json?octet=1&mode=none")
    whole = pieces(engine, octets, [])
    assert parsed(whole).status == 400
    for at in range(0, len(whole), 1 if mss == 1460 else 13):
        peer = Peer(engine, port=41000 + at)
        peer.handshake(mss=mss, wnd=wnd)
        peer.send("PA", seq=1, ack=1, payload=octets, wnd=wnd)
        if at > max(segment.seq - 1 + len(segment.payload) for segment in peer.take_all()):
            break  # all that was sent arrived; else what is behind `at` is lost
        found, end = whole[:at], False
        peer.send("A", seq=1 + len(octets), ack=1 + at, wnd=wnd)
        for _ in range(100):
            for segment in peer.take_all(within=500):
                begin = segment.seq - 1
                assert segment.payload == whole[begin : begin + len(segment.payload)]
                if begin <= len(found):
                    found = max(found, found[:begin] + segment.payload, key=len)
                    end = end or bool(segment.flags & Flags.F)
            if end:
                break
            peer.send("A", seq=1 + len(octets), ack=1 + len(found), wnd=wnd)
        assert found == whole and end
        peer.send("R", seq=1 + len(octets))


def test_under_tls() -> None:
    with started(APP) as engine:
        net = Net(engine)
        for target, reason in (("/json?octet=256", NUMBER), ("/json?on=1", f"missing: {NUMBER}")):
            assert error_of(Secured(net).get(target)) == reason
        assert Secured(net).get("/json?octet=3").body == b'{"octet":3}'
