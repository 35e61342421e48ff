# SPDX-License-Identifier: MIT
"""Checks that pages name only existing things: link targets, files, commands of ./whit and their options. No line of
prose exceeds the width."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import typer

from whit.cli import app
from whit_lab.cli import app as lab_app
from whit_lab.model.cli import app as model_app
from whit_lab.mutants.cli import app as mutants_app
from whit_testbed.cli import app as test_app

ROOT = Path(__file__).resolve().parents[2]
HOUSE = (
    "apps",
    "cmake",
    "docs",
    "drivers",
    "engine",
    "fuzz",
    "include",
    "lab",
    "ports",
    "requirements",
    "tests",
    "tools",
)
SUFFIXES = r"\.(?:c|h|py|md|toml|cmake|ld|lock|png|html|css|js)"

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SPAN = re.compile(r"`([^`]+)`")
HEADING = re.compile(r"^#+ +(.*)$")
# Pages with examples from files, and the files' directories.
EXAMPLES = {
    "docs/guide.md": ("apps", "tools/whit/commands/template"),
    "docs/porting.md": ("drivers", "include", "ports", "tools/whit"),
}
DECISIONS = ROOT / "docs" / "decisions"
DECISION_PARTS = ("What", "Why", "What was tried and measured", "When to come back")
WIDTH_MOST = 120
EXAMPLE_SUFFIXES = {
    "c": (".c", ".h"), "cmake": (".cmake",), "js": (".js",), "ld": (".ld",), "python": (".py",), "toml": (".toml",)
}  # fmt: skip

# "./whit run APP --port 1" up to where the shell's next command begins, or a comment.
COMMAND = re.compile(r"(?:^|[\s(=])\./whit ((?:(?! #|&&|[;|]).)*)")
OPTION = re.compile(r"--[a-z][a-z-]*")
# The compiler writes these for some applications only.
GENERATED = {"whit_stored.h", "page_hello_html.h", "test.py"}
# The first column of a table of options.
OPTION_ROW = re.compile(r"\| `(--[a-z-]+)")
PATH = re.compile(rf"(?<![\w./$*-])(?:{'|'.join(HOUSE)})/[\w./*-]*|(?<![\w./$*<:-])[\w*][\w.*-]*{SUFFIXES}(?![\w/(-])")


def pages() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), ROOT / "engine" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def code(text: str) -> Iterator[tuple[int, str]]:
    """Yields each code span, and each line of a code block, with its line number. C, JSON, TOML are skipped as
    examples."""
    fence: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fence = line.strip("` ") if fence is None else None
        elif fence is not None:
            if fence not in ("c", "json", "toml"):
                yield number, line
        elif line.startswith("    "):
            yield number, line.strip()
        else:
            yield from ((number, span) for span in SPAN.findall(line))


def commands() -> dict[str, set[str]]:
    """Returns the options of each command; none for `test`, which passes unknown options on."""
    program = typer.main.get_command(app)
    known: dict[str, set[str]] = {}
    for name, command in program.commands.items():  # type: ignore[attr-defined]
        parts = [command, *getattr(command, "commands", {}).values()]
        known[name] = {option for part in parts for parameter in part.params for option in parameter.opts} | {"--help"}
    for name, elsewhere in (("lab", lab_app), ("model", model_app), ("test", test_app), ("test", mutants_app)):
        known[name] |= {option for one in typer.main.get_command(elsewhere).params for option in one.opts}
    return known


def anchors(page: Path) -> set[str]:
    """The names that a heading can be linked under, as forges make them."""
    headings = [match[1] for line in page.read_text().splitlines() if (match := HEADING.match(line))]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def bad_links(page: Path, text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        for target in LINK.findall(SPAN.sub("", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            there = (page.parent / unquote(name)).resolve() if name else page
            if not there.is_relative_to(ROOT) or not there.exists():
                yield number, f"link to {target}: no such file"
            elif anchor and there.suffix == ".md" and anchor not in anchors(there):
                yield number, f"link to {target}: no such heading"


def bad_commands(text: str, known: dict[str, set[str]]) -> Iterator[tuple[int, str]]:
    anywhere = {option for options in known.values() for option in options}
    for number, line in enumerate(text.splitlines(), 1):
        if (row := OPTION_ROW.match(line)) and row[1] not in anywhere:
            yield number, f"{row[1]}: no command has this option"
    for number, piece in code(text):
        for words in COMMAND.findall(piece):
            name = words.split()[0] if words.split() else ""
            if not re.fullmatch(r"[a-z]+", name):
                continue
            if name not in known:
                yield number, f"./whit {name}: expected one of {', '.join(known)}"
            elif name != "test":
                for option in sorted(set(OPTION.findall(words)) - known[name]):
                    yield number, f"./whit {name} {option}: no such option"


def is_there(page: Path, name: str) -> bool:
    """True if the name exists from the root or the page, or, without a directory, anywhere in the tree."""
    pattern = "/".join("*" if re.fullmatch(r"[A-Z]+", part) else part for part in name.rstrip("./").split("/"))
    if any(next(base.glob(pattern), None) for base in (ROOT, page.parent)):
        return True
    return "/" not in name and any(next((ROOT / house).rglob(pattern), None) for house in HOUSE)


def bad_paths(page: Path, text: str) -> Iterator[tuple[int, str]]:
    for number, piece in code(text):
        for name in PATH.findall(piece):
            if name not in GENERATED and not is_there(page, name) and not is_there(page, f"{name}.jinja"):
                yield number, f"{name}: no such file"


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """Line number, language and content of each fenced block."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[2]


