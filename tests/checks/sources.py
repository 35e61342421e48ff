# SPDX-License-Identifier: MIT
"""Every source file carries its licence on one line near its top, and none has grown out of sight."""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIRECTORIES = ("apps", "cmake", "database", "drivers", "engine", "fuzz", "include", "ports", "tests", "tools")
SUFFIXES = {".c", ".h", ".py", ".cmake", ".ld", ".js", ".css"}
LINES_MAX = {".c": 800, ".h": 800}  # of a file by its name's end; of others:
LINES_MAX_OTHERS = 500
NOT_OURS_TO_MARK = {"generated", "golden", "corpus", "__pycache__", "template"}


def sources() -> Iterator[Path]:
    yield ROOT / "CMakeLists.txt"
    yield ROOT / "whit"
    for directory in DIRECTORIES:
        for path in sorted((ROOT / directory).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and not NOT_OURS_TO_MARK & set(path.parts):
                yield path


def complaints(path: Path) -> Iterator[str]:
    lines = path.read_text().splitlines()
    name = path.relative_to(ROOT)
    content = path.suffix in (".js", ".css")  # an application's content: its octets are what it serves
    if lines and not content and not any("SPDX-License-Identifier: MIT" in line for line in lines[:3]):
        yield f"{name}:1: expected a line with SPDX-License-Identifier: MIT"
    most = LINES_MAX.get(path.suffix, LINES_MAX_OTHERS)
    if len(lines) > most:
        yield f"{name}: {len(lines)} lines, expected at most {most}: one idea a file"


def main() -> int:
    found = [text for path in sources() for text in complaints(path)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
