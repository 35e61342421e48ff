# SPDX-License-Identifier: MIT
"""Content codings of files: gzip (RFC 1952) and br (RFC 7932), as small as a short time allows. Results are cached by
their input. Reports progress."""

import contextlib
import hashlib
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import brotli
import zopfli.gzip

# Octets of a file. zopfli and brotli's best quality take minutes beyond these lengths, and gain a few percent.
ZOPFLI_MAX = 1 << 18
BROTLI_BEST_MAX = 1 << 20
BAR_LEN = 20
STEP = 1 << 17  # octets of a large file between two words of progress
# Number of coded files in memory. A process may compile an application many times, for instance tests and `--live`.
CODED_MAX = 256


@dataclass
class Coder:
    """Compresses files. `cache`: a directory for the results, or None. `told` is called with each line of progress."""

    cache: Path | None = None
    told: Callable[[str], None] = lambda step: None
    total: int = 0  # octets of all files of this application
    done: int = 0

    def begin(self, total: int) -> None:
        self.total, self.done = total, 0

    def both(self, path: str, content: bytes) -> tuple[bytes, bytes]:
        """gzip, and br."""
        before = self.done

        def advanced(coded_len: int) -> None:
            """Counts half of the length, because a file has two codings."""
            self.done = before + coded_len // 2
            self._tell(path)

        advanced(0)
        zipped = self._kept("gz", content, lambda: _gzip(content, advanced))
        advanced(len(content))
        shorter = self._kept("br", content, lambda: _brotli(content, lambda done: advanced(len(content) + done)))
        self.done = before + len(content)
        return zipped, shorter

    def _tell(self, path: str) -> None:
        share = self.done / self.total if self.total else 0.0
        bar = "━" * int(share * BAR_LEN)
        amount = f"{self.total / 1e6:.1f} MB" if self.total >= 1_000_000 else f"{self.total / 1000:.0f} kB"
        self.told(f"compressing {amount} {bar.ljust(BAR_LEN, '╌')} {share:.0%} {path}")

    def _kept(self, kind: str, content: bytes, code: Callable[[], bytes]) -> bytes:
        """Returns the cached result, or compresses and caches it. Without a writable cache it compresses each time."""
        if self.cache is None:
            return code()
        versions = f"{VERSION} {zlib.ZLIB_RUNTIME_VERSION} {brotli.__version__}"
        name = hashlib.sha256(f"{versions}\0{kind}\0".encode() + content).hexdigest()
        path = self.cache / f"{name}.{kind}"
        with contextlib.suppress(OSError):
            return path.read_bytes()
        coded = code()
        unfinished = path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self.cache.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(coded)
            unfinished.replace(path)
        return coded


VERSION = 2
"""Version of the limits above: change it with them, so that cached results of other limits are not reused."""


Advanced = Callable[[int], None]
"""Called with the number of a file's octets that are coded."""


def _gzip(content: bytes, advanced: Advanced) -> bytes:
    """RFC 1952, with MTIME 0: the same octets on every run."""
    if len(content) <= ZOPFLI_MAX:
        return zopfli_of(content)
    deflate = zlib.compressobj(9, zlib.DEFLATED, 31)
    return _in_steps(content, deflate.compress, advanced) + deflate.flush()


def _brotli(content: bytes, advanced: Advanced) -> bytes:
    """RFC 7932."""
    if len(content) <= BROTLI_BEST_MAX:
        return brotli_of(content)
    coder = brotli.Compressor(quality=9)
    return _in_steps(content, coder.process, advanced) + bytes(coder.finish())


def _in_steps(content: bytes, code: Callable[[bytes], bytes], advanced: Advanced) -> bytes:
    coded = bytearray()
    for start in range(0, len(content), STEP):
        coded += code(content[start : start + STEP])
        advanced(start)
    return bytes(coded)


@lru_cache(CODED_MAX)
def zopfli_of(content: bytes) -> bytes:
    return bytes(zopfli.gzip.compress(content, numiterations=15))  # type: ignore[no-untyped-call]


@lru_cache(CODED_MAX)
def brotli_of(content: bytes) -> bytes:
    return bytes(brotli.compress(content, quality=11))  # type: ignore[no-untyped-call]
