# SPDX-License-Identifier: MIT
"""Pages from the database, beside 002's figures 5 to 16."""

from collections.abc import Iterator, Mapping, Sequence

from whit_lab import papers
from whit_lab.experiment import Beside, Figure, Found, Line, Lines, Row, Sheet
from whit_lab.experiments.pc import dynamic, rates, show
from whit_lab.experiments.pc.cost import Way
from whit_lab.experiments.pc.phases import Phases
from whit_lab.experiments.pc.rates import CONNECTION, RESPONSE, SENT
from whit_lab.experiments.pc.systems import OURS

Pages = Mapping[str, Mapping[str, dynamic.Measured]]  # by server, then by card
ONE = (dynamic.ALONE[0], Way(False, 1))
WITH = {"nginx": "nginx, PHP-FPM", "Apache": "Apache, PHP"}
USE_RATES = (200, 400, 600, 800, 1000)
STATIC_RATES = (0, 1000, 2000, 3000, 4000, 5000, 6000)
PHASES = ("handshake", "log-in", "tabular response", "disconnect")


def costs(found: Pages) -> Iterator[Found]:
    """Yields the costs. Figures are the worst of all ways and cards."""
    page, theirs = f"the page of {dynamic.SIZES[0]} octets", [name for name in found if name != OURS]
    for name in theirs:
        pairs = show.pairs(found, name)
        for card, asking, ours, other in pairs:
            yield Row(f"{card}, {_name(asking)}", ours, other, "instructions", f"{WITH[name]}, same PC")
        ratio = round(min(other / ours for _, asking, ours, other in pairs if asking[0] == dynamic.ALONE[0]), 2)
        word, what = f"{name.lower()}_php_over_pc_dynamic", f"instructions of {page}: {WITH[name]} over ours"
        yield Figure(word, what, ratio, "", None, 10) if name == "Apache" else Beside(word, what, ratio, "")
    for size, word in ((dynamic.SIZES[1], "10k"), (dynamic.SIZES[2], "19k")) if theirs else ():
        yield _larger(found, size, f"apache_php_over_pc_dynamic_{word}")
    if theirs:
        yield Figure("pc_mix_ratio_min", *_mix(found, theirs), "", None, 1.5)
    for word, way in (("pc_dynamic_instructions", ONE[1]), ("pc_dynamic_keepalive_instructions", Way(True, 1))):
        most = max(one.costs[dynamic.ALONE[0], way].instructions for one in found[OURS].values())
        yield Beside(word, f"ours for {page}, {way.name}", most, "instructions")
    yield _sheet(found)
    yield show.use(f"{page} (002 section IV.B)", papers.BARE_PC_PAGE_USE, USE_RATES, found, ONE)
    if theirs:
        yield _capacity(found)


def _larger(found: Pages, size: int, word: str) -> Beside:
    """Returns the smallest ratio of instructions for a larger page, in which the system's part is smaller."""
    pairs = [
        (ours, other) for _, (work, _), ours, other in show.pairs(found, "Apache") if work == dynamic.Work(0, 1, size)
    ]
    what = f"instructions of the page of {size} octets: {WITH['Apache']} over ours"
    return Beside(word, what, round(min(other / ours for ours, other in pairs), 2), "")


def _mix(found: Pages, theirs: Sequence[str]) -> tuple[str, float]:
    """Returns the smallest ratio of sustainable rates, and its description. Rates are inverse to instructions."""
    ratios = {
        (card, work.name): min(found[name][card].costs[work, dynamic.BUSY].instructions for name in theirs)
        / ours.costs[work, dynamic.BUSY].instructions
        for card, ours in found[OURS].items()
        for work in (*dynamic.ALONE, *dynamic.MIXED)
    }
    card, work = min(ratios, key=lambda key: ratios[key])
    what = f"rates that can be sustained, ours over the better of both: {work}, {card}"
    return what, round(ratios[card, work], 2)


def _name(asking: dynamic.Asking) -> str:
    work, way = asking
    return f"{work.name}, {way.name}"


def _sheet(found: Pages) -> Sheet:
    rows = [
        (WITH.get(name, name), card, work.name, way.name, *show.instructions(name, cost))
        for name, card, (work, way), cost in show.every(found)
    ]
    columns = ("server", "card", "asked for", "way", "instructions a request", "of these the kernel's")
    return Sheet("Pages from the database on the emulated PC", columns, rows)


def _capacity(found: Pages) -> Lines:
    lines = []
    for name, by_card in found.items():
        one = next(iter(by_card.values()))
        page, file = one.costs[dynamic.ALONE[0], dynamic.BUSY].instructions, one.file.instructions
        left = [(rate, (papers.BARE_PC_HZ - rate * file) / page) for rate in STATIC_RATES]
        lines.append(rates.line(name, [(rate, round(pages)) for rate, pages in left if pages > 0]))
    lines += [
        Line(f"002's {name}", [(1000, float(most))], "paper") for name, most in papers.BARE_PC_MIX_MOST.items() if most
    ]
    title = "Pages beside files: the most that 2.4 GHz sustain, an instruction a cycle (002 Figure 8)"
    return Lines(title, "files a second", "pages a second", lines, log_y=True)


