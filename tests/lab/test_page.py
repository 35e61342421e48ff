# SPDX-License-Identifier: MIT
"""The page of all experiments, and that results are the same after they were written and read."""

import re
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from playwright.sync_api import Page, expect

from tests.browser.looks import look_at
from whit.ladder.steps import Event, Ladder, Step
from whit_lab.experiment import Bars, Curves, Experiment, Figure, Line, Lines, Result, Row, Sheet, Stacks
from whit_lab.kept import kept, result_of, same
from whit_lab.page import Entry, page

LADDER = Ladder(
    "A GET & its answer",
    "client",
    "server",
    [
        Step(0, 5, True, "handshake", "SYN", 44),
        Step(9, None, False, "data", "data 1:3", 42, "S0"),
        Step(20, 30, False, "data", "data 1:3", 42, "S0", again=True),
    ],
    [Event(15, False, "timer")],
    [(0, 0), (9, 2), (30, 0)],
)
FULL = Result(
    {"seed": 7, "mss": [200, 1460]},
    [Figure("held", "one that holds", 0, "B", 3, 0), Figure("short", "one <that> does not", 0.02, "s", 0.01)],
    [
        Bars("Bars", "octets", {"a": 1.5, "b": 0}),
        Curves("Curves", "x", "y", {"a": [(0, 0), (1, 2)]}),
        Stacks("Stacks", "octets", {"a": {"x": 1, "y": 2}}, {"a": 4}),
        Lines("Lines & more", "x", "y", [Line("a", [(1, 1), (2, 3)]), Line("b", [(1, 2)], "paper")], log_x=True),
    ],
    [Figure("beside", "explains", 1, "")],
    [
        Row("time", 2, 1, "s", "000 Table 9"),
        Row("other", 1, None, "s", "000 Table 9"),
        Row("c", 3, 3, "s", "it", "near"),
    ],
    [Sheet("A table", ["what", "number"], [["one", "1"], ["two", "–"]])],
    [LADDER],
    ["It is slower, as it does more."],
)
EXPERIMENT = Experiment("good", title="A good <experiment>", question="Is it good?", paper="000 Table 9", rows=("D15",))
ENTRIES = [Entry(EXPERIMENT, same(FULL), 1.2), Entry(Experiment("gone"), None, 0.1, "gcc not found")]


@dataclass
class Outline(HTMLParser):
    """Checks that each element opened is closed, and collects the names."""

    def __post_init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.leads: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.names += [value or "" for name, value in attrs if name == "id"]
        self.leads |= {(value or "") for name, value in attrs if name in ("href", "src") and tag in ("a", "img", "use")}

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_results_are_the_same_when_they_are_read_again() -> None:
    assert kept(result_of(kept(FULL))) == kept(FULL)
    assert same(FULL).ladders[0] == replace(
        LADDER, steps=tuple(LADDER.steps), events=tuple(LADDER.events), held=tuple(LADDER.held)
    )


def test_a_page_is_whole_and_stands_alone() -> None:
    html = page(ENTRIES, {"commit": "abc"})
    outline = Outline()
    outline.feed(html)
    assert outline.open == []
    assert len(outline.names) == len(set(outline.names)), "each name once, those in pictures too"
    assert {lead[1:] for lead in outline.leads} <= set(outline.names), "nothing leads out of the page"
    assert "<script" not in html
    assert not re.search(r"url\((?!#)", html)
    assert html == page(ENTRIES, {"commit": "abc"})


def test_a_page_says_what_is_missed_and_worse() -> None:
    html = page(ENTRIES, {"commit": "abc"})
    assert "1 of 2 bounds hold; missed: short" in html
    assert "one &lt;that&gt; does not" in html
    assert len(re.findall(r'<td><span class="bad">worse</span></td>', html)) == 1
    assert "It could not be run: gcc not found." in html
    assert "It is slower" in html


def test_it_looks_well_on_a_telephone_too(page: Page) -> None:
    """No element is wider than the screen, and ladders are folded."""
    from whit_lab.page import page as made

    page.set_content(made(ENTRIES, {"commit": "abc"}))
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("figure svg").count() == 4
    assert page.locator("figure svg:visible").count() == 1
    assert not page.locator(".ladder svg").is_visible()
    page.locator("summary", has_text="Ladder").click()
    assert page.locator(".ladder svg").is_visible()
    page.set_content(made(ENTRIES, {"commit": "abc"}))
    look_at(page)


def test_a_long_page_is_short_when_it_is_opened(page: Page) -> None:
    """However much an experiment gives, it takes less than a screen. The contents stay on a desktop, and are one link
    away on a telephone. No cell of an open table lies outside of either screen, and ours is named there."""
    from whit_lab.page import page as made

    columns = [f"column {index}" for index in range(12)]
    long = replace(
        FULL,
        figures=[replace(FULL.figures[0], name=f"figure_{index}") for index in range(40)],
        compared=[
            Row("a value of some length", 123456, 23456, "instructions", f"00{index} Table") for index in range(60)
        ],
        sheets=[Sheet("Wide", columns, [[f"{index} 000 octets" for index in range(12)] for _ in range(40)])],
        notes=["a note that says much about a row " * 4] * 10,
    )
    page.set_content(made([Entry(EXPERIMENT, same(long), 1.2)], {"commit": "abc"}))
    contents, link = page.locator("nav li a[href='#good']"), page.locator(".to-contents")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        box = page.locator("#good").bounding_box()
        assert box
        assert box["height"] < (700 if width == 1280 else 1400)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        stays = contents if width == 1280 else link
        expect(stays).to_be_in_viewport()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert page.evaluate(_HIDDEN) == []
    ours = page.locator(".compared td:nth-child(4)").last
    assert ours.evaluate("cell => getComputedStyle(cell, '::before').content") == '"ours "'
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate(_HIDDEN) == []


_HIDDEN = """() => [...document.querySelectorAll("td")]
  .filter((cell) => cell.getBoundingClientRect().right > innerWidth ||
    cell.closest(".scroll").getBoundingClientRect().right < cell.getBoundingClientRect().right - 1)
  .map((cell) => cell.textContent)"""
