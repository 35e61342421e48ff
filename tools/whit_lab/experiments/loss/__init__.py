# SPDX-License-Identifier: MIT
"""A page over lossy hops: dynaWeb's and Smews' authors left this to future work (000 section 6)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import inf
from typing import Literal

from whit_lab.experiment import Figure, Found, Line, Lines, Progress, Row, Sheet
from whit_lab.experiments.loss.page import LWIP, LWIP_8, OURS, PATIENCE_S, Loaded, Way, ladder, servers

RTTS_MS = (50, 200, 1000)
LOSSES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
HOPS = (1, 2, 3, 4, 5)
HOP_RTT_MS = 200  # of each hop: five have 1 s
HOP_LOSSES = (0.0, 0.01, 0.05, 0.1, 0.2)
FEWER = 20  # pages of the reduced form
LADDER, LADDER_SEED = Way(200, 0.1), 5
PAGES, HOP_PAGES = 100, 200  # at each point, with seeds of their own: medians of 50 pages differ by half at 41 % loss
SEED = 1


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    progress("building", 0.0)
    both = servers()
    points = _points()
    if reduced:
        points = {Way(200, 0.0): 1, **dict.fromkeys((Way(200, 0.05), Way(200, 0.2), Way(200, 0.05, 5)), FEWER)}
    pages: dict[str, dict[Way, Sequence[Loaded]]] = {name: {} for name in (OURS, LWIP, LWIP_8)}
    for index, (way, count) in enumerate(points.items()):
        progress(named(way), 0.05 + 0.95 * index / len(points))
        for name, loaded in pages.items():
            loaded[way] = [both.load(name, way, seed) for seed in range(SEED, SEED + count)]
    one, several = (max(count for way, count in points.items() if (way.hops > 1) is hops) for hops in (False, True))
    yield {
        "pages": f"{one} at each point of one hop, {several} at others",
        "octets": "of a Cortex-M3" if both.elements else "of this machine: no compiler for a Cortex-M3",
        "seed": f"{SEED}, and the next ones",
    }
    yield from figures(pages)
    yield from rows(pages)
    yield from (sheet("One hop", pages, hops=False), sheet("Several hops", pages, hops=True))
    yield from series(pages)
    yield ladder(both, LADDER, LADDER_SEED, "A page and its picture, RTT 200 ms, 10 % lost each way")
    yield from notes(pages)


def _points() -> dict[Way, int]:
    """Returns the number of pages for each way; without loss one, since all are equal."""
    one_hop = {Way(rtt_ms, loss): PAGES for rtt_ms in RTTS_MS for loss in LOSSES}
    several = {Way(HOP_RTT_MS, loss, hops): HOP_PAGES for loss in HOP_LOSSES for hops in HOPS[1:]}
    return {way: count if way.loss else 1 for way, count in {**one_hop, **several}.items()}


# ---------------------------------------------------------------- what is shown


Pages = Mapping[str, Mapping[Way, Sequence[Loaded]]]
"""By server and way; as many of each server at a way, with the same seeds."""
SURE_LOSS = 0.05  # up to this loss, from end to end, every page is complete
PEERS = (LWIP, LWIP_8)
FASTER = "lwIP 2.1.3, the faster of both, same run"
TOLD = (0.0, 0.01, 0.05, 0.1, 0.2)  # losses that have rows
DRAWN = (0.0, 0.05, 0.1)  # of each of several hops
MANY = 5  # hops
GROUP = 50  # pages in a group; the spread of groups is printed beside the ratio of all
LATE = 0.9  # the share of the pages that are complete by then


def named(way: Way) -> str:
    hops = "" if way.hops == 1 else f"{way.hops} hops, each "
    return f"{hops}RTT {way.rtt_ms} ms, {100 * way.loss:g} % lost"


def at(pages: Sequence[Loaded], share: float = 0.5, of: Callable[[Loaded], float] = lambda one: one.seconds) -> float:
    """Returns the value that this share of the pages does not exceed."""
    values = sorted(map(of, pages))
    return round(values[min(len(values) - 1, int(share * len(values)))], 3)


def mean(pages: Sequence[Loaded], of: Callable[[Loaded], float]) -> float:
    return round(sum(map(of, pages)) / len(pages), 1)


Value = Callable[[Sequence[Loaded]], float]
MEASURES: Sequence[tuple[str, Value]] = (
    ("median", at),
    ("mean", lambda pages: round(sum(one.seconds for one in pages) / len(pages), 3)),
    ("the slowest tenth begins", partial(at, share=LATE)),
)


def percent(pages: Sequence[Loaded]) -> float:
    return round(100 * sum(one.complete for one in pages) / len(pages), 1)


def ratio(pages: Pages, way: Way) -> float:
    """Returns Whit's time divided by that of the faster peer."""
    return at(pages[OURS][way]) / min(at(pages[peer][way]) for peer in PEERS)


