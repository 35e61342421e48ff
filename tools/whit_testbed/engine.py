# SPDX-License-Identifier: MIT
"""The in-process build of the engine: frames in, frames out, clock forward.

Each `Engine` loads a copy of the shared library, so it starts from fresh state beside others. Input ends at a guard
page: an engine that reads beyond it kills the test.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cffi import FFI

from whit.paths import ROOT
from whit.wire.packet import ip, slip_encode
from whit_testbed.card import cut
from whit_testbed.guard import Guard
from whit_testbed.later import PART, RETRY_MS, TAKEN

_ffi = FFI()
_ffi.cdef("""
    struct whit_network { uint8_t mac[6]; uint8_t address[4]; uint8_t gateway[4]; uint8_t prefix_len; };
    void whit_init(const struct whit_network *network, uint32_t now_ms);
    void whit_input(const uint8_t *octets, uint16_t len, uint32_t now_ms);
    int whit_input_end(uint32_t now_ms);
    void whit_input_again(int said);
    void whit_input_held(int how);
    void later_receive(const uint8_t *frame, size_t len, uint32_t now_ms);
    void later_offer(uint32_t now_ms);
    bool later_waits(void);
    void whit_tick(uint32_t now_ms);
    bool whit_output(uint32_t now_ms);
    uint32_t whit_next_ms(uint32_t now_ms);
    unsigned whit_inprocess_counter(unsigned counter);
    struct whit_meter { uint32_t static_checksum_octets; uint32_t held[3], held_max[3]; uint64_t charge[3]; };
    extern struct whit_meter whit_meter;
    extern uint16_t whit_meter_point_len;
    struct whit_meter_resource { uint32_t response_cnt; uint64_t charge[3]; };
    extern struct whit_meter_resource whit_meter_resources[64];
    int whit_inprocess_take(uint8_t *to, int capacity);
    void whit_inprocess_limit(int frames);
    void whit_inprocess_large(int payload);
    int whit_inprocess_cut(void);
    void whit_inprocess_clock(uint32_t now_ms);
    void whit_inprocess_seed(uint32_t seed);
    void whit_inprocess_reset(void);
    uint8_t *whit_inprocess_persistent(void);
    void whit_inprocess_persistent_fail_after(int n);
    uint32_t whit_inprocess_persistent_writes(void);
    extern uint8_t whit_inprocess_key[32];
    void whit_inprocess_unix(uint32_t unix_s);
    struct whit_nonces { uint32_t sealed_cnt, repeated_cnt, broken_cnt; };
    extern struct whit_nonces whit_nonces;
    extern uintptr_t whit_out;
    void whit_nonces_reset(void);
int whit_inprocess_log(char *to, int capacity);
""")

FRAME_MAX = 1 << 15
BROKEN = -2  # of whit_inprocess_take()
LOG_MAX = 1 << 16
OUTPUT_MAX = 100_000  # whit_output() calls in a row: above it, the engine never stops


class EngineStuck(Exception):
    """The engine asks for time or output without end."""


@cache
def counter_names() -> tuple[str, ...]:
    """Returns the names of enum whit_counter, in lower case and without WHIT_."""
    header = (ROOT / "include" / "whit" / "engine.h").read_text()
    body = re.search(r"enum whit_counter \{(.*?)\}", header, re.DOTALL)
    if body is None:
        raise LookupError("include/whit/engine.h: expected enum whit_counter")
    names = re.findall(r"^\s*WHIT_(\w+)", body[1], re.MULTILINE)
    return tuple(name.lower() for name in names if name != "COUNTER_CNT")


@dataclass(frozen=True)
class Identity:
    """The engine's addresses on its link."""

    mac: bytes = bytes.fromhex("02005e100001")
    address: bytes = ip("10.0.0.1")
    gateway: bytes = ip("0.0.0.0")
    prefix_len: int = 8


@dataclass(frozen=True)
class Meter:
    """Bytes of the shared buffer by use, heads of its blocks included.

    The uses are content; rerun points and continuations; arguments and input.
    """

    held: tuple[int, ...]  # now
    held_max: tuple[int, ...]
    charge: tuple[float, ...]  # byte seconds since whit_init()


class SharedObject:
    """A copy of an in-process build: its functions, and its persistent memory."""

    def __init__(self, image: Path) -> None:
        with tempfile.NamedTemporaryFile(suffix=".so") as copy, image.open("rb") as source:
            shutil.copyfileobj(source, copy)
            copy.flush()
            self._lib: Any = _ffi.dlopen(copy.name)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        found = getattr(self._lib, name)
        if callable(found):
            setattr(self, name, found)
        return found

    def persistent(self, size: int) -> bytes:
        return bytes(_ffi.buffer(self._lib.whit_inprocess_persistent(), size))

    def put_persistent(self, octets: bytes) -> None:
        _ffi.memmove(self._lib.whit_inprocess_persistent(), octets, len(octets))

    def close(self) -> None:
        _ffi.dlclose(self._lib)


def _load(image: Path) -> Any:  # noqa: ANN401
    if image.suffix == ".so":
        return SharedObject(image)
    from whit_testbed.avr_library import AvrLibrary

    return AvrLibrary(image)


