# SPDX-License-Identifier: MIT
"""Generated content: typed arguments, persistent ones that run once, answers of 500 and 503."""

import pytest

from tests.harness import Make, ask
from tests.support import exchange, parsed
from whit.wire.http import request
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer

TYPED = "/typed?octet={octet}&number={number}&text={text}"


def say(engine: Engine, query: str) -> tuple[int, str]:
    response = ask(engine, request("/typed?" + query))
    return response.status, response.body.decode("latin-1") if response.status == 200 else ""


REST = " 0 0 0 0 0"


def test_arguments_reach_the_handler(engine: Engine) -> None:
    assert say(engine, "octet=7&number=-12&text=abc") == (200, "7 -12 [abc]" + REST)
    assert say(engine, "text=&number=0&octet=0") == (200, "0 0 []" + REST)
    assert say(engine, "text=a+b%20c%26%3d%2B&octet=007&number=-0") == (200, "7 0 [a b c&=+]" + REST)
    assert say(engine, "%6fctet=1&num%62er=2&text=%41") == (200, "1 2 [A]" + REST)
    assert say(engine, "text=12345678901&octet=1&number=1&more=x&=&&y") == (200, "1 1 [12345678901]" + REST)
    full = "octet=255&number=32767&text=x&wide=4294967295&tiny=-128&deep=-2147483648&half=65535&flag=1"
    assert say(engine, full) == (200, "255 32767 [x] 4294967295 -128 -2147483648 65535 1")
    assert say(engine, full.replace("-128", "127").replace("-2147483648", "2147483647")) == (
        200,
        "255 32767 [x] 4294967295 127 2147483647 65535 1",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("octet", "256"),
        ("octet", "-1"),
        ("octet", "+1"),
        ("octet", ""),
        ("octet", "1x"),
        ("octet", "0x1"),
        ("octet", " 1"),
        ("octet", "4294967296"),
        ("octet", "4294967297"),
        ("octet", "99999999999999999999"),
        ("octet", "%00"),
        ("octet", "1%20"),
        ("number", "32768"),
        ("number", "-32769"),
        ("number", "-"),
        ("number", "--1"),
        ("number", "1-"),
        ("number", "65536"),
        ("text", "123456789012"),
        ("text", "x" * 300),
        ("text", "a%00b"),
        ("wide", "4294967296"),
        ("wide", "-1"),
        ("tiny", "128"),
        ("tiny", "-129"),
        ("deep", "2147483648"),
        ("deep", "-2147483649"),
        ("half", "65536"),
        ("flag", "2"),
        ("flag", "TRUE"),
        ("flag", ""),
    ],
)
def test_values_out_of_range_are_refused(engine: Engine, name: str, value: str) -> None:
    arguments = {"octet": "1", "number": "1", "text": "x"} | {name: value}
    assert say(engine, "&".join(f"{key}={each}" for key, each in arguments.items()))[0] == 400


@pytest.mark.parametrize(
    "query",
    [
        "",
        "octet=1&number=1",
        "octet=1&number=1&text=a&octet=1",
        "octet=1&number=1&text=a&text=b",
        "octet&number=1&text=a",
        "octets=1&number=1&text=a",
        "octe=1&number=1&text=a",
        "octet=1;number=1;text=a",
        "OCTET=1&number=1&text=a",
    ],
)
def test_missing_and_repeated_arguments_are_refused(engine: Engine, query: str) -> None:
    assert say(engine, query)[0] == 400


def test_missing_query(engine: Engine) -> None:
    assert ask(engine, request("/typed")).status == 400
    assert ask(engine, request("/lines?cnt=2")).body == b"line 1000000000\nline 1000000001\n"


def test_query_of_what_takes_none_is_ignored(engine: Engine) -> None:
    for target in ("/n1.bin?x=1", "/n1.bin?", "/n1.bin??&=[]'\"\\", "/n1.bin?octet=9999"):
        assert ask(engine, request(target)).status == 200, target
    assert ask(engine, request("/clock?x")).status == 200


def test_refused_argument_does_not_run_the_handler(engine: Engine) -> None:
    ask(engine, request("/count?x#y"))
    assert engine.persistent_writes == 0


