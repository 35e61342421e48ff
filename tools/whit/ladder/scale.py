# SPDX-License-Identifier: MIT
"""Maps the times of a ladder to places on the paper.

The scale between two folds is linear. It is stretched where lines or words would overlap.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from whit.ladder.steps import Ladder, Step

LABEL_SEP, TIP_SEP, ACK_SEP = 14.0, 7.0, 3.5  # px between two of the same side, at least
DATA_SLANT, SLANT_LEAST, GAP = (
    38.0,
    9.0,
    16.0,
)  # px: of a usual segment; of any that takes time; between two datagrams of a capture, which have no slant
FOLD_LEN = 84.0  # px: longer flights are folded
FOLDED_LEN = 34.0
DENSE = 60  # steps: with more of them acknowledgments take less room


@dataclass(frozen=True)
class Fold:
    """Time that is left out, between two places in px."""

    from_y: float
    to_y: float
    time_us: int


@dataclass(frozen=True)
class Scale:
    """Places in px, below the life lines' top. Of steps and events in the ladder's order."""

    px_per_us: float
    begins: Sequence[float]
    ends: Sequence[float]  # of a lost one: its arrival if it were not lost
    events: Sequence[float]
    folds: Sequence[Fold]
    anchors: Sequence[tuple[int, float]]  # times and places in their order

    @property
    def height(self) -> float:
        return self.anchors[-1][1] if self.anchors else 0.0

    def at(self, time_us: int) -> float:
        """The first place of a time that is on the paper."""
        times = [time for time, _ in self.anchors]
        after = bisect_right(times, time_us)
        if after == 0:
            return 0.0
        before_us, place = self.anchors[after - 1]
        if after == len(self.anchors) or before_us == time_us:
            return place
        next_us, next_place = self.anchors[after]
        return place + (next_place - place) * (time_us - before_us) / (next_us - before_us)


@dataclass(order=True)
class _Point:
    """`rank`: the order of points with equal times."""

    time_us: int
    rank: int
    index: int
    on_left: bool = field(compare=False)
    sep: float = field(compare=False)


END, EVENT, BEGIN, HELD = range(4)


def scale_of(ladder: Ladder) -> Scale:
    """Places everything from top to bottom."""
    px_per_us = _px_per_us(ladder.steps)
    begins, ends, events = [0.0] * len(ladder.steps), [0.0] * len(ladder.steps), [0.0] * len(ladder.events)
    by_rank = {BEGIN: begins, END: ends, EVENT: events}
    folds: list[Fold] = []
    anchors: list[tuple[int, float]] = []
    last: dict[tuple[bool, bool], float] = {}  # place of the last one of a side, of a kind: tips or words
    place, time_us, dense = 0.0, None, len(ladder.steps) > DENSE
    for point in sorted(_points(ladder)):
        if time_us is not None:
            passed = (point.time_us - time_us) * px_per_us
            if passed > FOLD_LEN:
                folds.append(Fold(place, place + FOLDED_LEN, point.time_us - time_us))
            place += passed if passed <= FOLD_LEN else FOLDED_LEN
        if point.rank != HELD:
            side = point.on_left, point.rank == END
            place = max(place, last.get(side, -100.0) + point.sep)
            if point.rank == END and point.time_us > ladder.steps[point.index].begin_us:
                place = max(place, begins[point.index] + (point.sep if dense else SLANT_LEAST))
            last[side] = place
            by_rank[point.rank][point.index] = place
        time_us = point.time_us
        anchors.append((time_us, place))
    ends = [end or begin for begin, end in zip(begins, ends, strict=True)]  # 0: it takes no time
    return Scale(px_per_us, begins, ends, events, folds, anchors)


def _points(ladder: Ladder) -> list[_Point]:
    dense = len(ladder.steps) > DENSE
    points = [
        _Point(event.time_us, EVENT, index, event.on_left, LABEL_SEP) for index, event in enumerate(ladder.events)
    ]
    points += [_Point(time_us, HELD, index, False, 0.0) for index, (time_us, _) in enumerate(ladder.held[1:])]
    for index, step in enumerate(ladder.steps):
        is_small = step.kind == "ack" and dense
        sep = ACK_SEP if is_small else LABEL_SEP
        points.append(_Point(step.begin_us, BEGIN, index, step.left_to_right, sep))
        tip = ACK_SEP if is_small else TIP_SEP
        end_us = step.begin_us + _flight_us(ladder.steps, step) if step.end_us is None else step.end_us
        if end_us > step.begin_us:
            points.append(_Point(end_us, END, index, not step.left_to_right, tip))
    return points


def _px_per_us(steps: Sequence[Step]) -> float:
    """Returns the scale. A usual segment has a visible slant, and no flight is folded. Most datagrams of a capture are
    as far apart as their words require."""
    all_of_them = [
        step.end_us - step.begin_us for step in steps if step.end_us is not None and step.end_us > step.begin_us
    ]
    flights = [step.end_us - step.begin_us for step in steps if step.end_us is not None and step.kind == "data"]
    flights = [flight for flight in flights if flight > 0] or all_of_them
    if flights:
        return min(DATA_SLANT / median(flights), FOLD_LEN / max(all_of_them))
    times = sorted(step.begin_us for step in steps)
    gaps = sorted(after - before for before, after in pairwise(times) if after > before)
    return GAP / gaps[len(gaps) // 3] if gaps else 1.0


def _flight_us(steps: Sequence[Step], lost: Step) -> int:
    """Returns the flight time of a similar datagram for one that was lost."""
    like = [
        (abs(step.octets - lost.octets), step.end_us - step.begin_us)
        for step in steps
        if step.end_us is not None and step.left_to_right == lost.left_to_right
    ]
    return min(like)[1] if like else 0
