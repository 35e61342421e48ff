# SPDX-License-Identifier: MIT
"""Streams that end exactly where a chunk ends: the last chunk is whole, and the end follows it."""

import re

import pytest

from tests.harness import Make
from tests.strategies.conftest import text, words
from whit.wire.units import MS
from whit_testbed.link import Impairment
from whit_testbed.net import Net


def chunk_of(raw: bytes) -> int:
    """Octets of the first chunk of a chunked response."""
    body = raw[raw.index(b"\r\n\r\n") + 4 :]
    match = re.match(rb"([0-9A-Fa-f]+)\r\n", body)
    assert match, raw[:200]
    return int(match[1], 16)


@pytest.mark.parametrize("around", [-1, 0, 1])
@pytest.mark.parametrize("cnt", [1, 2, 3])
def test_by_index(make: Make, cnt: int, around: int) -> None:
    net = Net(make(), up=Impairment(delay_us=5 * MS))
    client = net.host().client()
    first = chunk_of(net.get(client, "/index_volatile?len=20000").raw)
    second = 20000 - first
    later = chunk_length(net.get(client, "/index_volatile?len=20000").raw, 1)
    assert later <= second
    size = first + (cnt - 1) * later + around
    response = net.get(client, f"/index_volatile?len={size}")
    assert (response.status, response.body) == (200, text(size))
    assert net.get(client, "/index_volatile?len=50").body == text(50)  # the connection is in step


def chunk_length(raw: bytes, index: int) -> int:
    """Octets of the chunk with that index."""
    rest = raw[raw.index(b"\r\n\r\n") + 4 :]
    for _ in range(index):
        line, _, rest = rest.partition(b"\r\n")
        rest = rest[int(line, 16) + 2 :]
    return int(rest.partition(b"\r\n")[0], 16)


@pytest.mark.parametrize("loss", [0.0, 0.1])
@pytest.mark.parametrize("kind", ["thread_persistent", "index_volatile"])
def test_every_length_around_two_chunks(make: Make, kind: str, loss: float) -> None:
    """Lengths octet by octet: one of them is an exact multiple, whatever the chunk is."""
    engine = make(buffer=300)
    net = Net(engine, up=Impairment(delay_us=2 * MS, loss=loss), down=Impairment(delay_us=2 * MS, loss=loss), seed=3)
    client = net.host().client()
    for run, size in enumerate(range(150, 420, 1 if loss == 0 else 9), 1):
        if client.ended:
            client = net.host().client()
        response = net.get(client, f"/{kind}?len={size}")
        expected = text(size) if kind == "index_volatile" else b"%d:" % run + text(size)
        assert (response.status, response.body) == (200, expected), size


def test_every_number_of_words_around_a_chunk(make: Make) -> None:
    net = Net(make(), up=Impairment(delay_us=2 * MS))
    client = net.host().client()
    for cnt in range(185, 215):
        response = net.get(client, f"/thread_volatile?cnt={cnt}")
        assert (response.status, response.body) == (200, words(cnt)), cnt
