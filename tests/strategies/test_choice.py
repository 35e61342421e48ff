# SPDX-License-Identifier: MIT
"""The engine chooses at run time: keep a generator's output, or run the generator again."""

import pytest

from tests.harness import Make
from tests.strategies.conftest import text
from whit.wire.http import request
from whit.wire.packet import Flags
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.http import Client
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer


def kept(engine: Engine) -> int:
    return engine.counters["count_kept"]


def test_a_generator_that_is_made_dear_switches_over(make: Make) -> None:
    """1400 octets in one segment: two runs; an RTO of 1 s allows 62 ms for all of them."""
    engine = make()
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    client = net.host().client()
    for cost_us, dear in ((0, 0), (1_000, 0), (20_000, 0), (100_000, 1), (1_000_000, 1), (500, 0)):
        before = kept(engine)
        assert net.get(client, f"/plain_idempotent?len=1300&cost_us={cost_us}").body == text(1300)
        assert kept(engine) - before == dear, cost_us


@pytest.mark.parametrize(("size", "runs"), [(1459, 1), (1460, 2), (2919, 2), (2920, 3)])
def test_how_dear_is_too_dear(make: Make, size: int, runs: int) -> None:
    """A run is needed for each segment that may begin. All runs together, in whole ms, take at most a sixteenth of the
    RTO."""
    most_ms = 1000 // 16 // runs
    for cost_us, dear in ((1000 * most_ms + 999, 0), (1000 * most_ms + 1000, 1)):
        engine = make(buffer=8000)
        net = Net(engine)
        assert net.get(net.host().client(), f"/plain_idempotent?len={size}&cost_us={cost_us}").body == text(size)
        assert kept(engine) == dear, cost_us


def test_a_protothread_that_is_made_dear_switches_over(make: Make) -> None:
    engine = make(buffer=4096)
    net = Net(engine, up=Impairment(delay_us=5 * MS, loss=0.02))
    client = net.host().client()
    for cost_us, dear in ((0, 0), (10, 0), (300, 1), (0, 0), (1000, 1)):
        before = kept(engine)
        for size in (300, 9000):
            assert net.get(client, f"/thread_idempotent?len={size}&cost_us={cost_us}").body == text(size)
        assert kept(engine) - before == 2 * dear, cost_us
    net.idle(100)
    assert engine.meter.held == (0, 0, 0)


def test_what_finds_no_room_is_said_again_however_dear(make: Make) -> None:
    engine = make(buffer=512)
    net = Net(engine)
    assert net.get(net.host().client(), "/plain_idempotent?len=5000&cost_us=1000000").body == text(5000)
    assert kept(engine) == 0


def test_the_more_segments_the_dearer(make: Make) -> None:
    engine = make(buffer=20000)
    net = Net(engine)
    client = net.host().client()
    assert net.get(client, "/plain_idempotent?len=1000&cost_us=20000").body == text(1000)
    assert kept(engine) == 0
    assert net.get(client, "/plain_idempotent?len=12000&cost_us=20000").body == text(12000)
    assert kept(engine) == 1


def test_a_volatile_one_of_several_segments_is_kept(make: Make) -> None:
    """Else it could change between two of them."""
    engine = make(buffer=8000)
    net = Net(engine)
    client = net.host().client()
    body = net.get(client, "/plain_volatile?len=5000&change=1").body
    assert body[1:-1] == text(5000) and body[:1] == body[-1:]
    assert kept(engine) == 1


@pytest.mark.parametrize("change", [0, 1, 2])
def test_a_volatile_one_beyond_the_buffer_is_refused(make: Make, change: int) -> None:
    """A part of it was sent, and then the connection was reset."""
    engine = make(buffer=512)
    net = Net(engine)
    for size in (607, 20000):
        refused = net.get(net.host().client(), f"/plain_volatile?len={size}&change={change}")
        assert (refused.status, refused.body) == (500, b"")
    whole = net.get(net.host().client(), f"/plain_volatile?len=300&change={change}")
    assert whole.status == 200 and whole.body[:1] == whole.body[-1:]
    assert engine.counters["count_changed"] == 0


@pytest.mark.parametrize("size", [200, 330])
def test_a_volatile_one_is_not_cut_where_others_keep_the_buffer(make: Make, size: int) -> None:
    engine = make(buffer=512)
    net = Net(engine, up=Impairment(delay_us=50 * MS))
    others = [net.host(f"10.0.0.{number}").client() for number in (7, 8)]
    for round in range(10):
        others[0].ask("/plain_persistent?len=150")
        client = net.host(f"10.0.1.{round + 1}").client()
        client.ask(f"/plain_volatile?len={size}&change=1")
        net.idle(0.01 * round)
        others[1].ask("/plain_persistent?len=150")
        net.idle(10)
        assert [response.status for response in client.responses] == [200]
        assert client.responses[0].body[1:-1] == text(size)
    assert engine.counters["count_changed"] == 0


