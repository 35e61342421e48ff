# SPDX-License-Identifier: MIT
"""Shows the counts beside those of 002."""

from collections.abc import Iterator, Mapping, Sequence

from whit_lab import papers
from whit_lab.experiment import Beside, Figure, Found, Line, Lines, Row, Sheet, Stacks
from whit_lab.experiments.pc import dynamic, rates
from whit_lab.experiments.pc.cost import TURNS, WAYS, Asking, Cost, Counted, Measured, Way
from whit_lab.experiments.pc.pages import SMALL
from whit_lab.experiments.pc.systems import OURS

Files = Mapping[str, Mapping[str, Measured]]  # by server, then by card
All = Mapping[str, Mapping[str, Counted[Asking]]]
ONE_BY_ONE = Way(False, 1)
OWN, KEPT = "connection included", "kept connections"
LEAST = {("nginx", False): 5, ("nginx", True): 5, ("Apache", False): 10}
SYN_OPTIONS = 8  # bytes: MSS, SACK permitted
# Segments without data, by whether the connection is kept: for SYN, and for the client's FIN. The answer carries the
# request's acknowledgment, unless a page waits more than 20 ms for the database.
ALONE = {False: 2, True: 0}
USE_RATES = (1000, 2000, 3000, 4000, 5000, 6000)


def costs(found: Files, versions: Mapping[str, str]) -> Iterator[Found]:
    """Yields the costs. Figures are the worst of all ways and cards."""
    for name, version in versions.items():
        of_both = pairs(found, name)
        for card, way, ours, theirs in of_both:
            yield Row(f"{card}, {way.name}", ours, theirs, "instructions", f"{name} {version}, same PC")
        for keep in (False, True):
            ratio = round(min(theirs / ours for _, way, ours, theirs in of_both if way.keep == keep), 2)
            what = f"instructions of a file, {KEPT if keep else OWN}: {name}'s over ours"
            word, least = f"{name.lower()}_over_pc_{'keepalive' if keep else 'static'}", LEAST.get((name, keep))
            yield (Figure if least else Beside)(word, what, ratio, "", None, least)
    for keep, word in ((False, "pc_static_instructions"), (True, "pc_keepalive_instructions")):
        most = max(one.costs[way].instructions for one in found[OURS].values() for way in WAYS if way.keep == keep)
        what = f"ours for a file of {papers.BARE_PC_FILE} octets, {KEPT if keep else OWN}, the median of {TURNS} turns"
        yield Beside(word, what, most, "instructions")
    spread = max(one.costs[way].spread_percent for one in found[OURS].values() for way in WAYS)
    what = "between the turns of which ours is the median, the most: what this machine's other work makes of it"
    yield Beside("pc_spread_percent", what, spread, "%")
    yield _sheet(found)
    yield _stacks(found)
    yield use("static pages (002 section IV.A)", papers.BARE_PC_USE, USE_RATES, found, ONE_BY_ONE)


def pairs(found: All[Asking], name: str) -> list[tuple[str, Asking, float, float]]:
    """Returns card, request and way, Whit's instructions, theirs."""
    return [
        (card, asking, found[OURS][card].costs[asking].instructions, cost.instructions)
        for _, card, asking, cost in every({name: found[name]})
    ]


def every(found: All[Asking]) -> Iterator[tuple[str, str, Asking, Cost]]:
    """Yields server, card, request and way, and the cost."""
    for name, by_card in found.items():
        for card, measured in by_card.items():
            yield from ((name, card, asking, cost) for asking, cost in measured.costs.items())


def _sheet(found: Files) -> Sheet:
    rows = [
        (name, card, way.name, *instructions(name, cost), f"{cost.octets:.0f}", f"{cost.frames:.1f}",
         f"{cost.spread_percent:.1f}")
        for name, card, way, cost in every(found)
    ]  # fmt: skip
    counted = ("instructions", "of these the kernel's", "octets sent", "frames sent", "spread, %")
    columns = ("server", "card", "way", *counted)
    return Sheet(f"One file of {papers.BARE_PC_FILE} octets on the emulated PC", columns, rows)


