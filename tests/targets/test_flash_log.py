# SPDX-License-Identifier: MIT
"""Persistent memory in NOR flash (ports/common/flash_log.c): an array of octets. A write is complete or absent,
wherever power fails."""

import ctypes
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from whit.paths import ROOT

SEED = int(os.environ.get("WHIT_SEED", "1"))
HERE = Path(__file__).parent


class Part:
    """The flash log of one build over a part of its own. `array` is the expected content."""

    def __init__(self, library: Path, size: int, sector_len: int) -> None:
        self.code = ctypes.CDLL(str(library))
        self.size = size
        self.words = ((ctypes.c_uint32 * (sector_len // 4)) * 2).in_dll(self.code, "part_words")
        self.erase_cnt = (ctypes.c_uint32 * 2).in_dll(self.code, "part_erase_cnt")
        for name in ("whit_port_persistent_read", "whit_port_persistent_write"):
            getattr(self.code, name).restype = ctypes.c_bool
            getattr(self.code, name).argtypes = [ctypes.c_uint16, ctypes.c_char_p, ctypes.c_uint16]
        self.blank()

    def number(self, name: str) -> ctypes.c_uint32:
        return ctypes.c_uint32.in_dll(self.code, f"part_{name}")

    def blank(self, fill: int = 0xFF) -> None:
        """A part as it leaves the factory."""
        ctypes.memset(self.words, fill, ctypes.sizeof(self.words))
        for name in ("operation_cnt", "wrong_cnt", "cut_at", "fail_at"):
            self.number(name).value = 0
        self.erase_cnt[0] = self.erase_cnt[1] = 0
        self.array = bytearray(self.size)
        self.power()

    def power(self) -> None:
        """Restores power."""
        self.number("cut_at").value = 0
        ctypes.c_bool.in_dll(self.code, "part_is_dead").value = False
        self.code.flash_log_open()

    def cut(self, after: int, how: int = 1) -> None:
        """Power fails at that operation from now on."""
        self.number("random").value = 0x9E3779B9 * (how + 1) & 0xFFFFFFFF or 1
        self.number("cut_at").value = self.number("operation_cnt").value + after

    @property
    def is_dead(self) -> bool:
        return ctypes.c_bool.in_dll(self.code, "part_is_dead").value

    def read(self, address: int = 0, length: int | None = None) -> bytes:
        length = self.size - address if length is None else length
        octets = ctypes.create_string_buffer(b"\xaa" * length, length)
        assert self.code.whit_port_persistent_read(address, octets, length)
        return octets.raw

    def write(self, address: int, octets: bytes) -> bool:
        """Writes, and updates the array on success."""
        done = bool(self.code.whit_port_persistent_write(address, octets, len(octets)))
        if done:
            self.array[address : address + len(octets)] = octets
        return done

    def write_through(self, address: int, octets: bytes) -> None:
        """Writes while power may fail: afterwards all of it is there, or none of it."""
        before = bytes(self.array)
        after = before[:address] + octets + before[address + len(octets) :]
        if self.write(address, octets):
            assert not self.is_dead
            return
        assert self.is_dead
        self.power()
        assert self.read() in (before, after)
        self.array[:] = self.read()


Make = Callable[[int, int], Part]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    def made(size: int, sector_len: int) -> Part:
        directory = tmp_path_factory.mktemp("flash")
        (directory / "machine.h").write_text(f"#define FLASH_SECTOR_LEN {sector_len}u\n")
        (directory / "whit_limits.h").write_text(f"#define WHIT_PERSISTENT_SIZE {size}\n")
        library = directory / "flash_log.so"
        sources = [ROOT / "ports/common/flash_log.c", HERE / "flash_part.c"]
        includes = [f"-I{path}" for path in (directory, ROOT / "include", ROOT / "ports/flat", ROOT / "ports/common")]
        options = ["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-O1", "-g", "-fPIC", "-shared"]
        subprocess.run([shutil.which("cc") or "gcc", *options, *includes, *sources, "-o", library], check=True)
        return Part(library, size, sector_len)

    return made


@pytest.fixture(scope="module")
def small(make: Make) -> Part:
    """Returns a part so small that a few writes fill a sector."""
    return make(21, 256)


Write = tuple[int, bytes]


def writes_of(random_: random.Random, size: int, cnt: int) -> list[Write]:
    lengths = [random_.choice((1, 2, 4, 7, size)) for _ in range(cnt)]
    return [(random_.randint(0, size - length), random_.randbytes(length)) for length in lengths]


def test_never_written_octets_are_zero(small: Part) -> None:
    for fill in (0xFF, 0, 0x5A):  # a part that was something else before is as good
        small.blank(fill)
        assert small.read() == bytes(21)
        assert small.write(3, b"abc") and small.read() == small.array
        small.power()
        assert small.read() == bytes(3) + b"abc" + bytes(15)


def test_out_of_range_is_refused(small: Part) -> None:
    small.blank()
    assert not small.write(20, b"ab") and not small.write(65535, b"ab")
    assert not small.code.whit_port_persistent_read(21, ctypes.create_string_buffer(1), 1)
    assert small.write(21, b"") and small.read() == bytes(21)


def test_it_is_an_array(small: Part) -> None:
    small.blank()
    for address, octets in writes_of(random.Random(SEED), 21, 400):
        assert small.write(address, octets)
        assert small.read() == small.array
        if octets[0] % 4 == 0:
            small.power()
            assert small.read() == small.array
    assert small.number("wrong_cnt").value == 0
    assert sum(small.erase_cnt) > 20


def test_every_cut(small: Part) -> None:
    """Power fails at each operation of writes that fill both sectors, in three ways; the log works afterwards."""
    writes = writes_of(random.Random(SEED + 1), 21, 45)

    def run(cut: int, how: int) -> int:
        small.blank()
        if cut:
            small.cut(cut, how)
        for address, octets in writes:
            small.write_through(address, octets)
            assert small.read() == small.array
        small.power()
        assert small.read() == small.array
        return small.number("operation_cnt").value

    operation_cnt = run(0, 0)
    assert min(small.erase_cnt) >= 2
    for cut in range(1, operation_cnt + 1):
        for how in range(3):
            run(cut, how)


@seed(SEED)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.binary(min_size=1, max_size=21), st.integers(0, 40), st.integers(0, 1 << 30)),
        max_size=60,
    )
)
def test_any_cuts(small: Part, steps: Sequence[tuple[int, bytes, int, int]]) -> None:
    """Power may fail again after a failure."""
    small.blank()
    for address, octets, cut, how in steps:
        if cut:
            small.cut(cut, how)
        small.write_through(address, octets[: 21 - address])
        assert small.read() == small.array
        assert small.read(address, 21 - address) == small.array[address:]
    small.power()
    assert small.read() == small.array