def more_complete(pages: Pages, way: Way) -> float:
    """Returns the percent of Whit's complete pages, minus that of the better peer."""
    return round(percent(pages[OURS][way]) - max(percent(pages[peer][way]) for peer in PEERS), 1)


def spread(pages: Pages, way: Way) -> str:
    """Returns the ratio, and the range of the ratios of groups of pages."""
    groups = [
        {name: {way: loaded[way][at : at + GROUP]} for name, loaded in pages.items()}
        for at in range(0, len(pages[OURS][way]), GROUP)
    ]
    ratios = [ratio(group, way) for group in groups if comes(group, way)]
    if not comes(pages, way):
        return "–"
    between = f" ({min(ratios):.2f} - {max(ratios):.2f})" if len(ratios) > 1 else ""
    return f"{ratio(pages, way):.2f}{between}"


def comes(pages: Pages, way: Way) -> bool:
    """True if the faster server's median is below the patience."""
    return min(at(pages[name][way]) for name in pages) < PATIENCE_S


def figures(pages: Pages) -> Iterator[Figure]:
    ways = list(pages[OURS])
    sure = [page for way in ways if way.end_to_end <= SURE_LOSS + 1e-9 for page in pages[OURS][way]]
    kept = max(page.kept_bs for way in ways for page in pages[OURS][way])
    what = f"ours: pages complete within {PATIENCE_S:g} s, up to {100 * SURE_LOSS:g} % lost from end to end"
    yield Figure("complete_percent", what, percent(sure), "%", least=100)
    yield Figure("static_charge_bs", "memory charge of the page's files, the most of all pages", kept, "B·s", 0)
    for loss in sorted({way.loss for way in ways if way.hops == 1}):
        name = f"time_over_lwip_{100 * loss:g}"
        worst = max(ratio(pages, way) for way in ways if way.hops == 1 and way.loss == loss)
        what = f"{100 * loss:g} % lost: median time over the faster lwIP's, the worst RTT"
        yield Figure(name, what, round(worst, 3), "times", 1)
    worst = max(ratio(pages, way) for way in ways if way.hops > 1 and comes(pages, way))
    yield Figure("time_over_lwip_hops", "2 to 5 hops: the same, the worst", round(worst, 3), "times", 1)
    fewest = min(more_complete(pages, way) for way in ways if way.hops > 1)
    what = f"2 to 5 hops: pages complete within {PATIENCE_S:g} s, ours less those of the lwIP that has more, the worst"
    yield Figure("complete_over_lwip_hops", what, fewest, "points", least=0)


def _lossiest(pages: Pages) -> Way:
    return max((way for way in pages[OURS] if way.hops == 1), key=lambda way: (way.loss, -way.rtt_ms))


def rows(pages: Pages) -> Iterator[Row]:
    for way in (way for way in pages[OURS] if way.loss in TOLD and way.hops in (1, MANY) and comes(pages, way)):
        for what, of in MEASURES if way.loss else MEASURES[:1]:
            faster = min(of(pages[peer][way]) for peer in PEERS)
            if faster < PATIENCE_S:
                yield Row(f"page, {named(way)}: {what}", of(pages[OURS][way]), faster, "s", FASTER)
        if way.hops > 1 and way.loss:
            ours, theirs = (max(percent(pages[name][way]) for name in names) for names in ((OURS,), PEERS))
            yield Row(f"page, {named(way)}: complete", ours, theirs, "%", "lwIP 2.1.3 that has more, same run", "more")
    for way in (way for way in pages[OURS] if way.loss in TOLD and way.hops == 1 and way.rtt_ms == 200):
        kept: Callable[[Loaded], float] = lambda one: one.kept_bs  # noqa: E731
        for peer in PEERS:
            ours, theirs = (mean(pages[name][way], kept) for name in (OURS, peer))
            yield Row(f"memory charge, {named(way)}", ours, theirs, "B·s", _source(peer))
        ours, theirs = (_charge(pages[name][way]) for name in (OURS, LWIP))
        yield Row(f"... with connections, {named(way)}", ours, theirs, "B·s", _source(LWIP))
    most = _lossiest(pages)
    opened = [at(pages[name][most], LATE, lambda one: one.opened_s) for name in (OURS, *PEERS)]
    name = f"first connection open, {named(most)}: the slowest tenth begins"
    yield Row(name, opened[0], min(opened[1:]), "s", FASTER)
    for peer in PEERS:
        ours, theirs = (percent([page for some in pages[name].values() for page in some]) for name in (OURS, peer))
        yield Row("pages complete, of all", ours, theirs, "%", _source(peer), "more")


