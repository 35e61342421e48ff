# SPDX-License-Identifier: MIT
"""What was counted, beside 002."""

from __future__ import annotations

from collections.abc import Mapping

from whit.lab.experiment import Figure, Line, Lines, Result, Row, Sheet, Stacks
from whit.lab.experiments.pc import dynamic
from whit.lab.experiments.pc.cost import WAYS, Cost, Measured, Way
from whit.lab.experiments.pc.pages import SMALL
from whit.lab.experiments.pc.systems import OURS
from whit.lab.papers import (
    BARE_PC_FILE,
    BARE_PC_HZ,
    BARE_PC_PAGE,
    BARE_PC_TABLE1_MB_S,
    BARE_PC_USE,
    bare_pc_octets,
)

Found = Mapping[str, Mapping[str, Measured]]  # by server, then by card
ONE_BY_ONE = Way(False, 1)
OWN, KEPT = "connection included", "kept connections"
LEAST = {("nginx", False): 5, ("nginx", True): 5, ("Apache", False): 10}
SYN_OPTIONS = 8  # octets: MSS, SACK permitted
# Segments without data, by whether the connection is kept: for SYN, and for the client's FIN. The request's
# acknowledgment rides on the answer, also of a page that waits for the database, unless that takes more than 20 ms.
ALONE = {False: 2, True: 0}
USE_RATES = (1000, 2000, 3000, 4000, 5000, 6000)


def costs(found: Found, versions: Mapping[str, str]) -> Result:
    """The figures are the worst of all ways and cards."""
    figures: list[Figure] = []
    beside: list[Figure] = []
    compared: list[Row] = []
    for name, version in versions.items():
        pairs = _pairs(found[OURS], found[name])
        compared += [
            Row(f"{card}, {way.name}", ours, theirs, "instructions", f"{name} {version}, same PC")
            for card, way, ours, theirs in pairs
        ]
        for keep in (False, True):
            ratio = round(min(theirs / ours for _, way, ours, theirs in pairs if way.keep == keep), 2)
            what = f"instructions of a file, {KEPT if keep else OWN}: {name}'s over ours"
            word, least = f"{name.lower()}_over_pc_{'keepalive' if keep else 'static'}", LEAST.get((name, keep))
            (figures if least else beside).append(Figure(word, what, ratio, "", None, least))
    for keep, word in ((False, "pc_static_instructions"), (True, "pc_keepalive_instructions")):
        most = max(one.costs[way].instructions for one in found[OURS].values() for way in WAYS if way.keep == keep)
        what = f"ours for a file of {BARE_PC_FILE} octets, {KEPT if keep else OWN}"
        beside.append(Figure(word, what, most, "instructions"))
    return Result({}, figures, [_stacks(found), _use(found)], beside, compared, [_sheet(found)])


def _pairs(ours: Mapping[str, Measured], theirs: Mapping[str, Measured]) -> list[tuple[str, Way, float, float]]:
    """Card, way, our instructions, theirs."""
    return [
        (card, way, ours[card].costs[way].instructions, cost.instructions)
        for card, measured in theirs.items()
        for way, cost in measured.costs.items()
    ]


def _sheet(found: Found) -> Sheet:
    rows = [
        (
            name,
            card,
            way.name,
            f"{cost.instructions:.0f}",
            _kernel(name, cost),
            f"{cost.octets:.0f}",
            f"{cost.frames:.1f}",
        )
        for name, by_card in found.items()
        for card, measured in by_card.items()
        for way, cost in measured.costs.items()
    ]
    columns = ("server", "card", "way", "instructions", "of these the kernel's", "octets sent", "frames sent")
    return Sheet(f"One file of {BARE_PC_FILE} octets on the emulated PC", columns, rows)


def _kernel(name: str, cost: Cost) -> str:
    return "none" if name == OURS else f"{cost.instructions - cost.programs:.0f}"


