# SPDX-License-Identifier: MIT
"""Checks the includes that each directory may have (DESIGN.md section 7). The pages must name the same layers of the
engine, and the engine must know no target (invariant 8)."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
C_LIBRARY = {"stdbool.h", "stddef.h", "stdint.h", "string.h", "limits.h"}
LIMITS = {"whit_limits.h"}
HEADS = {"whit_head.h"}

# Files that a directory may include besides its own. None: all files.
MAY_INCLUDE: dict[str, set[str] | None] = {
    "include/whit": {
        *(C_LIBRARY | LIMITS),
        *("whit/app.h", "whit/client.h", "whit/config.h", "whit/port.h", "whit/public.h"),
        *("whit_flash.h", "whit_persistent.h"),
        *("whit/database.h", "whit/page.h", "whit_statements.h"),
    },
    "engine": {
        *(C_LIBRARY | LIMITS | HEADS),
        *("whit/app.h", "whit/client.h", "whit/config.h", "whit/crypto.h", "whit/driver.h", "whit/engine.h"),
        *("whit/http_get.h", "whit/page.h", "whit/port.h", "whit/public.h", "whit/service.h"),
    },
    "database": {
        *C_LIBRARY,
        *("whit/client.h", "whit/config.h", "whit/database.h", "whit/port.h", "whit/row.h", "whit_database.h"),
        *("bearssl_hash.h", "monocypher.h"),
    },
    "apps": C_LIBRARY
    | {"whit/app.h", "whit/client.h", "whit/database.h", "whit/http_get.h", "whit/page.h", "whit_stored.h"}
    | {"whit/row.h"},
    "drivers": None,
    "ports": None,
}
# Drivers and ports include no other headers of the project than these contracts.
CONTRACTS = {
    *("whit/config.h", "whit/crypto.h", "whit/database.h", "whit/driver.h", "whit/engine.h", "whit/port.h"),
    *("whit_flash.h", "whit_limits.h"),
}

# The engine's layers, from the lowest: a folder each. A file includes headers of its own layer and of those below; of
# these, LAYER.h, and all of the lowest. The files of engine/ itself are the uppermost layer.
LAYERS = ("core", "tls", "wss", "recovery", "net", "outgoing", "response", "http", "tcp")
LAYERS_CNT = "nine"

TARGET = re.compile(
    r"^\s*#\s*(?:el)?if.*\b(__\w*(?:AVR|avr|arm|ARM|thumb|x86|i386|riscv|linux|unix|APPLE|GNUC|clang)\w*|_WIN32|_MSC_VER)\b"
)
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')


def sources(directory: str) -> Iterator[Path]:
    for suffix in ("*.c", "*.h"):
        yield from sorted((ROOT / directory).rglob(suffix))


def is_own(path: Path, name: str, directory: str) -> bool:
    """A file beside it, or of its directory's private include path."""
    return (path.parent / name).exists() or (directory == "engine" and (ROOT / "engine" / name).exists())


def violations(directory: str, allowed: set[str] | None) -> Iterator[str]:
    for path in sources(directory):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            where = f"{path.relative_to(ROOT)}:{number}"
            if directory in ("engine", "include/whit") and TARGET.match(line):
                yield f"{where}: a target in the engine; it belongs into ports/ or drivers/"
            match = INCLUDE.match(line)
            if match is None or is_own(path, match[1], directory):
                continue
            name = match[1]
            if allowed is not None and name not in allowed:
                yield f"{where}: {directory} may not include {name}"
            if allowed is None and name not in CONTRACTS | C_LIBRARY and (ROOT / "engine" / name).exists():
                yield f"{where}: {directory} may not include the engine's private {name}"
            if allowed is None and name == "whit/app.h":
                yield f"{where}: {directory} may not include whit/app.h, which is for applications"


def upward() -> Iterator[str]:
    """Yields includes of the engine that do not go down, or that bypass a layer's interface."""
    for path in sources("engine"):
        place = path.parent.relative_to(ROOT / "engine").as_posix()
        if place not in (".", *LAYERS):
            yield f"{path.relative_to(ROOT)}: expected in a layer, one of {', '.join(LAYERS)}"
            continue
        height = LAYERS.index(place) if place != "." else len(LAYERS)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'#include "(?:\.\./)?(\w+)/([\w.]+)"', line)
            if match is None or match[1] == "whit":
                continue
            where = f"{path.relative_to(ROOT)}:{number}"
            if match[1] not in LAYERS:
                yield f"{where}: {match[1]} is no layer of the engine"
            elif LAYERS.index(match[1]) >= height:
                yield f"{where}: {place} lies below {match[1]}, and may not include {match[2]}"
            elif match[1] != "core" and match[2] != f"{match[1]}.h":
                yield f"{where}: {match[2]} is for the files of {match[1]} only"


def documented() -> Iterator[str]:
    """Yields a line for each page whose layers differ from LAYERS."""
    line = re.search(r"^engine/ +the engine, in (\w+) layers: (.*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    if line is None or (line[1], tuple(line[2].split(", "))) != (LAYERS_CNT, LAYERS):
        yield f"README.md: expected engine/ in {LAYERS_CNT} layers: {', '.join(LAYERS)}"
    design = (ROOT / "DESIGN.md").read_text()
    if f"in {LAYERS_CNT} layers" not in design:
        yield f"DESIGN.md: expected engine/ in {LAYERS_CNT} layers"
    rows = re.findall(r"^\| `(\w+)` \| .* \|$", design.partition("| layer |")[2].partition("\n\n")[0], re.MULTILINE)
    if tuple(rows) != LAYERS:
        yield f"DESIGN.md, the layers of the engine: expected {', '.join(LAYERS)}"


def main() -> int:
    found = [*upward(), *documented()]
    found += [text for directory, allowed in MAY_INCLUDE.items() for text in violations(directory, allowed)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