def instructions(name: str, cost: Cost) -> tuple[str, str]:
    """Returns all instructions, and the kernel's part."""
    return f"{cost.instructions:.0f}", "none" if name == OURS else f"{cost.instructions - cost.programs:.0f}"


def _stacks(found: Files) -> Stacks:
    amounts: dict[str, dict[str, float]] = {}
    for name, by_card in found.items():
        for card, measured in by_card.items():
            cost = measured.costs[ONE_BY_ONE]
            parts = {"server": cost.instructions} if name == OURS else {
                "server": cost.programs, "kernel": round(cost.instructions - cost.programs)
            }  # fmt: skip
            amounts[f"{name}, {card}"] = parts
    return Stacks(
        f"One file of {papers.BARE_PC_FILE} octets, connection included, one at a time", "instructions", amounts
    )


def use(
    what: str, printed: Mapping[str, Mapping[int, float]], at: Sequence[int], found: All[Asking], one: Asking
) -> Lines:
    """Yields the use of the processor, as in 002. An instruction counts as one cycle of its processor."""
    lines = [Line(f"002's {name}", list(points.items()), "paper") for name, points in printed.items()]
    for name, by_card in found.items():
        each = min(measured.costs[one].instructions for measured in by_card.values())
        lines.append(rates.line(name, [(rate, round(100 * rate * each / papers.BARE_PC_HZ, 2)) for rate in at]))
    title = f"Share of a processor of 2.4 GHz for {what}, an instruction a cycle"
    return Lines(title, "requests a second", "percent", lines, log_y=True)


def table1(files: Mapping[str, Measured], pages: Mapping[str, dynamic.Measured]) -> Iterator[Found]:
    """Yields table 1 for Whit, on new connections and on kept ones.

    An acknowledgment carried by data is not sent alone; the formula does not consider this.
    """
    first, page = next(iter(files.values())), next(iter(pages.values()))
    each = [papers.bare_pc_octets(content) for content in (papers.BARE_PC_PAGE, papers.BARE_PC_FILE)]
    rows = []
    for (of_pages, of_files), printed in papers.BARE_PC_TABLE1_MB_S.items():
        formula = of_pages * each[0] + of_files * each[1]
        ours = (of_pages * page.octets[way] + of_files * first.costs[way].octets for way in WAYS)
        cells = (f"{octets * 8 / 1e6:.1f}" for octets in (formula, *ours))
        rows.append((str(of_pages), str(of_files), f"{printed}", *cells))
    columns = ("pages/s", "files/s", "002 Table 1", "its formula", *(way.name for way in WAYS))
    yield Sheet("Octets sent, Mb/s (002 Table 1)", columns, rows)
    for crowd in (False, True):
        ways = [way for way in WAYS if (way.at_once > 1) == crowd]
        errors = [
            *(one.costs[way].octets / _expected(papers.BARE_PC_FILE, one.costs[way], ALONE[way.keep])
              for one in files.values() for way in ways),
            *(one.octets[way] / _expected(SMALL, one.costs[dynamic.ALONE[0], way], ALONE[way.keep])
              for one in pages.values() for way in ways),
        ]  # fmt: skip
        error = round(100 * max(abs(one - 1) for one in errors), 2)
        if crowd:
            what = "many at once: with what is sent again to clients that acknowledge late"
            yield Beside("pc_formula_error_crowd_percent", what, error, "%")
        else:
            what = "octets on the line for Table 1's pages and files, against its formula less what is saved"
            yield Figure("pc_formula_error_percent", what, error, "%", 1)
    for keep, word, which in ((False, "own", OWN), (True, "kept", KEPT)):
        what = f"of the octets of 002's formula, saved: {which}, our head included"
        saved = 1 - first.costs[Way(keep, 1)].octets / papers.bare_pc_octets(papers.BARE_PC_FILE)
        yield Beside(f"pc_saved_{word}_percent", what, round(100 * saved, 1), "%")


def _expected(content: int, cost: Cost, alone: int) -> int:
    """Returns the formula's bytes with Whit's head and SYN options, and the actual segments without data."""
    return papers.bare_pc_octets(content + cost.head, alone) + (SYN_OPTIONS if alone > 1 else 0)
