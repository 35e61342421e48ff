# SPDX-License-Identifier: MIT
"""Systems compared on the emulated PC: the image, and a Debian guest with nginx or with Apache."""

from pathlib import Path

from whit.image.build import build
from whit.image.build_result import BuildResult
from whit.paths import BUILD
from whit_lab.experiments.pc import pages
from whit_lab.instruments.served import application_of
from whit_lab.real import debian
from whit_lab.real.counted_pc import System
from whit_lab.real.guest import DYNAMIC, STATIC
from whit_lab.real.relay import CLIENT

OURS = "Whit"
THEIRS = tuple(STATIC)
CONNECTIONS = 256


def application() -> Path:
    return application_of("pc", {pages.NAME: pages.FILE.body})


def image(*, log: bool = False, connections: int = CONNECTIONS, idle: int | None = None) -> BuildResult:
    settings = {"connections": connections} | ({} if idle is None else {"idle": idle})
    return build(application(), target="pc", log=log, overrides=settings)


def system(name: str) -> System:
    """Returns a system for files alone."""
    if name == OURS:
        return System(image().image)
    return debian.system(STATIC[name], {pages.NAME: pages.FILE.body})


def dynamic_image() -> BuildResult:
    password = BUILD / "lab" / "pages.password"
    password.parent.mkdir(parents=True, exist_ok=True)
    password.write_text(f"{pages.PASSWORD}\n")
    there = {"address": CLIENT, "port": pages.PORT, "password": f"file:{password}"}
    settings = {"connections": CONNECTIONS, **{f"database.{key}": value for key, value in there.items()}}
    return build(application_of("pc-pages", pages.files(php=False)), target="pc", log=False, overrides=settings)


def dynamic_system(name: str) -> System:
    """Returns a system for files and for pages from the database. Others than Whit have PHP."""
    if name == OURS:
        return System(dynamic_image().image)
    return debian.system(DYNAMIC[name], pages.files(php=True))
