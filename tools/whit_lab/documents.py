# SPDX-License-Identifier: MIT
"""Figures in documents: documents.toml names them sentence by sentence; `./whit lab render` writes the numbers."""

import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from whit.errors import WhitError
from whit.paths import ROOT
from whit_lab.experiment import Figure as Measured
from whit_lab.page import Entry
from whit_lab.published import entries
from whit_lab.show import number

PAGE = "docs/lab.md"
MISSED = "Bounds that are missed"
FILE = "tools/whit_lab/documents.toml"
WIDTH, NO_PROSE = 120, ("|", "!", "<", " ", "#")
BESIDE_PROSE = ("|", "!", "<", "#", "```")
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_PLACE = re.compile(r"\{([^{}|]+)\|(\w[\w.]*)\}")
_NUMBER = r"-?\d+(?: \d{3})*(?:\.\d+)?"
_WORD = rf"(?:{'|'.join(WORDS)}|{_NUMBER})"
QUANTITY = re.compile(
    r"(?<![\w.,/–-])\d+(?: \d{3})*(?:\.\d+)?(?:\s+(?:million|thousand))?\s+"
    r"(?:%|B·s|[kM]B/s|[kM]?B\b|octets?\b|bytes?\b|ms\b|s\b|seconds?\b|minutes?\b|times\b|instructions\b|RTT\b)"
)


@dataclass(frozen=True)
class Figure:
    """A number in a sentence: its source and its form."""

    source: str  # "EXPERIMENT.FIGURE", "all.missed", a name of [rows]: see documents.toml
    form: str  # "1": decimals; "k1": of thousands; "f1": rounded down; "w": a word


@dataclass(frozen=True)
class Sentence:
    """Words of a document, with figures in them."""

    document: str
    text: str

    @property
    def figures(self) -> list[Figure]:
        return [Figure(*place) for place in _PLACE.findall(self.text)]

    @property
    def begin(self) -> str:
        return " ".join(_PLACE.sub("…", self.text).split())

    @property
    def pattern(self) -> re.Pattern[str]:
        """Returns the sentence as a pattern: ends of lines match blanks."""
        parts = _PLACE.split(self.text)
        places = iter(_WORD if figure.form == "w" else _NUMBER for figure in self.figures)
        return re.compile("".join(_blanks(words) + f"({next(places, '')})" for words in parts[::3])[: -len("()")])


def _blanks(words: str) -> str:
    """Returns a pattern for words with any blanks between them."""
    return re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(words))


@cache
def _given() -> Mapping[str, Any]:
    given: Mapping[str, Any] = tomllib.loads((ROOT / FILE).read_text())
    return given


def sentences() -> list[Sentence]:
    return [Sentence(name, text) for name, texts in _given()["sentences"].items() for text in texts]


def paths() -> list[Path]:
    return [ROOT / name for name in _given()["sentences"]]


def complete() -> list[str]:
    """Returns the documents in which each number with a unit must be a figure, or given."""
    return [*_given()["complete"]]


def fill(stored: Mapping[str, Any]) -> None:
    """Writes the published figures. A figure that is not published yet stays unchanged."""
    values = Values(stored)
    for name in _given()["sentences"]:
        path = ROOT / name
        text = path.read_text()
        filled = wrapped(filled_in(text, [one for one in sentences() if one.document == name], values))
        if filled != text:
            path.write_text(filled)


def filled_in(text: str, of: Sequence[Sentence], values: Callable[[Figure], str | None]) -> str:
    for sentence in of:
        found = sentence.pattern.search(text)
        for index, figure in reversed(list(enumerate(sentence.figures, 1))) if found else ():
            assert found
            written = values(figure)
            if written is not None:
                text = text[: found.start(index)] + written + text[found.end(index) :]
    return text


def ends_paragraph(line: str) -> bool:
    return not line.strip() or line.startswith(BESIDE_PROSE)


