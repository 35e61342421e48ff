# SPDX-License-Identifier: MIT
"""The papers' traffic models, beside that of this engine (whit.model).

- paper, charge, dynaweb: as the papers print them, with formulas repaired where print or extraction damaged them
- presets: the papers' own readings of their tables
- comparison: one beside the other

    from whit_lab.model import Setting, in_flight_s

    in_flight_s(Setting(bandwidth=100_000, rtt_s=0.05, mss=1460), content=8000)
"""

from whit_lab.model.charge import equal_buffer, one_charge, one_s, strategy_charge, strategy_s
from whit_lab.model.comparison import Comparison, Question, compare
from whit_lab.model.dynaweb import overhead, throughput
from whit_lab.model.paper import Setting, in_flight_s, sending_s
from whit_lab.model.presets import PRESETS, Preset

__all__ = [
    "PRESETS",
    "Comparison",
    "Preset",
    "Question",
    "Setting",
    "compare",
    "equal_buffer",
    "in_flight_s",
    "one_charge",
    "one_s",
    "overhead",
    "sending_s",
    "strategy_charge",
    "strategy_s",
    "throughput",
]
