# SPDX-License-Identifier: MIT
"""A stored content that changes while responses are in flight: each is whole, or reset."""

import random

import pytest

from tests.harness import Make
from tests.http.stored import SIZES, URLS, made, target_of, write
from tests.support import exchange
from whit.model.policy import Options
from whit.wire.http import request
from whit.wire.packet import Flags, Segment
from whit.wire.units import MS
from whit_testbed.client import State
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer


def stalled(net: Net) -> Client:
    """Returns a reader whose response has begun and is stalled."""
    client = net.host("10.0.0.5").client(Options(window=600))
    client.connection.pause()
    client.ask(URLS[1])
    net.idle(0.5)
    assert 0 < len(client.connection.received) < 1200
    return client


def test_response_goes_on_over_one_new_version(make_stored: Make) -> None:
    engine = make_stored()
    write(engine, 1, 4000, 1)
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    reader, writer = stalled(net), net.host("10.0.0.3").client()
    assert net.get(writer, target_of(1, 3000, 2)).status == 200
    assert net.get(writer, URLS[1]).body == made(3000, 2)
    reader.connection.resume()
    net.run(reader)
    assert reader.responses[0].body == made(4000, 1)
    assert engine.counters["count_changed"] == 0


@pytest.mark.parametrize("stay", ["", "&stay=1"])
def test_response_is_reset_by_the_second_new_version(make_stored: Make, stay: str) -> None:
    engine = make_stored()
    write(engine, 1, 4000, 1)
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    reader, writer = stalled(net), net.host("10.0.0.3").client()
    assert net.get(writer, target_of(1, 4000, 2)).status == 200
    assert net.get(writer, target_of(1, 100, 3, more=stay)).status == 200
    net.idle(0.1)
    assert engine.counters["count_changed"] == 1
    assert reader.connection.reset or reader.connection.state is State.CLOSED
    assert not reader.responses
    body = net.get(writer, URLS[1]).body
    assert body == (made(4000, 2) if stay else made(100, 3))


def reading(engine: Engine, wnd: int, *fields: str) -> tuple[Peer, int, int]:
    """Returns a reader whose version is overwritten in mid-response, the end of its request, and the end of its
    received octets."""
    write(engine, 1, 4000, 1)
    reader = Peer(engine, address="10.0.0.9", port=40009)
    reader.handshake()
    asked = request(URLS[1], *fields)
    reader.send("PA", seq=1, ack=1, payload=asked, wnd=wnd)
    reader.collect()
    end = max((one.seq + len(one.payload) + bool(one.flags & Flags.F) for one in reader.take_all()), default=1)
    writer = Peer(engine, address="10.0.0.8", port=40008)
    writer.handshake()
    at = ack = 1
    for seed in (2, 3):
        octets = request(target_of(1, 100, seed))
        writer.send("PA", seq=at, ack=ack, payload=octets)
        at += len(octets)
        answers = writer.take_all()
        ack = answers[-1].seq + len(answers[-1].payload)
        writer.send("A", seq=at, ack=ack)
    return reader, 1 + len(asked), end


def heard(reader: Peer, within: int) -> list[Segment]:
    """Returns the reader's segments. The writers, on other ports, get some too."""
    return [one for one in reader.take_all(within) if one.dport == 40009]


@pytest.mark.parametrize("wnd", [0, 100, 4000])
def test_what_is_gone_is_not_sent_again_before_the_reset(make_stored: Make, wnd: int) -> None:
    engine = make_stored()
    reader, _, end = reading(engine, wnd)
    reader.wait(1)
    reader.expect("RA", seq=end)
    assert engine.counters["count_changed"] == 1
    assert engine.counters["count_retransmit_timeout"] == 0


