# SPDX-License-Identifier: MIT
"""An application in the vocabulary that several engines share: one changed line, its #include, makes it ours."""

import shutil
from functools import reduce
from operator import xor
from pathlib import Path

from tests.harness import ask, engine_of
from tests.http.app_client import MULTIPART, multipart, post
from tests.support import noise
from whit.paths import ROOT
from whit_testbed.engine import Engine
from whit_testbed.net import Net

THEIRS, OURS = '#include "generators.h"\n', "#include <whit/app.h>\n"


def ours(directory: Path) -> Path:
    """Copies the application, with our annotation in place of theirs."""
    shutil.copytree(ROOT / "tests" / "apps" / "portable", directory)
    source = directory / "board.c"
    written = source.read_text()
    assert written.count(THEIRS) == 1
    source.write_text(written.replace(THEIRS, OURS))
    return directory


engine = engine_of(ours)


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
