# SPDX-License-Identifier: MIT
"""How much faster than one segment in flight each strategy is, by the model and by a run: EMSOFT 2009, section 4.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whit.lab.experiment import Experiment, Progress, Result
from whit.lab.experiments.ratios import show as show
from whit.lab.experiments.ratios.run import FIGURE_1, GENERATED, STATIC, model, ratios
from whit.lab.instruments.served import LARGE, SMALL


@dataclass(frozen=True)
class RatiosExperiment:
    seed: int = 1
    name: str = "ratios"
    title: str = "Strategies over one segment in flight: by the model, and run"
    answers_to: str = "How much faster than one segment in flight is each strategy, and which buffer does S3 need?"
    paper: str = "001 eq. 9–20"
    rows: Sequence[str] = ("S8", "S9", "S10", "S12", "S24")
    seconds: int = 45

    def run(self, progress: Progress, *, reduced: bool = False) -> Result:
        progress("building", 0.0)
        run = ratios(progress, self.seed, reduced=reduced)
        equations = model()
        return Result(
            self._settings(),
            show.figures(equations, run),
            show.series(run),
            show.beside(run),
            show.rows(equations, run),
            [show.sheet(equations, run)],
            notes=show.notes(run),
        )

    def _settings(self) -> dict[str, object]:
        return {
            "application": "lab/strategies; S3 alone with its buffer",
            "seed": self.seed,
            "model_content": {"S0, S3": STATIC, "S1": GENERATED},
            "content": {"S0, S3": LARGE, "S1": SMALL},
            "heads": "in the responses that are run, not in the model's contents",
            "rate_octets_per_s": FIGURE_1.bandwidth,
            "link": "full duplex; datagrams count, without Ethernet's",
            "rtt_ms": 1000 * FIGURE_1.rtt_s,
            "mss": FIGURE_1.mss,
            "delayed_ack_ms": 1000 * FIGURE_1.delayed_ack_s,
            "request": "the second one of a connection",
            "st": "from the response's first octet leaving the server to its last acknowledgment's arrival there",
            "whole": "from the request's first octet leaving the client to the response's last octet arriving there",
            "server": "the engine in-process: it takes no time of its own",
        }


EXPERIMENT: Experiment = RatiosExperiment()
