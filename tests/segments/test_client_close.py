# SPDX-License-Identifier: MIT
"""The end of a connection that the engine opened: FINs, resets in each state, time, and requesters that go away."""

import pytest

from tests.harness import opened
from whit.wire.packet import flags_of
from whit_testbed.engine import Engine

from .origins import APP, Asking, Origin
from .test_client_data import engine, open_to

__all__ = ["engine"]  # a fixture


def flags(origin: Origin) -> list[str]:
    return [str(segment).split()[0] for segment in origin.take_all()]


def is_free(engine: Engine, cnt: int = 2, port: int = 45000) -> bool:
    """True if `cnt` connections are free: a request takes each, and a refusal frees it."""
    origins = [Origin(engine, port=port + i) for i in range(cnt)]
    asking = [Asking(engine, f"/fetch?port={port + i}", port=port + i) for i in range(cnt)]
    opened = [origin for origin in origins if origin.queue]
    for origin in opened:
        origin.expect_syn()
        origin.send("RA", ack=1)
    for one in asking:
        one.body()
    return len(opened) == cnt


def test_the_peer_closes_first(engine: Engine) -> None:
    """CLOSE-WAIT, LAST-ACK, CLOSED: nothing is remembered, a late segment gets a RST."""
    origin, asking = open_to(engine)
    origin.send("FPA", seq=1, ack=6, payload=b"all")
    assert asking.body() == b"all|ended"
    assert flags(origin)[-1] == "FA"
    origin.send("FPA", seq=1, ack=6, payload=b"all")  # again: our acknowledgment was lost
    assert {(segment.seq, segment.ack) for segment in origin.take_all()} == {(7, 5)}
    origin.send("A", seq=5, ack=7)
    origin.expect_nothing(10_000)
    origin.send("A", seq=5, ack=7)
    origin.expect("R", seq=7)


def test_our_fin_is_lost(engine: Engine) -> None:
    origin, asking = open_to(engine)
    origin.send("FA", seq=1, ack=6)
    asking.body()
    assert flags(origin)[-1] == "FA"
    origin.expect("FA", seq=6, ack=2, within=300)
    origin.expect("FA", seq=6, ack=2, within=500)
    origin.send("A", seq=2, ack=7)
    origin.expect_nothing(10_000)


def test_our_fin_is_never_acknowledged(engine: Engine) -> None:
    origin, asking = open_to(engine, "/fetch?timeout=2000")
    origin.send("A", seq=1, ack=6)
    origin.send("FA", seq=1, ack=6)
    asking.body()
    origin.wait(2500)
    assert flags(origin)[-1] == "RA"
    origin.expect_nothing(20_000)


def closing(engine: Engine, timeout: int = 5000) -> tuple[Origin, Asking]:
    """We close first: the page reads one octet and closes."""
    origin, asking = Origin(engine), Asking(engine, f"/first?timeout={timeout}")
    origin.accept()
    origin.expect("PA", seq=1, ack=1, payload=b"?")
    origin.send("PA", seq=1, ack=2, payload=b"!")
    origin.expect("FA", seq=2, ack=2)
    assert asking.body() == b"!"
    return origin, asking


def test_we_close_first_and_wait(engine: Engine) -> None:
    """FIN-WAIT-1, FIN-WAIT-2, TIME-WAIT: a repeated FIN is acknowledged again, for eight seconds."""
    origin, _ = closing(engine)
    origin.send("A", seq=2, ack=3)
    origin.send("FA", seq=2, ack=3)
    origin.expect("A", seq=3, ack=3)
    origin.wait(7000)
    origin.send("FA", seq=2, ack=3)
    origin.expect("A", seq=3, ack=3)
    origin.wait(1200)
    origin.send("FA", seq=2, ack=3)
    assert flags(origin) == ["R"]


def test_both_close_at_once(engine: Engine) -> None:
    """FIN-WAIT-1, CLOSING, TIME-WAIT."""
    origin, _ = closing(engine)
    origin.send("FA", seq=2, ack=2)
    origin.expect("A", seq=3, ack=3)
    origin.send("A", seq=3, ack=3)
    origin.expect_nothing()
    origin.send("FA", seq=2, ack=2)
    origin.expect("A", seq=3, ack=3)


def test_the_peer_never_closes(engine: Engine) -> None:
    origin, _ = closing(engine, timeout=3000)
    origin.send("A", seq=2, ack=3)
    origin.wait(2900)
    origin.expect_nothing()
    origin.wait(200)
    assert flags(origin) == ["RA"]
    assert is_free(engine)


