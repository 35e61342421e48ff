# SPDX-License-Identifier: MIT
"""Writes length and checksum into a PC's image. At its start, the image checks by them that it is complete. Extends the
disk's file to the size of a disk: firmware refuses a disk that is shorter than a cylinder.

The build runs `python seal.py IMAGE.elf IMAGE.img` (ports/pc/port.cmake). Standard library only. Both files hold the
same octets from the boot sector on. The sector itself belongs to the disk and is not in the sum.
"""

import os
import struct
import sys
import zlib
from pathlib import Path

PLACE = b"WhitSeal"  # ports/pc/start.S
BOOT_SECTOR_LEN = 512
DISK_UNIT = 1 << 20


def seal(elf: Path, disk: Path) -> None:
    image = bytearray(disk.read_bytes())
    place = image.find(PLACE, BOOT_SECTOR_LEN)
    if place < 0 or image.find(PLACE, place + 1) >= 0:
        raise SystemExit(f"{disk}: expected {PLACE.decode()} once")
    crc = zlib.crc32(image[place + len(PLACE) :], zlib.crc32(image[BOOT_SECTOR_LEN:place]))
    sealed = struct.pack("<II", crc, len(image))
    program = elf.read_bytes()
    if program.count(image) != 1:
        raise SystemExit(f"{elf}: expected the bytes of {disk} once")
    image[place : place + len(PLACE)] = sealed
    at = program.find(PLACE)
    elf.write_bytes(program[:at] + sealed + program[at + len(PLACE) :])
    disk.write_bytes(image)
    os.truncate(disk, -(-len(image) // DISK_UNIT) * DISK_UNIT)


if __name__ == "__main__":
    seal(Path(sys.argv[1]), Path(sys.argv[2]))
