# SPDX-License-Identifier: MIT
"""A client's window has no room for two full segments, and the client acknowledges every second one at once."""

import pytest

from tests.support import ask, get
from whit.model.policy import AckPolicy, Options
from whit.wire.units import MS
from whit_testbed.engine import Engine
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer


@pytest.mark.parametrize("window", [300, 600, 1000, 1460, 2000, 2919])
def test_no_segment_waits_for_a_delayed_acknowledgment(engine: Engine, window: int) -> None:
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    client = net.host().client(Options(window=window, ack=AckPolicy.DELAYED))
    begun_us = net.loop.now_us
    response = net.get(client, "/n57254.bin")
    round_trips = 3 + 2 * len(response.body) // window
    assert response.status == 200
    assert (net.loop.now_us - begun_us) / MS < 200 + 10 * round_trips, "its last segment may wait"


@pytest.mark.parametrize(("window", "length"), [(2919, 1456), (1460, 728), (1000, 496), (176, 88), (175, 175)])
def test_a_segment_is_half_of_the_window(engine: Engine, window: int, length: int) -> None:
    peer = Peer(engine)
    peer.handshake(mss=1460)
    ask(peer, get("/n57254.bin"), wnd=window)
    sizes = [len(segment.payload) for segment in peer.take_all()]
    assert max(sizes) <= length and sum(sizes) <= window
    assert len(sizes) == 2 or window < 176
