# SPDX-License-Identifier: MIT
"""Hostile and edge cases X041..X073: opening TCP connections."""

import pytest

from tests.harness import Make
from tests.segments.test_retransmit import END, begin, drain
from tests.support import BIG, MADE_FILES, ask, get, parsed, served
from whit.model.policy import Options
from whit.wire.packet import Flags, mss_option
from whit_testbed.engine import Engine
from whit_testbed.net import Net
from whit_testbed.trace import Peer

REQUEST = get("/n33.bin")


def fetch(engine: Engine, mss: int | None, **fields: object) -> tuple[bytes, list[int]]:
    """The large file, and the sizes of its segments."""
    peer = Peer(engine)
    peer.send("S", mss=mss, **fields)  # type: ignore[arg-type]
    peer.expect("SA", ack=1)
    ask(peer, get("/n57254.bin"))
    stream, sizes = bytearray(), []
    while segments := peer.take_all():
        for segment in segments:
            stream += segment.payload
            sizes.append(len(segment.payload))
        peer.send("A", seq=END, ack=1 + len(stream))
    return parsed(bytes(stream)).body, sizes


def test_x041_syn_mss_1460(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    syn = peer.expect("SA", ack=1, length=0)
    assert syn.wnd > 0
    peer.expect_nothing()


def test_x043_no_mss_option(engine: Engine) -> None:
    body, sizes = fetch(engine, None)
    assert body == BIG
    assert max(sizes) <= 536


@pytest.mark.parametrize("mss", [1460, 1000, 536, 256, 128, 88])
def test_x044_mss(engine: Engine, mss: int) -> None:
    body, sizes = fetch(engine, mss)
    assert body == BIG
    assert max(sizes) <= mss


def test_x046_mss_between_unknown_options(engine: Engine) -> None:
    options = b"\xfd\x06abcd" + mss_option(400) + b"\x1e\x04zz"
    body, sizes = fetch(engine, None, options=options)
    assert body == BIG
    assert 300 < max(sizes) <= 400


@pytest.mark.parametrize("kind", [2, 3, 8, 253])
@pytest.mark.parametrize("ending", ["{}00", "{}01", "01010101010101{}", "{}ff", "{}0401"])
def test_x047_options_with_wrong_lengths(engine: Engine, kind: int, ending: str) -> None:
    peer = Peer(engine)
    peer.send("S", options=bytes.fromhex(ending.format(f"{kind:02x}")))
    for segment in peer.take_all(within=1000):
        assert segment.flags == Flags.S | Flags.A
    served(Peer(engine, port=41000))


@pytest.mark.parametrize("offset", [0, 1, 4, 8, 15])
def test_x049_data_offset(engine: Engine, offset: int) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460, offset=offset)
    peer.expect_nothing(1000)
    served(peer)


def test_x050_wrong_checksum(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460, sum=0x1111)
    peer.expect_nothing(1000)


@pytest.mark.parametrize("data", [b"", b"12345"])
def test_x052_syn_to_a_closed_port(engine: Engine, data: bytes) -> None:
    peer = Peer(engine, remote_port=8080)
    peer.irs = 0
    peer.send("S", mss=1460, payload=data)
    peer.expect("RA", seq=0, ack=1 + len(data), length=0)


@pytest.mark.parametrize("port", [80, 8080])
def test_x053_ack_to_nobody(engine: Engine, port: int) -> None:
    peer = Peer(engine, remote_port=port)
    peer.irs = 0
    peer.send("A", seq=5, ack=0xDEADBEEF)
    peer.expect("R", seq=0xDEADBEEF, length=0)


def test_x055_syn_ack_to_listen(engine: Engine) -> None:
    peer = Peer(engine)
    peer.irs = 0
    peer.send("SA", seq=5, ack=0xDEADBEEF)
    peer.expect("R", seq=0xDEADBEEF, length=0)


@pytest.mark.parametrize("flags", ["-", "F", "U", "P", "FPU"])
def test_x056_flags_to_listen(engine: Engine, flags: str) -> None:
    peer = Peer(engine)
    peer.irs = 0
    peer.send(flags, seq=5)
    assert all(not segment.flags & Flags.S for segment in peer.take_all(within=3000))


def test_x058_syn_ack_unanswered(make_engine: Make) -> None:
    """A declared deviation: nothing is stored, so nothing is repeated; the client's next SYN is answered again."""
    engine = make_engine(connections=1)
    peer = Peer(engine)
    for wait in (1000, 2000, 4000, 8000):
        peer.send("S", mss=1460)
        peer.expect("SA", ack=1)
        peer.expect_nothing(wait)
    served(peer)


