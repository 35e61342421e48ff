# SPDX-License-Identifier: MIT
"""An application in the vocabulary that several engines share: one changed line, its #include, makes it ours."""

from collections.abc import Iterator
from functools import reduce
from operator import xor

import pytest

from tests.http.app_client import MULTIPART, ask, multipart, post
from tests.support import built, make_files, noise
from whit.paths import BUILD, ROOT
from whit_testbed.engine import Engine
from whit_testbed.net import Net

THEIRS, OURS = '#include "generators.h"\n', "#include <whit/app.h>\n"


@pytest.fixture
def engine() -> Iterator[Engine]:
    there = ROOT / "tests" / "apps" / "portable"
    written = (there / "board.c").read_text()
    assert written.count(THEIRS) == 1
    app = BUILD / "test-apps" / "portable"
    make_files(app, {"board.c": written.replace(THEIRS, OURS).encode(), "app.toml": (there / "app.toml").read_bytes()})
    with Engine(built(app).image) as started:
        yield started


def test_get(engine: Engine) -> None:
    assert ask(engine, "/board?row=0").body == b"row low 3 below 1001000 ticks 0"
    assert ask(engine, "/board?row=2").body.startswith(b"row high 255 above 1001000 ticks ")
    assert ask(engine, "/board?row=3").status == 500
    assert ask(engine, "/board").status == 400


def test_timer(engine: Engine) -> None:
    net = Net(engine)
    net.idle(5)
    ticks = int(net.get(net.host().client(), "/board?row=1").body.rsplit(b" ", 1)[1])
    assert 48 <= ticks <= 51


def test_body(engine: Engine) -> None:
    octets = noise(200)
    said = b"1 1 %d %d" % (len(octets), reduce(xor, octets))
    assert post(engine, "/board", "application/octet-stream", octets).body == said
    assert post(engine, "/board", "text/plain", b"ab").body == b"0 1 2 3"
    assert post(engine, "/board", "image/png", b"ab").status == 415
    answer = post(engine, "/board", MULTIPART, multipart(("a", "text/plain", b"abc"), ("b", "text/plain", b"d")))
    assert answer.body == b"0 2 4 %d" % reduce(xor, b"abcd")
