# SPDX-License-Identifier: MIT
"""Defines functions and tables that an exported application lacks, but that unreachable code of the engine names. An
optimizer removes that code. Without one the linker needs their definitions."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# A function of the engine that other files may call begins in the first column with its type.
DEFINITION = re.compile(
    r"(?!static\b|typedef\b|extern\b)(?:__attribute__\(\(\w+\)\) )?[a-z]\w*[ \w*]*?\b(\w+)\((?:[^;]*\)\s*\{.*|[^;]*)$"
)
TABLE = re.compile(r"^extern\b[^;(]*?\b(\w+)(?:\[\w*\])*(?: WHIT_FLASH)?;", re.MULTILINE)
CONDITION = re.compile(r"#\s*(if|ifdef|ifndef|else|endif)\b\s*(.*?)\s*(?://.*)?$")
ALWAYS = "1"
HEAD = """\
// SPDX-License-Identifier: MIT
// Functions and tables that this application does not have. An optimising compiler removes their calls, and the linker
// removes this file. Without optimisation the calls remain, behind conditions that are never true.
#include "whit_limits.h"

__attribute__((noinline)) static void never(void)
{
    for (;;) {
    }
}
"""


def definitions(source: str) -> dict[str, list[str]]:
    """Returns the names of non-static functions, each with the preprocessor conditions of its definitions."""
    found: dict[str, list[str]] = {}
    stack: list[str] = []
    for line in _whole_heads(source):
        if match := CONDITION.match(line):
            word, said = match[1], match[2]
            if word == "endif":
                stack.pop()
            elif word == "else":
                stack[-1] = f"!({stack[-1]})"
            else:
                stack.append({"if": f"({said})", "ifdef": f"defined({said})", "ifndef": f"!defined({said})"}[word])
        elif match := DEFINITION.match(line):
            found.setdefault(match[1], []).append(" && ".join(stack) or ALWAYS)
    return found


def _whole_heads(source: str) -> Iterator[str]:
    """Yields the lines. The head of a function that goes over several lines is one, so that its end is seen."""
    head = ""
    for line in source.splitlines():
        begins = not head and (line[:1].isalpha() or line[:1] == "_")
        if not head and not begins:
            yield line
            continue
        head = f"{head} {line.strip()}" if head else line
        if head.count("(") <= head.count(")"):
            yield head
            head = ""


def left_out(without: Iterable[Path], engine: Iterable[Path], generated: Iterable[Path]) -> str:
    """Returns the C file. without: sources that the export omits. engine: sources and headers that it contains.
    generated: files that the compiler wrote."""
    sources = [path.read_text(encoding="utf-8") for path in engine]
    called = {name for source in sources for name in re.findall(r"\b(\w+)\(", source)}
    there: dict[str, list[str]] = {}
    for path in without:
        there |= {name: [] for name in definitions(path.read_text(encoding="utf-8"))}
    for source in sources:
        for name, conditions in definitions(source).items():
            there.setdefault(name, []).extend(conditions)
    missing: dict[str, list[str]] = {}
    for name, conditions in sorted(there.items()):
        if name in called and ALWAYS not in conditions:
            missing.setdefault(" && ".join(f"!({one})" for one in conditions) or ALWAYS, []).append(name)
    tables = "".join(f"const char {name}[1];\n" for name in _tables(sources, [path.read_text() for path in generated]))
    return HEAD + tables + "".join(_under(condition, names) for condition, names in sorted(missing.items()))


def _tables(sources: list[str], generated: list[str]) -> list[str]:
    """Returns tables that headers declare and no source defines. The engine defines them in the first column."""
    words = {word for source in generated for word in re.findall(r"\w+", source)}
    for source in sources:
        lines = (line for line in source.splitlines() if line[:1].isalpha() and not line.startswith("extern"))
        words |= {word for line in lines for word in re.findall(r"\w+", line)}
    declared = {name for source in sources for name in TABLE.findall(source)}
    return sorted(declared - words)


def _under(condition: str, names: list[str]) -> str:
    functions = "".join(f"void {name}(void);\nvoid {name}(void) {{ never(); }}\n" for name in names)
    return f"\n#if {condition}\n{functions}#endif\n"
