# SPDX-License-Identifier: MIT
"""Sending time by size of the content and segments in flight: EMSOFT 2009 (Smews), equations 1 to 8 and Figure 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whit.lab.experiment import Experiment, Progress, Result
from whit.lab.experiments.sending_time import show as show
from whit.lab.experiments.sending_time.run import (
    CHUNK,
    DUPLEX,
    FEW,
    FIGURE_1,
    IN_FLIGHT,
    SIZES,
    Measured,
    Point,
    built,
    ladders,
    measure,
    measure_sender,
    options,
    point,
)


@dataclass(frozen=True)
class SendingTimeExperiment:
    sizes: Sequence[int] = SIZES
    seed: int = 1
    name: str = "sending-time"
    title: str = "Sending time by size of the content and segments in flight"
    answers_to: str = "Does a response take what the paper's model says, and are odd numbers in flight bad?"
    paper: str = "001 eq. 1–8, Figure 1"
    rows: Sequence[str] = ("S3", "S4")
    seconds: int = 10

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        progress("building", 0.0)
        result = built()
        sizes = FEW if reduced else self.sizes
        engine: dict[str, dict[float, list[Point]]] = {}
        sender: dict[str, dict[float, list[Point]]] = {}
        runs = [(duplex, in_flight) for duplex in DUPLEX for in_flight in IN_FLIGHT]
        for index, (duplex, in_flight) in enumerate(runs):
            progress(f"{in_flight:g} in flight, {duplex}", 0.1 + 0.9 * index / len(runs))
            ours, theirs = [], []
            for size in sizes:
                exchange = measure(result.image, size, in_flight, duplex, self.seed)
                ours.append(point(exchange))
                theirs.append(point(measure_sender(exchange.response.raw, size, in_flight, duplex, self.seed)))
            engine.setdefault(duplex, {})[in_flight] = ours
            sender.setdefault(duplex, {})[in_flight] = theirs
        progress("done", 1.0)
        measured = Measured(engine, sender)
        return Result(
            self._settings(sizes),
            show.figures(measured),
            show.series(measured),
            compared=show.rows(measured),
            sheets=[show.sheet(measured)],
            ladders=ladders(result, 3, FEW[1], self.seed),
            notes=show.NOTES,
        )

    def _settings(self, sizes: Sequence[int]) -> dict[str, object]:
        return {
            "rate_octets_per_s": FIGURE_1.bandwidth,
            "rtt_ms": 1000 * FIGURE_1.rtt_s,
            "mss": FIGURE_1.mss,
            "delayed_ack_ms": 1000 * FIGURE_1.delayed_ack_s,
            "client": options(1).ack.value,
            "in_flight": [f"{one:g}" for one in IN_FLIGHT],
            "window": "of the client: so many segments and 1/256 more; without a limit 65 535 octets",
            "links": list(DUPLEX),
            "octets_counted": "datagrams, with 40 octets of TCP and IP heads, without Ethernet's",
            "files": list(sizes),
            "content": "a response with its head",
            "chunk": CHUNK,
            "request": "the second one of a connection",
            "st": "from the response's first octet leaving the server to its last acknowledgment's arrival there",
            "arrival": "from the same to the response's last octet arriving at the client",
            "server": "the engine in-process: it takes no time of its own",
            "seed": self.seed,
        }


EXPERIMENT: Experiment = SendingTimeExperiment()
