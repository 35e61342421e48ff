# SPDX-License-Identifier: MIT
"""Octets in base64 that come and leave by pieces, more of them than the memory holds."""

import base64
import json
import random
from urllib.parse import quote

import pytest

from tests.bodies.support import ask, posted
from tests.harness import engine_of, opened
from tests.services import soap
from tests.services.support import JSON, by_form, called, fault, got, result
from tests.support import noise
from whit.paths import ROOT
from whit.wire.units import SECOND
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net

APP = ROOT / "tests" / "apps" / "pieces"
LENGTHS = [0, 1, 2, 3, 22, 23, 24, 25, 26, 47, 48, 49, 72, 500, 1459, 1460, 9000, 16000]


device = engine_of(APP, scope="module")


def kept_of(octets: bytes, beside: int = 0) -> dict[str, int]:
    total = 0
    for octet in octets:
        total = (total * 31 + octet) % 2**32
    return {"len": len(octets), "sum": total, "pieces": -(-len(octets) // 24), "beside": beside}


def given(length: int) -> tuple[str, str]:
    first = bytes((at * 7 + (at >> 8)) % 256 for at in range(length))
    others = bytes((255 - at) % 256 for at in range(length // 2))
    return base64.b64encode(first).decode(), base64.b64encode(others).decode()


def answer(length: int, name: str = "") -> dict[str, object]:
    first, others = given(length)
    return {"before": name, "octets": first, "between": 4711, "others": others, "after": name}


def fine(length: int) -> bytes:
    """Returns noise without the octet that is refused."""
    return noise(length).replace(b"\xee", b"\xed")


@pytest.mark.parametrize("length", LENGTHS)
def test_octets_come(device: Engine, length: int) -> None:
    octets = fine(length)
    text = base64.b64encode(octets).decode()
    arguments = {"first": 3, "octets": text, "last": 4}
    assert result(called(device, "/keep", arguments)) == kept_of(octets, 7)
    assert device.persistent(16384)[:length] == octets
    said = by_form(device, "/keep", f"octets={quote(text, safe='')}".encode())
    assert said.status == 200 and said.body.startswith(b"len: %d\nsum: %d\n" % (length, kept_of(octets)["sum"]))
    inner = f"<first>1</first><octets> {text[:50]}\n {text[50:]}\t</octets>"
    assert soap.texts(soap.sent(device, soap.envelope(soap.calling("keep", inner)))) == {
        name: str(number) for name, number in kept_of(octets, 1).items()
    }


WRONG = {
    "A": "its end within a group",
    "AAA": "its end within a group",
    "AA=A": "an octet behind what pads",
    "AB==": "bits in what pads",
    "AAA=AAAA": "more behind what pads",
    "AAAA" * 12 + "*": "no character of base64",
    "7u7u": "an octet that is refused",
    "AAAA" * 8 + "7g==": "an octet that is refused, in its end",
    "AAAA" * 5334: "more than its size",
}


@pytest.mark.parametrize("text", WRONG, ids=WRONG.values())
def test_wrong_octets(device: Engine, text: str) -> None:
    reason = "octets: expected at most 16000 bytes in base64"
    assert fault(called(device, "/keep", {"octets": text})) == {
        "code": "Sender", "argument": "octets", "reason": reason,
    }  # fmt: skip
    message = soap.envelope(soap.calling("keep", f"<octets>{text}</octets>"))
    assert soap.fault(soap.sent(device, message)).reason == reason
    assert by_form(device, "/keep", b"octets=" + text.encode()).status == 400
    assert result(called(device, "/keep", {"octets": "AAAA"})) == kept_of(bytes(3))


def test_octets_that_are_missing(device: Engine) -> None:
    for arguments in ({}, {"octets": None}):
        assert fault(called(device, "/keep", arguments))["reason"].startswith("missing: octets: expected")
    assert fault(called(device, "/keep", b'{"octets":"AAAA","octets":"AAAA"}'))["reason"].startswith("given twice")
    assert fault(called(device, "/keep", {"octets": 7}))["argument"] == "octets"


def test_cut_at_every_octet(device: Engine) -> None:
    """Two segments, wherever the first ends."""
    octets = fine(100)
    message = posted("/keep", json.dumps({"octets": base64.b64encode(octets).decode()}).encode(), JSON)
    for at in range(1, len(message)):
        net = Net(device)
        client = net.host().client()
        client.send(message[:at], "POST")
        net.loop.run(for_us=SECOND // 100)
        client.connection.send(message[at:])
        net.run(client)
        assert result(client.responses[0]) == kept_of(octets)


@pytest.mark.parametrize("length", [*LENGTHS, 60_000])
def test_octets_leave(device: Engine, length: int) -> None:
    name = 'a"<&>\\é' * 5
    assert result(called(device, "/give", {"len": length, "name": name})) == answer(length, name)
    body = by_form(device, "/give", b"len=%d" % length).body.decode()
    first, others = given(length)
    assert body == f"before: \noctets: {first}\nbetween: 4711\nothers: {others}\nafter: \n"
    inner = f"<len>{length}</len><name>n</name>"
    for version in (soap.SOAP_11, soap.SOAP_12):
        said = soap.sent(device, soap.envelope(soap.calling("give", inner), version), version)
        assert {one.tag.rpartition("}")[2]: one.text or "" for one in soap.result(said, version)} == {
            key: str(value) for key, value in answer(length, "n").items()
        }


def test_short_answers_have_a_length(device: Engine) -> None:
    """An answer that ends with its first piece, and every fault, has a Content-Length."""
    short = called(device, "/give", {"len": 3})
    assert short.field("content-length") and not short.field("transfer-encoding")
    assert called(device, "/give", {"len": 20_000}).field("transfer-encoding") == "chunked"
    assert fault(called(device, "/give", {"len": 99_999_999}))["reason"] == "nobody has so many octets"
    failed = {"code": "Receiver", "reason": "the function failed"}  # not for the reason before
    assert fault(called(device, "/give", {"len": 10_000_000}), 500) == failed
    assert fault(called(device, "/give", {"len": "x"}))["argument"] == "len"
    message = soap.envelope(soap.calling("give", "<len>99999999</len>"))
    assert soap.fault(soap.sent(device, message)) == soap.Fault("Client", "nobody has so many octets")


@pytest.mark.parametrize("buffer", [1008, 1100, 1500, 3000])
def test_in_small_buffers(buffer: int) -> None:
    with opened(APP, buffer=buffer) as engine:
        for length in (0, 10, 100, 1000, 5000):
            assert result(called(engine, "/give", {"len": length, "name": "x" * 59})) == answer(length, "x" * 59)
            octets = fine(length)
            text = base64.b64encode(octets).decode()
            assert result(called(engine, "/keep", {"octets": text})) == kept_of(octets)


def test_a_value_that_fails(device: Engine) -> None:
    """A failure before the first piece is a 500; later it cuts the connection."""
    assert called(device, "/give", {"len": 9000, "fails_at": 10}).status == 500
    net = Net(device)
    client = net.host().client()
    client.send(posted("/give", json.dumps({"len": 9000, "fails_at": 8000}).encode(), JSON), "POST")
    net.run(client)
    assert client.connection.reset and not client.responses
    assert result(called(device, "/give", {"len": 9000})) == answer(9000)


def test_several_at_a_time(device: Engine) -> None:
    """Each value has its own place in the answer, and in the request."""
    net = Net(device)
    lengths = [4000, 9000, 12_345]
    clients = [net.host().client() for _ in lengths]
    for client, length in zip(clients, lengths, strict=True):
        client.send(posted("/give", json.dumps({"len": length, "name": str(length)}).encode(), JSON), "POST")
    net.run(*clients)
    for client, length in zip(clients, lengths, strict=True):
        assert result(client.responses[0]) == answer(length, str(length))


@pytest.mark.parametrize("seed", range(4))
def test_on_a_wire_that_loses(device: Engine, seed: int) -> None:
    net = Net(device, up=Impairment(loss=0.1, delay_us=5000, duplicate=0.02, reorder=0.05), seed=seed)
    clients = [net.host().client() for _ in range(2)]
    octets = fine(3000)
    message = json.dumps({"octets": base64.b64encode(octets).decode()}).encode()
    clients[0].send(posted("/keep", message, JSON), "POST")
    clients[1].send(posted("/give", json.dumps({"len": 9000}).encode(), JSON), "POST")
    net.run(*clients)
    assert result(clients[0].responses[0]) == kept_of(octets)
    assert result(clients[1].responses[0]) == answer(9000)


def test_a_stored_content(device: Engine) -> None:
    """A call that fails does not change the stored content."""
    for octets in (fine(5000), fine(6000), fine(7)):
        before = got(device, "/photo.png")
        text = base64.b64encode(octets).decode()
        assert fault(called(device, "/photo", {"photo": text + "*"}))["argument"] == "photo"
        assert got(device, "/photo.png").body == before.body
        assert result(called(device, "/photo", {"photo": text})) == {"octets": len(octets)}
        assert got(device, "/photo.png").body == octets


def test_two_callers_of_one_content(device: Engine) -> None:
    """The upload that began last wins; the other one gets an error."""
    net = Net(device)
    texts = [base64.b64encode(fine(length)).decode() for length in (3000, 2000)]
    messages = [posted("/photo", json.dumps({"photo": text}).encode(), JSON) for text in texts]
    clients = [net.host().client() for _ in texts]
    clients[0].send(messages[0][:2500], "POST")
    net.loop.run(for_us=SECOND)
    clients[1].send(messages[1], "POST")
    net.run(clients[1])
    clients[0].connection.send(messages[0][2500:])
    net.run(clients[0])
    assert result(clients[1].responses[0]) == {"octets": 2000}
    assert fault(clients[0].responses[0])["argument"] == "photo"
    assert got(device, "/photo.png").body == fine(2000)


def test_at_random(device: Engine) -> None:
    """Whole calls with changed octets give an answer or a fault, and the next call works."""
    rng = random.Random(5)
    for _ in range(300):
        octets = fine(rng.randrange(200))
        body = bytearray(json.dumps({"octets": base64.b64encode(octets).decode(), "last": 1}).encode())
        body[rng.randrange(len(body))] = rng.randrange(256)
        said = ask(device, posted("/keep", bytes(body), JSON))
        assert said.status in (200, 400)
    assert result(called(device, "/keep", {"octets": "AAAA"})) == kept_of(bytes(3))
