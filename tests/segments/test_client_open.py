# SPDX-License-Identifier: MIT
"""A connection that the engine opens: the way there, SYN-SENT (RFC 9293 section 3.10.7.3), and time."""

from itertools import pairwise

import pytest

from tests.harness import opened
from tests.support import get
from whit.wire.packet import TCP_PROTOCOL, Ethernet, Ipv4, flags_of, ip
from whit_testbed.trace import Peer

from .origins import APP, HOST, PORT, Asking, Origin


@pytest.mark.parametrize("link", ["ethernet", "slip"])
def test_opens_sends_receives_and_closes(link: str) -> None:
    with opened(APP, link=link) as engine:
        origin = Origin(engine)
        asking = Asking(engine)
        syn = origin.expect_syn()
        assert syn.mss == 1460 and syn.wnd == 2048 and syn.sport >= 49152
        origin.send("SA", ack=1, mss=1460)
        origin.expect("PA", seq=1, ack=1, payload=b"aaaab")
        origin.send("PA", seq=1, ack=6, payload=b"hello, ")
        origin.expect("A", seq=6, ack=8, length=0)
        origin.send("PA", seq=8, ack=6, payload=b"world")
        origin.expect("A", seq=6, ack=13)
        assert asking.body() == b"hello, world"
        origin.send("FA", seq=13, ack=6)
        last = origin.take_all()[-1]
        assert (last.flags, last.seq, last.ack) == (flags_of("FA"), 6, 14)
        origin.send("A", seq=14, ack=7)
        origin.expect_nothing(20_000)
        assert asking.body() == b"hello, world|ended"
        assert len(origin.asked_at) == (link == "ethernet")


def test_numbers_and_ports_are_others_each_time() -> None:
    """RFC 6528, RFC 6056: neither follows from those before."""
    with opened(APP) as engine:
        ports, numbers = [], []
        for port in range(40000, 40020):
            origin = Origin(engine)
            asking = Asking(engine, port=port)
            syn = origin.expect_syn()
            ports.append(syn.sport)
            numbers.append(origin.irs or 0)
            origin.send("RA", ack=1)
            assert asking.body() == b"|failed"
        assert len(set(ports)) == 20 and min(ports) >= 49152
        assert sorted(ports) != ports
        steps = {(after - before) % 2**32 >> 20 for before, after in pairwise(numbers)}
        assert len(steps) > 15


def test_refused() -> None:
    with opened(APP) as engine:
        origin = Origin(engine)
        asking = Asking(engine)
        origin.expect_syn()
        origin.send("RA", ack=1)
        assert asking.body() == b"|failed"
        origin.expect_nothing(20_000)


def test_resets_that_acknowledge_something_else_are_nobodys() -> None:
    with opened(APP) as engine:
        origin = Origin(engine)
        asking = Asking(engine)
        origin.expect_syn()
        for ack in (0, 2, 3, -1 % 2**32, 2**31):
            origin.send("RA", ack=ack)
        origin.send("R", seq=0)
        origin.expect_nothing()
        origin.send("SA", ack=1, mss=1460)
        origin.expect("PA", ack=1, payload=b"aaaab")
        assert asking.body() == b""


@pytest.mark.parametrize("ack", [0, 2, 77, 2**31])
def test_an_acknowledgment_of_what_was_never_sent(ack: int) -> None:
    """A half-open connection of before (RFC 9293 section 3.5.1) gets a RST, and is asked again."""
    with opened(APP) as engine:
        origin = Origin(engine)
        Asking(engine)
        origin.expect_syn()
        for flags in ("SA", "A", "FA"):
            origin.send(flags, seq=70, ack=ack)
            origin.expect("R", seq=ack)
        assert engine.counters["drop_tcp_ack"] == 3
        origin.expect("S", seq=0, within=1100)
        origin.send("SA", ack=1, mss=1460)
        origin.expect("PA", seq=1, ack=1, payload=b"aaaab")


def test_segments_without_syn_or_ack_are_dropped() -> None:
    with opened(APP) as engine:
        origin = Origin(engine)
        Asking(engine)
        origin.expect_syn()
        origin.send("A", ack=1)
        origin.send("S", mss=1460)  # a simultaneous opening, which is refused
        origin.send("", payload=b"x")
        origin.expect_nothing(500)
        origin.send("SA", ack=1, mss=1460)
        origin.expect("PA", payload=b"aaaab")


def test_a_lost_syn_is_sent_again() -> None:
    with opened(APP) as engine:
        origin = Origin(engine)
        asking = Asking(engine, "/fetch?timeout=8000")
        begun = engine.now_ms
        origin.expect_syn()
        times = []
        for _ in range(2):
            origin.expect("S", seq=0, within=5000)
            times.append(engine.now_ms - begun)
        assert times == [pytest.approx(1000, abs=8), pytest.approx(3000, abs=8)]
        origin.send("SA", ack=1, mss=1460)
        origin.expect("PA", seq=1, ack=1, payload=b"aaaab")
        begun = engine.now_ms
        origin.expect("PA", seq=1, payload=b"aaaab", within=4000)
        assert engine.now_ms - begun == pytest.approx(3000, abs=8)  # RFC 6298 section 5.7
        assert asking.body() == b""


def test_nobody_answers_the_syn() -> None:
    with opened(APP) as engine:
        origin = Origin(engine)
        asking = Asking(engine, "/fetch?timeout=2500")
        begun = engine.now_ms
        origin.expect_syn()
        assert asking.body(2400) == b""
        assert asking.body(200) == b"|failed"
        assert engine.counters["count_given_up"] == 1
        origin.take_all()
        origin.expect_nothing(30_000)
        assert engine.now_ms - begun > 30_000


