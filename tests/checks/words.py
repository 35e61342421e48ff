# SPDX-License-Identifier: MIT
"""Counts comments, docstrings and pages that are not plain English, and holds each count below a bound.

The rules: a comment begins with its subject; a sentence has at most 30 words; no private words; readers read "byte".
`--list` prints all findings, `--counts` prints the figures for each directory.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIRECTORIES = (
    "engine", "include", "drivers", "ports", "emulators", "apps", "database", "fuzz", "lab", "tests", "tools"
)  # fmt: skip
LEFT_OUT = ("tests/compiler/golden/", "docs/lab/")

# Bounds only go down: who mends findings lowers the bound in the same commit.
# Percent of the comments that may begin with one of OPENINGS.
OPENINGS_MOST = {
    "C": 0.0,
    "Python": 0.0,
}
# Findings.
LONG_MOST = {
    "C": 0,
    "Python": 0,
    "pages": 1,
}
PRIVATE_MOST = {
    "C": 0,
    "Python": 0,
    "pages": 3,
}
OCTETS_MOST = {
    "Python": 318,
    "pages": 23,
}

WORDS_MOST = 30  # of a sentence
OPENINGS = "of|what|whether|who|whose|which|where|how|so|those|that|in|when|why"
OPENING = re.compile(rf"[^\w\"'`]*({OPENINGS})\b(?!-)", re.IGNORECASE)
PRIVATE = re.compile(
    r"\b(?:(?:is|are|was|were|be) (?-i:none)|in vain|so many|meanwhile|lest"
    r"|there(?:of|by|in|upon|with)|where(?:of|by|upon)"
    r"|(?:come|comes|came|coming) again|(?:give|gives|gave|given|giving) way|told|said"
    r"|(?:stand|stands|stood)(?! for\b)|(?<!the )(?<!its )(?<!their )rests?(?! of\b)|floors?|houses?"
    r"|what (?:is|was) (?:not )?there|those that|nobody|somebody)\b",
    re.IGNORECASE,
)
OCTET = re.compile(r"\boctets?\b", re.IGNORECASE)
RFC = re.compile(r"\bRFC\b")

# Comments, strings and characters of C.
C_PARTS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?P<line>//[^\n]*)|/\*(?P<block>.*?)\*/', re.DOTALL)
# Comments and strings of Python.
TEXT = (
    r'[rbfuRBFU]{0,2}(?:"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
)
PYTHON_PARTS = re.compile(rf"(?P<line>#[^\n]*)|(?P<text>{TEXT})", re.DOTALL)
MARKS = re.compile(r"SPDX-License|noqa\b|type: ignore|fmt: (?:skip|off|on)|pragma\b|!|-+$|-{5,}")
CODE = re.compile(r"`[^`]*`")
QUOTED = re.compile(r'"[^"]*"')
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
ITEM = re.compile(r"\s*(?:[-*+]|\d+\.) +")
ABBREVIATIONS = ("e.g.", "i.e.", "cf.", "vs.", "etc.", "No.", "St.")
ENDS = re.compile(r"[.!?][\"')\]*_]*$")


@dataclass(frozen=True)
class Comment:
    """A comment, a docstring or a page: pairs of line number and text; True if it follows code on its line."""

    lines: tuple[tuple[int, str], ...]
    behind: bool = False

    def opening(self, lenient: bool) -> str | None:
        """The word that it should not begin with. lenient: a comment behind code may begin with it in small letters."""
        match = OPENING.match(next((text for _, text in self.lines if text.strip()), ""))
        return match[1] if match and not (lenient and self.behind and match[1].islower()) else None


@dataclass(frozen=True)
class Finding:
    place: str
    line: int
    words: str
    rule: str

    def __str__(self) -> str:
        return f"{self.place}:{self.line}: {self.words}: {self.rule}"


def joined(pieces: list[tuple[int, int, bool, str]]) -> Iterator[Comment]:
    """Comments of adjacent lines. A piece: line, column, whether code precedes it, text."""
    block: list[tuple[int, str]] = []
    last, at, follows = -1, -1, False  # the line before, its column, True if the comment began behind code
    for line, column, behind, text in pieces:
        continues = not behind and line == last + 1 and (not follows or column == at)
        mark = bool(MARKS.match(text.strip()))
        if block and (mark or not continues):
            yield Comment(tuple(block), follows)
            block = []
        last, at, follows = line, column, behind or (continues and follows)
        if not mark:
            block.append((line, text))
    if block:
        yield Comment(tuple(block), follows)


def piece(text: str, match: re.Match[str], line: int) -> tuple[int, int, bool, str]:
    begin = text.rfind("\n", 0, match.start()) + 1
    body = match["line"].lstrip("/#").removeprefix(" ")
    return line, match.start() - begin, bool(text[begin : match.start()].strip()), body


def parts(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Matches with their line numbers."""
    line, at = 1, 0
    for match in pattern.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        yield line, match