def wrapped(text: str) -> str:
    """Breaks paragraphs again that have a line above the limit."""
    lines = text.splitlines()
    number_of, shown = 0, False
    while number_of < len(lines):
        shown ^= lines[number_of].startswith("```")
        if not shown and len(lines[number_of]) > WIDTH and not lines[number_of].startswith(NO_PROSE):
            first, last = number_of, number_of + 1
            while first and not ends_paragraph(lines[first - 1]) and not lines[first].startswith("* "):
                first -= 1
            while last < len(lines) and not ends_paragraph(lines[last]) and not lines[last].startswith("* "):
                last += 1
            indent = "  " if lines[first].startswith("* ") else ""
            words = " ".join(line.strip() for line in lines[first:last])
            lines[first:last] = textwrap.wrap(
                words, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
            )
        number_of += 1
    return "\n".join(lines) + "\n"


def faults(stored: Mapping[str, Any], texts: Mapping[str, str] | None = None) -> list[str]:
    """Returns outdated figures, missing sentences, and figures that no sentence names. texts: replace the
    documents'."""
    values, found = Values(stored), []
    by_document: dict[str, list[tuple[int, int]]] = {}
    for sentence in sentences():
        text = (texts or {}).get(sentence.document) or (ROOT / sentence.document).read_text()
        matches = list(sentence.pattern.finditer(text))
        if len(matches) != 1:
            times = "not in it" if not matches else f"{len(matches)} times in it"
            found.append(f'{sentence.document}: "{sentence.begin}" is {times}; {FILE} names it')
            continue
        by_document.setdefault(sentence.document, []).append(matches[0].span())
        for index, figure in enumerate(sentence.figures, 1):
            wanted, said = values(figure), matches[0][index]
            if wanted is None:
                found.append(f"{sentence.document}: {figure.source} is not published")
            elif said != wanted:
                found.append(f'{sentence.document}: {figure.source} is {wanted}, not {said}: "{sentence.begin}"')
    for name in complete():
        text = (texts or {}).get(name) or (ROOT / name).read_text()
        found += _unnamed(name, text, by_document.get(name, []))
    page = (texts or {}).get(PAGE) or (ROOT / PAGE).read_text()
    return found + bounds(page, stored) + missed(page, stored)


