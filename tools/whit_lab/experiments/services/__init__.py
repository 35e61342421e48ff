# SPDX-License-Identifier: MIT
"""Services: a call's cost in the image and on the processor, and its time, beside gSOAP's server."""

from collections.abc import Iterator

from whit_lab.experiment import Found, Part, Progress
from whit_lab.experiments.services import costs, delays

PARTS = (costs.measure, delays.measure)


def run(progress: Progress, *, reduced: bool = False, exact: bool = False) -> Iterator[Found]:
    """Yields the results. The second part is in real time. exact: the first part."""
    parts = PARTS[:1] if exact else PARTS
    for number, measure in enumerate(parts):
        yield from measure(Part(progress, number, len(parts)), reduced=reduced)
