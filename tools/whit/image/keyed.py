# SPDX-License-Identifier: MIT
"""Writes the key of HTTPS into an image (ports/common/key.c). A build produces images without a key."""

import struct
import subprocess
import tempfile
from pathlib import Path

from whit.errors import WhitError
from whit.image import seal
from whit.image.build_result import BuildResult
from whit.image.symbols import symbols
from whit.targets import find_target

PLACE = b"\xff" * 20 + b"WhitKeyPlace"


def keyed(result: BuildResult, key: bytes, *, suffix: str) -> bytes:
    """The octets of the image, or of the file to flash, whichever ends so."""
    target = find_target(result.target)
    image = result.image.read_bytes()
    if suffix == result.image.suffix and target.port != "pc":
        return _put(result.image, image, key)
    assert result.flashable is not None
    if suffix == ".hex":  # text, written again
        return _hex(f"{target.toolchain}objcopy", _put(result.image, image, key))
    if target.port != "pc":
        return _put(result.flashable, result.flashable.read_bytes(), key)
    with tempfile.TemporaryDirectory() as directory:  # readable by its owner alone
        elf, disk = Path(directory, "image.elf"), Path(directory, "image.img")
        for path, octets in zip((elf, disk), _unsealed(result, image, result.flashable.read_bytes()), strict=True):
            path.write_bytes(_put(path, octets, key))
        seal.seal(elf, disk)
        return (elf if suffix == result.image.suffix else disk).read_bytes()


def _unsealed(result: BuildResult, elf: bytes, disk: bytes) -> tuple[bytes, bytes]:
    """Returns a PC's image and disk without their sum and the padding of the disk's file."""
    places = symbols(result, "image_seal", "image_start")
    at = places["image_seal"] - places["image_start"]
    sealed = disk[at : at + len(seal.PLACE)]
    (length,) = struct.unpack_from("<I", sealed, 4)
    return elf.replace(sealed, seal.PLACE), disk[:length].replace(sealed, seal.PLACE)


def _put(path: Path, octets: bytes, key: bytes) -> bytes:
    if octets.count(PLACE) != 1:
        raise WhitError(f"{path}: expected the place of a key once, found it {octets.count(PLACE)} times")
    return octets.replace(PLACE, key)


def _hex(objcopy: str, elf: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        image, made = Path(directory, "image.elf"), Path(directory, "image.hex")
        image.write_bytes(elf)
        subprocess.run([objcopy, "-O", "ihex", "-R", ".eeprom", str(image), str(made)], check=True)
        return made.read_bytes()
