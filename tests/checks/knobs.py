# SPDX-License-Identifier: MIT
"""include/whit/config.h has all knobs of a build, described; the table in docs/porting.md is made from it: --write."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFIG, PAGE = ROOT / "include" / "whit" / "config.h", ROOT / "docs" / "porting.md"
DESCRIBED = re.compile(
    r"((?:// .*\n)+?)// Default: (.*)\. Unit: (.*)\.\n// Set by: (.*)\.\n// Costs: (.*)\.\n"
    r"(?:#ifndef (WHIT_\w+)\n#define \6 (.*)\n#endif|// #define (WHIT_\w+) \d)\n"
)
DEFAULT = re.compile(r"^#ifndef (WHIT_\w+)\n(?=#\s*define \1 )", re.MULTILINE)
DEFINITIONS = re.compile(r"target_compile_definitions\((?:whit_engine|whit_headers) \w+([^)]*)\)")
CODE = re.compile(r"\bwhit_\w+(?:\(\)|\.h)|\bWHIT_\w+|\bset\([^)]*\)|\b\w+\.(?:cmake|toml)")
BEGIN = "| knob | default | unit | what it does | set by | costs |\n|---|---|---|---|---|---|\n"

# app.toml sets these, through whit_limits.h.
OF_APPLICATIONS = {"WHIT_HTTPS_AES", "WHIT_HTTPS_IDLE", "WHIT_KEEPS_WINDOW", "WHIT_REPEATS", "WHIT_TLS"}


@dataclass(frozen=True)
class Knob:
    name: str
    what: str
    default: str
    unit: str
    by: str
    costs: str
    value: str  # that the header defines; empty: nothing

    @property
    def row(self) -> str:
        texts = CODE.sub(r"`\g<0>`", " | ".join((self.default, self.unit, self.what, self.by, self.costs)))
        return f"| `{self.name}` | {texts} |\n"


def knobs() -> list[Knob]:
    found = []
    for what, default, unit, by, costs, name, value, undefined in DESCRIBED.findall(CONFIG.read_text()):
        sentence = " ".join(line.removeprefix("// ") for line in what.splitlines())
        found.append(Knob(name or undefined, sentence, default, unit, by, costs, value))
    return found


def bad_descriptions(known: list[Knob]) -> Iterator[str]:
    """Knobs without the lines of a description, or with another default than the header's."""
    where, described = CONFIG.relative_to(ROOT), {knob.name for knob in known}
    for name in DEFAULT.findall(CONFIG.read_text()):
        if name not in described:
            yield f"{where}: {name}: expected a comment with the lines Default, Unit; Set by; Costs"
    for knob in known:
        if knob.value.isdecimal() != knob.default.isdecimal() or (
            knob.value.isdecimal() and knob.value != knob.default
        ):
            yield f"{where}: {knob.name}: the comment says {knob.default}, the definition {knob.value or 'nothing'}"


def elsewhere() -> Iterator[str]:
    """Knobs of other files."""
    for folder in ("database", "drivers", "engine", "include", "ports"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            for name in DEFAULT.findall(path.read_text()) if path != CONFIG else ():
                if name not in OF_APPLICATIONS:
                    yield f"{path.relative_to(ROOT)}: {name}: expected its default in {CONFIG.relative_to(ROOT)}"


def misspelt(known: list[Knob]) -> Iterator[str]:
    """Definitions that the engine does not have."""
    names = {knob.name for knob in known}
    for path in (*sorted((ROOT / "ports").rglob("*.cmake")), *sorted((ROOT / "cmake").rglob("*.cmake"))):
        for definitions in DEFINITIONS.findall(path.read_text()):
            for name in re.findall(r"(\w+)=", definitions):
                if name not in names:
                    yield f"{path.relative_to(ROOT)}: {name}: {CONFIG.relative_to(ROOT)} has no such knob"


def page_with(known: list[Knob], page: str) -> str | None:
    before, begin, rest = page.partition(BEGIN)
    after = re.sub(r"\A(?:\|.*\n)*", "", rest)
    return before + begin + "".join(knob.row for knob in known) + after if begin else None


def main() -> int:
    known = knobs()
    found = [*bad_descriptions(known), *elsewhere(), *misspelt(known)]
    page = PAGE.read_text()
    wanted, where = page_with(known, page), PAGE.relative_to(ROOT)
    if wanted is None:
        found.append(f"{where}: expected a table that begins with: {BEGIN.splitlines()[0]}")
    elif sys.argv[1:] == ["--write"]:
        PAGE.write_text(wanted)
    elif page != wanted:
        found.append(f"{where}: the table differs from {CONFIG.relative_to(ROOT)}; {sys.argv[0]} --write mends it")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
