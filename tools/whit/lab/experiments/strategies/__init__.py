# SPDX-License-Identifier: MIT
"""Every kind of content by its own strategy: time, memory and loss, and how much faster than one segment in flight it
is, by a run and by the model (EMSOFT 2009, section 4.3)."""

from __future__ import annotations

from whit.lab.experiment import Progress, Result
from whit.lab.experiments.strategies import ratios, show
from whit.lab.experiments.strategies.runs import (
    CASES,
    RATE,
    RTT_MS,
    S0,
    S1,
    S3,
    S4,
    SEED,
    Losses,
    buffers,
    files,
    image_of,
    measure,
    one_in_flight,
)
from whit.sim.engine import Engine


def run(progress: Progress, *, reduced: bool = False) -> Result:
    progress("building", 0.0)
    losses = Losses((0.05,), 1, 3) if reduced else Losses()
    images = {case: image_of(case) for case in CASES}
    measured = {}
    for index, case in enumerate(CASES):
        progress(case.label, 0.1 + 0.1 * index / len(CASES))
        measured[case] = measure(images[case], case, SEED)
    classic = one_in_flight(measured[S0].exchange.response, measured[S1].exchange.response, SEED)
    complete = losses.complete(images, progress)
    with Engine(images[S4]) as engine:
        point_len = engine.point_len
    by_buffer = buffers(measured[S3], classic["one_8k"], progress, reduced=reduced)
    progress("files", 0.95)
    run = ratios.Ratios(measured, classic, by_buffer, files(reduced=reduced))
    settings = {
        "seed": SEED,
        "rate_octets_per_s": RATE,
        "rtt_ms": RTT_MS,
        "buffer": {case.label: case.buffer for case in CASES},
        "losses": list(losses.losses),
        "loss_requests": losses.requests * losses.seeds,
    }
    return Result(
        settings,
        [*show.figures(measured, classic, complete, point_len), *ratios.figures(run)],
        [*show.series(measured, classic), *ratios.series(run)],
        compared=[*show.rows(measured, classic), *ratios.rows(run)],
        sheets=[ratios.sheet(run), show.sheet(measured, classic)],
        notes=ratios.notes(run),
    )
