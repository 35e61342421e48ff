# SPDX-License-Identifier: MIT
"""The engine of a Linux image at a pipe, under callgrind, as a server that a net drives: lab/frames.c.

Instructions are counted between two commands; no clock takes part.
"""

import struct
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from whit.errors import WhitError
from whit.image.build import build
from whit.paths import BUILD
from whit_lab.instruments.instructions import Cost, link, read_costs
from whit_testbed.engine import Identity

TURN, SAID = struct.Struct("<IHH"), struct.Struct("<II")
CALLGRIND = ("valgrind", "--quiet", "--tool=callgrind")
END_S = 60  # time limit for the program to write its counts


class Piped:
    """One engine. It counts within `counting` only."""

    link, identity, driver_refuses = "ethernet", Identity(), False

    def __init__(self, program: Path, key: Path, profile: Path) -> None:
        self.now_ms = 1000
        self.on_frame: Callable[[bytes], None] | None = None
        self.frames_wait = False
        self._counting, self._profile, self._next_ms = False, profile, 0
        words = [*CALLGRIND, f"--callgrind-out-file={profile}", "--toggle-collect=measured_turn"]
        words += [str(program), str(key)]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.tick()

    @contextmanager
    def counting(self) -> Iterator[None]:
        self._counting = True
        yield
        self._counting = False

    def ended(self) -> Cost:
        """Ends the engine. Returns the counted instructions."""
        self._process.communicate(timeout=END_S)
        return read_costs(self._profile)

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def limit(self, frames: int) -> None:
        """The driver takes every frame."""

    def next_ms(self) -> int:
        return self._next_ms

    def tick(self) -> None:
        self.frame_in(b"")

    def frame_in(self, frame: bytes, split: int | Sequence[int] | None = None) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(TURN.pack(self.now_ms & 0xFFFFFFFF, len(frame), self._counting) + frame)
        self._process.stdin.flush()
        said = self._process.stdout.read(SAID.size)
        if len(said) < SAID.size:
            raise WhitError("lab: lab/frames.c ended", 1)
        self._next_ms, length = SAID.unpack(said)
        octets, at = self._process.stdout.read(length), 0
        while at < length:
            end = at + 2 + int.from_bytes(octets[at : at + 2], "little")
            if self.on_frame:
                self.on_frame(octets[at + 2 : end])
            at = end


@contextmanager
def piped(program: Path, key: bytes) -> Iterator[Piped]:
    """Starts a program of `made`. It has ended at the end of the block, counted or not."""
    with TemporaryDirectory(prefix="piped-", dir=program.parent) as own:
        secret = Path(own, "key")
        secret.touch(0o600)
        secret.write_bytes(key)
        engine = Piped(program, secret, Path(own, "callgrind"))
        try:
            yield engine
        finally:
            engine.kill()


def made(application: Path, overrides: dict[str, object]) -> tuple[Path, str]:
    """Returns the program for an application, and the compiler."""
    built = build(application, target="linux", optimize="-O2", overrides=overrides, log=False)
    there = BUILD / "lab" / "piped"
    there.mkdir(parents=True, exist_ok=True)
    program = there / application.name
    return program, link(built, program, "frames.c")
