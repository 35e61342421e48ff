# SPDX-License-Identifier: MIT
"""Services: what a call costs an image and a processor, and how long it takes, beside gSOAP's server."""

from __future__ import annotations

from whit.lab.experiment import Part, Progress, Result, merged
from whit.lab.experiments.services import costs, delays

PARTS = (costs.measure, delays.measure)


def run(progress: Progress, *, reduced: bool = False) -> Result:
    """The second part is in real time."""
    return merged(
        [measure(Part(progress, number, len(PARTS)), reduced=reduced) for number, measure in enumerate(PARTS)]
    )
