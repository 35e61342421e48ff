# SPDX-License-Identifier: MIT
"""Early data (RFC 8446, section 2.3; RFC 8470): harmless requests are answered with the flight, others after the
client's Finished."""

import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import engine_of
from tests.https.early import Early
from tests.https.secured import none_broken, started
from tests.strategies.conftest import text
from tests.support import get
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.units import MS, SECOND
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.tls import END_OF_EARLY_DATA, FINISHED, HANDSHAKE, Ticket

STRATEGIES: Path = ROOT / "tests" / "apps" / "strategies"
SECURE: Path = ROOT / "tests" / "apps" / "secure"
ONE_WAY = Impairment(delay_us=10 * MS)
RTT_US = 20 * MS
HARMLESS = get("/plain_idempotent?len=300")
ONCE = get("/plain_persistent?len=300")
MAC, UNEXPECTED, DECODE = 20, 10, 50


engine = engine_of(STRATEGIES, start=started, ends=none_broken, https__early_data="idempotent")


def lined(engine: Engine, **settings: object) -> tuple[Net, Ticket]:
    """A line of 20 ms there and back, and a ticket."""
    net = Net(engine, up=ONE_WAY, down=ONE_WAY, **settings)
    first = Early(net)
    ticket = first.ticket()
    first.connection.abort()
    net.idle(1)
    return net, ticket


def bodies(client: Early, count: int = 1) -> list[bytes]:
    return [one.body for one in client.wait(count)]


@pytest.mark.parametrize("kind", ["plain_idempotent", "plain_volatile", "thread_idempotent", "index_volatile"])
@pytest.mark.parametrize("mss", [200, 1460])
def test_what_may_run_again_is_answered_with_the_flight(engine: Engine, kind: str, mss: int) -> None:
    net, ticket = lined(engine)
    client = Early(net, get(f"/{kind}?len=700"), ticket, options=Options(mss=mss))
    (body,) = bodies(client)
    assert client.tls.accepted and text(693) in body and len(body) <= 704
    assert client.first_us - client.begun_us == 2 * RTT_US
    net.idle(1)
    client.say(ONCE)  # on the same connection, whose handshake is over
    assert len(bodies(client, 2)) == 2
    client.tls.update()
    client.say(HARMLESS)
    assert text(293) in bodies(client, 3)[2]


def test_a_whole_file_and_what_is_not_there(application: Path) -> None:
    with started(application, https__early_data="idempotent") as engine:
        net, ticket = lined(engine)
        client = Early(net, get("/n57254.bin"), ticket)
        assert len(bodies(client)[0]) == 57254 and client.first_us - client.begun_us == 2 * RTT_US
        closing = Early(net, get("/nothing", "Connection: close"), ticket)
        assert closing.wait()[0].status == 404 and closing.first_us - closing.begun_us == 2 * RTT_US
        net.idle(1)
        assert closing.tls.told_end and closing.connection.peer_closed
        assert engine.nonces[2] == 0


def test_what_runs_once_waits_for_finished(engine: Engine) -> None:
    net, ticket = lined(engine)
    before = engine.counters["count_requests"]
    client = Early(net, HARMLESS + ONCE, ticket)
    client.hold = True
    net.idle(2)
    assert len(client.responses()) == 1 and engine.counters["count_requests"] == before + 1
    client.hold = False
    client.flush()
    assert text(293) in bodies(client, 2)[1]
    alone = Early(net, ONCE, ticket)
    alone.hold = True
    net.idle(2)
    assert alone.tls.accepted and not alone.tls.heard and engine.counters["count_requests"] == before + 2
    alone.hold = False
    alone.flush()
    assert text(293) in bodies(alone)[0]


def test_a_post_waits_for_finished() -> None:
    with started(SECURE, https__early_data="idempotent", https__port=443) as engine:
        net, ticket = lined(engine)
        body = b"ab" * 40
        post = b"POST /sum HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: 80\r\n\r\n"
        for early in (post + body, post + body[:30], post[:40]):
            client = Early(net, early, ticket)
            client.hold = True
            net.idle(2)
            assert client.tls.accepted and not client.tls.heard
            client.hold = False
            client.flush()
            client.say((post + body)[len(early) :])
            assert bodies(client) == [f"80 {zlib.adler32(body)}".encode()]
        assert engine.nonces[2] == 0


