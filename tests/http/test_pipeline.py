# SPDX-License-Identifier: MIT
"""Requests that are sent without waiting for responses, to an engine whose driver keeps frames.

What finds no room is offered again with the acknowledgment number that it had: older than what has been acknowledged
meanwhile, by the segments that made the room. The client never has to repeat it.
"""

import os

import pytest
from whit.sim.link import MS
from whit.sim.net import Net
from whit.sim.policy import Options

from tests.http.test_methods import Make
from tests.support import MADE_FILES, get

pytestmark = pytest.mark.skipif(os.environ.get("WHIT_TARGET", "inprocess") != "inprocess", reason="has no driver")

DEPTH = 30
RTO = 200 * MS  # of Linux
NAMES = ("n33.bin", "n752.bin", "n1.bin", "n4000.bin")


@pytest.mark.parametrize("connections", [1, 2, 3, 4])
@pytest.mark.parametrize("buffer", [64, 512])
@pytest.mark.parametrize("segment", [1460, 536, 97])
def test_pipelined_requests_are_answered_before_the_client_repeats_them(
    make_engine: Make, connections: int, buffer: int, segment: int
) -> None:
    """buffer 64: no input is kept, so that the connection has become a tag when the frame is offered again."""
    engine = make_engine(connections=connections, buffer=buffer)
    engine.keeps_frames = True
    net = Net(engine)
    cnt = 1 if connections == 1 and segment < 1460 else 2  # that the driver keeps all of
    clients = [net.host(f"10.0.0.{2 + i}").client(Options(rto_min=RTO, segment=segment)) for i in range(cnt)]
    begun_us = net.loop.now_us
    for client in clients:
        client.send(b"".join(get("/" + NAMES[i % 4]) for i in range(DEPTH)), *["GET"] * DEPTH)
    net.run(*clients, for_s=120)
    for client in clients:
        bodies = [response.body for response in client.responses]
        assert bodies == [MADE_FILES[NAMES[i % 4]] for i in range(DEPTH)]
    assert net.loop.now_us - begun_us < RTO
