# SPDX-License-Identifier: MIT
"""lwIP with its own web server in virtual time: a peer on the same links, for the same clients.

Each `Lwip` is a copy of the library (lab/lwip, built by lwip_build.py). It takes no time of its own. Its driver takes
every frame at once, so none of its memory waits for the link.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cffi import FFI

from whit_testbed.engine import Identity

_ffi = FFI()
_ffi.cdef("""
    void lwip_peer_start(const uint8_t *mac, const uint8_t *address, uint16_t snd_buf, uint16_t write_max,
        uint32_t now_ms);
    void lwip_peer_clock(uint32_t now_ms);
    void lwip_peer_input(const uint8_t *frame, uint16_t len);
    void lwip_peer_tick(void);
    uint32_t lwip_peer_next_ms(void);
    int lwip_peer_take(uint8_t *to, int capacity);
    int lwip_peer_file(const char *name, const uint8_t *octets, uint32_t len, int generated);
    int lwip_peer_pool_cnt(void);
    const char *lwip_peer_pool_name(int pool);
    uint32_t lwip_peer_pool_used(int pool);
    uint32_t lwip_peer_pool_size(int pool);
    uint32_t lwip_peer_heap_used(void);
    uint32_t lwip_peer_heap_pbuf_cnt(void);
    uint32_t lwip_peer_pbuf_size(void);
    uint32_t lwip_peer_error_cnt(void);
""")

FRAME_MAX = 1514
MSS = 1460
SND_BUF = 2 * MSS  # bytes; the default of lwIP's opt.h, and the least that it recommends
WRITE_MAX = 2 * MSS  # bytes; what lwIP's web server hands to TCP at once
ROM = "PBUF_REF/ROM"  # "PBUF" among the sizes
# Pools by use. No other memory is used for a connection.
TRANSFER = ("TCP_SEG", ROM, "PBUF_POOL")
CONNECTION = ("TCP_PCB",)


@dataclass(frozen=True)
class Content:
    """Served content. generated: made in pieces while it is sent, so lwIP keeps a copy of unacknowledged data."""

    body: bytes
    media_type: str = "text/html"
    generated: bool = False


@dataclass(frozen=True)
class Held:
    """Bytes in use by lwIP's statistics.

    transfer: segments kept until they are acknowledged, their pbufs, and the web server's buffers. connections: their
    control blocks, without the web server's state.
    """

    transfer: int
    connections: int


class Lwip:
    """The server. `sizes`: bytes of a pool's element by name, in place of those of this machine."""

    link = "ethernet"
    driver_refuses = False

    def __init__(
        self,
        library: Path,
        contents: Mapping[str, Content],
        *,
        snd_buf: int = SND_BUF,
        write_max: int = WRITE_MAX,
        sizes: Mapping[str, int] | None = None,
        now_ms: int = 1000,
    ) -> None:
        self.identity = Identity()
        self.now_ms = now_ms
        self.on_frame: Callable[[bytes], None] | None = None
        self.frames_wait = False
        self.held_max = Held(0, 0)
        self.charge_bs = self.connections_bs = 0.0  # byte seconds of Held.transfer and Held.connections so far
        self._since_ms = now_ms  # beginning of the time with `_held`
        self._lib: Any = _copy(library)
        self._buffer = _ffi.new("uint8_t[]", FRAME_MAX)
        self._kept = [_ffi.new("uint8_t[]", response(content)) for content in contents.values()]
        self._lib.lwip_peer_start(self.identity.mac, self.identity.address, snd_buf, write_max, self._clock)
        for (target, content), octets in zip(contents.items(), self._kept, strict=True):
            taken = self._lib.lwip_peer_file(target.encode(), octets, len(octets) - 1, content.generated)
            if not taken:
                raise ValueError(f"{target}: lab/lwip/files.c takes neither more files nor longer names")
        self._pools = self._sizes(sizes)
        pbuf = int(self._lib.lwip_peer_pbuf_size())
        self._pbuf_excess = pbuf - (sizes["pbuf"] if sizes else pbuf)
        self._held = self.held

    def close(self) -> None:
        """Unloads the library. Every other call after this one is an error."""
        _ffi.dlclose(self._lib)

    def __enter__(self) -> Lwip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _clock(self) -> int:
        return self.now_ms & 0xFFFFFFFF

    @property
    def held(self) -> Held:
        used = {name: size * int(self._lib.lwip_peer_pool_used(pool)) for pool, name, size in self._pools}
        heap = self._lib.lwip_peer_heap_used() - self._pbuf_excess * self._lib.lwip_peer_heap_pbuf_cnt()
        return Held(heap + sum(used[name] for name in TRANSFER), sum(used[name] for name in CONNECTION))

    @property
    def error_cnt(self) -> int:
        """Allocations that failed."""
        return int(self._lib.lwip_peer_error_cnt())

    # ---------------------------------------------------------------- what a net asks of a server

    def limit(self, frames: int) -> None:
        """The driver takes every frame."""

    def next_ms(self) -> int:
        return int(self._lib.lwip_peer_next_ms())

    def tick(self) -> None:
        self._account()
        self._lib.lwip_peer_clock(self._clock)
        self._lib.lwip_peer_tick()
        self._drain()

    def frame_in(self, frame: bytes, split: int | Sequence[int] | None = None) -> None:
        self._account()
        self._lib.lwip_peer_clock(self._clock)
        self._lib.lwip_peer_input(frame, len(frame))
        self._drain()

    # ---------------------------------------------------------------- inside

    def _sizes(self, sizes: Mapping[str, int] | None) -> list[tuple[int, str, int]]:
        pools = []
        for pool in range(self._lib.lwip_peer_pool_cnt()):
            name = _name(self._lib.lwip_peer_pool_name(pool))
            own = int(self._lib.lwip_peer_pool_size(pool))
            pools.append((pool, name, sizes["PBUF" if name == ROM else name] if sizes else own))
        return pools

    def _account(self) -> None:
        """Adds the memory charge since the last call."""
        seconds = (self.now_ms - self._since_ms) / 1000
        self.charge_bs += self._held.transfer * seconds
        self.connections_bs += self._held.connections * seconds
        self._since_ms = self.now_ms

    def _drain(self) -> None:
        while (length := self._lib.lwip_peer_take(self._buffer, FRAME_MAX)) > 0:
            if self.on_frame:
                self.on_frame(bytes(_ffi.buffer(self._buffer, length)))
        self._held = held = self.held
        most = self.held_max
        self.held_max = Held(max(most.transfer, held.transfer), max(most.connections, held.connections))


def _name(c_string: Any) -> str:  # noqa: ANN401
    octets: Any = _ffi.string(c_string)
    return str(octets.decode())


def _copy(library: Path) -> Any:  # noqa: ANN401
    with tempfile.NamedTemporaryFile(suffix=".so") as copy, library.open("rb") as source:
        shutil.copyfileobj(source, copy)
        copy.flush()
        return _ffi.dlopen(copy.name)


def response(content: Content) -> bytes:
    """Returns the response with a head for persistent connections, as lwIP's makefsdata writes it."""
    head = (
        "HTTP/1.1 200 OK\r\nServer: lwIP/2.1.3 (http://savannah.nongnu.org/projects/lwip)\r\n"
        f"Content-Length: {len(content.body)}\r\nConnection: keep-alive\r\nContent-Type: {content.media_type}\r\n\r\n"
    )
    return head.encode() + content.body
