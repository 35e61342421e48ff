# SPDX-License-Identifier: MIT
"""The engine on an emulated AVR: the functions of the in-process build, by calls into ports/avr_inprocess."""

from __future__ import annotations

import struct
from collections.abc import Iterable, MutableSequence, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from whit.machines.emulator import MACHINES, build_machine
from whit_testbed.later import PART, Later
from whit_testbed.machine import Machine

INIT, INPUT, INPUT_END, INPUT_AGAIN, INPUT_HELD, TICK, OUTPUT, NEXT = range(1, 9)
CALL = struct.Struct("<BHII")  # number, len, now_ms, result: struct call of ports/avr_inprocess/port.c
RAM = 0x800000  # where an ELF file for the AVR has data memory
CYCLES_MAX = 400_000_000  # limit of one call: above it, the engine never returns
START_CYCLES = 200_000
UNUSED = {"clock_ms", "entropy_state", "persistent"}  # the linker drops these if nothing reads them


@cache
def _library() -> Path:
    build_machine("avr")
    return MACHINES / "libwhit_avr.so"


@cache
def _symbols(image: Path) -> dict[str, tuple[int, int]]:
    """Returns address and size in bytes of every object in data memory."""
    with image.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {
            symbol.name: (symbol["st_value"] - RAM, symbol["st_size"])
            for symbol in table.iter_symbols()
            if symbol["st_value"] >= RAM and symbol["st_size"] > 0
        }


class Network(Protocol):
    """struct whit_network of whit/engine.h."""

    mac: Iterable[int]
    address: Iterable[int]
    gateway: Iterable[int]
    prefix_len: int


class AvrLibrary:
    """One machine. Its methods are named like the functions that `whit_testbed.engine` calls in a shared object."""

    def __init__(self, image: Path) -> None:
        self._machine = Machine(_library(), image)
        self._at = _symbols(image)
        self._machine.run(START_CYCLES)
        self._later = Later()

    def close(self) -> None:
        self._machine.close()

    @property
    def cycle(self) -> int:
        return self._machine.cycle

    # ---------------------------------------------------------------- whit/engine.h

    def whit_init(self, network: Network, now_ms: int) -> None:
        octets = bytes(network.mac) + bytes(network.address) + bytes(network.gateway) + bytes([network.prefix_len])
        self._poke("call_network", octets)
        self._call(INIT, now_ms)

    def whit_input(self, octets: Sequence[int], length: int, now_ms: int) -> None:
        room = self._at["call_octets"][1]
        for at in range(0, length, room):
            part = bytes(octets[index] for index in range(at, min(length, at + room)))
            self._poke("call_octets", part)
            self._call(INPUT, now_ms, len(part))

    def whit_input_end(self, now_ms: int) -> int:
        return self._call(INPUT_END, now_ms) & 0xFF

    def whit_input_again(self, said: int) -> None:
        self._call(INPUT_AGAIN, 0, said)

    def whit_input_held(self, how: int) -> None:
        self._call(INPUT_HELD, 0, how)

    def whit_tick(self, now_ms: int) -> None:
        self._call(TICK, now_ms)

    def whit_output(self, now_ms: int) -> bool:
        return bool(self._call(OUTPUT, now_ms) & 0xFF)

    def whit_next_ms(self, now_ms: int) -> int:
        return self._call(NEXT, now_ms)

    # ---------------------------------------------------------------- drivers/later.h, for which it has no memory

    def later_receive(self, octets: Sequence[int], length: int, now_ms: int) -> None:
        frame = bytes(octets[index] for index in range(length))
        self._later.received(frame, self._offer(frame, now_ms), now_ms)

    def later_offer(self, now_ms: int) -> None:
        def again(frame: bytes, said: int, how: int) -> int:
            self.whit_input_again(said)
            if how:
                self.whit_input_held(how)
            return self._offer(frame, now_ms)

        self._later.offer(again, now_ms)

    def later_waits(self) -> bool:
        return bool(self._later.frames)

    def _offer(self, frame: bytes, now_ms: int) -> int:
        while True:
            self.whit_input(frame, len(frame), now_ms)
            if (said := self.whit_input_end(now_ms)) != PART:
                return said
            self.whit_input_again(said)

    # ---------------------------------------------------------------- inprocess.h

    def whit_inprocess_take(self, to: MutableSequence[int], capacity: int) -> int:
        """Takes all frames of the machine at once, and returns them one by one."""
        length = int.from_bytes(self._peek("sent_len"), "little")
        if length == 0:
            return -1
        octets = self._peek("sent", length)
        first = 2 + int.from_bytes(octets[:2], "little")
        if first - 2 > capacity:
            return 0
        to[0 : first - 2] = octets[2:first]
        self._poke("sent", octets[first:])
        self._poke("sent_len", (length - first).to_bytes(2, "little"))
        self._poke("sent_cnt", (int.from_bytes(self._peek("sent_cnt"), "little") - 1).to_bytes(2, "little"))
        return first - 2

    def whit_inprocess_cut(self) -> int:
        return 0  # its driver takes no large segments

    def whit_inprocess_limit(self, frames: int) -> None:
        self._poke("sent_max", max(0, frames).to_bytes(2, "little"))

    def whit_inprocess_clock(self, now_ms: int) -> None:
        self._poke("clock_ms", now_ms.to_bytes(4, "little"))

    def whit_inprocess_seed(self, seed: int) -> None:
        self._poke("entropy_state", ((seed * 2654435761 + 1) & 0xFFFFFFFF or 1).to_bytes(4, "little") + bytes(4))

    def whit_inprocess_counter(self, counter: int) -> int:
        counters = self._peek("whit_counters")
        width = 1 if len(counters) < 40 else 2
        return int.from_bytes(counters[counter * width : (counter + 1) * width], "little")

    def whit_inprocess_persistent_fail_after(self, writes: int) -> None:
        self._poke("writes_until_failure", writes.to_bytes(2, "little", signed=True))

    def whit_inprocess_persistent_writes(self) -> int:
        return int.from_bytes(self._peek("write_cnt"), "little")

    def persistent(self, size: int) -> bytes:
        return self._peek("persistent", size)

    def put_persistent(self, octets: bytes) -> None:
        self._poke("persistent", octets)

    # ---------------------------------------------------------------- the machine

    def _call(self, number: int, now_ms: int, length: int = 0) -> int:
        self._poke("call", CALL.pack(number, length, now_ms, 0))
        end = self._machine.cycle + CYCLES_MAX
        while self._machine.receive() is None:
            assert self._machine.cycle < end, "a call into the engine does not return"
            self._machine.run(end, stop_at_octet=True)
        return int(CALL.unpack(self._peek("call", CALL.size))[3])

    def _peek(self, name: str, length: int | None = None) -> bytes:
        address, size = self._at[name]
        return self._machine.peek(address, size if length is None else length)

    def _poke(self, name: str, octets: bytes) -> None:
        if name in UNUSED and name not in self._at:
            return
        address, size = self._at[name]
        assert len(octets) <= size, f"{name}: {len(octets)} octets, there is room for {size}"
        self._machine.poke(address, octets)
