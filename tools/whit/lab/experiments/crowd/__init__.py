# SPDX-License-Identifier: MIT
"""Clients in numbers: on a bad wire, at a small server, beside those who hold it. Is anybody left hanging?"""

from collections.abc import Iterator

from whit.lab.experiment import Found, Part, Progress
from whit.lab.experiments.crowd import examples, forgotten, lossy, lwip, newcomer, nginx, shares, soak, uploads

VIRTUAL = tuple(part.measure for part in (soak, forgotten, newcomer, shares))
REAL = tuple(part.measure for part in (examples, lossy, uploads, nginx, lwip))


def run(progress: Progress, *, reduced: bool = False, exact: bool = False) -> Iterator[Found]:
    """In real time two runs never give the same figures. exact: what is in virtual time."""
    parts = VIRTUAL if exact else (*VIRTUAL, *REAL)
    for number, measure in enumerate(parts):
        yield from measure(Part(progress, number, len(parts)), reduced=reduced)
