# SPDX-License-Identifier: MIT
"""Round trip of an echo by its size, on emulated devices (003 Figure 6)."""

from collections.abc import Mapping, Sequence

from whit.errors import WhitError
from whit.lab.experiment import Figure, Line, Lines, Progress, Result, Row, Series, Stacks
from whit.lab.experiments.ping.echo import (
    BUFFER,
    CARD,
    HEADS_LEN,
    LARGEST,
    LINE,
    Device,
    Pinged,
    Trip,
    Work,
    avr,
    console,
    work,
)
from whit.lab.papers import ETHERNUT_BITS_PER_S, ETHERNUT_HZ, LWIP_FIG7_MAX
from whit.machines.machines import why_no_machine

SIZES = (8, 32, 56, 128, 256, 384, 512, 768, 1024, 1200, 1400, LARGEST)  # octets of data
REDUCED = (8, 256, 1400, LARGEST)
SMALL, LARGE = 8, 1400
OCTETS = "octets of data"
HZ = 14_744_000  # the port counts in multiples of 8 kHz
USUAL = (avr(HZ, 115_200), console())
OTHERS = (avr(8_000_000, 100_000), avr(HZ, 460_800), avr(HZ, 921_600))
ADDED_PERCENT = 5.0
STRAIGHT_PERCENT = 1.0
PHASES = {"taken": "in, octet by octet or in pieces", "answered": "its end, and heads", "sent": "out, octet by octet"}
DRIVERS = {LINE: "serial line", CARD: "Ethernet card"}
Trips = Mapping[Device, Mapping[int, Trip]]
Works = Mapping[tuple[str, str], Mapping[int, Work]]
"""By processor and driver."""


def run(progress: Progress, *, reduced: bool = False) -> Result:
    """Emulated machines in virtual time, and a program of lab/cycles on them."""
    for target in ("avr", "gba"):
        if why := why_no_machine(target):
            raise WhitError(f"lab: ping needs the emulated {target}: {why}")
    sizes, devices = (REDUCED, USUAL) if reduced else (SIZES, (*USUAL, *OTHERS))
    trips: dict[Device, dict[int, Trip]] = {}
    works: dict[tuple[str, str], dict[int, Work]] = {}
    ends: dict[Device, int] = {}
    for index, device in enumerate(devices):
        progress(device.name, index / len(devices))
        built = device.build()
        trips[device], ends[device] = measure(Pinged(device, built), sizes)
        for driver in DRIVERS if device in USUAL else ():
            works[device.processor, driver] = work(device.bench, built, driver, sizes)
    settings = {"buffer": BUFFER, "devices": [device.name for device in devices], "data_octets": list(sizes)}
    figures, series = _figures(trips, ends), _series(trips, works)
    return Result(settings, figures, series, compared=_rows(works), notes=_notes(trips, works))


def measure(pinged: Pinged, sizes: Sequence[int]) -> tuple[dict[int, Trip], int]:
    """Trips by octets of data, and the largest size of an echo: the last one before two that are not answered."""
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
    """How far the farthest point lies from the straight line through the first and the last, of its value."""
    first, last = min(trips), max(trips)
    slope = (trips[last] - trips[first]) / (last - first)
    return max(100 * abs(value / (trips[first] + slope * (size - first)) - 1) for size, value in trips.items())


def slope(works: Mapping[int, Work]) -> float:
    """Cycles that one octet more takes."""
    first, last = min(works), max(works)
    return (works[last].total - works[first].total) / (last - first)


def wire_us(size: int) -> float:
    """Of one datagram on the paper's Ethernet: preamble, head, at least 46 octets, FCS."""
    return (8 + 14 + max(46, HEADS_LEN + size) + 4) * 8 * 1e6 / ETHERNUT_BITS_PER_S


def board_us(size: int, one: Work) -> float:
    """Round trip on the paper's Ethernet with its clock. A card has a whole frame before the processor sees it."""
    return 2 * wire_us(size) + one.total * 1e6 / ETHERNUT_HZ


# ---------------------------------------------------------------- what is shown