def test_a_part_that_fails_once(small: Part) -> None:
    """The write reports the failure, none of it is readable, and the next write succeeds."""
    writes = writes_of(random.Random(SEED + 2), 21, 30)
    for fail_at in range(1, 250):
        small.blank()
        small.number("fail_at").value = fail_at
        for address, octets in writes:
            small.write(address, octets)
            assert small.read() == small.array
        small.number("fail_at").value = 0
        assert small.write(0, bytes(range(1, 22))) and small.read() == bytes(range(1, 22))


def test_what_is_there_already_is_not_written(small: Part) -> None:
    small.blank()
    assert small.write(0, b"once")
    operation_cnt = small.number("operation_cnt").value
    assert small.write(0, b"once") and small.write(10, bytes(4))
    assert small.number("operation_cnt").value == operation_cnt


def test_wear(make: Make) -> None:
    """The address book on the board of port cortex_m: a sector lasts for more than a thousand contacts."""
    part = make(1024, 0x20000)
    random_ = random.Random(SEED + 3)
    for i in range(10_000):
        assert part.write(72 * (i % 14), random_.randbytes(72))
    assert part.read() == part.array
    assert sum(part.erase_cnt) <= 10 and abs(part.erase_cnt[0] - part.erase_cnt[1]) <= 1
    assert part.number("wrong_cnt").value == 0


def test_another_build_has_another_size(make: Make) -> None:
    """Octets that both builds have stay; new ones are zero."""
    parts = [make(size, 256) for size in (21, 40, 13)]
    octets = bytes(range(1, 22))
    assert parts[0].write(0, octets)
    for part in parts[1:]:
        ctypes.memmove(part.words, parts[0].words, ctypes.sizeof(part.words))
        part.power()
        assert part.read() == (octets + bytes(40))[: part.size]
        part.array[:] = part.read()
        for address, more in writes_of(random.Random(SEED + 4), part.size, 40):
            assert part.write(address, more) and part.read() == part.array
