# SPDX-License-Identifier: MIT
"""An emulated device after power-on, with its persistent memory, and the line to it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whit.image.build import BuildResult
from whit.machines.emulator import build_machine
from whit_testbed.machine import Line, Machine

BOOT_S = 1.0  # until the image listens


@contextmanager
def powered(built: BuildResult, kept: bytes, *, hz: int = 0, delay_us: int = 0) -> Iterator[Line]:
    """Starts the device. kept: contents of all its persistent memory. hz: processor clock, if the image does not name
    it."""
    library = build_machine(built.target).with_name(f"libwhit_{built.target}.so")
    with tempfile.TemporaryDirectory(prefix="whit-") as directory:
        persistent = Path(directory) / "persistent"
        persistent.write_bytes(kept)
        image = built.flashable if built.target == "gba" else built.image
        assert image is not None
        with Machine(library, image, hz=hz, seed=1, persistent=persistent) as machine:
            line = Line(machine, bytes(built.application.board.address), delay_us=delay_us)
            line.idle(BOOT_S)
            yield line
