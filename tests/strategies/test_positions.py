# SPDX-License-Identifier: MIT
"""Positions of 16 bits: content generated from its beginning for each segment ends there. Files have more bits where
one is longer, and streams have no end. Test builds overflow as an AVR does."""

import pytest

from tests.harness import Make, opened, written
from tests.strategies.conftest import text, words
from tests.support import built, noise
from whit.compiler.positions import SHORT_MAX
from whit.model.policy import Options
from whit.wire.http import request
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net
from whit_testbed.trace import Peer


@pytest.mark.parametrize("size", [1500, 32767, 32768, SHORT_MAX])
@pytest.mark.parametrize("mss", [88, 1460])
def test_a_content_of_sixteen_bits(make: Make, size: int, mss: int) -> None:
    net = Net(make(content_max=SHORT_MAX), up=Impairment(delay_us=5 * MS))
    for version in ("1.1", "1.0"):
        client = net.host().client(Options(mss=mss))
        assert net.get(client, f"/plain_idempotent?len={size}", version=version).body == text(size)


@pytest.mark.parametrize("size", [SHORT_MAX + 1, 65535, 65536, 65537, 65636, 131072, 131172, 196607])
def test_a_longer_one_is_refused(make: Make, size: int) -> None:
    net = Net(make(content_max=SHORT_MAX))
    client = net.host().client()
    assert net.get(client, f"/plain_idempotent?len={size}").status == 500
    assert net.get(net.host().client(), "/plain_idempotent?len=3").body == text(3)


@pytest.mark.parametrize("size", [65535, 65536, 200000])
def test_a_long_one_where_positions_have_more_bits(make: Make, size: int) -> None:
    net = Net(make(content_max=SHORT_MAX + 1 if size < 200000 else 200000))
    response = net.get(net.host().client(), f"/plain_idempotent?len={size}")
    assert (response.status, response.body) == ((200, text(size)) if size == 200000 else (500, response.body))


@pytest.mark.parametrize("loss", [0, 0.03])
@pytest.mark.parametrize(
    ("target", "content"),
    [
        ("/index_volatile?len=200000", text(200000)),
        ("/thread_volatile?cnt=20000", words(20000)),
        ("/thread_persistent?len=200000", b"1:" + text(200000)),
    ],
    ids=["index", "thread", "kept"],
)
def test_a_stream_has_no_end(make: Make, target: str, content: bytes, loss: float) -> None:
    net = Net(make(content_max=SHORT_MAX), up=Impairment(delay_us=5 * MS, loss=loss), seed=1)
    assert net.get(net.host().client(), target).body == content


@pytest.mark.parametrize(("size", "bits"), [(SHORT_MAX, 16), (SHORT_MAX + 1, 24), (65535, 24), (65536, 24)])
def test_a_file_decides(size: int, bits: int) -> None:
    app = written({"index.html": "x", "noise.bin": noise(size)})
    assert built(app).application.limits.position_bits == bits
    with opened(app) as engine:
        net = Net(engine, up=Impairment(delay_us=5 * MS))
        for version in ("1.1", "1.0"):
            assert net.get(net.host().client(), "/noise.bin", version=version).body == noise(size)


@pytest.mark.parametrize("buffer", [300, 400, 512, 700, 1024, 2048, 4096])
@pytest.mark.parametrize("mss", [88, 536, 1460])
def test_how_many_rerun_points_there_are(make: Make, buffer: int, mss: int) -> None:
    """The room beside a chunk holds 2 to 17 points. The chunk is a segment, or half of the room."""
    engine = make(buffer=buffer)
    peer = Peer(engine)
    peer.handshake(mss=mss)
    peer.send("PA", seq=1, ack=1, payload=request("/index_volatile?len=60000"))
    point_len = engine.point_len + 4  # with its index
    room = buffer - 8 - 4 - 8 - 34  # arguments, the head of the next block, struct rerun, two small chunks
    points = (room - min(mss + point_len, room // 2)) // (point_len + 2)
    run_len = 8 + min(max(points, 2), 17) * (point_len + 2)
    assert engine.meter.held[1] == 4 + (run_len + 3) // 4 * 4