def _unnamed(name: str, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yields quantities that are neither figures of a sentence nor given: settings, bounds, numbers of papers."""
    given = {" ".join(one.split()) for one in _given()["given"].get(name, ())}
    bare = _without_code(text)
    for one in QUANTITY.finditer(bare):
        words = " ".join(one[0].split())
        if words not in given and not any(begin <= one.start() < end for begin, end in spans):
            line = text.count("\n", 0, one.start()) + 1
            yield f"{name}:{line}: {words}: a figure? name it in {FILE}, or a setting? list it there as given"


def _without_code(text: str) -> str:
    """Replaces code by blanks, and rows of bounds too; these have a test of their own."""
    blank = lambda found: re.sub(r"\S", " ", found[0])  # noqa: E731
    for pattern in (r"^```.*?^```$", r"^\| `[^\n]*$", r"^    [^\n]*$", r"`[^`\n]+`"):
        text = re.sub(pattern, blank, text, flags=re.MULTILINE | re.DOTALL if "```" in pattern else re.MULTILINE)
    return text


def bounds(text: str, stored: Mapping[str, Any]) -> list[str]:
    """Returns bounds in the tables of docs/lab.md that differ from the experiments'."""
    of = {one.experiment.name: one.result for one in entries(stored)}
    found, experiment = [], ""
    for number_of, line in enumerate(text.splitlines(), 1):
        heading, row = re.match(r"## `([\w-]+)`", line), re.match(r"\| `(\w+)` \| ([^|]*) \|", line)
        experiment = heading[1] if heading else experiment
        result = of.get(experiment)
        figure = next((one for one in result.figures if row and one.name == row[1]), None) if result else None
        said = re.findall(_NUMBER, row[2]) if row else []
        if figure is None or not row or "," in row[2]:
            continue
        wanted = [bound for bound in (figure.least, figure.limit) if bound is not None]
        scale = 1000 if row[2].rstrip().endswith("kB") else 1
        if sorted(scale * float(one.replace(" ", "")) for one in said) != sorted(map(float, wanted)):
            words = " to ".join(f"{bound:g}" for bound in wanted)
            found.append(f'{PAGE}:{number_of}: {experiment}.{figure.name} has the bound {words}, not "{row[2]}"')
    return found


def missed(text: str, stored: Mapping[str, Any]) -> list[str]:
    """Returns missed bounds without a row in the last section of docs/lab.md, and rows whose bound holds."""
    section = text.partition(f"\n## {MISSED}\n")[2]
    rows = {f"{name}.{figure}" for figure, name in re.findall(r"\n\| `(\w+)` \|[^`\n]*\| `([\w-]+)` \|", section)}
    of = [(one.experiment.name, one.result) for one in entries(stored) if one.result]
    wanted = {f"{name}.{figure.name}" for name, result in of for figure in result.figures if not figure.holds}
    return [
        *(f'{PAGE}: {name} misses its bound; add a row to "{MISSED}"' for name in sorted(wanted - rows)),
        *(f'{PAGE}: {name} misses no bound; remove its row from "{MISSED}"' for name in sorted(rows - wanted)),
    ]


class Values:
    """Published numbers in the form of documents."""

    def __init__(self, stored: Mapping[str, Any]) -> None:
        self._entries = {one.experiment.name: one for one in entries(stored)}

    def __call__(self, figure: Figure) -> str | None:
        value = self._value(figure.source)
        return None if value is None else written(value, figure.form)

    def _value(self, source: str) -> float | None:
        experiment, dot, name = source.partition(".")
        if not dot:
            return self._row(source)
        if experiment == "all":
            return float(sum(len(getattr(one, name)) for one in self._entries.values()))
        if name == "seconds":
            return self._entries[experiment].seconds if experiment in self._entries else None
        name, _, bound = name.partition(":")
        figure = self._figure(experiment, name)
        value: float | None = getattr(figure, bound or "value") if figure else None
        return value

    def _figure(self, experiment: str, name: str) -> Measured | None:
        entry = self._entries.get(experiment)
        of = [*entry.result.figures, *entry.result.beside] if entry and entry.result else []
        return next((one for one in of if one.name == name), None)

    def _row(self, source: str) -> float | None:
        """Returns the worst ratio for Whit among rows beside a paper or a peer."""
        try:
            about = _given()["rows"][source]
        except KeyError:
            raise WhitError(f"{FILE}: no {source} in [rows]; expected one, or EXPERIMENT.FIGURE") from None
        entry: Entry | None = self._entries.get(about["experiment"])
        rows = [one for one in (entry.compared if entry else ()) if fnmatchcase(one.name, about["row"])]
        rows = [one for one in rows if fnmatchcase(one.source, about.get("source", "*")) and one.ratio]
        if not rows:
            return None
        kinds = {"ours": lambda one: one.ours, "theirs": lambda one: one.theirs, "times": lambda one: 1 / one.ratio}
        return float(min(map(kinds[about["of"]], rows)))


def written(value: float, form: str) -> str:
    if form == "w":
        whole = int(value)
        return WORDS[whole] if 0 <= whole < len(WORDS) else number(whole)
    digits, scaled = int(form.lstrip("fk")), value / 1000 if form[0] == "k" else value
    if form[0] == "f":
        scaled = int(scaled * 10**digits + 1e-9) / 10**digits
    before, _, behind = f"{scaled:.{digits}f}".partition(".")
    return f"{int(before):,}".replace(",", " ") + (f".{behind}" if behind else "")
