# SPDX-License-Identifier: MIT
"""Which experiments there are."""

import importlib
from difflib import get_close_matches
from typing import cast

from whit.errors import WhitError
from whit.lab.experiment import Experiment

NAMES = (
    "traffic",
    "throughput-mss",
    "checksum-chunks",
    "ajax",
    "functions",
    "memory",
    "sending-time",
    "contacts",
    "ratios",
    "window",
    "ping",
    "loss",
    "kernel",
    "footprint",
    "cycles",
    "engine",
    "strategies",
)
"""Modules of experiments/ (_ for -), in the order in which they are listed."""


def find(name: str) -> Experiment:
    if name not in NAMES:
        near = get_close_matches(name.lower().replace("_", "-").replace(" ", "-"), NAMES, 1)
        way_out = f"is it {near[0]}? ./whit lab lists them" if near else f"expected {', '.join(NAMES)}"
        raise WhitError(f"lab: no experiment {name}; {way_out}")
    return cast(Experiment, importlib.import_module(f"whit.lab.experiments.{name.replace('-', '_')}").EXPERIMENT)