@pytest.mark.parametrize("acked", [False, True])
def test_data_after_our_close_get_a_rst(engine: Engine, acked: bool) -> None:
    """No handler reads them (RFC 1122 section 4.2.2.13)."""
    origin, _ = closing(engine)
    if acked:
        origin.send("A", seq=2, ack=3)
    origin.send("PA", seq=2, ack=3 if acked else 2, payload=b"more")
    assert "R" in flags(origin)[-1]
    assert is_free(engine)


def test_octets_that_nobody_read_make_it_a_rst(engine: Engine) -> None:
    origin = Origin(engine)
    asking = Asking(engine, "/first")
    origin.accept()
    origin.expect("PA", seq=1, ack=1, payload=b"?")
    origin.send("PA", seq=1, ack=2, payload=b"!and more")
    assert asking.body() == b"!"
    assert "R" in flags(origin)[-1]
    assert is_free(engine)


def test_a_place_that_only_waits_is_taken() -> None:
    """A connection in TIME-WAIT or FIN-WAIT makes room for the next one; the peer's later segments get a RST."""
    with opened(APP, client__connections=1) as engine:
        first, _ = closing(engine)
        first.send("A", seq=2, ack=3)
        second = Origin(engine, port=7001)
        Asking(engine, "/fetch?port=7001", port=40001)
        second.accept()
        first.send("FA", seq=2, ack=3)
        assert flags(first) == ["R"]


@pytest.mark.parametrize("state", ["established", "close wait"])
def test_a_reset(engine: Engine, state: str) -> None:
    origin, asking = open_to(engine, "/stay")
    if state == "close wait":
        origin.send("FA", seq=1, ack=6)
    seq = 1 if state == "established" else 2
    origin.take_all()
    for wrong in (seq + 1, seq + 1000, seq + 2047):  # RFC 5961 section 3.2: a challenge, once each 64 ms
        origin.send("R", seq=wrong)
    for wrong in (seq - 1, seq + 5000, seq + 2**31):
        origin.send("R", seq=wrong % 2**32)
    assert [(segment.seq, segment.ack) for segment in origin.take_all()] == [(6, seq)]
    assert b"failed" not in asking.body()
    origin.send("R", seq=seq)
    origin.expect_nothing(5000)
    assert asking.body().endswith(b"|failed")


@pytest.mark.parametrize("state", ["fin wait 1", "fin wait 2", "closing", "time wait", "last ack"])
def test_a_reset_while_it_closes(engine: Engine, state: str) -> None:
    if state == "last ack":
        origin, asking = open_to(engine)
        origin.send("FA", seq=1, ack=6)
        asking.body()
        origin.take_all()
        origin.send("R", seq=2)
    else:
        origin, _ = closing(engine)
        if state != "fin wait 1":
            origin.send("FA" if state == "closing" else "A", seq=2, ack=2 if state == "closing" else 3)
        if state == "time wait":
            origin.send("FA", seq=2, ack=3)
        origin.take_all()
        origin.send("R", seq=3 if state in ("closing", "time wait") else 2)
    origin.expect_nothing(20_000)
    assert is_free(engine)


def test_the_requester_resets(engine: Engine) -> None:
    """A reset by the requester also resets the connection that its request opened, and nothing leaks."""
    for port in range(40100, 40110):
        origin = Origin(engine, port=port)
        asking = Asking(engine, f"/fetch?port={port}", port=port)
        origin.accept()
        origin.expect("PA", payload=b"aaaab")
        asking.peer.send("R", seq=1 + len(asking.octets))
        assert flags(origin) == ["RA"]
    assert is_free(engine)


def test_the_requester_resets_while_it_opens(engine: Engine) -> None:
    for port in range(40100, 40110):
        origin = Origin(engine, port=port)
        asking = Asking(engine, f"/fetch?port={port}", port=port)
        origin.expect_syn()
        asking.peer.send("R", seq=1 + len(asking.octets))
        origin.send("SA", ack=1, mss=1460)
        origin.expect("R", seq=1)
    assert is_free(engine)


def test_a_response_that_ends_takes_its_connection_along(engine: Engine) -> None:
    origin, asking = open_to(engine, "/fetch?close=0")
    origin.send("FPA", seq=1, ack=6, payload=b"all")
    assert asking.body() == b"all|ended"
    assert flags(origin)[-1] == "RA"
    assert is_free(engine)


def test_a_kept_connection_outlives_its_request(engine: Engine) -> None:
    origin, asking = open_to(engine, "/stay?keep=1")
    origin.send("PA", seq=1, ack=6, payload=b"x")
    asking.peer.send("R", seq=1 + len(asking.octets))
    assert "R" not in "".join(flags(origin))
    origin.wait(30_000)  # idle: no handler asks for octets
    origin.expect_nothing()
    origin.send("A", seq=1, ack=6)  # a keep-alive probe
    assert flags_of("A") == origin.expect("A", seq=6, ack=2).flags & ~flags_of("P")