def test_a_hello_that_comes_again(engine: Engine) -> None:
    net, ticket = lined(engine)
    client = Early(net, HARMLESS, ticket)
    assert len(bodies(client)) == 1
    before = engine.counters["count_requests"]
    for after_s in (0, 9, 12, 60):
        net.idle(after_s)
        again = Early(net, b"", hello=client.hello, address="10.0.0.9")
        again.connection.on_data = lambda: None
        net.idle(2)
        assert len(again.connection.received) > 200  # a flight under other keys, and no answer behind it
        again.connection.abort()
    assert engine.counters["count_requests"] == before


def later(engine: Engine, ms: int) -> Net:
    """Lets time pass without clients. A real device is called each minute."""
    end = engine.now_ms + ms
    while engine.now_ms < end:
        engine.now_ms = min(end, engine.now_ms + (1 << 30))
        engine.tick()
    return Net(engine, up=ONE_WAY, down=ONE_WAY)


@pytest.mark.parametrize("rounds", [1, 2])
def test_the_clock_goes_round(engine: Engine, rounds: int) -> None:
    """The clock's milliseconds equal those of the ticket's first minutes."""
    net, ticket = lined(engine)
    client = Early(net, HARMLESS, ticket)
    assert len(bodies(client)) == 1
    client.connection.abort()
    net.idle(1)
    before = engine.counters["count_requests"]
    net = later(engine, (rounds << 32) - 1000)
    again = Early(net, b"", hello=client.hello, address="10.0.0.9")
    again.connection.on_data = lambda: None
    net.idle(2)
    assert len(again.connection.received) > 200 and engine.counters["count_requests"] == before
    again.connection.abort()
    once_more = Early(net, ticket=ticket)
    assert once_more.ticket() and not once_more.tls.resumed


def test_a_ticket_outlives_a_round_of_the_clock(engine: Engine) -> None:
    net, ticket = lined(later(engine, (1 << 32) - 30_000).engine)
    net.idle(60)
    assert engine.now_ms > 1 << 32
    client = Early(net, HARMLESS, ticket)
    assert bodies(client) and client.tls.resumed and client.tls.accepted


@pytest.mark.parametrize("off_ms", [-30_000, 30_000])
def test_a_hello_of_another_time(engine: Engine, off_ms: int) -> None:
    net, ticket = lined(engine)
    client = Early(net, ONCE, replace(ticket, made_ms=ticket.made_ms + off_ms))
    net.idle(1)
    assert client.tls.resumed and client.tls.open and not client.tls.accepted and not client.tls.heard
    client.say(ONCE)
    assert len(bodies(client)) == 1


def test_a_ticket_is_for_one_protocol(engine: Engine) -> None:
    net, ticket = lined(engine)
    client = Early(net, ONCE, ticket, alpn=False)
    net.idle(1)
    assert client.tls.open and not client.tls.resumed and not client.tls.accepted


def test_without_a_place_to_remember_it(engine: Engine) -> None:
    net, ticket = lined(engine)
    accepted = []
    for number in range(20):
        client = Early(net, get(f"/plain_idempotent?len={300 + number}"), ticket)
        net.idle(0.2)
        accepted += [client.tls.accepted]
        client.connection.abort()
    assert accepted == [True] * 16 + [False] * 4
    net.idle(21)
    assert bodies(Early(net, HARMLESS, ticket))


def test_switched_off() -> None:
    with started(STRATEGIES) as engine:
        net, ticket = lined(engine)
        client = Early(net, HARMLESS, ticket)
        net.idle(1)
        assert ticket.early_max == 0 and client.tls.open and not client.tls.accepted
        client.say(HARMLESS)
        assert len(bodies(client)) == 1


