# SPDX-License-Identifier: MIT
"""What the engine costs a small processor, in cycles of machines that are emulated exactly."""

from collections.abc import Sequence
from dataclasses import dataclass

from whit.lab.experiment import Experiment, Progress, Result
from whit.lab.experiments.cycles import avr, gba

PARTS = (avr.measure, gba.measure)


@dataclass(frozen=True)
class CyclesExperiment:
    """Every part in turn."""

    name: str = "cycles"
    title: str = "The engine on an 8-bit AVR and on a games console, in their cycles"
    answers_to: str = "How long does a page take from an 8 MHz AVR, and what do pre-computed checksums save?"
    paper: str = "000 Tables 2, 3; 001 Table 2"
    rows: Sequence[str] = ("D15", "D16", "S25")
    seconds: int = 30

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        results = []
        for index, measure in enumerate(PARTS):

            def told(what: str, share: float, index: int = index) -> None:
                progress(what, (index + share) / len(PARTS))

            results.append(measure(told, reduced=reduced))
        return Result(
            {key: value for result in results for key, value in result.settings.items()},
            [figure for result in results for figure in result.figures],
            [series for result in results for series in result.series],
            [figure for result in results for figure in result.beside],
            [row for result in results for row in result.compared],
            notes=[note for result in results for note in result.notes],
        )


EXPERIMENT: Experiment = CyclesExperiment()
