# SPDX-License-Identifier: MIT
"""Sending time by size of the content and segments in flight: EMSOFT 2009 (Smews), equations 1 to 8 and Figure 1."""

from whit.lab.experiment import Progress, Result
from whit.lab.experiments.sending_time import show as show
from whit.lab.experiments.sending_time.runs import (
    CHUNK,
    DUPLEX,
    FEW,
    FIGURE_1,
    HALVED,
    OF_ENGINE,
    SEED,
    SIZES,
    Measured,
    built,
    ladders,
    measure,
    measure_sender,
    point,
)


def run(progress: Progress, *, reduced: bool = False) -> Result:
    progress("building", 0.0)
    result = built()
    sizes = FEW if reduced else SIZES
    measured = Measured({duplex: {} for duplex in DUPLEX}, {duplex: {} for duplex in DUPLEX})
    runs = [(duplex, in_flight) for duplex in DUPLEX for in_flight in OF_ENGINE]
    for index, (duplex, in_flight) in enumerate(runs):
        progress(f"{in_flight:g} in flight, {duplex}", 0.1 + 0.9 * index / len(runs))
        ours = [measure(result.image, size, in_flight, duplex, SEED) for size in sizes]
        measured.engine[duplex][in_flight] = list(map(point, ours))
        if in_flight == HALVED:  # the equations' sender halves nothing
            continue
        theirs = [
            measure_sender(one.response.raw, size, in_flight, duplex, SEED)
            for one, size in zip(ours, sizes, strict=True)
        ]
        measured.sender[duplex][in_flight] = list(map(point, theirs))
    return Result(
        {
            "rate_octets_per_s": FIGURE_1.bandwidth,
            "mss": FIGURE_1.mss,
            "chunk": CHUNK,
            "files": list(sizes),
            "seed": SEED,
        },
        show.figures(measured),
        show.series(measured),
        compared=show.rows(measured),
        sheets=[show.sheet(measured)],
        ladders=ladders(result, 3, FEW[1], SEED),
    )
