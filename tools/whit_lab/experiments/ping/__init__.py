# SPDX-License-Identifier: MIT
"""Round trip of an echo by its size, on emulated devices (003 Figure 6)."""

from collections.abc import Iterator, Mapping, Sequence

from whit.errors import WhitError
from whit.machines.machines import why_no_machine
from whit_lab.experiment import Figure, Found, Line, Lines, Progress, Row, Series, Stacks
from whit_lab.experiments.ping import echo
from whit_lab.papers import ETHERNUT_BITS_PER_S, ETHERNUT_HZ, LWIP_FIG7_MAX

SIZES = (8, 32, 56, 128, 256, 384, 512, 768, 1024, 1200, 1400, echo.LARGEST)  # bytes of data
REDUCED = (8, 256, 1400, echo.LARGEST)
SMALL, LARGE = 8, 1400
OCTETS = "octets of data"
HZ = 14_744_000  # the port counts in multiples of 8 kHz
USUAL = (echo.avr(HZ, 115_200), echo.console())
OTHERS = (echo.avr(8_000_000, 100_000), echo.avr(HZ, 460_800), echo.avr(HZ, 921_600))
ADDED_PERCENT = 5.0
STRAIGHT_PERCENT = 1.0
PHASES = {"taken": "in, octet by octet or in pieces", "answered": "its end, and heads", "sent": "out, octet by octet"}
DRIVERS = {echo.LINE: "serial line", echo.CARD: "Ethernet card"}
Trips = Mapping[echo.Device, Mapping[int, echo.Trip]]
Works = Mapping[tuple[str, str], Mapping[int, echo.Work]]
"""By processor and driver."""


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    """Runs emulated machines in virtual time, and a program of lab/cycles on them."""
    for target in ("avr", "gba"):
        if why := why_no_machine(target):
            raise WhitError(f"lab: ping needs the emulated {target}: {why}")
    sizes, devices = (REDUCED, USUAL) if reduced else (SIZES, (*USUAL, *OTHERS))
    trips: dict[echo.Device, dict[int, echo.Trip]] = {}
    works: dict[tuple[str, str], dict[int, echo.Work]] = {}
    ends: dict[echo.Device, int] = {}
    for index, device in enumerate(devices):
        progress(device.name, index / len(devices))
        built = device.build()
        trips[device], ends[device] = measure(echo.Pinged(device, built), sizes)
        for driver in DRIVERS if device in USUAL else ():
            works[device.processor, driver] = echo.work(device.bench, built, driver, sizes)
    yield {"buffer": echo.BUFFER, "devices": [device.name for device in devices], "data_octets": list(sizes)}
    yield from _figures(trips, ends)
    yield from _rows(works)
    yield from _series(trips, works)
    yield from _notes(trips, works)


def measure(pinged: echo.Pinged, sizes: Sequence[int]) -> tuple[dict[int, echo.Trip], int]:
    """Returns trips by bytes of data, and the largest answered size. The search ends after two unanswered echoes."""
    trips = {}
    for size in sizes:
        trip = pinged.ping(size)
        if trip is None:
            raise WhitError(f"lab: a ping of {size} octets was not answered", 1)
        trips[size] = trip
    end = max(trips)
    while pinged.ping(end + 1) is not None:
        end += 1
    return trips, end


def straight_percent(trips: Mapping[int, float]) -> float:
    """Returns the largest deviation from the straight line through the first and the last point, in per cent."""
    first, last = min(trips), max(trips)
    slope = (trips[last] - trips[first]) / (last - first)
    return max(100 * abs(value / (trips[first] + slope * (size - first)) - 1) for size, value in trips.items())


def slope(works: Mapping[int, echo.Work], of: str = "total") -> float:
    """Returns the cycles per additional byte."""
    first, last = min(works), max(works)
    return float(getattr(works[last], of) - getattr(works[first], of)) / (last - first)


def wire_us(size: int) -> float:
    """Returns the time of one datagram on the paper's Ethernet: preamble, head, at least 46 bytes, FCS."""
    return (8 + 14 + max(46, echo.HEADS_LEN + size) + 4) * 8 * 1e6 / ETHERNUT_BITS_PER_S


def board_us(size: int, one: echo.Work) -> float:
    """Returns the round trip on the paper's Ethernet with its clock. A card passes whole frames to the processor."""
    return 2 * wire_us(size) + one.total * 1e6 / ETHERNUT_HZ


