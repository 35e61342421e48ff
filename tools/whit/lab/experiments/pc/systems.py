# SPDX-License-Identifier: MIT
"""What is compared on the emulated PC: the image, and a Debian guest with nginx or with Apache."""

from pathlib import Path

from whit.image.build import build
from whit.image.build_result import BuildResult
from whit.lab.experiments.pc.cost import FILE, NAME
from whit.lab.instruments.served import application_of
from whit.real import debian
from whit.real.counted_pc import System

OURS = "Whit"
THEIRS = tuple(debian.NAMES)
CONNECTIONS = 256


def application() -> Path:
    return application_of("pc", {NAME: FILE})


def image(*, log: bool = False, connections: int = CONNECTIONS, idle: int | None = None) -> BuildResult:
    settings = {"connections": connections} | ({} if idle is None else {"idle": idle})
    return build(application(), target="pc", log=log, overrides=settings)


def system(name: str) -> System:
    return System(image().image) if name == OURS else debian.system(name, {NAME: FILE})
