# SPDX-License-Identifier: MIT
"""An emulated machine of emulators/machine.h in virtual time, and hosts at the other end of its serial line."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cffi import FFI

from whit.wire.packet import ip, slip_decode, slip_encode
from whit.wire.units import SECOND
from whit_testbed.engine import Identity
from whit_testbed.http import Client
from whit_testbed.link import Deadlock, Loop
from whit_testbed.net import Host

_ffi = FFI()
_ffi.cdef("""
    bool machine_open(const char *image, uint32_t hz, const char *persistent);
    void machine_close(void);
    void machine_reset(void);
    void machine_seed(uint64_t seed);
    uint32_t machine_hz(void);
    uint64_t machine_cycle(void);
    uint64_t machine_slept(void);
    void machine_run(uint64_t until, bool stop_at_octet);
    uint32_t machine_octet_cycles(void);
    bool machine_may_send(void);
    void machine_send(uint8_t octet);
    void machine_run_offering(uint64_t until, uint32_t step);
    bool machine_receive(uint8_t *octet, uint64_t *cycle);
    uint8_t machine_peek(uint32_t address);
    void machine_poke(uint32_t address, uint8_t octet);
    bool machine_watch(uint8_t number, uint32_t address);
    uint64_t machine_watched(uint8_t number);
    void machine_press(uint16_t buttons);
    bool machine_cut(uint32_t writes);
    bool machine_is_cut(void);
