# SPDX-License-Identifier: MIT
"""Connections that the engine opens, over bad lines: each octet arrives once and in order, and both ends close."""

import random

import pytest

from tests.harness import opened
from tests.property.origin_model import Line, Model
from tests.segments.origins import APP, Asking, Origin

LINES = {
    "good": Line(),
    "5 % lost": Line(loss=0.05),
    "20 % lost": Line(loss=0.2),
    "repeated and out of order": Line(repeated=0.2, delay_ms=(1, 40)),
    "all of it": Line(loss=0.1, repeated=0.1, corrupt=0.1, delay_ms=(1, 60)),
}
FOR_MS = 1_200_000


@pytest.mark.parametrize("keeps_frames", [False, True])
@pytest.mark.parametrize("run", range(3))
@pytest.mark.parametrize("name", LINES)
def test_each_octet_once(name: str, run: int, keeps_frames: bool, seed: int) -> None:
    draw = random.Random(f"{seed} {name} {run}")
    content = draw.randbytes(draw.choice((0, 1, 700, 5000, 20_000)))
    length = draw.choice((1, 5, 600, 5000))
    with opened(APP, client__connections=1) as engine:
        engine.keeps_frames = keeps_frames
        origin = Origin(engine)
        asking = Asking(engine, f"/fetch?timeout=65000&len={length}")
        model = Model(origin, LINES[name], content, b"b", draw)
        end = engine.now_ms + FOR_MS
        while not (asking.body().endswith(b"|ended") and model.finished):
            assert engine.now_ms < end, f"{len(model.got)} of {length} octets out, {model.una} of {len(content)} in"
            assert not model.reset_came
            model.step()
        assert bytes(model.got) == b"a" * (length - 1) + b"b"
        assert asking.body() == content + b"|ended"
        for _ in range(2000):  # its last FIN is acknowledged: retransmission ends
            model.step()
        sent = engine.counters["count_frames_out"]
        origin.wait(100_000)
        assert engine.counters["count_frames_out"] == sent
