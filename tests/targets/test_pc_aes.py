# SPDX-License-Identifier: MIT
"""AES of the PC's keyed hash, on this machine's processor, which has the required instructions."""

import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cffi import FFI

from whit.paths import ROOT

CPU = Path("/proc/cpuinfo")
pytestmark = pytest.mark.skipif(
    not CPU.exists() or " aes " not in CPU.read_text() or shutil.which("gcc") is None,
    reason="no x86 processor with AES, or no gcc",
)

ffi = FFI()
ffi.cdef("""
    void aes_expand(uint32_t *to, const uint32_t key[4]);
    void aes_encrypt(const uint32_t *key, uint32_t x, uint32_t y, uint32_t *low, uint32_t *high);
""")
EXPANDED_LEN, ALIGNED = 176, 16


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = tmp_path_factory.mktemp("aes") / "aes.so"
    source = ROOT / "ports" / "pc" / "aes.c"
    subprocess.run(["gcc", "-O2", "-fPIC", "-shared", str(source), "-o", str(made)], check=True)
    return ffi.dlopen(str(made))


def expanded(library: Any, key: bytes) -> Any:
    room = ffi.new("char[]", EXPANDED_LEN + ALIGNED)
    at = int(ffi.cast("uintptr_t", room))
    words = ffi.cast("uint32_t *", at + -at % ALIGNED)
    library.aes_expand(words, struct.unpack("<4I", key))
    return room, words


def test_key_expansion_of_the_standard(library: Any) -> None:
    """FIPS 197, appendix A.1."""
    room, words = expanded(library, bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"))
    last = bytes(ffi.buffer(words, EXPANDED_LEN))[-16:]
    assert last.hex() == "d014f9a8c9ee2589e13f0cc8b6630ca6"
    del room


@pytest.mark.parametrize(
    ("key", "block", "half"),
    [
        ("00000000000000000000000000000000", "0000000000000000", "66e94bd4ef8a2c3b"),
        ("00000000000000000000000000000000", "8000000000000000", "3ad78e726c1ec02b"),
        ("00000000000000000000000000000000", "ffffffffffffffff", "f807c3e7985fe0f5"),
    ],
)
def test_blocks(library: Any, key: str, block: str, half: str) -> None:
    """Known answers of AESAVS, appendix D (variable plaintext): those whose other half is zero."""
    room, words = expanded(library, bytes.fromhex(key))
    x, y = struct.unpack("<2I", bytes.fromhex(block))
    found = ffi.new("uint32_t[2]")
    library.aes_encrypt(words, x, y, found, found + 1)
    assert struct.pack("<2I", *found).hex() == half
    del room
