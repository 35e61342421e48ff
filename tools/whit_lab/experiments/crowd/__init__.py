# SPDX-License-Identifier: MIT
"""Many clients: on a lossy wire, at a small server, beside others that hold its slots. Does each get its answer?"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from whit_lab import reads
from whit_lab.experiment import Found, Part, Progress
from whit_lab.experiments.crowd import examples, forgotten, lossy, lwip, newcomer, nginx, shares, soak, uploads

VIRTUAL = {part.__name__.rpartition(".")[2]: part.measure for part in (soak, forgotten, newcomer, shares)}
REAL = tuple(part.measure for part in (examples, lossy, uploads, nginx, lwip))
AT_ONCE = 2


def run(progress: Progress, *, reduced: bool = False, exact: bool = False) -> Iterator[Found]:
    """Yields the experiment's results. In real time two runs never give the same figures. exact: only the parts in
    virtual time."""
    parts = () if exact else REAL
    yield from _virtual(Part(progress, 0, 1 + len(parts)), reduced=reduced)
    for number, measure in enumerate(parts, 1):
        yield from measure(Part(progress, number, 1 + len(parts)), reduced=reduced)


def _virtual(progress: Progress, *, reduced: bool) -> Iterator[Found]:
    """Runs each part in a process of its own: none depends on other load of the machine."""
    with ProcessPoolExecutor(AT_ONCE, get_context("fork")) as pool:
        asked = {name: pool.submit(_measured, name, reduced) for name in VIRTUAL}
        for number, name in enumerate(VIRTUAL):
            progress(f"virtual time: {name}", number / len(VIRTUAL))
            found, seen = asked[name].result()
            reads.add(seen)
            yield from found


def _measured(name: str, reduced: bool) -> tuple[list[Found], reads.Reads]:
    with reads.watched() as seen:
        found = list(VIRTUAL[name](lambda what, share: None, reduced=reduced))
    return found, seen
