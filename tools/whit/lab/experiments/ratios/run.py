# SPDX-License-Identifier: MIT
"""What ratios measures: strategies beside one segment in flight, and S3 by the size of its buffer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from whit.errors import WhitError
from whit.lab.experiment import Progress
from whit.lab.experiments.sending_time import run as sending
from whit.lab.experiments.strategies import S0, S1, S3, S3_300, Case, Measured, image_of, measure, one_in_flight
from whit.lab.instruments.exchange import Exchange
from whit.model.charge import equal_buffer, s0_ratio, s1_ratio, s3_ratio_exact
from whit.model.paper import Setting

FIGURE_1 = Setting()
STATIC, GENERATED = 8000, 600  # octets of content in 001 section 4.3
DRAWN = (200, 500, 900, 1200)  # octets of buffers, beside those that are looked for
# Shared buffers among which the equal one is looked for, in the two readings; reduced: on both sides of it.
EQUAL, EQUAL_WHOLE = range(220, 348, 4), range(320, 452, 4)
EQUAL_REDUCED = (316, 320, 344)
FILES = sending.SIZES[3::4]  # of an even number of segments, all of them full


@dataclass(frozen=True)
class Model:
    """Of 001 section 4.3."""

    s0: float
    s1: float
    s3: float
    equal_buffer: int


@dataclass(frozen=True)
class Ratios:
    strategies: Mapping[Case, Measured]  # S0, S1, S3
    classic: Mapping[str, Exchange]  # strategies.one_in_flight
    by_buffer: Sequence[tuple[int, Measured]]  # S3 by octets of the shared buffer
    equal: int  # the smallest of these that is as fast in the paper's time
    equal_whole: int | None  # ... in a user's time
    files: Sequence[tuple[int, float]] = ()  # octets of a response, one in flight over S0


def model() -> Model:
    buffer = equal_buffer(FIGURE_1)
    return Model(s0_ratio(FIGURE_1, STATIC), s1_ratio(FIGURE_1, GENERATED), s3_ratio_exact(FIGURE_1, STATIC), buffer)


def ratios(progress: Progress, seed: int, *, reduced: bool) -> Ratios:
    strategies = {}
    for index, case in enumerate((S0, S1, S3)):
        progress(case.label, 0.05 * index)
        strategies[case] = measure(image_of(case), case, seed)
    classic = one_in_flight(strategies[S0].exchange.response, strategies[S1].exchange.response, seed)
    known = {S3.buffer: strategies[S3]}

    def by_buffer(buffer: int) -> Exchange:
        if buffer not in known:
            progress(f"S3, buffer of {buffer}", min(0.95, 0.2 + 0.05 * len(known)))
            case = replace(S3, key=f"s3_{buffer}", buffer=buffer)
            known[buffer] = measure(image_of(case), case, seed)
        return known[buffer].exchange

    one = classic["one_8k"]
    equal = smallest(EQUAL_REDUCED if reduced else EQUAL, lambda b: by_buffer(b).served_us <= one.served_us)
    equal_whole = None
    if not reduced:
        equal_whole = smallest(EQUAL_WHOLE, lambda b: by_buffer(b).whole_us <= one.whole_us)
        for buffer in (*DRAWN, S3_300.buffer):
            by_buffer(buffer)
    progress("files", 0.95)
    files = _files(seed, FILES[-1:] if reduced else FILES)
    progress("done", 1.0)
    return Ratios(strategies, classic, sorted(known.items()), equal, equal_whole, files)


def smallest(buffers: Sequence[int], fast: Callable[[int], bool]) -> int:
    """The first of them that is fast, as all behind it are."""
    low, high = 0, len(buffers) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fast(buffers[middle]) else (middle + 1, high)
    if not fast(buffers[low]):
        raise WhitError(f"lab: S3 with a buffer of {buffers[-1]} is slower than one segment in flight", 1)
    return buffers[low]


def _files(seed: int, sizes: Sequence[int]) -> list[tuple[int, float]]:
    image = sending.built().image
    found = []
    for size in sizes:
        ours = sending.measure(image, size, inf, sending.FULL, seed)
        one = sending.measure_sender(ours.response.raw, size, 1, sending.FULL, seed)
        found.append((len(ours.response.raw), one.served_us / ours.served_us))
    return found
