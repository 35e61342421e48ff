# SPDX-License-Identifier: MIT
"""Services: what a call costs an image and a processor, and how long it takes, beside gSOAP's server."""

from collections.abc import Iterator

from whit_lab.experiment import Found, Part, Progress
from whit_lab.experiments.services import costs, delays

PARTS = (costs.measure, delays.measure)


def run(progress: Progress, *, reduced: bool = False, exact: bool = False) -> Iterator[Found]:
    """The second part is in real time. exact: the first."""
    parts = PARTS[:1] if exact else PARTS
    for number, measure in enumerate(parts):
        yield from measure(Part(progress, number, len(parts)), reduced=reduced)
