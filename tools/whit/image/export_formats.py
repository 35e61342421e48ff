# SPDX-License-Identifier: MIT
"""The files that each build system needs in addition to the sources."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from whit.errors import WhitError
from whit.paths import ROOT
from whit.setup.version import version
from whit.suggest import did_you_mean
from whit.targets import AVR as AVR_TARGET
from whit.targets import Target

if TYPE_CHECKING:
    from whit.image.export import Exported

CMAKE = ROOT / "cmake" / "package"
ARDUINO = ROOT / "ports" / "arduino"
AVR = ROOT / "ports" / "avr"


# Whole programs: of a Linux process, and the template of a board's.
def _host() -> tuple[Path, ...]:
    """Returns the sources that ports/linux/port.cmake compiles, and their headers."""
    named = re.findall(r"\b((?:ports|drivers)/[\w/]+)\.c\b", (ROOT / "ports" / "linux" / "port.cmake").read_text())
    sources = [ROOT / f"{name}.c" for name in named if name != "drivers/template"]
    beside = [file.with_suffix(".h") for file in sources]
    beside += [file.parent / name for file in sources for name in re.findall(r'#include "(\w+\.h)"', file.read_text())]
    return (*sources, *sorted({file for file in beside if file.exists()}))


PROGRAMS = {
    "linux": _host(),
    "board": (
        *(path for path in sorted((ROOT / "ports" / "template").iterdir()) if path.name != "port.cmake"),
        *sorted((ROOT / "ports" / "common").glob("*.[ch]")),
        ROOT / "drivers" / "template.c",
    ),
}
# Files beside the sketch of the example. SLIP is for an ATmega: the files of the AVR's port that fit its core.
TABS = {
    "slip": (
        ARDUINO / "serial.cpp",
        ARDUINO / "atmega.cpp",
        *(AVR / name for name in ("port.h", "entropy.c", "persistent.c", "eeprom.c")),
    ),
    "ethernet": (ROOT / "drivers" / "template.c", ARDUINO / "machine.cpp"),
}
# ... and the boards for manifests.
BOARDS = {
    "slip": {"ARCHITECTURES": "avr", "PLATFORMS": "atmelavr"},
    "ethernet": {"ARCHITECTURES": "*", "PLATFORMS": "*"},
}


@dataclass(frozen=True)
class Format:
    """A format. `link`: the default link. `machine`: its files are written too, with that link; None: no machine's."""

    link: str
    write: Callable[["Exported"], None]
    machine: Target | None = None


def find(name: str) -> Format:
    """Returns the format. WhitError lists the formats."""
    if name not in FORMATS:
        raise WhitError(f"--format {name}: expected one of {', '.join(FORMATS)}{did_you_mean(name, FORMATS)}")
    return FORMATS[name]


def _write_cmake(exported: "Exported") -> None:
    sources = "\n".join(f"    {source.replace('src/', '${whit_src}/', 1)}" for source in exported.sources)
    image = re.sub(r"[^A-Za-z0-9_-]+", "-", exported.application.name)
    for name in (path.name for path in sorted(CMAKE.iterdir())):
        _fill(CMAKE / name, exported.directory / name, exported, SOURCES=sources, IMAGE=image)
    for directory, sources_of in PROGRAMS.items():
        (exported.directory / directory).mkdir()
        for path in sources_of:
            shutil.copy(path, exported.directory / directory)


def _write_library(exported: "Exported") -> None:
    """Writes one layout for both Arduino and PlatformIO."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", exported.application.name).strip("_") or "app"
    sketch = plain[0].upper() + plain[1:]
    tabs = TABS[exported.link]
    board = exported.application.board
    words = {
        "TITLE": f"Whit_{plain}",
        "SKETCH": sketch,
        "TABS": ", ".join(f'"{name}"' for name in (f"{sketch}.ino", *(tab.name for tab in tabs))),
        "ADDRESS": ".".join(map(str, board.address)),
        "BAUD": str(board.baud),
        **BOARDS[exported.link],
    }
    for name in ("library.properties", "library.json", "README.md"):
        _fill(ARDUINO / "package" / name, exported.directory / name, exported, **words)
    example = exported.directory / "examples" / sketch
    _fill(ARDUINO / f"{exported.link}.ino", example / f"{sketch}.ino", exported, **words)
    for tab in tabs:
        shutil.copy(tab, example)


def _fill(template: Path, to: Path, exported: "Exported", **more: str) -> None:
    """Copies with the words in @SIGNS@ replaced."""
    words = {"NAME": exported.application.name, "LINK": exported.link, "VERSION": version(), **more}
    if template.suffix == ".json":
        words["NAME"] = json.dumps(words["NAME"])[1:-1]
    text = re.sub(r"@([A-Z]+)@", lambda match: words[match[1]], template.read_text(encoding="utf-8"))
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(text, encoding="utf-8")


FORMATS = {
    "cmake": Format("ethernet", _write_cmake),
    "platformio": Format("slip", _write_library, AVR_TARGET),
    "arduino": Format("slip", _write_library, AVR_TARGET),
}
