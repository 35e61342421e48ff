# SPDX-License-Identifier: MIT
"""Which experiments there are."""

import importlib
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
        raise WhitError(f"lab: no experiment {name}; expected {' or '.join(NAMES)}")
    return cast(Experiment, importlib.import_module(f"whit.lab.experiments.{name.replace('-', '_')}").EXPERIMENT)