@pytest.mark.parametrize("seed", range(6))
def test_persistent_runs_once_a_request(make_engine: Make, seed: int) -> None:
    engine = make_engine()
    harm = Impairment(delay_us=10 * MS, loss=0.25, duplicate=0.3, reorder=0.3)
    net = Net(engine, up=harm, seed=seed)
    client = net.host().client()
    for run in range(1, 11):
        assert net.get(client, "/count").body == b"run %d" % run
    assert engine.persistent_writes == 10


def test_persistent_memory_survives_a_reset(make_engine: Make) -> None:
    engine = make_engine()
    assert ask(engine, request("/count")).body == b"run 1"
    engine.reset()
    assert ask(engine, request("/count")).body == b"run 2"
    other = make_engine(persistent=engine.persistent(64))
    assert ask(other, request("/count")).body == b"run 3"


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_medium_that_fails(make_engine: Make, failing: int) -> None:
    engine = make_engine()
    engine.persistent_fail_after(failing)
    for run in range(failing + 2):
        response = ask(engine, request("/count"))
        assert response.status == (200 if run < failing else 500), run
        assert b"run" not in response.body or run < failing


def test_handler_that_cannot_answer(engine: Engine) -> None:
    client = exchange(engine, request("/refuse") + request("/n1.bin"), "GET", "GET")
    assert [response.status for response in client.responses] == [500, 200]
    assert b"nobody" not in client.responses[0].body


@pytest.mark.parametrize("cnt", [0, 1, 30, 31, 32, 33, 100, 600])
@pytest.mark.parametrize("mss", [88, 536, 1460])
def test_idempotent_content_longer_than_the_buffer(engine: Engine, cnt: int, mss: int) -> None:
    from whit.model.policy import Options

    client = exchange(engine, request(f"/lines?cnt={cnt}"), options=Options(mss=mss))
    assert client.responses[0].body == b"".join(b"line %d\n" % (1000000000 + i) for i in range(cnt))


def test_volatile_content_is_coherent(make_engine: Make) -> None:
    harm = Impairment(delay_us=10 * MS, loss=0.3, duplicate=0.2, reorder=0.2)
    for seed in range(6):
        net = Net(make_engine(), up=harm, seed=seed)
        client = net.host().client()
        for _ in range(5):
            response = net.get(client, "/clock")
            assert response.status == 200
            assert response.body.startswith(b"now 1")
            assert len(response.body) == 10


def test_generators_of_several_connections_share_the_buffer(make_engine: Make) -> None:
    net = Net(make_engine(connections=4, buffer=96), up=Impairment(delay_us=20 * MS))
    clients: list[Client] = [net.host(f"10.0.0.{i}").client() for i in range(2, 8)]
    for turn in range(5):
        for i, client in enumerate(clients):
            client.ask(f"/typed?octet={i}&number={turn}&text=abcdefghijk" if i % 2 else "/count")
        net.run(*clients)
    for i, client in enumerate(clients):
        assert len(client.responses) == 5
        for turn, response in enumerate(client.responses):
            assert response.status == 200
            if i % 2:
                assert response.body.decode() == f"{i} {turn} [abcdefghijk]{REST}"
    counts = sorted(int(r.body.split()[1]) for i, c in enumerate(clients) if i % 2 == 0 for r in c.responses)
    assert counts == list(range(1, 16))


@pytest.mark.parametrize("buffer", range(72, 108, 4))
def test_arguments_wait_beside_others_whatever_is_left(make_engine: Make, buffer: int) -> None:
    """92 octets fit the rest of the buffer; with fewer the client retransmits. Each request keeps its own arguments."""
    engine = make_engine(buffer=buffer)
    first, second = Peer(engine), Peer(engine, port=40001)
    octets = [request(TYPED.format(octet=number, number=number, text="abc")) for number in (1, 2)]
    for peer in (first, second):
        peer.handshake()
    first.send("PA", seq=1, ack=1, payload=octets[0])
    answer = first.next_segment()
    assert parsed(answer.payload).body.decode() == "1 1 [abc]" + REST
    second.send("PA", seq=1, ack=1, payload=octets[1])
    first.send("A", seq=1 + len(octets[0]), ack=1 + len(answer.payload))
    second.wait(100)
    seen = second.take_all()
    if not any(segment.payload for segment in seen):
        second.send("PA", seq=1, ack=1, payload=octets[1])
        seen = second.take_all()
    assert parsed(b"".join(segment.payload for segment in seen)).body.decode() == "2 2 [abc]" + REST
