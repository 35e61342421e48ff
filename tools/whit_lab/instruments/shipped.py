# SPDX-License-Identifier: MIT
"""Sizes of the address book's images, each with its target's settings, as in `./whit report` and `./whit run`.

README.md and docs/ have these numbers.
"""

from collections.abc import Iterator, Mapping

from whit.image.build import build
from whit.image.cost import PLANNED
from whit.image.sizes import ENGINE, FILES, HANDLERS, measure
from whit.image.stack import analyse
from whit.paths import ROOT
from whit_lab.experiment import Beside

CONTACTS = ROOT / "apps" / "contacts"
DEVICES = ("avr", "cortex-m", "riscv", "gba", "pc")


def figures() -> Iterator[Beside]:
    """Yields the sizes of the devices' images, and of the program for Linux."""
    for target in DEVICES:
        built = build(CONTACTS, target=target)
        sizes = measure(built.image, built.map)
        octets = {
            "the engine's flash": sizes.parts[ENGINE].flash,
            "all flash": sizes.flash,
            "files and tables": sizes.parts[FILES].flash,
            "variables": sizes.ram,
            "stack, proven": analyse(built).len,
        }
        octets |= {what: sizes.engine_objects.get(symbol, 0) for symbol, what in PLANNED.items()}
        yield from _named(target, octets)
    built = build(CONTACTS, target="linux")
    sizes = measure(built.image, built.map)
    parts = {"the engine's flash": ENGINE, "files and tables": FILES, "handlers": HANDLERS}
    ram = sum(sizes.parts[part].ram for part in parts.values())
    yield from _named("linux", {what: sizes.parts[part].flash for what, part in parts.items()} | {"variables": ram})


def _named(target: str, octets: Mapping[str, int]) -> Iterator[Beside]:
    for what, count in octets.items():
        word = what.partition(",")[0].removeprefix("the engine's ").removeprefix("all ").replace(" ", "_")
        word = f"engine_{word}" if what.startswith("the engine's") else word
        name = f"shipped_{word}_{target.replace('-', '_')}"
        yield Beside(name, f"the address book as shipped, {target}: {what}", count, "B")
