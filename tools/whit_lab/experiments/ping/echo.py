# SPDX-License-Identifier: MIT
"""Echoes of a device (RFC 792): the processor's cycles, phase by phase, and the time over its line.

For the cycles, lab/cycles/echo.c is linked with the image's own objects. For the time, the unchanged image runs in
virtual time.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.paths import ROOT
from whit.targets import find_target
from whit.wire.packet import ICMP_PROTOCOL, Icmp, Ipv4, slip_encode
from whit.wire.units import SECOND
from whit_lab.instruments.segment import AVR, CONSOLE, Bench, Listing, link, started
from whit_testbed.machine import Line, Machine

APPLICATION = ROOT / "apps" / "contacts"
BUFFER = 1460  # bytes of the shared buffer, in which an echo waits for its checksum
BLOCK_HEAD = 4  # bytes of it that an echo cannot use
LARGEST = BUFFER - BLOCK_HEAD
HEADS_LEN = 28  # IPv4, ICMP
BOOT_S = 1.0
WAIT_S = 3.0  # for an answer
STEP_CYCLES = 20_000
ENOUGH_CYCLES = 5_000_000  # for one echo
LINE, CARD = "line", "card"
ENGINE = ROOT / "engine"
CARD_FILES = ("net/ethernet.c", "engine_ethernet.c")
SOURCES = {
    LINE: {"echo.c": "-DLAB_LINE"},
    CARD: {"echo.c": "-DLAB_CARD"} | {str(ENGINE / name): "" for name in CARD_FILES},
}
REPLACED = {LINE: set[str](), CARD: {"slip.c", "engine_slip.c"}}


@dataclass(frozen=True)
class Device:
    """A target with a clock and a line. A byte has ten bits."""

    processor: str
    bench: Bench
    hz: int
    baud: int

    @property
    def name(self) -> str:
        return f"{self.processor} {self.hz / 1e6:.3g} MHz, {self.baud / 1000:g} kbaud"

    @property
    def short(self) -> str:
        return f"{self.processor}, {self.baud / 1000:g} kbaud"

    def build(self) -> BuildResult:
        overrides: dict[str, object] = {"buffer": BUFFER, "link.baud": self.baud}
        if self.bench is AVR:
            overrides["avr.clock_hz"] = self.hz
        return build(APPLICATION, target=self.bench.target, overrides=overrides, one_unit=False, check_budget=False)


def avr(hz: int, baud: int) -> Device:
    """Returns an AVR. hz: a multiple of 8000, as the port requires."""
    return Device("AVR", AVR, hz, baud)


def console(baud: int = 115_200) -> Device:
    return Device("console", CONSOLE, CONSOLE.hz, baud)


# ---------------------------------------------------------------- the processor's share


@dataclass(frozen=True)
class Work:
    """Cycles of one echo."""

    taken: int  # bytes of the request, from the driver into the engine
    answered: int  # from its end to the reply's first byte: checksums, heads
    sent: int  # bytes of the reply, from the engine into the driver

    @property
    def total(self) -> int:
        return self.taken + self.answered + self.sent


def work(bench: Bench, built: BuildResult, driver: str, sizes: Sequence[int]) -> dict[int, Work]:
    """Returns cycles by bytes of data. driver: LINE or CARD."""
    image = link(bench, built, f"{bench.target}_echo_{driver}", SOURCES[driver], REPLACED[driver])
    listing = Listing(image, find_target(bench.target).toolchain)
    places = ("take_octets", "take_end", "whit_driver_begin", "whit_driver_end")
    begins = [listing.symbols[name] for name in places]
    ends = listing.behind_calls("take_octets")
    numbers = {address: number for number, address in enumerate([*begins, *ends])}
    with started(bench, image) as machine:
        for address, number in numbers.items():
            machine.watch(number, address)
        machine.run(machine.cycle + ENOUGH_CYCLES)
        measured = {}
        for size in sizes:
            _echo(machine, listing, size)
            taking, ending, sending, sent = (machine.watched(numbers[address]) for address in begins)
            taken = max(machine.watched(numbers[address]) for address in ends)
            measured[size] = Work(taken - taking, sending - ending, sent - sending)
    return measured


def _echo(machine: Machine, listing: Listing, size: int) -> None:
    data_len, echoed = listing.symbols["data_len"], listing.symbols["echoed"]
    machine.poke(data_len, size.to_bytes(2, "little"))
    end = machine.cycle + ENOUGH_CYCLES
    while machine.peek(data_len, 2) != bytes(2) and machine.cycle < end:
        machine.run(machine.cycle + STEP_CYCLES)
    if int.from_bytes(machine.peek(echoed, 2), "little") != size:
        raise WhitError(f"lab: an echo of {size} octets did not come back", 1)


# ---------------------------------------------------------------- the whole round trip


@dataclass(frozen=True)
class Trip:
    """Microseconds of one echo over the line, from the request's first byte to the reply's last one."""

    whole_us: float
    line_us: float  # part for the bytes of both datagrams on the line, one after the other

    @property
    def added_us(self) -> float:
        return self.whole_us - self.line_us

    @property
    def added_percent(self) -> float:
        return 100 * self.added_us / self.line_us


class Pinged:
    """A device after power-on, and the host that pings it."""

    def __init__(self, device: Device, built: BuildResult, *, delay_us: int = 0) -> None:
        self.machine = started_image(device, built)
        self.line = Line(self.machine, bytes(built.application.board.address), delay_us=delay_us)
        self.line.idle(BOOT_S)
        self._sent_number = 0

    def ping(self, size: int) -> Trip | None:
        """Sends an echo. None: no answer arrived."""
        line, machine = self.line, self.machine
        host, seen = line.host(), list[tuple[bool, int, int, bytes]]()
        line.watch = lambda up, begin, end, datagram: seen.append((up, begin, end, datagram))
        self._sent_number += 1
        request = echo_request(host.address, line.engine.identity.address, self._sent_number, size)
        begin_us = line.loop.now_us
        line.send(request)
        line.idle(WAIT_S)
        if len(seen) != 2:
            return None
        reply = Ipv4.parse(seen[1][3])
        if reply.dst != host.address or reply.payload[4:] != Ipv4.parse(request).payload[4:] or reply.payload[0] != 0:
            raise WhitError(f"lab: an echo of {size} octets came back changed", 1)
        octet_us = machine.octet_cycles * SECOND / machine.hz
        up_len, down_len = (len(slip_encode(datagram)) for *_, datagram in seen)
        return Trip(whole_us=seen[1][2] - begin_us, line_us=(up_len + down_len) * octet_us)


def started_image(device: Device, built: BuildResult) -> Machine:
    """Starts the image as it is flashed."""
    image = built.flashable if device.bench is CONSOLE else built.image
    assert image is not None
    return Machine(device.bench.machine, image, hz=device.hz if device.bench is AVR else 0, seed=1)


def echo_request(src: bytes, dst: bytes, number: int, size: int) -> bytes:
    data = bytes(at & 0x7F for at in range(size))  # without bytes that SLIP escapes
    return Ipv4(src, dst, ICMP_PROTOCOL, Icmp(8, 0, struct.pack("!HH", 7, number), data).pack()).pack()
