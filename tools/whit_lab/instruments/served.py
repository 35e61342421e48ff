# SPDX-License-Identifier: MIT
"""Applications for measurements: files of known sizes that no coding shortens."""

import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from whit.paths import BUILD, ROOT

APPLICATIONS = BUILD / "lab" / "apps"
BIG = 57254  # bytes
SEVERAL = (4000, 8000, 12000)  # 3, 6 and 9 full-size segments
SMALL, LARGE = 600, 8192  # bytes written by the generators of lab/strategies


def files_application(sizes: Sequence[int] = (BIG, *SEVERAL)) -> Path:
    """A directory with one file N.bin for each size."""
    usual = tuple(sizes) == (BIG, *SEVERAL)
    there = APPLICATIONS / ("files" if usual else "_".join(("files", *map(str, sizes))))
    there.mkdir(parents=True, exist_ok=True)
    for size in sizes:
        _write(there / f"{size}.bin", content(size))
    return there


def application_of(name: str, files: Mapping[str, bytes]) -> Path:
    """Makes a directory with exactly these files. Equal files stay untouched: another process may be building them."""
    there = APPLICATIONS / name
    there.mkdir(parents=True, exist_ok=True)
    for path in there.iterdir():
        if path.name not in files:
            path.unlink()
    for file, octets in files.items():
        _write(there / file, octets)
    return there


def content(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def strategies_application(alone: str = "") -> Path:
    """Returns lab/strategies with the file of S0: the same bytes as the generators'. `alone`: the only generator."""
    sources = {path.name: path.read_bytes() for path in (ROOT / "lab" / "strategies").iterdir()}
    files = {**sources, "s0_8k.bin": generated(LARGE)}
    if alone:
        settings, _, _ = files["app.toml"].partition(b"\n[stored")
        files = {"app.toml": settings, **{name: files[name] for name in ("content.h", f"{alone}.c")}}
    return application_of(alone or "strategies", files)


def generated(size: int) -> bytes:
    """Returns the bytes that the generators of lab/strategies write."""
    return bytes((index * 2654435761 & 0xFFFFFFFF) >> 24 for index in range(size))


def _write(path: Path, octets: bytes) -> None:
    """Writes a file atomically: another process may write the same."""
    if not path.exists() or path.read_bytes() != octets:
        made = path.parent.with_name(f"{path.parent.name}.{path.name}.{os.getpid()}")
        made.write_bytes(octets)
        made.replace(path)