def test_x059_request_on_the_syn(engine: Engine) -> None:
    peer = Peer(engine)
    octets = get("/count")
    peer.send("S", mss=1460, payload=octets)
    syn = peer.expect("SA")
    assert syn.ack in (1, 1 + len(octets))
    peer.send("PA", seq=1, ack=1, payload=octets)
    head = peer.expect("A", seq=1, ack=1 + len(octets)).payload
    assert parsed(head + b"".join(segment.payload for segment in peer.take_all())).body == b"run 1"
    assert engine.persistent_writes == 1


def test_x061_guessed_cookies(engine: Engine) -> None:
    peer = Peer(engine)
    peer.send("S", mss=1460)
    peer.expect("SA")
    for guess in range(1, 4000):
        peer.send("PA", seq=1, ack=1 + guess * 1_048_573, payload=get("/count"))
    assert all(not segment.payload for segment in peer.take_all())
    assert engine.persistent_writes == 0


@pytest.mark.parametrize("flags", ["SF", "SR", "SU", "SP", "SAF", "SFRPAUEC"])
def test_x062_syn_with_other_flags(engine: Engine, flags: str) -> None:
    peer = Peer(engine)
    peer.irs = 0
    peer.send(flags, mss=1460, ack=0)
    peer.take_all(within=1000)
    served(peer)


@pytest.mark.parametrize("connections", [4, 8])
def test_x064_interleaved_connections_with_small_windows(make_engine: Make, connections: int) -> None:
    net = Net(make_engine(connections=connections))
    clients = [net.host(f"10.0.0.{2 + i}").client(Options(window=2000)) for i in range(connections)]
    for client in clients:
        client.ask("/n57254.bin")
    net.run(*clients)
    assert [client.responses[0].body for client in clients] == [BIG] * connections


def test_x065_port_used_again(engine: Engine) -> None:
    net = Net(engine)
    for i in range(20):
        client = net.host().client(port=5000, iss=1000 + i * 64_000)
        assert net.get(client, "/n33.bin").body == MADE_FILES["n33.bin"]
        client.connection.close()
        net.idle(0.1)


def test_x067_syn_in_the_window(engine: Engine) -> None:
    """A SYN in the window of a held slot gets a challenge ACK. The numbers of an idle connection are unknown: it gets a
    cookie."""
    peer, first = begin(engine)
    peer.send("S", seq=END + 100, mss=1460)
    challenge = peer.take_all()
    assert [segment.flags for segment in challenge] == [Flags.A]
    assert challenge[0].ack == END
    stream = bytearray(b"".join(segment.payload for segment in first))
    peer.send("A", seq=END, ack=1 + len(stream))
    drain(peer, stream)
    assert parsed(bytes(stream)).body == BIG


def test_x067_syn_on_an_idle_connection(engine: Engine) -> None:
    """The idle connection stays usable."""
    peer = Peer(engine)
    peer.handshake()
    ask(peer, REQUEST)
    end = 1 + len(peer.expect("A").payload)
    at = 1 + len(REQUEST)
    peer.send("A", seq=at, ack=end)
    irs = peer.irs
    peer.send("S", seq=at + 10, mss=1460)
    peer.next_segment()
    peer.irs = irs
    peer.send("PA", seq=at, ack=end, payload=REQUEST)
    assert parsed(peer.expect("A", seq=end).payload).status == 200


def test_x068_rebooted_client(engine: Engine) -> None:
    begin(engine)
    again = Peer(engine, iss=900_000)
    again.send("S", mss=1460)
    challenge = again.next_segment()
    assert challenge.flags == Flags.A
    again.send("R", seq=challenge.ack - again.iss)
    again.handshake()
    ask(again, REQUEST)
    assert parsed(again.expect("A").payload).status == 200


@pytest.mark.parametrize("iss", [0xFFFFFFF0, 0xFFFFFFFF, 0, 0x7FFFFFF0, 0x7FFFFFFF])
def test_x070_wrapping_numbers(engine: Engine, iss: int) -> None:
    net = Net(engine)
    client = net.host().client(iss=iss)
    for _ in range(3):
        assert net.get(client, "/n4000.bin").body == MADE_FILES["n4000.bin"]


@pytest.mark.parametrize("reserved", [0, 1, 15])
def test_x071_ecn_and_reserved_bits(engine: Engine, reserved: int) -> None:
    peer = Peer(engine)
    peer.send("SEC", mss=1460, reserved=reserved)
    peer.expect("SA", ack=1)


def test_x073_first_isn_after_each_reset(engine: Engine) -> None:
    isns = set()
    for _ in range(20):
        peer = Peer(engine)
        peer.send("S", mss=1460)
        isns.add(peer.next_segment().seq)
        engine.reset()
    assert len(isns) == 20
