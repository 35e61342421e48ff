# SPDX-License-Identifier: MIT
"""Clients in numbers: on a bad wire, at a small server, beside those who hold it. Is anybody left hanging?"""

from __future__ import annotations

from whit.lab.experiment import Part, Progress, Result, merged
from whit.lab.experiments.crowd import examples, forgotten, lossy, lwip, newcomer, nginx, soak, uploads

PARTS = tuple(part.measure for part in (soak, forgotten, newcomer, examples, lossy, uploads, nginx, lwip))


def run(progress: Progress, *, reduced: bool = False) -> Result:
    """The last five parts are in real time: two runs never give the same figures."""
    return merged(
        [measure(Part(progress, number, len(PARTS)), reduced=reduced) for number, measure in enumerate(PARTS)]
    )