def numbered(line: int, text: str) -> Comment:
    return Comment(tuple(enumerate(text.splitlines(), line)))


def comments_of_c(text: str) -> Iterator[Comment]:
    pieces = []
    for line, match in parts(C_PARTS, text):
        if match["line"] is not None:
            pieces.append(piece(text, match, line))
        elif match["block"] and not match["block"].lstrip().startswith("<generator"):
            yield numbered(line, match["block"])
    yield from joined(pieces)


def is_docstring(text: str, at: int) -> bool:
    """True if the string at `at` is the first of its line, and of the file or a block."""
    before = text[max(0, at - 2000) : at]
    begin = before.rfind("\n") + 1
    if before[begin:].strip():
        return False
    lines = [line for line in before[:begin].splitlines() if line.strip()]
    return lines[-1].rstrip().endswith(":") if lines and not lines[-1].startswith("#") else True


def docstring(line: int, text: str) -> Comment:
    lines = text.lstrip("rRuU").removeprefix('"""').removesuffix('"""').splitlines()
    indents = [len(other) - len(other.lstrip()) for other in lines[1:] if other.strip()]
    less = min(indents, default=0)
    return numbered(line, "\n".join([*lines[:1], *(other[less:] for other in lines[1:])]))


def comments_of_python(text: str) -> tuple[list[Comment], list[tuple[int, str]]]:
    """Comments with docstrings, and the other strings with their lines."""
    pieces, found, strings = [], [], []
    for line, match in parts(PYTHON_PARTS, text):
        if match["line"] is not None:
            pieces.append(piece(text, match, line))
        elif '"""' in match["text"] and is_docstring(text, match.start()):
            found.append(docstring(line, match["text"]))
        else:
            strings.append((line, match["text"]))
    return [*found, *joined(pieces)], strings


def page_lines(text: str) -> Iterator[tuple[int, str]]:
    """The page's lines without code blocks; each cell of a table is a paragraph."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield number, ""
        elif fenced or line.startswith("<"):
            yield number, ""
        elif line.lstrip().startswith("|"):
            for cell in re.split(r"(?<!\\)\|", CODE.sub("`code`", line)):
                yield from ((number, ""), (number, cell.strip(" -:")))
        elif line.startswith("#"):
            yield from ((number, line.lstrip("# ")), (number, ""))
        else:
            yield number, line


def paragraphs(comment: Comment) -> Iterator[list[tuple[int, str]]]:
    """Lines that are read together, without examples, which are indented."""
    block: list[tuple[int, str]] = []
    for number, text in comment.lines:
        item = ITEM.match(text)
        example = text.startswith("  ") and not item and not (block and ITEM.match(block[0][1]))
        if item or example or not text.strip():
            if block:
                yield block
            block = []
        if text.strip() and not example:
            block.append((number, text))
    if block:
        yield block


def sentences(comment: Comment) -> Iterator[tuple[int, str]]:
    """Sentences with their lines; a code span or a link's target is no word of its own."""
    for block in paragraphs(comment):
        text = "\n".join(line for _, line in block)
        text = CODE.sub(lambda match: "`code`" + "\n" * match[0].count("\n"), text)
        text = LINK.sub(lambda match: match[1] + "\n" * match[0][len(match[1]) :].count("\n"), text)
        words: list[str] = []
        first = block[0][0]
        for offset, line in enumerate(text.split("\n")):
            for word in line.split():
                if not words:
                    first = block[min(offset, len(block) - 1)][0]
                words.append(word)
                if ENDS.search(word) and word not in ABBREVIATIONS:
                    yield first, " ".join(words)
                    words = []
        if words:
            yield first, " ".join(words)


def words_of(sentence: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in sentence.split())


def faults(place: str, comment: Comment) -> Iterator[Finding]:
    """Long sentences and private words."""
    for line, sentence in sentences(comment):
        if (count := words_of(sentence)) > WORDS_MOST:
            start = " ".join(sentence.split()[:6])
            yield Finding(place, line, f'"{start} ..."', f"{count} words, expected at most {WORDS_MOST} a sentence")
        for match in PRIVATE.finditer(QUOTED.sub('""', sentence)):
            yield Finding(place, line, f'"{match[0]}"', "not plain English; expected the word of the field")


def octets(place: str, lines: list[tuple[int, str]]) -> Iterator[Finding]:
    for line, text in lines:
        if not RFC.search(text):
            for match in OCTET.finditer(text):
                yield Finding(place, line, f'"{match[0]}"', 'expected "byte"')