def _figures(trips: Trips, ends: Mapping[Device, int]) -> list[Figure]:
    usual = [trips[device] for device in USUAL]
    added = max(trip.added_percent for by_size in usual for trip in by_size.values())
    straight = max(straight_percent({size: trip.whole_us for size, trip in x.items()}) for x in usual)
    what = "115 200 baud: what the processor adds to the line's own time, the worst size, AVR and console"
    what_end = f"octets of data that a shared buffer of {BUFFER} octets echoes at most, the least of all devices"
    return [
        Figure("added_percent_max", what, round(added, 2), "%", ADDED_PERCENT),
        Figure("straight_percent_max", "... how far from a straight line", round(straight, 2), "%", STRAIGHT_PERCENT),
        Figure("largest_echo_octets", what_end, min(ends.values()), "B", least=LARGEST),
    ]


def _ms(us: float) -> float:
    return round(us / 1000, 3)


def _rows(works: Works) -> list[Row]:
    by_size = works["AVR", CARD]
    source = "003 Figure 6: no number in the text"
    return [
        Row(f"AVR, Ethernet card, 10 Mb/s: {size} octets", _ms(board_us(size, by_size[size])), None, "ms", source)
        for size in (SMALL, LARGE)
    ]


def _series(trips: Trips, works: Works) -> list[Series]:
    card = works["AVR", CARD]
    whole = [Line(device.short, _points(by_size, "whole_us", 1000)) for device, by_size in trips.items()]
    whole.insert(1, Line("a line of 115.2 kbaud alone", _points(trips[USUAL[0]], "line_us", 1000), "model"))
    added = [Line(device.short, _points(by_size, "added_percent", 1)) for device, by_size in trips.items()]
    board = [
        Line("AVR, Ethernet at 10 Mb/s", [(n, board_us(n, x) / 1000) for n, x in card.items()]),
        Line("both frames alone", [(n, 2 * wire_us(n) / 1000) for n in card], "model"),
    ]
    in_flight = [  # what figures 4 and 5 have, from figure 6
        Line(f"with {delay} ms of delay", [(n, n / (board_us(n, x) / 1000 + delay)) for n, x in card.items()])
        for delay in (0, 10)
    ]
    phases = {
        f"{processor}, {DRIVERS[driver]}": {said: getattr(by_size[LARGE], name) for name, said in PHASES.items()}
        for (processor, driver), by_size in works.items()
    }
    return [
        Lines("Round trip by size, serial lines (003 Fig. 6)", OCTETS, "ms", whole),
        Lines("What the processor adds to the line's time", OCTETS, "% of the line's time", added, log_y=True),
        Lines("As on the paper's board (003 Fig. 6)", OCTETS, "ms", board),
        Lines("... one packet in flight (003 Fig. 4, 5)", OCTETS, "kB/s", in_flight),
        Stacks(f"The processor's cycles for an echo of {LARGE} octets", "cycles", phases),
    ]


def _points(by_size: Mapping[int, Trip], what: str, over: float) -> list[tuple[float, float]]:
    return [(size, getattr(trip, what) / over) for size, trip in by_size.items()]


def _notes(trips: Trips, works: Works) -> list[str]:
    line, card = slope(works["AVR", LINE]), slope(works["AVR", CARD])
    theirs = ETHERNUT_HZ / LWIP_FIG7_MAX
    notes = [
        f"One octet more costs an AVR {line:.0f} cycles on a serial line. All but {_out(works):.0f} of them are spent "
        f"while the line brings the next octet. With a card's pieces it costs {card:.0f} in and out. 003's only number "
        f"for its processor, 415 kB/s for lwIP, is {theirs:.1f} cycles for an octet sent by TCP.",
    ]
    fast = next((device for device in trips if device.baud == 921_600), None)
    if fast:
        trip = trips[fast][LARGE]
        notes.append(
            f"At 921 600 baud an octet takes {10 * HZ / fast.baud:.0f} cycles, less than it takes of the processor: "
            f"RTS keeps the line waiting, and the processor adds {trip.added_percent:.0f} %. An AVR's limit is "
            f"{LARGE * 1e3 / (trip.whole_us - trip.line_us / 2):.0f} kB/s inwards."
        )
    return notes


def _out(works: Works) -> float:
    by_size = works["AVR", LINE]
    first, last = min(by_size), max(by_size)
    return (by_size[last].sent - by_size[first].sent) / (last - first)
