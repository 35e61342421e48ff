# SPDX-License-Identifier: MIT
"""The table of knobs in docs/porting.md says what include/whit/config.h does. With --write, it is made anew."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFIG, PAGE = ROOT / "include" / "whit" / "config.h", ROOT / "docs" / "porting.md"
KNOB = re.compile(
    r"((?:// .*\n)+)// Default: (.*)\. Unit: (.*)\.\n// Set by: (.*)\.\n// Costs: (.*)\.\n"
    r"#ifndef (WHIT_\w+)\n#define \6 "
)
BEGIN = "| knob | default | unit | what it does | set by | costs |\n|---|---|---|---|---|---|\n"


def rows() -> Iterator[str]:
    text = CONFIG.read_text()
    found = KNOB.findall(text)
    named = re.findall(r"^#ifndef (WHIT_\w+)\n#define", text, re.MULTILINE)[1:]  # but for the guard
    if [one[5] for one in found] != named:
        raise SystemExit(f"{CONFIG.name}: expected the five lines of a knob before each of {', '.join(named)}")
    for what, default, unit, by, costs, name in found:
        sentence = " ".join(line.removeprefix("// ") for line in what.splitlines())
        yield f"| `{name}` | {default} | {unit} | {sentence} | {by} | {costs} |\n"


def main() -> int:
    page, table = PAGE.read_text(), BEGIN + "".join(rows())
    before, begin, rest = page.partition(BEGIN)
    after = re.sub(r"\A(?:\|.*\n)*", "", rest)
    wanted = before + table + after
    if not begin:
        print(f"docs/{PAGE.name}: expected a table that begins with: {BEGIN.splitlines()[0]}")
        return 1
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(wanted)
    elif page != wanted:
        print(f"docs/{PAGE.name}: the table is not that of {CONFIG.relative_to(ROOT)}; {sys.argv[0]} --write mends it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