def lossy(engine: Engine, seed: int, loss: float) -> tuple[Net, Client]:
    net = Net(engine, up=Impairment(delay_us=5 * MS, loss=loss), seed=seed)
    return net, net.host().client()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("change", [1, 2])
def test_a_volatile_one_that_changes_is_whole_or_reset(make: Make, seed: int, change: int) -> None:
    """Below a segment, longer than one; of another length each time."""
    engine = make(buffer=2048)
    for size in (40, 900, 1400, 1700):
        net, client = lossy(engine, seed, 0.2)
        client.ask(f"/plain_volatile?len={size}&change={change}")
        net.idle(600)
        for response in client.responses:
            body = response.body
            assert body[:1] == body[-1:], "two runs in one response"
            assert size <= len(body) - 2 < size + 8 and body[1:-1] == text(len(body) - 2)
        if not client.responses:  # the RST may be lost as well
            assert client.connection.reset or engine.counters["count_changed"]


@pytest.mark.parametrize("link", ["ethernet", "slip"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("loss", [0.02, 0.15])
def test_every_kind_arrives_through_loss(make: Make, seed: int, loss: float, link: str) -> None:
    engine = make(buffer=2048, link=link)
    runs = 0
    for size in (5, 700, 1450, 9000):
        for kind in ("plain_idempotent", "index_volatile", "thread_persistent"):
            net, client = lossy(engine, seed, loss)
            body = net.get(client, f"/{kind}?len={size}").body
            if kind == "thread_persistent":
                runs += 1
                assert body == b"%d:" % runs + text(size)
            else:
                assert body == text(size)
        net, client = lossy(engine, seed, loss)
        assert net.get(client, "/thread_own").body == text(5000)
    assert int.from_bytes(engine.persistent(4), "little") == runs
    assert engine.counters["count_changed"] == 0


def test_a_thread_without_state_serves_one_at_a_time(make: Make) -> None:
    net = Net(make(buffer=4096), up=Impairment(delay_us=5 * MS))
    clients = [net.host(f"10.0.0.{i}").client() for i in (2, 3, 4)]
    for client in clients:
        client.ask("/thread_own")
    net.run(*clients)
    assert [client.responses[0].body for client in clients] == [text(5000)] * 3


def test_a_thread_may_wait_for_something(make: Make) -> None:
    engine = make(buffer=4096)
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    waiting, other = net.host("10.0.0.2").client(), net.host("10.0.0.3").client()
    net.get(other, "/gate?open=0")
    waiting.ask("/thread_persistent?len=6000&pause=3000")
    net.idle(30)
    assert not waiting.responses
    assert net.get(other, "/index_volatile?len=3000").body == text(3000)
    net.get(other, "/gate?open=1")
    net.run(waiting, for_s=1)
    assert waiting.responses[0].body == b"1:" + text(6000)
    assert engine.counters["count_given_up"] == 0


def test_a_thread_that_waits_gives_way_after_two_seconds(make: Make) -> None:
    """A waiting thread is polled every 20 ms, and each poll counts."""
    engine = make(connections=1, buffer=4096)
    waiting, newcomer = Peer(engine), Peer(engine, port=40001)
    for peer in (waiting, newcomer):
        peer.handshake()
    octets = request("/thread_persistent?len=3000&pause=100")
    waiting.send("PA", seq=1, ack=1, payload=octets)
    waiting.receive(seq=1 + len(octets))
    waiting.expect_nothing(1900)
    newcomer.send("PA", seq=1, ack=1, payload=request("/gate?open=0"))
    newcomer.expect_nothing()
    waiting.expect_nothing(200)
    newcomer.send("PA", seq=1, ack=1, payload=request("/gate?open=0"))
    assert newcomer.next_segment().payload.startswith(b"HTTP/1.1 200")
    assert waiting.next_segment().flags & Flags.R
    assert engine.counters["count_slot_evicted"] == 1


def test_s4_goes_on_while_the_buffer_is_kept_by_others(make: Make) -> None:
    """A thread that waits holds all the room that it may; index writers, replays and files go on beside it."""
    net = Net(make(buffer=1024), up=Impairment(delay_us=5 * MS))
    waiting, other = net.host("10.0.0.2").client(), net.host("10.0.0.3").client()
    net.get(other, "/gate?open=0")
    waiting.ask("/thread_persistent?len=3000&pause=20")
    net.idle(1)
    assert net.get(other, "/index_volatile?len=3000", for_s=5).body == text(3000)
    assert net.get(other, "/plain_idempotent?len=3000", for_s=5).body == text(3000)
    assert net.get(other, "/plain_volatile?len=300", for_s=5).body == b"a" + text(300) + b"a"
    net.get(other, "/gate?open=1")
    net.run(waiting, for_s=5)
    assert waiting.responses[0].body == b"1:" + text(3000)
