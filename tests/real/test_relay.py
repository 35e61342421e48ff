# SPDX-License-Identifier: MIT
"""The relay between the kernel's TCP and a server: the delay, the rate and the loss that were asked for."""

import shutil

import pytest

from whit.image.build import build
from whit.wire.units import MS
from whit_lab.experiments.kernel.runs import Client, wire
from whit_lab.instruments.served import BIG, content, files_application
from whit_lab.real import namespace, placed
from whit_lab.real.fetch import fetch
from whit_testbed.link import Impairment, Link, Loop

WHY_NOT = namespace.why_not() or ("" if shutil.which("curl") else "curl is not installed")
needs_namespace = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
pytestmark = pytest.mark.xdist_group("lab")


@pytest.mark.root
@needs_namespace
def test_delay_rate_and_mss() -> None:
    """The handshake takes at least a round trip, the file the time of its octets; the machine adds the rest of it."""
    rate, rtt_ms = 100_000, 80
    image = build(files_application(), target="inprocess", link="slip").image
    with placed.engine(image, wire(rate, rtt_ms), Client(mss=400).route) as at:
        (one,) = fetch(at.relay, at.client, [f"/{BIG}.bin"])
        sizes = [len(segment.payload) for _, segment in at.relay.seen.segments(up=False)]
    assert one.body == content(BIG)
    assert rtt_ms / 1000 <= one.connected_s
    assert BIG / rate < one.total_s
    assert 300 < max(sizes) <= 415  # whole chunks, and the head's last octets


@pytest.mark.root
@needs_namespace
def test_loss_is_counted_and_repaired() -> None:
    image = build(files_application(), target="inprocess", link="slip").image
    with placed.engine(image, wire(200_000, 5, loss=0.05)) as at:
        (one,) = fetch(at.relay, at.client, [f"/{BIG}.bin"])
        assert at.relay.up is not None and at.relay.down is not None
        lost = at.relay.up.lost_cnt + at.relay.down.lost_cnt
        arrived = len(at.relay.seen.segments(up=False))
        assert arrived <= at.relay.down.frame_cnt - at.relay.down.lost_cnt
    assert one.body == content(BIG)
    assert lost > 0


def test_queue_that_is_full_loses() -> None:
    """A full queue drops the fourth frame: one is on the line, and two wait. Time is virtual."""
    loop = Loop()
    got: list[bytes] = []
    link = Link(loop, lambda frame, begun_us: got.append(frame), Impairment(rate=1000, queue=300))
    for number in range(4):
        link.send(bytes([number]) * 100)
    loop.run(for_us=1000 * MS)
    assert [frame[0] for frame in got] == [0, 1, 2]
    assert link.lost_cnt == 1
