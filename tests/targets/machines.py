# SPDX-License-Identifier: MIT
"""The devices that images run on here, and why one would be skipped."""

import shutil
from collections.abc import Callable
from glob import glob

import pytest


def _is_missing(*programs: str) -> str:
    return next((f"{program} is not installed" for program in programs if shutil.which(program) is None), "")


def _lacks(package: str, pattern: str) -> str:
    return "" if glob(pattern) else f"{package} is not installed"


WHY_NOT: dict[str, Callable[[], str]] = {
    "avr": lambda: _is_missing("avr-gcc") or _lacks("libsimavr-dev", "/usr/include/simavr/sim_avr.h"),
    "cortex-m": lambda: _is_missing("arm-none-eabi-gcc", "qemu-system-arm"),
    "riscv": lambda: _is_missing("riscv64-unknown-elf-gcc", "qemu-system-riscv32"),
    "gba": lambda: _is_missing("arm-none-eabi-gcc") or _lacks("libmgba-dev", "/usr/include/mgba/core/core.h"),
}


def devices() -> list[object]:
    """Every device as a parameter of a test."""
    return [
        pytest.param(name, marks=pytest.mark.skipif(bool(why()), reason=f"{name}: {why()}"))
        for name, why in WHY_NOT.items()
    ]