# ---------------------------------------------------------------- what is shown


def _figures(trips: Trips, ends: Mapping[echo.Device, int]) -> Iterator[Figure]:
    usual = [trips[device] for device in USUAL]
    added = max(trip.added_percent for by_size in usual for trip in by_size.values())
    straight = max(straight_percent({size: trip.whole_us for size, trip in x.items()}) for x in usual)
    what = "115 200 baud: what the processor adds to the line's own time, the worst size, AVR and console"
    what_end = f"octets of data that a shared buffer of {echo.BUFFER} octets echoes at most, the least of all devices"
    yield Figure("added_percent_max", what, round(added, 2), "%", ADDED_PERCENT)
    yield Figure("straight_percent_max", "... how far from a straight line", round(straight, 2), "%", STRAIGHT_PERCENT)
    yield Figure("largest_echo_octets", what_end, min(ends.values()), "B", least=echo.LARGEST)


def _ms(us: float) -> float:
    return round(us / 1000, 3)


def _rows(works: Works) -> Iterator[Row]:
    for size in (SMALL, LARGE):
        took = _ms(board_us(size, works["AVR", echo.CARD][size]))
        source = "003 Figure 6: no number in the text"
        yield Row(f"AVR, Ethernet card, 10 Mb/s: {size} octets", took, None, "ms", source)


def _series(trips: Trips, works: Works) -> Iterator[Series]:
    card = works["AVR", echo.CARD]
    whole = [Line(device.short, _points(by_size, "whole_us", 1000)) for device, by_size in trips.items()]
    whole.insert(1, Line("a line of 115.2 kbaud alone", _points(trips[USUAL[0]], "line_us", 1000), "model"))
    added = [Line(device.short, _points(by_size, "added_percent", 1)) for device, by_size in trips.items()]
    board = [
        Line("AVR, Ethernet at 10 Mb/s", [(n, board_us(n, x) / 1000) for n, x in card.items()]),
        Line("both frames alone", [(n, 2 * wire_us(n) / 1000) for n in card], "model"),
    ]
    in_flight = [  # values of figures 4 and 5, from figure 6
        Line(f"with {delay} ms of delay", [(n, n / (board_us(n, x) / 1000 + delay)) for n, x in card.items()])
        for delay in (0, 10)
    ]
    phases = {
        f"{processor}, {DRIVERS[driver]}": {said: getattr(by_size[LARGE], name) for name, said in PHASES.items()}
        for (processor, driver), by_size in works.items()
    }
    yield Lines("Round trip by size, serial lines (003 Fig. 6)", OCTETS, "ms", whole)
    yield Lines("What the processor adds to the line's time", OCTETS, "% of the line's time", added, log_y=True)
    yield Lines("As on the paper's board (003 Fig. 6)", OCTETS, "ms", board)
    yield Lines("... one packet in flight (003 Fig. 4, 5)", OCTETS, "kB/s", in_flight)
    yield Stacks(f"The processor's cycles for an echo of {LARGE} octets", "cycles", phases)


def _points(by_size: Mapping[int, echo.Trip], what: str, over: float) -> list[tuple[float, float]]:
    return [(size, getattr(trip, what) / over) for size, trip in by_size.items()]


def _notes(trips: Trips, works: Works) -> Iterator[str]:
    by_line, card = works["AVR", echo.LINE], slope(works["AVR", echo.CARD])
    line, out = slope(by_line), slope(by_line, "sent")
    theirs = ETHERNUT_HZ / LWIP_FIG7_MAX
    yield (
        f"One octet more costs an AVR {line:.0f} cycles on a serial line. All but {out:.0f} of them are spent "
        f"while the line brings the next octet. With a card's pieces it costs {card:.0f} in and out. 003's only number "
        f"for its processor, 415 kB/s for lwIP, is {theirs:.1f} cycles for an octet sent by TCP."
    )
    fast = next((device for device in trips if device.baud == 921_600), None)
    if fast:
        trip = trips[fast][LARGE]
        yield (
            f"At 921 600 baud an octet takes {10 * HZ / fast.baud:.0f} cycles, less than it takes of the processor: "
            f"RTS keeps the line waiting, and the processor adds {trip.added_percent:.0f} %. An AVR's limit is "
            f"{LARGE * 1e3 / (trip.whole_us - trip.line_us / 2):.0f} kB/s inwards."
        )
