# SPDX-License-Identifier: MIT
"""The devices that images run on here, and why one would be skipped."""

from collections.abc import Callable
from functools import partial

import pytest

from whit.machines.machines import MACHINES, why_no_machine

WHY_NOT: dict[str, Callable[[], str]] = {name: partial(why_no_machine, name) for name in MACHINES}


def skipped_without(target: str) -> pytest.MarkDecorator:
    why = WHY_NOT[target]()
    return pytest.mark.skipif(bool(why), reason=f"{target}: {why}")


def devices() -> list[object]:
    """Every device as a parameter of a test."""
    return [pytest.param(name, marks=skipped_without(name)) for name in MACHINES]
