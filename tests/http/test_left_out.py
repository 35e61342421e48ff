# SPDX-License-Identifier: MIT
"""Features that app.toml can leave out of the smallest images: idle connections, runs for each segment, kept input."""

import pytest

from tests.harness import Make, opened, saying
from tests.support import MADE_FILES, get, parsed
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

BAD = Impairment(loss=0.05, reorder=0.1, duplicate=0.05, corrupt=0.02)


def test_without_idle_connections_each_response_closes(make_engine: Make) -> None:
    engine = make_engine(connections=1, idle=0)
    for port in range(40_000, 40_005):
        peer = Peer(engine, port=port)
        peer.handshake()
        peer.send("PA", seq=1, ack=1, payload=get("/n33.bin"))
        answer = peer.expect("FA", ack=1 + len(get("/n33.bin")))
        response = parsed(answer.payload)
        assert (response.body, response.field("connection")) == (MADE_FILES["n33.bin"], "close")
        at, end = 1 + len(get("/n33.bin")), 2 + len(answer.payload)
        peer.send("A", seq=at, ack=end)
        for _ in range(2):  # no state is kept, and yet a repeated FIN is answered
            peer.send("FA", seq=at, ack=end)
            peer.expect("A", seq=end, ack=at + 1, length=0)
        peer.send("PA", seq=at, ack=end, payload=get("/n33.bin"))
        peer.expect("R", seq=end)
    assert engine.counters["count_requests"] == 5


def test_a_connection_without_a_request_ends_without_idle_connections(make_engine: Make) -> None:
    peer = Peer(make_engine(connections=1, idle=0))
    peer.handshake()
    peer.send("FA", seq=1, ack=1)
    peer.expect("FA", seq=1, ack=2)
    peer.send("A", seq=2, ack=2)
    peer.expect_nothing()


@pytest.mark.parametrize("settings", [{"idle": 0}, {"idle": 0, "connections": 1, "pipelining": False}])
def test_every_byte_arrives_without_idle_connections(make_engine: Make, settings: dict[str, int]) -> None:
    net = Net(make_engine(**settings), up=BAD, down=BAD, seed=3)
    for path in ("/n4000.bin", "/n57254.bin", "/n0.bin", "/n33.bin") * 3:
        assert net.get(net.host().client(), path).body == MADE_FILES[path[1:]]


@pytest.mark.parametrize("pipelining", [True, False])
def test_a_request_after_another_waits_or_comes_again(make_engine: Make, pipelining: bool) -> None:
    peer, following = Peer(make_engine(connections=1, buffer=512, pipelining=pipelining)), get("/n31.bin")
    octets = get("/n33.bin") + following
    peer.handshake()
    peer.send("PA", seq=1, ack=1, payload=octets)
    first = peer.expect("A", seq=1, ack=1 + len(octets) - (0 if pipelining else len(following)))
    end = 1 + len(first.payload)
    if pipelining:
        peer.send("A", seq=1 + len(octets), ack=end)
    else:
        peer.send("PA", seq=first.ack, ack=end, payload=following)
    second = peer.expect("A", seq=end, ack=1 + len(octets))
    assert parsed(second.payload).body == MADE_FILES["n31.bin"]


def test_without_replay_what_a_function_writes_is_kept(make_app: Make) -> None:
    plain = make_app("plain", replay=False)
    net = Net(plain, up=BAD, down=BAD, seed=2)
    client = net.host().client()
    assert net.get(client, "/uptime").body.startswith(b"0:00:0")
    assert net.get(client, "/squares").status == 500  # 22 KB do not fit the buffer
    assert net.get(net.host().client(), "/visits").body == b"1"


NUMBERS = {  # by the only type of the application: what is taken, as it is written, and what is refused
    "uint8": ({"0": 0, "255": 255, "00255": 255}, ("256", "2550", "65536", "4294967297", "-1", "-", "", "1x")),
    "bool": ({"0": 0, "1": 1, "true": 1, "false": 0}, ("2", "10", "01", "256", "-1", "", "tru")),
    "int8": ({"-128": -128, "127": 127, "-0": 0}, ("-129", "128", "255", "256", "--1", "1-", "-")),
    "uint16": ({"65535": 65535, "256": 256}, ("65536", "4294967296", "-1")),
    "int32": ({"-2147483648": -(2**31), "2147483647": 2**31 - 1}, ("2147483648", "-2147483649", "42949672970")),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_an_argument_of_the_only_type(kind: str) -> None:
    source = saying("out_int(args->n);", f'name="n" type="{kind}"', persistence="idempotent")
    takes, refuses = NUMBERS[kind]
    with opened({"say.c": source}) as engine:
        net = Net(engine)
        client = net.host().client()
        for written, number in takes.items():
            assert net.get(client, f"/say?n={written}").body == str(number).encode()
        for written in refuses:
            assert net.get(net.host().client(), f"/say?n={written}").status == 400
