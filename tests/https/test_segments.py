# SPDX-License-Identifier: MIT
"""A device's records are shorter than segments: a segment holds the rest of one, then whole ones."""

from pathlib import Path

from tests.https.early import Early
from tests.https.secured import Secured, started
from tests.support import MADE_FILES, get
from whit.model.policy import Options
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net

BODY = MADE_FILES["n4000.bin"]
WINDOWS = range(300, 2400, 61)


def test_three_records_make_a_segment(application: Path) -> None:
    with started(application) as engine:
        client = Secured(Net(engine))
        client.get("/n33.bin")
        before = engine.counters["count_frames_out"]
        assert client.get("/n4000.bin").body == BODY
        assert engine.counters["count_frames_out"] - before == 3
        _, again, broken = engine.nonces
        assert again > 0 and broken == 0  # to be added up, and to be put


def test_any_window(application: Path) -> None:
    with started(application) as engine:
        net = Net(engine, up=Impairment(delay_us=2 * MS))
        for window in WINDOWS:
            client = Secured(net, f"10.0.1.{window % 251 + 2}", Options(window=window))
            assert client.get("/n4000.bin").body == BODY, window
            client.connection.abort()
            net.idle(0.1)
        assert engine.nonces[2] == 0


def test_any_window_to_early_data(application: Path) -> None:
    """The records of the flight before those of the response are shorter."""
    with started(application, https__early_data="idempotent") as engine:
        net = Net(engine, up=Impairment(delay_us=2 * MS))
        ticket = Early(net).ticket()
        for window in WINDOWS:
            address = f"10.0.1.{window % 251 + 2}"
            client = Early(net, get("/n4000.bin"), ticket, address=address, options=Options(window=window))
            (response,) = client.wait()
            assert client.tls.accepted and response.body == BODY, window
            ticket = client.ticket()
            client.connection.abort()
            net.idle(2)  # how many hellos are remembered is bounded
        assert engine.nonces[2] == 0