def times(found: Mapping[str, dynamic.Timed]) -> Iterator[Found]:
    """Yields times. 002 prints no points of its figures; the last table has the statements of its text."""
    small = {name: one.alone[dynamic.SIZES[0]] for name, one in found.items()}
    mixed = {name: one.mixed for name, one in found.items()}
    ours = found[OURS]
    sizes = {f"{size} octets": points for size, points in ours.alone.items()}
    at_rate, pages = rates.by_rate(small), "pages a second"
    of_mix = {name: list(zip(dynamic.MIX_RATES, points, strict=True)) for name, points in mixed.items()}
    by_size = {name: one.one_rate.items() for name, one in found.items()}
    beside = f"beside {dynamic.STATIC_RATE} files/s, a fifth of 002's rates"
    yield {"pages_a_second_by_size": dynamic.SIZE_RATE}
    yield rates.lines("Response time of the page of 211 octets (002 Figure 5)", at_rate, RESPONSE)
    yield rates.lines("Connection time of the page of 211 octets (002 Figure 6)", at_rate, CONNECTION)
    yield rates.lines(f"Response time of pages {beside} (002 Figure 7)", of_mix, RESPONSE, pages, log_x=False)
    for what, of, number in (("Response", RESPONSE, 9), ("Connection", CONNECTION, 10)):
        title = f"{what} time by size, {dynamic.SIZE_RATE} pages/s (002 Figure {number})"
        yield rates.lines(title, by_size, of, "octets of the page", log_x=False)
    yield rates.lines("Response time of ours by size (002 Figure 11)", rates.by_rate(sizes), RESPONSE, pages)
    yield rates.lines("Connection time of ours by size (002 Figure 12)", rates.by_rate(sizes), CONNECTION, pages)
    yield rates.lines("Throughput of the page of 211 octets (002 Figure 13)", at_rate, SENT)
    yield rates.lines(f"Throughput of pages {beside} (002 Figure 14)", of_mix, SENT, pages, log_x=False)
    yield Sheet("The page of 211 octets at a rate (002 Figures 5, 6, 13)", rates.columns(), rates.rows(small))
    yield Sheet(f"Pages {beside} (002 Figures 7, 14)", rates.columns("requests/s, files included"), rates.rows(mixed))
    yield Sheet("Ours by size and rate (002 Figures 11, 12)", ("size", *rates.columns()[1:]), rates.rows(sizes))
    phases = {f"{size} octets": ours.one_rate[size].phases for size in dynamic.SIZES}
    yield _phases("by size", phases, "002 Figure 15")
    yield _phases("by rate", {f"{one.rate}/s": one.phases for one in small[OURS]}, "002 Figure 16")
    yield _said(found)


def _phases(by: str, several: Mapping[str, Phases], figure: str) -> Sheet:
    """Returns the phases of Whit. Connections stay open: most rates see no handshake, and none a disconnect."""
    rows = [
        (name, *("–" if ms is None else f"{ms:.2f}" for ms in one.medians()), str(len(one.answers)))
        for name, one in several.items()
    ]
    columns = ("of", *(f"{name}, ms" for name in PHASES), "answers")
    return Sheet(f"Phases of our connections to the database {by} ({figure})", columns, rows)


def _said(found: Mapping[str, dynamic.Timed]) -> Sheet:
    """Returns 002's numbers beside Whit's on the emulated PC."""
    rows = [
        *(("the most pages a second", name, str(rate), f"{ms:g} ms of response")
          for name, (rate, ms) in papers.BARE_PC_PAGE_MOST.items()),
        *(("throughput rises in a line to", name, str(rate), "pages a second")
          for name, rate in papers.BARE_PC_PAGE_LINEAR.items()),
        *(("the same beside 1000 files", name, str(rate), "pages a second")
          for name, rate in papers.BARE_PC_MIX_LINEAR.items()),
        *(("the most beside 1000 files", name, "none" if rate is None else str(rate), "pages a second, up to 400")
          for name, rate in papers.BARE_PC_MIX_MOST.items()),
    ]  # fmt: skip
    for name, timed in found.items():
        most = [one for one in timed.alone[dynamic.SIZES[0]] if one.answered >= rates.ENOUGH]
        last = most[-1] if most else None
        rows.append((
            "the most pages a second that were tried and answered", f"{name}, emulated",
            str(last.rate) if last else "none", f"{last.response_ms:.2f} ms of response" if last else "",
        ))  # fmt: skip
    return Sheet("What 002 says of figures 5 to 14", ("what", "whose", "number", "of"), rows)
