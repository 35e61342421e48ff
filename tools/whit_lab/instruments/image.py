# SPDX-License-Identifier: MIT
"""The engine's part of a device's image, in bytes: flash by group of its files, RAM by purpose.

Three parts are the engine's flash: sections of objects made from engine/, the table of HTTP's own words, and members of
the C library. The application compiler writes that table; it is the same for every application. Library members count
if an object of the engine refers to them, with all that these need.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from whit.errors import WhitError
from whit.image.build import BuildResult, build
from whit.image.cost import PLANNED, SLOTS, TAGS, engine_globals
from whit.image.groups import C_LIBRARY, GROUPS
from whit.image.sizes import ENGINE, FILES, HANDLERS, LIBRARY, Sizes, is_code, measure, part_of, read_map
from whit.image.stack import analyse

MEMORY = "whit_memory.dir/"  # functions of the C library in ports/common
ARM = ("arm-none-eabi-gcc", "gcc-arm-none-eabi libnewlib-arm-none-eabi")
COMPILERS = {"avr": ("avr-gcc", "gcc-avr avr-libc"), "cortex-m": ARM, "gba": ARM}

_MEMBER = re.compile(r"^(\S+\(\S+\))$")
_REFERRER = re.compile(r"^\s+(\S+) \(\S+\)$")


@dataclass(frozen=True)
class Footprint:
    """Sizes of one image."""

    built: BuildResult
    sizes: Sizes
    flash: Mapping[str, int]  # of the engine, by group

    @property
    def engine_flash(self) -> int:
        return sum(self.flash.values())

    @property
    def engine_globals(self) -> int:
        """RAM without slots, tags and the shared buffer."""
        return engine_globals(self.sizes)

    @property
    def slot(self) -> int:
        return self.sizes.engine_objects[SLOTS] // self.built.application.limits.connections

    @property
    def idle(self) -> int:
        return self.sizes.engine_objects[TAGS] // self.built.application.limits.idle

    @cached_property
    def stack(self) -> int:
        """Stack in the proven worst case."""
        return analyse(self.built).len

    @property
    def ram(self) -> int:
        return self.sizes.ram + self.stack

    @property
    def ram_parts(self) -> dict[str, int]:
        planned = {what: self.sizes.engine_objects.get(symbol, 0) for symbol, what in PLANNED.items()}
        application = self.sizes.parts[FILES].ram + self.sizes.parts[HANDLERS].ram
        return {
            "stack": self.stack,
            "engine's state": self.engine_globals,
            **planned,
            "application": application,
            "port, driver": self.sizes.ram - self.sizes.parts[ENGINE].ram - application,
        }


def look(
    application: str | Path,
    target: str,
    settings: Mapping[str, object] | None = None,
    *,
    link: str | None = None,
    one_unit: bool = True,
) -> Footprint:
    """Builds an image for the smallest size and measures it."""
    program, packages = COMPILERS[target]
    if shutil.which(program) is None:
        raise WhitError(f"lab: {program} not found, for {target}; install it with: apt-get install {packages}")
    built = build(
        application,
        target=target,
        link=link,
        overrides=settings,
        optimize="-Os",
        one_unit=one_unit,
        check_budget=False,
    )
    sizes = measure(built.image, built.map)
    members = _engine_members(built.map)
    needed = [one for one in read_map(built.map) if one.object_file in members or MEMORY in one.object_file]
    library = sum(section.size for section in needed if is_code(section))
    order = [group for group in GROUPS if group in sizes.engine_groups]
    flash = {group: sizes.engine_groups[group] for group in (*order, *(sizes.engine_groups.keys() - order))}
    return Footprint(built, sizes, flash | {C_LIBRARY: min(library, sizes.parts[LIBRARY].flash)})


def _engine_members(linker_map: Path) -> set[str]:
    """Returns the members of libraries that the engine's objects need, directly or through one another.

    The linker names only the first referrer of each member. Engine objects come first in its command: a member that the
    engine needs is named with the engine.
    """
    referrers: dict[str, str] = {}
    member = ""
    for line in linker_map.read_text(errors="replace").splitlines():
        if line.startswith("Discarded input sections"):
            break
        if found := _MEMBER.match(line):
            member = found[1]
        elif member and (found := _REFERRER.match(line)):
            referrers[member] = found[1]
            member = ""
    ours: set[str] = set()
    for _ in referrers:  # each round finds one more, or nothing changes
        ours |= {name for name, by in referrers.items() if part_of(by) == ENGINE or by in ours}
    return ours
