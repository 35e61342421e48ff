# SPDX-License-Identifier: MIT
"""Compression: right at every size, quick at large ones, done once, with its progress shown."""

import gzip
import re
import time
from pathlib import Path

import brotli
import pytest

from tests.compiler.support import make_app
from tests.support import noise, prose
from whit.compiler import coder, compile_application
from whit.compiler.coder import Coder


@pytest.mark.parametrize("length", [0, 1, coder.ZOPFLI_MAX, coder.ZOPFLI_MAX + 1, coder.BROTLI_BEST_MAX + 1])
def test_is_what_it_was(length: int) -> None:
    content = (prose(5000) * (length // 5000 + 1))[:length]
    zipped, shorter = Coder().both("x", content)
    assert gzip.decompress(zipped) == content and zipped[4:8] == bytes(4)  # MTIME 0
    assert brotli.decompress(shorter) == content
    assert Coder().both("x", content) == (zipped, shorter)


def test_four_megabytes_take_seconds(tmp_path: Path) -> None:
    """A large table of similar rows must not use zopfli and brotli's best quality, which take minutes."""
    rows = "".join(f"<tr><td class=n>{number}</td><td>value {number * number}</td></tr>\n" for number in range(90_000))
    assert len(rows) > 4_000_000
    started = time.process_time()
    zipped, shorter = Coder().both("table.html", rows.encode())
    assert time.process_time() - started < 20
    assert len(shorter) < len(zipped) < len(rows) / 4


def test_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is compressed; a file that changed is."""
    calls: list[int] = []
    made = coder.zopfli_of

    def counted(content: bytes) -> bytes:
        calls.append(len(content))
        return made(content)

    monkeypatch.setattr(coder, "zopfli_of", counted)
    app = make_app(tmp_path / "app", {"index.html": prose(3000), "a.txt": prose(2000)})
    kept = Coder(tmp_path / "kept")
    first = compile_application(app, tmp_path / "out", coder=kept)
    assert sorted(calls) == [2000, 3000]
    assert compile_application(app, tmp_path / "out", coder=kept).resources == first.resources
    assert compile_application(app, tmp_path / "other").resources == first.resources
    assert len(calls) == 4
    (app / "a.txt").write_bytes(prose(2001))
    compile_application(app, tmp_path / "out", coder=kept)
    assert calls[4:] == [2001]


def test_progress_is_told(tmp_path: Path) -> None:
    """Progress advances by files, each in two halves, and within a large one."""
    told: list[str] = []
    app = make_app(tmp_path / "app", {"a.bin": noise(3000), "b.bin": noise(1000), "x.c": "int x;\n"})
    compile_application(app, tmp_path / "out", coder=Coder(told=told.append))
    bars = [("", " 0% a"), ("━━━━━━━", "38% a"), ("━━━━━━━━━━━━━━━", "75% b"), ("━━━━━━━━━━━━━━━━━", "88% b")]
    expected = [f"compressing 4 kB {bar.ljust(20, '╌')} {rest.strip()}.bin" for bar, rest in bars]
    assert told == [*expected, "compiling the application"]
    large = Coder(told=told.append)
    large.begin(1 << 21)
    large.both("large", bytes(1 << 21))
    shares = [int(share[1]) for line in told if (share := re.search(r"(\d+)% large", line))]
    assert shares == sorted(shares) and len(set(shares)) > 20