@pytest.mark.parametrize("fields", [(), ("Connection: close",)])
@pytest.mark.parametrize("parts", [(1,), (3, 1), (2, 1000, 1)])
def test_what_was_sent_may_still_be_acknowledged(make_stored: Make, parts: tuple[int, ...], fields: tuple[str]) -> None:
    """An acknowledgment of sent octets counts after the change, as late as a client's timer allows."""
    engine = make_stored()
    reader, at, end = reading(engine, 65535, *fields)
    for part in parts:
        assert heard(reader, 200) == []
        reader.send("A", seq=at, ack=end // part)
    assert engine.counters["count_changed"] == 0
    if fields:
        reader.send("FA", seq=at, ack=end)
        assert heard(reader, 3000)[-1].flags == Flags.A
        return
    assert heard(reader, 3000) == []
    octets = request(URLS[1])
    reader.send("PA", seq=at, ack=end, payload=octets)
    assert reader.receive(seq=at + len(octets), at=end).endswith(made(100, 3))


@pytest.mark.parametrize("lost", ["all", "first", "last"])
def test_what_was_sent_and_is_lost_ends_in_a_reset(make_stored: Make, lost: str) -> None:
    engine = make_stored()
    reader, at, end = reading(engine, 65535)
    if lost == "last":
        reader.send("A", seq=at, ack=end - 1000)
    for _ in range(3 if lost == "first" else 0):
        reader.send("A", seq=at, ack=1)
    found = heard(reader, 2500)
    assert [(one.flags & Flags.R != 0, one.payload) for one in found[:1]] == [(True, b"")], found
    assert engine.counters["count_changed"] == 1


def test_other_responses_are_left_alone(make_stored: Make) -> None:
    """Responses of other contents, or from the bank that stays, continue."""
    engine = make_stored()
    write(engine, 1, 4000, 1)
    write(engine, 1, 4000, 2)
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    reader, writer = stalled(net), net.host("10.0.0.3").client()
    for which in (0, 2, 0, 2, 0, 2):
        assert net.get(writer, target_of(which, 30, 3)).status == 200
    assert net.get(writer, target_of(1, 4000, 3)).status == 200
    reader.connection.resume()
    net.run(reader)
    assert reader.responses[0].body == made(4000, 2)
    assert engine.counters["count_changed"] == 0


@pytest.mark.parametrize("mss", [88, 300, 1460])
def test_small_windows(make_stored: Make, mss: int) -> None:
    """Windows below a chunk: the sums of a few octets are made at run time, odd ones too."""
    engine = make_stored()
    write(engine, 1, 777, 1)
    for window in (1, 7, 31, 33, 90):
        client = exchange(engine, request(URLS[1], "Connection: close"), options=Options(mss=mss, window=window))
        assert client.responses[0].body == made(777, 1), window


@pytest.mark.parametrize("index", range(4))
def test_writes_and_reads_under_loss(make_stored: Make, seed: int, index: int) -> None:
    """A reader gets one complete version or a reset, for all losses and changes."""
    rng = random.Random(seed + index)
    engine = make_stored(seed=rng.getrandbits(32), connections=rng.choice([4, 8]))
    harm = Impairment(
        delay_us=rng.choice([1, 20]) * MS,
        rate=rng.choice([None, 11_520]),
        loss=rng.choice([0, 0.05, 0.2]),
        duplicate=rng.choice([0, 0.2]),
        reorder=rng.choice([0, 0.2]),
    )
    net = Net(engine, up=harm, seed=rng.getrandbits(32))
    written: dict[int, list[bytes]] = {which: [] for which in URLS}
    readers: list[tuple[int, Client]] = []
    whole = cut = 0
    for turn in range(40):
        which = rng.choice([0, 1, 1, 1, 2])
        for _ in range(rng.randrange(3)):
            wanted = rng.choice([0, 1, 1, 2])
            options = Options(mss=rng.choice([88, 536, 1460]), window=rng.choice([300, 2000, 65535]))
            reader = net.host(f"10.0.1.{len(readers) % 200 + 1}").client(options)
            fields, method = rng.choice([(), (), ("If-None-Match: *",)]), rng.choice(["GET", "GET", "HEAD"])
            reader.ask(URLS[wanted], *fields, method=method)
            readers.append((wanted, reader))
        cnt, version = rng.randrange(SIZES[which] + 1), rng.getrandbits(30)
        written[which].append(made(cnt, version))
        writer = net.host(f"10.0.2.{turn + 1}").client()
        writer.ask(target_of(which, cnt, version, rng.choice([1, 7, 32, 100, 256])))
        net.run(writer)
        assert all(response.status in (200, 503) for response in writer.responses)
        net.idle(rng.choice([0, 0.01, 0.3]))
    net.idle(300)  # a reset may be lost, and then its reader waits without end
    for which, reader in readers:
        for response in reader.responses:
            assert response.status in (200, 304, 404, 503)
            assert (response.field("etag") is not None) == (response.status in (200, 304))
            if response.status == 200:
                lengths = {len(body) for body in written[which]}
                told = int(response.field("content-length") or -1)
                assert response.body in written[which] or (response.body == b"" and told in lengths)
                whole += 1
        cut += not reader.responses
    assert whole > 0
    counters = engine.counters
    assert cut <= counters["count_changed"] + counters["count_given_up"] + counters["count_slot_evicted"], counters
