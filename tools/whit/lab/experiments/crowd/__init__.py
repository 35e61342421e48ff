# SPDX-License-Identifier: MIT
"""Clients in numbers: on a bad wire, at a small server, beside those who hold it. Is anybody left hanging?"""

from collections.abc import Iterator

from whit.lab.experiment import Found, Part, Progress
from whit.lab.experiments.crowd import examples, forgotten, lossy, lwip, newcomer, nginx, soak, uploads

PARTS = tuple(part.measure for part in (soak, forgotten, newcomer, examples, lossy, uploads, nginx, lwip))


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    """The last five parts are in real time: two runs never give the same figures."""
    for number, measure in enumerate(PARTS):
        yield from measure(Part(progress, number, len(PARTS)), reduced=reduced)
