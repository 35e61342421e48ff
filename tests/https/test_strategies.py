# SPDX-License-Identifier: MIT
"""Each kind of generator under TLS, on lines that lose frames: no number of a key seals two texts."""

from pathlib import Path

import pytest

from tests.https.secured import Secured, started
from tests.strategies.conftest import text
from whit.model.policy import Options
from whit.paths import ROOT
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net

APPLICATION: Path = ROOT / "tests" / "apps" / "strategies"
TARGETS = {
    "/plain_persistent?len=800": 800,
    "/plain_idempotent?len=20000": 20000,
    "/plain_volatile?len=800": 800,
    "/thread_persistent?len=20000": 20000,
    "/thread_idempotent?len=9000": 9000,
    "/index_volatile?len=9000": 9000,
}


@pytest.mark.parametrize("mss", [200, 1460])
@pytest.mark.parametrize("loss", [0.0, 0.1])
def test_each_kind(mss: int, loss: float) -> None:
    with started(APPLICATION) as engine:
        net = Net(engine, up=Impairment(delay_us=2 * MS, loss=loss, duplicate=loss / 2, reorder=loss / 2), seed=mss)
        client = Secured(net, options=Options(mss=mss))
        for target, length in TARGETS.items():
            body = client.get(target).body  # some put a count or a letter around it
            assert text(length - 7) in body and len(body) <= length + 4, target
        _, repeated, broken = engine.nonces
        assert broken == 0 and (repeated > 0 or not loss)  # without loss, only records that share a segment


@pytest.mark.parametrize("seed", range(2))
def test_all_kinds_come_whole_where_one_frame_of_ten_is_lost(seed: int) -> None:
    """Each way, on connections of three requests; those of before are left open."""
    bad = Impairment(delay_us=10 * MS, loss=0.1)
    with started(APPLICATION) as engine:
        net = Net(engine, up=bad, down=bad, seed=seed)
        for number, (target, length) in enumerate(list(TARGETS.items()) * 4):
            if number % 3 == 0:
                client = Secured(net, f"10.0.0.{2 + number}")
            assert text(length - 7) in client.get(target).body, (number, target)
        _, repeated, broken = engine.nonces
        assert repeated > 0 and broken == 0
