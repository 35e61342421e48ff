# SPDX-License-Identifier: MIT
"""Who may include whom (DESIGN.md, the house), that the pages say the same of the engine's floors, and that the engine
knows no target (invariant 8)."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
C_LIBRARY = {"stdbool.h", "stddef.h", "stdint.h", "string.h", "limits.h"}
LIMITS = {"whit_limits.h"}
HEADS = {"whit_head.h"}

# What a file of a directory may include beside files of its own directory. None: everything.
MAY_INCLUDE: dict[str, set[str] | None] = {
    "include/whit": {
        *(C_LIBRARY | LIMITS),
        *("whit/app.h", "whit/client.h", "whit/port.h", "whit/public.h", "whit_flash.h", "whit_persistent.h"),
        *("whit/database.h", "whit/page.h", "whit_statements.h"),
    },
    "engine": {
        *(C_LIBRARY | LIMITS | HEADS),
        *("whit/app.h", "whit/client.h", "whit/crypto.h", "whit/driver.h", "whit/engine.h", "whit/http_get.h"),
        *("whit/page.h", "whit/port.h", "whit/public.h", "whit/service.h"),
    },
    "database": {
        *C_LIBRARY,
        *("whit/client.h", "whit/database.h", "whit/port.h", "whit/row.h", "whit_database.h"),
        *("bearssl_hash.h", "monocypher.h"),
    },
    "apps": C_LIBRARY
    | {"whit/app.h", "whit/client.h", "whit/database.h", "whit/http_get.h", "whit/page.h", "whit_stored.h"}
    | {"whit/row.h"},
    "drivers": None,
    "ports": None,
}
# Of the project's own headers, drivers and ports use the contracts and no more.
CONTRACTS = {
    *("whit/crypto.h", "whit/database.h", "whit/driver.h", "whit/engine.h", "whit/port.h"),
    *("whit_flash.h", "whit_limits.h"),
}

# The engine's floors, from the lowest. A file includes headers of its own floor and of those below; of these, those
# that they show.
FLOORS = ("base", "tls", "wss", "recovery", "link", "client", "content", "http", "body", "tcp", "front")
FLOORS_CNT = "eleven"
SHOWN = {
    "recovery": {"recovery.h"},
    "link": {"link.h", "rx.h", "rx_sum.h", "segment.h", "walk.h"},
    "tls": {"tls.h"},
    "wss": {"wss.h", "wss_signed.h"},
    "client": {"clients.h"},
    "content": {"content.h", "log.h", "out.h", "sealed.h"},
    "http": {"http.h", "media.h", "parser.h"},
    "body": {"body.h"},
    "tcp": {"tcp.h"},
}

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
    """Includes of the engine that do not go down, or go past what a floor shows."""
    for path in sources("engine"):
        floor = path.parent.name
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'#include "\.\./(\w+)/([\w.]+)"', line)
            if match is None:
                continue
            where = f"{path.relative_to(ROOT)}:{number}"
            if FLOORS.index(match[1]) >= FLOORS.index(floor):
                yield f"{where}: {floor} lies below {match[1]}, and may not include {match[2]}"
            elif match[1] != "base" and match[2] not in SHOWN[match[1]]:
                yield f"{where}: {match[2]} is for the files of {match[1]} only"
    for path in (ROOT / "engine").rglob("*.[ch]"):
        if path.parent.name not in FLOORS or path.parent.parent != ROOT / "engine":
            yield f"{path.relative_to(ROOT)}: expected in a floor, one of {', '.join(FLOORS)}"


def documented() -> Iterator[str]:
    """Where README and DESIGN.md name other floors than there are, or other headers that they show."""
    line = re.search(r"^engine/ +the engine, in (\w+) floors: (.*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    if line is None or (line[1], tuple(line[2].split(", "))) != (FLOORS_CNT, FLOORS):
        yield f"README.md: expected engine/ in {FLOORS_CNT} floors: {', '.join(FLOORS)}"
    design = (ROOT / "DESIGN.md").read_text()
    if f"in {FLOORS_CNT} floors" not in design:
        yield f"DESIGN.md: expected engine/ in {FLOORS_CNT} floors"
    rows = re.findall(
        r"^\| `(\w+)` \| .* \| ([^|]+) \|$", design.partition("| floor |")[2].partition("\n\n")[0], re.MULTILINE
    )
    if tuple(name for name, _ in rows) != FLOORS:
        yield f"DESIGN.md, the floors of the engine: expected {', '.join(FLOORS)}"
    for name, shows in rows:
        if name in SHOWN and set(re.findall(r"`([\w.]+)`", shows)) != SHOWN[name]:
            yield f"DESIGN.md, the floor {name}: expected that it shows {', '.join(sorted(SHOWN[name]))}"


def main() -> int:
    found = [*upward(), *documented()]
    found += [text for directory, allowed in MAY_INCLUDE.items() for text in violations(directory, allowed)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
