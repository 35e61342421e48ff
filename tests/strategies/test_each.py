# SPDX-License-Identifier: MIT
"""Each way of writing, alone: the right octets, the right framing, whatever their number."""

import pytest

from tests.harness import Make
from tests.strategies.conftest import text, words
from whit.model.policy import Options
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net

BUFFER = 2048  # app.toml
SIZES = (0, 1, 50, 900, 1100, 1400, 1450, 3000, 20000)


def framing(response: object) -> str:
    field = response.field  # type: ignore[attr-defined]
    return "chunked" if field("transfer-encoding") else "length" if field("content-length") else "close"


@pytest.mark.parametrize("version", ["1.1", "1.0"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["plain_idempotent", "index_volatile", "plain_volatile"])
def test_index_and_plain(make: Make, kind: str, size: int, version: str) -> None:
    net = Net(make(), up=Impairment(delay_us=5 * MS))
    response = net.get(net.host().client(), f"/{kind}?len={size}", version=version)
    expected = text(size) if kind != "plain_volatile" else b"a" + text(size) + b"a"
    if kind == "plain_volatile" and size >= BUFFER:
        assert response.status == 500  # all of it must be kept
        return
    assert (response.status, response.body) == (200, expected)
    if kind.startswith("plain") or size < 900:
        assert framing(response) == "length"
    elif size >= 1400:
        assert framing(response) == ("chunked" if version == "1.1" else "close")


@pytest.mark.parametrize("version", ["1.1", "1.0"])
@pytest.mark.parametrize("cnt", [0, 1, 9, 100, 200, 1000, 9000])
def test_rerun_points(make: Make, cnt: int, version: str) -> None:
    net = Net(make(), up=Impairment(delay_us=5 * MS))
    response = net.get(net.host().client(), f"/thread_volatile?cnt={cnt}", version=version)
    assert (response.status, response.body) == (200, words(cnt))


@pytest.mark.parametrize("version", ["1.1", "1.0"])
@pytest.mark.parametrize("size", [*SIZES, 70000])
@pytest.mark.parametrize("buffer", [300, 1460, 2048, 8000])
def test_stateful(make: Make, size: int, version: str, buffer: int) -> None:
    engine = make(buffer=buffer)
    net = Net(engine, up=Impairment(delay_us=5 * MS))
    client = net.host().client()
    for run in (1, 2):
        response = net.get(client, f"/thread_persistent?len={size}", version=version)
        assert (response.status, response.body) == (200, b"%d:" % run + text(size))
        if version == "1.0":
            client = net.host().client()


@pytest.mark.parametrize("mss", [88, 100, 536, 1460])
@pytest.mark.parametrize("window", [40, 200, 1000, 65535])
def test_small_segments_and_windows(make: Make, mss: int, window: int) -> None:
    net = Net(make(), up=Impairment(delay_us=5 * MS))
    options = Options(mss=mss, window=window)
    for target, expected in (
        ("/index_volatile?len=3000", text(3000)),
        ("/thread_volatile?cnt=300", words(300)),
        ("/plain_volatile?len=500", b"a" + text(500) + b"a"),
        ("/plain_idempotent?len=3000", text(3000)),
        ("/thread_own", text(5000)),
    ):
        assert net.get(net.host().client(options), target).body == expected, target


def test_head(make: Make) -> None:
    net = Net(make())
    client = net.host().client()
    for target in ("/thread_own", "/thread_volatile?cnt=1", "/index_volatile?len=9", "/plain_volatile?len=9"):
        assert net.get(client, target, method="HEAD").status == 200
    assert net.get(client, "/plain_persistent?len=5").body == b"1:00000"