def bad_examples(page: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yields each example that no file contains unchanged."""
    houses = EXAMPLES.get(str(page.relative_to(ROOT)), ())
    written = [path for house in houses for path in (ROOT / house).rglob("*") if path.is_file()]
    for number, language, block in blocks(text):
        suffixes = EXAMPLE_SUFFIXES.get(language, ())
        sources = (path.read_text() for path in written if path.suffix in suffixes)
        if houses and suffixes and not any(block in source for source in sources):
            yield number, f"this example stands in no file of {' or '.join(houses)}"


def wide_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields lines of prose that are too wide. Tables, pictures and code blocks may be wider."""
    shown = {number for first, _, block in blocks(text) for number in range(first, first + block.count("\n") + 2)}
    for number, line in enumerate(text.splitlines(), 1):
        picture = line.startswith(("![", "<img", "|"))
        if len(line) > WIDTH_MOST and number not in shown and not picture and not line.startswith("    "):
            yield number, f"{len(line)} columns, expected {WIDTH_MOST} at most"


def bad_decisions(page: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yields each missing part of a page of docs/decisions: a section, its number in the title, a row in the index."""
    if page.parent != DECISIONS or page.name == "README.md":
        return
    number, parts = page.name[:3], tuple(re.findall(r"^## (.+)$", text, re.MULTILINE))
    title = re.match(r"# (\d{3}): (.+)\n", text)
    if parts != DECISION_PARTS:
        yield 1, f"the parts {', '.join(parts)}; expected {', '.join(DECISION_PARTS)}"
    if title is None or title[1] != number:
        yield 1, f"expected the title # {number}: TITLE"
    elif f"| {number} | [{title[2]}]({page.name}) |" not in (DECISIONS / "README.md").read_text():
        yield 1, f"expected a row in docs/decisions/README.md: | {number} | [{title[2]}]({page.name}) | DECISION |"
    if len(list(DECISIONS.glob(f"{number}-*.md"))) > 1:
        yield 1, f"another decision has the number {number}"


def main() -> int:
    known = commands()
    found: list[str] = []
    for page in pages():
        text = page.read_text()
        complaints = [
            *bad_links(page, text),
            *bad_commands(text, known),
            *bad_paths(page, text),
            *bad_examples(page, text),
            *wide_lines(text),
            *bad_decisions(page, text),
        ]
        found += [f"{page.relative_to(ROOT)}:{number}: {what}" for number, what in sorted(complaints)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