class Engine:
    """One engine. `link` is "ethernet" or "slip". `image` is the shared library of an in-process build, or the image of
    ports/avr_inprocess, which runs on an emulated AVR.

    Ethernet frames are without FCS. On SLIP a frame is an IP datagram. `frame_in` adds END and escapes; on the way out
    the driver adds them.
    """

    driver_refuses = True

    def __init__(
        self,
        image: Path,
        *,
        link: str = "ethernet",
        identity: Identity | None = None,
        seed: int = 1,
        now_ms: int = 1000,
        queue: int | None = None,
        persistent: bytes = b"",
        key: bytes = b"",
        unix_s: int = 0,
    ) -> None:
        """`key`: for HTTPS, the scalar of whit.certificate.chain.read_key(). `unix_s`: the clock's time at 0 ms; 0: no
        clock."""
        self.image, self.link = image, link
        self.identity = identity or Identity()
        self.now_ms = now_ms
        self.on_frame: Callable[[bytes], None] | None = None  # takes sent frames, in place of `frames_out`
        self.frames_wait = False
        self.keeps_frames = False  # offers a refused frame again, as drivers/host.c does
        self._sent: list[tuple[int, bytes]] = []
        self._guard = Guard()
        self._buffer = _ffi.new("uint8_t[]", FRAME_MAX)
        self._lib: Any = _load(image)
        self._network: Any
        self._lib.whit_inprocess_seed(seed)
        if queue is not None:
            self._lib.whit_inprocess_limit(queue)
        self._lib.put_persistent(persistent)
        if unix_s:
            self._lib.whit_inprocess_unix(unix_s)
        if key:
            place = self._lib.whit_inprocess_key
            self.key_at = int(_ffi.cast("uintptr_t", place))  # lets a test find all memory of the engine
            _ffi.buffer(place)[:] = key
        self._network = _ffi.new("struct whit_network *")
        self._network.mac = list(self.identity.mac)
        self._network.address = list(self.identity.address)
        self._network.gateway = list(self.identity.gateway)
        self._network.prefix_len = self.identity.prefix_len
        self._lib.whit_inprocess_clock(self._clock)
        self._lib.whit_init(self._network, self._clock)
        self._drain()

    def close(self) -> None:
        """Unloads the library. Every other call after this one is an error."""
        self._guard.close()
        self._lib.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _clock(self) -> int:
        return self.now_ms & 0xFFFFFFFF

    def frame_in(self, frame: bytes, split: int | Sequence[int] | None = None) -> None:
        """Passes a whole frame. `split`: bytes of each piece, or the positions of the cuts."""
        if self.keeps_frames:
            place = self._guard.place(frame)
            self._lib.later_receive(_ffi.cast("const uint8_t *", place), len(frame), self._clock)
        else:
            self._offer(frame, split)
        self._drain()
        self._offer_again()

    def _offer_again(self) -> None:
        if self.keeps_frames and self._lib.later_waits():
            self._lib.later_offer(self._clock)
            self._drain()

    def _offer(self, frame: bytes, split: int | Sequence[int] | None = None) -> int:
        """Offers a frame as drivers do: the remainder of a partly taken frame is offered again at once."""
        if self.link == "slip":
            self.octets_in(slip_encode(frame), split)
            return TAKEN
        self.octets_in(frame, split)
        while (said := int(self._lib.whit_input_end(self._clock))) == PART:
            self.again(said)
            self.octets_in(frame, split)
        return said

    def again(self, said: int) -> None:  # offers a frame again; `said`: first answer, an enum whit_taken
        self._lib.whit_input_again(said)

    def octets_in(self, octets: bytes, split: int | Sequence[int] | None = None) -> None:
        """Raw bytes of the line; on Ethernet part of a frame that `frame_end` ends."""
        if not octets:
            return
        step = min(split, self._guard.capacity) if isinstance(split, int) else self._guard.capacity - 1
        cuts = range(0, len(octets), step) if split is None or isinstance(split, int) else [0, *split]
        for begin, end in zip(cuts, [*cuts[1:], len(octets)], strict=True):
            if end > begin:
                address = _ffi.cast("const uint8_t *", self._guard.place(octets[begin:end]))
                self._lib.whit_input(address, end - begin, self._clock)
        if self.link == "slip":
            self._drain()

    def frame_end(self) -> None:
        """Ends the Ethernet frame that `octets_in` began."""
        self._lib.whit_input_end(self._clock)
        self._drain()

    def advance(self, ms: int) -> None:
        """Lets `ms` pass, running each timer when it is due."""
        end = self.now_ms + ms
        idle = 0
        while True:
            if (wait := self.next_ms()) > 60_000:
                raise EngineStuck(f"whit_next_ms() says {wait} ms, expected at most 60 000")
            self.now_ms = min(end, self.now_ms + wait)
            idle = idle + 1 if wait == 0 else 0
            if idle > 10_000:
                raise EngineStuck(f"a timer is always due at {self.now_ms} ms")
            self.tick()
            if self.now_ms >= end and (wait > 0 or self.next_ms() > 0):
                return

    def tick(self) -> None:
        """Runs the timers that are due."""
        self._lib.whit_inprocess_clock(self._clock)
        self._offer_again()
        self._lib.whit_tick(self._clock)
        self._drain()

    def next_ms(self) -> int:
        next_ms = int(self._lib.whit_next_ms(self._clock))
        return min(next_ms, RETRY_MS) if self.keeps_frames and self._lib.later_waits() else next_ms

    def restart(self, *, seed: int, persistent: bytes, now_ms: int = 1000) -> None:
        """Restarts with other seed and persistent memory. This is cheaper than loading the library again."""
        self._lib.whit_inprocess_reset()
        self._lib.whit_inprocess_seed(seed)
        self._lib.put_persistent(persistent)
        self.now_ms, self.on_frame = now_ms, None
        self._lib.whit_inprocess_clock(self._clock)
        self._lib.whit_init(self._network, self._clock)
        self._drain()
        self._sent.clear()

    def reset(self) -> None:
        """Switches power off and on. Persistent memory and the port's entropy are kept."""
        self._lib.whit_init(self._network, self._clock)
        self._drain()

    def limit(self, frames: int) -> None:
        """The driver refuses while `frames` frames are queued. With 0 nothing is sent."""
        self._lib.whit_inprocess_limit(frames)

    def pump(self) -> None:  # lets the engine send what the driver takes now
        self._drain()

    def frames_out(self) -> list[bytes]:  # what was sent since the last call
        return [frame for _, frame in self.sent()]

    def sent(self) -> list[tuple[int, bytes]]:
        """Returns the frames sent since the last call, each with its time in ms."""
        sent, self._sent = self._sent, []
        return sent

    def take_log(self) -> str:
        """Returns the request log's new text. The build needs a log."""
        text = _ffi.new("char[]", LOG_MAX)
        return bytes(_ffi.buffer(text, self._lib.whit_inprocess_log(text, LOG_MAX))).decode("ascii")

    @property
    def counters(self) -> dict[str, int]:
        return {name: int(self._lib.whit_inprocess_counter(index)) for index, name in enumerate(counter_names())}

    @property
    def static_checksum_octets(self) -> int:
        """Bytes of static content that were summed at run time. The image needs meter=True."""
        return int(self._lib.whit_meter.static_checksum_octets)

    def charges(self, resource: int) -> tuple[int, tuple[float, ...]]:
        """Returns the ended responses of a resource, and their memory charges in byte seconds: content, rerun points,
        request. The image needs a meter."""
        of_it = self._lib.whit_meter_resources[resource]
        return int(of_it.response_cnt), tuple(octet_ms / 1000 for octet_ms in of_it.charge)

    @property
    def meter(self) -> Meter:
        """Memory held as of the last call into the engine. The image needs meter=True."""
        meter = self._lib.whit_meter
        charge = tuple(octet_ms / 1000 for octet_ms in meter.charge)
        return Meter(tuple(meter.held), tuple(meter.held_max), charge)

    @property
    def nonces(self) -> tuple[int, int, int]:
        """Returns three counts: sealed records, nonces used again, and nonces used again for other contents. The image
        needs HTTPS and a meter."""
        nonces = self._lib.whit_nonces
        return int(nonces.sealed_cnt), int(nonces.repeated_cnt), int(nonces.broken_cnt)

    @property
    def point_len(self) -> int:
        """Bytes of a rerun point without the author's state. The image needs meter=True."""
        return int(self._lib.whit_meter_point_len)

    @property
    def cycle(self) -> int:
        """Cycles since the start. The image is for the emulated AVR."""
        return int(self._lib.cycle)

    def persistent(self, size: int) -> bytes:
        """The first `size` bytes of persistent memory."""
        return bytes(self._lib.persistent(size))

    def persistent_fail_after(self, writes: int) -> None:
        """The next `writes` writes succeed, all later ones fail. -1: no write fails."""
        self._lib.whit_inprocess_persistent_fail_after(writes)

    def large(self, payload: int) -> None:
        """From now on the card sums segments, and cuts segments of at most `payload` bytes. The image needs fast
        kinds."""
        self._lib.whit_inprocess_large(payload)

    @property
    def persistent_writes(self) -> int:
        return int(self._lib.whit_inprocess_persistent_writes())

    def _drain(self) -> None:
        for _ in range(OUTPUT_MAX):
            more = not self.frames_wait and self._lib.whit_output(self._clock)
            if not self._take() and not more:
                return
        raise EngineStuck("whit_output() never stops")

    def _take(self) -> bool:
        taken = False
        while (length := self._lib.whit_inprocess_take(self._buffer, FRAME_MAX)) > 0:
            frame = bytes(_ffi.buffer(self._buffer, length))
            payload = self._lib.whit_inprocess_cut()
            for one in cut(frame, payload) if payload else (frame,):
                if self.on_frame:
                    self.on_frame(one)
                else:
                    self._sent.append((self.now_ms, one))
            taken = True
        if length == BROKEN:
            raise AssertionError("the engine broke the contract of include/whit/driver.h")
        return taken
