# SPDX-License-Identifier: MIT
"""Memory that ends at a page which cannot be touched: a read or write beyond it kills the process."""

from __future__ import annotations

import mmap
import platform
from typing import Any

from cffi import FFI

_ffi = FFI()
_ffi.cdef("""
    void *mmap(void *address, size_t length, int protection, int flags, int fd, long offset);
    int mprotect(void *address, size_t length, int protection);
    int munmap(void *address, size_t length);
""")
_libc: Any = _ffi.dlopen(None)
_PROT_NONE = 0
_MAP_ANONYMOUS = 0x1000 if platform.system() == "Darwin" else 0x20


class Guard:
    """`capacity` bytes before a page without access. `place` puts bytes so that they end at it."""

    def __init__(self, capacity: int = 65536) -> None:
        page = mmap.PAGESIZE
        self.capacity = -(-capacity // page) * page
        self._length = self.capacity + page
        access = mmap.PROT_READ | mmap.PROT_WRITE
        self._base = _libc.mmap(_ffi.NULL, self._length, access, mmap.MAP_PRIVATE | _MAP_ANONYMOUS, -1, 0)
        if int(_ffi.cast("intptr_t", self._base)) == -1:
            raise MemoryError("no memory for a guard page")
        self._end = _ffi.cast("uint8_t *", self._base) + self.capacity
        if _libc.mprotect(self._end, page, _PROT_NONE) != 0:
            raise MemoryError("a guard page cannot be protected")

    def place(self, octets: bytes) -> int:
        """Copies `octets` to the end and returns their address."""
        start = self._end - len(octets)
        _ffi.memmove(start, octets, len(octets))
        return int(_ffi.cast("uintptr_t", start))

    def close(self) -> None:
        if self._base != _ffi.NULL:
            _libc.munmap(self._base, self._length)
            self._base = _ffi.NULL