@pytest.mark.parametrize("place", [6, 60, -1])
def test_spoilt_early_data(engine: Engine, place: int) -> None:
    """The server's alert is in the clear: the sender of the data does not know the server's keys yet."""
    net, ticket = lined(engine)
    hello = Early(net, HARMLESS, ticket)
    octets = bytearray(hello.hello)
    hello.connection.abort()
    octets[len(octets) - 22 - len(HARMLESS) + place if place > 0 else -1] ^= 4
    client = Early(net, b"", hello=bytes(octets), address="10.0.0.3")
    before = engine.counters["count_requests"]
    net.idle(1)
    assert client.tls.alert == MAC
    assert engine.counters["count_requests"] == before


@pytest.mark.parametrize(
    ("end", "alert"),
    [
        (bytes((END_OF_EARLY_DATA, 0, 0, 1, 0)), DECODE),
        (bytes((END_OF_EARLY_DATA, 0, 1, 0)), DECODE),
        (bytes((FINISHED, 0, 0, 32)) + bytes(32), UNEXPECTED),
        (bytes((24, 0, 0, 1, 0)), UNEXPECTED),
    ],
)
def test_spoilt_ends_of_early_data(engine: Engine, end: bytes, alert: int) -> None:
    net, ticket = lined(engine)
    client = Early(net, ONCE, ticket)
    client.tls.answer_finished = False
    net.idle(1)
    client.tls.finish(end)
    client.flush()
    net.idle(1)
    assert client.tls.alert == alert and not client.tls.heard


def test_the_end_of_early_data_said_twice(engine: Engine) -> None:
    net, ticket = lined(engine)
    client = Early(net, HARMLESS, ticket, more=lambda tls: tls.write(bytes((END_OF_EARLY_DATA, 0, 0, 0)), HANDSHAKE))
    net.idle(1)
    assert len(client.tls.heard) > 300  # it is read behind the answer
    assert client.tls.alert == MAC


def test_too_much_early_data(engine: Engine) -> None:
    net, ticket = lined(engine)
    assert ticket.early_max == 1600
    client = Early(net, get("/plain_idempotent?len=300", f"X: {'a' * 1500}"), ticket)
    assert bodies(client)
    much = Early(net, b"G" * 1700, ticket)
    net.idle(5)
    assert much.tls.alert == UNEXPECTED and not much.tls.heard


@pytest.mark.parametrize("cut", [100, 330, 345, 370])
def test_early_data_that_comes_later(engine: Engine, cut: int) -> None:
    """The flight does not wait for it: it is answered when that has arrived."""
    net, ticket = lined(engine)
    client = Early(net, HARMLESS, ticket, first=cut)
    client.hold = True
    net.idle(0.2)
    client.connection.send(client.hello[cut:])
    client.hold = False
    client.flush()
    assert text(293) in bodies(client)[0] and client.tls.accepted
    client.say(ONCE)
    assert len(bodies(client, 2)) == 2


@pytest.mark.parametrize("seed", range(6))
def test_a_line_that_loses_repeats_and_reorders(seed: int) -> None:
    bad = Impairment(delay_us=2 * MS, loss=0.1, duplicate=0.05, reorder=0.1)
    with started(STRATEGIES, keeps_frames=seed % 2 == 1, https__early_data="idempotent") as engine:
        net = Net(engine, up=bad, down=bad, seed=seed, split="random")
        ticket = None
        accepted = 0
        for number in range(8):
            length = 300 + 400 * number
            kind = "plain_persistent" if number % 3 == 2 else "thread_idempotent" if number % 3 else "plain_idempotent"
            client = Early(net, get(f"/{kind}?len={min(length, 800)}") if ticket else b"", ticket)
            net.loop.run(lambda client=client: client.tls.open or client.ended, for_us=60 * SECOND)
            if client.tls.open and ticket and client.tls.accepted:
                accepted += 1
                assert text(min(length, 800) - 7) in bodies(client)[0]
            net.idle(2)
            ticket = client.tls.tickets[0] if client.tls.tickets else ticket
        _, repeated, broken = engine.nonces
        assert accepted >= 4 and repeated > 0 and broken == 0