""")
END = 0xC0
PAINT = 0xC5
_KEPT: dict[Path, object] = {}  # keeps libraries loaded: loading libmgba takes a tenth of a second
OFFERS = 16  # attempts per byte time, to a machine that holds the line


class MachineFailed(Exception):
    """The machine has no image, or has crashed; stderr has the reason."""


class Machine:
    """One machine with an image. `library` is its shared object; each machine loads its own copy."""

    def __init__(
        self, library: Path, image: Path, *, hz: int = 0, persistent: Path | None = None, seed: int | None = None
    ) -> None:
        self._lib: Any
        if library not in _KEPT:
            _KEPT[library] = _ffi.dlopen(str(library))
        with tempfile.NamedTemporaryFile(suffix=".so") as copy, library.open("rb") as source:
            shutil.copyfileobj(source, copy)
            copy.flush()
            self._lib = _ffi.dlopen(copy.name)
        self._octet = _ffi.new("uint8_t *")
        self._cycle = _ffi.new("uint64_t *")
        name = str(persistent).encode() if persistent else _ffi.NULL
        if not self._lib.machine_open(str(image).encode(), hz, name):
            raise MachineFailed(f"{image}: the machine does not take it")
        if seed is not None:
            self._lib.machine_seed(seed)
            self._lib.machine_reset()
        self.hz = int(self._lib.machine_hz())

    @property
    def cycle(self) -> int:
        return int(self._lib.machine_cycle())

    @property
    def slept(self) -> int:
        """Cycles during which the processor slept."""
        return int(self._lib.machine_slept())

    @property
    def octet_cycles(self) -> int:
        return int(self._lib.machine_octet_cycles())

    @property
    def may_send(self) -> bool:
        return bool(self._lib.machine_may_send())

    @property
    def is_cut(self) -> bool:
        """True if power has failed."""
        return bool(self._lib.machine_is_cut())

    def run(self, until: int, *, stop_at_octet: bool = False) -> None:
        self._lib.machine_run(until, stop_at_octet)

    def run_offering(self, until: int, step: int) -> None:
        """Runs until a byte leaves, or the machine accepts one. It is offered every `step` cycles."""
        self._lib.machine_run_offering(until, step)

    def send(self, octet: int) -> None:
        self._lib.machine_send(octet)

    def receive(self) -> tuple[int, int] | None:
        """Returns a sent byte, and the cycle at which its last bit left."""
        if not self._lib.machine_receive(self._octet, self._cycle):
            return None
        return int(self._octet[0]), int(self._cycle[0])

    def reset(self) -> None:
        self._lib.machine_reset()

    def cut(self, writes: int) -> None:
        """Lets power fail at the `writes`-th write of persistent memory from now on."""
        self._lib.machine_cut(writes)

    def watch(self, number: int, address: int) -> None:
        if not self._lib.machine_watch(number, address):
            raise ValueError(f"watch {number}: expected 0 to 15")

    def watched(self, number: int) -> int:
        """Returns the cycle at which the program counter was last at that place; 0: never."""
        return int(self._lib.machine_watched(number))

    def press(self, buttons: int) -> None:
        self._lib.machine_press(buttons)

    def peek(self, address: int, length: int = 1) -> bytes:
        return bytes(self._lib.machine_peek(address + at) for at in range(length))

    def poke(self, address: int, octets: bytes) -> None:
        for at, octet in enumerate(octets):
            self._lib.machine_poke(address + at, octet)

    def stack_used(self, bottom: int, top: int) -> int:
        """Returns the bytes of used stack below `top`. The port has painted the stack from `bottom` on."""
        untouched = next((at for at in range(bottom, top) if self.peek(at)[0] != PAINT), top)
        return top - untouched

    def close(self) -> None:
        self._lib.machine_close()
        _ffi.dlclose(self._lib)

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class MachineLoop(Loop):
    """An event loop that runs the machine between events. `advance` runs it to a time, or until it makes an event."""

    def __init__(self) -> None:
        super().__init__()
        self.advance: Callable[[int], bool] = lambda until_us: True

    def run(self, until: Callable[[], bool] | None = None, *, for_us: int = 3600 * SECOND) -> None:
        end = self.now_us + for_us
        if until and until():
            return
        while True:
            next_us = min(end, self._queue[0][0]) if self._queue else end
            if not self.advance(next_us):
                continue
            if not self._queue or self._queue[0][0] > end:
                break
            self.step()
            if until and until():
                return
        self.now_us = end
        if until:
            raise Deadlock(f"nothing came of it within {for_us / SECOND:.0f} s")


@dataclass(frozen=True)
class _Peer:
    """The part of an engine that `Host` needs."""

    identity: Identity
    link: str = "slip"


class _Up:
    def __init__(self, line: Line) -> None:
        self._line = line

    def send(self, datagram: bytes) -> None:
        self._line.send(datagram)


@dataclass
class _Going:
    """A datagram in transit to the machine."""

    begin_us: int
    datagram: bytes
    left: int  # bytes not yet on the line


class Line:
    """A full duplex serial line. Bytes take their time on it, and a delay each way."""

    def __init__(
        self, machine: Machine, address: bytes, *, delay_us: int = 0, seed: int = 0, loop: MachineLoop | None = None
    ) -> None:
        self.machine = machine
        self.delay_us = delay_us
        self.engine = _Peer(Identity(address=address))
        self.rng = random.Random(seed)
        self.loop = loop or MachineLoop()
        self.loop.advance = self._advance
        self.up = _Up(self)
        self.hosts: dict[bytes, Host] = {}
        self.sent_cycle = 0  # when the last byte towards the machine had arrived
        self.sent_slept = 0  # the cycles that the processor had slept by then
        self.heard: Callable[[int, int], None] = lambda octet, cycle: None  # called for each byte sent by the machine
        self.watch: Callable[[bool, int, int, bytes], None] | None = None  # per datagram: up, begin and end in µs
        self._origin = (self.loop.now_us, machine.cycle)
        self._queue = bytearray()  # bytes in transit to the machine, the next one first
        self._going: deque[_Going] = deque()  # datagrams in the queue, or before it
        self._free = 0  # cycle from which the line to the machine is free
        self._coming = bytearray()
        self._begun_us = 0

    def host(self, address: str | bytes = "10.7.0.1") -> Host:
        octets = ip(address) if isinstance(address, str) else address
        if octets not in self.hosts:
            self.hosts[octets] = Host(self, octets, b"\x02\x00" + octets)
        return self.hosts[octets]

    def idle(self, seconds: float) -> None:
        self.loop.run(for_us=int(seconds * SECOND))

    def run(self, *clients: Client, for_s: float = 60) -> None:
        """Runs until every client has all its responses or cannot get them."""
        self.loop.run(lambda: all(not client.waiting or client.ended for client in clients), for_us=int(for_s * SECOND))

    def send(self, datagram: bytes) -> None:
        octets = slip_encode(datagram)
        self._going.append(_Going(self.loop.now_us, datagram, len(octets)))
        self.loop.after(self.delay_us, lambda: self._queue.extend(octets))

    def at_us(self, cycle: int) -> int:
        """Returns the time of that cycle, rounded up."""
        us, begin = self._origin
        return us - (begin - cycle) * SECOND // self.machine.hz

    def _at_cycle(self, time_us: int) -> int:
        us, begin = self._origin
        return begin + (time_us - us) * self.machine.hz // SECOND

    def _advance(self, until_us: int) -> bool:
        until = self._at_cycle(until_us)
        machine = self.machine
        while machine.cycle < until:
            if machine.is_cut:
                raise MachineFailed("power has failed")
            self._run(until)
            ended = False
            while (got := machine.receive()) is not None:
                ended |= self._octet_in(*got)
            if ended:
                return False
        return True

    def _run(self, until: int) -> None:
        """Gives the machine a byte if the line allows, and runs it until the next event of the line."""
        machine, cycle = self.machine, self.machine.cycle
        if not self._queue:
            machine.run(min(until, cycle + machine.hz), stop_at_octet=True)
            return
        step = machine.octet_cycles // OFFERS + 1
        if cycle >= self._free:
            if not machine.may_send:
                machine.run_offering(until, step)
                return
            self._feed(cycle)
        machine.run(min(until, max(self._free, cycle + step)), stop_at_octet=True)

    def _feed(self, cycle: int) -> None:
        """Puts a byte on the line to the machine at that cycle."""
        self.machine.send(self._queue.pop(0))
        self._free = self.sent_cycle = cycle + self.machine.octet_cycles
        self._sent()
        if not self._queue:
            self.machine.run(self.sent_cycle)
            self.sent_slept = self.machine.slept

    def _sent(self) -> None:
        """Counts one more byte as sent to the machine."""
        going = self._going[0]
        going.left -= 1
        if going.left == 0:
            self._going.popleft()
            if self.watch:
                self.watch(True, going.begin_us, self.at_us(self._free), going.datagram)

    def _octet_in(self, octet: int, cycle: int) -> bool:
        """Takes a byte from the machine. True: a datagram is complete, and reaches its host after the delay."""
        self.heard(octet, cycle)
        if not self._coming:
            self._begun_us = self.at_us(cycle - self.machine.octet_cycles)
        self._coming.append(octet)
        if octet != END or len(self._coming) == 1:
            return False
        datagrams, begun_us = slip_decode(bytes(self._coming)), self._begun_us + self.delay_us
        self._coming = bytearray()
        end_us = self.at_us(cycle) + self.delay_us
        if self.watch:
            for datagram in datagrams:
                self.watch(False, begun_us - self.delay_us, end_us, datagram)
        self.loop.at(end_us, lambda: self._arrive(datagrams, begun_us))
        return True

    def _arrive(self, datagrams: list[bytes], begun_us: int) -> None:
        for datagram in datagrams:
            if host := self.hosts.get(datagram[16:20]):
                host.frame_in(datagram, begun_us)
