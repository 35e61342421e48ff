# SPDX-License-Identifier: MIT
"""One page of many results. It contains its pictures, has no script and needs no other file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from whit.ladder.svg import svg as ladder_svg
from whit.palette import NAMES, variables
from whit_lab import acceptance
from whit_lab.circumstances import seeds
from whit_lab.experiment import Experiment, Figure, Result, Row
from whit_lab.plot import svg
from whit_lab.running import Run
from whit_lab.show import bounds, number, ratio, setting, to_the_right

TEMPLATES = Path(__file__).parent / "templates"
MAIN = 3  # shown figures of an experiment that does not choose its own
PT = 96 / 72  # px


@dataclass(frozen=True)
class Entry:
    """An experiment with its result."""

    experiment: Experiment
    result: Result | None
    seconds: float
    reason: str = ""

    @property
    def figures(self) -> Sequence[Figure]:
        return [*self.result.figures] if self.result else []

    @property
    def compared(self) -> Sequence[Row]:
        return [row for row in self.result.compared if row.theirs is not None] if self.result else []

    @property
    def missed(self) -> Sequence[Figure]:
        return [figure for figure in self.figures if not figure.holds]

    @property
    def bounded(self) -> Sequence[Figure]:
        return [figure for figure in self.figures if figure.is_bounded]

    @property
    def worse(self) -> Sequence[Row]:
        return [row for row in self.compared if row.worse]

    @property
    def judged(self) -> Sequence[Row]:
        """Returns the rows in which one side can be better."""
        return [row for row in self.compared if row.better != "near"]

    @property
    def main(self) -> Sequence[Figure]:
        named = [figure for figure in self.figures if figure.name in self.experiment.main]
        return named or sorted(self.figures, key=lambda figure: figure.holds)[:MAIN]  # missed figures come first

    @property
    def answer(self) -> str:
        """Returns a summary in one line; the tables have the details."""
        if self.result is None:
            return f"It could not be run: {self.reason}."
        parts = [_bounds_answer(len(self.bounded), self.missed)]
        if self.compared:
            near = len(self.compared) - len(self.judged)
            good = _good_answer(len(self.judged), len(self.worse)) if self.judged else ""
            beside = f"compared for nearness in {near}" if near else ""
            parts.append(f"Beside papers and peers: {'; '.join(part for part in (good, beside) if part)}")
        return " ".join(f"{part}." for part in parts if part)


def _good_answer(judged: int, worse: int) -> str:
    share = f"{judged - worse} of {judged} rows" if worse else f"all {judged} rows" if judged > 1 else "the one row"
    return f"as good or better in {share}"


def _bounds_answer(bounded: int, missed: Sequence[Figure]) -> str:
    if not bounded:
        return ""
    if not missed:
        return {1: "Its bound holds", 2: "Both bounds hold"}.get(bounded, f"All {bounded} bounds hold")
    return f"{bounded - len(missed)} of {bounded} bounds hold; missed: {', '.join(one.name for one in missed)}"


def page_entries(experiments: Sequence[Experiment], runs: Mapping[str, Run]) -> list[Entry]:
    return [
        Entry(one, runs[one.name].result, runs[one.name].seconds, runs[one.name].reason)
        for one in experiments
        if one.name in runs
    ]


def page(entries: Sequence[Entry], made: Mapping[str, str]) -> str:
    """Returns the page as HTML. made: date and tools."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "number": number,
        "ratio": ratio,
        "to_the_right": to_the_right,
        "words": words,
        "bounds": bounds,
        "beyond": beyond,
        "shown": setting,
        "time": time,
    }
    return environment.get_template("report.html.j2").render(
        entries=entries,
        made=made,
        short=made.get("form") == "reduced",
        style=Markup(variables() + (TEMPLATES / "report.css").read_text()),
        items=acceptance.ITEMS,
        formulas=acceptance.FORMULAS,
        papers=acceptance.PAPERS,
        charts=charts,
        ladders=ladders,
        seeds=seeds,
    )


def charts(entry: Entry) -> list[tuple[str, Markup]]:
    """Returns titles and pictures."""
    series = entry.result.series if entry.result else ()
    return [
        (chart.title, placed(svg(chart), f"{entry.experiment.name}-{index}", chart.title))
        for index, chart in enumerate(series)
    ]


def ladders(entry: Entry) -> list[tuple[str, Markup]]:
    drawn = entry.result.ladders if entry.result else ()
    return [
        (one.title, placed(ladder_svg(one), f"{entry.experiment.name}-ladder-{index}", one.title))
        for index, one in enumerate(drawn)
    ]


def placed(drawn: str, name: str, title: str) -> Markup:
    """Returns an SVG file as part of a page: with unique names, the page's colours, and the full width."""
    begin = drawn.index("<svg")
    text = re.sub(r"<metadata>.*?</metadata>", "", drawn[begin:], flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(xlink:href="|url\()#', rf"\g<1>#{name}-", text)
    for color, word in NAMES.items():
        text = text.replace(color, f"var(--{word})")
    end = text.index(">")
    width = re.search(r'\swidth="([\d.]+)(pt)?"', text[:end])
    size = f' style="max-width:{float(width[1]) * (PT if width[2] else 1):.0f}px"' if width else ""
    head = re.sub(r'\s(width|height|version|role|xmlns(:xlink)?)="[^"]*"', "", text[:end])
    label = str(Markup.escape(title))
    # These drawings are our own: matplotlib and ladder/svg.py escape their input.
    return Markup(f'{head} role="img" aria-label="{label}"{size}{text[end:]}'.replace("xlink:href", "href"))


def words(name: str) -> str:
    return name.replace("_", " ")


def beyond(figure: Figure) -> str:
    """Returns the amount by which a figure misses its bound."""
    over = figure.limit is not None and figure.value > figure.limit
    bound = figure.limit if over else figure.least
    assert bound is not None
    if not bound:
        return f"{number(abs(figure.value))} {figure.unit} too {'much' if over else 'little'}"
    share = abs(figure.value - bound) / abs(bound)
    return f"{number(round(share * 100))} % {'above' if over else 'below'}" if share >= 0.01 else "by less than 1 %"


def time(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole} s" if whole < 120 else f"{whole // 60} min {whole % 60} s"
