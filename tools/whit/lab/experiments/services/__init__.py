# SPDX-License-Identifier: MIT
"""Services: what a call costs an image and a processor, and how long it takes, beside gSOAP's server."""

from collections.abc import Iterator

from whit.lab.experiment import Found, Part, Progress
from whit.lab.experiments.services import costs, delays

PARTS = (costs.measure, delays.measure)


def run(progress: Progress, *, reduced: bool = False) -> Iterator[Found]:
    """The second part is in real time."""
    for number, measure in enumerate(PARTS):
        yield from measure(Part(progress, number, len(PARTS)), reduced=reduced)