def _stacks(found: Found) -> Stacks:
    amounts: dict[str, dict[str, float]] = {}
    for name, by_card in found.items():
        for card, measured in by_card.items():
            cost = measured.costs[ONE_BY_ONE]
            parts = {"server": cost.instructions} if name == OURS else {
                "server": cost.programs, "kernel": round(cost.instructions - cost.programs)
            }  # fmt: skip
            amounts[f"{name}, {card}"] = parts
    return Stacks(f"One file of {BARE_PC_FILE} octets, connection included, one at a time", "instructions", amounts)


def _use(found: Found) -> Lines:
    """002 gives the share of its processor; an instruction is taken as one cycle of such a processor."""
    lines = [Line(f"002's {name}", list(points.items()), "paper") for name, points in BARE_PC_USE.items()]
    for name, by_card in found.items():
        instructions = min(measured.costs[ONE_BY_ONE].instructions for measured in by_card.values())
        points = [(rate, round(100 * rate * instructions / BARE_PC_HZ, 2)) for rate in USE_RATES]
        lines.append(Line(name, points, "ours" if name == OURS else "peer"))
    title = "Share of a processor of 2.4 GHz for static pages (002 section IV.A), an instruction a cycle"
    return Lines(title, "requests a second", "percent", lines, log_y=True)


def table1(files: Mapping[str, Measured], pages: Mapping[str, dynamic.Measured]) -> Result:
    """Ours, on connections of their own and on kept ones. What rides on data is not sent for itself, which the formula
    does not know."""
    first, page = next(iter(files.values())), next(iter(pages.values()))
    rows = []
    for (of_pages, of_files), printed in BARE_PC_TABLE1_MB_S.items():
        formula = of_pages * bare_pc_octets(BARE_PC_PAGE) + of_files * bare_pc_octets(BARE_PC_FILE)
        ours = (of_pages * page.octets[way] + of_files * first.costs[way].octets for way in WAYS)
        cells = (f"{octets * 8 / 1e6:.1f}" for octets in (formula, *ours))
        rows.append((str(of_pages), str(of_files), f"{printed}", *cells))
    columns = ("pages/s", "files/s", "002 Table 1", "its formula", *(way.name for way in WAYS))
    figures = []
    for crowd, word in ((False, ""), (True, "_crowd")):
        ways = [way for way in WAYS if (way.at_once > 1) == crowd]
        errors = [
            *(one.costs[way].octets / _expected(BARE_PC_FILE, one.costs[way], ALONE[way.keep])
              for one in files.values() for way in ways),
            *(one.octets[way] / _expected(SMALL, one.costs[dynamic.ALONE[0], way], ALONE[way.keep])
              for one in pages.values() for way in ways),
        ]  # fmt: skip
        what = "many at once: with what is sent again to clients that acknowledge late" if crowd else (
            "octets on the line for Table 1's pages and files, against its formula less what is saved"
        )  # fmt: skip
        bound, error = None if crowd else 1, max(abs(one - 1) for one in errors)
        figures.append(Figure(f"pc_formula_error{word}_percent", what, round(100 * error, 2), "%", bound))
    saved = [
        Figure(
            f"pc_saved_{word}_percent",
            f"of the octets of 002's formula, saved: {what}, our head included",
            round(100 * (1 - first.costs[Way(keep, 1)].octets / bare_pc_octets(BARE_PC_FILE)), 1),
            "%",
        )
        for keep, word, what in ((False, "own", OWN), (True, "kept", KEPT))
    ]
    sheet = Sheet("Octets sent, Mb/s (002 Table 1)", columns, rows)
    return Result({}, figures[:1], beside=[*figures[1:], *saved], sheets=[sheet])


def _expected(content: int, cost: Cost, alone: int) -> int:
    """By the formula, with our head and options of SYN, and only the segments without data that are sent."""
    return bare_pc_octets(content + cost.head, alone) + (SYN_OPTIONS if alone > 1 else 0)