class Totals:
    """All findings by rule and language, and the number of comments by language and directory."""

    def __init__(self) -> None:
        self.comments: Counter[tuple[str, str]] = Counter()
        self.openings: dict[str, list[Finding]] = {"C": [], "Python": []}
        self.long: dict[str, list[Finding]] = {"C": [], "Python": [], "pages": []}
        self.private: dict[str, list[Finding]] = {"C": [], "Python": [], "pages": []}
        self.octets: dict[str, list[Finding]] = {"Python": [], "pages": []}

    def add(self, language: str, place: str, comments: list[Comment]) -> None:
        for comment in comments:
            if language != "pages":
                self.comments[language, place.partition("/")[0]] += 1
                if word := comment.opening(language == "Python"):
                    line = comment.lines[0][0]
                    self.openings[language].append(
                        Finding(place, line, f'begins with "{word}"', "expected its subject")
                    )
            for finding in faults(place, comment):
                (self.private if "plain" in finding.rule else self.long)[language].append(finding)

    def share(self, language: str) -> float:
        whole = sum(count for (name, _), count in self.comments.items() if name == language)
        return 100 * len(self.openings[language]) / max(whole, 1)

    def lists(self) -> Iterator[tuple[str, str, list[Finding], int]]:
        """Rule, language, findings, bound; openings are compared by their share."""
        for rule, found, bounds in (
            ("long sentences", self.long, LONG_MOST),
            ("private words", self.private, PRIVATE_MOST),
            ('"octet"', self.octets, OCTETS_MOST),
        ):
            for language, findings in found.items():
                yield rule, language, findings, bounds[language]

    def shares(self) -> Iterator[str]:
        """Comments that begin without their subject, for each directory."""
        for (language, directory), whole in sorted(self.comments.items()):
            bad = sum(finding.place.startswith(f"{directory}/") for finding in self.openings[language])
            yield f"{language} {directory}: {bad} of {whole} comments begin without their subject"

    def failures(self) -> Iterator[tuple[str, list[Finding]]]:
        for language, findings in self.openings.items():
            if (share := self.share(language)) > OPENINGS_MOST[language]:
                text = f"{share:.2f} % of the comments in {language} begin without their subject"
                yield f"{text}, expected at most {OPENINGS_MOST[language]:.2f} %", findings
        for rule, language, findings, most in self.lists():
            if len(findings) > most:
                yield f"{rule} in {language}: {len(findings)}, expected at most {most}", findings


MADE = {"build", ".git", ".venv", ".whit", "__pycache__", ".pytest_cache", ".hypothesis"}


def files(root: Path) -> Iterator[str]:
    """Yields the files that git knows; in a tree without git, all but what commands make."""
    try:
        listed = subprocess.run(
            ["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=True
        ).stdout
        places = listed.split("\0")
    except (OSError, subprocess.CalledProcessError):
        found = (path.relative_to(root) for path in root.rglob("*"))
        places = sorted(str(path) for path in found if not MADE & {*path.parts})
    for place in places:
        if place and not place.startswith(LEFT_OUT) and (root / place).is_file():
            yield place


def is_page(place: str) -> bool:
    return place.endswith(".md") and ("/" not in place or place == "engine/README.md" or place.startswith("docs/"))


def measured(root: Path) -> Totals:
    totals = Totals()
    for place in files(root):
        suffix, source = Path(place).suffix, place.partition("/")[0] in DIRECTORIES
        if source and suffix in (".c", ".h"):
            totals.add("C", place, list(comments_of_c((root / place).read_text())))
        elif source and suffix == ".py":
            comments, strings = comments_of_python((root / place).read_text())
            totals.add("Python", place, comments)
            if place.startswith("tools/"):
                totals.octets["Python"].extend(octets(place, strings))
        elif is_page(place):
            text = (root / place).read_text()
            totals.add("pages", place, [Comment(tuple(page_lines(text)))])
            if place == "README.md" or place.startswith("docs/"):
                totals.octets["pages"].extend(octets(place, list(enumerate(text.splitlines(), 1))))
    return totals


def main(root: Path = ROOT, arguments: tuple[str, ...] = tuple(sys.argv[1:])) -> int:
    totals = measured(root)
    if "--list" in arguments:
        every = [*totals.openings.values(), *(findings for _, _, findings, _ in totals.lists())]
        for finding in sorted(str(finding) for findings in every for finding in findings):
            print(finding)
    if "--counts" in arguments:
        print(*totals.shares(), sep="\n")
        print(
            *(f"{rule} in {language}: {len(found)} of {most}" for rule, language, found, most in totals.lists()),
            sep="\n",
        )
    failures = list(totals.failures())
    for text, findings in failures:
        if "--list" not in arguments:
            print(*findings, sep="\n")
        print(f"tests/checks/words.py: {text}")
    if any("begin without" in text for text, _ in failures):
        print(*totals.shares(), sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
