# SPDX-License-Identifier: MIT
"""Round trip of an echo by its size, on emulated devices (003 Figure 6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whit.errors import WhitError
from whit.lab.experiment import Experiment, Figure, Line, Lines, Progress, Result, Row, Series, Stacks
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
from whit.machines import why_no_machine

SIZES = (8, 32, 56, 128, 256, 384, 512, 768, 1024, 1200, 1400, LARGEST)  # octets of data
REDUCED = (8, 256, 1400, LARGEST)
SMALL, PLAIN, LARGE = 8, 56, 1400
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


@dataclass(frozen=True)
class PingExperiment:
    """Emulated machines in virtual time, and a program of lab/cycles on them."""

    name: str = "ping"
    title: str = "Ping: round trip by packet size, the line's time and the processor's"
    answers_to: str = "How much of a round trip is the processor's, and does it grow as in the paper?"
    paper: str = "003 Figure 6"
    rows: Sequence[str] = ("U1", "U5")
    seconds: int = 10

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        for target in ("avr", "gba"):
            if why := why_no_machine(target):
                raise WhitError(f"lab: ping needs the emulated {target}: {why}")
        sizes = REDUCED if reduced else SIZES
        devices = USUAL if reduced else (*USUAL, *OTHERS)
        trips: dict[Device, dict[int, Trip]] = {}
        works: dict[tuple[str, str], dict[int, Work]] = {}
        ends: dict[Device, int] = {}
        for index, device in enumerate(devices):
            progress(device.name, index / len(devices))
            built = device.build()
            trips[device], ends[device] = measure(Pinged(device, built), sizes)
            if device in USUAL:
                for driver in DRIVERS:
                    works[device.processor, driver] = work(device.bench, built, driver, sizes)
        progress("done", 1.0)
        return Result(
            _settings(devices, sizes),
            _figures(trips, ends),
            _series(trips, works),
            _beside(trips, works),
            compared=_rows(works),
            notes=_notes(trips, works),
        )


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


def _settings(devices: Sequence[Device], sizes: Sequence[int]) -> dict[str, object]:
    return {
        "application": "apps/contacts",
        "buffer": BUFFER,
        "devices": [device.name for device in devices],
        "data_octets": list(sizes),
        "datagram": f"data and {HEADS_LEN} octets; SLIP's ENDs, no escapes; no latency beside the octets'",
        "time": "from the request's first octet to the reply's last one",
        "limit": "the octets of both datagrams, one behind the other",
        "processor": "lab/cycles/echo.c: drivers that do nothing, a call for each octet, or a register of 8 bits and "
        "pieces of 64 octets",
        "board": f"cycles at {ETHERNUT_HZ / 1e6:g} MHz, and both frames on Ethernet at 10 Mb/s",
    }


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


def _beside(trips: Trips, works: Works) -> list[Figure]:
    figures = []
    for device, by_size in trips.items():
        key = f"{device.processor.lower()}_{device.hz // 1_000_000}_mhz_{device.baud}_baud"
        for size in (SMALL, LARGE):
            trip, what = by_size[size], f"{device.name}, {size} octets"
            figures += [
                Figure(f"{key}_{size}_ms", f"{what}: round trip", _ms(trip.whole_us), "ms"),
                Figure(f"{key}_{size}_added_ms", f"{what}: of it above the line's own", _ms(trip.added_us), "ms"),
                Figure(f"{key}_{size}_waited_ms", f"{what}: of that, the line waited", _ms(trip.waited_us), "ms"),
            ]
    for (processor, driver), echoes in works.items():
        key, what = f"{processor.lower()}_{driver}", f"{processor}, {DRIVERS[driver]}"
        figures += [
            Figure(f"{key}_octet_cycles", f"{what}: one octet more, in and out", round(slope(echoes), 1), "cycles"),
            Figure(f"{key}_{SMALL}_cycles", f"{what}: an echo of {SMALL} octets", echoes[SMALL].total, "cycles"),
            Figure(f"{key}_{LARGE}_cycles", f"{what}: an echo of {LARGE} octets", echoes[LARGE].total, "cycles"),
        ]
    return figures


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
    return [_round_trips(trips), _added(trips), _board(works), _in_flight(works), _phases(works)]


OCTETS = "octets of data"


def _round_trips(trips: Trips) -> Lines:
    lines = [Line(device.short, _points(by_size, "whole_us", 1000)) for device, by_size in trips.items()]
    lines.insert(1, Line("a line of 115.2 kbaud alone", _points(trips[USUAL[0]], "line_us", 1000), "model"))
    return Lines("Round trip by size, serial lines (003 Fig. 6)", OCTETS, "ms", lines)


def _added(trips: Trips) -> Lines:
    lines = [Line(device.short, _points(by_size, "added_percent", 1)) for device, by_size in trips.items()]
    return Lines("What the processor adds to the line's time", OCTETS, "% of the line's time", lines, log_y=True)


def _points(by_size: Mapping[int, Trip], what: str, over: float) -> list[tuple[float, float]]:
    return [(size, getattr(trip, what) / over) for size, trip in by_size.items()]


def _board(works: Works) -> Lines:
    by_size = works["AVR", CARD]
    lines = [
        Line("AVR, Ethernet at 10 Mb/s", [(n, board_us(n, x) / 1000) for n, x in by_size.items()]),
        Line("both frames alone", [(n, 2 * wire_us(n) / 1000) for n in by_size], "model"),
    ]
    return Lines("As on the paper's board (003 Fig. 6)", OCTETS, "ms", lines)


def _in_flight(works: Works) -> Lines:
    """What figures 4 and 5 have, from figure 6."""
    by_size = works["AVR", CARD]
    lines = []
    for delay_ms in (0, 10):
        points = [(n, n / (board_us(n, x) / 1000 + delay_ms)) for n, x in by_size.items()]
        lines.append(Line(f"with {delay_ms} ms of delay", points))
    return Lines("... one packet in flight (003 Fig. 4, 5)", OCTETS, "kB/s", lines)


def _phases(works: Works) -> Stacks:
    amounts = {}
    for (processor, driver), by_size in works.items():
        one = by_size[LARGE]
        amounts[f"{processor}, {DRIVERS[driver]}"] = {said: getattr(one, name) for name, said in PHASES.items()}
    return Stacks(f"The processor's cycles for an echo of {LARGE} octets", "cycles", amounts)


def _notes(trips: Trips, works: Works) -> list[str]:
    line, card = slope(works["AVR", LINE]), slope(works["AVR", CARD])
    theirs = ETHERNUT_HZ / LWIP_FIG7_MAX
    notes = [
        "The text of 003 has no numbers of figure 6. It says that ping pays for a packet's copy twice, in and out. "
        "That a round trip grows with what a packet takes of the processor is its explanation of why figure 5 is bent, "
        "where figure 4, with 10 ms of delay, is linear. The chart of one packet in flight has both shapes.",
        f"The port's clock counts in multiples of 8 kHz: {HZ / 1e6:g} MHz stand for 14.7456. An echo is copied once, "
        "into the shared buffer, where it waits for its checksum; it leaves from there.",
        f"One octet more costs an AVR {line:.0f} cycles on a serial line. All but {_out(works):.0f} of them are spent "
        f"while the line brings the next octet. With a card's pieces it costs {card:.0f} in and out. 003's only number "
        f"for its processor, 415 kB/s for lwIP, is {theirs:.1f} cycles for an octet sent by TCP.",
        f"A larger echo than the free shared buffer less {BUFFER - LARGEST} octets is not answered.",
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


EXPERIMENT: Experiment = PingExperiment()
