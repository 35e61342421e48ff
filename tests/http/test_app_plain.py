# SPDX-License-Identifier: MIT
"""apps/plain: a function that writes and returns, of each persistence."""

import pytest

from tests.harness import Make, ask
from tests.http.app_client import BAD
from whit_testbed.net import Net


def squares() -> bytes:
    """The bitmap that apps/plain draws."""
    side, colours = 144, 256

    def wave(at: int) -> int:
        half = at & 0x7F
        return 4 * half if half < 64 else 4 * (127 - half)

    header = b"BM" + b"".join(n.to_bytes(4, "little") for n in (54 + 4 * colours + side * side, 0, 54 + 4 * colours))
    header += b"".join(n.to_bytes(4, "little") for n in (40, side, side, 1 | 8 << 16, 0, 0, 0, 0, colours, 0))
    palette = b"".join(bytes((255 - i // 2, wave(i), i, 0)) for i in range(colours))
    return header + palette + bytes(row ^ column for row in range(side) for column in range(side))


def test_visits_are_counted_once_each(make_app: Make) -> None:
    engine = make_app("plain")
    net = Net(engine, up=BAD, down=BAD, seed=1)
    client = net.host().client()
    for visit in range(1, 21):
        assert net.get(client, "/visits").body == b"%d" % visit
    other = make_app("plain", persistent=engine.persistent(6))
    assert ask(other, "/visits").body == b"21"


@pytest.mark.parametrize(
    ("now_ms", "said"), [(999, b"0:00:00"), (59_900, b"0:00:59"), (11_262_000, b"3:07:42"), (360_000_000, b"100:00:00")]
)
def test_uptime(make_app: Make, now_ms: int, said: bytes) -> None:
    assert ask(make_app("plain", now_ms=now_ms), "/uptime").body == said


@pytest.mark.parametrize("mss", [88, 536, 1460])
def test_picture_is_far_larger_than_the_buffer(make_app: Make, mss: int) -> None:
    response = ask(make_app("plain"), "/squares", mss=mss)
    assert response.field("content-type") == "image/bmp"
    assert response.body == squares()


@pytest.mark.parametrize("seed", range(3))
def test_picture_over_a_bad_link(make_app: Make, seed: int) -> None:
    net = Net(make_app("plain"), up=BAD, down=BAD, seed=seed)
    client = net.host().client()
    for _ in range(2):
        assert net.get(client, "/squares").body == squares()