def test_arp_is_asked_each_second_until_it_answers() -> None:
    with opened(APP) as engine:
        origin = Origin(engine, answers=False)
        asking = Asking(engine)
        asking.peer.wait(2200)
        assert [at - origin.asked_at[0] for at in origin.asked_at] == [0, 1000, 2000]
        origin.expect_nothing()
        origin.answers = True
        origin.accept(within=1200)
        origin.expect("PA", payload=b"aaaab")
        assert len(origin.asked_at) == 4


def test_arp_is_never_answered() -> None:
    with opened(APP) as engine:
        origin = Origin(engine, answers=False)
        asking = Asking(engine, "/fetch?timeout=3500")
        assert asking.body(3600) == b"|failed"
        asked = len(origin.asked_at)
        assert asked == 4
        asking.peer.wait(30_000)
        assert len(origin.asked_at) == asked


def test_answers_that_nobody_asked_for_tell_no_way() -> None:
    with opened(APP) as engine:
        liar = Origin(engine, address="10.0.0.66", port=6666)
        origin = Origin(engine, answers=False)
        asking = Asking(engine)
        liar.tell()
        origin.expect_nothing()
        origin.tell()
        origin.expect_syn()
        mac, origin.mac = origin.mac, bytes.fromhex("0200deadbeef")
        origin.tell()  # of the same address, later: it was not asked for
        origin.mac = mac
        syn_again = origin.next_frame(1100)[1]
        assert Ethernet.parse(syn_again).dst == mac
        origin.send("SA", ack=1, mss=1460)
        origin.expect("PA", payload=b"aaaab")
        assert asking.body() == b""


@pytest.mark.parametrize("host", ["10.0.0.1", "0.0.0.0", "127.0.0.1", "224.0.0.1", "10.255.255.255", "255.255.255.255"])
def test_addresses_that_are_no_host(host: str) -> None:
    with opened(APP) as engine:
        origin = Origin(engine, address=host)
        asking = Asking(engine, f"/fetch?host={int.from_bytes(ip(host), 'big')}")
        assert asking.body() == b"|failed"
        assert origin.asked_at == []


def test_all_are_in_use() -> None:
    with opened(APP, client__connections=1) as engine:
        origin = Origin(engine, port=7001)
        asking = Asking(engine, "/fetch?port=7001", port=40001)
        origin.accept()
        assert Asking(engine, port=40009).body() == b"none"
        origin.send("RA", seq=1, ack=1)
        assert asking.body() == b"|failed"
        third = Origin(engine)
        Asking(engine, port=40010)
        third.accept()
        third.expect("PA", payload=b"aaaab")


def test_a_peer_whose_segments_are_too_small() -> None:
    with opened(APP) as engine:
        origin = Origin(engine)
        asking = Asking(engine)
        origin.accept(mss=87)
        origin.expect("RA", seq=1, ack=1)
        assert asking.body() == b"|failed"
        assert engine.counters["drop_tcp_mss"] == 1


def test_the_way_leads_over_the_gateway() -> None:
    from whit_testbed.engine import Identity

    network = Identity(gateway=ip("10.0.0.10"), prefix_len=24)
    with opened(APP, identity=network) as engine:
        gateway = Origin(engine, address=HOST, port=1)
        far = Origin(engine, address="192.0.2.7", answers=False)
        far.mac = gateway.mac
        asking = Asking(engine, f"/fetch?host={int.from_bytes(ip('192.0.2.7'), 'big')}&port={PORT}")
        far.accept()
        far.expect("PA", payload=b"aaaab")
        assert far.asked_at == [] and len(gateway.asked_at) == 1
        assert asking.body() == b""


def test_handlers_wait_beside_each_other() -> None:
    """Each holds its part of the shared buffer, two segments, while it waits; none takes all of it."""
    with opened(APP, buffer=32768, connections=16, client__connections=10) as engine:
        origins = [Origin(engine, port=7000 + i) for i in range(10)]
        asking = [Asking(engine, f"/fetch?port={7000 + i}", port=40000 + i) for i in range(10)]
        for origin in origins:
            origin.accept()
            origin.expect("PA", seq=1, payload=b"aaaab")
        for origin in reversed(origins):
            origin.send("FPA", seq=1, ack=6, payload=b"%d" % origin.port)
        assert [one.body() for one in asking] == [b"%d|ended" % (7000 + i) for i in range(10)]


def test_a_syn_is_sent_again_while_a_frame_is_half_in() -> None:
    """The answer to a half-received frame goes to that frame's sender, even if a SYN was retransmitted in between."""
    with opened(APP) as engine:
        other = Peer(engine, port=40_001, address="10.0.0.9", mac=b"\2\0\0\0\0\x09")
        other.handshake()
        origin, asking = Origin(engine), Asking(engine)
        origin.expect_syn()
        segment = other.make("PA", seq=1, ack=1, payload=get("/nothing")).pack(other.address, other.server)
        frame = other.link_frame(Ipv4(other.address, other.server, TCP_PROTOCOL, segment).pack())
        engine.octets_in(frame[:50])
        origin.expect("S", within=2000)
        engine.octets_in(frame[50:])
        engine.frame_end()
        origin.collect()
        assert b" 404 " in other.expect("PA", seq=1).payload
        assert asking.body() == b""
