# SPDX-License-Identifier: MIT
"""The order of handlers that wait for another's connection, and of segments that wait for the driver."""

import pytest

from tests.harness import engine_of, opened
from tests.support import ask, get
from whit.paths import ROOT
from whit.wire.packet import Ethernet
from whit_testbed.engine import Engine
from whit_testbed.trace import Peer

from .origins import APP, Asking, Origin

# The fast kind counts waiting handlers and segments.
engine = engine_of(
    ROOT / "tests" / "apps" / "queue", variants={"octets": {"heads": "octets"}, "code": {"heads": "code"}}
)


def said_by(asking: Asking, within: int = 0) -> bytes:
    """Returns the text, or "" before the first output: the head comes with it."""
    asking.peer.wait(within)
    asking.got += asking.peer.receive(seq=1 + len(asking.octets), at=1 + len(asking.got))
    return asking.body() if asking.got else b""


def give(engine: Engine, port: int) -> None:
    assert Asking(engine, "/give", port=port).body() == b"given"


def test_the_one_that_comes_next_is_asked(engine: Engine) -> None:
    """Each call wakes one waiting handler, at once and in turn."""
    waiting = [Asking(engine, "/turn", port=40000 + i) for i in range(3)]
    for number in range(3):
        assert [said_by(one) for one in waiting] == [b""] * len(waiting)
        give(engine, 41000 + number)
        said = [said_by(one, 4) for one in waiting]
        assert sorted(said) == [b""] * (len(waiting) - 1) + [b"mine"]
        waiting = [one for one, what in zip(waiting, said, strict=True) if not what]


def test_who_goes_away_leaves_the_queue(engine: Engine) -> None:
    """The call is for the next one."""
    first, second = Asking(engine, "/turn"), Asking(engine, "/turn", port=40001)
    assert (said_by(first), said_by(second)) == (b"", b"")
    first.peer.send("R", seq=1 + len(first.octets))
    give(engine, 41000)
    assert said_by(second, 4) == b"mine"


def test_what_was_lent_goes_back_when_the_request_is_over() -> None:
    """The next waiting request gets the same connection at once, whatever happened to the last request."""
    with opened(APP) as engine:
        origin = Origin(engine)
        asking = [Asking(engine, "/borrow", port=40000 + i) for i in range(3)]
        origin.accept()
        origin.expect("A", seq=1, ack=1)
        for number, one in enumerate(asking, 1):
            assert [said_by(other) for other in asking[number:]] == [b""] * (3 - number)
            assert said_by(one, 8).endswith(b"%d" % number)
            one.peer.send("R", seq=1 + len(one.octets))
        origin.expect_nothing(1000)


def test_segments_to_hosts_and_to_visitors_take_turns() -> None:
    """Segments to hosts and to visitors alternate after the driver was busy."""
    with opened(APP) as engine:
        origin, visitors = Origin(engine), [Peer(engine, port=41000 + number) for number in range(3)]
        Asking(engine, "/fetch?len=1600")
        origin.expect_syn()
        for visitor in visitors:
            visitor.handshake()
        engine.limit(0)
        origin.send("SA", ack=1, mss=400)
        for visitor in visitors:
            ask(visitor, get("/nothing"))
        engine.sent()
        engine.limit(256)
        engine.pump()
        ports = [int.from_bytes(Ethernet.parse(frame).payload[20:22], "big") for _, frame in engine.sent()]
        assert len(ports) == 7
        assert {first == 80 for first in ports[:6:2]} != {first == 80 for first in ports[1:6:2]}, ports


@pytest.mark.parametrize("octets", [b"a", b"ab", b""])
def test_no_time_passes_for_a_host_that_nobody_waits_for(octets: bytes) -> None:
    """The host's timeout does not run while the handler asks for no more data."""
    with opened(APP) as engine:
        origin, asking = Origin(engine), Asking(engine, "/pause")
        origin.accept()
        if octets:
            origin.send("PA", seq=1, ack=1, payload=octets)
        said = said_by(asking, 2600)
        assert said == (b"open" if octets else b"over")


def test_no_time_passes_after_a_hosts_fin() -> None:
    """All of the host's octets have arrived: no handler waits for it."""
    with opened(APP) as engine:
        origin, asking = Origin(engine), Asking(engine, "/pause")
        origin.accept()
        origin.send("PA", seq=1, ack=1, payload=b"a")
        assert said_by(asking, 100) == b""
        origin.send("FA", seq=2, ack=1)
        assert said_by(asking, 1500) == b""
        assert engine.counters["count_given_up"] == 0
        assert said_by(asking, 1000) == b"over"
