# SPDX-License-Identifier: MIT
"""Which experiments there are."""

import importlib
import importlib.util
from typing import cast

from whit.errors import WhitError
from whit.lab.experiment import Experiment

_PLANNED = (
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
NAMES = tuple(name for name in _PLANNED if importlib.util.find_spec(f"whit.lab.{name.replace('-', '_')}"))
"""Modules of this package (_ for -), in the order in which they are listed."""


def find(name: str) -> Experiment:
    if name not in NAMES:
        raise WhitError(f"lab: no experiment {name}; expected {' or '.join(NAMES)}")
    return cast(Experiment, importlib.import_module(f"whit.lab.{name.replace('-', '_')}").EXPERIMENT)