def _source(peer: str) -> str:
    return f"lwIP 2.1.3{peer.removeprefix(LWIP)}, same run"


def sheet(title: str, pages: Pages, *, hops: bool) -> Sheet:
    columns = ["hops", "RTT", "lost", "end to end", *(f"{name}, s" for name in pages)]
    columns += ["over lwIP", "complete, %", "charge, B·s"]
    lines = []
    for way in (way for way in pages[OURS] if (way.hops > 1) is hops):
        some = [loaded[way] for loaded in pages.values()]
        spreads = [f"{_s(at(one))} ({_s(at(one, 0.1))} - {_s(at(one, LATE))})" for one in some]
        complete = " / ".join(f"{percent(one):g}" for one in some)
        charge = " / ".join(f"{_charge(one):.0f}" for one in some)
        shares = f"{100 * way.loss:g} %", f"{100 * way.end_to_end:.1f} %"
        lines.append([f"{way.hops}", f"{way.rtt_ms} ms", *shares, *spreads, spread(pages, way), complete, charge])
    return Sheet(f"{title}: median (slower than a tenth - than nine tenths) of the page times", columns, lines)


def _s(seconds: float) -> str:
    return "never" if seconds >= PATIENCE_S else f"{seconds:.2f}"


def series(pages: Pages) -> Iterator[Lines]:
    for title, y_label, value in (
        ("Page time over one hop: median", "seconds", at),
        ("Page time: where the slowest tenth begins", "seconds", partial(at, share=LATE)),
        ("Memory charge of a page, with connections", "octet seconds", _charge),
    ):
        yield Lines(title, "frames lost, % each way", y_label, _by_loss(pages, value), log_y=True)
    losses, hops = sorted({way.loss for way in pages[OURS] if way.hops > 1}), "hops, RTT 200 ms each"
    drawn = _by_hops(pages, [loss for loss in losses if loss in DRAWN], at, PATIENCE_S)
    yield Lines("Page time over hops: median", hops, "seconds", drawn, log_y=True)
    whole = _by_hops(pages, losses[-2:], percent)
    yield Lines(f"Pages that are complete after {PATIENCE_S:g} s", hops, "% of the pages", whole)


def _by_loss(pages: Pages, value: Value) -> list[Line]:
    lines = []
    for name, rtt_ms in product((OURS, LWIP), sorted({way.rtt_ms for way in pages[OURS] if way.hops == 1})):
        ways = [way for way in pages[name] if way.hops == 1 and way.rtt_ms == rtt_ms]
        points = [(100 * way.loss, value(pages[name][way])) for way in ways]
        lines.append(Line(f"{name}, RTT {rtt_ms} ms", points, _whose(name)))
    return lines


def _by_hops(pages: Pages, losses: Sequence[float], value: Value, below: float = inf) -> list[Line]:
    """Returns lines over the number of hops with the same round trip."""
    rtt_ms = max(way.rtt_ms for way in pages[OURS] if way.hops > 1)
    ways = sorted((way for way in pages[OURS] if way.rtt_ms == rtt_ms), key=lambda way: way.hops)
    lines = []
    for name, loss in product((OURS, LWIP), losses):
        points = [(way.hops, value(pages[name][way])) for way in ways if way.loss == loss]
        points = [(hops, y) for hops, y in points if y < below]
        if len(points) > 1:
            lines.append(Line(f"{name}, {100 * loss:g} % lost by each", points, _whose(name)))
    return lines


def _charge(pages: Sequence[Loaded]) -> float:
    return mean(pages, lambda one: one.charge_bs)


def _whose(name: str) -> Literal["ours", "peer"]:
    return "ours" if name == OURS else "peer"


def notes(pages: Pages) -> Iterator[str]:
    worse = [row.name for row in rows(pages) if row.worse and row.name.startswith("page")]
    if worse:
        yield (
            f"Ours is worse in: {'; '.join(worse)}. A loss among a response's last segments waits for a probe after "
            "two round trips and for the duplicate acknowledgment that the probe draws; a lost one that is sent again "
            "doubles the timer. lwIP's longest waits lie beyond that place, and the means show them."
        )
